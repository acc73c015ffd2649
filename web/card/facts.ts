/** What the card says of a model. All texts come from a file that nobody has checked, so they are shown as text, and cut. */
import type { FirstFacts, Inspection, Message, Preparation } from '@mo/wasm';

import { compose, h, namesList, type Child } from '../page/dom.js';
import { listText, numberText, plural, t, type LiveText, type Text } from '../language/texts.js';
import type { WeightFormat } from '../options/weights.js';
import { bytesText } from '../page/text.js';
import { MissingDataFile, UnsupportedOp } from '../report/codes.js';

const LONGEST = 120;
const SETS = 6;
const TYPES = 12;
const NODES = 20;

type Fact = [name: LiveText, value: Text, more?: Text];

export function factList(found: FirstFacts | Inspection | undefined, size: number, stored: WeightFormat): HTMLElement {
  const facts: Fact[] = found ? factsOf(found, stored) : [[t('File'), bytesText(size)]];
  return h('dl', { class: 'facts' }, ...facts.map(([name, value, more]) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, value, more !== undefined && ' ', more !== undefined && h('small', {}, more)))));
}

function factsOf(found: FirstFacts | Inspection, stored: WeightFormat): Fact[] {
  const { format, producer, producer_version, operator_sets, signature, tags, operations, nodes, preparation } = found;
  const sets = operator_sets.map(({ domain, version }) => `${short(domain)} ${version}`);
  return [
    [t('Format'), format],
    ...optional(t('Producer'), short(`${producer} ${producer_version}`.trim())),
    ...optional(sets.length === 1 ? t('Operator set') : t('Operator sets'), firstOf(sets, SETS)),
    ...optional(t('Signature'), short(signature)),
    ...optional(t('Tags'), firstOf(tags.map(short), SETS)),
    ...(preparation ? preparationOf(preparation) : []),
    [t('Operations'), numberText(nodes), plural(Object.keys(operations).length, 'of {n} type', 'of {n} types')],
    ...('constants' in found && found.missing_files.length === 0 ? sizesOf(found, stored) : []),
  ];
}

/** As the file beside the model says, which may be anybody's. */
function preparationOf({ file, mean_values, scale_values, dictionary }: Preparation): Fact[] {
  const options = [['--mean_values', mean_values], ['--scale_values', scale_values]].filter(([, value]) => value !== '').map((words) => words.join(' '));
  return [
    [t('Preparation of pictures'), short(file), short(options.join(' '))],
    ...optional(t('Dictionary'), short(dictionary)),
  ];
}

/** The size of integers is not estimated: the choice of the format says it. */
function sizesOf({ constants, constant_bytes, bin_bytes }: Inspection, stored: WeightFormat): Fact[] {
  const all: Fact = [t('Constants'), numberText(constants), bytesText(constant_bytes)];
  const [half, full] = [bytesText(bin_bytes.fp16), bytesText(bin_bytes.f32)];
  if (stored === 'fp16') return [all, [t('.bin, about'), half, t('{size} without FP16', { size: full })]];
  return stored === 'fp32' ? [all, [t('.bin, about'), full, t('{size} as FP16', { size: half })]] : [all];
}

function optional(name: LiveText, value: Text): Fact[] {
  return String(value) === '' ? [] : [[name, value]];
}

function firstOf(texts: readonly string[], most: number): LiveText {
  const more = texts.length - most;
  const list = listText(texts.slice(0, most));
  return more > 0 ? t('{list} and {n} more', { list, n: more }) : list;
}

export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Whether all operations are supported, and if not, which nodes are in the way. A conversion that `failed` knows more than an inspection. */
export function supportOf({ messages: found, missing_files }: Inspection, failed: readonly Message[] = []): HTMLElement {
  const messages = [...found, ...failed];
  // What an extension may replace is a warning.
  const unsupported = found.filter(({ severity, code }) => severity === 'error' && code === UnsupportedOp);
  const types = new Map<string, Message[]>();
  for (const message of unsupported) {
    const same = types.get(message.op);
    if (same) same.push(message);
    else types.set(message.op, [message]);
  }
  // Errors of options (MO6…) say nothing about the operations.
  const complete = messages.every(({ severity, code }) => severity !== 'error' || code.startsWith('MO6'));
  if (unsupported.length === 0)
    return h('p', { class: complete ? 'support good' : 'support' }, complete ? t('All operations are supported.') : missing_files.length > 0 && t('No unsupported operation was found.'));
  const more = types.size - TYPES;
  return h('div', { class: 'support bad' },
    h('p', {}, plural(unsupported.length, '{n} operation is not supported:', '{n} operations are not supported:')),
    h('ul', {}, ...[...types].slice(0, TYPES).map(([op, nodes]) => compose(h('li'), '{operation}: {nodes}', { operation: [h('code', {}, short(op)), nodes.length > 1 && ' × ', nodes.length > 1 && numberText(nodes.length)], nodes: names(nodes) }))),
    more > 0 && h('p', {}, plural(more, 'and {n} more type.', 'and {n} more types.')));
}

function names(messages: readonly Message[]): Child[] {
  const shown = namesList(messages.slice(0, NODES).map(({ node }) => short(node)));
  const more = messages.length - NODES;
  return more > 0 ? [...shown, ' ', t('and {n} more', { n: more })] : shown;
}

/** Errors other than those of unsupported operations and missing files. */
export function otherErrors(messages: readonly Message[]): Message[] {
  return messages.filter(({ severity, code }) => severity === 'error' && code !== UnsupportedOp && code !== MissingDataFile);
}
