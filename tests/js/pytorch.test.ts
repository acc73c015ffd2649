/** Programs of PyTorch in the package: the same bytes as natively, and extensions for their operators. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

import { convert, findModels } from '../../dist/library/node/node.js';
import { folder, type Files } from './extension_support.js';
import { packaged, pytorchArchive, pytorchProgram, several } from './pytorch_writer.js';
import { nativeFiles, temporaryFolder } from './support.js';

const written = (content: Buffer) => {
  const path = join(temporaryFolder(), 'net.pt2');
  writeFileSync(path, content);
  return path;
};
const extractor: Files = { 'front/pytorch/shrink.js': `import { FrontExtractorOp, log, ops } from '@mo/wasm/extension';
export class Shrink extends FrontExtractorOp {
  static op = 'my_shrink';
  static enabled = true;
  static extract(node) {
    log.warn('Probe=' + JSON.stringify([node.name, node.pb.domain, node.graph.framework]));
    ops.updateNodeStat('Shrink', node, { lambd: 0.25, bias: 0 });
    return true;
  }
}` };

test('a program gives the same bytes natively and in Node', async () => {
  const path = written(pytorchArchive());
  const { xml, bin } = await convert(path);
  await bin.close();
  expect(nativeFiles(path, ['--compress_to_fp16=False'], 'net').xml.replace('mo-native', 'mo-wasm')).toBe(xml.replace('mo-native', 'mo-wasm'));
  expect(xml).toContain('names="logits,y"');
  expect(xml).not.toContain('secret');
});

test('an extractor of front/pytorch/ reads an operator, natively and in Node with the same bytes', async () => {
  const path = written(pytorchArchive(pytorchProgram('my_shrink.default')));
  await expect(convert(path)).rejects.toMatchObject({ messages: [{ code: 'MO2001', op: 'my_shrink', node: 'block.act/y' }] });
  const extensions = folder(extractor);
  const { xml, bin, warnings } = await convert(path, { extensions });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('Probe=["block.act/y","aten","pytorch"]')]);
  expect(nativeFiles(path, ['--extensions', extensions, '--compress_to_fp16=False'], 'net').xml.replace('mo-native', 'mo-wasm')).toBe(xml.replace('mo-native', 'mo-wasm'));
});

test('of several programs option model_name chooses one, and the names are known before', async () => {
  const path = written(several());
  await expect(convert(path)).rejects.toMatchObject({ messages: [{ code: 'MO6007', text: expect.stringContaining('"net.pt2" has 2 models: decoder, encoder'), hint: 'name one with --model_name' }] });
  const { xml, bin } = await convert(path, { model_name: 'decoder' });
  await bin.close();
  expect(nativeFiles(path, ['--compress_to_fp16=False', '--model_name', 'decoder'], 'decoder').xml.replace('mo-native', 'mo-wasm')).toBe(xml.replace('mo-native', 'mo-wasm'));
  const { models } = await findModels(dirname(path));
  expect(models.map(({ main, companions }) => [main, companions.map(({ option, candidates }) => [option, candidates])])).toEqual([['net.pt2', [['model_name', ['decoder', 'encoder']]]]]);
});

test('a program that was packed again gives the same bytes', async () => {
  const stored = await convert(written(pytorchArchive()), { model_name: 'net' });
  const packed = await convert(written(pytorchArchive(pytorchProgram(), [], 8)), { model_name: 'net' });
  expect(packed.xml).toBe(stored.xml);
  await stored.bin.close();
  await packed.bin.close();
});

test('a package of AOTInductor is named', async () => {
  await expect(convert(written(packaged()))).rejects.toMatchObject({ messages: [{ text: expect.stringContaining('AOTInductor') }] });
});
