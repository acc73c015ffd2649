import { closeSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { WRITE_FAILED } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import { MoError } from '../shared/messages.js';
import { asidePath, draftPath } from './draft.js';
import { makeFolder, removeEmpty } from './folders.js';
import { reason, type FsFiles } from './fs-files.js';
import type { Plan } from './plan.js';
import type { SecondThread } from './second-thread.js';
import type { XmlDraft } from './xml-draft.js';

const OTHER_PATH = 'choose another path';
const OTHER_PAIR = 'choose another --model_name or --output_dir';

/** A file, and the function that completes its draft. The function calls `onDraft` once there is a draft that the writer has to remove. */
type Output = readonly [path: string, finish: (onDraft: () => void) => void | Promise<void>];

/** Writes the files of one model. All are complete under temporary names before the first one gets its final name. */
export class Writer {
  constructor(
    private readonly core: Core,
    private readonly files: FsFiles,
    private readonly plan: Plan,
    private readonly second?: SecondThread,
  ) {}

  /** Writes the `.bin` to `path` completely or not at all. */
  async saveBin(path: string): Promise<void> {
    this.#refuseOwn(path, OTHER_PATH);
    await this.#saveAll([[path, (onDraft) => this.#draftPlan(path, onDraft)]]);
  }

  /** Writes the `.bin` beside the `.xml`, in a folder that is created if necessary. Both get their names, the `.xml` last, or neither does. */
  async savePair({ folder, path, finish }: XmlDraft): Promise<{ xml: string; bin: string }> {
    const paths = { xml: path, bin: path.replace(/xml$/, 'bin') };
    for (const path of [paths.xml, paths.bin]) this.#refuseOwn(path, OTHER_PAIR);
    const outputs: Output[] = [
      [paths.bin, (onDraft) => this.#draftPlan(paths.bin, onDraft)],
      [paths.xml, finish],
    ];
    await this.#inFolder(folder, () => this.#saveAll(outputs, paths.xml));
    return paths;
  }

  /** Writes the plan to `name` in `folder`, which is created if necessary. */
  async saveIn(folder: string, name: string): Promise<string> {
    const path = resolve(folder, name);
    await this.#inFolder(folder, () => this.saveBin(path));
    return path;
  }

  /** `folder` is created if necessary; what was created is removed if `save` fails. */
  async #inFolder(folder: string, save: () => Promise<void>): Promise<void> {
    const made: string[] = [];
    try {
      await this.#attempt(folder, () => makeFolder(resolve(folder), made));
      await save();
    } catch (error) {
      removeEmpty(made.reverse());
      throw error;
    }
  }

  /**
   * Gives all outputs their names, or none. `older` is moved aside while the first output gets its name, so that an `.xml` never has the
   * `.bin` of another pair beside it, whenever the process ends.
   */
  async #saveAll(outputs: readonly Output[], older?: string): Promise<void> {
    const leftovers = new Set<string>();
    let aside = false;
    try {
      for (const [path, finish] of outputs) await this.#attempt(path, () => finish(() => leftovers.add(draftPath(path))));
      if (older !== undefined) await this.#attempt(older, () => void (aside = moveAside(older)));
      for (const [path] of outputs)
        await this.#attempt(path, () => {
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
    try {
      refuseOwn(this.core, this.files, path, hint);
    } catch (error) {
      throw this.#failed(path, error);
    }
  }

  async #attempt(path: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw this.#failed(path, error);
    }
  }

  #failed(path: string, error: unknown): MoError {
    return error instanceof MoError ? error : new MoError([this.core.hostMessage(WRITE_FAILED, reason(error), path)]);
  }

  async #draftPlan(path: string, onDraft: () => void): Promise<void> {
    const descriptor = openSync(draftPath(path), 'w');
    onDraft();
    try {
      await this.plan.writeTo(descriptor, draftPath(path), this.second);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Returns whether there was such a file. A folder stays in place: renaming onto it fails later, with the reason. */
function moveAside(path: string): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there || there.isDirectory()) return false;
  renameSync(path, asidePath(path));
  return true;
}

/**
 * Refuses `path` if it is one of the files that have been read.
 *
 * @throws {MoError} in that case.
 */
export function refuseOwn(core: Core, files: FsFiles, path: string, hint = OTHER_PAIR): void {
  if (files.holds(path)) throw new MoError([{ ...core.hostMessage(WRITE_FAILED, 'it is a file of the model', path), hint }]);
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
