/** Extensions in the native command against Node's: the same files, the same messages, whatever an extension does. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { diamond, fooNet, wrongNodes, wrongPad, type Files } from './extension_support.js';
import { longNet } from './models.js';
import { writeOnnx } from './onnx_writer.js';
import { T, textBytes, tfInput, tfNode } from './tf_writer.js';
import { hash, listing, root, runNative, runNode, temporaryFolder, type Outcome } from './support.js';

const examples = join(root, 'docs/examples');
const place = temporaryFolder();

beforeAll(() => {
  const made = spawnSync(join(root, '.venv/bin/python'), [join(examples, 'make_models.py'), place], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  writeFileSync(join(place, 'm.onnx'), writeOnnx(diamond));
  writeFileSync(join(place, 'foo.onnx'), writeOnnx(fooNet));
});

/** Built-in transformations that would do an example's work. */
const ALONE: Readonly<Record<string, string>> = {
  swish: 'SwishFusion', mish: 'MishFusion,SoftplusFusion', l2_norm: 'L2NormToNorm', relu_reorder: 'ShufflenetReLUReorder', normalize_l2: 'NormalizeToNormalizeL2',
};
const config = (folder: string, file: string) => ['--transformations_config', join(examples, 'extensions', folder, file)];
/** Folder, models, more arguments. */
const EXAMPLES: [folder: string, models: string[], args?: string[]][] = [
  ['constant_extractor', ['constant_extractor', 'constant_extractor.pbtxt']],
  ['custom_op', ['custom_op', 'custom_op.pbtxt']],
  ['flatten_to_reshape', ['flatten_0', 'flatten_1', 'flatten_2']],
  ['inception_block', ['inception_block', 'inception_block.pbtxt'], config('inception_block', 'updated.json')],
  ['mish', ['mish', 'mish_swapped', 'mish_other', 'mish_written_out', 'mish.pbtxt']],
  ['pack', ['pack', 'pack.pbtxt']],
  ['squeeze_normalize', ['squeeze_normalize', 'squeeze_input', 'squeeze_nothing', 'squeeze_normalize.pbtxt']],
  ['ssd_points', ['ssd_points'], config('ssd_points', 'ssd_support_api_v1.15.json')],
  ['yolo_region', ['yolo_region', 'yolo_region.pbtxt'], config('yolo_region', 'yolo_v1_tiny.json')],
];
const others = readdirSync(join(examples, 'extensions')).filter((name) => EXAMPLES.every(([folder]) => folder !== name));
const ALL = [...EXAMPLES, ...others.map((name): (typeof EXAMPLES)[0] => [name, [name]])];

/** What a command says and writes; the place of its files is OUT. */
function outcome(run: typeof runNode, args: string[]): Outcome & { files: string[] } {
  const folder = join(temporaryFolder(), 'out');
  const { code, stdout, stderr } = run([...args, '--log_level', 'DEBUG', '-o', folder], place);
  const files = code === 0 ? listing(folder).map((name) => `${name} ${hash(readFileSync(join(folder, name)))}`) : [];
  return { code, stdout: stdout.replaceAll(folder, 'OUT'), stderr, files };
}

test.each(ALL)('the example %s gives the same files and messages', (folder, models, more = []) => {
  const args = ['--extensions', join(examples, 'extensions', folder), ...more, ...(ALONE[folder] ? ['--disabled_transforms', ALONE[folder]] : [])];
  for (const model of models) {
    const file = model.includes('.') ? model : `${model}.onnx`;
    const native = outcome(runNative, [file, ...args]);
    expect(native).toEqual(outcome(runNode, [file, ...args]));
    expect([native.code, native.files.length]).toEqual(model === 'squeeze_nothing' ? [1, 0] : [0, 2]);
  }
});

