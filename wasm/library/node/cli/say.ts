import { writeSync } from 'node:fs';

import { WRITE_FAILED } from '../../shared/codes.js';
import { isBroken, type CommandLine, type Core } from '../../shared/core.js';
import { MoError, type Message } from '../../shared/messages.js';
import { reason } from '../reason.js';
import { msg } from '../../shared/msg.js';

export const OUTPUT = 1;
export const ERRORS = 2;

/** Whether nothing but errors is printed, besides what other options ask for: --silent, or CRITICAL. */
export const isSilent = ({ silent, logLevel, verbose }: CommandLine): boolean => silent || (logLevel === 'CRITICAL' && !verbose);

let lost = false;

/** Of a line that is drawn on the standard error and not complete; 0 if there is none. */
let drawnColumns = 0;

/** Writes what the user asked for to the standard output. If it cannot be written the command has failed. */
export function say(core: Core, text: string | Buffer): void {
  if (text.length === 0) return;
  eraseDrawn();
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

/** Draws a line over the last one on the standard error. One that is complete stays. */
export function drawLine(text: string, isComplete: boolean): void {
  const columns = [...text].length;
  tell(`\r${text}${' '.repeat(Math.max(drawnColumns - columns, 0))}${isComplete ? '\n' : ''}`);
  drawnColumns = isComplete ? 0 : columns;
}

/** Removes a line that is drawn and not complete: other lines come in its place. */
export function eraseDrawn(): void {
  if (drawnColumns === 0) return;
  const blanks = ' '.repeat(drawnColumns);
  drawnColumns = 0;
  tell(`\r${blanks}\r`);
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
