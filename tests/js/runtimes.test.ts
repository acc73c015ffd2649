/** The installed package in the runtimes that people run it in, imported and required. scripts/setup.sh brings them. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

import { unpackPackage, modelFolder, nativeFiles, root, temporaryFolder } from './support.js';

const found = (path: string) => join(root, 'build/runtimes/node_modules', path);
const RUNTIMES: [name: string, program: string, args: string[]][] = [
  ...['20', '22', '24', '26'].map((version): [string, string, string[]] => [`Node ${version}`, found(`node-${version}/bin/node`), []]),
  ['Deno', found('@deno/linux-x64-glibc/deno'), ['run', '--quiet', '--no-remote', '--allow-all']],
  ['Bun', found('@oven/bun-linux-x64/bin/bun'), []],
];

const EXTENSION = `
import { FrontReplacementOp, ops } from '@mo/wasm/extension';
export default class TanhForReLU extends FrontReplacementOp {
  static op = 'ReLU';
  replaceOp(graph, node) {
    return ops.create(graph, 'Tanh', { name: node.name + '/tanh' }, [node.inPort(0).getSource()]);
  }
}
`;

/** What a user's program does; it is the same for both ways to load the package. */
const USER = `
const { createHash } = require('node:crypto');
const { createReadStream, mkdtempSync, openSync, readFileSync, readSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { tmpdir } = require('node:os');
const [, , model, folder] = process.argv;
const same = { model_name: 'same' };
const descriptor = openSync(model, 'r');
const reader = { name: 'conv.onnx', size: statSync(model).size, read: (offset, target) => void readSync(descriptor, target, 0, target.length, offset) };
const hash = async (bin) => {
  const made = createHash('sha256');
  for await (const piece of bin.stream()) made.update(piece);
  return made.digest('hex');
};
const files = async (given, options) => {
  const { xml, bin } = await mo.convert(given, { ...same, ...options });
  return { xml, bin: await hash(bin) };
};
const failure = await mo.convert(join(folder, 'none.onnx')).catch((error) => error);
let printed = '';
const code = await cli.run([model, '-o', folder, '-n', 'same', '--compress_to_fp16=False'], { onOutput: (text) => (printed += text) });
console.log(JSON.stringify({
  made: [
    await files(model), await files(new Uint8Array(readFileSync(model))), await files(createReadStream(model)), await files(model, { worker: false }),
    await files(reader), { xml: readFileSync(join(folder, 'same.xml'), 'utf8'), bin: createHash('sha256').update(readFileSync(join(folder, 'same.bin'))).digest('hex') },
  ],
  extended: (await mo.convert(model, { extensions: { 'front/onnx/tanh.js': extension } })).report.operations.Tanh,
  failure: [failure instanceof mo.MoError, failure.code, failure.hint !== ''],
  command: [code, printed.includes('Generated IR version 11 model.')],
}));
`;

const models = modelFolder();
const model = join(models, 'conv.onnx');
const expected = nativeFiles(model, ['--compress_to_fp16=False']);
const project = temporaryFolder();

beforeAll(() => {
  unpackPackage(project);
  const extension = `const extension = ${JSON.stringify(EXTENSION)};`;
  writeFileSync(join(project, 'user.mjs'), `
    import { createRequire } from 'node:module';
    import * as mo from '@mo/wasm';
    import * as cli from '@mo/wasm/cli';
    const require = createRequire(import.meta.url);
    ${extension}\n${USER}`);
  writeFileSync(join(project, 'user.cjs'), `
    const mo = require('@mo/wasm');
    const cli = require('@mo/wasm/cli');
    ${extension}
    (async () => {${USER}})();`);
});

describe.each(RUNTIMES)('%s', (_name, program, args) => {
  it.each(['user.mjs', 'user.cjs'])('converts, with an extension, from %s', async (script) => {
    const { stdout } = await promisify(execFile)(program, [...args, script, model, temporaryFolder()], { cwd: project });
    const { made, ...rest } = JSON.parse(stdout) as { made: unknown[] };
    expect(made).toEqual(Array.from({ length: 6 }, () => expected));
    expect(rest).toEqual({ extended: 1, failure: [true, 'MO6007', true], command: [0, true] });
  });
});
