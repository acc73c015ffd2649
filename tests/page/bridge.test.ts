/** The form and the command line, each from the other, and the form in the page's address. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { longNet } from '../js/models.js';
import { OPTION_ROWS } from '../../dist/library/shared/option-rows.js';
import { hash, installPackage, listing, nativeFiles, root, temporaryFolder } from '../js/support.js';
import { choose, context, drop, folderWith, model, open, openOptions, page, saved, shown, usePage, weightsAs } from './support.js';

usePage();

/** A trace is for programs. */
const rows = OPTION_ROWS.filter(({ group, pageGroup }) => group !== 'Former' && pageGroup !== '');
const isSwitch = (kind: string) => kind === 'Flag' || kind === 'Switch';
const field = (name: string) => page.locator(`#options [name=${name}]`);
const line = () => page.locator('#command-mo').innerText();
const fragment = () => new URL(page.url()).hash;

/** What the fields hold that differ from a form nobody has touched. */
async function filled(): Promise<Record<string, string | boolean>> {
  const values = await page.$$eval('#options [name]:not([type=radio])', (fields) => (fields as HTMLInputElement[]).flatMap((field): [string, string | boolean][] => {
    if (field.type === 'checkbox') return field.checked === field.defaultChecked ? [] : [[field.name, field.checked]];
    return field.value === '' ? [] : [[field.name, field.value]];
  }));
  return Object.fromEntries(values);
}

/** Brings a command line as the clipboard does. */
async function paste(text: string): Promise<void> {
  await page.fill('#line', text);
  await page.locator('#line').dispatchEvent('paste');
}

const notes = () => page.locator('#line-notes p').allInnerTexts();

/** A folder with programs of these names, to be found by shells: what the page calls `mo`. */
function programs(commands: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, command] of Object.entries(commands)) writeFileSync(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return folder;
}

const node = programs({ mo: `'${process.execPath}' '${join(root, 'dist/library/node/cli.js')}'` });
const native = programs({ mo: `'${join(root, 'build/native/mo')}'` });

/** Runs a line as it is in a folder; the pair that is there then. */
function runLine(text: string, cwd: string, path: string): { xml: string; bin: string; names: string[] } {
  const { status, stderr } = spawnSync('sh', ['-c', text], {
    cwd, encoding: 'utf8', env: { ...process.env, PATH: `${path}${delimiter}${process.env['PATH']}`, npm_config_offline: 'true' },
  });
  expect(status, stderr).toBe(0);
  const names = ['.xml', '.bin'].map((ending) => listing(cwd).find((name) => name.endsWith(ending))!);
  return { xml: readFileSync(join(cwd, names[0]!), 'utf8'), bin: hash(readFileSync(join(cwd, names[1]!))), names };
}

describe('the form', () => {
  it('has a field for each option of a conversion, with its help and default', async () => {
    expect(rows.length).toBeGreaterThan(10);
    await openOptions();
    for (const { name, kind, default: usual, help } of rows) {
      const one = field(name);
      expect(await one.count(), name).toBe(1);
      expect(await one.isVisible(), name).toBe(true);
      if (isSwitch(kind)) expect(await one.isChecked(), name).toBe(usual === 'True');
      expect(await one.getAttribute('role'), name).toBe(isSwitch(kind) ? 'switch' : null);
      const described = await one.getAttribute('aria-describedby');
      if (described === `help-${name}`) expect(await page.locator(`#${described}`).textContent()).toBe(help);
    }
    expect(await page.$$eval('#options [name]:not([type=radio])', (fields) => fields.length)).toBe(rows.length);
    expect(await page.locator('[aria-describedby^=help-]').count()).toBeGreaterThan(5);
  });

  it('shows what people need most, and the rest on demand, in groups that are not empty', async () => {
    for (const name of ['model_name', 'input_shape', 'static_shape']) expect(await field(name).isVisible()).toBe(true);
    expect(await field('batch').isVisible()).toBe(false);
    await openOptions();
    expect(await field('batch').isVisible()).toBe(true);
    for (const group of await page.locator('#options .group').all())
      expect(await group.isVisible()).toBe((await group.locator('[name]').count()) > 0);
    expect(await page.locator('[data-group=io] [name]').evaluateAll((fields) => fields.map((field) => field.getAttribute('name')))).toContain('freeze_placeholder_with_value');
    expect(await page.locator('[data-group=tf] [name=disable_nhwc_to_nchw]').count()).toBe(1);
  });

  it('gives a mapping to save, if that is asked for', async () => {
    await openOptions();
    await page.check('[name=generate_mapping]');
    await choose('conv.onnx');
    await shown('done');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Save .mapping').click()]);
    const folder = temporaryFolder();
    runLine(`mo '${model('conv.onnx')}' --generate_mapping`, folder, native);
    expect(download.suggestedFilename()).toBe('conv.mapping');
    expect(readFileSync(await download.path(), 'utf8')).toBe(readFileSync(join(folder, 'conv.mapping'), 'utf8'));
  });
});

