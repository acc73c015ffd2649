/** Networks of Kaldi in the package, with the bytes of the native converter; extensions and skeletons of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect, it, test } from 'vitest';

import { convert } from '../../dist/library/node/node.js';
import { Anonymous } from '../../web/report/anonymous.js';
import { kaldiSkeleton } from '../../web/skeleton/kaldi/skeleton.js';
import { folder, type Files } from './extension_support.js';
import { acousticModel, splicedNetwork, written, type Mode } from './kaldi_models.js';
import { hash, nativeFiles, runNode, temporaryFolder } from './support.js';

const MODES: readonly Mode[] = ['binary', 'text'];
const MODELS = { 'final.mdl': acousticModel, 'final.nnet': splicedNetwork } as const;
const own = (xml: string) => xml.replace('mo-native', 'mo-wasm');

function put(files: Readonly<Record<string, Uint8Array>>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

it.each(MODES.flatMap((mode) => Object.entries(MODELS).map(([name, make]) => [mode, name, make(mode)] as const)))('has the bytes of the native converter: %s, %s', async (_, name, content) => {
  const path = join(put({ [name]: content }), name);
  const { xml, bin } = await convert(path, { model_name: 'm' });
  const wanted = nativeFiles(path, ['--compress_to_fp16=False'], 'm');
  expect(own(xml)).toBe(own(wanted.xml));
  expect(hash(new Uint8Array(await new Response(bin.stream()).arrayBuffer()))).toBe(wanted.bin);
  await bin.close();
  const out = temporaryFolder();
  expect(runNode(['--framework', 'kaldi', path, '-n', 'm', '-o', out, '--compress_to_fp16=False'], out)).toMatchObject({ code: 0 });
  expect(hash(readFileSync(join(out, 'm.bin')))).toBe(wanted.bin);
});

it('a folder as Vosk ships it has its network in am/', () => {
  const root = put({
    'vosk-model-small/am/final.mdl': acousticModel('binary'), 'vosk-model-small/conf/mfcc.conf': Buffer.from('--num-ceps=40\n'), 'vosk-model-small/graph/HCLr.fst': Buffer.from('\xd6\xfd\xb2\x7e', 'latin1'),
    'vosk-model-small/ivector/final.ie': Buffer.from('\0B<IvectorExtractor> '),
  });
  const out = temporaryFolder();
  expect(runNode([join(root, 'vosk-model-small'), '-o', out, '-n', 'm'], out)).toMatchObject({ code: 0 });
  expect(hash(readFileSync(join(out, 'm.bin')))).toBe(nativeFiles(join(root, 'vosk-model-small'), [], 'm').bin);
});

/** A network whose component only a fork of Kaldi has: y = slope * x + shift. */
const forked = (type: string, mode: Mode) => written([
  '<Nnet3>', '\n', 'input-node name=input dim=2\n', 'component-node name=mine component=mine input=input\n', 'output-node name=output input=mine\n', '\n', '<NumComponents>', { int: 1 },
  '<ComponentName>', 'mine', `<${type}>`, '<Dim>', { int: 2 }, '<Slope>', { float: 0.25 }, '<TestMode>', { bool: true }, '<Context>', { ints: [-1, 0, 1] }, '<Shift>', { vector: [0.5, -1.5] }, `</${type}>`, '</Nnet3>',
], mode);
const extractor = (type: string): Files => ({ 'front/kaldi/mine.js': `import { FrontExtractorOp, Op, log } from '@mo/wasm/extension';
export class Mine extends Op {
  static op = 'Mine'; static type = 'Mine'; static version = 'mine';
  static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
  static supportedAttrs() { return ['slope', 'context']; }
}
export class MineExtractor extends FrontExtractorOp {
  static op = '${type}'; static enabled = true;
  static extract(node) {
    const { pb } = node;
    log.warn('Probe=' + JSON.stringify([pb.framework, pb.opType, pb.name, ...['Dim', 'TestMode'].map((name) => pb.attribute(name))]));
    Mine.updateNodeStat(node, { slope: pb.attribute('Slope'), context: pb.attribute('Context') });
    return true;
  }
}` });

test('E-19 an extractor of front/kaldi/ serves a component that a text has, natively and in Node with the same bytes', async () => {
  const path = join(put({ 'final.raw': forked('MineComponent', 'text') }), 'final.raw');
  await expect(convert(path)).rejects.toMatchObject({ messages: [{ code: 'MO2001', op: 'MineComponent', node: 'mine' }] });
  const extensions = folder(extractor('MineComponent'));
  const { xml, bin, warnings } = await convert(path, { extensions });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe=["kaldi","MineComponent","mine",2,true]')]);
  expect(xml).toMatch(/name="mine" type="Mine" version="mine">\s*<data slope="0.25" context="-1, ?0, ?1" \/>/);
  expect(own(nativeFiles(path, ['--extensions', extensions, '--compress_to_fp16=False'], 'final').xml)).toBe(own(xml));
});

