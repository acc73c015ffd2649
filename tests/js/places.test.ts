/** The places at which a model can be cut: those that the library lists, and those that the page's card offers, judged by the core. */
import { inspect, listPlaces, MoError } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { Places } from '../../web/card/places.js';
import { longNet } from './models.js';
import { writeOnnx } from './onnx_writer.js';
import { T, textBytes, tfConst, tfInput, tfNode } from './tf_writer.js';

const onnx = writeOnnx({
  nodes: [
    { op: 'Relu', name: '/block/relu', inputs: ['x'], outputs: ['/block/relu_out'] },
    { op: 'Frobnicate', domain: 'com.acme', name: '/block/frob', inputs: ['/block/relu_out'], outputs: ['a', 'b'] },
    { op: 'Add', name: '/block/add', inputs: ['a', 'b'], outputs: ['sum'] },
    { op: 'Mul', name: '/head/mul', inputs: ['sum', 'w'], outputs: ['scaled'] },
    // A node that is called like a tensor of another one.
    { op: 'Tanh', name: 'sum', inputs: ['scaled'], outputs: ['y'] },
    { op: 'Neg', name: 'odd,name', inputs: ['y'], outputs: ['odd[1]'] },
    { op: 'Abs', name: '/last', inputs: ['odd[1]'], outputs: ['z'] },
  ],
  weights: [{ name: 'w', shape: [8], data: new Float32Array(8).fill(2) }],
  inputs: [{ name: 'x', shape: [1, 8] }],
  outputs: [{ name: 'z', shape: [1, 8] }],
});
const tf = textBytes(tfInput('image', 1, 8) + tfConst('two', 'DT_FLOAT', [], 'float_val: 2') + tfNode('net/mul', 'Mul', ['image', 'two'], T)
  + tfNode('net/add', 'AddV2', ['net/mul', 'image'], T) + tfNode('net/relu', 'Relu', ['net/add'], T));

describe('listPlaces()', () => {
  it('gives the nodes of the model with their inputs and outputs', async () => {
    expect((await listPlaces(onnx)).slice(0, 4)).toEqual([
      { name: '/block/relu', op: 'Relu', inputs: [0], outputs: [['/block/relu_out']] },
      { name: '/block/frob', op: 'com.acme.Frobnicate', inputs: [0], outputs: [['a'], ['b']] },
      { name: '/block/add', op: 'Add', inputs: [0, 1], outputs: [['sum']] },
      { name: '/head/mul', op: 'Mul', inputs: [0], outputs: [['scaled']] },
    ]);
    expect((await listPlaces(tf)).map(({ name, op, inputs }) => [name, op, inputs])).toEqual([['net/mul', 'Mul', [0]], ['net/add', 'AddV2', [0, 1]], ['net/relu', 'Relu', [0]]]);
  });

  it('refuses what is no model, and ends with its signal', async () => {
    await expect(listPlaces(textBytes('nothing of the kind'))).rejects.toBeInstanceOf(MoError);
    const reason = new Error('enough');
    await expect(listPlaces(longNet(10_000), {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe.each([['ONNX', onnx], ['TensorFlow', tf]] as const)('places that are offered (%s)', (_, model) => {
  let places: Places;
  beforeAll(async () => void (places = new Places(await listPlaces(model), new Set(['/block/frob']))));

  it('are all taken by the core', async () => {
    for (const side of ['inputs', 'outputs'] as const) {
      const offered = places.search(side, '', 100).places;
      expect(offered.length).toBeGreaterThanOrEqual(3);
      for (const { place } of [...offered, ...places.search(side, '0:', 100).places, ...places.search(side, 'b:0', 100).places]) {
        const { messages } = await inspect(model, { [side === 'inputs' ? 'input' : 'output']: place });
        expect(messages.filter(({ code }) => /^MO60(09|1\d)$/.test(code) && code !== 'MO6013'), place).toEqual([]);
      }
    }
  });
});

describe('the search', () => {
  let places: Places;
  beforeAll(async () => void (places = new Places(await listPlaces(onnx), new Set(['/block/frob']))));
  const found = (side: 'inputs' | 'outputs', query: string) => places.search(side, query, 20).places.map(({ place, what }) => `${place} | ${what}`);

  it('finds nodes by all their names and by the operation', () => {
    expect(found('inputs', 'relu')).toEqual(['/block/relu | input of Relu', '/block/relu_out | output of Relu /block/relu']);
    expect(found('inputs', 'add')).toEqual(['0:/block/add | input 0 of Add', '1:/block/add | input 1 of Add', '/block/add:0 | output of Add']);
    expect(found('outputs', 'frobnicate')).toEqual(['a | output 0 of com.acme.Frobnicate /block/frob', 'b | output 1 of com.acme.Frobnicate /block/frob']);
    expect(found('outputs', 'block ADD')).toEqual(['/block/add:0 | output of Add']);
    expect(found('outputs', 'nothing')).toEqual([]);
  });

  it('shows those first that are called so', () => {
    expect(found('outputs', 'mul')[0]).toBe('scaled | output of Mul /head/mul');
    expect(found('outputs', 'a')[0]).toBe('a | output 0 of com.acme.Frobnicate /block/frob');
  });

  it('takes ports before and behind a name', () => {
    expect(found('inputs', '1:/block/a')).toEqual(['1:/block/add | input 1 of Add']);
    expect(found('outputs', '/block/frob:1')).toEqual(['/block/frob:1 | output 1 of com.acme.Frobnicate']);
    expect(found('inputs', '7:/block/add')).toEqual([]);
  });

  it('keeps to names that options can hold, and that mean one place', () => {
    const all = found('inputs', '').join('\n');
    expect(all).not.toContain('odd');
    expect(all).toContain('0:sum | input of Tanh');
    expect(places.search('inputs', '', 20).places.filter(({ unsupported }) => unsupported).map(({ place }) => place)).toEqual(['/block/frob', 'a', 'b']);
  });

  it('finds each of 100,000 nodes, and shows some', async () => {
    const many = new Places(await listPlaces(longNet(100_000)), new Set());
    const { places: [first], nodes } = many.search('outputs', 'node_99999', 100);
    expect([String(first!.what), nodes]).toEqual(['output of Relu /node_99999', 1]);
    expect(many.search('outputs', '', 100).places.length).toBe(100);
  }, 60_000);
});
