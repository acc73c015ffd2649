import process from 'node:process';

/** This variable in the environment of a child is "PARENT:MODEL". With the parent's id it means nothing to other processes. */
export const JOB_VARIABLE = 'MO_JOB';

/** The index of the model that this process has been started for. */
export function modelIndex(): number | undefined {
  const [parent, index] = (process.env[JOB_VARIABLE] ?? '').split(':');
  return parent === String(process.ppid) ? Number(index) : undefined;
}

/** The variable for a child that converts the model `index`, by itself that of this process. */
export function jobVariable(index = modelIndex()): Record<string, string> {
  return index === undefined ? {} : { [JOB_VARIABLE]: `${process.pid}:${index}` };
}
