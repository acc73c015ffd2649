import { fileURLToPath } from 'node:url';

import { badOption } from '../shared/messages.js';
import { typed } from '../shared/typed.js';
import type { Opening } from './opening.js';
import { msg } from '../shared/msg.js';

const PIECE = 4 << 20;

const abandoned = new FinalizationRegistry<Opening>((opening) => void opening.close());

/**
 * The content of a `.bin` in Node. It is not in memory: its bytes are read from the model, or computed, on demand. So the model must not
 * change before they are read.
 *
 * @example
 * ```js
 * import { createWriteStream } from 'node:fs';
 * import { Writable } from 'node:stream';
 * import { convert } from '@mo/wasm';
 *
 * const { bin } = await convert('model.onnx');
 * await bin.stream().pipeTo(Writable.toWeb(createWriteStream('model.bin')));
 * await bin.close();
 * ```
 */
export class BinFile {
  /** Bytes. */
  readonly size: number;
  readonly #opening: Opening;

  constructor(size: number, opening: Opening) {
    this.size = size;
    this.#opening = opening;
    abandoned.register(this, opening, this);
  }

  /** Writes the file completely or not at all. */
  async writeTo(path: string | URL): Promise<void> {
    await typed(undefined, async () => {
      if (typeof path !== 'string' && !(path instanceof URL && path.protocol === 'file:'))
        throw badOption(msg`writeTo() got ${String(path)}`, 'give a path or a file: URL');
      const target = typeof path === 'string' ? path : fileURLToPath(path);
      await this.#opening.use((session) => session.request({ kind: 'write', path: target }));
    });
  }

  /** The bytes in order, a few megabytes at a time. */
  stream(): ReadableStream<Uint8Array> {
    const pieces = this.#pieces();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await pieces.return()),
      },
      { highWaterMark: 0 },
    );
  }

  /** Releases the model and the worker now; otherwise this happens some time after the last use. */
  async close(): Promise<void> {
    abandoned.unregister(this);
    await this.#opening.close();
  }

  async *#pieces(): AsyncGenerator<Uint8Array, void> {
    const session = await this.#opening.enter();
    try {
      for (let offset = 0; offset < this.size; offset += PIECE)
        yield await session.request({ kind: 'read', offset, size: Math.min(PIECE, this.size - offset) });
    } finally {
      this.#opening.leave();
    }
  }
}
