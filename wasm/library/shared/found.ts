import type { Failed, FoundModels, ModelsFound } from './core.js';
import { MoError } from './messages.js';

/** @throws {MoError} when the files could not be looked through. */
export function found(answer: ModelsFound | Failed): FoundModels {
  if (!answer.ok) throw new MoError(answer.messages);
  const { models, others, unread, recognised } = answer;
  return { models, others, unread, recognised };
}
