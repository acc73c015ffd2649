/** verify() and compare() of the library: what the commands say, as data. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, convert, MoError, verify } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { modelFolder, root } from './support.js';

const folder = modelFolder();
const cli = join(root, 'dist/library/node/cli.js');
const native = join(root, 'build/native/mo');
const at = (name: string): string => join(folder, name);
const pair = (name: string) => ({ main: { path: `${name}.xml`, file: readFileSync(at(`${name}.xml`)) }, files: [{ path: `${name}.bin`, file: readFileSync(at(`${name}.bin`)) }] });

/** The line of --json of each command that is there. */
function commands(...line: string[]): Record<string, unknown>[] {
  const programs = [[process.execPath, cli], ...(existsSync(native) ? [[native]] : [])];
  return programs.map(([program, ...before]) => JSON.parse(spawnSync(program!, [...before, ...line, '--json'], { encoding: 'utf8' }).stdout) as Record<string, unknown>);
}

async function save(name: string, model: string, options = {}): Promise<void> {
  const { xml, bin } = await convert(at(model), options);
  writeFileSync(at(`${name}.xml`), xml);
  await bin.writeTo(at(`${name}.bin`));
}

beforeAll(async () => {
  await save('conv', 'conv.onnx');
  await save('half', 'conv.onnx', { compress_to_fp16: true });
  const text = readFileSync(at('conv.xml'), 'utf8');
  writeFileSync(at('wrong.xml'), text.replace('strides="1, 1"', 'strides="one"'));
  writeFileSync(at('wrong.bin'), readFileSync(at('conv.bin')));
  writeFileSync(at('none.xml'), '<mesh/>');
});

describe('verify()', () => {
  it.each([true, false])('says that an IR is right, and what it is (worker: %s)', async (worker) => {
    const found = await verify(at('conv.xml'), { worker });
    expect(found).toMatchObject({ ok: true, name: 'conv', version: 11, operations: { Convolution: 1, Result: 1 }, messages: [] });
    expect(found.bin_bytes).toBe(readFileSync(at('conv.bin')).length);
  });

  it('says what the commands say', async () => {
    for (const name of ['conv', 'wrong']) {
      const { messages, ...found } = await verify(at(`${name}.xml`));
      for (const { model, messages: told, ...same } of commands('--verify', at(`${name}.xml`))) {
        expect(same).toEqual(found);
        expect((told as unknown[]).length, String(model)).toBe(messages.length);
      }
    }
  });

  it('takes files as convert() does', async () => {
    expect(await verify(pair('conv'))).toEqual(await verify(at('conv.xml')));
    const { ok, messages } = await verify({ main: { path: 'conv.xml', file: readFileSync(at('conv.xml')) }, files: [] });
    expect([ok, messages[0]!.code]).toEqual([false, 'MO5010']);
  });

  it.each([true, false])('says what the graph is, where it is asked for (worker: %s)', async (worker) => {
    const { graph, ...rest } = await verify(at('conv.xml'), { graph: true, worker });
    expect(await verify(at('conv.xml'), { worker })).toEqual(rest);
    const { nodes } = graph!;
    expect(nodes.length).toBe(rest.layers);
    const convolution = nodes.find(({ op }) => op === 'Convolution')!;
    const [id, output] = convolution.in![0]!;
    expect([nodes[id]!.op, output, nodes[id]!.out![0]]).toEqual(['Parameter', 0, { shape: rest.inputs[0]!.shape, type: rest.inputs[0]!.type, names: rest.inputs[0]!.names }]);
    expect(convolution).toMatchObject({ version: 'opset1', attributes: { strides: '1, 1', auto_pad: 'explicit' } });
    const lines = readFileSync(at('conv.xml'), 'utf8').split('\n');
    for (const { name, layer, line } of nodes) expect(lines[line - 1]).toContain(`<layer id="${layer}" name="${name}"`);
  });

  it('names what is wrong', async () => {
    const { ok, messages } = await verify(at('wrong.xml'));
    expect([ok, messages.map(({ code, op }) => [code, op])]).toEqual([false, [['MO5010', 'Convolution']]]);
  });

  it('refuses what is no IR', async () => {
    await expect(verify(at('none.xml'))).rejects.toMatchObject({ code: 'MO5011' });
    await expect(verify(at('none.xml'))).rejects.toBeInstanceOf(MoError);
    await expect(verify(at('conv.xml'), { input: 'x' } as object)).rejects.toMatchObject({ code: 'MO6002' });
  });
});

describe('compare()', () => {
  it.each([true, false])('says that IRs are the same (worker: %s)', async (worker) => {
    const found = await compare(at('conv.xml'), at('conv.xml'), { hash: true, worker });
    expect(found).toMatchObject({ same: true, contents: true, matched: { by_structure: 0 }, counts: {}, differences: [] });
    expect(found.constants).toBeGreaterThan(0);
  });

  it('says what the commands say', async () => {
    for (const hash of [false, true]) {
      const { text, ...found } = await compare(at('conv.xml'), at('half.xml'), { hash });
      expect(found).toMatchObject({ same: false, contents: hash });
      expect(Object.keys(found.counts)).toEqual(['constant']);
      expect(text).toContain('types and shapes of constants: ');
      for (const { a, b, ok, messages, ...same } of commands('--compare', at('conv.xml'), at('half.xml'), ...(hash ? ['--hash'] : []))) {
        expect(same).toEqual(found);
        expect([a, b, ok, messages]).toEqual([at('conv.xml'), at('half.xml'), true, []]);
      }
    }
  });

  it('takes files of one name', async () => {
    const found = await compare(pair('conv'), { ...pair('conv') }, { hash: true });
    expect(found.same).toBe(true);
  });

  it('names a difference', async () => {
    const { differences } = await compare(at('conv.xml'), at('wrong.xml'));
    expect(differences).toEqual([{ kind: 'attribute', names: [expect.any(String), expect.any(String)], type: 'Convolution', body: '', what: 'strides', values: ['1, 1', 'one'] }]);
  });

  it('refuses what cannot be read, by its name', async () => {
    await expect(compare(at('conv.xml'), at('none.xml'))).rejects.toMatchObject({ code: 'MO5011', messages: [{ file: 'none.xml' }] });
    await expect(compare({ main: { path: 'conv.xml', file: readFileSync(at('conv.xml')) }, files: [] }, at('conv.xml'), { hash: true })).rejects.toMatchObject({ code: 'MO1006' });
  });
});
