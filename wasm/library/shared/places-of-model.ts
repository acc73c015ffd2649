import type { PlaceNode } from './api.js';
import type { Failed, Listed } from './core.js';
import { MoError } from './messages.js';

/** As the core writes it. */
interface PlaceList {
  readonly ops: readonly string[];
  readonly nodes: readonly (readonly [name: string, op: number, inputs: readonly number[], outputs: readonly (readonly string[])[]])[];
}

/**
 * The nodes at which the model can be cut.
 *
 * @throws {MoError} when it cannot be loaded.
 */
export function readPlaces(found: Listed | Failed): readonly PlaceNode[] {
  if (!found.ok) throw new MoError(found.messages);
  const { ops, nodes } = JSON.parse(new TextDecoder().decode(found.places)) as PlaceList;
  return nodes.map(([name, op, inputs, outputs]) => ({ name, op: ops[op]!, inputs, outputs }));
}
