import process from 'node:process';

import type { ModelArgument } from '../../shared/core.js';

/**
 * This variable in the environment of a child is "PARENT:INDEX:MODEL". With the parent's id it means nothing to other processes. The child does
 * not look through folders again.
 */
export const JOB_VARIABLE = 'MO_JOB';

/** What a model gives, besides the exit codes of the command, that --skip_unchanged has left out. */
export const UNCHANGED = 3;

/** What follows the parent's id in the variable of this process. */
function ownJob(): string | undefined {
  const [parent, ...job] = (process.env[JOB_VARIABLE] ?? '').split(':');
  return parent === String(process.ppid) ? job.join(':') : undefined;
}

/** The model that this process has been started for; undefined in a process that a user has started. */
export function modelOfThisProcess(): ModelArgument | undefined {
  const job = ownJob();
  if (job === undefined) return undefined;
  try {
    const [path, name, folder] = JSON.parse(job.slice(job.indexOf(':') + 1)) as [string, string, string];
    return { path, name, folder, isNamed: true };
  } catch {
    return undefined;
  }
}

/** The variable for a child that converts the model `index`; that of this process for one in its place. */
export function jobVariable(index?: number, model?: ModelArgument): Record<string, string> {
  const job = model ? `${index}:${JSON.stringify([model.path, model.name, model.folder])}` : ownJob();
  return job === undefined ? {} : { [JOB_VARIABLE]: `${process.pid}:${job}` };
}
