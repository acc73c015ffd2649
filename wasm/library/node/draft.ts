import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, readlinkSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import process, { pid } from 'node:process';
import { threadId } from 'node:worker_threads';

import { forget, note } from './leftovers.js';

/** Writes all bytes. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

/** Which processes this one sees: an id of another machine or container says nothing here. */
export const PLACE = createHash('sha256').update(`${hostname()} ${processes()}`).digest('hex').slice(0, 8);
const NAME = /^mo-node-(\d+)-([0-9a-f]{8})-([0-9a-f]{8})[0-9a-f]{24}\.(?:part|old)$/;

const threadName = (thread: number): string => thread.toString(16).padStart(8, '0');

function processes(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * A name in the folder of `path` for what is on its way: `part` for a new file, `old` for the `.xml` of an older pair while it is replaced.
 * Nobody can guess it. Node cannot lock files, so the name has the process and the thread that use it.
 */
export function temporaryPath(path: string, ending: 'part' | 'old'): string {
  return join(dirname(path), `mo-node-${pid}-${PLACE}-${threadName(threadId)}${randomBytes(12).toString('hex')}.${ending}`);
}

const tidied = new Set<string>();

/**
 * A new file beside `target`, whose place it takes when it is complete. The first one in a folder removes what processes that were killed have left
 * there. With `fsync` it waits for the disk when it is closed, and for its name when it is published.
 */
export class Draft {
  readonly path: string;
  #descriptor: number | undefined;

  constructor(
    target: string,
    private readonly fsync = false,
  ) {
    refuseSpecial(target);
    const folder = dirname(target);
    if (!tidied.has(folder)) removeDrafts(folder);
    tidied.add(folder);
    this.path = temporaryPath(target, 'part');
    note(this.path);
    try {
      this.#descriptor = openSync(this.path, 'wx');
    } catch (error) {
      forget(this.path);
      throw error;
    }
  }

  /** Open for writing until close(). */
  get descriptor(): number {
    return this.#descriptor!;
  }

  /** Ends the writing of a complete file. */
  finish(): void {
    if (this.fsync) fsyncSync(this.descriptor);
    this.close();
  }

  /** Puts the file into the place of `target`. */
  publish(target: string): void {
    renameSync(this.path, target);
  }

  /** Waits until the name that it has got is on the disk, if that is wanted. */
  syncName(target: string): void {
    if (this.fsync) syncFolder(dirname(target));
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  /** Closes it and removes what still has its temporary name. */
  discard(): void {
    this.close();
    rmSync(this.path, { force: true });
    forget(this.path);
  }
}

/** Waits until the names in `folder` are on the disk, where a system and a file system can do that. Windows has them in its journal in their order. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** A device or a pipe would be replaced by a file. */
function refuseSpecial(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile() && !there.isDirectory() && !there.isSymbolicLink()) throw new Error('not a regular file');
}

/** Removes the drafts in `folder` of a process that has ended: of any, or of the one with this id; or those of one of its threads. */
export function removeDrafts(folder: string, ended?: number, endedThread?: number): void {
  for (const name of namesIn(folder)) {
    const [, id, place, thread] = NAME.exec(name) ?? [];
    if (place !== PLACE || (ended === undefined ? isRunning(Number(id)) : Number(id) !== ended)) continue;
    if (endedThread !== undefined && thread !== threadName(endedThread)) continue;
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a process of this machine has that id. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
