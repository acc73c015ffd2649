/** Texts of an IR may have megabytes: as much of them as people read. What is saved has the whole. */
import type { Message } from '@mo/wasm';
import type { Template } from '@mo/wasm/msg';

const LONGEST = 300;

export const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);

export function cutMessage(message: Message): Message {
  return { ...message, node: cut(message.node), op: cut(message.op), text: cut(message.text), arguments: message.arguments.map(cutPart) };
}

const cutPart = (part: Template['arguments'][number]): Template['arguments'][number] => (typeof part === 'string' ? cut(part) : { ...part, arguments: part.arguments.map(cutPart) });
