import { READ_FAILED, WRITE_FAILED } from '../../shared/codes.js';
import type { Core, HostFailure } from '../../shared/core.js';
import { saidOf } from '../../shared/reason.js';
import { hintOf, MoError } from '../../shared/messages.js';
import { isTemplate, textOf, type Template } from '../../shared/msg.js';

const UNPACK = 'unpack the archive yourself and name what it contains';

/** Why an archive, or a file in it, cannot be read. */
export class Refusal extends Error {
  readonly said: Template;

  constructor(
    readonly file: string,
    reason: unknown,
    readonly hint = UNPACK,
    readonly code = READ_FAILED,
  ) {
    super();
    this.said = saidOf(reason);
    this.message = textOf(this.said);
  }

  /** As the core gets it. */
  get failure(): HostFailure {
    return { code: this.code, said: this.said, file: this.file, hint: this.hint };
  }
}

/** For the folder of temporary files. */
export function noSpace(reason: string): Refusal {
  return new Refusal('the temporary folder', reason, '', WRITE_FAILED);
}

/** Calls `work`, whose refusals become answers for the core. */
export function answering<Answer>(work: () => Answer): Answer | HostFailure {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error.failure;
    throw error;
  }
}

/** Calls `work`, whose refusals become the core's errors. */
export function orMoError<Result>(core: Core, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? hostError(core, error.failure, error.file) : error;
  }
}

/** The error of what a host has answered about the file `name`. */
export function hostError(core: Core, wrong: Template | HostFailure, name: string): MoError {
  if (isTemplate(wrong)) return new MoError([core.hostMessage(READ_FAILED, wrong, name)]);
  const message = core.hostMessage(wrong.code, wrong.said, wrong.file);
  return new MoError([wrong.hint === '' ? message : { ...message, ...hintOf(wrong.hint) }]);
}
