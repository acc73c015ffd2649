/** Packs what is written piece by piece, so that long files of equal numbers take little memory. */
import { crc32 } from '../save/crc32.js';

/** The content is deflated; size and checksum are those of what was packed. */
export interface Packed {
  readonly content: Blob;
  readonly size: number;
  readonly crc: number;
}

export async function packed(pieces: AsyncIterable<Uint8Array>): Promise<Packed> {
  const iterator = pieces[Symbol.asyncIterator]();
  let [size, crc] = [0, 0];
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) return controller.close();
      size += value.length;
      crc = crc32(value, crc);
      controller.enqueue(value);
    },
  });
  const stream = source.pipeThrough(new CompressionStream('deflate-raw') as unknown as TransformStream<Uint8Array, Uint8Array>);
  const content = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
  return { content, size, crc };
}
