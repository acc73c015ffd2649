/** Errors of archives, and how far a compressed file may grow. */
import { MoError } from '@mo/wasm';
import { msg, withDetail } from '@mo/wasm/msg';

import { DAMAGED_OR_CUT, HINT_TOO_MUCH, isTooMuch, TOO_MUCH } from '../../wasm/library/shared/archive/bounds.js';
import { saidOf } from '../../wasm/library/shared/reason.js';
import { pageMessage } from '../report/page-message.js';
import { HostReadFailed } from '../report/codes.js';

const NO_SPACE = msg`there is no space left to unpack it`;

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
  return archiveError(TOO_MUCH, path, HINT_TOO_MUCH);
}

/** The error for an archive or a file in it. `reason` is a template, or a value that was thrown. */
export function archiveError(reason: unknown, path: string, hint = 'unpack the archive yourself and drop the folder'): MoError {
  if (reason instanceof MoError) return reason;
  return new MoError([pageMessage(HostReadFailed, withDetail('an archive could not be read', saidOf(known(reason))), hint, path)]);
}

/** What browsers say of their own accord in a sentence of the page's. */
function known(reason: unknown): unknown {
  if (!(reason instanceof Error)) return reason;
  if (reason.name === 'QuotaExceededError') return NO_SPACE;
  // A TypeError comes from the browser's own decompression, and its text differs from browser to browser.
  return reason instanceof TypeError ? DAMAGED_OR_CUT : reason;
}
