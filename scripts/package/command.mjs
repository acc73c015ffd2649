// Puts the modules of the command into a few files: Node takes half a millisecond for each module, and the command has thirty.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';

import { WITH_CLASS_NAMES } from './minify.mjs';

/** What starts a thread, or is loaded by name. */
const ENTRIES = ['run', 'command-worker', 'supervise'];

/** Long texts and programs that are modules of the library already, seen from the folder of the command. */
const OF_THE_LIBRARY = ['../../shared/check-template.mjs', '../../../extension/load/typescript-text.mjs', '../archive/pako.mjs'];

function ofTheLibrary(id) {
  const found = OF_THE_LIBRARY.find((path) => basename(path) === basename(id));
  return found ? { id: found, external: 'relative' } : null;
}

/** Replaces the modules in `dist/library/node/cli/` by bundles of them and of all that they import. Other modules stay for the library. */
export async function bundleCommand(dist) {
  const folder = join(dist, 'library/node/cli');
  const { output } = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [{ name: 'of-the-library', enforce: 'pre', resolveId: ofTheLibrary }],
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
