/**
 * A model of TensorFlow Lite without weights and names, in which a failure can be looked for: subgraphs, operators, options, types and shapes
 * stay. Tensors, signatures and variables have other names, and weights are one half. Descriptions, metadata and attached files are left out.
 */
import { MoError, type FileWithPath } from '@mo/wasm';

import type { Anonymous } from '../../report/anonymous.js';
import { pageMessage } from '../../report/page-message.js';
import type { Failed, Skeleton } from '../types.js';
import { Contents } from './contents.js';
import { FlatFile, type FlatTable } from './flat.js';
import { Names } from './names.js';
import { rewriteOptions } from './options.js';
import { Tensors } from './tensor.js';
import { Buffers } from './weights.js';
import { writeFlat, type Fields, type Value } from './writer.js';
import { UnknownFormat } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const IDENTIFIER = 'TFL3';
const [VERSION, CODES, SUBGRAPHS, BUFFERS, SIGNATURES] = [0, 1, 2, 4, 7];
/** Fields of an operator's code. */
const [OLD_BUILTIN, CUSTOM_NAME, OPERATOR_VERSION, BUILTIN] = [0, 1, 2, 3];

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
  return { name: 'skeleton.tflite', content: writeFlat({ ...fields, [BUFFERS]: { tables: buffers.tables }, ...contents.fields }, IDENTIFIER) };
}

class Model {
  /** The number of each operator, by the index of its code. */
  #codes: number[] = [];

  constructor(private readonly tensors: Tensors, private readonly names: Names) {}

  async rewrite(model: FlatTable): Promise<Fields> {
    const codes = await model.each(CODES, async (code): Promise<Fields> => {
      this.#codes.push(Math.max(code.number(OLD_BUILTIN, 1, true), code.number(BUILTIN, 4, true)));
      const name = await code.text(CUSTOM_NAME);
      return { [OLD_BUILTIN]: code.raw(OLD_BUILTIN, 1), [CUSTOM_NAME]: name === '' ? undefined : { text: name }, [OPERATOR_VERSION]: code.raw(OPERATOR_VERSION, 4), [BUILTIN]: code.raw(BUILTIN, 4) };
    });
    const subgraphs = await model.each(SUBGRAPHS, (subgraph) => this.#subgraph(subgraph));
    const signatures = await model.each(SIGNATURES, (signature) => this.#signature(signature));
    return {
      [VERSION]: model.raw(VERSION, 4), [CODES]: { tables: codes }, [SUBGRAPHS]: { tables: subgraphs },
      [SIGNATURES]: model.has(SIGNATURES) ? { tables: signatures } : undefined,
    };
  }

  async #subgraph(table: FlatTable): Promise<Fields> {
    return {
      0: { tables: await table.each(0, (tensor) => this.tensors.rewrite(tensor)) }, 1: await list(table, 1), 2: await list(table, 2),
      3: { tables: await table.each(3, (operator) => this.#operator(operator)) },
    };
  }

  async #operator(table: FlatTable): Promise<Fields> {
    const code = this.#codes[table.number(0, 4)];
    return { 0: table.raw(0, 4), 1: await list(table, 1), 2: await list(table, 2), 8: await list(table, 8), ...(await rewriteOptions(table, code, this.names)) };
  }

  async #signature(table: FlatTable): Promise<Fields> {
    const side = async (field: number): Promise<Value | undefined> =>
      table.has(field) ? { tables: await table.each(field, async (entry): Promise<Fields> => ({ 0: await this.#name(entry, 0), 1: entry.raw(1, 4) })) } : undefined;
    return { 0: await side(0), 1: await side(1), 2: await this.#name(table, 2), 4: table.raw(4, 4) };
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
