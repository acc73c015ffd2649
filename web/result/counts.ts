import { h } from '../page/dom.js';
import { numberText } from '../language/texts.js';

/** Types of operations with their numbers. */
export function counts(operations: readonly (readonly [type: string, count: number])[]): HTMLElement {
  return h('ul', { class: 'operations' },
    ...operations.map(([type, count]) => h('li', {}, h('code', {}, type), h('span', {}, numberText(count)))));
}
