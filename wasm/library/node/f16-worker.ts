/** The second thread that stores weights as f16. */
import { closeSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

import { judged, startCore, type Core } from '../shared/core.js';
import { lacksMemory, MoError } from '../shared/messages.js';
import { F16Pieces, writeF16 } from './f16-pieces.js';
import { FsFiles } from './fs-files.js';
import type { F16Job, F16Outcome } from './second-thread.js';

let starting: Promise<Core> | undefined;

function outcomeOf(core: Core, { target, files: given, pieces: [table, memory] }: F16Job): F16Outcome {
  const pieces = new F16Pieces(table, memory);
  const files = new FsFiles();
  let descriptor: number | undefined;
  try {
    // If no piece is left, the file may already have its final name, and another file may have its temporary name.
    const first = pieces.take();
    if (!first) return {};
    for (const [name, content] of given) if (content !== undefined) files.give(name, content);
    descriptor = openSync(target, 'r+');
    writeF16(core, files, given.map(([name]) => name), descriptor, pieces, first);
    return {};
  } catch (error) {
    pieces.stop();
    return error instanceof MoError || core.lacksMemory || lacksMemory(error) ? { messages: judged(core, error) } : { refusal: { message: String(error), errno: (error as NodeJS.ErrnoException).errno } };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    files.close();
  }
}

parentPort!.on('message', async (request: F16Job | { module: WebAssembly.Module }) => {
  if ('module' in request) starting = startCore(request.module);
  else parentPort!.postMessage(outcomeOf(await starting!, request));
});
