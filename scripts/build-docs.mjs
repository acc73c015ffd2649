// Makes build/web/docs/, the documents as a site of pages that need no network: node scripts/build-docs.mjs
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';

import { root } from './docs/root.mjs';
import { finish } from './docs/site/finish.mjs';
import { stage } from './docs/site/stage.mjs';
import { addServiceWorker } from './page/precache.mjs';

const folder = join(root, 'build/docs');
const source = join(folder, 'source');
const site = join(folder, 'site');
const inSite = 'scripts/docs/site';

rmSync(folder, { recursive: true, force: true });
mkdirSync(source, { recursive: true });
stage(source);
execFileSync(process.execPath, [
  '--import', './scripts/docs/typescript-6.mjs', 'node_modules/typedoc/bin/typedoc', '--options', `${inSite}/typedoc.json`, '--out', join(source, 'api'),
], { cwd: root, stdio: 'inherit' });
await build(join(root, inSite));
finish(site);
// The styles are VitePress's.
copyFileSync(join(root, 'node_modules/vitepress/LICENSE'), join(site, 'assets/vitepress-LICENSE.txt'));
rmSync(join(root, 'build/web/docs'), { recursive: true, force: true });
cpSync(site, join(root, 'build/web/docs'), { recursive: true });
// The page keeps them for when there is no network.
await addServiceWorker(join(root, 'build/web'), join(root, 'web/worker/service-worker.ts'));
