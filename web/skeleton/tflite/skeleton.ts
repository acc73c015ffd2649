/**
 * A model of TensorFlow Lite without weights and names, in which a failure can be looked for: subgraphs, operators, options, types and shapes
 * stay. Tensors, signatures and variables have other names, and weights are one half. Descriptions, metadata and attached files are left out.
 */
import { MoError, type FileWithPath } from '@mo/wasm';

import type { Anonymous } from '../../report/anonymous.js';
import { pageMessage } from '../../report/page-message.js';
import type { Failed, Skeleton } from '../types.js';
import { Contents } from './contents.js';
import { Model as ModelTable, Operator, OperatorCode, SignatureDef, SubGraph, TensorMap } from './fields.js';
import { FlatFile, type FlatTable } from './flat.js';
import { Names } from './names.js';
import { rewriteOptions } from './options.js';
import { Tensors } from './tensor.js';
import { Buffers } from './weights.js';
import { writeFlat, type Fields, type Value } from './writer.js';
import { UnknownFormat } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const IDENTIFIER = 'TFL3';

/** @throws {MoError} when the file is no model of TensorFlow Lite. */
export async function tfliteSkeleton({ main, files, messages }: Failed, report: Anonymous): Promise<Skeleton> {
  const { path, file } = main as FileWithPath & { readonly file: Blob };
  const flat = new FlatFile(file);
  if ((await file.slice(4, 8).text()) !== IDENTIFIER) throw new MoError([pageMessage(UnknownFormat, msg`the file is not a model of TensorFlow Lite`, 'choose the model file itself')]);
  const root = await flat.root();
  const names = new Names(report, messages);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const beside = new Map(files.filter((other) => other.path.startsWith(folder)).map((other) => [other.path.slice(folder.length), other]));
  const contents = await Contents.of(flat, root, beside, names);
  const buffers = new Buffers();
  const tensors = new Tensors(contents, buffers, names, new Set(messages.map(({ tensor }) => tensor)));
  const fields = await new Model(tensors, names).rewrite(root);
  for (const { node, tensor } of messages) for (const name of [node, tensor]) names.known(name);
  return { name: 'skeleton.tflite', content: writeFlat({ ...fields, [ModelTable.buffers]: { tables: buffers.tables }, ...contents.fields }, IDENTIFIER) };
}

class Model {
  /** The number of each operator, by the index of its code. */
  #codes: number[] = [];

  constructor(private readonly tensors: Tensors, private readonly names: Names) {}

  async rewrite(model: FlatTable): Promise<Fields> {
    const { deprecated_builtin_code: oldBuiltin, custom_code: custom, version: ofOperator, builtin_code: builtin } = OperatorCode;
    const codes = await model.each(ModelTable.operator_codes, async (code): Promise<Fields> => {
      this.#codes.push(Math.max(code.number(oldBuiltin, 1, true), code.number(builtin, 4, true)));
      const name = await code.text(custom);
      return { [oldBuiltin]: code.raw(oldBuiltin, 1), [custom]: name === '' ? undefined : { text: name }, [ofOperator]: code.raw(ofOperator, 4), [builtin]: code.raw(builtin, 4) };
    });
    const subgraphs = await model.each(ModelTable.subgraphs, (subgraph) => this.#subgraph(subgraph));
    const signatures = await model.each(ModelTable.signature_defs, (signature) => this.#signature(signature));
    return {
      [ModelTable.version]: model.raw(ModelTable.version, 4), [ModelTable.operator_codes]: { tables: codes }, [ModelTable.subgraphs]: { tables: subgraphs },
      [ModelTable.signature_defs]: model.has(ModelTable.signature_defs) ? { tables: signatures } : undefined,
    };
  }

  async #subgraph(table: FlatTable): Promise<Fields> {
    const { tensors, inputs, outputs, operators } = SubGraph;
    return {
      [tensors]: { tables: await table.each(tensors, (tensor) => this.tensors.rewrite(tensor)) }, [inputs]: await list(table, inputs), [outputs]: await list(table, outputs),
      [operators]: { tables: await table.each(operators, (operator) => this.#operator(operator)) },
    };
  }

  async #operator(table: FlatTable): Promise<Fields> {
    const { opcode_index: index, inputs, outputs, intermediates } = Operator;
    const code = this.#codes[table.number(index, 4)];
    return {
      [index]: table.raw(index, 4), [inputs]: await list(table, inputs), [outputs]: await list(table, outputs), [intermediates]: await list(table, intermediates),
      ...(await rewriteOptions(table, code, this.names)),
    };
  }

  async #signature(table: FlatTable): Promise<Fields> {
    const { name, tensor_index: tensor } = TensorMap;
    const side = async (field: number): Promise<Value | undefined> =>
      table.has(field) ? { tables: await table.each(field, async (entry): Promise<Fields> => ({ [name]: await this.#name(entry, name), [tensor]: entry.raw(tensor, 4) })) } : undefined;
    const { inputs, outputs, signature_key: key, subgraph_index: subgraph } = SignatureDef;
    return { [inputs]: await side(inputs), [outputs]: await side(outputs), [key]: await this.#name(table, key), [subgraph]: table.raw(subgraph, 4) };
  }

  async #name(table: FlatTable, field: number): Promise<Value | undefined> {
    const name = await table.text(field);
    return name === '' ? undefined : { text: this.names.known(name) };
  }
}

/** A list of numbers of tensors. */
async function list(table: FlatTable, field: number): Promise<Value | undefined> {
  return table.has(field) ? { numbers: await table.numbers(field, 4), bytes: 4 } : undefined;
}
