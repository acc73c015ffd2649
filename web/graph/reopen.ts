/** The model whose graph is to be shown again as soon as it is converted, because the view has asked for that conversion. */
import type { Chosen } from '../bring/chosen.js';
import { byId } from '../page/dom.js';

let wanted: Chosen | undefined;

/** Converts what is at hand with the options as they are now. */
export function convertAndReopen(chosen: Chosen): void {
  wanted = chosen;
  byId<HTMLFormElement>('options').requestSubmit();
  // If the conversion ends without a result, nothing is opened later.
  const ended = new MutationObserver(() => {
    if (!byId('working').hidden) return;
    ended.disconnect();
    wanted = undefined;
  });
  ended.observe(byId('working'), { attributeFilter: ['hidden'] });
}

/** Whether the graph of this model is wanted; only once. */
export function takeReopening(chosen: Chosen): boolean {
  if (wanted !== chosen) return false;
  wanted = undefined;
  return true;
}
