/** A file that is compressed in an archive. It is unpacked when its bytes are needed. */

/** How to follow the unpacking of a file, and to end it. */
export interface UnpackControls {
  onBytes?: (bytes: number, totalBytes: number) => void;
  signal?: AbortSignal | undefined;
}

/** Looks like the file, but only text() and whole() read it. Code that takes any Blob has to get the result of whole(). */
export class PackedBlob extends Blob {
  #whole: Promise<Blob> | undefined;

  /** `size` in bytes, as the archive says. `unpack` checks that, and rejects with a MoError when the file is not as it says. */
  constructor(size: number, private readonly unpack: (controls: UnpackControls) => Promise<Blob>) {
    super();
    Object.defineProperty(this, 'size', { value: size });
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

  override async text(): Promise<string> {
    return (await this.whole()).text();
  }
}
