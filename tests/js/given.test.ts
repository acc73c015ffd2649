/** Values that programs without types give to the library: accepted if they can mean one thing only, else refused with a code and hint. */
import { createReadStream, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { convert, inspect, listPlaces, MoError, prepare } from '@mo/wasm';
import { run } from '@mo/wasm/cli';
import { describe, expect, it } from 'vitest';

import { nearest } from '../../wasm/library/shared/nearest.js';
import { convNet, externalData, externalNet } from './models.js';
import { modelFolder, root, temporaryFolder } from './support.js';

const models = modelFolder();
const path = join(models, 'conv.onnx');
const same = { model_name: 'same' };
/** A value that the types do not allow. */
const any = (value: unknown) => value as never;

async function failure(work: Promise<unknown>): Promise<MoError> {
  const error = await work.then(() => undefined, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(MoError);
  return error as MoError;
}

async function xml(...given: Parameters<typeof convert>): Promise<string> {
  const { xml, bin } = await convert(...given);
  await bin.close();
  return xml;
}

describe('a model', () => {
  const bytes = Uint8Array.from(convNet);

  it.each<[string, unknown]>([
    ['an ArrayBuffer', bytes.buffer],
    ['a DataView', new DataView(bytes.buffer)],
    ['bytes of another realm', runInNewContext('Uint8Array.from(bytes)', { bytes })],
    ['an ArrayBuffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes })],
    ['the text of a file: URL', pathToFileURL(path).href],
    ['bytes with a path', { main: { path: 'conv.onnx', file: bytes }, files: [] }],
  ])('may be %s', async (_, model) => {
    expect(await xml(any(model), same)).toBe(await xml(path, same));
  });

  it('may have weights in memory beside it', async () => {
    const files = [{ path: 'weights.bin', file: externalData }];
    expect(await xml({ main: { path: 'external.onnx', file: Uint8Array.from(externalNet).buffer }, files }, same)).toBe(await xml(join(models, 'external.onnx'), same));
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'undefined is no model'],
    ['null', null, 'null is no model'],
    ['a number', 5, 'a number is no model'],
    ['a list', [path], 'this object is no model'],
    ['a promise', Promise.resolve(path), 'a promise is no model'],
    ['an address', 'https://example.com/net.onnx', '"https://example.com/net.onnx" is no file'],
    ['a path with a NUL', 'net\0.onnx', 'its path has a NUL character'],
    ['a main file that is a text', { main: 'net.onnx', files: [] }, 'main or one of the files has no name'],
    ['no main file', { main: null, files: [] }, 'main or one of the files has no name'],
    ['files that are none', { main: { path: 'net.onnx', file: bytes }, files: null }, 'files is no list of files'],
    ['a file without content', { main: { path: 'net.onnx', file: bytes }, files: [{ path: 'a', file: 'b' }] }, 'its file "a" has no content'],
  ])('cannot be %s', async (_, model, text) => {
    expect(await failure(convert(any(model)))).toMatchObject({ code: 'MO6007', message: expect.stringContaining(text) });
  });

  it('that is a stream of a missing file ends no process', async () => {
    const stream = createReadStream(join(models, 'none.onnx'));
    expect(await failure(convert(stream))).toMatchObject({ code: 'MO7001', message: expect.stringContaining('ENOENT'), cause: { code: 'ENOENT' } });
  });

  it('that is an empty folder is refused as such', async () => {
    expect(await failure(convert(temporaryFolder()))).toMatchObject({ code: 'MO6007', message: expect.stringContaining('is empty') });
  });
});

describe('options', () => {
  it.each<[string, unknown]>([['null', null], ['null values', { input_shape: null, extensions: null, transformations_config: null, scale: null }]])('may be %s', async (_, options) => {
    expect(await xml(path, any(options))).toBe(await xml(path));
  });

  it.each<[string, object, object]>([
    ['names', { input: ['image'], output: ['n', 'result'] }, { input: 'image', output: 'n,result' }],
    ['no names', { output: [] }, {}],
    ['numbers', { mean_values: [1, 2, 3] }, { mean_values: '[1,2,3]' }],
    ['transformations', { transform: ['LowLatency2', 'Pruning'] }, { transform: 'LowLatency2,Pruning' }],
  ])('take lists of %s', async (_, list, text) => {
    expect(await xml(path, list)).toBe(await xml(path, text));
  });

  it.each<[string, object, object]>([
    ['shapes', { input_shape: { image: [2, 3, '8..16', '?'] } }, { input_shape: 'image[2,3,8..16,?]' }],
    ['a shape as a text', { input_shape: { image: '[2,3,8,8]' } }, { input_shape: 'image[2,3,8,8]' }],
    ['numbers', { mean_values: { image: [1, 2, 3] }, scale_values: { image: 255 } }, { mean_values: 'image(1,2,3)', scale_values: 'image(255)' }],
    ['layouts', { layout: { image: 'nchw->nhwc', result: '[n,...]' } }, { layout: 'image(nchw->nhwc),result([n,...])' }],
    ['layouts of one side', { source_layout: { image: 'nchw' }, target_layout: { image: 'nhwc' } }, { source_layout: 'image(nchw)', target_layout: 'image(nhwc)' }],
    ['values that are not given', { input_shape: { image: undefined, other: null } }, { input_shape: '' }],
  ])('take objects of %s by the names of inputs', async (_, byName, text) => {
    expect(await xml(path, byName)).toBe(await xml(path, text));
  });

  it('by a name that the model has not are refused for the option', async () => {
    expect(await failure(convert(path, { input_shape: { imag: [1, 3, 8, 8] } }))).toMatchObject({ code: 'MO6010', option: 'input_shape' });
    expect(await failure(convert(path, { mean_values: { imag: [1, 2, 3] } }))).toMatchObject({ code: 'MO6060', option: 'mean_values' });
  });

  it.each(['signal', 'onProgress', 'onLog', 'onFacts'])('do not have what belongs in the third argument: %s', async (name) => {
    const value = name === 'signal' ? new AbortController().signal : () => undefined;
    for (const work of [convert, inspect, listPlaces])
      expect(await failure(work(path, any({ [name]: value })))).toMatchObject({
        code: 'MO6002', message: expect.stringContaining(`"${name}" is in the second argument, and belongs in the third`), hint: 'convert(model, options, { signal, onProgress })',
      });
  });

  it.each(['ssd_v2_support.json', 'efficient_det_support_api_v2.0', 'extensions/front/tf/ssd_v2_support.json', 'C:\\mo\\front\\tf\\ssd_v2_support'])(
    'name the configuration that is built in: %s', async (transformations_config) => {
      expect(await xml(path, { transformations_config })).toContain('<net');
    });

  it.each<[unknown, string]>([
    ['--scale 2', 'the options are a string'],
    [[], 'the options are a list'],
    [{ mean_values: { image: { r: 1 } } }, 'mean_values of "image" is an object'],
    [{ mean_values: { 'a,b': 1 } }, 'mean_values cannot name "a,b"'],
    [{ layout: { '': 'nchw' } }, 'layout cannot name ""'],
    [{ scale: { image: 2 } }, 'scale is an object'],
    [{ scale: () => 1 }, 'scale is a function'],
    [{ extensions: 5 }, 'extensions is a number'],
    [{ extensions: { 'front/onnx/a.js': null } }, 'extensions has an object for "front/onnx/a.js"'],
    [{ transformations_config: {} }, 'transformations_config is an object'],
    [{ transformations_config: 'my/config.json' }, 'transformations_config is "my/config.json", and a text is what is in the file'],
    [{ model_name: 'a\u001b[2Jb' }, 'is "a\\u001b[2Jb", want a text without control characters'],
    [{ output: ['a\u202eb'] }, 'is "a\\u202eb", want a text without control characters'],
    [{ tensorflow_object_detection_api_pipeline_config: 'pipeline.config' }, 'tensorflow_object_detection_api_pipeline_config is "pipeline.config"'],
  ])('cannot be %j', async (options, text) => {
    for (const work of [convert, inspect]) expect(await failure(work(path, any(options)))).toMatchObject({ code: 'MO6002', message: expect.stringContaining(text) });
  });

  it('that only the command has are named so', async () => {
    const error = await failure(convert(path, any({ output_dir: 'ir' })));
    expect(error).toMatchObject({ code: 'MO6001', message: 'MO6001 there is no such option: "output_dir", which only the command has' });
  });

  it('that are too short to be alike get no proposal', async () => {
    expect((await failure(convert(path, any({ x: 1 })))).message).toBe('MO6001 there is no such option: "x"');
  });

  it('name a checkpoint by its path, or among the files of the model', async () => {
    const saved = join(root, 'tests/tf/recorded/saved/checkpoint_v2');
    const wanted = await xml(join(saved, 'graph.pb'), { ...same, input_checkpoint: pathToFileURL(join(saved, 'model.ckpt')) });
    expect(await xml(join(saved, 'graph.pb'), { ...same, input_checkpoint: join(saved, 'model.ckpt') })).toBe(wanted);
    expect(await xml(join(saved, 'graph.pb'), { ...same, input_checkpoint: relative('', join(saved, 'model.ckpt')) })).toBe(wanted);
    const [main, ...files] = ['graph.pb', 'model.ckpt.index', 'model.ckpt.data-00000-of-00001'].map((name) => ({ path: name, file: readFileSync(join(saved, name)) }));
    expect(await xml({ main: main!, files }, { ...same, input_checkpoint: 'model.ckpt' })).toBe(wanted);
  });

  it('name a checkpoint of version 1 in several files as TensorFlow does, or by one of them', async () => {
    const saved = join(root, 'tests/tf/recorded/saved/checkpoint_v1_shards');
    const xmlWithout = async (...given: Parameters<typeof xml>) => (await xml(...given)).replace(/<input_checkpoint .*/, '');
    const wanted = await xmlWithout(join(saved, 'graph.pb'), { ...same, input_checkpoint: join(saved, 'model.ckpt-?????-of-00002') });
    const [main, ...files] = ['graph.pb', 'model.ckpt-00000-of-00002', 'model.ckpt-00001-of-00002'].map((name) => ({ path: name, file: readFileSync(join(saved, name)) }));
    for (const name of ['model.ckpt', 'model.ckpt-?????-of-00002', 'model.ckpt-00001-of-00002']) {
      expect(await xmlWithout(join(saved, 'graph.pb'), { ...same, input_checkpoint: join(saved, name) })).toBe(wanted);
      expect(await xmlWithout({ main: main!, files }, { ...same, input_checkpoint: name })).toBe(wanted);
    }
    expect(await failure(convert({ main: main!, files: files.slice(1) }, { input_checkpoint: 'model.ckpt' }))).toMatchObject({ code: 'MO1006', message: expect.stringContaining('model.ckpt-00000-of-00002') });
  });
});

describe('a name that is not there', () => {
  it.each<[object, string]>([
    [{ wasmURL: 'x' }, 'the second argument has no "wasmURL": did you mean "wasmUrl"?'],
    [{ extension: 'ext' }, 'the second argument has no "extension": did you mean "extensions"?'],
    [{ onprogress: () => undefined }, 'the second argument has no "onprogress": did you mean "onProgress"?'],
    [{ input_shap: [1, 3, 8, 8] }, 'there is no such option: "input_shap" (did you mean --input_shape?)'],
    [{ frobnicate: 1 }, 'there is no such option: "frobnicate"'],
  ])('is refused among the options: %j', async (given, text) => {
    for (const work of [convert, inspect, listPlaces]) expect((await failure(work(path, any(given)))).message).toContain(text);
  });

  it.each<[object, string]>([
    [{ onoutput: () => undefined }, 'the second argument has no "onoutput": did you mean "onOutput"?'],
    [{ timeout: 5 }, 'the second argument has no "timeout"'],
    [{ model_name: 'x' }, 'the second argument has no "model_name"'],
  ])('is refused for the command: %j', async (given, text) => {
    expect(await failure(run(['--version'], any(given)))).toMatchObject({ code: 'MO6002', message: expect.stringContaining(text), hint: 'it has cwd, env, input, onOutput, onErrors and signal' });
  });

  it('is spelt like no option of the command line', () => {
    const own = ['extensions', 'worker', 'distUrl', 'wasmUrl', 'wasmBinary', 'wasmModule', 'workerUrl', 'extensionFrame', 'trustedTypes', 'onProgress', 'onLog', 'onFacts', 'signal'];
    const rows = readFileSync(join(root, 'core/pipeline/options.def'), 'utf8').matchAll(/^MO_OPTION\w*\(\s*(\w+),/gm);
    const names = Array.from(rows, ([, name]) => name!).filter((name) => !own.includes(name));
    expect(names.length).toBeGreaterThan(40);
    // Only the command has this one.
    expect(names.filter((name) => nearest(name, own) !== undefined)).toEqual(['progress']);
  });
});

describe('controls', () => {
  it.each<[object | string, string]>([
    [{ onprogress: () => undefined }, 'the third argument has no "onprogress": did you mean "onProgress"?'],
    [{ singal: new AbortController().signal }, 'the third argument has no "singal": did you mean "signal"?'],
    [{ input_shape: [1, 3, 8, 8] }, 'the third argument has no "input_shape"'],
    [{ extensions: 'ext' }, '"extensions" is in the third argument, and belongs in the second'],
    ['signal', 'the third argument is a string'],
  ])('cannot be %j', async (given, text) => {
    for (const work of [convert, inspect, listPlaces])
      expect(await failure(work(path, {}, any(given)))).toMatchObject({ code: 'MO6002', message: expect.stringContaining(text) });
    expect((await failure(convert(path, {}, any(given)))).message.endsWith(text)).toBe(true);
  });

  it('may be null', async () => {
    expect(await xml(path, {}, any(null))).toBe(await xml(path));
    expect(await listPlaces(path, any(null), any(null))).toEqual(await listPlaces(path));
    await prepare(any(null));
  });

  it.each<[object, string]>([[{ onProgress: 5 }, 'onProgress is a number'], [{ signal: 'stop' }, 'signal is a string'], [{ signal: new AbortController() }, 'signal is an object']])('cannot be %j', async (controls, text) => {
    expect(await failure(convert(path, {}, any(controls)))).toMatchObject({ code: 'MO6002', message: expect.stringContaining(text) });
    expect(await failure(run([path], any(controls)))).toMatchObject({ code: 'MO6002' });
  });

  it('that throw are the cause, and nothing of ours', async () => {
    const own = new RangeError('own');
    const error = await failure(convert(path, {}, { onProgress: () => { throw own; } }));
    expect(error).toMatchObject({ message: 'MO7004 onProgress has failed: own', hint: 'the function that you gave has thrown it' });
    expect(error.cause).toBe(own);
  });
});

describe('writeTo', () => {
  it.each([undefined, null, 5, new URL('https://example.com/x.bin')])('cannot write to %s', async (target) => {
    const { bin } = await convert(path);
    expect(await failure(bin.writeTo(any(target)))).toMatchObject({ code: 'MO6002' });
    await bin.close();
  });
});

it('a folder says what to give instead', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'onnx'));
  writeFileSync(join(folder, 'onnx/model.onnx'), convNet);
  expect(await failure(convert(folder))).toMatchObject({ code: 'MO6007', hint: `a model is in it: ${basename(folder)}/onnx/model.onnx` });
  writeFileSync(join(folder, 'onnx/model.onnx'), 'no model');
  renameSync(join(folder, 'onnx/model.onnx'), join(folder, 'onnx/notes.txt'));
  expect(await failure(convert(folder))).toMatchObject({ code: 'MO6007', hint: "name the model's file in it" });
});
