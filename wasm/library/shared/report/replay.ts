import type { NodePlace, Trace, TraceNode, TraceStep } from './trace.js';

/** A node of the graph at one time. */
export interface GraphNode extends Required<Pick<TraceNode, 'graph' | 'id' | 'name' | 'op' | 'in' | 'out' | 'attributes'>>, Pick<TraceNode, 'source'> {}

/**
 * A text for a node's place, for maps.
 *
 * @example
 * ```js
 * import { keyOf } from '@mo/wasm/report';
 *
 * keyOf('', 12); // of node 12 of the model's own graph: a key of Replay's `nodes`
 * ```
 */
export function keyOf(graph: string, id: number): string {
  return `${graph}#${id}`;
}

/** A node after a step: the fields that the step gives are new, the others as before. */
function merged(before: GraphNode | undefined, { graph = '', ...given }: TraceNode): GraphNode {
  return { graph, name: '', op: '', in: [], out: [], attributes: {}, ...before, ...given };
}

/**
 * The graph, step by step: its nodes before the next step, and which of them read which.
 *
 * @example
 * ```js
 * import { convert } from '@mo/wasm';
 * import { Replay } from '@mo/wasm/report';
 *
 * const trace = JSON.parse((await convert('model.onnx', { trace: true })).trace);
 * const replay = new Replay(trace);
 * console.log(replay.nodes.size); // before the first step
 * ```
 */
export class Replay {
  readonly nodes = new Map<string, GraphNode>();
  readonly #readers = new Map<string, Set<string>>();
  #next = 0;

  constructor(private readonly trace: Trace) {}

  /** The step that apply() carries out; undefined behind the last one. */
  get step(): TraceStep | undefined {
    return this.trace.steps[this.#next];
  }

  /** Carries out the next step. */
  apply(): void {
    const step = this.step;
    this.#next++;
    for (const [graph, id] of step?.removed ?? []) this.#set(keyOf(graph, id), undefined);
    for (const node of [...(step?.added ?? []), ...(step?.changed ?? [])]) {
      const key = keyOf(node.graph ?? '', node.id);
      this.#set(key, merged(this.nodes.get(key), node));
    }
  }

  /** Carries out all steps before that number, for example `trace.steps.length`. */
  applyUntil(index: number): this {
    while (this.#next < index && this.step) this.apply();
    return this;
  }

  at([graph, id]: NodePlace): GraphNode | undefined {
    return this.nodes.get(keyOf(graph, id));
  }

  /** The keys of the nodes that a node reads from; with `byPort` one for each input, undefined if that is not connected. */
  producers(key: string): string[];
  producers(key: string, byPort: true): (string | undefined)[];
  producers(key: string, byPort = false): (string | undefined)[] {
    const node = this.nodes.get(key);
    if (!node) return [];
    return byPort ? node.in.map((source) => (source ? keyOf(node.graph, source[0]) : undefined)) : producersOf(node);
  }

  /** The keys of the nodes that read from a node. */
  readers(key: string): ReadonlySet<string> {
    return this.#readers.get(key) ?? new Set();
  }

  #set(key: string, node: GraphNode | undefined): void {
    for (const producer of this.producers(key)) this.#readers.get(producer)?.delete(key);
    if (!node) {
      this.nodes.delete(key);
      this.#readers.delete(key);
      return;
    }
    this.nodes.set(key, node);
    for (const producer of producersOf(node)) {
      const readers = this.#readers.get(producer);
      if (readers) readers.add(key);
      else this.#readers.set(producer, new Set([key]));
    }
  }
}

function producersOf(node: GraphNode): string[] {
  return node.in.flatMap((source) => (source ? [keyOf(node.graph, source[0])] : []));
}
