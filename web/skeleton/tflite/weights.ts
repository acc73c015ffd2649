/**
 * Buffers of a skeleton. The numbers of small tensors of integers and booleans, which shapes, axes and paddings are, stay, and of a single
 * floating-point number no more than a setting needs. All others become one half, or one step of what is quantised; where they are many, the
 * tensor is a sparse one with one number, which takes no place.
 */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../page-message.js';
import { bytesOfFloat, coarse, floatIn, type Floats } from '../setting.js';
import { long, words, type Fields } from './writer.js';

interface Type {
  readonly bits: number;
  /** One half, of floating-point numbers. */
  readonly half?: readonly number[];
  readonly float?: Floats;
  /** Shapes, axes and conditions are of these types. */
  readonly isWhole?: true;
}

/** By TensorType. Texts, resources and variants have no bytes of a known size. */
const TYPES = new Map<number, Type>([
  [0, { bits: 32, half: [0, 0, 0, 63], float: 'f32' }], [1, { bits: 16, half: [0, 56], float: 'f16' }], [2, { bits: 32, isWhole: true }], [3, { bits: 8 }], [4, { bits: 64, isWhole: true }],
  [6, { bits: 8, isWhole: true }], [7, { bits: 16 }], [8, { bits: 64, half: [0, 0, 0, 63] }], [9, { bits: 8 }], [10, { bits: 64, half: [0, 0, 0, 0, 0, 0, 224, 63], float: 'f64' }],
  [11, { bits: 128, half: [0, 0, 0, 0, 0, 0, 224, 63] }], [12, { bits: 64, isWhole: true }], [15, { bits: 32, isWhole: true }], [16, { bits: 16 }], [17, { bits: 4 }],
  [18, { bits: 16, half: [0, 63], float: 'bf16' }], [19, { bits: 2 }], [20, { bits: 4 }], [21, { bits: 8, half: [0x30] }], [22, { bits: 8, half: [0x38] }],
]);
const COMPLEX = new Set([8, 11]);
/** So many integers may be a shape; of the types of quantised weights, so many. */
const KEPT = 1024;
const FEW = 8;
/** So many bytes may stand for the weights of a tensor. */
const MOST = 4096;
/** What the core reads of sparse tensors: bytes of the dense one, and dimensions. */
const MOST_SPARSE = 256 << 20;
const MOST_DIMENSIONS = 16;
const MOST_DENSE = 1 << 25;
/** Behind the end of every skeleton. */
const OUTSIDE = 2 ** 40;

/** Where the bytes of a constant are. */
export interface Content {
  readonly file: Blob;
  readonly begin: number;
  readonly length: number;
}

export interface Constant {
  readonly type: number;
  /** Negative where one is not known. */
  readonly sizes: readonly number[];
  /** The first zero point of a quantised tensor. */
  readonly zero: number | undefined;
  /** Of a sparse tensor that fails: it stays as it is. */
  readonly sparsity: Fields | undefined;
  /** Whether it is a sparse one. */
  readonly isSparse: boolean;
}

export interface Stored {
  readonly buffer: number;
  readonly sparsity: Fields | undefined;
}

export class Buffers {
  /** The first one is that of tensors without bytes. */
  readonly tables: Fields[] = [{}];
  readonly #shared = new Map<string, number>();

  /** A buffer that says it is where no bytes are. */
  outside({ length }: Content): number {
    return this.tables.push({ 1: long(OUTSIDE), 2: long(length) }) - 1;
  }

  async store(constant: Constant, content: Content): Promise<Stored> {
    const { type, sizes, zero, sparsity, isSparse } = constant;
    const known = TYPES.get(type);
    const elements = sizes.some((size) => size < 0) ? NaN : sizes.reduce((product, size) => product * size, 1);
    const wanted = Math.ceil((elements * (known?.bits ?? 0)) / 8);
    const unit = known ? unitOf(known, zero) : [0];
    if (sparsity) return { buffer: this.#repeated(unit, content.length), sparsity };
    if (!known || !(wanted <= Number.MAX_SAFE_INTEGER) || (!isSparse && content.length !== wanted)) return { buffer: this.#ofOtherSize(content.length, wanted), sparsity: undefined };
    if (!isSparse && isKept(known, elements, zero !== undefined)) return { buffer: this.#add(await bytesIn(content)), sparsity: undefined };
    if (!isSparse && known.float && elements === 1) return { buffer: this.#add(bytesOfFloat(known.float, coarse(floatIn(known.float, await bytesIn(content))))), sparsity: undefined };
    const canBeSparse = known.bits >= 8 && !COMPLEX.has(type) && sizes.length <= MOST_DIMENSIONS && wanted <= MOST_SPARSE;
    if (wanted <= MOST || !canBeSparse) return { buffer: this.#repeated(unit, wanted), sparsity: undefined };
    return { buffer: this.#repeated(unit, known.bits / 8), sparsity: ofOneNumber(sizes.length) };
  }

  #add(content: Uint8Array): number {
    return this.tables.push({ 0: { numbers: content, bytes: 1 } }) - 1;
  }

  /** Tensors that would have the same bytes share them. */
  #repeated(unit: readonly number[], length: number): number {
    const key = `${unit.join()} ${length}`;
    const shared = this.#shared.get(key);
    if (shared !== undefined) return shared;
    if (length > MOST_DENSE) throw new MoError([pageMessage('MO1010', `${length} bytes`, 'weights are too large for a skeleton')]);
    const made = this.#add(Uint8Array.from({ length }, (_, at) => unit[at % unit.length]!));
    this.#shared.set(key, made);
    return made;
  }

  /** Content that does not fit its shape; it is no longer than it has to be. */
  #ofOtherSize(length: number, wanted: number): number {
    const short = Math.min(length, 64);
    return this.#repeated([0], short === wanted ? short + 1 : short);
  }
}

/** Of quantised integers a number that does not mean zero. Other integers are zero, which is an index everywhere. */
function unitOf({ bits, half }: Type, zero: number | undefined): readonly number[] {
  if (half) return half;
  const step = zero === undefined ? 0 : zero === 1 ? 2 : 1;
  if (bits < 8) return [step * (bits === 4 ? 0x11 : 0x55)];
  return Array.from({ length: bits / 8 }, (_, at) => (at === 0 ? step : 0));
}

function isKept({ half, bits, isWhole }: Type, elements: number, isQuantised: boolean): boolean {
  if (half) return false;
  return isQuantised ? elements === 1 && bits <= 16 : elements <= (isWhole ? KEPT : FEW);
}

/** SparsityParameters of a tensor that has its first element only. */
function ofOneNumber(rank: number): Fields {
  const [int32, compressed] = [Uint8Array.of(1), Uint8Array.of(1)];
  const level: Fields = { 0: compressed, 2: int32, 3: { table: { 0: words(0, 1) } }, 4: int32, 5: { table: { 0: words(0) } } };
  return { 0: words(...Array(rank).keys()), 2: { tables: Array<Fields>(rank).fill(level) } };
}

async function bytesIn({ file, begin, length }: Content): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(begin, begin + length).arrayBuffer());
}
