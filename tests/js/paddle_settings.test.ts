/** inference.yml beside a program of PaddlePaddle: what the package says of it is what the native command says. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert, inspect, type Preparation } from '../../dist/library/node/node.js';
import { paddleParameters, paddleProgram } from './paddle_writer.js';
import { root, temporaryFolder } from './support.js';

const SETTINGS = `Global:
  model_name: PP-OCRv5_mobile_rec
PreProcess:
  transform_ops:
  - DecodeImage: {channel_first: false, img_mode: BGR}
  - RecResizeImg:
      image_shape: [3, 48, 320]
  - NormalizeImage:
      mean: [0.5, 0.5, 0.5]
      scale: 1./255.
      std: [0.5, 0.25, 0.5]
      order: hwc
PostProcess:
  name: CTCLabelDecode
  character_dict:
  - '!'
  - ''''
`;
const PREPARATION: Preparation = {
  file: 'inference.yml', model: 'PP-OCRv5_mobile_rec', mean_values: '[127.5,127.5,127.5]', scale_values: '[127.5,63.75,127.5]', colours: 'BGR', order: 'hwc', size: '[3,48,320]',
  dictionary: 'character_dict',
};

function model(settings: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'inference.pdmodel'), paddleProgram);
  writeFileSync(join(folder, 'inference.pdiparams'), paddleParameters);
  writeFileSync(join(folder, 'inference.yml'), settings);
  return join(folder, 'inference.pdmodel');
}

test('an inspection and a report have it, with a worker and without', async () => {
  const path = model(SETTINGS);
  for (const worker of [true, false]) {
    expect((await inspect(path, { worker })).preparation).toEqual(PREPARATION);
    const { bin, report, warnings } = await convert(path, { worker });
    await bin.close();
    expect(report.preparation).toEqual(PREPARATION);
    expect(warnings).toEqual([]);
  }
});

test('files in memory have it, too', async () => {
  const path = model(SETTINGS);
  const files = ['inference.pdiparams', 'inference.yml'].map((name) => ({ path: name, file: readFileSync(join(path, '..', name)) }));
  expect((await inspect({ main: { path: 'inference.pdmodel', file: readFileSync(path) }, files })).preparation).toEqual(PREPARATION);
});

test('the cards of both commands are the same', () => {
  const path = model(SETTINGS);
  const native = execFileSync(join(root, 'build/native/mo'), [path, '--info'], { encoding: 'utf8' });
  expect(native).toContain('Preparation:    inference.yml, PP-OCRv5_mobile_rec,\n');
  expect(execFileSync(process.execPath, [join(root, 'dist/library/node/cli.js'), path, '--info'], { encoding: 'utf8' })).toBe(native);
});

test('what cannot be read is a warning of both commands', () => {
  const path = model("a: 'b\n");
  const says = (...command: readonly [string, ...string[]]) => spawnSync(command[0], [...command.slice(1), path, '--info'], { encoding: 'utf8' }).stderr;
  const native = says(join(root, 'build/native/mo'));
  expect(native).toContain('MO1039 settings beside the model cannot be read, and are ignored: a quote is not closed (file "inference.yml", line 2, column 1)');
  expect(says(process.execPath, join(root, 'dist/library/node/cli.js'))).toBe(native);
});
