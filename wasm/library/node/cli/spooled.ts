import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { READ_FAILED } from '../../shared/codes.js';
import type { Core } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { reason } from '../fs-files.js';

const PIECE = 256 << 10;

/** The standard input as a file: its own, or a temporary copy of what comes through a pipe. */
export function spooled(core: Core): { path: string; remove: () => void } {
  if (fstatSync(0).isFile()) return { path: '/dev/stdin', remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'mo-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, 'model');
  try {
    copyTo(path);
    return { path, remove };
  } catch (error) {
    remove();
    throw new MoError([core.hostMessage(READ_FAILED, reason(error), 'the standard input')]);
  }
}

function copyTo(path: string): void {
  const out = openSync(path, 'wx', 0o600);
  try {
    const piece = new Uint8Array(PIECE);
    for (let got = read(piece); got > 0; got = read(piece))
      for (let done = 0; done < got; ) done += writeSync(out, piece, done, got - done);
  } finally {
    closeSync(out);
  }
}

/** Returns 0 at the end. It waits for a pipe that has no data. */
function read(piece: Uint8Array): number {
  for (;;)
    try {
      return readSync(0, piece, 0, piece.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
}
