/** The choice of layouts in the graph view, and the options for it. */
import { describe, expect, it } from 'vitest';

import { asksForOthers, layoutChoices } from '../../web/graph/layouts.js';
import { difference } from '../../web/graph/transposes.js';

const port = (name: string, shape: string) => ({ name, names: [name], shape, type: 'f32' });
const own = { inputs: [port('image', '[1,8,8,3]'), port('text', '[1,16]'), port('a,b', '[1,8,8,3]'), port('clip', '[1,2,8,8,3]')], outputs: [port('y', '[1,8,8,4]')] };
const plain = { ...own, inputs: own.inputs.filter(({ name }) => name !== 'a,b') };
const of = (values: Record<string, string>, model: typeof own = plain) => layoutChoices(values, model, model);

describe('the choices', () => {
  it('are those of the number of dimensions', () => {
    expect(of({}).map(({ side, place, choices }) => [side, place, choices.map(([value]) => value)])).toEqual([
      ['input', 'image', ['', 'nhwc->nchw', 'nchw->nhwc']], ['input', 'text', []], ['input', 'clip', ['', 'ndhwc->ncdhw', 'ncdhw->ndhwc']], ['output', 'y', ['', 'nhwc->nchw', 'nchw->nhwc']],
    ]);
    expect(String(of({}, own)[2]!.why)).toContain('commas or brackets');
    expect(String(of({})[1]!.why)).toContain('3 to 5 dimensions');
    expect(of({ freeze_placeholder_with_value: 'text->1', input: 'image,text->1' })[1]!.why.toString()).toBe('It is always 1.');
    expect(of({ layout: 'nobody(nc)' }).map(({ why }) => String(why))).toContain('--layout of the form cannot be read for each of them.');
  });

  it('show what the form asks for, however it is written', () => {
    const value = (values: Record<string, string>) => of(values)[0]!.value;
    expect([{}, { layout: 'image(nhwc->nchw)' }, { layout: 'image[n,h,w,c]->[n,c,h,w]' }, { source_layout: 'image(NHWC)', target_layout: 'image(nchw)' }].map(value))
      .toEqual(['', 'nhwc->nchw', 'nhwc->nchw', 'nhwc->nchw']);
    const [other] = of({ layout: 'image(nhwc)' });
    expect([other!.value, other!.choices.at(-1)]).toEqual(['nhwc', ['nhwc', 'NHWC']]);
  });

  it('become the option', () => {
    expect(of({ source_layout: 'y(nhwc)' })[0]!.choose('nhwc->nchw')).toEqual({ layout: 'image(nhwc->nchw),y(nhwc)', source_layout: '', target_layout: '' });
    expect(of({ layout: 'image(nhwc->nchw)' })[0]!.choose('')).toEqual({ layout: '', source_layout: '', target_layout: '' });
    expect(asksForOthers({ layout: 'image(nhwc->nchw)' }, {})).toBe(true);
    expect(asksForOthers({ layout: '', batch: '2' }, { batch: '1' })).toBe(false);
  });
});

it('Transposes that went and came are named', () => {
  expect(difference(['a', 'b'], ['b', 'c']).join(' ')).toBe('The new layouts removed 1 Transpose: a. The new layouts added 1 Transpose: c.');
  expect(difference(['a'], ['a']).join(' ')).toBe('The new layouts neither removed nor added a Transpose: the IR still has 1 Transpose.');
  expect(difference(['a', 'b', 'c', 'd', 'e', 'f'], []).join(' ')).toContain('a, b, c, d, e and 1 more.');
});
