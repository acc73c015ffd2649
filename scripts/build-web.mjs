// Makes build/web/, the page, and build/mo.html, the page as one file, from web/ and the package in dist/.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

import { section } from './notices.mjs';
import { drawIcons } from './page/icons.mjs';
import { manifest } from './page/manifest.mjs';
import { addServiceWorker } from './page/precache.mjs';
import { singleFile } from './page/single.mjs';

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

await build({ configFile: path('vite.config.ts') });
// Besides what the package contains, the page contains what it opens archives and hashes files with. The ending is one that servers know as text.
const others = [['zip.js', '@zip.js/zip.js'], ['noble-hashes: SHA-256', '@noble/hashes']];
const notices = readFileSync(path('THIRD_PARTY_NOTICES'), 'utf8')
  + others.map(([name, folder]) => section(name, readFileSync(path(`node_modules/${folder}/LICENSE`), 'utf8'))).join('');
writeFileSync(path('build/web/THIRD_PARTY_NOTICES.txt'), notices);
writeFileSync(path('build/web/manifest.webmanifest'), `${JSON.stringify(manifest, undefined, 2)}\n`);
copyFileSync(path('web/icon.svg'), path('build/web/icon.svg'));
mkdirSync(path('build/web/icons'));
for (const [name, content] of await drawIcons(path('web/icon.svg'))) writeFileSync(path(`build/web/icons/${name}`), content);
// The last of the files, for it lists the others.
await addServiceWorker(path('build/web'), path('web/worker/service-worker.ts'));

writeFileSync(path('build/mo.html'), await singleFile(path('web'), notices));
