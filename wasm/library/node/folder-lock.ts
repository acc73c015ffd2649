import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';

import { isRunning, PLACE, temporaryPath } from './draft.js';

/** Holding a lock takes far less. A lock of another machine that is older belongs to nobody. */
const LONGEST = 10_000;

/**
 * Locks a folder against others who call this, and returns what unlocks it. Waits while it is locked. Node cannot lock files, so the lock is
 * a file that is created only where there is none. Nothing is locked in a folder where it cannot be created.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'mo-node-lock');
  for (;;) {
    try {
      writeFileSync(path, `${pid} ${PLACE}`, { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return () => undefined;
    }
    if (isLeft(path)) takeAway(path);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
}

/** Whether a process that has ended has left the lock. */
function isLeft(path: string): boolean {
  try {
    const [id, place] = readFileSync(path, 'utf8').split(' ');
    if (place === PLACE) return !isRunning(Number(id));
    return Date.now() - statSync(path).mtimeMs > LONGEST;
  } catch {
    return false; // it has gone
  }
}

/** By a name of its own, so that nobody removes the lock that comes next. */
function takeAway(path: string): void {
  const aside = temporaryPath(path, 'old');
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  rmSync(aside, { force: true });
}
