/** Files of an archive. They are no Blobs until their bytes are needed: to make 100,000 Blobs takes many seconds. */

/** How to follow the unpacking of a file, and to end it. */
export interface UnpackControls {
  onBytes?: (bytes: number, totalBytes: number) => void;
  signal?: AbortSignal | undefined;
}

// It is used where Blobs are, but none is made.
export interface PackedBlob extends Blob {}

/** Looks like the file, but only text() and whole() read it. Code that takes any Blob has to get the result of whole(). */
export class PackedBlob {
  readonly size: number;
  #whole: Promise<Blob> | undefined;

  /** `size` in bytes, as the archive says. `unpack` checks that, and rejects with a MoError when the file is not as it says. */
  constructor(size: number, private readonly unpack: (controls: UnpackControls) => Promise<Blob>) {
    this.size = size;
  }

  /** The file, unpacked once. If unpacking failed or was aborted, the next call tries again. */
  async whole(controls: UnpackControls = {}): Promise<Blob> {
    // The caller that began the unpacking may abort it. Other callers then try again.
    await this.#whole?.catch(() => controls.signal?.throwIfAborted());
    this.#whole ??= this.unpack(controls).catch((error: unknown) => {
      this.#whole = undefined;
      throw error;
    });
    return this.#whole;
  }

  /** Whether anybody has asked for its bytes. */
  get isAsked(): boolean {
    return this.#whole !== undefined;
  }

  async text(): Promise<string> {
    return (await this.whole()).text();
  }
}

/** A file that is only stored: a part of the archive, of which nothing is copied. */
export class StoredBlob extends PackedBlob {
  constructor(private readonly archive: Blob, private readonly at: number, size: number) {
    super(size, () => Promise.resolve(this.part));
  }

  get part(): Blob {
    return this.archive.slice(this.at, this.at + this.size);
  }
}