describe('the command line', () => {
  it.each<[what: string, set: Record<string, string | boolean>, text: string]>([
    ['nothing', {}, 'mo conv.onnx'],
    ['a shape', { input_shape: '[1,3,32,32]', static_shape: true }, "mo conv.onnx --input_shape '[1,3,32,32]' --static_shape"],
    ['FP32 and a name', { compress_to_fp16: false, model_name: 'my model' }, "mo conv.onnx --model_name 'my model' --compress_to_fp16=False"],
    ['a batch', { batch: '4' }, 'mo conv.onnx --batch 4'],
    ['a cut', { input: 'image[2,3,32,32]' }, "mo conv.onnx --input 'image[2,3,32,32]'"],
    ['a value that begins with a hyphen', { model_name: '-x' }, 'mo conv.onnx --model_name=-x'],
    ['transformations', { disabled_transforms: 'Fusing, Fusing' }, "mo conv.onnx --disabled_transforms 'Fusing, Fusing'"],
  ])('for %s gives the bytes of the page, in Node and natively', async (_, set, text) => {
    await openOptions();
    for (const [name, value] of Object.entries(set))
      if (typeof value === 'boolean') await field(name).setChecked(value);
      else await field(name).fill(value);
    await choose('conv.onnx');
    await shown('done');
    expect(await line()).toBe(text);
    const files = await saved();
    for (const path of [node, native]) {
      const folder = folderWith({ 'conv.onnx': readFileSync(model('conv.onnx')) });
      expect(runLine(text, folder, path)).toEqual(files);
    }
  });

  it('works with the package, as the page shows it', async () => {
    const folder = folderWith({ "it's a model.onnx": readFileSync(model('conv.onnx')) });
    await page.setInputFiles('#files', join(folder, "it's a model.onnx"));
    await shown('done');
    installPackage(folder);
    const text = await page.locator('#command').innerText();
    expect(text).toBe(`npx @mo/wasm 'it'\\''s a model.onnx'`);
    expect(runLine(text, folder, node)).toEqual(await saved());
  });

  it('is quoted for the shell that is chosen, and copied as it is', async () => {
    await page.fill('[name=input_shape]', '[1,?],[1..8]');
    await page.fill('[name=model_name]', "it's");
    await page.selectOption('#shell', 'cmd');
    expect(await page.locator('#command').innerText()).toBe('npx @mo/wasm model.onnx --model_name "it\'s" --input_shape "[1,?],[1..8]"');
    await page.selectOption('#shell', 'powershell');
    expect(await line()).toBe("mo model.onnx --model_name 'it''s' --input_shape '[1,?],[1..8]'");
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('[data-copy=command-mo]');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await line());
  });

  it('names the configuration as its file is called', async () => {
    const config = JSON.stringify([{ id: 'Nothing', match_kind: 'general', custom_attributes: {} }]);
    await page.setInputFiles('#files', join(folderWith({ 'my config.json': config }), 'my config.json'));
    await expect.poll(line).toBe("mo model.onnx --transformations_config 'my config.json'");
    await field('transformations_config').fill('[]');
    expect(await line()).toBe('mo model.onnx --transformations_config config.json');
  });

  it('offers the configurations that are built in, by their names', async () => {
    await openOptions();
    const choice = page.getByLabel('Built-in configuration');
    expect(await choice.locator('option').count()).toBe(46);
    await choice.selectOption('mask_rcnn.json');
    expect(await field('transformations_config').inputValue()).toBe('mask_rcnn.json');
    await expect.poll(line).toBe('mo model.onnx --transformations_config mask_rcnn.json');
    await expect.poll(fragment).toBe('#transformations_config=mask_rcnn.json');
    await field('transformations_config').fill('[]');
    expect(await choice.inputValue()).toBe('');
    await field('transformations_config').fill('yolo_v3.json');
    expect(await choice.inputValue()).toBe('yolo_v3.json');
    await choice.selectOption('');
    expect(await field('transformations_config').inputValue()).toBe('');
    await expect.poll(fragment).toBe('');
  });
});

