/** Which layouts the options can give the inputs and outputs of a model, and which they give now. */
import type { Inspection, Port } from '@mo/wasm';

import { canBeNamed, readLayout, writeLayout } from '../card/items.js';
import { allText, t, type Text } from '../language/texts.js';
import { readWishes, writeWishes, type InputWish, type OutputWish, type Values, type Wishes } from '../card/wishes.js';

/** By the number of dimensions: channels last, and channels first. */
const ORDERS: Readonly<Record<number, readonly [last: string, first: string]>> = { 3: ['nwc', 'ncw'], 4: ['nhwc', 'nchw'], 5: ['ndhwc', 'ncdhw'] };
const OPTIONS = ['layout', 'source_layout', 'target_layout'] as const;

export interface LayoutChoice {
  readonly side: 'input' | 'output';
  readonly place: string;
  /** Shape and type in the IR. */
  readonly port: Port | undefined;
  /** As `--layout` has it; empty where nothing is given. */
  readonly value: string;
  /** The values that can be given, with words for them; none if `why` has the reason. */
  readonly choices: readonly (readonly [value: string, label: Text])[];
  readonly why: Text;
  /** Returns the options, with their new values, that ask for that layout in place of the present one. */
  readonly choose: (value: string) => Values;
}

/** `ports` are those of the IR. */
export function layoutChoices(values: Values, own: Pick<Inspection, 'inputs' | 'outputs'>, ports: Record<'inputs' | 'outputs', readonly Port[]>): LayoutChoice[] {
  const wishes = readWishes(values, own);
  const unread = OPTIONS.filter((option) => wishes.unread.includes(option));
  return (['inputs', 'outputs'] as const).flatMap((side) => (wishes[side] as readonly (InputWish | OutputWish)[]).map((wish) => {
    const { place, layout } = wish;
    const names = new Set([place, ...(wish.own?.names ?? [])]);
    const port = ports[side].find(({ name, names: all }) => names.has(name) || all.some((one) => names.has(one)));
    const order = ORDERS[rankOf(port?.shape ?? wish.own?.shape ?? '') ?? 0];
    const why = reason(wish, unread, order !== undefined);
    const choices = why === '' ? [['', t('Stays as it is')] as const, ...turns(order!), ...(isKnown(layout, order!) ? [] : [[plain(layout), plain(layout).toUpperCase()] as const])] : [];
    return { side: side === 'inputs' ? 'input' : 'output', place, port, value: plain(layout), choices, why, choose: (value) => chosen(wishes, wish, value) };
  }));
}

/** Whether the options ask for other layouts than those with which the model was converted. */
export function asksForOthers(values: Values, converted: Readonly<Record<string, unknown>>): boolean {
  return OPTIONS.some((option) => (values[option] ?? '') !== String(converted[option] ?? ''));
}

function chosen(wishes: Wishes, wish: InputWish | OutputWish, value: string): Values {
  wish.layout = value;
  return writeWishes(wishes, 'layout');
}

function turns([last, first]: readonly [string, string]): (readonly [value: string, label: Text])[] {
  return [[last, first], [first, last]].map(([from, to]) => [writeLayout(from!, to!), t('{from} becomes {to}', { from: from!.toUpperCase(), to: to!.toUpperCase() })] as const);
}

function isKnown(layout: string, order: readonly [string, string]): boolean {
  return layout === '' || turns(order).some(([value]) => value === plain(layout));
}

function reason(wish: InputWish | OutputWish, unread: readonly string[], hasOrder: boolean): Text {
  if (unread.length > 0) return t('{options} of the form cannot be read for each of them.', { options: allText(unread.map((option) => `--${option}`)) });
  if ('value' in wish && wish.value !== '') return t('It is always {value}.', { value: wish.value.slice(0, 100) });
  if (!canBeNamed(wish.place)) return t('Its name has commas or brackets, which options cannot contain.');
  return hasOrder ? '' : t('It has no layout of channels: that takes 3 to 5 dimensions.');
}

/** `[n,h,w,c]->[n,c,h,w]` is `nhwc->nchw`. */
function plain(layout: string): string {
  const { source, target } = readLayout(layout);
  const letters = (side: string) => (/^\[(?:[a-z](?:,|\]$))+$/i.test(side) ? side.replaceAll(/[[\],]/g, '') : side).toLowerCase();
  return writeLayout(letters(source), letters(target));
}

/** The rank of a shape as OpenVINO writes it; undefined if it is unknown. */
function rankOf(shape: string): number | undefined {
  const dimensions = shape.replace(/^\[|\]$/g, '');
  return shape === '' || dimensions === '...' ? undefined : dimensions === '' ? 0 : dimensions.split(',').length;
}
