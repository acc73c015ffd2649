import { Console } from 'node:console';
import { Writable } from 'node:stream';

import { printableLines } from '../shared/printable.js';

/** What extensions print in this thread goes through `write`, and is safe for a terminal. */
export function printBy(write: (isError: boolean, text: string) => void): void {
  const to = (isError: boolean) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        write(isError, printableLines(text));
        done();
      },
    });
  globalThis.console = new Console({ stdout: to(false), stderr: to(true) });
}