/** A folder my_ext with these files. */
function folder(files: Files, name = 'my_ext'): string {
  const path = join(temporaryFolder(), name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  mkdirSync(path, { recursive: true });
  return path;
}

const head = "import * as mo from '@mo/wasm/extension'; const out = (value) => mo.log.warn('out=' + JSON.stringify(value));\n";
const front = (body: string, name = 'A', statics = '') => `${head}export class ${name} extends mo.FrontReplacementPattern { ${statics} findAndReplacePattern(graph) {\n${body}\n} }`;
const both = (files: Files, name?: string): [native: ReturnType<typeof outcome>, node: ReturnType<typeof outcome>] => {
  const args = ['m.onnx', '--extensions', folder(files, name)];
  return [outcome(runNative, args), outcome(runNode, args)];
};

test.each<[string, Files, name?: string]>([
  ['a circle', { 'front/a.js': "import './b.js';", 'front/b.js': "import './a.js';" }],
  ['a bare import', { 'front/a.js': "\nimport fs from 'node:fs';" }],
  ['a missing file', { 'front/a.js': "import './none.js';" }],
  ['a path out of the folder', { 'front/a.js': "import '../../none.js';" }],
  ['a computed import()', { 'front/a.js': 'const x = "a"; import(x);' }],
  ['a text without an end', { 'front/a.js': "export class A {\n  'never ends\n" }],
  ['an error at once', { 'front/a.js': "\n\nthrow new Error('at once');" }],
  ['no error at once', { 'front/a.js': "\n\nthrow 'a text';" }],
  ['two classes of one name', { 'front/a.js': front(''), 'front/b.js': front('') }],
  ['a class in a wrong folder', { 'middle/a.js': front('') }],
  ['an extractor in front/', { 'front/a.js': `${head}export class A extends mo.FrontExtractorOp { static op = 'Relu'; }` }],
  ['an operation without a name', { 'ops/a.js': `${head}export class A extends mo.Op {}` }],
  ['a folder of a forbidden name', { 'front/a.js': front('') }, 'extensions'],
  ['a node that is gone', { 'front/a.js': front("const node = graph.getOpNodes({ op: 'Sigmoid' })[0];\ngraph.removeNode(node); node.inPort(0);") }],
  ['an error with a node', { 'front/a.js': front("throw new mo.MoError('no luck', { node: graph.getOpNodes({ op: 'Sigmoid' })[0], hint: 'try again' });") }],
  ['an error of another class', { 'front/a.js': front("throw new RangeError('far');") }],
  ['a text thrown', { 'front/a.js': front("throw 'a text';") }],
  ['a promise', { 'front/a.js': `${head}export class A extends mo.FrontReplacementPattern { async findAndReplacePattern() {} }` }],
  ['an error in an imported module', { 'front/a.js': `import { f } from '../lib/f.js';\n${front('f();')}`, 'lib/f.js': "\n\nexport function f() { throw new Error('deep'); }" }],
  ['a name with blanks and umlauts', { 'front/ä b.js': front("throw new mo.MoError('here');") }],
  ['a number that is no shape', { 'middle/a.js': front('graph.getOpNodes({ op: "Sigmoid" })[0].outPort(0).data.setShape([-3]);').replace('Front', 'Middle') }],
  ['a recursion', { 'front/a.js': front('const down = (n) => down(n + 1) + 1;\ndown(0);') }],
  ['process', { 'front/a.js': front("process.exit(0);") }],
  ['the network', { 'front/a.js': front("fetch('http://localhost');") }],
  ['require', { 'front/a.js': front("require('fs');") }],
])('%s is the same error', (_what, files, name) => {
  const [native, node] = both(files, name);
  expect(native).toEqual(node);
  expect(native).toMatchObject({ code: 1, stdout: '', files: [] });
  expect(native.stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: /m);
});

/** Both engines name the same place, each in its own words. */
test.each<[string, string, RegExp]>([
  ['a syntax error', 'export const a = 1;\nlet let = 3;\n', /my_ext\/front\/a\.js(:2)?: SyntaxError: /],
  ['an export that is not there', "import { Nothing } from '@mo/wasm/extension';", /my_ext\/front\/a\.js(:1)?: SyntaxError: .*Nothing/],
  ['a method that is not there', front('\ngraph.nodes()[0].nothing();'), /A\.run \(my_ext\/front\/a\.js:4\): TypeError: /],
  ['a promise that waits', 'await new Promise(() => {});', /my_ext\/front\/a\.js:? (waits|it waits) for something that never happens/],
])('%s is the same error in other words', (_what, text, message) => {
  for (const { code, stdout, stderr, files } of both({ 'front/a.js': text })) {
    expect([code, stdout, files]).toEqual([1, '', []]);
    expect(stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: /m);
    expect(stderr).toMatch(message);
  }
});

test('order, state, names, logs, warnings and the console are the same', () => {
  const [native, node] = both({
    'lib/state.js': "console.log('lib'); export const state = { count: 0 };",
    'front/b.js': `import { state } from '../lib/state.js'; console.log('b', ++state.count);\n${front("out([this.constructor.name, state.count]); mo.log.debug('deb'); mo.log.info('inf'); console.error('err');", 'B', 'static runAfter = ["A"];')}`,
    'front/a.js': `import { state } from '../lib/state'; console.log('a', ++state.count);\n${front("out(new Error('x').message);")}`,
    'front/onnx/default.js': `${head}export default class extends mo.FrontReplacementPattern { static id = 'mine'; findAndReplacePattern() { out(this.constructor.name); } }`,
    'back/c.js': "const { state } = await import('../lib/state.js'); console.log('c', state.count);",
    'stray.js': '',
    'node_modules/x/front/a.js': 'throw new Error()',
    '.hidden/front/a.js': 'throw new Error()',
    'front/notes.txt': 'no module',
  });
  expect(native).toEqual(node);
  expect(native.code).toBe(0);
  expect(native.stdout).toMatch(/^c 0\nlib\n|^lib\nc 0\n/);
  expect(native.stderr).toMatch(/out=\["B",2\]/);
});

test('several folders, of one name too', () => {
  const extensions = [folder({ 'front/a.js': front('out(1);') }), folder({ 'front/a.js': front('throw new mo.MoError("second");', 'B', 'static runAfter = ["A"];') })].join(',');
  const args = ['m.onnx', '--extensions', extensions];
  expect(outcome(runNative, args)).toEqual(outcome(runNode, args));
  expect(outcome(runNative, args).stderr).toContain('B.run (my_ext/front/a.js:3): second');
});

test('modules of folders of one name are not mixed up', () => {
  const seen = (name: string) => folder({
    'lib/own.js': `export const own = '${name}';`,
    'lib/state.js': 'export const state = { count: 0 };',
    'front/a.js': `import { own } from '../lib/own.js'; import { state } from '../lib/state.js';\n${front('out([own, ++state.count]);', name, 'static runNotRecursively = true;')}`,
  });
  const args = ['m.onnx', '--extensions', [seen('A'), seen('B')].join(',')];
  const native = outcome(runNative, args);
  expect(native).toEqual(outcome(runNode, args));
  expect(native.stderr.match(/out=\S+/g)!.sort()).toEqual(['out=["A",1]', 'out=["B",1]'].map((text) => expect.stringContaining(text)));
});

test('--list_transforms shows them', () => {
  const args = ['--list_transforms', '--extensions', folder({ 'front/a.js': front('', 'A', "static id = 'first'; static enabled = false;") })];
  const native = runNative(args, place);
  expect(native).toEqual(runNode(args, place));
  expect(native.stdout).toMatch(/ A .*disabled/);
});

describe('what is no folder of modules is refused', () => {
  test.each<[string, Files | undefined, string, RegExp]>([
    ['Python files', { 'front/Mish.py': 'class Mish: pass' }, '', /MO4012 extensions are JavaScript modules: ".*my_ext" has Python files and no modules\. docs\/migrate-extensions\.md /],
    ['a Python file', { 'Mish.py': '' }, 'Mish.py', /MO4012 .*Mish\.py" is a Python file\. docs\/migrate-extensions\.md /],
    ['a library', { 'libext.so': '' }, 'libext.so', /MO4012 .*libext\.so" is a library\. docs\/migrate-extensions\.md /],
    ['a library of Windows', undefined, 'ext.dll', /MO4012 .*ext\.dll" is a library\. docs\/migrate-extensions\.md /],
    ['a file', { 'a.txt': '' }, 'a.txt', /MO4011 the extensions cannot be read: ".*a\.txt": Not a directory\. check the path/],
    ['nothing', undefined, 'none', /MO4011 the extensions cannot be read: ".*none": No such file or directory\. check the path/],
  ])('%s', (_what, files, file, message) => {
    const args = ['m.onnx', '--extensions', join(folder(files ?? {}), file)];
    const native = outcome(runNative, args);
    expect(native).toEqual(outcome(runNode, args));
    expect(native).toMatchObject({ code: 2, stdout: '', files: [] });
    expect(native.stderr).toMatch(message);
  });

  test('a module beside Python files is used', () => {
    const [native, node] = both({ 'front/Mish.py': '', 'front/a.js': front("out('used');") });
    expect(native).toEqual(node);
    expect(native.stderr).toContain('out="used"');
  });
});

/** Runs a program in Node. */
const program = (text: string): Outcome => {
  writeFileSync(join(place, 'program.mjs'), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: place, encoding: 'utf8' });
  return { code: status, stdout, stderr };
};
const library = (name: string) => JSON.stringify(join(root, 'dist/library', name));

/** The command with small limits. */
const limited = (call: number, extension: string, ...args: string[]): Outcome =>
  program(`
    import { readFileSync } from 'node:fs';
    import { startCore } from ${library('shared/core.js')};
    import { orRefusal } from ${library('node/cli/run.js')};
    import { supervise } from ${library('node/cli/supervise.js')};
    import { readExtensions } from ${library('node/extension-folder.js')};
    const module = new WebAssembly.Module(readFileSync(${library('shared/core.wasm')}));
    const core = await startCore(module);
    const line = core.parseCommandLine('mo', ${JSON.stringify([...args, '--extensions', folder({ 'front/a.js': extension })])}, {});
    const limits = { call: ${call}, memory: 64 };
    process.exitCode = await orRefusal(core, line.json, () => supervise(core, module, line, readExtensions(line.extensions), undefined, limits));`);

test('Node ends a loop without end: the command, which goes on with the next model', () => {
  const loop = front("if (graph.getOpNodes({ op: 'Sigmoid' }).length > 0) for (;;) { try { for (;;); } catch {} }");
  const { code, stdout, stderr } = limited(400, loop, 'm.onnx', 'swish.onnx', '-o', 'looped');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: A\.run \(my_ext\/front\/a\.js\): it was stopped after 0\.4 seconds.*\n(?!.*MO)/);
  expect(stdout).toMatch(/XML file: .*swish\.xml/);
  expect(listing(join(place, 'looped'))).toEqual(['swish.bin', 'swish.xml']);
});

test('Node ends a loop without end while the .xml is written, of which nothing is left', () => {
  const loop = `${head}let calls = 0;
    export class Late extends mo.Op {
      static op = 'ReLU'; static type = 'ReLU'; static version = 'opset1';
      static infer(node) { node.outPort(0).shape = node.inPort(0).shape; }
      static backendAttrs() { return [['late', () => { while (++calls > 1500); return '1'; }]]; }
    }`;
  writeFileSync(join(place, 'long.onnx'), longNet(4000));
  const { code, stdout, stderr } = limited(400, loop, 'long.onnx', '-o', 'late');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: Late\.\w+ .*: it was stopped after 0\.4 seconds.*\n$/);
  expect(listing(place)).not.toContain('late');
});

test('Node ends what allocates without end', () => {
  const { code, stdout, stderr } = limited(60_000, front('const all = [];\nfor (;;) all.push(new Array(1e5).fill(all.length));'), 'm.onnx', '-o', 'filled');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: A\.run \(my_ext\/front\/a\.js\): it needs too much memory/m);
  expect(listing(place)).not.toContain('filled');
});

