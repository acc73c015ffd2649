/** Skeletons of SavedModels and MetaGraphs: their graphs, tags and signatures, and the versions that wrote them. */
import type { Rewriter, Rule } from '../rewriter.js';
import { concat, field, type Range } from '../wire.js';
import {
  MetaGraphDef, MetaGraphDef_MetaInfoDef, MetaGraphDef_SignatureDefEntry, OpDef, OpList, SavedModel, SignatureDef, SignatureDef_InputsEntry, SignatureDef_OutputsEntry, TensorInfo,
} from './fields.js';
import type { Graphs } from './graph.js';
import type { Names } from './names.js';
import { rewriteShape } from './tensor.js';

const TAGS = new Set(['serve', 'train', 'gpu', 'tpu', 'eval']);
const VERSION = /^\d[\w.+-]{0,31}$/;
const METHOD = /^tensorflow\/serving\/\w{1,32}$/;
/** An OpList with one operation, by which a file is known to be a MetaGraph. */
const OPERATIONS = field(MetaGraphDef_MetaInfoDef.stripped_op_list, field(OpList.op, field(OpDef.name, 'NoOp')));
type Entry = typeof MetaGraphDef_SignatureDefEntry | typeof SignatureDef_InputsEntry | typeof SignatureDef_OutputsEntry;

export class MetaGraphs {
  constructor(private readonly rewriter: Rewriter, private readonly names: Names, private readonly graphs: Graphs) {}

  savedModel(range: Range): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, SavedModel, { saved_model_schema_version: 'keep', meta_graphs: (one) => this.metaGraph(one) });
  }

  async metaGraph(range: Range): Promise<Uint8Array> {
    const info = (one: Range) => this.rewriter.rewrite(one, MetaGraphDef_MetaInfoDef, {
      tags: this.#text((tag) => (TAGS.has(tag) ? tag : this.names.known(tag))), tensorflow_version: this.#text((version) => (VERSION.test(version) ? version : '')),
    });
    return this.rewriter.rewrite(range, MetaGraphDef, {
      meta_info_def: async (one) => concat([OPERATIONS, await info(one)]), graph_def: (graph) => this.graphs.rewrite(graph),
      signature_def: (entry) => this.#entry(entry, MetaGraphDef_SignatureDefEntry, (signature) => this.#signature(signature)),
    });
  }

  #signature(range: Range): Promise<Uint8Array> {
    const tensor = (one: Range) => this.rewriter.rewrite(one, TensorInfo, {
      name: this.#text((name) => this.names.tensor(name)), dtype: 'keep', tensor_shape: (shape) => rewriteShape(this.rewriter, shape),
    });
    return this.rewriter.rewrite(range, SignatureDef, {
      inputs: (entry) => this.#entry(entry, SignatureDef_InputsEntry, tensor), outputs: (entry) => this.#entry(entry, SignatureDef_OutputsEntry, tensor),
      method_name: this.#text((method) => (METHOD.test(method) ? method : '')),
    });
  }

  #entry(range: Range, message: Entry, value: (range: Range) => Promise<Uint8Array>): Promise<Uint8Array> {
    return this.rewriter.rewrite(range, message, { key: this.#text((key) => this.names.known(key)), value });
  }

  #text(change: (text: string) => string): Rule {
    return async (one) => change(await this.rewriter.wire.text(one));
  }
}

/** A MetaGraph that has only a graph, whose variables were in a checkpoint. */
export function inMetaGraph(graph: Uint8Array): Uint8Array {
  return concat([field(MetaGraphDef.meta_info_def, OPERATIONS), field(MetaGraphDef.graph_def, graph)]);
}
