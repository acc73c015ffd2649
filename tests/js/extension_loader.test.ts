/** Group X of the specification: where extensions stand, how they are loaded, and how their mistakes are reported. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert } from '../../dist/library/node/node.js';
import { convertWith, diamond, everyFolder, everyFolderTookPart, failureOf, folder, fooNet, listedTransforms, reports, type Files } from './extension_support.js';
import { writeOnnx } from './onnx_writer.js';
import { listing, root, runNative, runNode, temporaryFolder } from './support.js';

const out = "import * as mo from '@mo/wasm/extension';\nconst out = (x) => mo.log.warn('Probe=' + JSON.stringify(x));\n";
const front = (name: string, body = `out('${name}');`, imports = '') =>
  `${imports}${out}export class ${name} extends mo.FrontReplacementPattern { static runNotRecursively = true; findAndReplacePattern(graph) { ${body} } }`;

test.each(['js', 'mjs', 'ts', 'mts'])('X-03 one module may hold an operation, an extractor and a transformation: .%s', async (ending) => {
  const node = ending.endsWith('ts') ? 'n: mo.Node' : 'n';
  const { xml, warnings } = await convertWith({ [`front/onnx/all.${ending}`]: `${ending.endsWith('ts') ? out.replace('(x)', '(x: unknown)') : out}
    export class Foo extends mo.Op { static op = 'Foo'; static type = 'Foo'; static infer(${node}) { n.outPort(0).data.setShape(n.inPort(0).data.getShape()); } }
    export class FooExtractor extends mo.FrontExtractorOp { static op = 'Foo'; static enabled = true; static extract(${node}) { out('extracted'); Foo.updateNodeStat(n, {}); return true; } }
    export class Look extends mo.FrontReplacementOp { static op = 'Foo'; replaceSubGraph(graph, { op }) { out([op.name, mo.ops.classByName('Foo') === Foo]); } }` }, fooNet);
  expect(xml).toContain('type="Foo" version="experimental"');
  expect(reports({ xml, warnings })).toEqual(['extracted', ['foo', true]]);
});

test('X-04 X-06 X-07 X-08 F-08 the folder says phase and framework', async () => {
  const base = (phase: string) => `${phase}ReplacementPattern`;
  const of = (name: string, phase: string) => front(name).replace('FrontReplacementPattern', base(phase));
  const outcome = await convertWith({
    'front/a.js': front('A'), 'front/onnx/b.mjs': front('B'), 'front/tf/c.js': front('C'), 'middle/d.js': of('D', 'Middle'), 'back/e.js': of('E', 'Back'),
  });
  expect(reports(outcome)).toEqual(['B', 'A', 'D', 'E']);
});

/** An extractor for the operation, and a transformation, that both throw. */
const throwing = (op: string) => ({
  'relu_ext.js': `${out}export class ReluExtractor extends mo.FrontExtractorOp {
    static op = '${op}'; static enabled = true; static extract(node) { throw new Error('extracted ' + node.name); } }`,
  'rewrite.js': front('Rewrite', "throw new Error('rewritten');"),
});
const inFolder = (path: string, files: Files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [`${path}/${name}`, text]));

test('X-07 E-07 E-08 F-08 what a folder of another framework holds does not run, on disk', async () => {
  const plain = await convertWith({});
  for (const framework of ['tf', 'caffe', 'mxnet', 'paddle']) {
    const { xml, warnings, bin } = await convert(writeOnnx(diamond), { extensions: folder(inFolder(`front/${framework}`, throwing('Relu'))) });
    await bin.close();
    expect([xml, warnings]).toEqual([plain.xml, []]);
  }
});

test('X-07 E-07 E-08 F-08 the same files run in the folder of the model\'s framework, for their operation only', async () => {
  const failure = async (files: Files) => {
    const error = await convert(writeOnnx(diamond), { extensions: folder(files) }).then(() => undefined, (reason: unknown) => reason as Error);
    return error?.message;
  };
  const { 'relu_ext.js': extractor, 'rewrite.js': rewrite } = throwing('Relu');
  expect(await failure({ 'front/onnx/relu_ext.js': extractor! })).toContain('extracted relu');
  expect(await failure({ 'front/onnx/rewrite.js': rewrite! })).toContain('rewritten');
  expect(await failure({ 'front/onnx/relu_ext.js': throwing('Placeholder')['relu_ext.js'] })).toBeUndefined();
});

