import { closeSync, constants, fstatSync, openSync, read, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { getSystemErrorMap, promisify } from 'node:util';

import type { HostFiles } from '../shared/core.js';
import { Confines, OUTSIDE } from './confines.js';
import { readHost } from '../shared/host-reader.js';
import { sentence } from '../shared/messages.js';
import type { HostReader } from '../shared/model.js';

/** A file that is open, one that is in memory, or one that the caller reads. */
type Content = Opened | Uint8Array | HostReader;

interface Opened {
  descriptor: number;
  size: number;
  changed: bigint;
  /** Whether close() closes the descriptor. One that was given belongs to the caller. */
  own: boolean;
}

const readPart = promisify(read);
const SHORTER = 'the file has become shorter';

/** The files of a model in Node, read in place: those of a folder, and given ones. */
export class FsFiles implements HostFiles {
  readonly #handles = new Map<string, number>();
  readonly #files: Content[] = [];

  readonly #confines: Confines | undefined;

  /**
   * Without a folder there are only given files and, by absolute names, those that the user names. What the model `main`, a file or a folder in
   * `folder`, names by relative paths has to lie in its folder, behind all links.
   */
  constructor(
    private readonly folder?: string,
    main?: string,
  ) {
    this.#confines = folder === undefined || main === undefined ? undefined : new Confines(folder, main);
  }

  open(name: string): number | string {
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const path = this.#path(name);
    if (path === undefined) return -1;
    try {
      const confines = this.#confines?.hold(name) ? this.#confines : undefined;
      if (!statSync(path).isFile()) return confines?.have(realpathSync(path)) === false ? OUTSIDE : 'not a regular file';
      // Meanwhile the file may have become a pipe, for which opening would wait.
      const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      if (confines?.haveOpened(path, descriptor) !== false) return this.#add(name, opened(descriptor, true));
      closeSync(descriptor);
      return OUTSIDE;
    } catch (error) {
      return isMissing(error) ? -1 : reason(error);
    }
  }

  /** Gives an open file, or another content, that name. */
  give(name: string, content: number | Uint8Array | HostReader): number {
    return this.#add(name, typeof content === 'number' ? openedElsewhere(content) : content);
  }

  #add(name: string, file: Content): number {
    const handle = this.#files.push(file) - 1;
    this.#handles.set(name, handle);
    return handle;
  }

  list(folder: string): string[] | string {
    const path = this.#path(folder);
    if (path === undefined || this.#handles.has(folder)) return [];
    try {
      const confines = isAbsolute(folder) ? undefined : this.#confines;
      return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
        const { name } = entry;
        const there = statSync(join(path, name), { throwIfNoEntry: false });
        if (!there || (entry.isSymbolicLink() && confines?.have(realpathSync(join(path, name))) === false)) return [];
        return there.isDirectory() ? [`${name}/`] : there.isFile() ? [name] : [];
      });
    } catch (error) {
      return isMissing(error) ? [] : reason(error);
    }
  }

  size(handle: number): number {
    const file = this.#files[handle]!;
    return file instanceof Uint8Array ? file.length : file.size;
  }

  read(handle: number, offset: number, out: Uint8Array): string | undefined {
    const file = this.#files[handle]!;
    if (file instanceof Uint8Array) {
      out.set(file.subarray(offset, offset + out.length));
      return undefined;
    }
    if (!('descriptor' in file)) return readHost(file, offset, out);
    try {
      for (let done = 0; done < out.length; ) {
        const count = readSync(file.descriptor, out, done, out.length - done, offset + done);
        if (count === 0) return SHORTER;
        done += count;
      }
      return undefined;
    } catch (error) {
      return reason(error);
    }
  }

  /** As `read`, but this thread goes on while the system reads. */
  async readLater(handle: number, offset: number, out: Uint8Array): Promise<string | undefined> {
    const file = this.#files[handle]!;
    if (!('descriptor' in file)) return this.read(handle, offset, out);
    try {
      for (let done = 0; done < out.length; ) {
        const { bytesRead } = await readPart(file.descriptor, out, done, out.length - done, offset + done);
        if (bytesRead === 0) return SHORTER;
        done += bytesRead;
      }
      return undefined;
    } catch (error) {
      return reason(error);
    }
  }

  /** What give() takes in another thread, if that can read the file. */
  forThread(name: string): number | Uint8Array | undefined {
    const file = this.#files[this.#handles.get(name) ?? -1];
    if (!file) return undefined;
    if ('descriptor' in file) return file.descriptor;
    return file instanceof Uint8Array && file.buffer instanceof SharedArrayBuffer ? file : undefined;
  }

  /** Whether `path` is one of the files read so far, under any name. */
  holds(path: string): boolean {
    const there = statSync(path, { throwIfNoEntry: false });
    return this.#files.some((file) => {
      if (!('descriptor' in file)) return false;
      const { dev, ino } = fstatSync(file.descriptor);
      return dev === there?.dev && ino === there.ino;
    });
  }

  /** The names of all files opened so far. */
  names(): string[] {
    return [...this.#handles.keys()];
  }

  /** The name of a file that is not what it was when it was opened, if there is one. */
  changed(): string | undefined {
    return [...this.#handles].find(([name, handle]) => {
      const file = this.#files[handle]!;
      if (!('descriptor' in file)) return false;
      const then = fstatSync(file.descriptor, { bigint: true });
      const path = file.own ? this.#path(name) : undefined;
      const now = path === undefined ? then : statSync(path, { bigint: true, throwIfNoEntry: false });
      return then.dev !== now?.dev || then.ino !== now.ino || Number(now.size) !== file.size || now.ctimeNs !== file.changed;
    })?.[0];
  }

  /** Closes the files that it has opened. */
  close(): void {
    for (const file of this.#files) if ('own' in file && file.own) closeSync(file.descriptor);
    this.#files.length = 0;
    this.#handles.clear();
  }

  #path(name: string): string | undefined {
    if (isAbsolute(name)) return name;
    return this.folder === undefined ? undefined : join(this.folder, name);
  }
}

function opened(descriptor: number, own: boolean): Opened {
  const { size, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return { descriptor, size: Number(size), changed: ctimeNs, own };
}

/** A descriptor that another thread has opened: Deno does not know it, but the system does. */
function openedElsewhere(descriptor: number): Opened {
  try {
    return opened(descriptor, false);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
    return opened(openSync(`/dev/fd/${descriptor}`, 'r'), true);
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's reason for a refusal, in its own words. */
export function reason(error: unknown): string {
  const known = getSystemErrorMap().get((error as NodeJS.ErrnoException).errno ?? 0)?.[1];
  return known ? known[0]!.toUpperCase() + known.slice(1) : sentence(error);
}
