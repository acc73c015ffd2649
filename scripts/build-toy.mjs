// Makes build/toy/, for tests: dist/, the package, and web/, the page, with the toy formats of tests/toy/ in their core. All else is as in the
// package and the page that people get. Needs core_toy in build/wasm/, and dist/.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

import { writeOptions } from './generate-options.mjs';
import { bundleCommand } from './package/command.mjs';
import { readToyTables } from './tables.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const toy = join(root, 'build/toy');
const dist = join(toy, 'dist');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

// The sources with the tables of the toy formats.
rmSync(toy, { recursive: true, force: true });
mkdirSync(toy, { recursive: true });
copyFileSync(join(root, 'package.json'), join(toy, 'package.json'));
cpSync(join(root, 'wasm'), join(toy, 'wasm'), { recursive: true });
writeOptions(readToyTables(), pathToFileURL(join(toy, 'wasm/library/shared/')));
const { status } = spawnSync(process.execPath, [tsc, '-p', join(toy, 'wasm'), '--declaration', 'false'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

for (const ending of ['mjs', 'wasm']) copyFileSync(join(root, `build/wasm/core_toy.${ending}`), join(dist, `library/shared/core.${ending}`));
// What build-package.mjs makes besides.
for (const name of readdirSync(join(root, 'dist'), { recursive: true }))
  if (/\.(?:mjs|html)$/.test(name) && !existsSync(join(dist, name))) copyFileSync(join(root, 'dist', name), join(dist, name));
await bundleCommand(dist);
copyFileSync(join(root, 'dist/library/node/cli/texts.json.br'), join(dist, 'library/node/cli/texts.json.br'));

const entries = { '': 'library/browser/browser.js', '/worker': 'library/browser/browser-worker.js', '/report': 'library/shared/report/report.js', '/printable': 'library/shared/printable.js' };
const alias = Object.entries(entries).map(([entry, path]) => ({ find: new RegExp(`^@mo/wasm${entry}(?=$|\\?)`), replacement: join(dist, path) }));
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', resolve: { alias }, build: { outDir: join(toy, 'web') } });
