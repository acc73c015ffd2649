/** How far archives may go, and what is said of those that cannot be read; core/cli/archive/bounds.h is the same for the native command. */

import { msg } from '../msg.js';

/** No model has more files. */
export const MOST_FILES = 100_000;
export const TOO_MANY = msg`it has more than 100,000 files`;

const MOST_TIMES = 100;
const MOST_BYTES = 4e9;
export const TOO_MUCH = msg`unpacked it has more than 4 GB and more than 100 times its size in the archive`;
export const HINT_TOO_MUCH = 'unpack it yourself if you know what it is';

/**
 * Whether bytes that grew out of `packed` ones are too many. Compression makes weights a little smaller; only a file that is meant to fill a
 * disk becomes much smaller.
 */
export function isTooMuch(unpacked: number, packed: number): boolean {
  return unpacked > MOST_BYTES && unpacked > MOST_TIMES * packed;
}

export const NO_ZIP = msg`it is no zip archive, or it is cut off`;
export const ELSEWHERE = msg`it is not where the directory says`;
export const OVERLAPS = msg`it lies in the same place as another file`;
export const OTHER_SIZE = msg`its size is not what the archive says`;
export const OTHER_BYTES = msg`its bytes are not those that were packed: the checksum differs`;
export const DAMAGED = msg`its compressed bytes are damaged`;
export const DAMAGED_OR_CUT = msg`its compressed bytes are damaged or cut off`;
