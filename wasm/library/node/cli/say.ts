import { writeSync } from 'node:fs';

import { WRITE_FAILED } from '../../shared/codes.js';
import type { Core } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { reason } from '../fs-files.js';

/** Writes what the user asked for to the standard output. If it cannot be written the command has failed. */
export function say(core: Core, text: string | Buffer): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  try {
    for (let done = 0; done < bytes.length; ) done += write(bytes.subarray(done));
  } catch (error) {
    // A reader that stops, as `head` does, has what it wants.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw new MoError([core.hostMessage(WRITE_FAILED, reason(error), 'stdout')]);
  }
}

/** Writes some bytes of `part`; waits for a pipe that is full. */
function write(part: Uint8Array): number {
  try {
    return writeSync(process.stdout.fd, part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
