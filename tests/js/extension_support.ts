/** Extensions under test: their modules as text, and what code inside them saw. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { convert, MoError, type Options } from '../../dist/library/node/node.js';
import type * as Api from '../../dist/extension/api.js';
import { writeOnnx, type Model } from './onnx_writer.js';
import { runNode, temporaryFolder } from './support.js';

export type { Api };
export type Files = Record<string, string>;

/** y = sigmoid(relu(x)) + relu(x) * relu(x) */
export const diamond: Model = {
  nodes: [
    { op: 'Relu', name: 'relu', inputs: ['x'], outputs: ['r'] },
    { op: 'Sigmoid', name: 'sig', inputs: ['r'], outputs: ['s'] },
    { op: 'Mul', name: 'square', inputs: ['r', 'r'], outputs: ['q'] },
    { op: 'Add', name: 'sum', inputs: ['s', 'q'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }],
  outputs: [{ name: 'y', shape: [2, 3] }],
};

/** y = relu(foo(x)), where foo is an unknown operation. */
export const fooNet: Model = {
  nodes: [
    { op: 'Foo', domain: 'com.acme', name: 'foo', inputs: ['x'], outputs: ['f'], attributes: { axis: 2, strides: [1, 2, 3, 4] } },
    { op: 'Relu', name: 'relu', inputs: ['f'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [1, 2, 4, 4] }],
  outputs: [{ name: 'y', shape: [1, 2, 4, 4] }],
};

const notes = (phase: string, file: string): Files => ({ [file]: `import { ${phase}ReplacementPattern } from '@mo/wasm/extension';
export class Notes${phase} extends ${phase}ReplacementPattern {
  findAndReplacePattern(graph) { for (const node of graph.getOpNodes({ op: 'Noted' })) node.set('notes', node.get('notes') + ' ${file}'); } }` });
/** One module in each folder of a root, for fooNet: an operation, its extractor, and transformations that note in it that they ran. */
export const everyFolder: Files = {
  'ops/noted.js': `import { Op } from '@mo/wasm/extension';
export class Noted extends Op {
  static op = 'Noted'; static type = 'Noted'; static version = 'mine'; static inPortsCount = 1;
  static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
  static backendAttrs() { return ['notes']; } }`,
  'front/onnx/foo_ext.js': `import { FrontExtractorOp, ops } from '@mo/wasm/extension';
export class FooExtractor extends FrontExtractorOp {
  static op = 'Foo'; static enabled = true;
  static extract(node) { ops.classByName('Noted').updateNodeStat(node, { notes: 'front/onnx/foo_ext.js' }); return true; } }`,
  ...notes('Front', 'front/notes.js'), ...notes('Middle', 'middle/notes.js'), ...notes('Back', 'back/notes.js'),
};
export const everyFolderTookPart = /type="Noted" version="mine">\s*<data notes="front\/onnx\/foo_ext.js front\/notes.js middle\/notes.js back\/notes.js" \/>/;

/** A folder of extensions with these files. */
export function folder(files: Files, name = 'my_ext'): string {
  const path = join(temporaryFolder(), name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

export interface Outcome {
  xml: string;
  warnings: string[];
}

export async function convertWith(files: Files, model: Model = diamond, options: Options = {}): Promise<Outcome> {
  const { xml, bin, warnings } = await convert(writeOnnx(model), { ...options, extensions: files });
  await bin.close();
  return { xml, warnings: warnings.map(({ text }) => text) };
}

/** The message that a conversion fails with. */
export async function failureOf(files: Files, model: Model = diamond, options: Options = {}) {
  try {
    await convertWith(files, model, options);
  } catch (error) {
    if (error instanceof MoError) return error.messages.find(({ severity }) => severity === 'error')!;
    throw error;
  }
  throw new Error('the conversion succeeded');
}

export type Phase = 'front' | 'middle' | 'back';
const BASES = { front: 'FrontReplacementPattern', middle: 'MiddleReplacementPattern', back: 'BackReplacementPattern' };

type Body = (graph: Api.Graph, api: typeof Api) => unknown;

/** A module whose transformation runs `body`, which may refer to nothing but its parameters, and reports what it returns. */
export function transformation(phase: Phase, body: Body, name = 'Probe', statics = '', after = ''): string {
  return `
    import * as api from '@mo/wasm/extension';
    const json = (key, value) => typeof value === 'bigint' ? value + 'n' : value;
    export class ${name} extends api.${BASES[phase]} {
      static runNotRecursively = true;
      ${statics}
      findAndReplacePattern(graph) {
        const result = (${body.toString()})(graph, api);
        if (result !== undefined) api.log.warn('${name}=' + JSON.stringify(result, json));
        ${after}
      }
    }`;
}

/** The cells of each row of `--list_transforms`. */
export function listedTransforms(args: readonly string[] = [], place = '.', environment: Record<string, string> = {}): string[][] {
  return runNode([...args, '--list_transforms'], place, environment).stdout.split('\n').map((row) => row.split(/\s+/));
}

/** What the transformation of that name returned, each time it ran. */
export function reports({ warnings }: Outcome, name = 'Probe'): unknown[] {
  return warnings.filter((text) => text.includes(`${name}=`)).map((text) => JSON.parse(text.slice(text.indexOf(`${name}=`) + name.length + 1)) as unknown);
}

/** Runs `body` in a phase of a conversion, and gives what it returns. Nodes that it leaves unused are removed. */
export async function seen(phase: Phase, body: Body, model: Model = diamond, more: Files = {}): Promise<any> {
  const outcome = await convertWith({ ...more, [`${phase}/probe.js`]: transformation(phase, body, 'Probe', '', 'graph.cleanUp();') }, model);
  return reports(outcome)[0];
}

/** The same body in each phase. */
export async function seenInAll(body: Body, model: Model = diamond, more: Files = {}): Promise<any[]> {
  return [await seen('front', body, model, more), await seen('middle', body, model, more), await seen('back', body, model, more)];
}

/** The IR types of the operations, in their order. */
export function typesIn(xml: string): string[] {
  return Array.from(xml.matchAll(/<layer [^>]*type="(\w+)"/g), ([, type]) => type!);
}

const acme = (op: string, name: string, inputs: string[], outputs: string[]) => ({ op, domain: 'com.acme', name, inputs, outputs });

/** The documentation's five operations: Operation 2 feeds 5 and 3 from output 0, and 4 from output 1. */
export const fiveOperations: Model = {
  nodes: [
    { op: 'Relu', name: 'op1', inputs: ['x'], outputs: ['data1_0'] },
    { op: 'Split', name: 'op2', inputs: ['data1_0'], outputs: ['data2_0', 'data2_1'], attributes: { axis: 1, num_outputs: 2 } },
    { op: 'Sub', name: 'op3', inputs: ['w', 'data2_0'], outputs: ['data3_0'] },
    { op: 'Abs', name: 'op4', inputs: ['data2_1'], outputs: ['data4_0'] },
    { op: 'Sum', name: 'op5', inputs: ['data2_0', 'data3_0', 'data4_0'], outputs: ['data5_0'] },
  ],
  weights: [{ name: 'w', shape: [3], data: Float32Array.of(1, 2, 3) }],
  inputs: [{ name: 'x', shape: [2, 6] }],
  outputs: [{ name: 'data5_0', shape: [2, 3] }],
};

/** The documentation's four operations; input 2 of Op1 is free. */
export const fourOperations: Model = {
  nodes: [
    acme('Op1', 'op1', ['x', 'x', ''], ['data1_0', 'data1_1']),
    acme('Op2', 'op2', ['data1_1'], ['data2_0']),
    acme('Op3', 'op3', ['data1_0'], ['data3_0']),
    acme('Op4', 'op4', ['data3_0', 'data1_1'], ['data4_0']),
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }],
  outputs: [{ name: 'data2_0', shape: [2, 3] }, { name: 'data4_0', shape: [2, 3] }],
};
/** Their definitions, with the numbers of their ports. */
export const theFour: Files = {
  'ops/four.js': "import * as mo from '@mo/wasm/extension';" + [[3, 2], [1, 1], [1, 1], [2, 1]].map(([inputs, outputs], index) => `
    export class Op${index + 1} extends mo.Op {
      static op = 'Op${index + 1}'; static type = 'Op${index + 1}'; static enabled = true; static inPortsCount = ${inputs}; static outPortsCount = ${outputs};
      static infer(node) { for (const { data } of node.outPorts().values()) data.setShape(node.inPort(0).data.getShape()); }
      static typeInfer(node) { for (const { data } of node.outPorts().values()) data.setType(node.inPort(0).data.getType()); }
    }`).join(''),
};

const relu = (base: string, name: string, make: string): string => `import { ${base}, int64Array, ops } from '@mo/wasm/extension';
export class ${name} extends ${base} {
  findAndReplacePattern(graph) {
    for (const relu of graph.getOpNodes({ op: 'ReLU' })) {
      const source = relu.inPort(0).getSource();
      const made = ${make};
      relu.outPort(0).getConnection().setSource(made.outPort(0));
      graph.removeNode(relu);
    }
  } }`;
const takesFoo = (body: string): string => `import { FrontExtractorOp, ops } from '@mo/wasm/extension';
export class TakesFoo extends FrontExtractorOp { static op = 'Foo'; static enabled = true; static extract(node) { ${body}; return true; } }`;

/** Extensions for fooNet that make a node that OpenVINO cannot read: the class, the file of it, and what is wrong. */
export const wrongNodes: readonly (readonly [what: string, files: Files, className: string, file: string, finding: string])[] = [
  ['an operation', {
    'ops/best.js': `import { Op } from '@mo/wasm/extension';
export class Best extends Op { static op = 'Best'; static type = 'Elu'; static version = 'opset1';
  static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); } }`,
    'front/onnx/foo.js': takesFoo("ops.classByName('Best').updateNodeStat(node, {})"),
  }, 'Best', 'ops/best.js', 'it lacks the attribute alpha'],
  ['an extractor', { 'front/onnx/foo.js': takesFoo("node.set('op', 'Gelu'); node.set('approximation_mode', 'most')") }, 'TakesFoo', 'front/onnx/foo.js', 'attribute approximation_mode is "most"'],
  ['a transformation', {
    'front/onnx/foo.js': takesFoo("node.set('op', 'Sigmoid')"),
    'back/relu.js': relu('BackReplacementPattern', 'ReluToGelu', "ops.create(graph, 'Gelu', { name: 'made', approximation_mode: 'most' }, [source])"),
  }, 'ReluToGelu', 'back/relu.js', 'attribute approximation_mode is "most"'],
];

/** The same for a model of TensorFlow: a built-in decomposition makes the wrong node of the extension's. */
export const wrongPad: Files = { 'front/relu.js': relu('FrontReplacementPattern', 'ReluToPad',
  "ops.create(graph, 'TFPad', { name: 'made', mode: 'most' }, [source, ops.constant(graph, int64Array([0, 0, 0, 0, 1, 1, 1, 1]).reshape([4, 2])).outPort(0)])") };
