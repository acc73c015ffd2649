import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { metaPolicy } from './scripts/csp.mjs';
import { errorHelp } from './scripts/error-help.mjs';
import { exampleModel } from './scripts/page/example.mjs';
import { versionOfPage } from './scripts/page/version.mjs';
import { withoutFiles } from './scripts/page/without-files.mjs';
import { workerModule } from './scripts/page/worker-text.mjs';

const inRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: inRoot('web'),
  base: './',
  plugins: [
    errorHelp(),
    versionOfPage(),
    exampleModel(),
    withoutFiles('extension-frame.html'),
    workerModule('virtual:graph-worker', inRoot('web/worker/graph-worker.ts')),
    workerModule('virtual:archive-worker', inRoot('web/worker/archive-worker.ts')),
    {
      name: 'served',
      apply: 'build',
      // The page as one file has a policy of its own, and nothing beside it.
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: metaPolicy }, injectTo: 'head-prepend' },
        { tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' },
        { tag: 'link', attrs: { rel: 'apple-touch-icon', href: './icons/maskable-192.png' }, injectTo: 'head' },
      ],
    },
  ],
  worker: { format: 'es' },
  build: {
    outDir: inRoot('build/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    // What the page needs at once is one file: parts that are loaded later do not split it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', test: /[\\/]web[\\/]main\.ts$/ }] } } },
  },
  test: {
    root: inRoot('.'),
    include: ['tests/{js,page,speed,release}/**/*.test.ts'],
    // A machine that does other things, too, may take a while for anything.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 50, timeout: 20_000 } },
    fileParallelism: false,
  },
});
