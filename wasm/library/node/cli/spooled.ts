import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { READ_FAILED } from '../../shared/codes.js';
import type { Core } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { msg } from '../../shared/msg.js';
import { reason } from '../reason.js';
import { openFile, type OpenModel } from '../open-model.js';

const PIECE = 256 << 10;

/** The standard input as a model, which has no folder unless it is an archive. */
export interface Spooled {
  model: OpenModel;
  /** Opens the model. */
  path: string;
  remove: () => void;
}

/** The standard input's own file, or a copy of what comes through a pipe: it has no name, and disappears with this process. */
export function spooled(core: Core): Spooled {
  if (fstatSync(0).isFile()) return { model: openFile(core, 'stdin', 0, '-'), path: '/dev/stdin', remove: () => {} };
  try {
    return copied(core);
  } catch (error) {
    throw error instanceof MoError ? error : new MoError([core.hostMessage(READ_FAILED, msg`${reason(error)}`, 'the standard input')]);
  }
}

function copied(core: Core): Spooled {
  const folder = mkdtempSync(join(tmpdir(), 'mo-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  let descriptor: number | undefined;
  try {
    const path = join(folder, 'model');
    descriptor = openSync(path, 'wx+', 0o600);
    // Windows opens no file again that has no name.
    const isNamed = process.platform === 'win32';
    if (!isNamed) removeFolder();
    copyTo(descriptor);
    const close = descriptor;
    return {
      model: openFile(core, 'model', descriptor, '-'),
      path: isNamed ? path : `/dev/fd/${descriptor}`,
      remove: () => {
        closeSync(close);
        removeFolder();
      },
    };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    removeFolder();
    throw error;
  }
}

function copyTo(out: number): void {
  const piece = new Uint8Array(PIECE);
  for (let got = read(piece); got > 0; got = read(piece))
    for (let done = 0; done < got; ) done += writeSync(out, piece, done, got - done);
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
