/**
 * The address space that this process may still use. V8 reserves much more of it than it uses, and where it finds none for a thread or for
 * its own heap it ends the process, which nobody can catch. So it is asked for before.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

import { outOfMemory, type MoError } from '../shared/messages.js';

/** What compiling the core takes, with what Node itself goes on to use. */
export const CORE_ROOM = 384 << 20;
/** A thread reserves 512 MB for code alone. */
const THREAD_ROOM = 800 << 20;
/** What V8 reserves at least for a memory of WebAssembly, if it is not told otherwise. */
const GUARDED = 8 * 2 ** 30;

/** With this flag V8 reserves no more for a memory of WebAssembly than it may become; without it, 10 GB. */
export const WITHOUT_GUARDS = '--disable-wasm-trap-handler';
const HINT = `raise the limit of address space (ulimit -v), start node with ${WITHOUT_GUARDS}, or use the native converter`;

const PAGE = 64 << 10;
const MOST_PAGES = 65536;
/** What the rest of a conversion takes, and a second core. */
const REST = 1 << 30;

let limit: number | undefined;

/** Bytes; Infinity where there is no limit, or none that is known. */
export function roomLeft(): number {
  limit ??= limitOf();
  if (limit === Infinity) return Infinity;
  const [, used = '0'] = /^VmSize:\s+(\d+) kB$/m.exec(textOf('/proc/self/status')) ?? [];
  return limit - Number(used) * 1024;
}

/** @throws {MoError} when there is less than this. */
export function requireRoom(bytes: number): void {
  if (roomLeft() < bytes) throw noRoom();
}

/** The error where address space is what is missing. */
export function noRoom(cause?: unknown): MoError {
  return outOfMemory(roomLeft() === Infinity ? undefined : HINT, { cause });
}

/** Whether this process reserves for a memory of WebAssembly only what it may become. */
export function isWithoutGuards(): boolean {
  return `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`.includes(WITHOUT_GUARDS);
}

/** The most that the memory of a core reserves. */
let reserved: number | undefined;

/** Lets the memories of cores reserve only so much that the rest finds its room. */
export function leaveRoom(): void {
  if (reserved !== undefined) return;
  const room = roomLeft();
  if (!isWithoutGuards()) reserved = GUARDED;
  else {
    const pages = Math.min(MOST_PAGES, Math.max(512, Math.floor(Math.max(room - REST, room / 4) / 2 / PAGE)));
    reserved = pages * PAGE;
    if (pages < MOST_PAGES) setFlagsFromString(`--wasm-max-mem-pages=${pages}`);
  }
}

/** @throws {MoError} when there is no room for a thread with a core. */
export function requireThreadRoom(): void {
  leaveRoom();
  requireRoom(THREAD_ROOM + reserved!);
}

function limitOf(): number {
  const [, soft = 'unlimited'] = /^Max address space\s+(\d+|unlimited)/m.exec(textOf('/proc/self/limits')) ?? [];
  return soft === 'unlimited' ? Infinity : Number(soft);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
