/** The user's operations by name. */
import type { AttrRecord } from './op.js';
import type { Attributes, Graph, Node } from './types.js';

/** A class that extends Op, as far as the engine asks it. */
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
