import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { metaPolicy } from './scripts/csp.mjs';

const inRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: inRoot('web'),
  base: './',
  plugins: [
    {
      name: 'meta-csp',
      apply: 'build',
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: metaPolicy }, injectTo: 'head-prepend' },
      ],
    },
  ],
  worker: { format: 'es' },
  build: { outDir: inRoot('build/web'), emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: {
    root: inRoot('.'),
    include: ['tests/js/**/*.test.ts', 'tests/page/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
