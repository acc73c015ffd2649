import { NO_SUCH_MODEL } from '../shared/codes.js';
import type { Core } from '../shared/core.js';
import type { Message } from '../shared/messages.js';
import { msg } from '../shared/msg.js';

/** There is nothing at a path that the user named. */
export function noSuchModel(core: Core, path: string): Message {
  return core.hostMessage(NO_SUCH_MODEL, msg`The "${path}" is not existing file or directory`, '');
}
