/** The package as users get it: packed, installed without a network in an empty folder, run and imported there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { installPackage, listing, modelFolder, nativeFiles, root, temporaryFolder } from './support.js';

const models = modelFolder();
const folder = temporaryFolder();

beforeAll(() => installPackage(folder));

const mo = (...args: string[]) => spawnSync(join(folder, 'node_modules/.bin/mo'), args, { cwd: models, encoding: 'utf8' });

describe('the installed package', () => {
  it('depends on nothing', () => {
    expect(listing(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@mo']);
  });

  it('converts from the command line', () => {
    const { status, stdout } = mo('conv.onnx', '-o', join(folder, 'ir'));
    expect(status).toBe(0);
    expect(stdout).toContain('[ SUCCESS ] Generated IR version 11 model.');
    expect(listing(join(folder, 'ir'))).toEqual(['conv.bin', 'conv.xml']);
  });

  it('fails from the command line', () => {
    const { status, stdout, stderr } = mo('garbage.onnx');
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^\[ ERROR \] {2}MO1002 /);
  });

  it('X-11 comes with the examples of extensions, which work from there', () => {
    const shipped = join(folder, 'node_modules/@mo/wasm/docs');
    expect(listing(shipped)).toEqual(['examples', 'extending.md']);
    const { status, stdout } = mo('--list_transforms', '--extensions', join(shipped, 'examples/extensions/swish'));
    expect(status).toBe(0);
    expect(stdout).toMatch(/ FuseSwish +enabled/);
  });

  it('is imported by its name', () => {
    writeFileSync(join(folder, 'user.js'), `
      import { createHash } from 'node:crypto';
      import { convert, MoError } from '@mo/wasm';
      const [, , model] = process.argv;
      const { xml, bin } = await convert(model, { model_name: 'same' });
      const hash = createHash('sha256');
      for await (const piece of bin.stream()) hash.update(piece);
      console.log(JSON.stringify({ xml, bin: hash.digest('hex'), error: typeof MoError }));
    `);
    const model = join(models, 'dense.onnx');
    const seen = JSON.parse(execFileSync(process.execPath, ['user.js', model], { cwd: folder, encoding: 'utf8' })) as object;
    expect(seen).toEqual({ ...nativeFiles(model, ['--compress_to_fp16=False']), error: 'function' });
  });

  it('has types that a strict program compiles with', () => {
    writeFileSync(join(folder, 'user.ts'), `
      import { convert, MoError, type Message, type Options } from '@mo/wasm';
      const options: Options = { input_shape: [1, 3, 224, 224], compress_to_fp16: true };
      export async function main(): Promise<readonly Message[]> {
        try {
          const { xml, bin, report } = await convert('model.onnx', options, { onProgress: ({ phase }) => console.log(phase) });
          await bin.writeTo(report.name + xml.length);
          return [];
        } catch (error) {
          if (error instanceof MoError) return error.messages;
          throw error;
        }
      }
    `);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const { stdout } = spawnSync(
      process.execPath, [tsc, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', ...types, 'user.ts'],
      { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});
