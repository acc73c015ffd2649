/** The report of a conversion: what each transformation did, what became of names and weights, and which layers a node of the model is in. */
import type { Report } from '../api.js';
import type { Message } from '../messages.js';
import type { ConversionReport, FoldedWeight, Origin, ReportFile, ReportNode, ReportStep } from './conversion-report.js';
import { Lineage } from './provenance.js';
import { keyOf, Replay, type GraphNode } from './replay.js';
import { isSummand } from './summands.js';
import type { TimedStep } from './times.js';
import type { NodePlace, Trace, TraceStep } from './trace.js';

export type { ConversionReport, FoldedWeight, Origin, Renamed, ReportFile, ReportNode, ReportStep } from './conversion-report.js';
export { reportBody, type ReportElement, type ReportPart, type Translate } from './body.js';
export { reportHtml } from './html.js';
export { Replay, keyOf, type GraphNode } from './replay.js';
export { Times, type TimedStep } from './times.js';
export type { NodePlace, Trace, TraceNode, TraceStep, TraceTensor } from './trace.js';

/** What a report is made from. */
export interface ReportSource {
  version?: string;
  options?: Readonly<Record<string, string>>;
  /** The parsed JSON of the option `trace`. */
  trace: Trace;
  result: Report;
  messages?: readonly Message[];
  times?: readonly TimedStep[];
  files?: readonly ReportFile[];
}

/**
 * Pure: nothing is read and no clock is asked.
 *
 * @example
 * ```js
 * import { convert } from '@mo/wasm';
 * import { makeReport } from '@mo/wasm/report';
 *
 * const { trace, report } = await convert('model.onnx', { trace: true });
 * const { steps } = makeReport({ trace: JSON.parse(trace), result: report });
 * console.log(steps.map(({ transform }) => transform));
 * ```
 */
export function makeReport({ version = '', options = {}, trace, result, messages = [], times = [], files = [] }: ReportSource): ConversionReport {
  const replay = new Replay(trace);
  const steps: ReportStep[] = [];
  const lineage = new Lineage(replay);
  const removals = new Map<string, ReportStep>();
  let source: ReadonlyMap<string, GraphNode> = new Map();
  const constants = new Map<string, GraphNode>();
  const summands = new Set<string>();
  for (const step of trace.steps) {
    const before = (step.removed ?? []).flatMap((place) => replay.at(place) ?? []).map(brief);
    lineage.follow(step);
    if (step.phase === 'load' && !step.transform) source = new Map(replay.nodes);
    if (step.phase === 'extract' || !source.size) remember(constants, summands, replay);
    const done = stepsOf(replay, step, before);
    steps.push(...done);
    for (const one of done) for (const node of one.before) removals.set(keyOf(node.graph, node.id), one);
  }
  if (constants.size === 0) for (const [key, node] of source) if (node.op === 'Const') constants.set(key, node);
  const layers = new Map((trace.steps.at(-1)?.layers ?? []).map(([graph, id, layer]) => [keyOf(graph, id), [graph, layer] as const]));
  const provenance = [...source].map(([key, node]): Origin => ({
    ...brief(node),
    op: node.source?.op ?? node.op,
    ...(node.source?.offset === undefined ? {} : { offset: node.source.offset }),
    ...(node.source?.line === undefined ? {} : { line: node.source.line }),
    layers: lineage.last(key).map((last) => layers.get(last)).filter((layer) => layer !== undefined),
  }));
  const weights = [...constants].flatMap(([key, node]): FoldedWeight[] => {
    const removal = removals.get(key);
    if (!removal || removal.transform === 'cut') return [];
    const left = lineage.last(key).flatMap((last) => replay.nodes.get(last) ?? []).map(brief);
    const constant = left.filter(({ op }) => op === 'Const');
    const added = summands.has(key) ? constant.filter(({ graph, id }) => isSummand(replay, keyOf(graph, id))) : [];
    const into = [added, constant, left].find(({ length }) => length > 0) ?? [];
    return [{ name: node.name, value: node.attributes['value'] ?? '', phase: removal.phase, transform: removal.transform, into }];
  });
  return { version, options, result, files, messages, times, steps, names: namesOf(source, replay), weights, provenance };
}

function brief({ graph, id, name, op }: GraphNode): ReportNode {
  return { graph, id, name, op };
}

function remember(constants: Map<string, GraphNode>, summands: Set<string>, replay: Replay): void {
  for (const [key, node] of replay.nodes) {
    if (node.op !== 'Const') continue;
    constants.set(key, node);
    if (isSummand(replay, key)) summands.add(key);
  }
}

/** Splits a step into transformations: each one that decomposed nodes in it, then the step's own with the rest. */
function stepsOf(replay: Replay, { phase, transform = '', added = [], changed = [], decomposed = [] }: TraceStep, before: readonly ReportNode[]): ReportStep[] {
  if (phase === 'extract' || phase === 'emit' || (phase === 'load' && !transform)) return [];
  const now = (places: readonly NodePlace[]) => places.flatMap((place) => replay.at(place) ?? []).map(brief);
  const gone = new Map(before.map((node) => [keyOf(node.graph, node.id), node]));
  const groups = new Map<string, { before: ReportNode[]; after: ReportNode[] }>();
  const taken = new Set<string>();
  for (const { transform: name, graph = '', node, added: [first, end] } of decomposed) {
    const group = groups.get(name) ?? { before: [], after: [] };
    groups.set(name, group);
    const old = gone.get(keyOf(graph, node));
    if (old) group.before.push(old);
    taken.add(keyOf(graph, node));
    for (const made of now(Array.from({ length: end - first }, (_, i) => [graph, first + i] as const))) {
      group.after.push(made);
      taken.add(keyOf(made.graph, made.id));
    }
  }
  const out = [...groups].map(([name, nodes]): ReportStep => ({ phase, transform: name, ...nodes, changed: [] }));
  const rest: ReportStep = {
    phase,
    transform,
    before: before.filter(({ graph, id }) => !taken.has(keyOf(graph, id))),
    after: now(added.map(({ graph = '', id }): NodePlace => [graph, id])).filter(({ graph, id }) => !taken.has(keyOf(graph, id))),
    changed: now(changed.filter((node) => node.op ?? node.name ?? node.in ?? node.attributes).map(({ graph = '', id }): NodePlace => [graph, id])),
  };
  return rest.before.length + rest.after.length + rest.changed.length > 0 ? [...out, rest] : out;
}

function namesOf(source: ReadonlyMap<string, GraphNode>, replay: Replay): ConversionReport['names'] {
  const own = [...source].filter(([, { graph }]) => graph === '');
  const renamed = (op: string) =>
    own.filter(([, node]) => node.op === op).map(([key, node]) => ({ from: plain(node.name), to: plain(replay.nodes.get(key)?.name ?? '') }));
  const tensors = new Set([...replay.nodes.values()].flatMap(tensorNames));
  const named = [...new Set([...source.values()].flatMap(tensorNames))];
  const gone = named.filter((name) => !tensors.has(name));
  return { inputs: renamed('Parameter'), outputs: renamed('Result'), tensorsKept: named.length - gone.length, tensorsGone: gone };
}

function tensorNames({ out }: GraphNode): readonly string[] {
  return out.flatMap((tensor) => tensor?.names ?? []);
}

/** The name without the suffix that the core adds to an output. */
function plain(name: string): string {
  return name.replace(/\/sink_port_0$/, '');
}
