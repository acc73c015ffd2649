import type { Progress } from './api.js';
import type { HostFiles } from './core.js';

const MILLISECONDS_BETWEEN_BYTES = 50;
const MIN_BLOCK = 1 << 16;
const MAX_BLOCKS = 1 << 20;

/** Thrown through the core when its caller stops the conversion. */
export class Stopped extends Error {}

/** The blocks of a file that have been read. A block that is read again counts once. */
class Coverage {
  readonly #block: number;
  readonly #seen: Uint8Array;

  constructor(private readonly size: number) {
    this.#block = Math.max(MIN_BLOCK, Math.ceil(size / MAX_BLOCKS));
    this.#seen = new Uint8Array(Math.ceil(size / this.#block));
  }

  /** Returns the size of those blocks of this part that are read for the first time. */
  add(offset: number, length: number): number {
    const end = Math.min(offset + length, this.size);
    let bytes = 0;
    for (let block = Math.floor(offset / this.#block), start; (start = block * this.#block) < end; ++block) {
      if (this.#seen[block] === 1) continue;
      this.#seen[block] = 1;
      bytes += Math.min(this.#block, this.size - start);
    }
    return bytes;
  }
}

/** Combines the core's progress and the bytes read into one stream of events. */
export class Meter {
  #now: Progress = { phase: 'load', transform: '', index: 0, count: 0, bytes: 0, totalBytes: 0 };
  #sent = 0;

  /** `stopped`, if given, says whether the work has to end. */
  constructor(
    private readonly send: (progress: Progress) => void,
    private readonly stopped?: () => boolean,
  ) {}

  /** The core's callback: a transformation is about to run. */
  readonly step = (phase: string, transform: string, index: number, count: number): void => {
    this.#check();
    this.#show({ ...this.#now, phase: phase as Progress['phase'], transform, index, count });
  };

  /** Bytes of the `.bin` have been made. */
  write(bytes: number, totalBytes: number): void {
    this.#showBytes({ ...this.#now, phase: 'write', transform: '', bytes, totalBytes });
  }

  /** The same files, with a count of the bytes read. */
  watch(files: HostFiles): HostFiles {
    const opened = new Map<number, Coverage>();
    return {
      open: (name) => {
        const handle = files.open(name);
        if (typeof handle === 'number' && handle >= 0 && !opened.has(handle)) {
          opened.set(handle, new Coverage(files.size(handle)));
          this.#now = { ...this.#now, totalBytes: this.#now.totalBytes + files.size(handle) };
        }
        return handle;
      },
      list: (folder) => files.list(folder),
      size: (handle) => files.size(handle),
      read: (handle, offset, out) => {
        const read = this.#now.phase === 'write' ? 0 : (opened.get(handle)?.add(offset, out.length) ?? 0);
        this.#showBytes({ ...this.#now, bytes: this.#now.bytes + read });
        return files.read(handle, offset, out);
      },
    };
  }

  #showBytes(progress: Progress): void {
    this.#check();
    if (performance.now() - this.#sent < MILLISECONDS_BETWEEN_BYTES) this.#now = progress;
    else this.#show(progress);
  }

  #check(): void {
    if (this.stopped?.()) throw new Stopped();
  }

  #show(progress: Progress): void {
    this.#now = progress;
    this.#sent = performance.now();
    this.send(progress);
  }
}
