/**
 * The gate through which everything passes that comes out of the realm of extensions. Code there can replace whatever makes the answers,
 * JSON.parse for example. So the page uses only checked copies of them.
 */
import type { DeclaredOutput, FirstFacts, Inspection, LogLine, Port, Preparation, Progress, Report, ResultFile, WeightRow, WeightSizes } from '../shared/api.js';
import { count, dictionary, instance, integer, json, list, NotOfType, oneOf, optional, orNull, record, text, tuple, word, type Check, type Fields } from '../shared/checks.js';
import { extensionFailed, type Message } from '../shared/messages.js';
import type { Trace, TraceNode, TraceStep, TraceTensor } from '../shared/report/trace.js';
import type { Reply, SentResult } from './browser-job.js';
import { msg, type Template } from '../shared/msg.js';

/** The most nodes that a trace may say a transformation has made: reports look at each. */
const MOST_MADE = 1 << 20;

/** A template in a template, and so on: more than messages have. */
const DEEPEST_TEMPLATE = 16;
const template = (depth: number): Check<Template> => (value, place) => record<Template>({ template: text, arguments: list(argument(depth)) })(value, place);
const argument = (depth: number): Check<string | Template> => (value, place) =>
  typeof value === 'string' || depth === DEEPEST_TEMPLATE ? text(value, place) : template(depth + 1)(value, place);

const message = record<Message>({
  severity: word('error', 'warning'), code: text, text, hint: text, node: text, op: text, tensor: text, file: text, offset: integer(-1), line: count, column: count,
  template: text, arguments: list(argument(0)), advice: template(0), option: text, options: list(text),
});

/** The worker of extensions ends with its job, so nothing is to be said about it. */
const nothing = (): undefined => undefined;

const port = record<Port>({ name: text, names: list(text), shape: text, type: text });

const preparation = optional(record<Preparation>({
  file: text, model: text, mean_values: text, scale_values: text, colours: text, order: text, size: text, dictionary: text,
}));

const weightRow = record<WeightRow>({
  name: text, layer: text, op: text, shape: list(count), format: text, group_size: integer(-1), before: count, after: count, cpu: optional(word('small', 'expanded')), stays: optional(text),
});

const report = record<Report>({
  name: text, framework: text, inputs: list(port), outputs: list(port), operations: dictionary(count), constants: count, xml_bytes: count, bin_bytes: count, runtime: text, preparation,
  weights: optional(list(weightRow)),
});

const node = record<TraceNode>({
  graph: optional(text), id: count, name: optional(text), op: optional(text), in: optional(list(orNull(tuple<readonly [number, number]>(count, count)))),
  out: optional(list(orNull(record<TraceTensor>({ shape: optional(text), type: optional(text), names: optional(list(text)) })))), attributes: optional(dictionary(text)),
  source: optional(record<NonNullable<TraceNode['source']>>({ op: text, domain: optional(text), offset: optional(count), line: optional(count) })),
});

const made: Check<readonly [number, number]> = (value, place) => {
  const [first, end] = tuple<readonly [number, number]>(count, count)(value, place);
  if (end - first > MOST_MADE) throw new NotOfType(place);
  return [first, end];
};

const trace = record<Trace>({
  steps: list(record<TraceStep>({
    phase: text, transform: optional(text), added: optional(list(node)), removed: optional(list(tuple<readonly [string, number]>(text, count))), changed: optional(list(node)),
    decomposed: optional(list(record<NonNullable<TraceStep['decomposed']>[number]>({ transform: text, graph: optional(text), node: count, added: made }))),
    layers: optional(list(tuple<readonly [string, number, number]>(text, count, count))),
  })),
});

const sideFile: Check<ResultFile> = (value, place) => {
  const file = record<ResultFile>({ kind: word('mapping', 'check', 'trace'), name: text, text })(value, place);
  return file.kind === 'trace' ? { ...file, text: json(trace)(file.text, `${place}.text`) } : file;
};

const facts: Fields<FirstFacts> = {
  name: text, framework: text, format: text, producer: text, producer_version: text, operator_sets: list(record<FirstFacts['operator_sets'][number]>({ domain: text, version: integer(Number.MIN_SAFE_INTEGER) })),
  signature: text, tags: list(text), inputs: list(port), outputs: list(record<DeclaredOutput>({ name: text, names: list(text), shape: optional(text), type: optional(text) })),
  operations: dictionary(count), nodes: count, preparation,
};

const reply = oneOf<Exclude<Reply, { kind: 'places' | 'models' | 'found' | 'verified' | 'compared' }>>({
  progress: record({ kind: word('progress'), progress: record<Progress>({
    phase: word('load', 'extract', 'front', 'infer', 'middle', 'layout', 'back', 'emit', 'write'), transform: text, index: count, count, bytes: count, totalBytes: count,
  }) }),
  log: record({ kind: word('log'), line: record<LogLine>({ level: word('info', 'debug'), text }) }),
  facts: record({ kind: word('facts'), facts: record<FirstFacts>(facts) }),
  done: record({ kind: word('done'), config: text, result: record<SentResult>({
    xml: text, bin: instance(Blob), sideFiles: list(sideFile), report, warnings: list(message), files: list(text),
  }) }),
  inspected: record({ kind: word('inspected'), inspection: record<Inspection>({
    ...facts, constants: count, constant_bytes: count, bin_bytes: record<Inspection['bin_bytes']>({ f32: count, fp16: count }),
    weight_sizes: optional(record<WeightSizes>({ fp32: count, fp16: count, int8: count, int4: count })), missing_files: list(text), messages: list(message),
  }) }),
  failed: record({ kind: word('failed'), messages: list(message), broken: nothing, idle: nothing }),
});

/**
 * A copy of an answer with what it promises.
 *
 * @throws {MoError} when it has anything else there.
 */
export function admitted(answer: unknown): Reply {
  try {
    return reply(answer, 'kind');
  } catch (error) {
    if (!(error instanceof NotOfType)) throw error;
    throw extensionFailed(msg`it has changed what the converter answers: ${error.place}`);
  }
}
