/** Paths that lead into archives: `models.zip/a/model.onnx`. */
import { closeSync, constants, fstatSync, openSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';

import { openedElsewhere } from '../opened.js';
import type { Place } from './bytes.js';
import { ArchiveFiles, kindOf, type Member } from './archive-files.js';
import { Refusal } from './refusal.js';

/** Those that are open, by their paths. */
const opened = new Map<string, Archive>();

/** An archive that is open. Paths of its files begin with its own. */
export class Archive {
  readonly files: ArchiveFiles;
  readonly #then: BigIntStats;
  #users = 1;

  /** `path` is where it is; that of the standard input is a mere name. Throws a Refusal when it cannot be read. */
  constructor(
    readonly path: string,
    private readonly descriptor: number,
    private readonly isOnDisk: boolean,
    private readonly isOwn = isOnDisk,
  ) {
    this.#then = fstatSync(descriptor, { bigint: true });
    this.files = new ArchiveFiles({ descriptor, begin: 0, size: Number(this.#then.size) }, basename(path));
    if (isOnDisk) opened.set(path, this);
  }

  /** Whether `path` is its own, or begins with it. */
  has(path: string): boolean {
    return path.startsWith(this.path) && (path.length === this.path.length || isSeparator(path[this.path.length]!));
  }

  /** Throws a Refusal for a file that cannot be read. */
  open(path: string): Member | undefined {
    return this.files.open(this.#inside(path));
  }

  list(path: string): string[] {
    return this.files.list(this.#inside(path));
  }

  /** Whether it is as it was when it was opened. */
  get isAsOpened(): boolean {
    const now = this.isOnDisk ? statSync(this.path, { bigint: true, throwIfNoEntry: false }) : fstatSync(this.descriptor, { bigint: true });
    return now !== undefined && (['dev', 'ino', 'size', 'ctimeNs'] as const).every((key) => now[key] === this.#then[key]);
  }

  isFile({ dev, ino }: BigIntStats): boolean {
    return this.isOnDisk && dev === this.#then.dev && ino === this.#then.ino;
  }

  /** One more has it open. */
  share(): this {
    this.#users++;
    return this;
  }

  /** Closes it when all who have it open have done so. */
  close(): void {
    if (--this.#users > 0) return;
    if (opened.get(this.path) === this) opened.delete(this.path);
    this.files.close();
    if (this.isOwn) closeSync(this.descriptor);
  }

  #inside(path: string): string {
    return path.slice(this.path.length).replace(/^[/\\]+/, '');
  }
}

const isSeparator = (letter: string): boolean => letter === '/' || letter === '\\';

/**
 * Opens the archive at `path`, which is absolute, or that into which it leads; undefined if there is none. Throws a Refusal for one that cannot
 * be read.
 */
export function archiveOn(path: string): Archive | undefined {
  for (let at = path; ; at = dirname(at)) {
    const there = stateOf(at);
    if (there) return there.isFile() ? openArchive(at) : undefined;
    if (dirname(at) === at) return undefined;
  }
}

/** The state of a file or folder; undefined where there is none. */
export function stateOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A part of the path is a file.
    return undefined;
  }
}

function openArchive(path: string): Archive | undefined {
  const known = opened.get(path);
  if (known?.isAsOpened) return known.share();
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined; // who reads it says why it cannot be opened
  }
  try {
    const archive = archiveIn(path, descriptor, true);
    if (!archive) closeSync(descriptor);
    return archive;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Opens the archive that an open file is, which stays the caller's; undefined if it is none. */
export function archiveOfFile(opened: number, name: string): Archive | undefined {
  const { descriptor, own } = openedElsewhere(opened);
  let archive: Archive | undefined;
  try {
    return (archive = archiveIn(name, descriptor, false, own));
  } finally {
    if (!archive && own) closeSync(descriptor);
  }
}

/** The archive that an open file is, which stays the caller's if it is none. */
function archiveIn(path: string, descriptor: number, isOnDisk: boolean, isOwn = isOnDisk): Archive | undefined {
  const place = { descriptor, begin: 0, size: fstatSync(descriptor).size };
  const kind = kindOf(place);
  if (kind === undefined || (kind === 'program' && !hasPacked(place, path))) return undefined;
  return new Archive(path, descriptor, isOnDisk, isOwn);
}

/** Whether something in a program of PyTorch is compressed. Of one that cannot be read the core says what is wrong. */
function hasPacked(place: Place, path: string): boolean {
  try {
    const files = new ArchiveFiles(place, basename(path));
    try {
      return files.hasPacked;
    } finally {
      files.close();
    }
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The path on disk of what `path` leads to: `path` itself, or the archive in which there is such a file or folder; undefined if there is neither. */
export function fileOnDisk(path: string, absolute: string): string | undefined {
  if (stateOf(path)) return path;
  const archive = archiveOn(absolute);
  if (!archive) return undefined;
  try {
    return archive.open(absolute) || archive.list(absolute).length > 0 ? archive.path : undefined;
  } finally {
    archive.close();
  }
}
