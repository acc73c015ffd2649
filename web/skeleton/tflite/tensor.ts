/** Tensors of a skeleton: types and shapes stay, names and numbers do not. */
import { numberOf, type FlatTable } from './flat.js';
import type { Contents } from './contents.js';
import type { Names } from './names.js';
import { Quantisation } from './scales.js';
import type { Buffers } from './weights.js';
import { word, type Fields, type Value } from './writer.js';

const [SHAPE, TYPE, BUFFER, NAME, QUANTISATION, IS_VARIABLE, SPARSITY, SIGNATURE, HAS_RANK, EXTERNAL] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10];
/** The number of a buffer that no model has. */
const NO_BUFFER = 2 ** 32 - 1;
/** Bytes of the indices of sparse tensors, by the number of the type of their list. */
const INDICES = new Map<number, 1 | 2 | 4>([[1, 4], [2, 2], [3, 1]]);

export class Tensors {
  readonly #quantisation = new Quantisation();

  /** `failing` are the names of tensors that fail: if they are sparse, their SparsityParameters stay. */
  constructor(private readonly contents: Contents, private readonly buffers: Buffers, private readonly names: Names, private readonly failing: ReadonlySet<string>) {}

  async rewrite(table: FlatTable): Promise<Fields> {
    const [shape, signature, name] = [await table.numbers(SHAPE, 4), await table.numbers(SIGNATURE, 4), await table.text(NAME)];
    const quantisation = await table.table(QUANTISATION);
    const scales = quantisation && (await this.#quantisation.rewrite(quantisation));
    const sparsity = await table.table(SPARSITY);
    return {
      [SHAPE]: table.has(SHAPE) ? { numbers: shape, bytes: 4 } : undefined,
      [TYPE]: table.raw(TYPE, 1),
      [NAME]: name === '' ? undefined : { text: this.names.known(name) },
      [QUANTISATION]: scales && { table: scales.fields },
      [IS_VARIABLE]: table.raw(IS_VARIABLE, 1),
      [SIGNATURE]: table.has(SIGNATURE) ? { numbers: signature, bytes: 4 } : undefined,
      [HAS_RANK]: table.raw(HAS_RANK, 1),
      ...(await this.#content(table, {
        type: table.number(TYPE, 1, true),
        sizes: sizesIn(signature.length === shape.length ? signature : shape),
        zero: scales && scales.count > 0 ? scales.zero : undefined,
        sparsity: sparsity && this.failing.has(name) ? await sparsityOf(sparsity) : undefined,
        isSparse: sparsity !== undefined,
      })),
    };
  }

  async #content(table: FlatTable, constant: Parameters<Buffers['store']>[0]): Promise<Fields> {
    const buffer = table.number(BUFFER, 4);
    if (!this.contents.has(buffer)) return { [BUFFER]: word(NO_BUFFER) };
    const content = await this.contents.find(buffer, table.number(EXTERNAL, 4));
    const kept: Record<number, Value | undefined> = { [SPARSITY]: constant.sparsity && { table: constant.sparsity } };
    if (content === undefined) return kept;
    if (content === 'external') return { ...kept, [EXTERNAL]: table.raw(EXTERNAL, 4) };
    if (content.begin > content.file.size || content.length > content.file.size - content.begin) return { ...kept, [BUFFER]: word(this.buffers.outside(content)) };
    const stored = await this.buffers.store(constant, content);
    return { [BUFFER]: word(stored.buffer), [SPARSITY]: stored.sparsity && { table: stored.sparsity } };
  }
}

function sizesIn(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) => numberOf(bytes.subarray(4 * i, 4 * i + 4), true));
}

async function sparsityOf(table: FlatTable): Promise<Fields> {
  const list = async (field: number): Promise<Value | undefined> => (table.has(field) ? { numbers: await table.numbers(field, 4), bytes: 4 } : undefined);
  return { 0: await list(0), 1: await list(1), 2: table.has(2) ? { tables: await table.each(2, levelOf) } : undefined };
}

async function levelOf(level: FlatTable): Promise<Fields> {
  return { 0: level.raw(0, 1), 1: level.raw(1, 4), 2: level.raw(2, 1), 3: await indicesOf(level, 2), 4: level.raw(4, 1), 5: await indicesOf(level, 4) };
}

/** A list whose type is the field before it. */
async function indicesOf(level: FlatTable, type: number): Promise<Value | undefined> {
  const list = await level.table(type + 1);
  const bytes = INDICES.get(level.number(type, 1));
  return list && { table: { 0: bytes && { numbers: await list.numbers(0, bytes), bytes } } };
}
