import { fstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

/** The handle of a file that exists, but outside the model's folder. The core knows it. */
export const OUTSIDE = -2;

/** The folders that may have what a model names: behind all links it has to lie in one of them. The same as in core/cli/disk_files.cpp. */
export class Confines {
  #roots: readonly string[] | undefined;

  /** `main` is a file or a folder in `folder`. */
  constructor(
    private readonly folder: string,
    private readonly main: string,
  ) {}

  /** Whether the file with this name is one that the model names. The user names the main file, and gives absolute paths. */
  hold(name: string): boolean {
    return name !== this.main && !isAbsolute(name);
  }

  /** Whether a file may have this path, which has no links. */
  have(real: string): boolean {
    this.#roots ??= rootsOf(this.folder, this.main);
    return this.#roots.some((root) => real.startsWith(root.endsWith(sep) ? root : root + sep));
  }

  /** The same of a file that has been opened by a path, whatever the path leads to by now. */
  haveOpened(path: string, descriptor: number): boolean {
    const real = nameOf(descriptor);
    if (real !== undefined) return this.have(real);
    const found = realpathSync(path);
    const [opened, there] = [fstatSync(descriptor, { bigint: true }), statSync(found, { bigint: true })];
    return opened.dev === there.dev && opened.ino === there.ino && this.have(found);
  }
}

/** The name that Linux has for an open file. */
function nameOf(descriptor: number): string | undefined {
  try {
    const name = readlinkSync(`/proc/self/fd/${descriptor}`);
    return isAbsolute(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The model's own folder, and that of the file behind its main file's links. */
function rootsOf(folder: string, main: string): string[] {
  const real = realpathSync(join(folder, main));
  if (!statSync(real).isDirectory()) return [realpathSync(folder), dirname(real)];
  const blobs = blobsOf(real);
  return blobs === undefined ? [real] : [real, blobs];
}

/** Where the cache of a hub has the contents of files: CACHE/snapshots/REVISION consists of links to CACHE/blobs. */
function blobsOf(folder: string): string | undefined {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (basename(dirname(at)) === 'snapshots') return join(dirname(dirname(at)), 'blobs');
  return undefined;
}
