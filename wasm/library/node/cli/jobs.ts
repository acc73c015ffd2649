import { spawn, type ChildProcess } from 'node:child_process';

import { PROCESS_ENDED } from '../../shared/codes.js';
import type { CommandLine, Core } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { removeDrafts } from '../draft.js';
import { reason } from '../reason.js';
import { failModel } from './convert-model.js';
import { INTERRUPTIONS } from './interruptions.js';
import { jobVariable, modelIndex } from './job-variable.js';
import type { Log } from './log.js';
import { say, tell } from './say.js';
import { msg } from '../../shared/msg.js';

type ModelArgument = CommandLine['models'][number];

/** What a process has printed, and its exit code, or the reason why it has none. */
interface Ended {
  output: Buffer;
  errors: Buffer;
  code: number;
  reason: string;
}

/** The model that this process has been started for; undefined in a process that a user has started. */
export function modelOfThisProcess(line: CommandLine): ModelArgument | undefined {
  const index = modelIndex();
  return index === undefined ? undefined : line.models[index];
}

/**
 * Converts the models of the command line, `line.jobs` at once. The output of each process is printed as a whole, in the order of the
 * models. If a process ends early, its model has failed. A signal that ends this process ends the others. Returns the highest exit code of
 * the models.
 */
export async function convertInJobs(core: Core, line: CommandLine, log: Log): Promise<number> {
  const running = new Set<ChildProcess>();
  const results: (Ended | undefined)[] = [];
  let started = 0;
  let printed = 0;
  let code = 0;
  let interrupted: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    interrupted = signal;
    for (const child of running) child.kill();
  };
  const obey = (signal: NodeJS.Signals): void => {
    for (const each of INTERRUPTIONS) process.off(each, stop);
    process.kill(process.pid, signal);
  };
  const work = async (): Promise<void> => {
    while (started < line.models.length && !interrupted) {
      const index = started++;
      results[index] = await convertInProcess(line, index, running);
      if (interrupted) return running.size === 0 ? obey(interrupted) : undefined;
      for (; results[printed]; printed++) {
        code = Math.max(code, print(core, line, line.models[printed]!, log, results[printed]!));
        results[printed] = undefined;
      }
    }
  };
  for (const signal of INTERRUPTIONS) process.on(signal, stop);
  await Promise.all(Array.from({ length: line.jobs }, work));
  for (const signal of INTERRUPTIONS) process.off(signal, stop);
  return code;
}

function convertInProcess(line: CommandLine, index: number, running: Set<ChildProcess>): Promise<Ended> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...jobVariable(index) },
  });
  running.add(child);
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => output.push(piece));
  child.stderr.on('data', (piece: Buffer) => errors.push(piece));
  return new Promise((resolve) => {
    const end = (code: number, reason: string): void => {
      running.delete(child);
      // A conversion ends with 0, 1 or 2.
      const ended = code >= 0 && code <= 2;
      if (!ended && child.pid !== undefined) removeDrafts(line.outputDir, child.pid);
      resolve({ output: Buffer.concat(output), errors: Buffer.concat(errors), code: ended ? code : 1, reason: ended ? '' : reason });
    };
    child.on('error', (error) => end(-1, reason(error)));
    child.on('close', (code, signal) => end(code ?? -1, signal ?? `exit code ${code}`));
  });
}

/** Prints what a process has printed. Returns the exit code of its model. */
function print(core: Core, line: CommandLine, model: ModelArgument, log: Log, { output, errors, code, reason }: Ended): number {
  tell(errors);
  // A program that reads lines of JSON must not get a part of one.
  if (reason === '' || !line.json) say(core, output);
  return reason === '' ? code : failModel(core, line, model, log, new MoError([core.hostMessage(PROCESS_ENDED, msg`${reason}`, model.path)]));
}
