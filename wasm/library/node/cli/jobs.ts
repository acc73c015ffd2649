import { spawn, type ChildProcess } from 'node:child_process';

import { PROCESS_ENDED } from '../../shared/codes.js';
import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { MoError } from '../../shared/messages.js';
import { removeDrafts } from '../draft.js';
import { reason } from '../reason.js';
import { failModel } from './convert-model.js';
import { irFolder } from './given-models.js';
import { INTERRUPTIONS } from './interruptions.js';
import { jobVariable, UNCHANGED } from './job-variable.js';
import type { Log } from './log.js';
import type { Outcomes } from './outcomes.js';
import { msg } from '../../shared/msg.js';

/** What a process has printed, and its exit code, or the reason why it has none. */
interface Ended {
  output: string;
  errors: string;
  code: number;
  reason: string;
}

/**
 * Converts the models of the command line, `line.jobs` at once. The output of each process is printed as a whole, in the order of the
 * models. If a process ends early, its model has failed. A signal that ends this process ends the others.
 */
export async function convertInJobs(core: Core, line: CommandLine, log: Log, outcomes: Outcomes): Promise<void> {
  const running = new Set<ChildProcess>();
  const results: (Ended | undefined)[] = [];
  let started = 0;
  let printed = 0;
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
        const model = line.models[printed]!;
        outcomes.add(model, print(core, line, model, log, results[printed]!));
        results[printed] = undefined;
      }
    }
  };
  for (const signal of INTERRUPTIONS) process.on(signal, stop);
  await Promise.all(Array.from({ length: line.jobs }, work));
  for (const signal of INTERRUPTIONS) process.off(signal, stop);
}

function convertInProcess(line: CommandLine, index: number, running: Set<ChildProcess>): Promise<Ended> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...jobVariable(index, line.models[index]!) },
  });
  running.add(child);
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => output.push(piece));
  child.stderr.on('data', (piece: Buffer) => errors.push(piece));
  return new Promise((resolve) => {
    const end = (code: number, reason: string): void => {
      running.delete(child);
      const ended = code >= 0 && code <= UNCHANGED;
      if (!ended && child.pid !== undefined) removeDrafts(irFolder(line, line.models[index]!), child.pid);
      resolve({ output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString(), code: ended ? code : 1, reason: ended ? '' : reason });
    };
    child.on('error', (error) => end(-1, reason(error)));
    child.on('close', (code, signal) => end(code ?? -1, signal ?? `exit code ${code}`));
  });
}

/** Prints what a process has printed. Returns what convertModel() has given there. */
function print(core: Core, line: CommandLine, model: ModelArgument, log: Log, { output, errors, code, reason }: Ended): number {
  // A program that reads lines of JSON must not get a part of one.
  log.passOn(reason === '' || !line.json ? output : '', errors);
  return reason === '' ? code : failModel(core, line, model, log, new MoError([core.hostMessage(PROCESS_ENDED, msg`${reason}`, model.path)]));
}
