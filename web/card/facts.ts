/** What the card says of a model. Everything here is text of a file that nobody has checked: it is shown as text, and not all of it. */
import type { FirstFacts, Inspection, Message } from '@mo/wasm';

import { h } from '../dom.js';
import { bytesText, countText } from '../text.js';

const LONGEST = 120;
const SETS = 6;
const TYPES = 12;
const NODES = 20;
export const UNSUPPORTED = 'MO2001';
const MISSING = 'MO1006';

export function factList(found: FirstFacts | Inspection | undefined, size: number, fp16: boolean): HTMLElement {
  const facts: [name: string, value: string, more?: string][] = found ? factsOf(found, fp16) : [['File', bytesText(size)]];
  return h('dl', { class: 'facts' }, ...facts.map(([name, value, more]) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, value, more !== undefined && ' ', more !== undefined && h('small', {}, more)))));
}

function factsOf(found: FirstFacts | Inspection, fp16: boolean): [name: string, value: string, more?: string][] {
  const { format, producer, producer_version, operator_sets, signature, tags, operations, nodes } = found;
  const sets = operator_sets.map(({ domain, version }) => `${short(domain)} ${version}`);
  return [
    ['Format', format],
    ...optional('Producer', short(`${producer} ${producer_version}`.trim())),
    ...optional(sets.length === 1 ? 'Operator set' : 'Operator sets', firstOf(sets, SETS)),
    ...optional('Signature', short(signature)),
    ...optional('Tags', firstOf(tags.map(short), SETS)),
    ['Operations', nodes.toLocaleString('en'), `of ${countText(Object.keys(operations).length, 'type')}`],
    ...('constants' in found ? sizesOf(found, fp16) : []),
  ];
}

function sizesOf({ constants, constant_bytes, bin_bytes }: Inspection, fp16: boolean): [name: string, value: string, more?: string][] {
  const [here, there] = fp16 ? (['fp16', 'f32'] as const) : (['f32', 'fp16'] as const);
  return [
    ['Constants', constants.toLocaleString('en'), bytesText(constant_bytes)],
    ['.bin, about', bytesText(bin_bytes[here]), `${bytesText(bin_bytes[there])} ${fp16 ? 'without FP16' : 'as FP16'}`],
  ];
}

function optional(name: string, value: string): [name: string, value: string][] {
  return value === '' ? [] : [[name, value]];
}

function firstOf(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Whether all operations are supported, and if not, which nodes are in the way. */
export function supportOf({ messages, missing_files }: Inspection): HTMLElement {
  const unsupported = messages.filter(({ code }) => code === UNSUPPORTED);
  const types = new Map<string, Message[]>();
  for (const message of unsupported) {
    const same = types.get(message.op);
    if (same) same.push(message);
    else types.set(message.op, [message]);
  }
  const complete = messages.every(({ severity }) => severity !== 'error');
  if (unsupported.length === 0)
    return h('p', { class: complete ? 'support good' : 'support' }, complete ? 'All operations are supported.' : missing_files.length > 0 ? 'No unsupported operation was found.' : '');
  const more = types.size - TYPES;
  return h('div', { class: 'support bad' },
    h('p', {}, `${countText(unsupported.length, 'operation')} ${unsupported.length === 1 ? 'is' : 'are'} not supported:`),
    h('ul', {}, ...[...types].slice(0, TYPES).map(([op, nodes]) => h('li', {}, h('code', {}, short(op)), nodes.length > 1 && ` × ${nodes.length.toLocaleString('en')}`, ': ', ...names(nodes)))),
    more > 0 && h('p', {}, `and ${countText(more, 'more type')}.`));
}

function names(messages: readonly Message[]): (Node | string)[] {
  const shown = messages.slice(0, NODES).flatMap(({ node }, index) => [index > 0 ? ', ' : '', h('code', {}, short(node))]);
  const more = messages.length - NODES;
  return more > 0 ? [...shown, ` and ${more.toLocaleString('en')} more`] : shown;
}

/** Errors that are neither of an operation nor of a file that can be brought. */
export function otherErrors(messages: readonly Message[]): Message[] {
  return messages.filter(({ severity, code }) => severity === 'error' && code !== UNSUPPORTED && code !== MISSING);
}
