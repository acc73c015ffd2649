// Puts the modules of the command into a few files: Node takes half a millisecond for each module, and the command has thirty.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

import { WITH_CLASS_NAMES } from './minify.mjs';

/** What starts a thread, or is loaded by name. */
const ENTRIES = ['run', 'command-worker', 'supervise'];

/** Replaces the modules in `dist/library/node/cli/` by bundles of them and of all that they import. Other modules stay for the library. */
export async function bundleCommand(dist) {
  const folder = join(dist, 'library/node/cli');
  const { output } = await build({
    configFile: false,
    logLevel: 'warn',
    // The text of the script of --emit_check is in a module of the library already.
    plugins: [{ name: 'check-template', enforce: 'pre', resolveId: (id) => (id.endsWith('/check-template.mjs') ? { id: '../../shared/check-template.mjs', external: 'relative' } : null) }],
    build: {
      write: false,
      ssr: true, // for Node
      target: 'es2022',
      minify: false, // `output` says how
      rollupOptions: {
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(folder, `${name}.js`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', minify: WITH_CLASS_NAMES },
      },
    },
  });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code);
}
