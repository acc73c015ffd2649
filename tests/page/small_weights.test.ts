/** INT8 and INT4 on the page: the bytes of the native converter, and what the report says of them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { nativeFiles, root, temporaryFolder } from '../js/support.js';
import { openOptions, page, saved, shown, usePage } from './support.js';

usePage();

const script = join(root, 'tests/weights/cases.py');
const models: Record<string, string[]> = JSON.parse(execFileSync(join(root, '.venv/bin/python'), [script, temporaryFolder(), 'bert', 'convolutions'], { encoding: 'utf8' }));

const MODES: [name: string, words: string[], fields: Record<string, string | boolean>][] = [
  ['bert', ['--weight-format', 'int8'], { weight_format: 'int8' }],
  ['bert', ['--weight-format', 'int4', '--sym', '--group-size', '64'], { weight_format: 'int4', sym: true, group_size: '64' }],
  ['convolutions', ['--weight-format', 'int8', '--sym'], { weight_format: 'int8', sym: true }],
];

it.each(MODES)('%s with %s has the bytes of the native converter', async (name, words, fields) => {
  const [path] = models[name]!;
  await openOptions();
  for (const [field, value] of Object.entries(fields)) {
    const place = page.locator(`#options [name=${field}]`);
    if (typeof value === 'boolean') await place.setChecked(value);
    else if ((await place.evaluate((element) => element.tagName)) === 'SELECT') await place.selectOption(value);
    else await place.fill(value);
  }
  await page.setInputFiles('#files', path!);
  await shown('done');
  const native = nativeFiles(path!, words, 'model');
  expect(native.xml).toMatch(/element_type="[ui][48]"/);
  expect(await saved()).toMatchObject(native);
});