describe('a pasted command line', () => {
  it.each<[text: string, values: Record<string, string | boolean>, said: string[]]>([
    ['mo --input_model models/a.onnx -b 4', { batch: '4' }, ['Drop the model models/a.onnx on this page.']],
    [`$ python3 mo.py -w a.onnx --input_shape "[1,3,8,8]" \\\n  --data_type FP32`, { input_shape: '[1,3,8,8]', compress_to_fp16: false }, ['Drop the model a.onnx on this page.']],
    ['C:\\work>mo.exe ^\n models\\a.onnx --static_shape -n x', { static_shape: true, model_name: 'x' }, ['Drop the model models\\a.onnx on this page.']],
    ["npx @mo/wasm a.onnx --input 'x[1,2]{f32}' --output 'y z' --freeze 'w->1'", { input: 'x[1,2]{f32}', output: 'y z', freeze_placeholder_with_value: 'w->1' }, ['Drop the model a.onnx on this page.']],
    ['mo_onnx a.onnx --compress_to_fp16 --freeze_placeholder_with_value sr->16000 | tee log',
      { freeze_placeholder_with_value: 'sr->16000' }, ['Drop the model a.onnx on this page.', 'Only the first command is taken.']],
    ['mo a.onnx -o ir --log_level DEBUG --silent False --framework onnx --disable_fusing --progress --json', {},
      ['Drop the model a.onnx on this page.', 'Without effect here: --framework, --disable_fusing, --output_dir, --log_level, --silent, --json, --progress']],
    ['mo a.onnx --transformations_config c/d.json --extensions e,f', {}, ['Drop the model a.onnx on this page.', 'Bring c/d.json, e, f together with it.']],
    ['mo a.onnx --disable_weights_compression --tensorflow_use_custom_operations_config d.json', { compress_to_fp16: false },
      ['Drop the model a.onnx on this page.', 'Bring d.json together with it.']],
    ['mo a.pb --transformations_config ssd_v2_support.json', { transformations_config: 'ssd_v2_support.json' }, ['Drop the model a.pb on this page.']],
    ['mo a.pb --tensorflow_use_custom_operations_config C:\\mo\\extensions\\front\\tf\\ssd_v2_support.json', { transformations_config: 'ssd_v2_support.json' },
      ['Drop the model a.pb on this page.']],
    ['mo a.onnx b.onnx', {}, ['Drop the model a.onnx, b.onnx on this page.']],
    ["mo - --model_name='<b>x'", { model_name: '<b>x' }, []],
    ['ovc a.onnx --output_model out/x --input "x[1,2]" --compress_to_fp16=False', { input: 'x[1,2]', model_name: 'x', compress_to_fp16: false },
      ['Drop the model a.onnx on this page.', 'Without effect here: --output_dir']],
    ['import openvino as ov\nm = ov.convert_model("nets/a.onnx", input_shape=[1, 3, 8, 8], reverse_input_channels=True, verbose=True)',
      { input_shape: '[1,3,8,8]', reverse_input_channels: true }, ['Drop the model nets/a.onnx on this page.', 'Without effect here: --verbose']],
    ['mo.convert_model(model, mean_values=[1, 2, 3], layout={"x": "nchw"})', { mean_values: '[1,2,3]', layout: 'x(nchw)' }, []],
  ])('fills the form: %s', async (text, values, said) => {
    await page.fill('[name=input_shape]', 'something else');
    await paste(text);
    await expect.poll(notes).toEqual(said);
    // Where nothing is said, the notes are the same before the line is read.
    await expect.poll(filled).toEqual(values);
    expect(await page.locator('#line').getAttribute('aria-invalid')).toBeNull();
    for (const name of Object.keys(values)) expect(await field(name).isVisible()).toBe(true);
  });

  it.each([
    ['mo a.onnx --input_shap3 [1]', 'MO6001 there is no such option: unrecognized arguments: --input_shap3 (did you mean --input_shape?)'],
    ['mo a.onnx --batch 0', 'MO6002'],
    ['mo', 'MO6005'],
    ["mo 'a.onnx", "a quotation mark (') is not closed"],
    ['ls -l', 'this is not a command line of mo: it begins with ls'],
    ['mo --help', 'this command line converts nothing: it asks for a text'],
    ['', 'there is no command in this text'],
    [`mo ${'x'.repeat(70_000)}`, 'this text is too long for a command line'],
    ['mo a.onnx --log_level "<img src=x onerror=alert(1)>"', '<img src=x onerror=alert(1)>'],
  ])('that mo refuses is refused with the same words at its field: %.40s', async (text, words) => {
    await page.fill('[name=input_shape]', '[1]');
    await paste(text);
    const input = page.locator('#line');
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    const error = page.locator(`#${await input.getAttribute('aria-errormessage')}`);
    expect(await error.isVisible()).toBe(true);
    expect(await error.textContent()).toContain(words);
    expect(await error.textContent()).not.toContain('usage:');
    expect(await page.locator('#alert').textContent()).toContain(words);
    expect(await filled()).toEqual({ input_shape: '[1]' });
    await input.fill('mo a.onnx');
    expect(await input.getAttribute('aria-invalid')).toBeNull();
    await page.keyboard.press('Enter');
    await expect.poll(filled).toEqual({});
  });

  it('is carried out as the command would', async () => {
    await paste('mo --input_model=conv.onnx --input image[2,3,32,32] -n same --data_type=float');
    await expect.poll(notes).toEqual(['Drop the model conv.onnx on this page.']);
    expect(await line()).toBe("mo conv.onnx --model_name same --input 'image[2,3,32,32]' --compress_to_fp16=False");
    await drop('conv.onnx');
    await shown('done');
    expect(await saved()).toMatchObject(nativeFiles(model('conv.onnx'), ['--input', 'image[2,3,32,32]', '--data_type', 'FP32']));
    await page.click('#take-line');
    await expect.poll(notes).toEqual([]);
  });

  it('is read while a model is converted', async () => {
    await page.setInputFiles('#files', join(folderWith({ 'long.onnx': longNet(100_000) }), 'long.onnx'));
    await shown('working');
    await paste('mo a.onnx -b 3');
    await expect.poll(filled).toEqual({ batch: '3' });
    expect(await page.locator('#working').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await shown('empty');
  });

  it('is the one that the page shows, for every shell', async () => {
    const values = { model_name: "it's 100%", input: 'a b->[1 2],"c"{f32}', output: 'x\\y\\', batch: '2' };
    await openOptions();
    for (const [name, value] of Object.entries(values)) await field(name).fill(value);
    await weightsAs('fp32');
    const lines: string[] = [];
    for (const shell of ['posix', 'cmd', 'powershell']) {
      await page.selectOption('#shell', shell);
      lines.push(await page.locator('#command').innerText(), await line());
    }
    expect(new Set(lines).size).toBe(6);
    for (const text of lines) {
      await paste('mo other.onnx');
      await expect.poll(filled).toEqual({});
      await paste(text);
      await expect.poll(filled, { message: text }).toEqual({ ...values, compress_to_fp16: false });
      expect(await notes()).toEqual(['Drop the model model.onnx on this page.']);
    }
  });
});

describe('the address', () => {
  it('fills the form', async () => {
    await open('#input_shape=[1,3,224,224]&compress_to_fp16=False&batch=2&disabled_transforms=a+b');
    expect(await filled()).toEqual({ input_shape: '[1,3,224,224]', compress_to_fp16: false, batch: '2', disabled_transforms: 'a b' });
    expect(await field('batch').isVisible()).toBe(true);
    expect(await line()).toBe("mo model.onnx --input_shape '[1,3,224,224]' --batch 2 --compress_to_fp16=False --disabled_transforms 'a b'");
    await page.evaluate(() => (location.hash = '#static_shape=true'));
    await expect.poll(filled).toEqual({ static_shape: true });
  });

  it('follows the form, so that it opens the same form', async () => {
    const before = await page.evaluate(() => history.length);
    const values = { model_name: 'a&b=c #1 +%20<x>', input_shape: '[1,?],[1..8]' };
    for (const [name, value] of Object.entries(values)) await field(name).fill(value);
    await weightsAs('fp32');
    await field('transformations_config').evaluate((field: HTMLTextAreaElement) => (field.value = '[]'));
    await expect.poll(() => new URL(page.url()).hash).toBe('#model_name=a%26b=c%20%231%20%2B%2520%3Cx%3E&input_shape=[1,?],[1..8]&compress_to_fp16=False');
    expect(await page.evaluate(() => history.length)).toBe(before);
    await open(new URL(page.url()).hash);
    expect(await filled()).toEqual({ ...values, compress_to_fp16: false });
    for (const name of Object.keys(values)) await field(name).fill('');
    await weightsAs('fp16');
    await expect.poll(() => page.url()).not.toContain('#');
  });

  it('of a hostile kind does no harm', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const hostile = new URLSearchParams({
      input_shape: markup, model_name: 'x'.repeat(10_000), compress_to_fp16: 'perhaps', transformations_config: '[]', __proto__x: '1',
      constructor: '1', output_dir: '/', unknown: markup, input: 'x\nrm -rf ~', output: 'a\u202eb', scale: '2\u001b[2J', layout: 'n\u009b1m',
    });
    await open(`#${hostile}&__proto__=1&%E0%A4%A&=&&`);
    expect(await filled()).toEqual({ input_shape: markup });
    expect(await line()).toBe(`mo model.onnx --input_shape '${markup}'`);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(fragment()).toContain('unknown');
    await open(`#model_name=${encodeURIComponent('net\u001b]0;rm -rf ~\u0007')}&scale=2`);
    expect(await line()).toBe('mo model.onnx --scale 2');
    await open(`#${hostile}`);
    await choose('conv.onnx');
    await shown('failed');
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  it('with a part of the page for a goal is left alone', async () => {
    await open('#options');
    expect(await filled()).toEqual({});
    expect(fragment()).toBe('#options');
  });
});

it('names of files that turn the direction of a text are shown, saved and copied without that', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a\u202eb\u0085.onnx');
  copyFileSync(model('conv.onnx'), path);
  await page.setInputFiles('#files', path);
  await shown('done');
  expect(await page.locator('#done-title').textContent()).toBe('a\\u202eb\\u0085.onnx');
  expect(await page.title()).not.toMatch(/[\u0085\u202e]/);
  await page.selectOption('#shell', 'posix');
  expect(await line()).toContain("mo a$'\\u202e'b$'\\u0085'.onnx");
  expect((await saved()).names).toEqual(['a_b_.xml', 'a_b_.bin']);
  expect(await page.locator('body').innerText()).not.toMatch(/[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
});
