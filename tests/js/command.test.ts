/** `@mo/wasm/cli`: the command line from JavaScript. */
import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, MoError, type CommandOptions } from '@mo/wasm/cli';
import { describe, expect, it } from 'vitest';

import { convNet } from './models.js';
import { hash, listing, modelFolder, nativeFiles, root, runNative, temporaryFolder } from './support.js';

const models = modelFolder();

async function outcome(args: string[], options: CommandOptions = {}) {
  const printed = { stdout: '', stderr: '' };
  const code = await run(args, {
    cwd: models,
    onOutput: (text) => void (printed.stdout += text),
    onErrors: (text) => void (printed.stderr += text),
    ...options,
  });
  return { code, ...printed };
}

describe('a command line', () => {
  it.each([
    [0, ['conv.onnx', '-o', temporaryFolder()]],
    [0, ['--version']],
    [1, ['garbage.onnx']],
    [1, ['unknown.onnx', 'conv.onnx', '-o', temporaryFolder(), '--json']],
    [2, ['none.onnx']],
    [2, ['--colour', 'red']],
  ])('has the exit code %i and the lines of the native command: %j', async (code, args) => {
    const said = await outcome(args);
    expect(said.code).toBe(code);
    expect(said).toEqual(runNative(args, models));
  });

  it('takes a model, a folder and variables', async () => {
    const expected = nativeFiles(join(models, 'conv.onnx'));
    const bytes = Uint8Array.from(convNet);
    for (const input of [bytes, new Blob([bytes]), new Blob([bytes]).stream(), createReadStream(join(models, 'conv.onnx'))]) {
      const folder = temporaryFolder();
      expect(await outcome(['-', '-n', 'same'], { cwd: pathToFileURL(folder), input: input as Uint8Array })).toMatchObject({ code: 0, stderr: '' });
      expect(listing(folder)).toEqual(['same.bin', 'same.xml']);
      expect({ xml: readFileSync(join(folder, 'same.xml'), 'utf8'), bin: hash(readFileSync(join(folder, 'same.bin'))) }).toEqual(expected);
    }
    const listed = await outcome(['--list_transforms'], { env: { MO_DISABLED_TRANSFORMS: 'SwishFusion' } });
    expect(listed.stdout).toMatch(/SwishFusion +disabled/);
  });

  it('prints where its caller prints', () => {
    const script = join(temporaryFolder(), 'user.mjs');
    writeFileSync(script, `
      import { run } from ${JSON.stringify(pathToFileURL(join(root, 'dist/library/node/command.js')).href)};
      console.log(await run(['--version']));`);
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toMatch(/^mo \S+\n0\n$/);
  });

  it('ends with the signal', async () => {
    const control = new AbortController();
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => setTimeout(() => control.abort('enough'), 100)) });
    await expect(outcome(['-', '-o', temporaryFolder()], { input: silent, signal: control.signal })).rejects.toBe('enough');
    await expect(outcome(['--version'], { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  });

  it.each<[string, string, string[], CommandOptions]>([
    ['a function of the caller throws', 'MO7004', ['--version'], { onOutput: () => { throw new Error('of the caller'); } }],
    ['its input breaks off', 'MO7001', ['-'], { input: new ReadableStream({ start: (controller) => controller.error(new Error('cut off')) }) }],
    ['its folder is not there', 'MO7004', ['--version'], { cwd: '/none' }],
    ['something ends it', 'MO7007', ['-'], { input: new ReadableStream(), env: { NODE_OPTIONS: `--import=data:text/javascript,process.kill(process.pid,'SIGKILL')` } }],
  ])('rejects with an error of ours when %s', async (_, code, args, options) => {
    const error = await outcome(args, options).then(() => undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(MoError);
    expect(error).toMatchObject({ code });
  });
});
