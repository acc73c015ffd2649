import type { Message } from '@mo/wasm';
import { asTemplate, textOf, type Template } from '@mo/wasm/msg';

/** A message of the page itself. Its hint has no arguments. */
export function pageMessage(code: string, said: Template, hint: string, file = ''): Message {
  return {
    severity: 'error', code, text: textOf(said), hint, node: '', op: '', tensor: '', file, offset: -1, line: 0, column: 0,
    ...said, advice: asTemplate(hint), option: '', options: [],
  };
}