test('E-19 a binary file cannot be read behind a component that nothing is known of', async () => {
  const path = join(put({ 'final.raw': forked('MineComponent', 'binary') }), 'final.raw');
  await expect(convert(path, { extensions: folder(extractor('MineComponent')) })).rejects.toMatchObject({ messages: [{ code: 'MO2001', op: 'MineComponent' }] });
});

test('E-19 an extractor serves a component that is known and refused, and one that is read', async () => {
  const refused = written([
    '<Nnet3>', '\n', 'input-node name=input dim=4\n', 'component-node name=d component=d input=input\n', 'output-node name=output input=d\n', '\n', '<NumComponents>', { int: 1 },
    '<ComponentName>', 'd', '<DistributeComponent>', '<InputDim>', { int: 4 }, '<OutputDim>', { int: 2 }, '</DistributeComponent>', '</Nnet3>',
  ], 'binary');
  const path = join(put({ 'final.raw': refused, 'final.nnet': splicedNetwork('binary') }), 'final.raw');
  await expect(convert(path)).rejects.toMatchObject({ messages: [{ code: 'MO2001', op: 'DistributeComponent' }] });
  const code = (type: string, becomes: string): Files => ({ 'front/kaldi/d.js': `import { FrontExtractorOp, ops } from '@mo/wasm/extension';
    export class D extends FrontExtractorOp { static op = '${type}'; static enabled = true;
      static extract(node) { ops.updateNodeStat('${becomes}', node); return true; } }` });
  const types = (xml: string) => Array.from(xml.matchAll(/<layer [^>]*type="(\w+)"/g), ([, type]) => type);
  const served = await convert(path, { extensions: code('DistributeComponent', 'Sigmoid') });
  await served.bin.close();
  expect(types(served.xml)).toEqual(['Parameter', 'Sigmoid', 'Result']);
  const replaced = await convert(join(dirname(path), 'final.nnet'), { extensions: code('AffineTransform', 'Tanh') });
  await replaced.bin.close();
  expect(types(replaced.xml)).toContain('Tanh');
  expect(types(replaced.xml)).not.toContain('MatMul');
});

test('J-02 a transformations configuration is refused', async () => {
  const path = join(put({ 'final.nnet': splicedNetwork('text') }), 'final.nnet');
  const options = { transformations_config: JSON.stringify([{ id: 'Mine', match_kind: 'general', custom_attributes: {} }]) };
  await expect(convert(path, options)).rejects.toMatchObject({ messages: [{ code: 'MO6054', text: expect.stringContaining('kaldi') }] });
});

async function skeletonOf(content: Uint8Array, path: string): Promise<Buffer> {
  const made = await kaldiSkeleton({ main: { path, file: new Blob([content as BlobPart]) }, files: [], messages: [] }, new Anonymous(new Set(), new Set()));
  return inflateRawSync(Buffer.from(await made.packed.content.arrayBuffer()));
}

it.each(MODES.flatMap((mode) => Object.entries(MODELS).map(([name, make]) => [mode, name, make(mode)] as const)))('a skeleton converts to the same layers: %s, %s', async (_, name, content) => {
  const layers = async (bytes: Uint8Array) => {
    const { xml, bin } = await convert(bytes);
    await bin.close();
    return xml.replaceAll(/ (?:name|names|variable_id|offset)="[^"]*"/g, '');
  };
  expect(await layers(await skeletonOf(content, name))).toBe(await layers(content));
});

it.each(MODES)('a skeleton fails as the model does: %s', async (mode) => {
  const model = forked('MineComponent', mode);
  const failure = async (bytes: Uint8Array) => convert(bytes).then(() => [], (error) => error.messages.map(({ code, op }: { code: string; op: string }) => [code, op]));
  expect(await failure(model)).toEqual([['MO2001', 'MineComponent']]);
  expect(await failure(await skeletonOf(model, 'a.raw'))).toEqual(await failure(model));
  // Where a file ends, and where a size is wrong.
  const whole = acousticModel(mode);
  const at = whole.indexOf('<LinearParams>');
  const damaged = Buffer.from(whole);
  if (mode === 'binary') damaged.writeInt32LE(1 << 30, at + '<LinearParams> FM .'.length);
  for (const bytes of [whole.subarray(0, at + 50), damaged]) expect(await failure(await skeletonOf(bytes, 'a.mdl'))).toEqual(await failure(bytes));
});
