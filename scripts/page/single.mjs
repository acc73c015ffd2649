// The page as one file, for machines without a network and without a server: everything that it loads is in it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

import { singlePolicy } from '../csp.mjs';
import { errorHelp } from '../error-help.mjs';
import { exampleModel } from './example.mjs';
import { versionOfPage } from './version.mjs';
import { withoutFiles } from './without-files.mjs';
import { workerModule } from './worker-text.mjs';

const { resolve } = createRequire(import.meta.url);

/** The file's content. `web` is the folder of the page's source, `notices` the text of the licences. */
export async function singleFile(web, notices) {
  const [html, script, style] = await bundle(web);
  const code = inScript(await starter(join(web, 'single/start.ts')));
  return edit(html, [
    [/<meta charset="utf-8" \/>/, (found) => `${found}\n    <meta http-equiv="Content-Security-Policy" content="${singlePolicy([code], [style])}" />`],
    [/<script type="module"[^>]*><\/script>\s*/, () => ''],
    [/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`],
    [/<a class="brand" href="\.\/"/, () => '<a class="brand" href=""'],
    [/<a href="\.\/docs\/index.html">.*?<\/a>/, () => '<a href="#" role="button" id="documents">What messages mean</a>'],
    [/<a href="\.\/THIRD_PARTY_NOTICES.txt">(.*?)<\/a>/, (_, title) => `<details><summary>${title}</summary><pre tabindex="0" translate="no" lang="en">${escape(notices)}</pre></details>`],
    [/<\/body>/, (found) => [
      packed('core', readFileSync(resolve('@mo/wasm/core.wasm'))),
      packed('scripts', script),
      `<script type="module">${code}</script>\n  ${found}`,
    ].join('\n    ')],
  ]);
}

/** An element whose text is this content; web/single/unpack.ts reads it. */
const packed = (id, content) => `<script type="application/gzip" id="${id}">${gzipSync(content, { level: 9 }).toString('base64')}</script>`;

/** The script that starts the compressed ones. */
async function starter(entry) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', lib: { entry, formats: ['es'], fileName: 'start' } },
  });
  return output[0].code;
}

/** The page, its script and its style. */
async function bundle(web) {
  const { output } = await build({
    configFile: false,
    root: web,
    base: './',
    logLevel: 'warn',
    resolve: { alias: [{ find: /^\.\/page\/surroundings\.js$/, replacement: join(web, 'single/surroundings.ts') }] },
    plugins: [
      errorHelp(),
      versionOfPage(),
      exampleModel(),
      withoutFiles('core.wasm', 'worker', 'extension-frame.html'),
      workerModule('virtual:worker', resolve('@mo/wasm/worker')),
      workerModule('virtual:graph-worker', join(web, 'worker/graph-worker.ts')),
      workerModule('virtual:archive-worker', join(web, 'worker/archive-worker.ts')),
    ],
    build: {
      write: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      modulePreload: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const named = (ending) => output.filter(({ fileName }) => fileName.endsWith(ending));
  const parts = ['.html', '.js', '.css', '.svg'].map(named);
  if (output.length !== parts.length || parts.some(({ length }) => length !== 1))
    throw new Error(`the page in one file is made of ${output.map(({ fileName }) => fileName).join(', ')}`);
  const [html, script, style, icon] = parts.map(([part]) => part.code ?? part.source.toString());
  // In a page, the bundler leaves pictures where they are.
  const url = `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`;
  return [html.replaceAll(`./${named('.svg')[0].fileName}`, url), script, style];
}

/** What would end a script element, or begin a comment in it. */
const inScript = (code) => code.replaceAll(/<(?=\/script|script|!--)/gi, '\\x3C');
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Each of the replacements once. */
function edit(text, replacements) {
  return replacements.reduce((text, [place, by]) => {
    if (!place.test(text)) throw new Error(`the page has no ${place}`);
    return text.replace(place, by);
  }, text);
}
