import type { Message } from '@mo/wasm';

import { h } from './dom.js';
import { helpOf } from './help.js';
import { pageMessage } from './page-message.js';
import { countText } from './text.js';

/** The message of a file or folder of the user's that cannot be read. */
export function unreadable(what: 'file' | 'folder', path: string, error: unknown): Message {
  const reason = error instanceof Error ? error.message : String(error);
  return pageMessage('MO7001', `a ${what} could not be read: ${reason}`, 'check that it still exists and may be read, then bring it again', path);
}

/** Messages as a list. Equal messages of several nodes share one entry, which names the nodes. */
export function messageList(messages: readonly Message[]): HTMLElement {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const key = JSON.stringify([message.code, message.text, message.hint]);
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  return h('ol', { class: 'messages' }, ...Array.from(groups.values(), entry));
}

function entry(messages: readonly Message[]): HTMLElement {
  const { severity, code, text, hint } = messages[0]!;
  const places = messages.map(place).filter((parts) => parts.length > 0);
  return h('li', { class: severity },
    h('p', { class: 'message-head' },
      h('code', {}, code),
      h('strong', {}, text),
      messages.length > 1 && h('span', { class: 'count' }, countText(messages.length, 'time'))),
    places.length > 0 && h('ul', { class: 'places' }, ...places.map((parts) => h('li', {}, ...parts))),
    hint !== '' && h('p', { class: 'message-hint' }, hint),
    helpOf(code));
}

/** The parts of a message's place that are known: `node /conv_1 · Conv · weights.bin, byte 12`. */
function place({ node, op, tensor, file, offset }: Message): Node[] {
  const parts: [label: string, value: string][] = [
    ['node', node], ['operation', op], ['tensor', tensor], ['file', file && offset >= 0 ? `${file}, byte ${offset}` : file],
  ];
  return parts.filter(([, value]) => value).map(([label, value]) => h('span', {}, `${label} `, h('code', {}, value)));
}
