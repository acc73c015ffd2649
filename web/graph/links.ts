/** Which nodes of the IR a node of the model became, and the other way. */
import { keyOf, type Trace } from '@mo/wasm/report';

import type { Origin } from './protocol.js';
import { isConstant, type ShownNode } from './states.js';

type Nodes = ReadonlyMap<string, ShownNode>;

export class Links {
  readonly #results = new Map<string, readonly string[]>();
  readonly #sources = new Map<string, string[]>();
  readonly #nodes = new Map<string, string>();

  constructor(trace: Trace) {
    for (const [graph, id, number] of trace.steps.at(-1)?.layers ?? []) this.#nodes.set(keyOf(graph, number), keyOf(graph, id));
  }

  /** Adds links. Before that, a node is linked only to itself in the other graph. */
  add(origins: readonly Origin[]): void {
    for (const [graph, id, layers] of origins) {
      const source = keyOf(graph, id);
      const results = [...new Set(layers.flatMap(([graph, number]) => this.nodeOf(graph, number) ?? []))];
      this.#results.set(source, results);
      for (const result of results) {
        const sources = this.#sources.get(result);
        if (sources) sources.push(source);
        else this.#sources.set(result, [source]);
      }
    }
  }

  /** The results of a node among the nodes of a step: the same node first, and constants last. */
  resultsOf(source: ShownNode, at: Nodes): readonly string[] {
    return among(at, source, this.#results.get(source.key));
  }

  sourcesOf(result: ShownNode, at: Nodes): readonly string[] {
    return among(at, result, this.#sources.get(result.key));
  }

  /** The node that is written as a layer. */
  nodeOf(graph: string, layer: number): string | undefined {
    return this.#nodes.get(keyOf(graph, layer));
  }
}

/**
 * A body is loaded under the framework's name for it, such as then_branch, and becomes then_graph: nodes with the same name in it are the
 * same.
 */
function among(at: Nodes, node: ShownNode, linked: readonly string[] = []): readonly string[] {
  const rank = (key: string) => Number(isConstant(at.get(key)!));
  const found = [...new Set([node.key, ...linked])].filter((key) => at.has(key)).sort((a, b) => rank(a) - rank(b));
  if (found.length > 0 || node.graph === '') return found;
  const place = placeOf(node);
  return [...at.values()].filter((other) => other.name === node.name && placeOf(other) === place).map(({ key }) => key);
}

function placeOf({ graph }: ShownNode): string {
  return graph.replaceAll(/\.([a-z]+)[^/]*/gi, '.$1');
}
