/** Examples of docs/examples/extensions, dropped on the page with their models. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { customProposal } from '../js/mxnet_writer.js';
import { nativeFiles, root, temporaryFolder } from '../js/support.js';
import { openOptions, page, saved, shown, usePage } from './support.js';

usePage();

const examples = join(root, 'docs/examples');
let models: string;

beforeAll(() => {
  models = temporaryFolder();
  const made = spawnSync(join(root, '.venv/bin/python'), [join(examples, 'make_models.py'), models], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
});

/** Gives the page a folder with the model and the example's folder in it. */
async function bring(example: string): Promise<string> {
  const folder = temporaryFolder();
  cpSync(join(examples, 'extensions', example), join(folder, example), { recursive: true });
  copyFileSync(join(models, `${example}.onnx`), join(folder, `${example}.onnx`));
  await page.setInputFiles('#folder', folder);
  await shown('done');
  return (await saved()).xml;
}

describe('examples', () => {
  it('W-07 U-02 A-41 cube: an unknown operation is rewritten', async () => {
    expect(await bring('cube')).toMatch(/name="y" type="Multiply"/);
  });

  it('W-07 A-11 mish: two transformations, one of which imports the other', async () => {
    // The built-in ones would do the same.
    await openOptions();
    await page.fill('[name=disabled_transforms]', 'MishFusion,SoftplusFusion');
    expect(await bring('mish')).toMatch(/name="y" type="Mish"/);
  });

  it('W-07 A-08 pooling: an operation, an extractor and a module that both need', async () => {
    expect(await bring('pooling_attributes')).toContain('pads_begin="1,2" pads_end="2,2"');
  });

  it('V-01 custom operations of MXNet: an extractor that is for this framework only', async () => {
    const folder = temporaryFolder();
    cpSync(join(examples, 'extensions/other_frameworks'), join(folder, 'other_frameworks'), { recursive: true });
    writeFileSync(join(folder, 'custom-symbol.json'), customProposal());
    await page.setInputFiles('#folder', folder);
    await shown('done');
    const { xml } = await saved();
    expect(xml).toMatch(/name="proposals" type="Proposal"/);
    expect(xml).toBe(nativeFiles(join(folder, 'custom-symbol.json'), ['--extensions', join(folder, 'other_frameworks')], 'custom-symbol').xml);
  });

  it('W-04 W-07 A-22 yolo: the configuration comes along', async () => {
    expect(await bring('yolo_region')).toContain('type="RegionYolo"');
  });
});
