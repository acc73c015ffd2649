/** The options with which a model was converted, in a line: nobody should wonder where a result has them from. */
import { compose, h, type Child } from '../page/dom.js';
import { optionText, type Given } from '../options/options.js';

const LONGEST = 200;

export function withOptions(given: readonly Given[]): HTMLElement | false {
  if (given.length === 0) return false;
  const options = given.flatMap((one, index): Child[] => [index > 0 && ' ', h('code', {}, shortened(optionText(one)))]);
  return compose(h('p', { class: 'with-options' }), 'With your options: {options}', { options });
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