test('X-04 folders are read from disk, several at a time', async () => {
  const roots = [folder({ 'front/a.js': front('A'), 'README.md': 'no module' }), folder({ 'front/b.js': front('B') }, 'other')];
  const { warnings, bin } = await convert(writeOnnx(diamond), { extensions: roots });
  await bin.close();
  expect(warnings.map(({ text }) => text).sort()).toEqual(['Probe="A"', 'Probe="B"'].map((text) => expect.stringContaining(text)));
});

test('X-02 X-04 X-05 X-07 X-08 W-07 both command lines read each folder of a root', () => {
  const place = temporaryFolder();
  writeFileSync(join(place, 'm.onnx'), writeOnnx(fooNet));
  for (const run of [runNode, runNative]) {
    expect(run(['m.onnx', '-o', 'none'], place)).toMatchObject({ code: 1, stderr: expect.stringContaining('MO2001') });
    expect(run(['m.onnx', '-o', 'ir', '--extensions', folder(everyFolder)], place)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(place, 'ir/m.xml'), 'utf8')).toMatch(everyFolderTookPart);
  }
});

test('X-10 a root cannot be named "extensions"', async () => {
  await expect(convert(writeOnnx(diamond), { extensions: folder({ 'front/a.js': front('A') }, 'extensions') })).rejects.toThrow(/cannot be named "extensions"/);
  const place = temporaryFolder();
  writeFileSync(join(place, 'm.onnx'), writeOnnx(diamond));
  for (const run of [runNode, runNative]) {
    const named = (name: string) => run(['m.onnx', '-o', 'ir', '--extensions', folder({ 'front/a.js': front('A', '') }, name)], place);
    expect(named('extensions')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\[ ERROR \] {2}MO4004 .*a folder of extensions cannot be named "extensions"/) });
    expect(named('my_extensions')).toMatchObject({ code: 0, stderr: '' });
  }
});

/** The documentation's modules and files of modules, as far as samples import them or texts name them. */
const DOCUMENTED = ['mo.front.extractor', 'mo.front.tf.extractors.utils', 'mo.front.onnx.extractors.utils', 'mo.front.common.replacement', 'mo.front.common.partial_infer.utils',
  'mo.front.subgraph_matcher', 'mo.front.tf.graph_utils', 'mo.front.tf.replacement', 'mo.front.Softplus_fusion', 'mo.front.no_op_eraser', 'mo.front.standalone_const_eraser',
  'mo.middle.replacement', 'mo.back.replacement', 'mo.graph.graph', 'mo.graph.port', 'mo.graph.connection', 'mo.ops.op', 'mo.ops.activation_ops', 'mo.ops.concat', 'mo.ops.const',
  'mo.ops.regionyolo', 'mo.ops.result', 'mo.ops.unsqueeze', 'mo.ops.reshape', 'mo.ops.softmax', 'mo.ops.pooling', 'mo.utils.error', 'mo.pipeline.common',
  'extensions.ops', 'extensions.front.TopKNormalize', 'extensions.front.onnx.flattenONNX_to_reshape', 'extensions.front.tf.const_ext', 'extensions.front.onnx.const_ext',
  'extensions.front.Mish_fusion', 'extensions.front.Pack', 'extensions.front.SqueezeNormalize', 'extensions.front.YOLO', 'extensions.middle.L2NormToNorm', 'extensions.middle.CheckForCycle',
  'extensions.back.ShufflenetReLUReorder', 'extensions.back.GatherNormalizer', 'extensions.load.onnx.loader'];

test("U-07 X-09 X-12 the documentation's names of modules mean the interface, under each prefix and as paths, wherever it is installed", async () => {
  const names = DOCUMENTED.flatMap((name) => [name, `${name.replaceAll('.', '/')}.py`, ...(name.startsWith('mo.') ? [`openvino.tools.${name}`] : [])]);
  const outcome = await convertWith({ 'front/a.js': `${out}${names.map((name, index) => `import { Op as Op${index}, Node as Node${index} } from '${name}';`).join('\n')}
    export class P extends mo.FrontReplacementPattern { findAndReplacePattern() {
      out([${names.map((_, index) => `Op${index} === mo.Op && Node${index} === mo.Node`).join(', ')}]); } }` });
  expect(reports(outcome)).toEqual([names.map(() => true)]);
});

