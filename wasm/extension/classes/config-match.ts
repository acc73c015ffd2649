import { checked, core } from '../core/bridge.js';
import type { SubgraphRecord } from '../core/core-table.js';
import { MoError } from '../core/error.js';
import type { GraphObject } from '../graph/objects.js';
import type { Node } from '../types.js';
import type { SubgraphMatch } from './transformation.js';

type NodePort = readonly [node: Node, port: number];

/**
 * A sub-graph that the configuration file has selected; valid while its transformation runs. Properties that `ConfigMatch`
 * does not have are aliases of nodes: `match['Branch_0/Conv2d']`.
 */
export function configMatch(graph: GraphObject, record: SubgraphRecord): SubgraphMatch {
  return new Proxy(new ConfigMatch(graph, record), {
    has: (match, key) => key in match || (typeof key === 'string' && match.nodeByAlias(key) !== null),
    get: (match, key) => {
      if (!(key in match)) return typeof key === 'string' ? (match.nodeByAlias(key) ?? undefined) : undefined;
      const member: unknown = Reflect.get(match, key, match);
      return typeof member === 'function' ? (member.bind(match) as unknown) : member;
    },
  });
}

class ConfigMatch implements SubgraphMatch {
  readonly [alias: string]: unknown;
  readonly customAttributes: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly #graph: GraphObject;
  readonly #record: SubgraphRecord;

  constructor(graph: GraphObject, record: SubgraphRecord) {
    this.customAttributes = JSON.parse(record.customAttributes) as Record<string, unknown>;
    this.scope = record.scope;
    this.#graph = graph;
    this.#record = record;
  }

  matchedNodes(): Node[] {
    return this.#record.nodes.map((n) => this.#graph.nodeAt(n));
  }

  inputsCount(): number {
    return this.#record.inputs.length;
  }

  outputsCount(): number {
    return this.#record.outputs;
  }

  inputNodes(port: number): readonly NodePort[] {
    const ports = this.#record.inputs[port];
    if (!ports) throw new MoError(`the match has no input ${port}: it has ${this.inputsCount()}`);
    return Array.from(ports, (joined) => {
      const { node, index } = this.#graph.inPortAt(joined);
      return [node, index] as const;
    });
  }

  singleInputNode(port: number): NodePort {
    const [first, ...others] = this.inputNodes(port);
    if (!first || others.length > 0) throw new MoError(`input ${port} of the match has ${others.length + (first ? 1 : 0)} nodes, not one`);
    return first;
  }

  outputNode(port: number): NodePort {
    const { node, index } = this.#graph.outPortAt(checked(core().matchOutput(port)));
    return [node, index];
  }

  nodeByPattern(regex: string): Node | null {
    const n = checked(core().matchNode(regex));
    return n < 0 ? null : this.#graph.nodeAt(n);
  }

  /** The node of that name below the scope, or, without a scope, of that name. */
  nodeByAlias(alias: string): Node | null {
    return this.nodeByPattern(`${alias.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
  }
}