test.each([[[]], [['m.onnx', 'swish.onnx']]])('Node ends a loop without end: the list of transformations, with models %j', (models) => {
  const { code, stdout, stderr } = limited(400, 'for (;;);', '--list_transforms', ...models);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: my_ext\/front\/a\.js: it was stopped after 0\.4 seconds.*\n$/);
});

test('Node ends what allocates without end: the list of transformations', () => {
  const { code, stdout, stderr } = limited(60_000, 'const all = [];\nfor (;;) all.push(new Array(1e5).fill(all.length));', '--list_transforms');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: my_ext\/front\/a\.js: it needs too much memory/m);
});

test('Node ends a loop without end: the library', () => {
  const { stdout } = program(`
    import { readFileSync } from 'node:fs';
    import { Session } from ${library('node/session.js')};
    const module = new WebAssembly.Module(readFileSync(${library('shared/core.wasm')}));
    const extensions = [{ name: 'ext', files: [['front/a.js', '\\nfor (;;);']] }];
    const source = { kind: 'path', path: 'm.onnx' };
    const session = new Session(new URL('file://' + ${library('node/node-worker.js')}), module, 400);
    await session.request({ kind: 'convert', source, sides: [], options: [], extensions }).catch((error) => console.log(error.message));`);
  expect(stdout).toBe('MO4004 an extension failed: ext/front/a.js: it was stopped after 0.4 seconds\n');
});

