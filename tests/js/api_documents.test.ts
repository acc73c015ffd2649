/** The documents of the package's types: each export has a sentence, each function, class and table also an example, and the examples fit the types. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';

import { root, temporaryFolder } from './support.js';

/** By the names under which programs import them; the library of browsers has the name of that in Node. */
const ENTRIES = [
  ['@mo/wasm', 'library/node/node.ts'], ['@mo/wasm', 'library/browser/browser.ts'], ['@mo/wasm/cli', 'library/node/command.ts'], ['@mo/wasm/report', 'library/shared/report/report.ts'],
  ['@mo/wasm/msg', 'library/shared/msg.ts'], ['@mo/wasm/printable', 'library/shared/printable.ts'], ['@mo/wasm/extension', 'extension/api.ts'], ['', 'extension/types.ts'],
] as const;
/** "Property … is not assignable to the same property in base type": JavaScript has neither tuples nor types of parameters. */
const OTHER_MEMBER = 2416;
const pathOf = (file: string) => join(root, 'wasm', file);

const configuration = ts.getParsedCommandLineOfConfigFile(join(root, 'wasm/tsconfig.json'), {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined })!;
const program = ts.createProgram(ENTRIES.map(([, file]) => pathOf(file)), configuration.options);
const checker = program.getTypeChecker();

interface Export {
  name: string;
  isValue: boolean;
  sentence: string;
  examples: string[];
}

function exportsOf(file: string): Export[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(pathOf(file))!)!;
  return checker.getExportsOfModule(module).map((found) => {
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    return {
      name: found.name,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
      sentence: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      examples: symbol.getJsDocTags(checker).filter(({ name }) => name === 'example').map(({ text }) => /```js\n([^]*?)\n```/.exec(ts.displayPartsToString(text))?.[1] ?? ''),
    };
  });
}

describe.each(ENTRIES)('%s (%s)', (name, file) => {
  const all = exportsOf(file);

  it('has a sentence for each export', () => {
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(({ sentence }) => !/^\S.*[.:`]/.test(sentence)).map((one) => one.name)).toEqual([]);
  });

  it('has an example for each function, class and table', () => {
    expect(all.filter(({ isValue, examples }) => isValue && !examples.some((text) => text !== '')).map((one) => one.name)).toEqual([]);
  });

  it.runIf(name !== '')('has examples that fit the types', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const paths = Object.fromEntries([...ENTRIES.filter(([other]) => other !== '' && other !== name), [name, file] as const].map(([other, of]) => [other, [pathOf(of)]]));
    const files = all.flatMap((one) => one.examples.map((text, at) => {
      const path = join(folder, `${one.name}${at}.js`);
      writeFileSync(path, `${text}\nexport {};\n`);
      return path;
    }));
    const { baseUrl: _, ...options } = configuration.options;
    const checked = ts.createProgram(files, { ...options, strict: false, noImplicitAny: false, noUnusedLocals: false, noUnusedParameters: false, noPropertyAccessFromIndexSignature: false, noImplicitOverride: false, noUncheckedIndexedAccess: false,
      exactOptionalPropertyTypes: false, allowJs: true, checkJs: true, noEmit: true, rootDir: '/', paths, typeRoots: [join(root, 'node_modules/@types')], types: ['node'], lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] });
    const wrong = files.flatMap((path) => ts.getPreEmitDiagnostics(checked, checked.getSourceFile(path)).filter(({ code }) => code !== OTHER_MEMBER).map(({ messageText }) => `${path.slice(folder.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`));
    expect(wrong).toEqual([]);
  });
});
