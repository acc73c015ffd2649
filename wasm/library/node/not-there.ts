import { MoError } from '../shared/messages.js';

/** There is no file and no folder at the model's path, or no model in the archive there. */
export class NotThere extends MoError {}
