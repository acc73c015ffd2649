/** A worker's script as a text in a module: a worker made of a text needs no file, and starts on a page that was opened as a file. */
import { build } from 'vite';

import { WITH_CLASS_NAMES } from '../package/minify.mjs';

/** The script with all that it imports, which is no module: browsers load no module into a worker of such a page. */
export async function workerText(entry) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false, // `output` says how
      lib: { entry, formats: ['iife'], name: 'worker', fileName: () => 'worker.js' },
      rollupOptions: { output: { minify: WITH_CLASS_NAMES } },
    },
  });
  return output[0].code;
}

/** A plugin of Vite: the module `name` has the text of the worker. */
export const workerModule = (name, entry) => ({
  name,
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: async (id) => (id === `\0${name}` ? `export default ${JSON.stringify(await workerText(entry))};` : undefined),
});