test('relative imports share one module', async () => {
  const outcome = await convertWith({
    'common/state.js': 'export const state = { count: 0 };\nexport default class Unused {}',
    'front/a.js': front('A', 'state.count++;', "import { state } from '../common/state.js';\n").replace('ReplacementPattern {', "ReplacementPattern { static runBefore = ['B'];"),
    'front/b.js': front('B', 'state.count++; out(state.count);', "import { state } from '../common/state';\n"),
  });
  expect(reports(outcome)).toEqual([2]);
  expect(outcome.warnings).toHaveLength(1);
});

test('a default export without a name is named after its file', async () => {
  const outcome = await convertWith({
    'front/my_rewrite.js': `${out}export default class extends mo.FrontReplacementPattern { findAndReplacePattern() { out(this.constructor.name); } }`,
  });
  expect(reports(outcome)).toEqual(['my_rewrite']);
});

test.each<[string, Files, string | RegExp]>([
  ['a cycle', { 'front/a.js': "import './b.js';", 'front/b.js': "import './c.js';", 'front/c.js': "import './a.js';" },
    'modules import each other in a circle: extension/front/a.js -> extension/front/b.js -> extension/front/c.js -> extension/front/a.js'],
  ['an unknown bare import', { 'front/a.js': "\nimport fs from 'node:fs';" }, 'extension/front/a.js:2: "node:fs" cannot be imported'],
  ['a missing file', { 'front/a.js': "import './none.js';" }, 'extension/front/a.js:1: there is no file "./none.js"'],
  ['an import from outside the root', { 'front/a.js': "import '../../none.js';" }, 'there is no file "../../none.js"'],
  ['an import() of a computed name', { 'front/a.js': 'const x = "a"; import(x);' }, 'import() takes a literal text'],
  ['a syntax error that the lexer sees', { 'front/a.js': "export class A {\n  'never ends\n" }, 'extension/front/a.js:2: a syntax error'],
  ['a syntax error', { 'front/a.js': 'export const a = 1;\nlet let = 3;\n' }, /extension\/front\/a\.js(:2)?: SyntaxError/],
  ['an export that is not there', { 'front/a.js': "import { Nothing } from '@mo/wasm/extension';" }, /extension\/front\/a\.js(:1)?: SyntaxError: .*Nothing/],
  ['a module that throws', { 'front/a.js': "\n\nthrow new Error('at once');" }, 'extension/front/a.js:3: Error: at once'],
  ['two classes of one name', { 'front/a.js': front('A'), 'front/b.js': front('A') }, 'two classes have the name A: in extension/front/a.js and in extension/front/b.js'],
  ['a class in a folder of another phase', { 'middle/a.js': front('A') }, 'class A extends FrontReplacementPattern, which does not belong into middle/'],
  ['an extractor that stands in front/', { 'front/a.js': `${out}export class A extends mo.FrontExtractorOp { static op = 'Relu'; }` }, 'it stands in front/<framework>/'],
  ['an operation without a name', { 'ops/a.js': `${out}export class A extends mo.Op {}` }, 'class A has no static op'],
])('%s is an error that names the file', async (_what, files, message) => {
  const { code, text, file } = await failureOf(files);
  expect(code).toBe('MO4004');
  expect(text).toMatch(message instanceof RegExp ? message : new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  expect(file).toMatch(/^extension\//);
});

test('classes of one name are for different frameworks, in all folders', async () => {
  const both = folder({ 'front/onnx/a.js': front('A'), 'front/tf/a.js': front('A') });
  const warned = async (...more: string[]) => {
    const { warnings, bin } = await convert(writeOnnx(diamond), { extensions: [both, ...more] });
    await bin.close();
    return warnings.length;
  };
  expect(await warned(folder({ 'front/paddle/a.js': front('A') }, 'other'))).toBe(1);
  for (const place of ['front/onnx', 'front/tf', 'front'])
    await expect(warned(folder({ [`${place}/b.js`]: front('A') }, 'other'))).rejects.toThrow(`two classes have the name A: in my_ext/front/${place === 'front/tf' ? 'tf' : 'onnx'}/a.js and in other/${place}/b.js`);
});

test('a file outside the folders, and one without a class, are warned of', async () => {
  const { warnings } = await convertWith({ 'stray.js': 'export const a = 1;', 'front/sub/b.js': '', 'front/c.js': 'export class C {}' });
  expect(warnings).toEqual([
    expect.stringContaining('extension/front/sub/b.js stands outside'), expect.stringContaining('extension/stray.js stands outside'),
    expect.stringContaining('extension/front/c.js exports no class'),
  ]);
});

test('a mistake in a transformation is reported with module, class and line, and nothing is written', async () => {
  const { text, code, op } = await failureOf({ 'front/a.js': front('A', '\n\n graph.nodes()[0].nothing(); ') });
  expect([code, op]).toEqual(['MO4004', 'A']);
  expect(text).toContain('A.run (extension/front/a.js:5): TypeError: ');
});

test('a folder that is not there', async () => {
  await expect(convert(writeOnnx(diamond), { extensions: '/nowhere/my_ext' })).rejects.toThrow(/MO4011 the extensions cannot be read: "\/nowhere\/my_ext": /);
});

test('an endless loop ends with the signal', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  const began = performance.now();
  await expect(convert(writeOnnx(diamond), { extensions: { 'front/a.js': front('A', 'for (;;);') } }, { signal: controller.signal })).rejects.toThrow(/abort/);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('G-26 the command line takes folders, shows debug lines at their level only, and writes nothing when an extension throws', () => {
  const place = temporaryFolder();
  writeFileSync(join(place, 'm.onnx'), writeOnnx(diamond));
  const extensions = [folder({ 'front/a.js': front('A', "out('A'); mo.log.debug('fine');", '') }), folder({ 'front/b.js': front('B') }, 'b_ext')].join(',');
  const quiet = runNode(['m.onnx', '--extensions', extensions], place);
  expect(quiet.code).toBe(0);
  expect(quiet.stderr + quiet.stdout).not.toContain('DEBUG');
  expect(quiet.stderr.replaceAll(/^.* MO4013 an extension warns: (Probe="[AB]").*$/gm, '$1')).toBe('Probe="B"\nProbe="A"\n');
  const loud = runNode(['m.onnx', '--extensions', extensions, '--log_level', 'DEBUG'], place);
  expect(loud.stderr).toContain('[ DEBUG ]  fine');
  expect(loud.stderr).toContain('Probe="B"');
  const out = join(place, 'out');
  const failed = runNode(['m.onnx', '-o', out, '--extensions', folder({ 'front/a.js': front('A', "throw new mo.MoError('no luck');") })], place);
  expect([failed.code, existsSync(out) ? listing(out) : []]).toEqual([1, []]);
  expect(failed.stderr).toMatch(/^\[ ERROR \] {2}MO4004 an extension failed: A\.run \(my_ext\/front\/a\.js:3\): no luck/);
});

test('L-02 V-03 each framework has one loader, under its name', () => {
  const loaders = listedTransforms().filter(([, phase]) => phase === 'load').map((row) => row[3]);
  expect(loaders).toEqual(['onnx', 'tf', 'tflite', 'caffe', 'paddle', 'mxnet', 'pytorch', 'kaldi'].map((framework) => `extensions/load/${framework}/loader`));
});

test('T-05 T-06 T-08 W-05 the environment switches transformations of extensions by id and by full name, as the options do', () => {
  const place = temporaryFolder();
  writeFileSync(join(place, 'm.onnx'), writeOnnx(diamond));
  const off = front('A').replace('{ static', "{ static id = 'first'; static enabled = false; static");
  const extensions = folder({ 'front/a.js': off, 'front/b.js': front('B'), 'middle/c.js': front('C').replace('Front', 'Middle') });
  for (const run of [runNode, runNative]) {
    const ran = (environment: Record<string, string>, ...more: string[]) =>
      Array.from(run(['m.onnx', '-o', 'ir', '--extensions', extensions, ...more], place, environment).stderr.matchAll(/Probe="(\w)"/g), ([, name]) => name);
    expect(ran({})).toEqual(['B', 'C']);
    expect(ran({ MO_ENABLED_TRANSFORMS: 'first,C' })).toEqual(['B', 'A', 'C']);
    expect(ran({ MO_ENABLED_TRANSFORMS: 'first', MO_DISABLED_TRANSFORMS: 'my_ext.front.b.B,C' })).toEqual(['A']);
    expect(ran({ MO_ENABLED_TRANSFORMS: 'my_ext.front.a.A', MO_DISABLED_TRANSFORMS: 'first' })).toEqual(['B', 'C']);
    const listed = (environment: Record<string, string>, ...more: string[]) => run(['--list_transforms', '--extensions', extensions, ...more], place, environment);
    const names = { enabled: 'first,SwishFusion', disabled: 'extensions.middle.Fusing.Fusing,my_ext.middle.c.C' };
    const byEnvironment = listed({ MO_ENABLED_TRANSFORMS: names.enabled, MO_DISABLED_TRANSFORMS: names.disabled });
    expect(byEnvironment).toEqual(listed({}, '--enabled_transforms', names.enabled, '--disabled_transforms', names.disabled));
    expect(byEnvironment.stdout).not.toBe(listed({}).stdout);
    expect(byEnvironment.stdout).toMatch(/ first +A +enabled/);
    for (const name of ['Fusing', 'C']) expect(byEnvironment.stdout).toMatch(new RegExp(` ${name} +disabled`));
  }
});

test('P-29 an author compiles against the shipped types', () => {
  const place = temporaryFolder();
  mkdirSync(join(place, 'node_modules/@mo'), { recursive: true });
  symlinkSync(root, join(place, 'node_modules/@mo/wasm'));
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(place, 'mish.ts'), `
    import {
      FrontExtractorOp, FrontReplacementSubgraph, MiddleReplacementPattern, MoError, Op, int64Array, log, onnxAttr, ops, renameNodes, tensor, toArray,
      type Attributes, type Graph, type InPort, type Match, type Node, type OutPort, type Pattern, type Shape, type Tensor,
    } from '@mo/wasm/extension';
    export class Mish extends Op {
      static override op = 'Mish'; static override type = 'Mish'; static override version = 'my'; static override inPortsCount = 1;
      static override defaults: Attributes = { axis: 1 };
      static override infer(node: Node): void { const shape: Shape = node.inPort(0).data.getShape(); node.outPort(0).data.setShape(shape); }
      static override backendAttrs() { return ['axis', ['beta', 'beta_value'], ['pads', (node: Node) => node.get<number[]>('pads')?.join(',')]] as const; }
    }
    export class MishExtractor extends FrontExtractorOp {
      static override op = 'Mish'; static override enabled = true;
      static override extract(node: Node): boolean { Mish.updateNodeStat(node, { v: toArray(onnxAttr(node, 'value', 't')) }); return this.enabled; }
    }
    export default class FuseMish extends FrontReplacementSubgraph {
      static override runAfter = [Mish, 'FrontStart'];
      override pattern(): Pattern { return { nodes: { mul: { op: 'Mul' }, tanh: { op: (op: string) => op === 'Tanh' } }, edges: [['tanh', 'mul', { in: 1 }]] }; }
      override replaceSubGraph(graph: Graph, { mul, tanh }: Match): void {
        if (!mul || !tanh) throw new MoError('none', { node: mul, hint: 'h' });
        const source: OutPort | null = tanh.inPort(0).getSource();
        const to: InPort[] = mul.outPort(0).getDestinations();
        const value: Tensor = tensor('f32', [1], [0.5]).reshape([]);
        renameNodes([[mul, mul.name + '/TBR'], [new Mish(graph, { axis: 2 }).createNode([source!, ops.constant(graph, value)]), mul.name]]);
        log.info(String(to.length + int64Array([1, 2n]).shape[0]!));
      }
    }
    export class M extends MiddleReplacementPattern { override findAndReplacePattern(graph: Graph) { graph.getOpNodes({ op: 'Squeeze' }).forEach((node) => node.delete('axes')); } }
  `);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '--strict', '--noImplicitOverride', '--exactOptionalPropertyTypes', '--target', 'es2022', '--module', 'nodenext', 'mish.ts'], { cwd: place, encoding: 'utf8' });
  expect(stdout).toBe('');
});
