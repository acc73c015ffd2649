/** A file of an archive that is compressed there: its bytes come into being when they are asked for. */

/** How to follow the unpacking of a file, and to end it. */
export interface UnpackControls {
  onBytes?: (bytes: number, totalBytes: number) => void;
  signal?: AbortSignal | undefined;
}

/** Looks like the file. Nothing but `text` and `whole` reads it: what takes other Blobs is given the whole file. */
export class PackedBlob extends Blob {
  #whole: Promise<Blob> | undefined;

  /** `size` in bytes, as the archive says. `unpack` checks that, and rejects with a MoError when the file is not as it says. */
  constructor(size: number, private readonly unpack: (controls: UnpackControls) => Promise<Blob>) {
    super();
    Object.defineProperty(this, 'size', { value: size });
  }

  /** The file, unpacked once. One whose unpacking failed or was ended is tried again when it is asked for again. */
  async whole(controls: UnpackControls = {}): Promise<Blob> {
    // Whoever began it may end it, which is not the end for others.
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
