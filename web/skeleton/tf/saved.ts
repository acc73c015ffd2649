/** Skeletons of SavedModels and MetaGraphs: their graphs, tags and signatures, and the versions that wrote them. */
import type { Rewriter, Rule, Rules } from '../rewriter.js';
import { concat, field, type Range } from '../wire.js';
import type { Graphs } from './graph.js';
import type { Names } from './names.js';

const TAGS = new Set(['serve', 'train', 'gpu', 'tpu', 'eval']);
const VERSION = /^\d[\w.+-]{0,31}$/;
const METHOD = /^tensorflow\/serving\/\w{1,32}$/;
/** An OpList with one operation, by which a file is known to be a MetaGraph. */
const OPERATIONS = field(2, field(1, field(1, 'NoOp')));

export class MetaGraphs {
  constructor(private readonly rewriter: Rewriter, private readonly names: Names, private readonly graphs: Graphs) {}

  savedModel(range: Range): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, { 1: 'keep', 2: (one) => this.metaGraph(one) });
  }

  async metaGraph(range: Range): Promise<Uint8Array> {
    const info: Rules = { 4: this.#text((tag) => (TAGS.has(tag) ? tag : this.names.known(tag))), 5: this.#text((version) => (VERSION.test(version) ? version : '')) };
    return this.rewriter.rewrite(range, {
      1: async (one) => concat([OPERATIONS, await this.rewriter.rewrite(one, info)]), 2: (graph) => this.graphs.rewrite(graph),
      5: (entry) => this.#entry(entry, (signature) => this.#signature(signature)),
    });
  }

  #signature(range: Range): Promise<Uint8Array> {
    const tensor: Rules = { 1: this.#text((name) => this.names.tensor(name)), 2: 'keep', 3: (shape) => this.graphs.shape(shape) };
    const side: Rule = (entry) => this.#entry(entry, (one) => this.rewriter.rewrite(one, tensor));
    return this.rewriter.rewrite(range, { 1: side, 2: side, 3: this.#text((method) => (METHOD.test(method) ? method : '')) });
  }

  #entry(range: Range, value: (range: Range) => Promise<Uint8Array>): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, { 1: this.#text((key) => this.names.known(key)), 2: value });
  }

  #text(change: (text: string) => string): Rule {
    return async (one) => change(await this.rewriter.wire.text(one));
  }
}

/** A MetaGraph that has only a graph, whose variables were in a checkpoint. */
export function inMetaGraph(graph: Uint8Array): Uint8Array {
  return concat([field(1, OPERATIONS), field(2, graph)]);
}
