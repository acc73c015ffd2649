/** The progress of longer work, with a button that ends it. */
import { button, fill, h } from '../page/dom.js';
import { t, type LiveText, type Text } from '../language/texts.js';

export interface Steps {
  readonly element: HTMLElement;
  /** `part` is from 0 to 1, undefined where that is not known. */
  at(part: number | undefined, text: Text): void;
}

export function steps(label: LiveText, cancel: () => void): Steps {
  const bar = h('progress', { max: '1', 'aria-label': label });
  // Too many to be read aloud.
  const count = h('span', { 'aria-live': 'off' });
  return {
    element: h('div', { class: 'steps' }, bar, count, button(t('Cancel'), 'quiet', cancel)),
    at: (part, text) => {
      if (part !== undefined) bar.value = part;
      fill(count, text);
    },
  };
}
