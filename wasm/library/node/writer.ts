import { closeSync, lstatSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pid } from 'node:process';

import { WRITE_FAILED } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import { MoError } from '../shared/messages.js';
import { reason, type FsFiles } from './fs-files.js';
import type { Plan } from './plan.js';

const OTHER_PATH = 'choose another path';
const OTHER_PAIR = 'choose another --model_name or --output_dir';

type Output = readonly [path: string, write: (descriptor: number) => void];

/** Writes the files of one model. All are complete under temporary names before the first one gets its final name. */
export class Writer {
  constructor(
    private readonly core: Core,
    private readonly files: FsFiles,
    private readonly plan: Plan,
  ) {}

  /** Writes the `.bin` to `path` completely or not at all. */
  saveBin(path: string): void {
    this.#refuseOwn(path, OTHER_PATH);
    this.#saveAll([[path, (descriptor) => this.#writePlan(descriptor)]]);
  }

  /** Writes `<name>.xml` and `<name>.bin` into `folder`, which is created if necessary: both, or neither, and the `.xml` last. */
  savePair(folder: string, name: string, xml: readonly Uint8Array[]): { xml: string; bin: string } {
    const paths = { xml: resolve(folder, `${name}.xml`), bin: resolve(folder, `${name}.bin`) };
    for (const path of [paths.xml, paths.bin]) this.#refuseOwn(path, OTHER_PAIR);
    const outputs: Output[] = [
      [paths.bin, (descriptor) => this.#writePlan(descriptor)],
      [paths.xml, (descriptor) => xml.forEach((piece) => writeAll(descriptor, piece))],
    ];
    this.#inFolder(folder, () => this.#saveAll(outputs, paths.xml));
    return paths;
  }

  /** Writes the plan to `name` in `folder`, which is created if necessary. */
  saveIn(folder: string, name: string): string {
    const path = resolve(folder, name);
    this.#inFolder(folder, () => this.saveBin(path));
    return path;
  }

  /** `folder` is created if necessary; what is created for nothing goes again. */
  #inFolder(folder: string, save: () => void): void {
    const made: string[] = [];
    try {
      this.#attempt(folder, () => makeFolder(resolve(folder), made));
      save();
    } catch (error) {
      removeEmpty(made.reverse());
      throw error;
    }
  }

  /**
   * `older` is out of the way while the first output takes its place: an `.xml` never has the `.bin` of another pair beside it,
   * whenever the process ends.
   */
  #saveAll(outputs: readonly Output[], older?: string): void {
    const leftovers = new Set<string>();
    let aside = false;
    try {
      for (const [path, write] of outputs)
        this.#attempt(path, () => {
          const descriptor = openSync(draftPath(path), 'w');
          leftovers.add(draftPath(path));
          try {
            write(descriptor);
          } finally {
            closeSync(descriptor);
          }
        });
      if (older !== undefined) this.#attempt(older, () => (aside = moveAside(older)));
      for (const [path] of outputs)
        this.#attempt(path, () => {
          renameSync(draftPath(path), path);
          leftovers.add(path);
          if (aside) rmSync(asidePath(older!));
          aside = false;
        });
      leftovers.clear();
    } finally {
      for (const path of leftovers) rmSync(path, { force: true });
      if (aside) renameSync(asidePath(older!), older!);
    }
  }

  /** An output never takes the place of a file that it is made from. */
  #refuseOwn(path: string, hint: string): void {
    let isOwn = false;
    this.#attempt(path, () => void (isOwn = this.files.holds(path)));
    if (!isOwn) return;
    throw new MoError([{ ...this.core.hostMessage(WRITE_FAILED, 'it is a file of the model', path), hint }]);
  }

  #attempt(path: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      throw error instanceof MoError ? error : new MoError([this.core.hostMessage(WRITE_FAILED, reason(error), path)]);
    }
  }

  #writePlan(descriptor: number): void {
    for (const piece of this.plan.pieces()) writeAll(descriptor, piece);
  }
}

/** Node's recursive mkdir never returns if a file system refuses new folders, as /proc does. Those that it makes are added to `made`. */
function makeFolder(folder: string, made: string[]): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) throw new Error('Not a directory');
  makeFolder(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}

/** As far as nobody else has put something into them. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    return;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

/** The name of a file while `process` writes it. */
export function draftPath(path: string, process = pid): string {
  return `${path}.part${process}`;
}

/** The name of the `.xml` of an older pair while `process` replaces it. */
export function asidePath(path: string, process = pid): string {
  return `${path}.old${process}`;
}

/** Whether there was such a file. Renaming onto a folder says that it is one. */
function moveAside(path: string): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there || there.isDirectory()) return false;
  renameSync(path, asidePath(path));
  return true;
}

/** Writes a small file completely or not at all. */
export function writeText(core: Core, path: string, text: string): void {
  try {
    writeFileSync(draftPath(path), text);
    renameSync(draftPath(path), path);
  } catch (error) {
    rmSync(draftPath(path), { force: true });
    throw new MoError([core.hostMessage(WRITE_FAILED, reason(error), path)]);
  }
}
