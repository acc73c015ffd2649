import { isTemplate, msg, textOf, type Template } from './msg.js';

/** Why an archive, or a file in it, cannot be read. */
export class Reason extends Error {
  constructor(readonly said: Template) {
    super(textOf(said));
  }
}

/** A template, or a value that was thrown, as a template. */
export function saidOf(reason: unknown): Template {
  if (isTemplate(reason)) return reason;
  if (reason instanceof Reason) return reason.said;
  return msg`${reason instanceof Error ? reason.message : String(reason)}`;
}
