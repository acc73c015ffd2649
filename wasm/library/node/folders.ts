import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { syncFolder } from './draft.js';
import { forget, note } from './leftovers.js';

/**
 * Node's recursive mkdir never returns if a file system refuses new folders, as /proc does. Those that it makes are added to `made`; with `fsync` it
 * waits until their names are on the disk.
 */
export function makeFolder(folder: string, made: string[], fsync: boolean): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) throw new Error('Not a directory');
  makeFolder(dirname(folder), made, fsync);
  note(folder);
  try {
    mkdirSync(folder);
  } catch (error) {
    forget(folder);
    // Another process may have made it by now.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw error;
  }
  made.push(folder);
  if (fsync) syncFolder(dirname(folder));
}

/** Removes the folders until one is not empty. */
export function removeEmpty(folders: readonly string[]): void {
  folders.forEach(forget);
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    return;
  }
}
