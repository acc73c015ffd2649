/** Buffers of a skeleton. A constant with many numbers becomes a sparse tensor with one number, which takes almost no space. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { Buffer, DimensionMetadata, DimensionType, Int32Vector, SparseIndexVector, SparsityParameters } from './fields.js';
import { bytesIn, isKept, numbersFor, TYPES, type Content, type Numbers } from './numbers.js';
import { elementsOf } from '../values.js';
import { long, words, type Fields } from './writer.js';
import { SizeOverflow } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

/** The most bytes that the skeleton has in place of the weights of a tensor, and in place of those that are all the same. */
const MOST = 1024;
const MOST_SAME = 1 << 16;
/** The core reads a sparse tensor only if it has at most so many bytes once it is dense, and so many dimensions. */
const MOST_SPARSE = 256 << 20;
const MOST_DIMENSIONS = 16;
/** The most bytes of a buffer. A tensor that would need more, and cannot be sparse, ends the skeleton with an error. */
const MOST_DENSE = 1 << 25;
/** An offset that lies behind the end of every skeleton. */
const OUTSIDE = 2 ** 40;

export interface Constant {
  readonly type: number;
  /** A size is negative where it is not known. */
  readonly sizes: readonly number[];
  /** The first zero point of a quantised tensor. */
  readonly zero: number | undefined;
  /** Whether the tensor is sparse in the model. */
  readonly isSparse: boolean;
  /** The SparsityParameters of a sparse tensor that the core refuses: they stay, so that it refuses the skeleton, too. */
  readonly sparsity: Fields | undefined;
}

export interface Stored {
  readonly buffer: number;
  readonly sparsity?: Fields;
}

export class Buffers {
  /** The first buffer is empty; tensors without bytes name it. */
  readonly tables: Fields[] = [{}];
  readonly #shared = new Map<string, number>();
  /** The places of constants among all, by the byte where they begin. */
  readonly #places = new Map<number, number>();

  /** Adds a buffer whose bytes would lie outside the file. */
  outside({ length }: Content): number {
    return this.tables.push({ [Buffer.offset]: long(OUTSIDE), [Buffer.size]: long(length) }) - 1;
  }

  async store({ type, sizes, zero, isSparse, sparsity }: Constant, content: Content): Promise<Stored> {
    const known = TYPES.get(type);
    if (!known) return { buffer: this.#ofOtherSize(content.length, -1) };
    const elements = sizes.some((size) => size < 0) ? NaN : elementsOf(sizes);
    const wanted = Math.ceil((elements * known.bits) / 8);
    const place = this.#placeOf(content);
    if (sparsity) return { buffer: this.#filled(await numbersFor(known, zero, content, place), content.length), sparsity };
    if (!(wanted <= Number.MAX_SAFE_INTEGER) || (!isSparse && content.length !== wanted)) return { buffer: this.#ofOtherSize(content.length, wanted) };
    if (!isSparse && isKept(known, elements, zero !== undefined)) return { buffer: this.#add(await bytesIn(content)) };
    const numbers = await numbersFor(known, zero, content, place);
    const canBeSparse = known.bits >= 8 && !known.isComplex && sizes.length <= MOST_DIMENSIONS && wanted <= MOST_SPARSE;
    if (wanted <= (numbers.first === numbers.other && !isSparse ? MOST_SAME : MOST) || !canBeSparse) return { buffer: this.#filled(numbers, wanted) };
    return { buffer: this.#filled(numbers, known.bits / 8), sparsity: ofOneNumber(sizes.length) };
  }

  #placeOf({ begin }: Content): number {
    const place = this.#places.get(begin) ?? this.#places.size;
    this.#places.set(begin, place);
    return place;
  }

  #add(content: Uint8Array): number {
    return this.tables.push({ [Buffer.data]: { numbers: content, bytes: 1 } }) - 1;
  }

  /** Tensors that would have the same bytes share them. */
  #filled({ first, other }: Numbers, length: number): number {
    const key = [...first, ...other, length].join();
    const shared = this.#shared.get(key);
    if (shared !== undefined) return shared;
    if (length > MOST_DENSE) throw new MoError([pageMessage(SizeOverflow, msg`${length} bytes`, 'weights are too large for a skeleton')]);
    const content = Uint8Array.from({ length }, (_, at) => other[at % other.length]!);
    content.set(first.slice(0, length));
    const made = this.#add(content);
    this.#shared.set(key, made);
    return made;
  }

  /** Adds a buffer of few zeros whose size does not fit the shape of the tensor either. */
  #ofOtherSize(length: number, wanted: number): number {
    const short = Math.min(length, 64);
    return this.#filled({ first: [0], other: [0] }, short === wanted ? short + 1 : short);
  }
}

/** SparsityParameters of a tensor that stores only its first element. */
function ofOneNumber(rank: number): Fields {
  const [int32, compressed] = [Uint8Array.of(SparseIndexVector.Int32Vector), Uint8Array.of(DimensionType.SPARSE_CSR)];
  const level: Fields = {
    [DimensionMetadata.format]: compressed, [DimensionMetadata.array_segments_type]: int32, [DimensionMetadata.array_segments]: { table: { [Int32Vector.values]: words(0, 1) } },
    [DimensionMetadata.array_indices_type]: int32, [DimensionMetadata.array_indices]: { table: { [Int32Vector.values]: words(0) } },
  };
  return { [SparsityParameters.traversal_order]: words(...Array(rank).keys()), [SparsityParameters.dim_metadata]: { tables: Array<Fields>(rank).fill(level) } };
}
