/** How far a longer piece of work is, with a button that ends it. */
import { button, h } from '../dom.js';

export interface Steps {
  readonly element: HTMLElement;
  /** `part` is from 0 to 1, undefined where that is not known. */
  at(part: number | undefined, text: string): void;
}

export function steps(label: string, cancel: () => void): Steps {
  const bar = h('progress', { max: '1', 'aria-label': label });
  // Too many to be read aloud.
  const count = h('span', { 'aria-live': 'off' });
  return {
    element: h('div', { class: 'steps' }, bar, count, button('Cancel', 'quiet', cancel)),
    at: (part, text) => {
      if (part !== undefined) bar.value = part;
      count.textContent = text;
    },
  };
}
