import { movedBodies } from './moved-bodies.js';
import { keyOf, type Replay } from './replay.js';
import type { TraceStep } from './trace.js';

/** A node with more neighbours than this, for example a constant that all read, says nothing about descent. */
const MOST_NEIGHBOURS = 64;

/** A node that a step removes, as it was before. */
interface Gone {
  readonly key: string;
  readonly isConstant: boolean;
  readonly readers: readonly string[];
  readonly producers: readonly string[];
}

/** An input that a step connects to another node than before. */
interface Rewired {
  readonly reader: string;
  readonly port: number;
  readonly former: string;
}

/** Records which nodes took the place of which, over all steps that it follows. */
export class Lineage {
  readonly #next = new Map<string, readonly string[]>();

  constructor(private readonly replay: Replay) {}

  /** Carries out the replay's next step. */
  follow(step: TraceStep): void {
    const { replay } = this;
    const gone = (step.removed ?? []).map(([graph, id]): Gone => {
      const key = keyOf(graph, id);
      return { key, isConstant: replay.nodes.get(key)?.op === 'Const', readers: [...replay.readers(key)], producers: replay.producers(key) };
    });
    const rewired = rewiredBy(replay, step);
    const removed = (step.removed ?? []).flatMap((place) => replay.at(place) ?? []);
    replay.apply();
    const made = (step.added ?? []).flatMap(({ graph = '', id }) => replay.at([graph, id]) ?? []);
    for (const [key, now] of movedBodies(removed, made)) this.#set(key, [now]);
    const exact = this.#decomposed(step);
    const added = new Set(made.map(({ graph, id }) => keyOf(graph, id)));
    this.#replaced(gone, neighboursOf(replay, [...added].filter((key) => !exact.has(key))), added);
    this.#superseded(rewired, added);
    this.#absorbed(gone, new Set((step.changed ?? []).filter(({ op, attributes }) => op !== undefined || attributes).map(({ graph = '', id }) => keyOf(graph, id))));
  }

  /** The nodes that are left of a node in the end: the node itself, or those that took its place. */
  last(key: string, way: readonly string[] = []): readonly string[] {
    const next = this.#next.get(key);
    if (!next || way.includes(key)) return [key];
    return [...new Set(next.flatMap((one) => this.last(one, [...way, key])))];
  }

  /**
   * The core says exactly which nodes a decomposition made. The loop runs backwards, because such nodes may have been decomposed
   * themselves.
   */
  #decomposed(step: TraceStep): Set<string> {
    const exact = new Set<string>();
    for (const { graph = '', node, added: [first, end] } of [...(step.decomposed ?? [])].reverse()) {
      const made: string[] = [];
      for (let id = first; id < end; id++) {
        const key = keyOf(graph, id);
        if (this.replay.nodes.has(key)) made.push(key);
        else made.push(...(this.#next.get(key) ?? []));
      }
      made.forEach((key) => exact.add(key));
      this.#set(keyOf(graph, node), made);
    }
    return exact;
  }

  /**
   * An added node took the place of the removed nodes that had a reader or producer in common with it, together with the added constants
   * that it reads.
   */
  #replaced(gone: readonly Gone[], near: ReadonlyMap<string, readonly string[]>, added: ReadonlySet<string>): void {
    const isConstant = (key: string) => this.replay.nodes.get(key)!.op === 'Const';
    for (const { key, isConstant: wasConstant, readers, producers } of gone) {
      const found = [...readers, ...producers].flatMap((neighbour) => few(near.get(neighbour)));
      const alike = wasConstant ? found.filter(isConstant) : [];
      const read = found.flatMap((one) => this.replay.producers(one)).filter((one) => added.has(one) && isConstant(one));
      this.#set(key, alike.length > 0 ? alike : [...found, ...read]);
    }
  }

  /** If a node has lost its readers to an added node, the added one took its place. A later step removes the former one. */
  #superseded(rewired: readonly Rewired[], added: ReadonlySet<string>): void {
    for (const { reader, port, former } of rewired) {
      const source = this.replay.producers(reader, true)[port];
      if (source && added.has(source) && this.replay.nodes.has(former) && this.replay.readers(former).size === 0) this.#set(former, [source]);
    }
  }

  /**
   * Other removed nodes became part of the nodes that took their readers' place; or else of a neighbour whose operation or attributes the
   * step changed; or else of the nodes that took their producers' place.
   */
  #absorbed(gone: readonly Gone[], altered: ReadonlySet<string>): void {
    const next = (keys: readonly string[]) => keys.slice(0, MOST_NEIGHBOURS).flatMap((key) => this.#next.get(key) ?? []);
    // Backwards, so that a node's readers are decided before the node.
    for (const { key, readers, producers } of [...gone].reverse()) {
      const choices = [next(readers), [...readers, ...producers].filter((one) => altered.has(one)), next(producers)];
      this.#set(key, choices.find(({ length }) => length > 0) ?? []);
    }
  }

  /** The first one that is known counts. */
  #set(key: string, next: readonly string[]): void {
    if (next.length > 0 && !this.#next.has(key)) this.#next.set(key, [...new Set(next)]);
  }
}

function rewiredBy(replay: Replay, step: TraceStep): Rewired[] {
  return (step.changed ?? []).flatMap(({ graph = '', id, in: now }) => {
    if (!now) return [];
    const reader = keyOf(graph, id);
    return replay.producers(reader, true).flatMap((former, port) => (former === undefined ? [] : [{ reader, port, former }]));
  });
}

/** For each node, its neighbours among `keys`. */
function neighboursOf(replay: Replay, keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  for (const key of keys)
    for (const neighbour of [...replay.producers(key), ...replay.readers(key)]) {
      const there = near.get(neighbour);
      if (there) there.push(key);
      else near.set(neighbour, [key]);
    }
  return near;
}

function few(keys: readonly string[] | undefined): readonly string[] {
  return keys && keys.length <= MOST_NEIGHBOURS ? keys : [];
}
