/** The command line of `mo`, read by the core in a worker. */
import type { CommandLine, Environment } from '../shared/core.js';
import { failure, MoError } from '../shared/messages.js';
import { giveBack, takeWorker } from './workers.js';
import { msg } from '../shared/msg.js';

/** The request to the worker: parse this command line. */
export interface LineJob {
  program: string;
  args: string[];
  environment: Environment;
}

/**
 * Parses a command line. `args` are the words after `program`, which is `mo`, `mo_onnx` or another name of the command. Only
 * MO_ENABLED_TRANSFORMS and MO_DISABLED_TRANSFORMS of `environment` are used. A line that `mo` refuses has the action `refused`, and the
 * reason as its text.
 *
 * @throws {MoError} when the core cannot be started.
 *
 * @example
 * ```js
 * import { parseCommandLine } from '@mo/wasm';
 *
 * const { models, action } = await parseCommandLine('mo', ['model.onnx', '--batch', '1']);
 * console.log(action, models);
 * ```
 */
export async function parseCommandLine(program: string, args: readonly string[], environment: Environment = {}): Promise<CommandLine> {
  const worker = await takeWorker();
  const listening = new AbortController();
  try {
    const line = await new Promise<CommandLine>((resolve, reject) => {
      const until = { signal: listening.signal };
      worker.addEventListener('message', ({ data }: MessageEvent<CommandLine>) => resolve(data), until);
      worker.addEventListener('error', ({ message }) => reject(new MoError([failure(msg`the worker stopped: ${message}`)])), until);
      worker.postMessage({ program, args: [...args], environment } satisfies LineJob);
    });
    giveBack(worker);
    return line;
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    listening.abort();
  }
}
