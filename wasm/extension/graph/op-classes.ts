/** The user's operations by name. */
import type { Attributes, Graph, Node } from '../types.js';

/** One record of the IR attributes: a name; [name in the IR, attribute]; [name in the IR, function of the node]. */
export type AttrRecord = string | readonly [ir: string, attribute: string] | readonly [ir: string, value: (node: Node) => unknown];

/** A class that extends Op: the members that the converter uses. */
export interface OpClass {
  new (graph: Graph, attributes?: Attributes): { createNode(inputs?: readonly unknown[], attributes?: Attributes): Node };
  readonly name: string;
  readonly op?: string;
  readonly type?: string | null;
  readonly version?: string;
  readonly inPortsCount?: number;
  readonly outPortsCount?: number;
  readonly defaults?: Attributes;
  readonly enabled?: boolean;
  readonly layout?: Readonly<Record<string, string>>;
  infer?(node: Node): void;
  typeInfer?(node: Node): void;
  supportedAttrs?(): readonly AttrRecord[];
  backendAttrs?(): readonly AttrRecord[];
  updateNodeStat(node: Node, attributes?: Attributes): void;
}

let classes = new Map<string, OpClass>();

export function setClasses(ops: readonly OpClass[]): void {
  classes = new Map(ops.map((op) => [op.op!, op]));
}

export function classByName(op: string): OpClass | undefined {
  return classes.get(op);
}
