import { lstatSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { READ_FAILED, WRITE_FAILED } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import { hintOf, lacksMemory, MoError } from '../shared/messages.js';
import { Draft, syncFolder, temporaryPath, writeAll } from './draft.js';
import { lockFolder } from './folder-lock.js';
import { makeFolder, removeEmpty } from './folders.js';
import type { FsFiles } from './fs-files.js';
import { reason } from './reason.js';
import { forget } from './leftovers.js';
import type { Plan } from './plan.js';
import type { SecondThread } from './second-thread.js';
import type { XmlDraft } from './xml-draft.js';
import { msg } from '../shared/msg.js';

const OTHER_PATH = 'choose another path';
const OTHER_PAIR = 'choose another --model_name or --output_dir';

/** A file, and the function that gives its complete draft. */
type Output = readonly [path: string, finish: () => Draft | Promise<Draft>];

/** Writes the files of one model. All are complete under temporary names before the first one gets its final name; with `fsync` on the disk, too. */
export class Writer {
  constructor(
    private readonly core: Core,
    private readonly files: FsFiles,
    private readonly plan: Plan,
    private readonly second?: SecondThread,
    private readonly fsync = false,
  ) {}

  /** Writes the `.bin` to `path` completely or not at all. */
  async saveBin(path: string): Promise<void> {
    this.#refuseOwn(path, OTHER_PATH);
    await this.#saveAll([[path, () => this.#draftPlan(path)]]);
  }

  /** Writes the `.bin` beside the `.xml`, in a folder that is created if necessary. Both get their names, the `.xml` last, or neither does. */
  async savePair({ folder, path, finish }: XmlDraft): Promise<{ xml: string; bin: string }> {
    const paths = { xml: path, bin: path.replace(/xml$/, 'bin') };
    for (const path of [paths.xml, paths.bin]) this.#refuseOwn(path, OTHER_PAIR);
    const outputs: Output[] = [
      [paths.bin, () => this.#draftPlan(paths.bin)],
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
      await this.#attempt(folder, () => makeFolder(resolve(folder), made, this.fsync));
      await save();
      made.forEach(forget);
    } catch (error) {
      removeEmpty(made.reverse());
      throw error;
    }
  }

  /**
   * Gives all outputs their names, or none. `older` is moved aside while the first output gets its name, so that an `.xml` never has the
   * `.bin` of another pair beside it, whenever the process ends, and if another process writes the same pair.
   */
  async #saveAll(outputs: readonly Output[], older?: string): Promise<void> {
    const drafts: [path: string, draft: Draft][] = [];
    const published = new Set<string>();
    let aside: string | undefined;
    let unlock: (() => void) | undefined;
    try {
      for (const [path, finish] of outputs) await this.#attempt(path, async () => void drafts.push([path, await finish()]));
      await turn(); // for a signal that has come
      refuseChanged(this.core, this.files);
      // From here on nothing is waited for but the lock, so that no signal is handled before both have their names.
      if (older !== undefined) unlock = lockFolder(dirname(older));
      if (older !== undefined) this.#attemptNow(older, () => (aside = this.#moveAside(older)));
      for (const [path, draft] of drafts)
        this.#attemptNow(path, () => {
          draft.publish(path);
          published.add(path);
          if (aside !== undefined) rmSync(aside);
          aside = undefined;
          draft.syncName(path);
        });
      published.clear();
    } finally {
      for (const path of published) rmSync(path, { force: true });
      if (aside !== undefined) renameSync(aside, older!);
      unlock?.();
      for (const [, draft] of drafts) draft.discard();
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

  #attemptNow(path: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      throw this.#failed(path, error);
    }
  }

  #failed(path: string, error: unknown): unknown {
    if (lacksMemory(error)) return error;
    return error instanceof MoError ? error : new MoError([this.core.hostMessage(WRITE_FAILED, msg`${reason(error)}`, path)]);
  }

  async #draftPlan(path: string): Promise<Draft> {
    const draft = new Draft(path, this.fsync);
    try {
      await this.plan.writeTo(draft.descriptor, draft.path, this.second);
      draft.finish();
      return draft;
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  /** Returns where the file is now, if there was one. A folder stays in place: renaming onto it fails later, with the reason. */
  #moveAside(path: string): string | undefined {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (!there || there.isDirectory()) return undefined;
    const aside = temporaryPath(path, 'old');
    renameSync(path, aside);
    if (this.fsync) syncFolder(dirname(path));
    return aside;
  }
}

/**
 * Refuses what was read if a file is not what it was when it was opened.
 *
 * @throws {MoError} in that case.
 */
export function refuseChanged(core: Core, files: FsFiles): void {
  const name = files.changed();
  if (name === undefined) return;
  const message = core.hostMessage(READ_FAILED, msg`it has changed while it was read`, name);
  throw new MoError([{ ...message, ...hintOf('convert it again when nothing writes it') }]);
}

/**
 * Refuses `path` if it is one of the files that have been read.
 *
 * @throws {MoError} in that case.
 */
export function refuseOwn(core: Core, files: FsFiles, path: string, hint = OTHER_PAIR): void {
  if (files.holds(path)) throw new MoError([{ ...core.hostMessage(WRITE_FAILED, msg`it is a file of the model`, path), ...hintOf(hint) }]);
}

/** Writes a small file completely or not at all. */
export function writeText(core: Core, path: string, text: string, fsync: boolean): void {
  let draft: Draft | undefined;
  try {
    draft = new Draft(path, fsync);
    writeAll(draft.descriptor, new TextEncoder().encode(text));
    draft.finish();
    draft.publish(path);
    draft.syncName(path);
  } catch (error) {
    throw new MoError([core.hostMessage(WRITE_FAILED, msg`${reason(error)}`, path)]);
  } finally {
    draft?.discard();
  }
}
