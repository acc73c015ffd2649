// The service worker of the page in a folder: its script, with the list of all files there and their hashes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const NAME = 'service-worker.js';

/** `entry` is the path of the script's source. */
export async function addServiceWorker(folder, entry) {
  const files = listFiles(folder);
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'worker', fileName: () => NAME } },
  });
  writeFileSync(join(folder, NAME), output[0].code);
}

/** URL and `integrity` of each file. The page itself is asked for as its folder. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== join(folder, NAME))
    .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), `sha256-${createHash('sha256').update(readFileSync(path)).digest('base64')}`])
    .map(([path, integrity]) => [path === 'index.html' ? './' : path, integrity])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
