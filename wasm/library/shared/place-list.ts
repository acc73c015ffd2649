import type { PlaceNode } from './api.js';
import type { Failed, Listed } from './core.js';
import { MoError } from './messages.js';

/** As the core writes it. */
interface PlaceList {
  readonly ops: readonly string[];
  readonly nodes: readonly (readonly [name: string, op: number, inputs: readonly number[], outputs: readonly (readonly string[])[]])[];
}

/**
 * The list as the core has written it. It is not parsed yet, because bytes pass to another thread in no time.
 *
 * @throws {MoError} when the model cannot be loaded.
 */
export function listed(found: Listed | Failed): Uint8Array<ArrayBuffer> {
  if (!found.ok) throw new MoError(found.messages);
  return found.places;
}

/** The nodes at which the model can be cut. */
export function readPlaces(list: Uint8Array): readonly PlaceNode[] {
  const { ops, nodes } = JSON.parse(new TextDecoder().decode(list)) as PlaceList;
  return nodes.map(([name, op, inputs, outputs]) => ({ name, op: ops[op]!, inputs, outputs }));
}
