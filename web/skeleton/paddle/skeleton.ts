/**
 * A program of PaddlePaddle without weights and names: blocks, operators, attributes and shapes stay. Variables have other names, parameters are
 * halves or, where they are large, inputs. What says where an operator was written is left out.
 */
import { MoError } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import type { Anonymous } from '../../report/anonymous.js';
import { NoGraph } from '../../report/codes.js';
import { pageMessage } from '../../report/page-message.js';
import { Rewriter, type Rule } from '../rewriter.js';
import type { Failed, Skeleton as Made } from '../types.js';
import { concat, field, fixed, type Field, type Range } from '../wire.js';
import { BlockDesc, OpDesc, OpDesc_Attr, OpDesc_Var, ProgramDesc, Scalar, VarDesc, VarType, VarType_LoDTensorDesc, VarType_TensorDesc } from './fields.js';
import { bytesOf, writeParameters, type Parameter } from './parameters.js';
import { pirSkeleton } from './pir.js';
import { FEW, MOST, SETTING } from './settings.js';

/** Attributes that say where an operator was written, and how it is run. */
const ABOUT = /^(?:op_|with_quant_attr$|use_|mkldnn_)/;
/** Paddle's number of the kind of variable that is a tensor. */
const TENSOR = 7;

/** @throws {MoError} when the file is no program. */
export async function paddleSkeleton({ main, files }: Failed, names: Anonymous): Promise<Made> {
  const file = 'file' in main ? main.file : files.find(({ path }) => path === `${main.path}/__model__`)!.file;
  if (/^\s*\{\s*["}]/.test(await (file as Blob).slice(0, 64).text())) return pirSkeleton(file as Blob, names);
  const skeleton = new Skeleton(file as Blob, names);
  const program = await skeleton.make();
  if (skeleton.parameters.size === 0) return { name: 'skeleton.pdmodel', content: program };
  const content = writeParameters([...skeleton.parameters.values()]);
  return { files: [{ path: 'skeleton.pdmodel', content: program }, { path: 'skeleton.pdiparams', content }] };
}

class Skeleton {
  /** By name: a block may declare a variable of another one again. */
  readonly parameters = new Map<string, Parameter>();
  readonly #rewriter: Rewriter;

  constructor(file: Blob, private readonly names: Anonymous) {
    this.#rewriter = new Rewriter(file);
  }

  async make(): Promise<Uint8Array> {
    let blocks = 0;
    const block: Rule = (range) => (blocks++, this.#rewriter.rewrite(range, BlockDesc, {
      idx: 'keep', parent_idx: 'keep', forward_block_idx: 'keep', vars: (one) => this.#variable(one), ops: (one) => this.#operator(one),
    }));
    const program = await this.#rewriter.rewrite(this.#rewriter.wire.whole, ProgramDesc, { blocks: block, version: 'keep', op_version_map: 'keep' });
    if (blocks === 0) throw new MoError([pageMessage(NoGraph, msg`the file has no block`, 'choose the model file itself')]);
    return program;
  }

  async #variable(range: Range): Promise<Uint8Array> {
    const content = await this.#rewriter.rewrite(range, VarDesc, { name: this.#alias, type: 'keep', need_check_feed: 'keep' });
    const stored = await this.#stored(range);
    if (!stored) return content;
    const bytes = bytesOf(stored);
    const isSmall = bytes !== undefined && bytes <= MOST;
    if (isSmall) this.parameters.set(stored.name, stored);
    return concat([content, field(isSmall ? VarDesc.persistable : VarDesc.need_check_feed, 1)]);
  }

  /** What the variable is if it is a parameter. */
  async #stored(range: Range): Promise<Parameter | undefined> {
    const { wire } = this.#rewriter;
    let [name, persistable, kind, type] = ['', 0, 0, -1];
    const dims: number[] = [];
    for (const one of await wire.fields(range)) {
      if (one.number === VarDesc.name) name = await this.#renamed(one);
      if (one.number === VarDesc.persistable) persistable = await wire.number(one);
      if (one.number !== VarDesc.type) continue;
      for (const part of await wire.fields(one)) {
        if (part.number === VarType.type) kind = await wire.number(part);
        if (part.number !== VarType.lod_tensor) continue;
        for (const tensor of await wire.fields(part))
          if (tensor.number === VarType_LoDTensorDesc.tensor)
            for (const what of await wire.fields(tensor)) {
              if (what.number === VarType_TensorDesc.data_type) type = await wire.number(what);
              if (what.number === VarType_TensorDesc.dims) dims.push(...(await wire.numbers(what)));
            }
      }
    }
    return persistable !== 0 && kind === TENSOR ? { name, type, dims } : undefined;
  }

  #operator(range: Range): Promise<Uint8Array> {
    const slot: Rule = (one) => this.#rewriter.rewrite(one, OpDesc_Var, { parameter: 'keep', arguments: this.#alias });
    return this.#rewriter.rewrite(range, OpDesc, { inputs: slot, outputs: slot, type: 'keep', attrs: (one) => this.#attribute(one), is_target: 'keep' });
  }

  async #attribute(range: Range): Promise<Uint8Array | undefined> {
    const fields = await this.#rewriter.wire.fields(range);
    if (ABOUT.test(await this.#rewriter.textIn(fields, OpDesc_Attr.name))) return undefined;
    const isLong = (number: number, size: number) =>
      fields.filter((one) => one.number === number).reduce((sum, { begin, end }) => sum + end - begin, 0) > FEW * size;
    const isHidden = isLong(OpDesc_Attr.scalars, 12);
    const scalars: Rule = (one) => this.#rewriter.rewrite(one, Scalar, { type: 'keep', b: 'keep', i: 'keep', ...(!isHidden && { r: 'keep', c: 'keep' }) });
    const content = await this.#rewriter.rewrite(range, OpDesc_Attr, {
      name: 'keep', type: 'keep', i: 'keep', f: 'keep', s: this.#setting, ints: 'keep', strings: this.#setting, b: 'keep', bools: 'keep', block_idx: 'keep', l: 'keep',
      blocks_idx: 'keep', longs: 'keep', var_name: this.#alias, vars_name: this.#alias, float64: 'keep', scalar: 'keep', scalars,
    });
    const floats = fields.filter(({ number }) => number === OpDesc_Attr.floats || number === OpDesc_Attr.float64s);
    const written = await Promise.all(floats.map((one) => this.#floats(one, isLong(one.number, one.number === OpDesc_Attr.floats ? 4 : 8))));
    return concat([content, ...written]);
  }

  /** Floats of a list, packed or one by one: zeros where they are weights. */
  async #floats(one: Field, isHidden: boolean): Promise<Uint8Array> {
    const bytes = isHidden ? new Uint8Array(one.end - one.begin) : await this.#rewriter.wire.bytes(one);
    const content = this.#rewriter.spend(bytes, one);
    return one.wire === 2 ? field(one.number, content) : fixed(one.number, content);
  }

  readonly #setting: Rule = async (range) => {
    const text = range.end - range.begin > 64 ? undefined : await this.#rewriter.wire.text(range);
    return text !== undefined && SETTING.test(text) ? text : 'text';
  };

  readonly #alias: Rule = (one: Field) => this.#renamed(one);

  async #renamed(range: Range): Promise<string> {
    const name = await this.#rewriter.wire.text(range);
    return name === '' || name === 'feed' || name === 'fetch' ? name : this.names.name(name, 't');
  }
}
