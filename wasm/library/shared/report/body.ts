/** What a report shows, as elements that are not in a page yet. Names come from a model or an extension, and stay texts whatever they contain. */
import type { WeightRow } from '../api.js';
import type { ConversionReport, FoldedWeight, ReportNode, ReportStep } from './conversion-report.js';

/** An element with its children in order. */
export interface ReportElement {
  readonly tag: 'br' | 'code' | 'details' | 'h1' | 'h2' | 'li' | 'p' | 'span' | 'summary' | 'table' | 'tbody' | 'td' | 'th' | 'thead' | 'tr' | 'ul';
  /** A class of the style sheet; empty for none. */
  readonly look: string;
  readonly children: readonly ReportPart[];
}

/** A text, or an element. */
export type ReportPart = string | ReportElement;

/** Gives the sentence for an English one in the language of the report, with the same places `{name}` for values. */
export type Translate = (english: string) => string;

/** Gives a translated sentence whose places are filled. */
type Say = (english: string, values?: Readonly<Record<string, string | readonly ReportPart[]>>) => readonly ReportPart[];

/** The content of an element. */
type Cell = readonly ReportPart[];

/** Longer lists are cut: the JSON has them whole. */
const LONGEST = 200;

function speaking(translate: Translate): Say {
  return (english, values = {}) => translate(english).split(/\{(\w+)\}/).flatMap((part, index) => (index % 2 ? values[part]! : part));
}

export function titleOf({ result }: ConversionReport, translate: Translate = (english) => english): string {
  const say = speaking(translate);
  return textOf(say('{name}: conversion report', { name: result.name }));
}

/**
 * The content of the report's page, in English or in another language.
 *
 * @example
 * ```js
 * import { convert } from '@mo/wasm';
 * import { makeReport, reportBody } from '@mo/wasm/report';
 *
 * const { trace, report } = await convert('model.onnx', { trace: true });
 * const made = makeReport({ trace: JSON.parse(trace), result: report });
 * const words = new Map([['Model', 'Modell']]);
 * console.log(reportBody(made, (english) => words.get(english) ?? english));
 * ```
 */
export function reportBody(report: ConversionReport, translate: Translate = (english) => english): readonly ReportPart[] {
  const { result, version, files, options, messages, steps, names, weights, times } = report;
  const say = speaking(translate);
  return [
    element('h1', titleOf(report, translate)),
    quiet('p', ...(version ? [...say('Made by mo {version}.', { version }), ' '] : []), ...say('The IR needs OpenVINO {version} or newer.', { version: result.runtime })),
    ...section(say('Model'), table(say, [say('kind'), say('name'), say('shape'), say('type')], [
      ...result.inputs.map((port) => [say('input'), code(port.name), code(port.shape), code(port.type)]),
      ...result.outputs.map((port) => [say('output'), code(port.name), code(port.shape), code(port.type)]),
    ])),
    ...section(say('Files'), table(say, [say('name'), say('bytes'), ['SHA-256']], files.map(({ name, bytes, sha256 = '' }) => [code(name), [number(bytes)], code(sha256)]))),
    ...section(say('Options'), table(say, [say('option'), say('value')], Object.entries(options).map(([name, value]) => [code(name), code(value)]))),
    ...section(say('Messages'), list(say, messages.map(({ severity, code: number, text, node }) =>
      [severity, ' ', ...code(number), ` ${text}`, ...(node ? [' (', ...say('node'), ' ', ...code(node), ')'] : [])]))),
    ...section(say('Operations of the IR'), table(say, [say('type'), say('count')], Object.entries(result.operations).map(([type, count]) => [code(type), [number(count)]]))),
    ...section(say('Weights of layers'), layersOf(result.weights ?? [], say)),
    ...section(say('Transformations'), steps.map((step) => stepOf(step, say))),
    ...section(say('Weights that were folded'), list(say, weights.map((weight) => weightOf(weight, say)))),
    ...section(say('Names'), namesOf(names, say)),
    ...section(say('Time'), table(say, [say('phase'), say('milliseconds')], phases(times).map(([phase, time]) => [[phase], [number(Math.round(time))]]))),
  ];
}

/** What the CPU plugin makes of integers, or why weights stay as they are: the words of core/back/weights/weight_layers.h. */
function fateOf({ cpu, stays }: WeightRow, say: Say): Cell {
  switch (cpu ?? stays) {
    case 'small': return say('the CPU keeps it small');
    case 'expanded': return say('the CPU expands it');
    case 'ignored': return say('ignored');
    case 'positions': return say('computes positions');
    case 'backup': return say('no backup precision');
    case 'groups': return say('groups do not divide it');
    case 'not_smaller': return say('would not be smaller');
    case 'not_finite': return say('not finite');
    case 'scale_too_large': return say('scale too large for f16');
    case 'spoiled': return say('the CPU would spoil it');
    case 'recipe': return say('too many steps');
    case 'many_scales': return say('too many scales');
    default: return say('no such layer');
  }
}

