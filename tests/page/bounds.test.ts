/** How far a compressed file may grow before the page stops unpacking it. */
import { expect, it } from 'vitest';

import { bounded } from '../../web/archive/bounds.js';

/** Unpacks `chunks` times 64 MB out of `packed` bytes; the bytes that came through. */
async function unpack(packed: number, chunks: number): Promise<number> {
  const chunk = new Uint8Array(64 << 20);
  let left = chunks;
  let bytes = 0;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
  });
  await source.pipeThrough(bounded(packed, 'a.tar.gz')).pipeTo(new WritableStream({ write: (piece: Uint8Array) => void (bytes += piece.length) }));
  return bytes;
}

it('is bounded by 4 GB and by 100 times, whichever is more', async () => {
  expect(await unpack(1, 59)).toBe(59 * (64 << 20));
  await expect(unpack(1, 60)).rejects.toMatchObject({ messages: [{ code: 'MO7001', file: 'a.tar.gz' }] });
  expect(await unpack(100e6, 140)).toBe(140 * (64 << 20));
  await expect(unpack(90e6, 140)).rejects.toThrow('more than 4 GB and more than 100 times');
});
