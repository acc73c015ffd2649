/** Where a model begins and ends: nodes and tensors that become inputs and outputs in the place of the model's own. */
import type { Wishes } from './wishes.js';

export type Side = 'inputs' | 'outputs';

/** Whether this side is cut: one of the model's own inputs or outputs is left out, or there is another one. */
export function isCut(wishes: Wishes, side: Side): boolean {
  return left(wishes, side).length > 0 || wishes[side].some((wish) => !wish.own && !('value' in wish && wish.value !== ''));
}

/** Adds a place. The first one replaces the model's own inputs or outputs, each of which can be kept; later ones are added. */
export function addPlace(wishes: Wishes, side: Side, place: string): void {
  const cut = isCut(wishes, side);
  if (!cut) left(wishes, side).push(...wishes[side].flatMap(({ own }) => (own ? [own.name] : [])));
  if (side === 'inputs')
    wishes.inputs = [...(cut ? wishes.inputs : []), { place, own: undefined, shape: '', type: '', value: '', mean: '', scale: '', layout: '' }];
  else wishes.outputs = [...(cut ? wishes.outputs : []), { place, own: undefined, layout: '' }];
  setLeft(wishes, side, left(wishes, side).filter((name) => name !== place));
}

/** Takes a place out. Without a cut all of the model's own come back. */
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
