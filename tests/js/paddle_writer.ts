/** Writes a small program of PaddlePaddle, and its parameters. */
import { writeParameters } from '../../web/skeleton/paddle/parameters.js';
import { concat, field } from '../../web/skeleton/wire.js';

type Content = Uint8Array;

/** A tensor of f32. */
export const variable = (name: string, dims: readonly number[], persistable = false): Content => {
  const tensor = concat([field(1, 5), ...dims.map((size) => field(2, BigInt(size)))]);
  return field(3, concat([field(1, name), field(2, concat([field(1, 7), field(3, field(1, tensor))])), field(3, persistable ? 1 : 0), field(4, persistable ? 0 : 1)]));
};

/** An operator with one variable in each slot, whose output is in Out. */
export const operator = (type: string, inputs: Readonly<Record<string, string>>, output: string, ...attributes: readonly Content[]): Content => {
  const slot = (number: number, name: string, of: string) => field(number, concat([field(1, name), field(2, of)]));
  return field(4, concat([...Object.entries(inputs).map(([name, of]) => slot(1, name, of)), slot(2, 'Out', output), field(3, type), ...attributes.map((one) => field(4, one))]));
};

/** A program of one block. */
export const program = (...content: readonly Content[]): Content => field(1, concat([field(1, 0), ...content]));

/** relu(x + w), without operators that feed and fetch: x is an input, what nothing reads an output. */
export const paddleProgram = program(
  variable('x', [-1, 64]), variable('w', [64], true), variable('y', []), variable('z', []),
  operator('elementwise_add', { X: 'x', Y: 'w' }, 'y'), operator('relu', { X: 'y' }, 'z'),
);
/** Its parameter. */
export const paddleParameters = writeParameters([{ name: 'w', type: 5, dims: [64] }]);

/** The same as a program of PaddlePaddle 3, whose parameter is paddleParameters, too. */
export const paddleJson = ((): string => {
  const tensor = (dims: readonly number[]) => ({ '#': '0.t_dtensor', D: [{ '#': '0.t_f32' }, dims, 'NCHW', [], 0] });
  const text = (name: string, of: string) => ({ N: name, AT: { '#': '0.a_str', D: of } });
  const made = (id: number) => [{ '%': id, TT: tensor([-1, 64]) }];
  const data = [text('name', 'x'), { N: 'shape', AT: { '#': '1.a_intarray', D: [-1, 64] } }, { N: 'dtype', AT: { '#': '1.a_dtype', D: 'float32' } }];
  const ops = [
    { '#': 'p', A: [0, 1, 1, 'w'], O: { '%': 1, TT: tensor([64]) }, OA: [1, 0, 1] },
    { '#': '1.data', A: data, I: [], O: made(2) },
    { '#': '1.add', A: [], I: [{ '%': 2 }, { '%': 1 }], O: made(3) },
    { '#': '1.relu', A: [], I: [{ '%': 3 }], O: made(4) },
    { '#': '1.fetch', A: [text('name', 'fetch_name_0'), { N: 'col', AT: { '#': '0.a_i32', D: 0 } }], I: [{ '%': 4 }], O: made(5) },
  ];
  return JSON.stringify({ base_code: { magic: 'pir', version: 4 }, program: { regions: [{ '#': 'region_0', blocks: [{ '#': 'block_0', args: [], ops }] }] } });
})();