/** Natively and in Node. */
function expectBlamed(model: string, files: Files, className: string, file: string, finding: string): void {
  const args = [model, '--extensions', folder(files)];
  const native = outcome(runNative, args);
  expect(native).toEqual(outcome(runNode, args));
  expect(native).toMatchObject({ code: 1, files: [] });
  const [error, ...more] = native.stderr.split('\n').filter((line) => line.includes('ERROR'));
  expect(more).toEqual([]);
  for (const part of ['MO5009', finding, `the class ${className} of an extension has made the node`, `(file "my_ext/${file}")`, 'correct the extension']) expect(error).toContain(part);
}

test.each(wrongNodes)('a wrong node of %s is said to be that of its class and file', (_what, files, className, file, finding) => {
  expectBlamed('foo.onnx', files, className, file, finding);
});

test('a built-in node in the place of a wrong one of an extension is said to be the extension\'s', () => {
  writeFileSync(join(place, 'relu.pbtxt'), textBytes(tfInput('image', 1, 2, 4, 4) + tfNode('relu', 'Relu', ['image'], T)));
  expectBlamed('relu.pbtxt', wrongPad, 'ReluToPad', 'front/relu.js', 'attribute pad_mode is "most"');
});

test('a wrong node that no extension has made names none, beside extensions', () => {
  const files = { 'back/sigmoid.js': `import { BackReplacementPattern } from '@mo/wasm/extension';
export class ChangesAll extends BackReplacementPattern {
  findAndReplacePattern(graph) { for (const node of graph.getOpNodes({ op: 'Gelu' })) node.set('approximation_mode', 'most'); } }` };
  const gelu = writeOnnx({ ...diamond, nodes: [{ op: 'Gelu', name: 'gelu', inputs: ['x'], outputs: ['y'] }], opset: 20 });
  writeFileSync(join(place, 'gelu.onnx'), gelu);
  const native = outcome(runNative, ['gelu.onnx', '--extensions', folder(files)]);
  expect(native).toEqual(outcome(runNode, ['gelu.onnx', '--extensions', folder(files)]));
  expect(native.stderr).toMatch(/MO5009 .*"most"/);
  expect(native.stderr).not.toMatch(/has made the node|back\/sigmoid/);
});
