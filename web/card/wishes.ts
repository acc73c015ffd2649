/** The wishes that options have for each input and output of a model, read from the options and written into them. */
import type { DeclaredOutput, Inspection, Port } from '@mo/wasm';

import { canBeNamed, countSizes, readInput, readLayout, readNamed, splitItems, splitLists, writeInput, writeLayout, type InputItem } from './items.js';

/** The options by their names, as the form has them. */
export type Values = Record<string, string>;

/** An input: one that the model has, or a node or tensor that becomes one. */
export interface InputWish extends InputItem {
  /** The model's own input of that name. */
  own: Port | undefined;
  mean: string;
  scale: string;
  layout: string;
}

export interface OutputWish {
  place: string;
  own: DeclaredOutput | undefined;
  layout: string;
}

export interface Wishes {
  inputs: InputWish[];
  outputs: OutputWish[];
  /** The model's own inputs and outputs that a cut leaves out. */
  inputsLeft: string[];
  outputsLeft: string[];
  /** Options that are given in a way that does not show here. */
  unread: string[];
}

/** The kind of a change. It decides which options are written again. */
export type Change = 'shape' | 'type' | 'mean' | 'scale' | 'layout' | 'cut';

type Own = Pick<Inspection, 'inputs' | 'outputs'>;

/** A map from names, because models may have very many inputs. */
function byNames<One>(all: readonly One[], namesOf: (one: One) => readonly (string | undefined)[]): ReadonlyMap<string, One> {
  const found = new Map<string, One>();
  for (const one of all) for (const name of namesOf(one)) if (name !== undefined && !found.has(name)) found.set(name, one);
  return found;
}

const namesOf = ({ name, names }: Pick<Port, 'name' | 'names'>) => [name, ...names];
const namesOfWish = ({ place, own }: InputWish | OutputWish) => [place, ...(own ? namesOf(own) : [])];

export function readWishes(values: Values, own: Own): Wishes {
  const wishes: Wishes = { inputs: [], outputs: [], inputsLeft: [], outputsLeft: [], unread: [] };
  const listed = splitItems(values['input'] ?? '').map(readInput);
  if (listed.includes(undefined)) wishes.unread.push('input');
  const items = listed.filter((item) => item !== undefined);
  const ports = byNames(own.inputs, namesOf);
  const named = items.map((item) => inputWish(item, ports.get(item.place)));
  const taken = new Set([...named.map((wish) => wish.own), ...frozenPlaces(values).map((place) => ports.get(place))]);
  const others = own.inputs.filter((port) => !taken.has(port));
  const inner = named.some(({ own, value }) => !own && value === '');
  wishes.inputs = [...named, ...(inner ? [] : others.map((port) => inputWish({ place: port.name, shape: '', type: '', value: '' }, port)))];
  if (inner) wishes.inputsLeft = others.map(({ name }) => name);
  readOutputs(wishes, values, own);
  const listedInputs = items.length > 0 ? wishes.inputs.slice(0, items.length) : wishes.inputs;
  readShapes(wishes, listedInputs, values);
  readNumbers(wishes, 'mean', listedInputs, values);
  readNumbers(wishes, 'scale', listedInputs, values);
  const factor = values['scale'] ?? '';
  if (factor !== '') for (const input of wishes.inputs) input.scale ||= factor;
  for (const option of ['source_layout', 'target_layout', 'layout']) readLayouts(wishes, option, values);
  return wishes;
}

function inputWish(item: InputItem, own: Port | undefined): InputWish {
  return { ...item, own, mean: '', scale: '', layout: '' };
}

/** What `--freeze_placeholder_with_value` makes constants. */
function frozenPlaces(values: Values): string[] {
  return splitItems(values['freeze_placeholder_with_value'] ?? '').map((item) => item.split('->')[0]!.trim());
}

function readOutputs(wishes: Wishes, values: Values, own: Own): void {
  const places = (values['output'] ?? '').split(',').map((place) => place.trim()).filter((place) => place !== '');
  const ports = byNames(own.outputs, namesOf);
  wishes.outputs = places.length > 0
    ? places.map((place) => ({ place, own: ports.get(place), layout: '' }))
    : own.outputs.map((port) => ({ place: port.name, own: port, layout: '' }));
  const taken = new Set(wishes.outputs.map((wish) => wish.own));
  wishes.outputsLeft = own.outputs.filter((port) => !taken.has(port)).map(({ name }) => name);
}

