/** What the Node library and the command line share: how a model on disk is found and how files are written. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import type { Core } from './core.js';
import { FsFiles, type NodeFiles } from './fs-files.js';
import { MoError, sentence } from './messages.js';
import type { Plan } from './plan.js';

const READ_FAILED = 7001;
const WRITE_FAILED = 7002;
const PIECE = 4 << 20;

/** A model's main file and the folder it stands in. */
export function openModel(core: Core, path: string): { files: FsFiles; main: string } {
  if (!existsSync(path))
    throw new MoError([core.hostMessage(READ_FAILED, `The "${path}" is not existing file or directory`, '')]);
  return { files: new FsFiles(dirname(path)), main: basename(path) };
}

/** Throws unless files can be written into `folder`, or it can be made: better said before a conversion than after. */
export function checkFolder(core: Core, folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  const refuse = (text: string) => new MoError([core.hostMessage(WRITE_FAILED, text, '')]);
  if (!statSync(existing).isDirectory()) throw refuse(`The "${folder}" is not a directory`);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    throw refuse(`The directory "${folder}" is not writable`);
  }
}

/** Writes the `.bin` to `path`: whole, or not at all. */
export function saveBin(core: Core, files: NodeFiles, plan: Plan, path: string): void {
  saveAll(core, files, [{ path, write: (descriptor) => writePlan(plan, descriptor) }]);
}

/** Writes `<name>.xml` and `<name>.bin` into `folder`, which is made if need be: both, or neither. */
export function savePair(
  core: Core, files: NodeFiles, folder: string, name: string, xml: Uint8Array, plan: Plan,
): { xml: string; bin: string } {
  const paths = { xml: join(folder, `${name}.xml`), bin: join(folder, `${name}.bin`) };
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new MoError([core.hostMessage(WRITE_FAILED, sentence(error), '')]);
  }
  saveAll(core, files, [
    { path: paths.bin, write: (descriptor) => writePlan(plan, descriptor) },
    { path: paths.xml, write: (descriptor) => writeAll(descriptor, xml) },
  ]);
  return paths;
}

interface Output {
  path: string;
  write(descriptor: number): void;
}

/** Every file is complete under a temporary name before the first one gets its own. */
function saveAll(core: Core, files: NodeFiles, outputs: readonly Output[]): void {
  const placed: string[] = [];
  try {
    for (const { path, write } of outputs) {
      if (files.holds(path)) throw new Error(`"${path}" is a file of the model itself: choose another name or folder`);
      const descriptor = openSync(`${path}.tmp`, 'w');
      try {
        write(descriptor);
      } finally {
        closeSync(descriptor);
      }
    }
    for (const { path } of outputs) {
      renameSync(`${path}.tmp`, path);
      placed.push(path);
    }
  } catch (error) {
    for (const path of [...outputs.map((output) => `${output.path}.tmp`), ...placed]) rmSync(path, { force: true });
    throw error instanceof MoError ? error : new MoError([core.hostMessage(WRITE_FAILED, sentence(error), '')]);
  }
}

function writePlan(plan: Plan, descriptor: number): void {
  const buffer = new Uint8Array(Math.min(PIECE, plan.size));
  for (let offset = 0; offset < plan.size; offset += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, plan.size - offset));
    plan.read(offset, piece);
    writeAll(descriptor, piece);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}
