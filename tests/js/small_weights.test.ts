/** INT8 and INT4 in Node: the bytes of the native converter, whose own are compared with NNCF's in tests/weights/. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { hash, nativeFiles, root, runNode, temporaryFolder } from './support.js';

/** Networks of each framework, and weights of every type and form: transposed kernels, folded batch norms, joined gates, odd sizes. */
const CASES = ['bert', 'convolutions', 'edges', 'odd', 'equal', 'f64', 'stored_bf16', 'tf_convolutions', 'tf_recurrent', 'tflite', 'caffe_lenet', 'paddle', 'mxnet_half', 'kaldi_convolutions', 'pytorch', 'pytorch_convolutions'];
const MODES: Record<string, string[]> = {
  int8: ['--weight-format', 'int8'],
  'int8, symmetric': ['--weight-format', 'int8', '--sym'],
  int4: ['--weight-format', 'int4'],
  'int4 in groups of 32, symmetric, all layers': ['--weight-format', 'int4', '--sym', '--group-size', '32', '--all-layers'],
};

const script = join(root, 'tests/weights/cases.py');
const models: Record<string, string[]> = JSON.parse(execFileSync(join(root, '.venv/bin/python'), [script, temporaryFolder(), ...CASES], { encoding: 'utf8' }).trim().split('\n').at(-1)!);

describe.each(Object.keys(MODES))('%s', (mode) => {
  it.each(CASES)('of %s is the same in Node', (name) => {
    const [first, ...rest] = models[name]!.filter((word) => word !== '--input_model');
    const native = nativeFiles(first!, [...rest, ...MODES[mode]!]);
    const folder = temporaryFolder();
    expect(runNode([first!, ...rest, ...MODES[mode]!, '-n', 'same', '-o', folder], '.')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'same.xml'), 'utf8')).toBe(native.xml);
    expect(hash(readFileSync(join(folder, 'same.bin')))).toBe(native.bin);
    if (mode === 'int8' && name !== 'kaldi_convolutions') expect(native.xml).toContain('element_type="u8"');
  });
});
