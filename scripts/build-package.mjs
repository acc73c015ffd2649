// Makes dist/, the npm package's content, from wasm/ and the core in build/wasm/.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, deflateRawSync } from 'node:zlib';

import './generate-types.mjs';
import { notices } from './notices.mjs';
import { removeComments } from './package/comments.mjs';
import { bundleCommand } from './package/command.mjs';
import { writeCommonJs } from './package/commonjs.mjs';
import { moduleText } from './package/module-text.mjs';
import { optimized } from './package/optimize.mjs';
import { trimTypes } from './package/types.mjs';
import { typescriptText } from './package/typescript.mjs';
import { withOneSegment } from './package/wasm-data.mjs';
import { workerText } from './page/worker-text.mjs';
import { readTables } from './tables.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

rmSync(join(root, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'wasm')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
removeComments(join(root, 'dist'));
for (const [from, name] of [['build/wasm', 'core.mjs'], ['wasm/library/shared', 'core.d.mts']])
  copyFileSync(join(root, from, name), join(root, 'dist/library/shared', name));
writeFileSync(join(root, 'dist/library/shared/core.wasm'), withOneSegment(optimized(join(root, 'build/wasm/core.wasm'))));
// The loader's lexer is included, so that the package has no dependencies and pages need no bundler.
const lexer = join(root, 'node_modules/es-module-lexer');
writeFileSync(join(root, 'dist/extension/load/lexer.mjs'), withoutEval(readFileSync(join(lexer, 'dist/lexer.js'), 'utf8')));
copyFileSync(join(lexer, 'LICENSE'), join(root, 'dist/extension/load/lexer.LICENSE'));
copyFileSync(join(root, 'wasm/extension/load/lexer.d.mts'), join(root, 'dist/extension/load/lexer.d.mts'));
const load = join(root, 'dist/extension/load');
writeFileSync(join(load, 'typescript-text.mjs'), `export default '${deflateRawSync(await typescriptText(), { level: 9 }).toString('base64')}';\n`);
for (const name of ['typescript.d.mts', 'typescript-text.d.mts']) copyFileSync(join(root, 'wasm/extension/load', name), join(load, name));
chmodSync(join(root, 'dist/library/node/cli.js'), 0o755);

// The script of --emit_check is a text in a module, which pages and bundlers take as they take code. Its parts stand one behind the other.
const checkFolder = join(root, 'core/cli/check_script');
const checkParts = readFileSync(join(checkFolder, 'parts.txt'), 'utf8').trim().split('\n');
const checkText = checkParts.map((name) => readFileSync(join(checkFolder, name), 'utf8')).join('');
const shared = join(root, 'dist/library/shared');
writeFileSync(join(shared, 'check-template.mjs'), `export default ${JSON.stringify(checkText)};\n`);
copyFileSync(join(root, 'wasm/library/shared/check-template.d.mts'), join(shared, 'check-template.d.mts'));

const archive = join(root, 'dist/library/node/archive');
writeFileSync(join(archive, 'pako.mjs'), await moduleText(join(root, 'wasm/library/node/archive/pako.mjs')));
copyFileSync(join(root, 'wasm/library/node/archive/pako.d.mts'), join(archive, 'pako.d.mts'));

writeFileSync(join(root, 'THIRD_PARTY_NOTICES'), notices());

// A worker without an origin cannot load files: it gets its script as one text, which is a module of the package.
const browser = join(root, 'dist/library/browser');
writeFileSync(join(browser, 'extension-worker-text.mjs'), `export default ${JSON.stringify(await workerText(join(browser, 'extension-worker.js')))};\n`);
copyFileSync(join(root, 'wasm/library/browser/extension-worker-text.d.mts'), join(browser, 'extension-worker-text.d.mts'));
const { FRAME_TEXT } = await import(pathToFileURL(join(browser, 'frame-text.js')).href);
writeFileSync(join(browser, 'extension-frame.html'), FRAME_TEXT);

await writeCommonJs(join(root, 'dist'));

await bundleCommand(join(root, 'dist'));
writeFileSync(join(root, 'dist/library/node/cli/texts.json.br'), brotliCompressSync(JSON.stringify(readTables().command_texts)));
trimTypes(root, join(root, 'dist'));

/** The lexer evaluates the text of a specifier, which the loader does not use and policies forbid. */
function withoutEval(code) {
  const pieces = code.split('return(0,eval)(');
  if (pieces.length !== 2) throw new Error('es-module-lexer evaluates in another way than before');
  return pieces.join('return(');
}
