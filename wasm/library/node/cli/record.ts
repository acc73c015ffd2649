import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { isAbsolute, posix, resolve } from 'node:path';

import type { ExtensionRoot } from '../../../extension/load/loader.js';
import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { jsonOf } from '../../shared/printable.js';
import type { FsFiles } from '../fs-files.js';
import { refuseOwn, writeText } from '../writer.js';
import { fileOptions, filesOf } from './conversion-options.js';
import { irFolder } from './given-models.js';

type Hash = (path: string) => string;

/** The content of `NAME.mo.json`. The native command writes the same text; core/cli/conversion_record.h describes it. */
interface Content {
  inputs: { path: string; sha256: string }[];
  outputs: { sha256: string }[];
}

const LARGEST_RECORD = 16 << 20;
const PIECE = 256 << 10;

/** The record of a conversion: its inputs, options and outputs. It shows whether another conversion would give the files that are there. */
export class ConversionRecord {
  /** The paths of the IR. */
  readonly xml: string;
  readonly bin: string;
  readonly #path: string;
  /** The paths of files beside the model begin with this. */
  readonly #prefix: string;
  /** The paths of inputs that are known without opening the model. */
  readonly #inputs: readonly string[];

  /** `opened`: the path under which the model is read, which differs from the given one for the standard input. */
  constructor(
    private readonly core: Core,
    private readonly line: CommandLine,
    private readonly model: ModelArgument,
    private readonly opened: string,
    roots: readonly ExtensionRoot[],
  ) {
    this.xml = resolve(irFolder(line, model), `${model.name}.xml`);
    this.bin = resolve(irFolder(line, model), `${model.name}.bin`);
    this.#path = resolve(irFolder(line, model), `${model.name}.mo.json`);
    this.#prefix = model.path.slice(0, model.path.lastIndexOf('/') + 1);
    const named = fileOptions(line).flatMap(([name, value]) => filesOf(core, name, value));
    const modules = roots.flatMap(({ files }, index) => sorted(files.map(([path]) => path)).map((path) => `${line.extensions[index]!}/${path}`));
    const main = statSync(opened).isDirectory() ? [] : [model.path];
    this.#inputs = [...main, ...named, ...modules];
  }

  /** Whether there is a record, and it describes what is there now. */
  holds(): boolean {
    try {
      const text = textOf(this.#path);
      const record = JSON.parse(text) as Content;
      // The record names the files beside the model that were read. It is not trusted, so each name has to be a plain one.
      const names = record.inputs.slice(this.#inputs.length).map(({ path }) => {
        if (!path.startsWith(this.#prefix)) throw new Error(path);
        return path.slice(this.#prefix.length);
      });
      if (names.some((name) => /^(\/|\.\.\/)/.test(name) || plainName(name) !== name) || sorted(new Set(names)).join('\n') !== names.join('\n')) return false;
      // First what takes no time: version, options and sizes.
      const hashes = [...record.inputs, ...record.outputs].map(({ sha256 }) => sha256);
      return this.#describe(names, () => hashes.shift() ?? '') === text && this.#describe(names, hashOf) === text;
    } catch {
      return false;
    }
  }

  /** Writes the record of a conversion that has read `files`; none if one of them has changed since it was opened. */
  write(files: FsFiles, main: string): void {
    refuseOwn(this.core, files, this.#path);
    const names = files.names().filter((name) => !isAbsolute(name) && name !== main).map(plainName);
    const text = this.#describe(sorted(new Set(names)), hashOf);
    if (files.changed() === undefined) writeText(this.core, this.#path, text, this.line.fsync);
  }

  #describe(names: readonly string[], hash: Hash): string {
    const entry = (path: string, real: string) => ({ path, size: statSync(real).size, sha256: hash(real) });
    const { core, line, model } = this;
    const options: [string, string][] = [['model_name', model.name], ...line.options];
    const folder = this.opened.slice(0, this.opened.lastIndexOf('/') + 1);
    const inputs = this.#inputs.map((input) => entry(input, input === model.path ? this.opened : input));
    inputs.push(...names.map((name) => entry(this.#prefix + name, folder + name)));
    const { name } = model;
    const beside = core.sideFiles(line.options, name).filter(({ folderOption }) => folderOption === '').map((file) => file.name);
    // A format may not have what an option asks for.
    const outputs = [`${name}.xml`, `${name}.bin`, ...beside]
      .map((file): [string, string] => [file, resolve(irFolder(line, model), file)])
      .filter(([, path]) => existsSync(path))
      .map(([file, path]) => entry(file, path));
    const byName = options.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `${jsonOf({ version: core.version(), options: Object.fromEntries(byName), inputs, outputs }, 2)}\n`;
  }
}

/** In the order of their bytes, as everywhere. */
function sorted(names: Iterable<string>): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** As written into a record: no part is empty or ".". */
function plainName(name: string): string {
  return posix.normalize(name);
}

function textOf(path: string): string {
  const there = statSync(path);
  if (!there.isFile() || there.size > LARGEST_RECORD) throw new Error(path);
  return readFileSync(path, 'utf8');
}

/** The SHA-256 of a regular file, read in pieces. */
export function hashOf(path: string): string {
  if (!statSync(path).isFile()) throw new Error(path);
  const descriptor = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    const piece = new Uint8Array(PIECE);
    // A descriptor that is opened again may share its place with others.
    for (let at = 0, got; (got = readSync(descriptor, piece, 0, PIECE, at)) > 0; at += got) hash.update(piece.subarray(0, got));
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}
