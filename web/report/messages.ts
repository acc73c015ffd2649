import type { Message } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import { h } from '../page/dom.js';
import { hintText, messageText, originalText } from '../language/messages.js';
import { countText, t, type LiveText } from '../language/texts.js';
import { helpOf } from './help.js';
import { pageMessage } from './page-message.js';
import { HostReadFailed } from './codes.js';

const UNREAD = { file: msg`a file could not be read`, folder: msg`a folder could not be read` };

/** The message of a file or folder of the user's that cannot be read. */
export function unreadable(what: 'file' | 'folder', path: string, error: unknown): Message {
  const reason = error instanceof Error ? error.message : String(error);
  return pageMessage(HostReadFailed, msg`${UNREAD[what]}: ${msg`${reason}`}`, 'check that it still exists and may be read, then bring it again', path);
}

/** More warnings of one code are behind a line that says how many they are. */
const MOST_OF_CODE = 5;

/** What stands for the name of a message's node; undefined for the name alone. */
type NodeOf = (message: Message) => Node | undefined;

/** Messages as a list. Equal messages of several nodes share one entry, which names the nodes. */
export function messageList(messages: readonly Message[], nodeOf?: NodeOf): HTMLElement {
  const entry = (group: readonly Message[]) => entryOf(group, nodeOf);
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const key = JSON.stringify([message.code, message.text, message.hint]);
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  const shown: Message[][] = [];
  const rest = new Map<string, Message[][]>();
  const counts = new Map<string, number>();
  for (const group of groups.values()) {
    const { code, severity } = group[0]!;
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (severity === 'error' || count <= MOST_OF_CODE) shown.push(group);
    else if (rest.has(code)) rest.get(code)!.push(group);
    else rest.set(code, [group]);
  }
  return h('ol', { class: 'messages' }, shown.map(entry), Array.from(rest, ([code, more]) => h('li', { class: 'warning' },
    h('details', { class: 'more' },
      h('summary', {}, t('and {count} more of {code}', { count: String(more.flat().length), code })),
      h('ol', { class: 'messages' }, more.map(entry))))));
}

function entryOf(messages: readonly Message[], nodeOf?: NodeOf): HTMLElement {
  const message = messages[0]!;
  const { severity, code, hint } = message;
  const places = messages.map((message) => place(message, nodeOf?.(message))).filter((parts) => parts.length > 0);
  return h('li', { class: severity },
    h('p', { class: 'message-head' },
      h('code', {}, code),
      h('strong', {}, messageText(message)),
      messages.length > 1 && h('span', { class: 'count' }, countText(messages.length, 'time'))),
    h('p', { class: 'message-original', lang: 'en' }, originalText(message)),
    hint !== '' && h('p', { class: 'message-hint' }, hintText(message)),
    places.length > 0 && h('ul', { class: 'places' }, places.map((parts) => h('li', {}, parts))),
    helpOf(code));
}

/** The parts of a message's place that are known: `node /conv_1 · Conv · weights.bin, byte 12`. In texts it is a line. */
function place({ node, op, tensor, file, offset, line, column }: Message, own?: Node): Node[] {
  const at = line > 0 ? t(', line {line}, column {column}', { line: String(line), column: String(column) })
    : offset >= 0 && t(', byte {byte}', { byte: String(offset) });
  const parts: [label: LiveText, name: string, at?: LiveText | false][] = [[t('node'), node], [t('operation'), op], [t('tensor'), tensor], [t('file'), file, at]];
  return parts.filter(([, name]) => name).map(([label, name, at], index) => h('span', {}, label, ' ', (index === 0 && own) || h('code', {}, name, at)));
}
