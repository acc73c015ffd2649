/** Tensors of a skeleton: types and shapes stay, names and numbers do not. */
import { DimensionMetadata, Int32Vector, SparseIndexVector, SparsityParameters, Tensor } from './fields.js';
import { numberOf, type FlatTable } from './flat.js';
import type { Contents } from './contents.js';
import type { Names } from './names.js';
import { Quantisation } from './scales.js';
import type { Buffers } from './weights.js';
import { word, type Fields, type Value } from './writer.js';

const {
  shape: SHAPE, type: TYPE, buffer: BUFFER, name: NAME, quantization: QUANTISATION, is_variable: IS_VARIABLE, sparsity: SPARSITY, shape_signature: SIGNATURE, has_rank: HAS_RANK,
  external_buffer: EXTERNAL,
} = Tensor;
/** The number of a buffer that no model has. */
const NO_BUFFER = 2 ** 32 - 1;
/** Bytes of the indices of sparse tensors, by the number of the type of their list. */
const INDICES = new Map<number, 1 | 2 | 4>([[SparseIndexVector.Int32Vector, 4], [SparseIndexVector.Uint16Vector, 2], [SparseIndexVector.Uint8Vector, 1]]);

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
  const { traversal_order: order, block_map: blocks, dim_metadata: levels } = SparsityParameters;
  return { [order]: await list(order), [blocks]: await list(blocks), [levels]: table.has(levels) ? { tables: await table.each(levels, levelOf) } : undefined };
}

async function levelOf(level: FlatTable): Promise<Fields> {
  const { format, dense_size: size, array_segments_type: segmentsType, array_segments: segments, array_indices_type: indicesType, array_indices: indices } = DimensionMetadata;
  return {
    [format]: level.raw(format, 1), [size]: level.raw(size, 4), [segmentsType]: level.raw(segmentsType, 1), [segments]: await indicesOf(level, segmentsType, segments),
    [indicesType]: level.raw(indicesType, 1), [indices]: await indicesOf(level, indicesType, indices),
  };
}

/** A list whose type is in a field of its own. */
async function indicesOf(level: FlatTable, type: number, field: number): Promise<Value | undefined> {
  const list = await level.table(field);
  const bytes = INDICES.get(level.number(type, 1));
  return list && { table: { [Int32Vector.values]: bytes && { numbers: await list.numbers(Int32Vector.values, bytes), bytes } } };
}
