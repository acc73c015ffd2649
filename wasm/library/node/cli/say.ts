import { writeSync } from 'node:fs';

import { WRITE_FAILED } from '../../shared/codes.js';
import { isBroken, type Core } from '../../shared/core.js';
import { MoError, type Message } from '../../shared/messages.js';
import { reason } from '../reason.js';
import { msg } from '../../shared/msg.js';

export const OUTPUT = 1;
export const ERRORS = 2;

let lost = false;

/** Writes what the user asked for to the standard output. If it cannot be written the command has failed. */
export function say(core: Core, text: string | Buffer): void {
  try {
    writeAll(OUTPUT, text);
  } catch (error) {
    // A reader that stops, as `head` does, has what it wants: nothing is said about it.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return void (lost = true);
    throw new MoError([core.hostMessage(WRITE_FAILED, msg`${reason(error)}`, 'stdout')]);
  }
}

/** Writes messages and progress. If they cannot be written, nothing can be said about it; the command has failed. */
export function tell(text: string | Buffer): void {
  try {
    writeAll(ERRORS, text);
  } catch {
    lost = true;
  }
}

/** The line that the command prints for a message. */
export function lineOf(core: Core, message: Message): string {
  return isBroken(core) ? plainLine(message) : core.formatMessage(message);
}

/** The same without a core, for messages about nothing but memory. */
export function plainLine({ code, text, hint }: Message): string {
  return `[ ERROR ]  ${code} ${text}. ${hint}`;
}

/** Whether all that this thread has printed has arrived. */
export function allTold(): boolean {
  return !lost;
}

/** Writes at once, from any thread. */
export function writeAll(descriptor: number, text: string | Buffer): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let done = 0; done < bytes.length; ) done += write(descriptor, bytes.subarray(done));
}

/** Writes some bytes of `part`; waits for a pipe that is full. */
function write(descriptor: number, part: Uint8Array): number {
  try {
    return writeSync(descriptor, part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
