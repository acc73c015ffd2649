import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { fileMissing } from '../shared/messages.js';
import { msg } from '../shared/msg.js';

// Bundlers take `new URL(…, import.meta.url)` for a file of a page, and replace it by a URL that Node cannot read. They leave
// `import.meta.url` alone as it is.
const here: string | undefined = import.meta.url;

/**
 * The path of a file in `dist/library/`. A bundle is not beside the package's other files. In a bundle the package is looked up by its
 * name, from the folder in which the program runs.
 *
 * @throws {MoError} when it is at neither place.
 */
export function packageFile(path: string): string {
  const folders = [beside, installed].flatMap((find) => find() ?? []);
  const found = folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw fileMissing(msg`${path} is neither beside the bundle nor in an installed @mo/wasm`, 'leave @mo/wasm out of the bundle (external): README.md, "In bundlers"');
}

function beside(): string | undefined {
  return here?.startsWith('file:') ? dirname(dirname(fileURLToPath(here))) : undefined;
}

function installed(): string | undefined {
  try {
    return join(dirname(createRequire(join(process.cwd(), 'index.js')).resolve('@mo/wasm/package.json')), 'dist/library');
  } catch {
    return undefined;
  }
}
