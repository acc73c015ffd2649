import type { Message } from '@mo/wasm';

/** A message of the page itself. */
export function pageMessage(code: string, text: string, hint: string, file = ''): Message {
  return { severity: 'error', code, text, hint, node: '', op: '', tensor: '', file, offset: -1, line: 0, column: 0 };
}
