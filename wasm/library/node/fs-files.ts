import { closeSync, constants, fstatSync, openSync, read, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { Reason } from '../shared/reason.js';
import type { HostFailure, HostFiles } from '../shared/core.js';
import { archiveOn, type Archive } from './archive/archive.js';
import { Member } from './archive/archive-files.js';
import type { Place } from './archive/bytes.js';
import { answering, Refusal } from './archive/refusal.js';
import { Confines, OUTSIDE } from './confines.js';
import { opened, openedElsewhere, type Opened } from './opened.js';
import { reason } from './reason.js';
import { readHost } from '../shared/host-reader.js';
import type { HostReader } from '../shared/model.js';
import { msg, type Template } from '../shared/msg.js';

/** A file that is open, one that is in memory, one that the caller reads, or one in an archive. */
type Content = Opened | Uint8Array | HostReader | Member;

const readPart = promisify(read);
const SHORTER = msg`the file has become shorter`;

/** The files of a model in Node, read in place: those of a folder, of archives, and given ones. */
export class FsFiles implements HostFiles {
  readonly #handles = new Map<string, number>();
  readonly #files: Content[] = [];

  readonly #confines: Confines | undefined;
  readonly #archives: Archive[] = [];

  /**
   * Without a folder there are only given files and, by absolute names, those that the user names. What the model `main`, a file or a folder in
   * `folder`, names by relative paths has to lie in its folder, behind all links. Of a model in an archive, `folder` is that of the `archive`, or
   * begins with its path.
   */
  constructor(
    private readonly folder?: string,
    main?: string,
    private readonly archive?: Archive,
  ) {
    this.#confines = folder === undefined || main === undefined ? undefined : new Confines(folder, main);
    if (archive) this.#archives.push(archive.share());
  }

  open(name: string): number | Template | HostFailure {
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const path = this.#path(name);
    if (path === undefined) return -1;
    return answering(() => {
      const archive = this.#archiveFor(path);
      if (archive) return this.#addMember(name, archive.open(path));
      if (this.archive && !isAbsolute(name)) return -1;
      const handle = this.#openOnDisk(name, path);
      if (handle !== -1 || !isAbsolute(name)) return handle;
      return this.#addMember(name, this.#openArchive(path)?.open(path));
    });
  }

  #openOnDisk(name: string, path: string): number | Template {
    try {
      const confines = this.#confines?.hold(name) ? this.#confines : undefined;
      if (!statSync(path).isFile()) return confines?.have(realpathSync(path)) === false ? OUTSIDE : msg`not a regular file`;
      // Meanwhile the file may have become a pipe, for which opening would wait.
      const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      if (confines?.haveOpened(path, descriptor) !== false) return this.#add(name, opened(descriptor, true));
      closeSync(descriptor);
      return OUTSIDE;
    } catch (error) {
      return isMissing(error) ? -1 : saidOfRead(error);
    }
  }

  /** That which was opened last. */
  get lastArchive(): Archive | undefined {
    return this.#archives.at(-1);
  }

  /** The open archive into which a path leads. */
  #archiveFor(path: string): Archive | undefined {
    return this.#archives.find((archive) => archive.has(path));
  }

  #openArchive(path: string): Archive | undefined {
    const archive = archiveOn(path);
    if (archive) this.#archives.push(archive);
    return archive;
  }

  #addMember(name: string, member: Member | undefined): number {
    return member ? this.#add(name, member) : -1;
  }

  /** Gives an open file, or another content, that name. */
  give(name: string, content: number | Uint8Array | HostReader | Place): number {
    if (typeof content === 'number') return this.#add(name, openedElsewhere(content));
    if (content instanceof Uint8Array || !('descriptor' in content)) return this.#add(name, content);
    const file = openedElsewhere(content.descriptor);
    this.#files.push(file); // close() closes it
    return this.#add(name, new Member(content.size, { ...content, descriptor: file.descriptor }));
  }

  #add(name: string, file: Content): number {
    const handle = this.#files.push(file) - 1;
    this.#handles.set(name, handle);
    return handle;
  }

  list(folder: string): string[] | Template | HostFailure {
    const path = this.#path(folder);
    if (path === undefined || this.#handles.has(folder)) return [];
    return answering(() => {
      const archive = this.#archiveFor(path);
      if (archive) return archive.list(path);
      if (this.archive && !isAbsolute(folder)) return [];
      return this.#listOnDisk(folder, path) ?? (isAbsolute(folder) ? this.#openArchive(path)?.list(path) : undefined) ?? [];
    });
  }

  /** Undefined if there is no such folder. */
  #listOnDisk(folder: string, path: string): string[] | Template | undefined {
    try {
      const confines = isAbsolute(folder) ? undefined : this.#confines;
      return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
        const { name } = entry;
        const there = statSync(join(path, name), { throwIfNoEntry: false });
        if (!there || (there.isDirectory() && entry.isSymbolicLink() && leadsBack(path, name))) return [];
        if (entry.isSymbolicLink() && confines?.have(realpathSync(join(path, name))) === false) return [];
        return there.isDirectory() ? [`${name}/`] : there.isFile() ? [name] : [];
      });
    } catch (error) {
      return isMissing(error) ? undefined : saidOfRead(error);
    }
  }

  size(handle: number): number {
    const file = this.#files[handle]!;
    return file instanceof Uint8Array ? file.length : file.size;
  }

  read(handle: number, offset: number, out: Uint8Array): Template | HostFailure | undefined {
    const file = this.#files[handle]!;
    if (file instanceof Member) return readMember(file, offset, out);
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
      return saidOfRead(error);
    }
  }

  /** As `read`, but this thread goes on while the system reads. */
  async readLater(handle: number, offset: number, out: Uint8Array): Promise<Template | HostFailure | undefined> {
    const file = this.#files[handle]!;
    const place = file instanceof Member ? file.place : 'descriptor' in file ? { descriptor: file.descriptor, begin: 0 } : undefined;
    if (!place) return this.read(handle, offset, out);
    try {
      for (let done = 0; done < out.length; ) {
        const { bytesRead } = await readPart(place.descriptor, out, done, out.length - done, place.begin + offset + done);
        if (bytesRead === 0) return SHORTER;
        done += bytesRead;
      }
      return undefined;
    } catch (error) {
      return saidOfRead(error);
    }
  }

  /** What give() takes in another thread, if that can read the file. */
  forThread(name: string): number | Uint8Array | Place | undefined {
    const file = this.#files[this.#handles.get(name) ?? -1];
    if (!file) return undefined;
    if (file instanceof Member) return file.place;
    if ('descriptor' in file) return file.descriptor;
    return file instanceof Uint8Array && file.buffer instanceof SharedArrayBuffer ? file : undefined;
  }

  /** Whether `path` is one of the files read so far, under any name, or an archive in which they are. */
  holds(path: string): boolean {
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!there) return false;
    const isFile = (file: Content): boolean => {
      if (!('descriptor' in file)) return false;
      const { dev, ino } = fstatSync(file.descriptor, { bigint: true });
      return dev === there.dev && ino === there.ino;
    };
    return this.#files.some(isFile) || this.#archives.some((archive) => archive.isFile(there));
  }

  /** The names of all files opened so far; without those in archives. */
  names(): string[] {
    return [...this.#handles].filter(([, handle]) => !(this.#files[handle] instanceof Member)).map(([name]) => name);
  }

  /** The name of a file, or of an archive, that is not what it was when it was opened, if there is one. */
  changed(): string | undefined {
    const archive = this.#archives.find(({ isAsOpened }) => !isAsOpened);
    if (archive) return basename(archive.path);
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
    for (const archive of this.#archives.splice(0)) archive.close();
    this.#files.length = 0;
    this.#handles.clear();
  }

  #path(name: string): string | undefined {
    if (isAbsolute(name)) return name;
    return this.folder === undefined ? undefined : join(this.folder, name);
  }
}

function readMember(member: Member, offset: number, out: Uint8Array): Template | HostFailure | undefined {
  return answering(() => {
    try {
      member.read(offset, out);
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      return saidOfRead(error);
    }
  });
}

/** Whether a link in a folder leads to that folder or to one above it: what is below would come again and again. */
function leadsBack(folder: string, name: string): boolean {
  const real = realpathSync(join(folder, name));
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (realpathSync(at) === real) return true;
    if (dirname(at) === at) return false;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** What went wrong in reading a file: the converter's own reason, or the system's. */
const saidOfRead = (error: unknown): Template => (error instanceof Reason ? error.said : msg`${reason(error)}`);
