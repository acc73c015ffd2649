/** Where a model begins and ends: nodes and tensors that become inputs and outputs in the place of the model's own. */
import type { Wishes } from './wishes.js';

export type Side = 'inputs' | 'outputs';

/** Whether the model's own are not all of them, or not all that there is. */
export function isCut(wishes: Wishes, side: Side): boolean {
  return left(wishes, side).length > 0 || wishes[side].some((wish) => !wish.own && !('value' in wish && wish.value !== ''));
}

/** Adds a place. The first one takes the place of the model's own, of which each can be kept; others come beside it. */
export function addPlace(wishes: Wishes, side: Side, place: string): void {
  const cut = isCut(wishes, side);
  if (!cut) left(wishes, side).push(...wishes[side].flatMap(({ own }) => (own ? [own.name] : [])));
  if (side === 'inputs')
    wishes.inputs = [...(cut ? wishes.inputs : []), { place, own: undefined, shape: '', type: '', value: '', mean: '', scale: '', layout: '' }];
  else wishes.outputs = [...(cut ? wishes.outputs : []), { place, own: undefined, layout: '' }];
  setLeft(wishes, side, left(wishes, side).filter((name) => name !== place));
}

/** Takes one out. Without a cut all of the model's own come back. */
export function removePlace(wishes: Wishes, side: Side, row: number): void {
  const [gone] = wishes[side].splice(row, 1);
  if (gone?.own) left(wishes, side).push(gone.own.name);
  const inner = wishes[side].some(({ own }) => !own);
  if (wishes[side].length === 0 || (side === 'inputs' && !inner)) setLeft(wishes, side, []);
}

function left(wishes: Wishes, side: Side): string[] {
  return side === 'inputs' ? wishes.inputsLeft : wishes.outputsLeft;
}

function setLeft(wishes: Wishes, side: Side, names: string[]): void {
  if (side === 'inputs') wishes.inputsLeft = names;
  else wishes.outputsLeft = names;
}