function readShapes({ unread }: Wishes, inputs: InputWish[], values: Values): void {
  const text = values['input_shape'] ?? '';
  if (text === '') return;
  const shapes = splitLists(text);
  const named = shapes.some((shape) => /^[^[(]+\[/.test(shape));
  if (named || shapes.length !== inputs.length) unread.push('input_shape');
  else inputs.forEach((input, index) => (input.shape = shapes[index] === input.own?.shape ? '' : shapes[index]!));
}

function readNumbers({ inputs, unread }: Wishes, kind: 'mean' | 'scale', listed: InputWish[], values: Values): void {
  const items = splitLists(values[`${kind}_values`] ?? '').map(readNamed);
  if (items.length === 0) return;
  const byOrder = items.every((item) => item?.name === '') && items.length === listed.length;
  const ports = byNames(inputs, namesOfWish);
  const found = items.map((item, index) => (byOrder ? listed[index] : item && ports.get(item.name)));
  if (found.includes(undefined)) unread.push(`${kind}_values`);
  else found.forEach((input, index) => (input![kind] = items[index]!.content));
}

function readLayouts({ inputs, outputs, unread }: Wishes, option: string, values: Values): void {
  const items = splitItems(values[option] ?? '').map(readLayout);
  if (items.length === 0) return;
  const byOrder = items.every(({ name }) => name === '') && items.length === inputs.length;
  const ports = byNames<InputWish | OutputWish>([...inputs, ...outputs], namesOfWish);
  const found = items.map(({ name }, index) => (byOrder ? inputs[index] : ports.get(name)));
  if (found.includes(undefined)) return void unread.push(option);
  found.forEach((port, index) => {
    const { source, target } = items[index]!;
    const before = readLayout(port!.layout);
    port!.layout = option === 'layout' ? writeLayout(source, target)
      : option === 'source_layout' ? writeLayout(source, before.target)
      : writeLayout(before.source, source);
  });
}

/** Whether these options mean inputs and outputs that the model has, with shapes of as many dimensions. */
export function takesWishes(values: Values, own: Own): boolean {
  const { inputs, outputs, unread } = readWishes(values, own);
  const named = [values['freeze_placeholder_with_value'] ?? ''].every((text) => text === '');
  return named && unread.length === 0 && [...inputs, ...outputs].every((wish) => wish.own)
    && inputs.every(({ shape, own }) => shape === '' || rankOf(own!.shape) === undefined || rankOf(shape) === rankOf(own!.shape));
}

/** undefined where it is not known. */
function rankOf(shape: string): number | undefined {
  const inner = shape.replace(/^[[(]|[\])]$/g, '').trim();
  return inner === '...' ? undefined : countSizes(inner);
}

/** Whether options can name all inputs and outputs. If not, only shapes can be given. */
export function canName({ inputs, outputs }: Wishes): boolean {
  return [...inputs, ...outputs].every(({ place }) => canBeNamed(place));
}

/** The options that this change concerns, with their new values. */
export function writeWishes(wishes: Wishes, change: Change): Values {
  const { inputs, outputs } = wishes;
  const cut = change === 'cut';
  const out: Values = {};
  if (cut || change === 'shape' || change === 'type') Object.assign(out, writeInputs(wishes));
  if (cut) out['output'] = wishes.outputsLeft.length === 0 && outputs.every(({ own }) => own) ? '' : outputs.map(({ place }) => place).join(',');
  for (const kind of ['mean', 'scale'] as const)
    if (cut || change === kind) out[`${kind}_values`] = list(inputs.map((input) => [input.place, input[kind].replace(/^[[(]|[\])]$/g, '')]));
  if (cut || change === 'scale') out['scale'] = '';
  if (cut || change === 'layout') {
    out['layout'] = list([...inputs, ...outputs].map(({ place, layout }) => [place, layout]));
    out['source_layout'] = out['target_layout'] = '';
  }
  return out;
}

/** Shapes alone need no names. */
function writeInputs({ inputs, inputsLeft }: Wishes): Values {
  const shapes = inputs.map(({ shape, own }) => withBrackets(shape) || (own?.shape ?? ''));
  if (inputsLeft.length > 0 || inputs.some(({ own, type, value }) => !own || type !== '' || value !== ''))
    return { input: inputs.map((input) => writeInput({ ...input, shape: withBrackets(input.shape) })).join(','), input_shape: '' };
  return { input: '', input_shape: inputs.every(({ shape }) => shape.trim() === '') ? '' : shapes.join(',') };
}

function withBrackets(shape: string): string {
  const text = shape.trim();
  return text === '' || /^[[(]/.test(text) ? text : `[${text}]`;
}

function list(items: readonly (readonly [place: string, content: string])[]): string {
  return items.filter(([, content]) => content.trim() !== '').map(([place, content]) => `${place}(${content.trim()})`).join(',');
}
