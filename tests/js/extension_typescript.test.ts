/** Extensions in TypeScript, in the native command, in Node's command and in the library; and files of a folder that are not read. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { convert, inspect, MoError } from '../../dist/library/node/node.js';
import { typeScript } from '../../dist/library/node/type-script.js';
import { convertWith, diamond, failureOf, folder, fooNet, reports, type Files } from './extension_support.js';
import { writeOnnx } from './onnx_writer.js';
import { root, runNative, runNode, temporaryFolder } from './support.js';

const example = readFileSync(join(root, 'docs/examples/typescript/src/front/relu_to_mish.ts'), 'utf8');

/** Everything of TypeScript that makes code, and types of all kinds. */
const all = `
import { FrontReplacementPattern, log, type Graph, type Node } from '@mo/wasm/extension';
import type { Named } from '../../lib/types.js';
import { twice } from '../../lib/twice.js';

enum Kind {
  First = 1,
  Second,
}
const enum Letter { A = 'a' }

interface Shown extends Named { readonly kind: Kind }

abstract class Base<T extends Named> {
  declare missing: string;
  constructor(protected readonly value: T, private readonly count = 2) {}
  abstract show(): string;
  get counted(): number { return twice(this.count); }
}

class Shows extends Base<Shown> {
  override show(this: Shows): string { return \`\${this.value.name} \${this.value.kind satisfies number} \${this.counted} \${Kind[Kind.Second]} \${Letter.A}\`; }
}

function isNode(value: unknown): value is Node;
function isNode(value: any): boolean { return (value as Node).kind! === 'op'; }

export class Look extends FrontReplacementPattern {
  static override enabled: boolean = true;
  static override runNotRecursively = true;

  override findAndReplacePattern(graph: Graph): void {
    const node = graph.getOpNodes({ op: 'ReLU' })[0]!;
    log.warn('Probe=' + JSON.stringify([new Shows(<Shown>{ name: node.name, kind: Kind.First }).show(), isNode(node)]));
  }
}
`;
const files: Files = {
  'front/onnx/look.ts': all,
  'lib/types.ts': '// Types alone.\nexport interface Named { name: string }\n',
  'lib/twice.ts': 'export const twice = (x: number): number => 2 * x;\n',
};

function both(given: Files, name = 'net.onnx', model = diamond) {
  const place = temporaryFolder();
  writeFileSync(join(place, name), writeOnnx(model));
  const args = [name, '--extensions', folder(given), '--json', '-o', join(place, 'out')];
  const outcome = (run: typeof runNode) => {
    const { code, stdout } = run(args, place);
    const { messages, ok } = JSON.parse(stdout) as { ok: boolean; messages: { code: string; text: string; file: string }[] };
    return { code, ok, texts: messages.map(({ code: number, text }) => `${number} ${text}`), xml: ok ? readFileSync(join(place, 'out/net.xml'), 'utf8') : '' };
  };
  return [outcome(runNative), outcome(runNode)] as const;
}

test('the example of the guide runs as it is', async () => {
  const { xml } = await convertWith({ 'front/onnx/relu_to_mish.ts': example });
  expect(xml).toContain('type="Mish"');
  const [native, node] = both({ 'front/onnx/relu_to_mish.ts': example });
  expect(native).toEqual(node);
  expect(native.xml).toContain('type="Mish"');
});

test('TypeScript that makes code works, and imports find .ts by the name of what it becomes', async () => {
  const outcome = await convertWith({ ...files, 'front/types.ts': '/* Types\nalone. */ export type Two = 2;' });
  expect([reports(outcome), outcome.warnings.length]).toEqual([[['relu 1 4 Second a', true]], 1]);
  const [native, node] = both(files);
  expect(native).toEqual(node);
  expect(native.texts).toEqual(expect.arrayContaining([expect.stringContaining('relu 1 4 Second a')]));
});

test('a message has the line of the TypeScript', async () => {
  const throwing = all.replace("log.warn('Probe='", "throw new Error('here'); log.warn('Probe='");
  const line = throwing.slice(0, throwing.indexOf("throw new Error('here')")).split('\n').length;
  const [native, node] = both({ ...files, 'front/onnx/look.ts': throwing });
  expect(native).toEqual(node);
  expect(native.texts.join('\n')).toContain(`my_ext/front/onnx/look.ts:${line}`);
  expect((await failureOf({ ...files, 'front/onnx/look.ts': throwing })).text).toContain(`front/onnx/look.ts:${line}`);
});

