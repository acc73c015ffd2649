/** The package as users get it: packed, installed without a network in an empty folder, run and imported there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';

import { fileMissing, notStarted, processEnded, unreadable, type Message } from '../../dist/library/shared/messages.js';
import { asTemplate } from '../../dist/library/shared/msg.js';
import { notices } from '../../scripts/notices.mjs';
import { filesUrl, packed, withWholeLinks } from '../../scripts/pack-readme.mjs';

import { allFiles, installPackage, listing, modelFolder, nativeFiles, packPackage, root, temporaryFolder } from './support.js';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const models = modelFolder();
const folder = temporaryFolder();

beforeAll(() => installPackage(folder));

const mo = (...args: string[]) => spawnSync(join(folder, 'node_modules/.bin/mo'), args, { cwd: models, encoding: 'utf8' });

describe('the installed package', () => {
  it('depends on nothing', () => {
    expect(listing(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@mo']);
    const installed = JSON.parse(readFileSync(join(folder, 'node_modules/@mo/wasm/package.json'), 'utf8')) as { scripts: object; dependencies?: object };
    expect(installed.dependencies).toBeUndefined();
    expect(Object.keys(installed.scripts).filter((name) => /install|prepare$/.test(name))).toEqual([]);
  });

  it('is not larger than 2.3 MB as it is published, and 6 MB as it is installed', () => {
    const installed = join(folder, 'node_modules/@mo/wasm');
    const sizes = allFiles(installed).map((path) => statSync(join(installed, path)).size);
    expect(statSync(packPackage(temporaryFolder())).size).toBeLessThan(2_300_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(6_000_000);
  });

  it('does nothing when it is imported or required', () => {
    const entries = ['.', './node', './browser', './cli', './report'].map((entry) => join('@mo/wasm', entry));
    writeFileSync(join(folder, 'quiet.cjs'), `
      const before = [Object.keys(globalThis).join(), process.listenerCount('exit')];
      (async () => {
        for (const entry of ${JSON.stringify(entries)}) {
          const required = require(entry);
          const { default: _, ...imported } = await import(entry);
          const names = (module) => Object.keys(module).filter((name) => name !== 'module.exports').sort().join();
          if (names(required) !== names(imported)) throw new Error(entry + ': ' + names(required) + ' is not ' + names(imported));
        }
        const resources = process.getActiveResourcesInfo().filter((name) => /Worker|Message|Time|Process/.test(name));
        console.log(JSON.stringify([before.join() === [Object.keys(globalThis).join(), process.listenerCount('exit')].join(), resources]));
      })();`);
    expect(execFileSync(process.execPath, ['quiet.cjs'], { cwd: folder, encoding: 'utf8' })).toBe('[true,[]]\n');
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
    expect(listing(shipped)).toEqual(['detection.md', 'examples', 'extending.md', 'internal-operations.md', 'migrate-extensions.md', 'mo.1', 'options.md']);
    const { status, stdout } = mo('--list_transforms', '--extensions', join(shipped, 'examples/extensions/swish'));
    expect(status).toBe(0);
    expect(stdout).toMatch(/ FuseSwish +enabled/);
    // What its documents lead to is in the package or, as the sources of built-in classes, where the repository is shown.
    expect(listing(join(shipped, 'examples'))).toEqual(['commands.sh', 'convert.mjs', 'cpp', 'extensions', 'make_models.py', 'typescript']);
    for (const name of listing(shipped).filter((one) => one.endsWith('.md'))) {
      const text = packed(`docs/${name}`, readFileSync(join(root, 'docs', name), 'utf8'));
      for (const [, link] of text.matchAll(/\]\((?!#)([^)#]+)[^)]*\)/g)) {
        const url = `${filesUrl(manifest)}/`;
        if (link!.startsWith(url)) expect(existsSync(join(root, link!.slice(url.length))), link).toBe(true);
        else expect(/^https?:/.test(link!) || existsSync(join(shipped, link!)), `${name}: ${link}`).toBe(true);
      }
    }
    const guide = packed('docs/extending.md', readFileSync(join(root, 'docs/extending.md'), 'utf8'));
    for (const folder of ['ops', 'middle', 'back', 'graph']) expect(guide).toContain(`](${filesUrl(manifest)}/core/${folder}/)`);
  });

  it('has each document that a hint names', () => {
    const installed = join(folder, 'node_modules/@mo/wasm');
    const sources = [['core', /\.(cpp|h|def)$/], ['wasm', /\.ts$/]] as const;
    const named = new Set(sources.flatMap(([from, ending]) => readdirSync(join(root, from), { recursive: true, encoding: 'utf8' })
      .filter((path) => ending.test(path) && !path.includes('node_modules'))
      .flatMap((path) => readFileSync(join(root, from, path), 'utf8').split('\n').filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
        .flatMap((line) => line.replace(/\/\/ .*$/, '').match(/\b(?:docs\/[\w/-]+|README|CHANGELOG)\.md\b/g) ?? []))));
    expect(named.size).toBeGreaterThan(4);
    expect([...named].filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).toMatch(/^#+ In bundlers$/m);
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

  /** What TypeScript says about files of the folder. */
  const compile = (...args: string[]): { status: number | null; said: string } => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '--noEmit', '--strict', '--target', 'es2022', ...types, ...args], { cwd: folder, encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  const nothing = { status: 0, said: '' };

  it('has types that a strict program compiles with', () => {
    const program = `
      import { convert, inspect, MoError, type HostReader, type Message, type Model, type NodeOptions } from '@mo/wasm';
      import { run, type CommandOptions } from '@mo/wasm/cli';
      import { makeReport, Times } from '@mo/wasm/report';
      const options: NodeOptions = { input_shape: [1, 3, 224, 224], compress_to_fp16: true, worker: false };
      const reader: HostReader = { name: 'model.onnx', size: 3, read: (offset: number, target: Uint8Array): void => void target.fill(offset) };
      const models: Model[] = ['model.onnx', new URL('file:///model.onnx'), new Uint8Array(), new Blob([]), reader, { main: reader, files: [] }];
      export async function main(): Promise<readonly Message[]> {
        try {
          const { xml, bin, report } = await convert('model.onnx', options, { onProgress: ({ phase }) => console.log(phase) });
          await bin.writeTo(report.name + xml.length);
          const text: CommandOptions = { onOutput: (line) => console.log(line.length) };
          const code: number = await run(['--version'], text);
          const times: Times = new Times();
          const made = makeReport({ trace: { steps: [] } as never, result: report, times: times.finish() });
          return (await inspect(models[code]!)).messages.slice(made.steps.length);
        } catch (error) {
          if (error instanceof MoError) return error.messages;
          throw error;
        }
      }
    `;
    for (const name of ['user.ts', 'user.cts', 'bundled.ts']) writeFileSync(join(folder, name), program);
    expect(compile('--module', 'nodenext', 'user.ts', 'user.cts')).toEqual(nothing);
    expect(compile('--module', 'esnext', '--moduleResolution', 'bundler', '--customConditions', 'node', 'bundled.ts')).toEqual(nothing);
  });

  it('has the types of Node where a bundler resolves them, under a name of its own', () => {
    writeFileSync(join(folder, 'route.ts'), `
      import { convert } from '@mo/wasm/node';
      export const GET = async (): Promise<void> => (await convert('model.onnx')).bin.writeTo('model.bin');
    `);
    writeFileSync(join(folder, 'page.ts'), `
      import { convert, type Model } from '@mo/wasm';
      export const save = async (model: Model): Promise<Blob> => (await convert(model)).bin;
    `);
    expect(compile('--module', 'esnext', '--moduleResolution', 'bundler', 'route.ts', 'page.ts')).toEqual(nothing);
  });

  it('pleases publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: join(folder, 'node_modules/@mo/wasm'), strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has types that fit what is imported, whoever resolves it', async () => {
    const packed = createPackageFromTarballData(readFileSync(join(folder, 'mo-wasm-0.1.0.tgz')));
    const files = ['./core.wasm', './extension-frame.html', './package.json'];
    const checked = await checkPackage(packed, { excludeEntrypoints: files });
    // Extensions are modules: nothing can require them, so nothing requires what they import. The oldest resolution knows no entries but the main one.
    const problems = 'problems' in checked ? checked.problems : ['no types'];
    const known = (problem: object): boolean =>
      'resolutionKind' in problem && (problem.resolutionKind === 'node10' ||
        (problem.resolutionKind === 'node16-cjs' && 'entrypoint' in problem && ['./extension', './worker'].includes(String(problem.entrypoint))));
    expect(problems.filter((problem) => !known(problem as object))).toEqual([]);
  });

  it('says where it comes from, and its README leads there', () => {
    const { homepage, bugs, repository, keywords, sideEffects } = manifest;
    const site = repository.url.replace(/^git\+(.*)\.git$/, '$1');
    expect(site).toMatch(/^https:/);
    expect([homepage, bugs.url]).toEqual([`${site}#readme`, `${site}/issues`]);
    expect(keywords).toContain('openvino');
    expect(sideEffects).not.toContain('./dist/library/node/node.js');
    const text = withWholeLinks(readFileSync(join(root, 'README.md'), 'utf8'), filesUrl(manifest));
    const links = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, link]) => link!);
    expect(links.filter((link) => !link.startsWith('https:'))).toEqual([]);
    const own = links.filter((link) => link.startsWith(site)).map((link) => link.slice(`${site}/blob/HEAD/`.length).replace(/#.*/, ''));
    expect(own).toContain('docs/extending.md');
    expect(own.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has its documents changed for the time of packing only', () => {
    const documents = ['README.md', 'docs/extending.md'];
    const texts = () => documents.map((document) => readFileSync(join(root, document), 'utf8'));
    const before = texts();
    const script = join(root, 'scripts/pack-readme.mjs');
    expect(manifest.scripts).toMatchObject({ prepack: expect.stringContaining('pack-readme.mjs'), postpack: expect.stringContaining('pack-readme.mjs --restore') });
    try {
      for (const _ of ['once', 'and after a run that was broken off']) execFileSync(process.execPath, [script]);
      expect(texts()).toEqual(documents.map((document, index) => packed(document, before[index]!)));
      expect(packed('README.md', before[0]!)).toBe(withWholeLinks(before[0]!, filesUrl(manifest)));
    } finally {
      execFileSync(process.execPath, [script, '--restore']);
    }
    expect(texts()).toEqual(before);
  });

  it('names itself and its files', async () => {
    writeFileSync(join(folder, 'names.js'), `
      import manifest from '@mo/wasm/package.json' with { type: 'json' };
      console.log(manifest.name, ['core.wasm', 'worker', 'extension-frame.html'].map((name) => import.meta.resolve('@mo/wasm/' + name)).length);`);
    expect(execFileSync(process.execPath, ['--no-warnings', 'names.js'], { cwd: folder, encoding: 'utf8' })).toBe('@mo/wasm 3\n');
  });

  it('has the notices of those whose work is in it, as has the page', () => {
    const text = readFileSync(join(folder, 'node_modules/@mo/wasm/THIRD_PARTY_NOTICES'), 'utf8');
    for (const name of ['JSON for Modern C++', 'ONNX', 'musl: mathematical', "musl: Emscripten's", 'dlmalloc', 'LLVM compiler-rt', 'LLVM libc++', 'LLVM libc++abi', 'Emscripten', 'es-module-lexer'])
      expect(text).toContain(`- ${name}`);
    for (const holder of ['Niels Lohmann', 'Rich Felker', 'Doug Lea', 'The Emscripten Authors', 'Guy Bedford', 'Apache License'])
      expect(text).toContain(holder);
    const ofPage = readFileSync(join(root, 'build/web/THIRD_PARTY_NOTICES.txt'), 'utf8');
    expect(ofPage.startsWith(text)).toBe(true);
    expect(ofPage).toContain('Gildas Lormeau');
    expect(readFileSync(join(root, 'build/web/index.html'), 'utf8')).toContain('href="./THIRD_PARTY_NOTICES.txt"');
  });
});

describe('a message that no core words', () => {
  const table = readFileSync(join(root, 'docs/errors.md'), 'utf8');

  it.each([
    ['MO7001', unreadable(asTemplate('x'), undefined)], ['MO7005', fileMissing(asTemplate('x'))], ['MO7006', notStarted(asTemplate('x'))], ['MO7007', processEnded(asTemplate('x'))],
  ])('%s is a row of the table', (code, error) => {
    const [{ text, hint }] = error.messages as [Message];
    expect(error.code).toBe(code);
    expect(table).toContain(`| [${code}](errors/${code}.md) | ${text.replace(': x', '')} | ${hint} |`);
  });
});

describe('notices', () => {
  it('are not made of a library that nobody has named', () => {
    const inputs = 'CMakeFiles/core.dir/bindings.cpp.o\nlibmo_core.a\nlibmo_core.a(unity_1_cxx.cxx.o)\n/usr/lib/libunheard.a\n/usr/lib/libunheard.a(x.o)\n';
    expect(() => notices(inputs)).toThrow('libunheard');
    expect(() => notices('')).toThrow('names nothing of ours');
  });
});
