import { constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { forget, note } from './leftovers.js';

/** Linux's flag for a file that never has a name. */
const TMPFILE = 0o20000000;

/** A temporary file of this process alone, open for reading and writing. It has no name, and disappears with the process, however that ends. */
export function openUnnamed(): number {
  if (process.platform === 'linux') {
    try {
      return openSync(tmpdir(), constants.O_RDWR | constants.O_DIRECTORY | TMPFILE, 0o600);
    } catch {
      // Not all file systems have such files, and not all runtimes pass the flag on.
    }
  }
  const folder = join(tmpdir(), `mo-${randomBytes(12).toString('hex')}`);
  note(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
    let descriptor: number | undefined;
    try {
      descriptor = openSync(join(folder, 'model'), 'wx+', 0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return descriptor;
  } finally {
    forget(folder);
  }
}
