import { readSync } from 'node:fs';

import { Reason } from '../../shared/reason.js';
import { msg } from '../../shared/msg.js';

/** A part of an open file. */
export interface Place {
  readonly descriptor: number;
  readonly begin: number;
  readonly size: number;
}

/** Fills `out` with the bytes of a place from `offset` on. Throws the system's error. */
export function readPlace({ descriptor, begin }: Place, offset: number, out: Uint8Array): void {
  for (let done = 0; done < out.length; ) {
    const count = readSync(descriptor, out, done, out.length - done, begin + offset + done);
    if (count === 0) throw new Reason(msg`it has become shorter`);
    done += count;
  }
}
