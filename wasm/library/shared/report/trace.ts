/** What the option `trace` gives: JSON of a Trace, as the core writes it (core/pipeline/trace.h). */

export interface Trace {
  readonly steps: readonly TraceStep[];
}

/** A node has this place for ever: graph '' is the model's own, '12.then_graph' a body of its node 12. Ids are never used again. */
export type NodePlace = readonly [graph: string, id: number];

/** What was known of an output of a node. */
export interface TraceTensor {
  /** As OpenVINO writes it, `[?,3,224,224]`; absent while the rank is unknown. */
  readonly shape?: string;
  readonly type?: string;
  readonly names?: readonly string[];
}

/** A changed node has only the fields that have changed. */
export interface TraceNode {
  /** Absent in the model's own graph. */
  readonly graph?: string;
  readonly id: number;
  readonly name?: string;
  readonly op?: string;
  /** By port: the node and its port; null for what is not connected. */
  readonly in?: readonly (readonly [id: number, port: number] | null)[];
  readonly out?: readonly (TraceTensor | null)[];
  /** Short texts; a constant is its type and shape. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The framework's node: its byte in the model's file, or its line in a text. */
  readonly source?: { readonly op: string; readonly domain?: string; readonly offset?: number; readonly line?: number };
}

/** What one step of a conversion changed. */
export interface TraceStep {
  /** As in progress events. */
  readonly phase: string;
  /** Absent for `load`, `extract` and `emit`; `cut` for what options cut off. */
  readonly transform?: string;
  readonly added?: readonly TraceNode[];
  readonly removed?: readonly NodePlace[];
  readonly changed?: readonly TraceNode[];
  /** Nodes that a transformation replaced during the step: by those with the ids from the first to before the second number. */
  readonly decomposed?: readonly { readonly transform: string; readonly graph?: string; readonly node: number; readonly added: readonly [number, number] }[];
  /** In the last step: the layer of each node. The node's op is then the type of its layer. Each graph numbers its layers separately. */
  readonly layers?: readonly (readonly [graph: string, id: number, layer: number])[];
}
