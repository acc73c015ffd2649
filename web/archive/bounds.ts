/**
 * How far a compressed file may grow. Compression makes weights a little smaller; only a file that is meant to fill a disk becomes much
 * smaller.
 */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../page-message.js';

const MOST_TIMES = 100;
const MOST_BYTES = 4e9;

/** Whether bytes that grew out of `packed` ones are too many: more than 4 GB, and more than 100 times as many. */
export function isTooMuch(unpacked: number, packed: number): boolean {
  return unpacked > MOST_BYTES && unpacked > MOST_TIMES * packed;
}

/** @throws {MoError} in the stream, as soon as there are too many. */
export function bounded(packed: number, path: string, onBytes: (bytes: number) => void = () => undefined): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isTooMuch(bytes, packed)) throw tooMuch(path);
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
}

export function tooMuch(path: string): MoError {
  return archiveError('unpacked it has more than 4 GB and more than 100 times its size in the archive', path, 'unpack it yourself if you know what it is');
}

/** The error for an archive or a file in it. `reason` is a sentence, or a value that was thrown. */
export function archiveError(reason: unknown, path: string, hint = 'unpack the archive yourself and drop the folder'): MoError {
  if (reason instanceof MoError) return reason;
  return new MoError([pageMessage('MO7001', `an archive could not be read: ${sentence(reason)}`, hint, path)]);
}

function sentence(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  if (reason.name === 'QuotaExceededError') return 'there is no space left to unpack it';
  // A TypeError comes from the browser's own decompression, and its text differs from browser to browser.
  return reason instanceof TypeError ? 'its compressed bytes are damaged or cut off' : reason.message;
}
