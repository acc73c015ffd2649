/** Extensions under test: their modules as text, and what code inside them saw. */
import { convert, MoError, type Options } from '../../dist/library/node/node.js';
import type * as Api from '../../dist/extension/api.js';
import { writeOnnx, type Model } from './onnx_writer.js';

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

/** y = relu(foo(x)), foo being an operation of nobody. */
export const fooNet: Model = {
  nodes: [
    { op: 'Foo', domain: 'com.acme', name: 'foo', inputs: ['x'], outputs: ['f'], attributes: { axis: 2, strides: [1, 2, 3, 4] } },
    { op: 'Relu', name: 'relu', inputs: ['f'], outputs: ['y'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [1, 2, 4, 4] }],
  outputs: [{ name: 'y', shape: [1, 2, 4, 4] }],
};

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

/** What the transformation of that name returned, each time it ran. */
export function reports({ warnings }: Outcome, name = 'Probe'): unknown[] {
  return warnings.filter((text) => text.includes(`${name}=`)).map((text) => JSON.parse(text.slice(text.indexOf(`${name}=`) + name.length + 1)) as unknown);
}

/** Runs `body` in a phase of a conversion: what it returns. Nodes that it leaves lying about are no matter. */
export async function seen(phase: Phase, body: Body, model: Model = diamond, more: Files = {}): Promise<any> {
  const outcome = await convertWith({ ...more, [`${phase}/probe.js`]: transformation(phase, body, 'Probe', '', 'graph.cleanUp();') }, model);
  return reports(outcome)[0];
}

/** The same body in each phase. */
export async function seenInAll(body: Body, model: Model = diamond): Promise<any[]> {
  return [await seen('front', body, model), await seen('middle', body, model), await seen('back', body, model)];
}

/** The IR types of the operations, in their order. */
export function typesIn(xml: string): string[] {
  return Array.from(xml.matchAll(/<layer [^>]*type="(\w+)"/g), ([, type]) => type!);
}
