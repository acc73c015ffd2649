import type { HostFiles } from '../shared/core.js';
import { Reason, saidOf } from '../shared/reason.js';
import { readHost } from '../shared/host-reader.js';
import type { HostReader } from '../shared/model.js';
import { msg, type Template } from '../shared/msg.js';
import { Names } from '../shared/names.js';

/** Workers have it; TypeScript's library for pages does not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** A read of any size costs milliseconds, so small reads share pages. At most PAGES of them are kept. */
const PAGE = 64 << 10;
const PAGES = 64;
/** So many are read together if the page before them has been read. */
const PAGES_AHEAD = 16;

/** The fewest bytes that are read if a read begins in a block that is in memory, or where it ends; then twice as many as that has, up to MOST_AHEAD. */
const AHEAD = 4 << 20;
const MOST_AHEAD = 16 << 20;
/** Blocks have so many bytes together, or there is one. Several parts of a file may be read by turns. */
const BLOCKS = 16 << 20;

/** Bytes of a file from `start` on. */
interface Block {
  handle: number;
  start: number;
  bytes: ArrayBuffer;
}

/** A file of a page: a Blob; bytes in memory, for a thread that cannot wait for a Blob; or a reader of the caller. */
export type PageFile = Blob | Uint8Array | HostReader;

/** Files of a page, read in a worker without copying them first. */
export class BlobFiles implements HostFiles {
  readonly #paths: string[];
  readonly #contents: (PageFile | undefined)[];
  readonly #names: Names;
  readonly #reader = typeof FileReaderSync === 'undefined' ? undefined : new FileReaderSync();
  readonly #bin = new MessageChannel();
  readonly #opened = new Set<string>();
  /** The most recently used page is the last. */
  readonly #pages = new Map<string, ArrayBuffer>();
  /** What was read without pages. The most recently used block is the last. */
  #blocks: Block[] = [];

  /** `files` by their paths relative to the model's folder; those without content are listed only. */
  constructor(files: readonly (readonly [path: string, content: PageFile | undefined])[]) {
    this.#paths = files.map(([path]) => path);
    this.#contents = files.map(([, content]) => content);
    this.#names = new Names(this.#paths);
    this.#bin.port1.close();
  }

  open(name: string): number {
    const handle = this.#names.find(name);
    if (this.#contents[handle] === undefined) return -1;
    const path = this.#paths[handle];
    if (path !== undefined && !path.startsWith('/')) this.#opened.add(path);
    return handle;
  }

  /** The model's files that were opened, in that order. */
  opened(): string[] {
    return [...this.#opened];
  }

  list(folder: string): string[] {
    return this.#names.list(folder);
  }

  /** A part of a file; no bytes are read. undefined where only the caller can read it. */
  slice(name: string, offset: number, size: number): Blob | undefined {
    const content = this.#contents[this.#names.find(name)]!;
    if (content instanceof Blob) return content.slice(offset, offset + size);
    return content instanceof Uint8Array ? new Blob([content.subarray(offset, offset + size) as Uint8Array<ArrayBuffer>]) : undefined;
  }

  size(handle: number): number {
    const content = this.#contents[handle]!;
    return content instanceof Uint8Array ? content.length : content.size;
  }

  read(handle: number, offset: number, out: Uint8Array): Template | undefined {
    const content = this.#contents[handle]!;
    if (content instanceof Uint8Array) return void out.set(content.subarray(offset, offset + out.length)) as undefined;
    if (!(content instanceof Blob)) return readHost(content, offset, out);
    try {
      this.#fill(handle, offset, out);
      return undefined;
    } catch (error) {
      return saidOf(error);
    }
  }

  #fill(handle: number, offset: number, out: Uint8Array): void {
    for (let done = 0; done < out.length; ) {
      const size = out.length - done;
      const bytes = out.length >= PAGE ? this.#blockAt(handle, offset + done, size) : this.#pageAt(handle, offset + done);
      const part = bytes.subarray(0, size);
      if (part.length === 0) throw new Reason(msg`the file has become shorter`);
      out.set(part, done);
      done += part.length;
    }
  }

  /** Bytes from `start` on, at least `size` of them unless the file is shorter: of a block in memory, or of one that is read now. */
  #blockAt(handle: number, start: number, size: number): Uint8Array {
    const near = this.#blocks.filter((block) => block.handle === handle && start >= block.start && start <= block.start + block.bytes.byteLength);
    let block = near.find(({ start: first, bytes }) => start + size <= first + bytes.byteLength);
    if (block) this.#blocks.splice(this.#blocks.indexOf(block), 1);
    else {
      const ahead = near.map(({ bytes }) => Math.min(Math.max(2 * bytes.byteLength, AHEAD), MOST_AHEAD));
      const wanted = Math.max(size, ...ahead);
      this.#makeRoom(wanted);
      block = { handle, start, bytes: this.#load(handle, start, wanted) };
    }
    this.#blocks.push(block);
    return new Uint8Array(block.bytes, start - block.start);
  }

  /** Discards the blocks that would have more than BLOCKS together with one of `size` bytes: before that is read, so that never twice as many are in memory. */
  #makeRoom(size: number): void {
    const total = () => this.#blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, size);
    while (this.#blocks.length > 0 && total() > BLOCKS) this.#discard(this.#blocks.shift()!.bytes);
  }

  /** Bytes from `start` on: the rest of its page. */
  #pageAt(handle: number, start: number): Uint8Array {
    const skip = start % PAGE;
    return new Uint8Array(this.#page(handle, start - skip)).subarray(skip);
  }

  #page(handle: number, start: number): ArrayBuffer {
    const key = (at: number) => `${handle}:${at}`;
    if (!this.#pages.has(key(start))) this.#readPages(handle, start, this.#pages.has(key(start - PAGE)) ? PAGES_AHEAD : 1, key);
    const page = this.#pages.get(key(start))!;
    this.#pages.delete(key(start));
    this.#pages.set(key(start), page);
    return page;
  }

  #readPages(handle: number, start: number, count: number, key: (at: number) => string): void {
    const bytes = this.#load(handle, start, count * PAGE);
    for (let at = 0; at === 0 || at < bytes.byteLength; at += PAGE) {
      if (this.#pages.has(key(start + at))) continue;
      this.#pages.set(key(start + at), count === 1 ? bytes : bytes.slice(at, at + PAGE));
      if (this.#pages.size > PAGES) this.#forgetOldest();
    }
    if (count > 1) this.#discard(bytes);
  }

  #forgetOldest(): void {
    const [key, page] = this.#pages.entries().next().value!;
    this.#pages.delete(key);
    this.#discard(page);
  }

  #load(handle: number, start: number, size: number): ArrayBuffer {
    return this.#reader!.readAsArrayBuffer((this.#contents[handle] as Blob).slice(start, start + size));
  }

  /** The memory of a transferred buffer is freed at once; if it is left to the garbage collector, gigabytes pile up. */
  #discard(bytes: ArrayBuffer): void {
    this.#bin.port2.postMessage(0, [bytes]);
  }
}
