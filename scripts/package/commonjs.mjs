// The entries for require(): functions that import the modules when they are called, and copies of modules that need no waiting.
import { writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/** Modules in dist/ whose functions are asynchronous. */
const CALLED = ['library/node/node', 'library/node/command', 'library/browser/browser'];
/** Modules in dist/ that are copied with what they import. */
const COPIED = ['library/shared/messages', 'library/shared/msg', 'library/shared/printable', 'library/shared/report/report'];

const ERRORS = 'library/shared/messages';
const AsyncFunction = (async () => {}).constructor;

/** Writes the entries and their types into `dist`. */
export async function writeCommonJs(dist) {
  for (const module of [...CALLED, ...COPIED]) {
    const exports = Object.entries(await import(pathToFileURL(join(dist, `${module}.js`)).href));
    const text = COPIED.includes(module) ? await copyText(dist, module) : callingText(module, exports);
    writeFileSync(join(dist, `${module}.cjs`), text);
    writeFileSync(join(dist, `${module}.d.cts`), typesText(module, exports));
  }
}

function callingText(module, exports) {
  const file = `./${basename(module)}.js`;
  const lines = exports.map(([name, value]) => {
    if (value instanceof AsyncFunction) return `exports.${name} = async (...args) => (await import('${file}')).${name}(...args);`;
    if (name === 'MoError') return `exports.MoError = require('${relative(dirname(module), ERRORS)}.cjs').MoError;`;
    if (typeof value === 'object') return `exports.${name} = ${JSON.stringify(value)};`;
    throw new Error(`${module}: require() cannot give ${name}`);
  });
  return `'use strict';\n${lines.join('\n')}\n`;
}

async function copyText(dist, module) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(dist, `${module}.js`), formats: ['cjs'], fileName: () => `${basename(module)}.cjs` },
    },
  });
  if (output.length !== 1) throw new Error(`${module}: its copy is more than one file`);
  return output[0].code;
}

/** All types of the module, and its values once more: those that the module exports as types only are values here, too. */
function typesText(module, exports) {
  const from = `'./${basename(module)}.js' with { 'resolution-mode': 'import' }`;
  const values = exports.flatMap(([name, value]) => {
    const isClass = typeof value === 'function' && String(value).startsWith('class ');
    return [`export declare const ${name}: typeof modules.${name};`, ...(isClass ? [`export type ${name} = modules.${name};`] : [])];
  });
  return `import type * as modules from ${from};\nexport type * from ${from};\n${values.join('\n')}\n`;
}
