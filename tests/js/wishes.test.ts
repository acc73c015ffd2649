/** The fields of the page's card and the options of the form, each from the other, judged by the core. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, type Inspection } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { addPlace, removePlace } from '../../web/card/cuts.js';
import { canBeNamed, splitItems } from '../../web/card/items.js';
import { canName, readWishes, takesWishes, writeWishes, type Change, type Values, type Wishes } from '../../web/card/wishes.js';
import { writeOnnx } from './onnx_writer.js';
import { temporaryFolder } from './support.js';

/** Two inputs, two outputs, and a tensor between them. */
const net = writeOnnx({
  nodes: [
    { op: 'Relu', name: '/relu', inputs: ['x'], outputs: ['h'] },
    { op: 'Add', name: '/add', inputs: ['h', 'z'], outputs: ['y'] },
    { op: 'Sigmoid', name: '/sig', inputs: ['h'], outputs: ['s'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: ['n', 3, 8, 8] }, { name: 'z', shape: ['n', 3, 8, 8] }],
  outputs: [{ name: 'y', shape: ['n', 3, 8, 8] }, { name: 's', shape: ['n', 3, 8, 8] }],
});
const path = join(temporaryFolder(), 'net.onnx');
let own: Inspection;

beforeAll(async () => {
  writeFileSync(path, net);
  own = await inspect(path);
});

const given = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
const look = (values: Values) => inspect(path, given(values));

/** The options after a change of the fields, beside those that were given before. */
function change(kind: Change, edit: (wishes: Wishes) => void, before: Values = {}): Values {
  const wishes = readWishes(before, own);
  edit(wishes);
  return given({ ...before, ...writeWishes(wishes, kind) });
}

describe('what is written in the fields', () => {
  it.each<[what: string, kind: Change, edit: (wishes: Wishes) => void, values: Values]>([
    ['a shape', 'shape', ({ inputs }) => (inputs[1]!.shape = '1,3,8,8'), { input_shape: '[?,3,8,8],[1,3,8,8]' }],
    ['a type', 'type', ({ inputs }) => (inputs[0]!.type = 'f16'), { input: 'x{f16},z' }],
    ['a mean', 'mean', ({ inputs }) => (inputs[1]!.mean = '(1,2,3)'), { mean_values: 'z(1,2,3)' }],
    ['a layout of an input and an output', 'layout', ({ inputs, outputs }) => {
      inputs[0]!.layout = 'nchw->nhwc';
      outputs[1]!.layout = 'nchw';
    }, { layout: 'x(nchw->nhwc),s(nchw)' }],
    ['nothing', 'cut', () => undefined, {}],
  ])('becomes an option that the core takes: %s', async (_, kind, edit, values) => {
    const written = change(kind, edit);
    expect(written).toEqual(values);
    expect((await look(written)).messages).toEqual([]);
    // The fields say the same after the options have been read.
    expect(given(writeWishes(readWishes(written, own), kind))).toEqual(written);
  });

  it('a shape and a type together are in --input, and the shapes of the others stay', async () => {
    const values = change('type', ({ inputs }) => (inputs[0]!.type = 'f16'), { input_shape: '[?,3,8,8],[2,3,8,8]' });
    expect(values).toEqual({ input: 'x{f16},z[2,3,8,8]' });
    expect((await look(values)).inputs.map(({ shape, type }) => [shape, type])).toEqual([['[?,3,8,8]', 'f16'], ['[2,3,8,8]', 'f32']]);
  });

  it('a cut names what is left, and takes nothing along of what is not', async () => {
    const values = change('cut', (wishes) => {
      addPlace(wishes, 'inputs', 'h');
      addPlace(wishes, 'inputs', 'z');
      Object.assign(wishes.inputs[1]!, { mean: '4' });
      removePlace(wishes, 'outputs', 1);
    }, { mean_values: 'x(1,2,3),z(4)', source_layout: 's(nchw)' });
    expect(values).toEqual({ input: 'h,z', output: 'y', mean_values: 'z(4)' });
    const { inputs, outputs, messages } = await look(values);
    expect([inputs.map(({ name }) => name).sort(), outputs.map(({ name }) => name), messages]).toEqual([['h', 'z'], ['y'], []]);
  });
});

describe('what options say', () => {
  it.each<[values: Values, inputs: [place: string, ...cells: string[]][], unread?: string[]]>([
    [{ input_shape: '[1,3,8,8],(2,3,8,8)' }, [['x', '[1,3,8,8]', '', '', '', ''], ['z', '(2,3,8,8)', '', '', '', '']]],
    [{ input: 'z[1,3,8,8]{f16}' }, [['z', '[1,3,8,8]', 'f16', '', '', ''], ['x', '', '', '', '', '']]],
    [{ input: 'z[1x3x8x8]{f16},x(2 × 3 * 8X8)' }, [['z', '[1x3x8x8]', 'f16', '', '', ''], ['x', '(2 × 3 * 8X8)', '', '', '', '']]],
    [{ input: 'x[h]' }, [['x[h]', '', '', '', '', '']]],
    [{ mean_values: '(1,2,3),[4]', scale: '255' }, [['x', '', '', '1,2,3', '255', ''], ['z', '', '', '4', '255', '']]],
    [{ source_layout: 'x(nchw)', target_layout: 'x[n,h,w,c],z(nhwc)' }, [['x', '', '', '', '', 'nchw->[n,h,w,c]'], ['z', '', '', '', '', '->nhwc']]],
    [{ layout: 'nchw->nhwc,nchw' }, [['x', '', '', '', '', 'nchw->nhwc'], ['z', '', '', '', '', 'nchw']]],
    [{ input: 'h,z->1' }, [['h', '', '', '', '', ''], ['z', '', '', '', '', '']]],
    [{ freeze_placeholder_with_value: 'z->1', input_shape: '[1,3,8,8]' }, [['x', '[1,3,8,8]', '', '', '', '']]],
    [{ input_shape: '[1]', mean_values: 'w(1)', layout: 'q(nc)', input: '[1]' }, [['x', '', '', '', '', ''], ['z', '', '', '', '', '']], ['input', 'input_shape', 'mean_values', 'layout']],
  ])('is in the fields: %j', (values, inputs, unread = []) => {
    const wishes = readWishes(values, own);
    expect(wishes.inputs.map(({ place, shape, type, mean, scale, layout }) => [place, shape, type, mean, scale, layout])).toEqual(inputs);
    expect(wishes.unread).toEqual(unread);
  });

  it('is in the fields as people write it, and means as much for another model', () => {
    const one = { inputs: own.inputs.slice(0, 1), outputs: own.outputs };
    for (const [shape, mean] of [['1x3x64x64', '0.485 0.456 0.406'], ['1,3,64,64', '1,2,3'], ['1 3 64 64', '255'], ['[1×3×64×64]', '(1 2 3)']] as const) {
      const values = { input_shape: shape, mean_values: mean };
      const { inputs, unread } = readWishes(values, one);
      expect([inputs[0]!.shape, inputs[0]!.mean, unread]).toEqual([`[${shape.replace(/[[\]]/g, '')}]`, mean.replace(/[()]/g, ''), []]);
      expect(takesWishes(values, one)).toBe(true);
      expect(takesWishes(values, { ...one, inputs: [{ ...one.inputs[0]!, shape: '[1,3]' }] })).toBe(false);
    }
  });

  it('is in the fields: outputs', () => {
    const { outputs, outputsLeft } = readWishes({ output: 's, h', layout: 's(nchw)' }, own);
    expect(outputs.map(({ place, layout }) => [place, layout])).toEqual([['s', 'nchw'], ['h', '']]);
    expect(outputsLeft).toEqual(['y']);
  });

  it('a scale for all becomes one for each, when one of them changes', () => {
    expect(change('scale', ({ inputs }) => (inputs[1]!.scale = '2'), { scale: '255' })).toEqual({ scale_values: 'x(255),z(2)' });
  });

  it('does no harm where it is nonsense', () => {
    for (const text of [',', '[', ')', '((', '->', '{}', 'a->b->c', '(),[]', ',,,', '[]]', '{f32', 'x'.repeat(10_000), '('.repeat(10_000)])
      for (const option of ['input', 'output', 'input_shape', 'mean_values', 'scale_values', 'layout', 'source_layout', 'freeze_placeholder_with_value'])
        for (const kind of ['shape', 'type', 'mean', 'scale', 'layout', 'cut'] as const)
          expect(() => writeWishes(readWishes({ [option]: text }, own), kind)).not.toThrow();
  });
});

it('lists are taken apart as the core does it', () => {
  expect(splitItems('a[1,2],(b,c), d ,')).toEqual(['a[1,2]', '(b,c)', 'd', '']);
  expect(splitItems('')).toEqual([]);
  expect(['x:0', 'a b', 'a,b', 'a[1]', 'a->b', ' a', ''].map(canBeNamed)).toEqual([true, true, false, false, false, false, false]);
  expect(canName(readWishes({}, { inputs: [{ name: 'a,b', names: [], shape: '[1]', type: 'f32' }], outputs: [] }))).toBe(false);
});