test.each([
  ['no TypeScript', '\n\nlet x: = 3;', ':3: Unexpected token'],
  ['a namespace', '\nnamespace A { export const x = 1 }', ':2: a namespace cannot be read: export its parts, or make it a module'],
  ['a module of CommonJS', "import fs = require('fs');", ':1: import … = require(…) cannot be read: write import … from …'],
  ['an export of CommonJS', 'export = 3;', ':1: export = cannot be read: write export default'],
])('%s is refused with its line', async (_, text, told) => {
  const [native, node] = both({ 'front/a.ts': text });
  expect(native).toEqual(node);
  expect(native.texts[0]).toContain(`my_ext/front/a.ts${told}`);
});

test('declarations make nothing, and lines stay where they were', async () => {
  const { withoutTypes } = await typeScript();
  const code = withoutTypes('declare namespace A { const x: number; namespace B {} }\ndeclare module "m" {\n  export function f(): void;\n}\ninterface B {\n  namespace: string;\n}\nlet namespace = 1, module = { a: 2 };\nexport { namespace, module };\n');
  expect(code.split('\n').map((line) => line.trim())).toEqual(['', '', '', '', '', '', '', 'let namespace = 1, module = { a: 2 };', 'export { namespace, module };', '']);
});

const OUTSIDE = 'stands outside ops/, front/, front/<framework>/, middle/ and back/, and nothing imports it';
const UNREAD = 'is not read: modules of extensions end with .js, .mjs, .ts or .mts';
const strays: Files = {
  'frnt/onnx/a.js': 'export {};', 'front/onxx/b.ts': 'export {};', 'c.mjs': 'export {};', 'front/d.cjs': '', 'front/e.tsx': '', 'front/f.py': '', 'ops/g.d.ts': 'export {};',
  'ops/h.js': "import { Op } from '@mo/wasm/extension'; export class H extends Op { static op = 'H'; }", 'ops/h.ts': 'not read', 'node_modules/i/j.cjs': '',
};
const told = [
  `my_ext/front/d.cjs ${UNREAD}`, `my_ext/front/e.tsx ${UNREAD}`, `my_ext/front/f.py ${UNREAD}`, 'my_ext/ops/h.ts is not read: my_ext/ops/h.js stands beside it',
  `my_ext/c.mjs ${OUTSIDE}`, `my_ext/frnt/onnx/a.js ${OUTSIDE}; did you mean front/?`, `my_ext/front/onxx/b.ts ${OUTSIDE}; did you mean front/onnx/?`,
];

test('files that look like extensions and are not read are named', async () => {
  const [native, node] = both(strays);
  expect(native).toEqual(node);
  expect(native.texts).toEqual(told.map((text) => `MO4013 an extension warns: ${text}`));
  const { warnings, bin } = await convert(writeOnnx(diamond), { extensions: folder(strays) });
  await bin.close();
  expect(warnings.map(({ text }) => text)).toEqual(told.map((text) => `an extension warns: ${text}`));
});

test('they are named when the conversion fails, too', async () => {
  const given = { 'x.js': 'export {};' };
  const [native, node] = both(given, 'net.onnx', fooNet);
  expect(native).toEqual(node);
  expect(native.texts.map((text) => text.slice(0, 6))).toEqual(['MO4013', 'MO2001']);
  const error: unknown = await convert(writeOnnx(fooNet), { extensions: folder(given) }).catch((reason: unknown) => reason);
  expect((error as MoError).messages.map(({ code }) => code)).toEqual(['MO4013', 'MO2001']);
  expect((await inspect(writeOnnx(fooNet), { extensions: folder(given) })).messages.map(({ code }) => code)).toEqual(['MO4013', 'MO2001']);
});

test('texts by path that are no modules, and a folder without modules, are named', async () => {
  expect((await convertWith({ 'front/onnx/mish': 'text' })).warnings).toEqual([
    `an extension warns: extension/front/onnx/mish ${UNREAD}`,
    'an extension warns: extension has no module: extensions stand in ops/, front/, front/<framework>/, middle/ and back/',
  ]);
  const [native, node] = both({ 'readme.txt': 'text' });
  expect(native).toEqual(node);
  expect(native.texts).toEqual(['MO4013 an extension warns: my_ext has no module: extensions stand in ops/, front/, front/<framework>/, middle/ and back/']);
});

test('what an extension teaches is no longer in the way of a conversion, by inspection either', async () => {
  const teach = `import { FrontReplacementOp, ops, type Graph, type Node } from '@mo/wasm/extension';
export class FooToAbs extends FrontReplacementOp {
  static override op = 'Foo';
  override replaceOp(graph: Graph, node: Node) { return ops.create(graph, 'Abs', { name: node.name }, [node.inPort(0).getSource()!]); }
}`;
  const model = writeOnnx(fooNet);
  expect((await inspect(model)).messages.map(({ code }) => code)).toEqual(['MO2001']);
  expect((await inspect(model, { extensions: { 'front/onnx/foo.ts': teach } })).messages).toEqual([]);
  expect((await convertWith({ 'front/onnx/foo.ts': teach }, fooNet)).xml).toContain('type="Abs"');
});
