/** The command with extensions: in a worker, which is ended when one of them does not come to an end. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pid } from 'node:process';
import { Worker } from 'node:worker_threads';

import type { ExtensionRoot } from '../../../extension/load/loader.js';
import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { removeDrafts } from '../draft.js';
import { removeEmpty } from '../folders.js';
import { onInterruption } from '../leftovers.js';
import { requireThreadRoom } from '../room.js';
import { CALL_LIMIT, stopReason, Watch, type CallMessage } from '../watch.js';
import { failModel } from './convert-model.js';
import { irFolder } from './given-models.js';
import { logOf, type Company, type Log } from './log.js';
import { Outcomes } from './outcomes.js';

export interface Limits {
  /** Milliseconds that a call of an extension may take. */
  call: number;
  /** Megabytes of JavaScript's objects. */
  memory: number;
}

export type WorkerMessage = CallMessage | { kind: 'model'; code: number; error: string } | { kind: 'done'; code: number } | { kind: 'warning'; line: string };

/** What the worker gets. */
export interface Given {
  module: WebAssembly.Module;
  line: CommandLine;
  roots: readonly ExtensionRoot[];
  job: ModelArgument | undefined;
  company: Omit<Company, 'warn'>;
  calls: Int32Array;
}

/**
 * Returns the exit code; for the `job` of this process what convertModel() has given. If a conversion has to be stopped, its model has failed; the
 * others are converted.
 */
export async function supervise(
  core: Core,
  module: WebAssembly.Module,
  line: CommandLine,
  roots: readonly ExtensionRoot[],
  job?: ModelArgument,
  limits: Limits = { call: CALL_LIMIT, memory: 1024 },
): Promise<number> {
  const folders = line.models.map((model) => irFolder(line, model));
  const missing = new Map([...new Set(folders)].map((folder) => [folder, missingAbove(resolve(folder))]));
  const removeLeft = (): void => {
    for (const [folder, made] of missing) {
      removeDrafts(folder, pid);
      removeEmpty(made.filter((one) => existsSync(one)));
    }
  };
  onInterruption(removeLeft);
  // The worker shows the progress.
  const log = logOf(core, { ...line, progress: false }, job);
  const outcomes = new Outcomes(core, line, log);
  let last = 0;
  const add = (model: ModelArgument, code: number, error?: string): void => outcomes.add(model, (last = code), error);
  const end = (code: number): number => (job ? last : Math.max(outcomes.finish(), code));
  let left = line;
  for (;;) {
    let done = 0;
    const company = { models: line.models.length, ...outcomes.soFar };
    try {
      return end(await work(module, { line: left, roots, job, company }, limits, log, (code, error) => add(left.models[done++]!, code, error)));
    } catch (error) {
      // A list of transformations is about no model.
      const model = line.action === 'convert' ? left.models[done] : undefined;
      if (!(error instanceof MoError) || !model) throw error;
      removeLeft();
      add(model, failModel(core, left, model, log, error));
    }
    left = { ...left, text: '', models: left.models.slice(done + 1) };
    if (left.models.length === 0) return end(0);
  }
}

/** A folder and those above it that do not exist. */
function missingAbove(folder: string): string[] {
  const out: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) out.push(at);
  return out;
}

/** Returns the exit code; `each` gets what each model gives, and the code of its first error. Rejects with an error that names the extension if the worker is stopped. */
function work(module: WebAssembly.Module, given: Omit<Given, 'module' | 'calls'>, limits: Limits, log: Log, each: (code: number, error: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    requireThreadRoom();
    let stopped: MoError | undefined;
    const watch = new Watch(limits.call, (reason) => {
      stopped = reason;
      void worker.terminate();
    });
    const worker = new Worker(new URL('./command-worker.js', import.meta.url), {
      workerData: { module, ...given, calls: watch.memory } satisfies Given,
      resourceLimits: { maxOldGenerationSizeMb: limits.memory },
      execArgv: [],
    });
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'call') watch.name(message);
      else if (message.kind === 'model') each(message.code, message.error);
      else if (message.kind === 'warning') log.wait(message.line);
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