function layersOf(weights: readonly WeightRow[], say: Say): readonly ReportPart[] {
  return table(say, [say('name'), say('type'), say('shape'), say('format'), say('bytes before'), say('bytes after'), say('in memory')], weights.map((row) => [
    code(row.name), code(row.op), code(`[${row.shape.join(',')}]`), code(row.group_size < 0 ? row.format : `${row.format} ${row.group_size}`), [number(row.before)], [number(row.after)],
    fateOf(row, say),
  ]));
}

function stepOf({ phase, transform, before, after, changed }: ReportStep, say: Say): ReportElement {
  const counts = [
    before.length > 0 ? say('{n} removed', { n: String(before.length) }) : [],
    after.length > 0 ? say('{n} added', { n: String(after.length) }) : [],
    changed.length > 0 ? say('{n} changed', { n: String(changed.length) }) : [],
  ].map(textOf).filter(Boolean).join(', ');
  const part = (title: Cell, nodes: readonly ReportNode[]) =>
    (nodes.length > 0 ? [element('p', ...title), ...list(say, nodes.map((node) => nodeOf(node, say)))] : []);
  return element('details', element('summary', ...code(transform), ' ', quiet('span', `${phase}: ${counts}`)),
    ...part(say('Removed'), before), ...part(say('Added'), after), ...part(say('Changed'), changed));
}

function weightOf({ name, value, transform, into }: FoldedWeight, say: Say): readonly ReportPart[] {
  const what = [...code(name), ' ', quiet('span', `${value}, ${transform}`), element('br')];
  if (into.length === 0) return [...what, ...say('not needed')];
  const nodes = cut(say, into.map((node) => nodeOf(node, say))).flatMap((node, index) => (index > 0 ? [', ', ...node] : node));
  return [...what, ...say('folded into {nodes}', { nodes })];
}

function namesOf({ inputs, outputs, tensorsKept, tensorsGone }: ConversionReport['names'], say: Say): readonly ReportPart[] {
  const rows = (kind: Cell, all: typeof inputs) =>
    all.map(({ from, to }) => [kind, code(from), to === from ? say('kept') : to === '' ? say('gone') : code(to)]);
  return [
    ...table(say, [say('kind'), say('in the model'), say('in the IR')], [...rows(say('input'), inputs), ...rows(say('output'), outputs)]),
    element('p', ...say('Tensor names kept: {kept}. Gone: {gone}.', { kept: String(tensorsKept), gone: String(tensorsGone.length) })),
    ...(tensorsGone.length > 0 ? [element('details', element('summary', ...say('Names of tensors that the IR does not have')), ...list(say, tensorsGone.map(code)))] : []),
  ];
}

/** The time of each phase, in the order of their first steps. */
function phases(times: ConversionReport['times']): [phase: string, milliseconds: number][] {
  const sums = new Map<string, number>();
  for (const { phase, milliseconds } of times) sums.set(phase, (sums.get(phase) ?? 0) + milliseconds);
  return [...sums];
}

function nodeOf({ graph, name, op }: ReportNode, say: Say): readonly ReportPart[] {
  return [...code(name), ' ', quiet('span', op, ...(graph ? [' ', ...say('in {graph}', { graph })] : []))];
}

function section(title: Cell, content: readonly ReportPart[]): readonly ReportPart[] {
  return content.length > 0 ? [element('h2', ...title), ...content] : [];
}

function table(say: Say, head: readonly Cell[], rows: readonly (readonly Cell[])[]): readonly ReportPart[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly Cell[], tag: 'td' | 'th') => element('tr', ...cells.map((cell) => element(tag, ...cell)));
  const shown = rows.slice(0, LONGEST);
  return [element('table', element('thead', line(head, 'th')),
    element('tbody', ...shown.map((row) => line(row, 'td')), ...more(say, rows.length).map((text) => line([[text]], 'td'))))];
}

function list(say: Say, items: readonly Cell[]): readonly ReportPart[] {
  return items.length > 0 ? [element('ul', ...cut(say, items).map((item) => element('li', ...item)))] : [];
}

function cut(say: Say, items: readonly Cell[]): readonly Cell[] {
  return [...items.slice(0, LONGEST), ...more(say, items.length).map((text) => [text])];
}

/** What stands behind a list that is cut. */
function more(say: Say, length: number): readonly string[] {
  return length > LONGEST ? [textOf(say('and {n} more', { n: String(length - LONGEST) }))] : [];
}

/** Of parts that have no elements. */
function textOf(parts: readonly ReportPart[]): string {
  return parts.join('');
}

function number(value: number): ReportElement {
  return { tag: 'span', look: 'n', children: [value.toLocaleString('en')] };
}

function code(text: string): readonly ReportPart[] {
  return text ? [element('code', text)] : [];
}

function quiet(tag: 'p' | 'span', ...children: ReportPart[]): ReportElement {
  return { tag, look: 'quiet', children };
}

function element(tag: ReportElement['tag'], ...children: ReportPart[]): ReportElement {
  return { tag, look: '', children };
}
