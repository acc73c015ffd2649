import type { Inspection } from './api.js';
import type { Failed, Inspected } from './core.js';
import type { LoadedExtensions } from './extensions.js';
import { MoError } from './messages.js';

/**
 * What the core has found, with the warnings about extensions before its own.
 *
 * @throws {MoError} when there is nothing but messages.
 */
export function readInspection(found: Inspected | Failed, extensions?: LoadedExtensions): Inspection {
  if (!found.ok || found.facts === '{}') throw new MoError(found.messages);
  return { ...(JSON.parse(found.facts) as Inspection), messages: [...(extensions?.warnings ?? []), ...found.messages] };
}
