/** The command with extensions: in a worker, which is ended when one of them does not come to an end. */
import { existsSync } from 'node:fs';
import { pid } from 'node:process';
import { Worker } from 'node:worker_threads';

import type { ExtensionRoot } from '../../../extension/load/loader.js';
import type { CommandLine, Core } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { jsonOf } from '../../shared/printable.js';
import { removeDrafts } from '../draft.js';
import { removeEmpty } from '../folders.js';
import { onInterruption } from '../leftovers.js';
import { requireThreadRoom } from '../room.js';
import { CALL_LIMIT, stopReason, Watch, type CallMessage } from '../watch.js';
import { say, tell } from './say.js';

export interface Limits {
  /** Milliseconds that a call of an extension may take. */
  call: number;
  /** Megabytes of JavaScript's objects. */
  memory: number;
}

export type WorkerMessage = CallMessage | { kind: 'model'; code: number } | { kind: 'done'; code: number };

/** Returns the exit code. If a conversion has to be stopped, its model has failed; the others are converted. */
export async function supervise(
  core: Core,
  module: WebAssembly.Module,
  line: CommandLine,
  roots: readonly ExtensionRoot[],
  limits: Limits = { call: CALL_LIMIT, memory: 1024 },
): Promise<number> {
  const isOld = existsSync(line.outputDir);
  const removeLeft = (): void => {
    removeDrafts(line.outputDir, pid);
    if (!isOld) removeEmpty([line.outputDir]);
  };
  onInterruption(removeLeft);
  let code = 0;
  let left = line;
  for (;;) {
    let done = 0;
    try {
      return Math.max(code, await work(module, left, roots, limits, (result) => (done++, (code = Math.max(code, result)))));
    } catch (error) {
      // A list of transformations is about no model.
      const model = line.action === 'convert' ? left.models[done] : undefined;
      if (!(error instanceof MoError) || !model) throw error;
      removeLeft();
      tellStop(core, left, model.path, error);
      code = Math.max(code, 1);
    }
    left = { ...left, text: '', models: left.models.slice(done + 1) };
    if (left.models.length === 0) return code;
  }
}

/** Returns the exit code; `each` gets that of each model. Rejects with an error that names the extension if the worker is stopped. */
function work(
  module: WebAssembly.Module,
  line: CommandLine,
  roots: readonly ExtensionRoot[],
  limits: Limits,
  each: (code: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    requireThreadRoom();
    let stopped: MoError | undefined;
    const watch = new Watch(limits.call, (reason) => {
      stopped = reason;
      void worker.terminate();
    });
    const worker = new Worker(new URL('./command-worker.js', import.meta.url), {
      workerData: { module, line, roots, calls: watch.memory },
      resourceLimits: { maxOldGenerationSizeMb: limits.memory },
      execArgv: [],
    });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'call') watch.name(message);
      else if (message.kind === 'model') each(message.code);
      else resolve(message.code);
    });
    worker.on('error', (error) => reject(stopReason(watch.current, error)));
    worker.on('messageerror', (error) => reject(stopReason(watch.current, error)));
    worker.on('exit', () => {
      watch.end();
      reject(stopped ?? stopReason(watch.current, new Error('it waits for something that never happens')));
    });
  });
}

function tellStop(core: Core, { json }: CommandLine, model: string, { messages }: MoError): void {
  for (const message of messages) tell(`${core.formatMessage(message)}\n`);
  if (json) say(core, `${jsonOf({ model, ok: false, messages })}\n`);
}
