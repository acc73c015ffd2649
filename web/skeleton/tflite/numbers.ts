/**
 * The numbers of a constant in a skeleton. Small tensors of integers and booleans stay, because they may be shapes, axes or paddings. A
 * number that all elements have is a setting; a floating-point one is rounded as settings are. All other numbers become one half, or one
 * quantisation step. The first elements get other numbers, which differ from constant to constant, because an IR may have other layers if
 * all are the same, if two constants or columns are equal, or if a number is too large for half precision.
 */
import { TensorType } from './fields.js';
import { bytesOfFloat, coarse, floatIn, weightNumber, type Floats } from '../setting.js';

export interface Type {
  readonly bits: number;
  /** The bytes of one half, for floating-point types. */
  readonly half?: readonly number[];
  readonly float?: Floats;
  /** Shapes, axes and conditions are of these types. */
  readonly isWhole?: true;
  readonly isComplex?: true;
}

/** By TensorType. Texts, resources and variants have no bytes of a known size. */
export const TYPES: ReadonlyMap<number, Type> = new Map<number, Type>([
  [TensorType.FLOAT32, { bits: 32, half: [0, 0, 0, 0x3f], float: 'f32' }], [TensorType.FLOAT16, { bits: 16, half: [0, 0x38], float: 'f16' }],
  [TensorType.INT32, { bits: 32, isWhole: true }], [TensorType.UINT8, { bits: 8 }], [TensorType.INT64, { bits: 64, isWhole: true }], [TensorType.BOOL, { bits: 8, isWhole: true }],
  [TensorType.INT16, { bits: 16 }], [TensorType.COMPLEX64, { bits: 64, half: [0, 0, 0, 0x3f], isComplex: true }], [TensorType.INT8, { bits: 8 }],
  [TensorType.FLOAT64, { bits: 64, half: [0, 0, 0, 0, 0, 0, 0xe0, 0x3f], float: 'f64' }],
  [TensorType.COMPLEX128, { bits: 128, half: [0, 0, 0, 0, 0, 0, 0xe0, 0x3f], isComplex: true }], [TensorType.UINT64, { bits: 64, isWhole: true }],
  [TensorType.UINT32, { bits: 32, isWhole: true }], [TensorType.UINT16, { bits: 16 }], [TensorType.INT4, { bits: 4 }],
  [TensorType.BFLOAT16, { bits: 16, half: [0, 0x3f], float: 'bf16' }], [TensorType.INT2, { bits: 2 }], [TensorType.UINT4, { bits: 4 }],
  [TensorType.FLOAT8_E4M3FN, { bits: 8, half: [0x30] }], [TensorType.FLOAT8_E5M2, { bits: 8, half: [0x38] }],
]);
/** At most KEPT integers may be a shape; if quantised weights have their type, too, at most FEW. */
const KEPT = 1024;
const FEW = 8;
/** So many elements of a constant differ from all others, of types whose fractions are read. */
const DIFFERENT = 16;
/** So many bytes are read at once. */
const PIECE = 1 << 16;
/** The largest number of half precision. */
const LARGEST_HALF = 65504;

/** Where the bytes of a constant are. */
export interface Content {
  readonly file: Blob;
  readonly begin: number;
  readonly length: number;
}

/** The bytes of the first elements, and of each other one. */
export interface Numbers {
  readonly first: readonly number[];
  readonly other: readonly number[];
}

/** `zero` is the first zero point of a quantised tensor, `index` the place of the constant among all. */
export async function numbersFor(type: Type, zero: number | undefined, content: Content, index: number): Promise<Numbers> {
  const unit = Math.max(1, type.bits / 8);
  const same = content.length >= unit && (await isUniform(content, unit)) ? await bytesIn(content, unit) : undefined;
  if (same) {
    const kept = setting(type, zero, same);
    return { first: kept, other: kept };
  }
  if (type.half) return { first: (await tooLarge(type, content)) ?? quarters(type, index), other: type.half };
  if (zero === undefined) return { first: step(type, 0), other: step(type, 0) };
  const [other, next] = [1, 2, 3].filter((one) => one !== zero);
  const own = 4 + (index % 64);
  return { first: step(type, type.bits < 8 || own === zero ? next! : own), other: step(type, other!) };
}

/** Whether the integers or booleans are so few that they may be settings of an operator. */
export function isKept({ half, bits, isWhole }: Type, elements: number, isQuantised: boolean): boolean {
  if (half) return false;
  return isQuantised ? elements === 1 && bits <= 16 : elements <= (isWhole ? KEPT : FEW);
}

export async function bytesIn({ file, begin, length }: Content, most = length): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(begin, begin + Math.min(most, length)).arrayBuffer());
}

/** Whether all numbers are the same. It stops at the first other one, which mostly is the second number. */
async function isUniform({ file, begin, length }: Content, unit: number): Promise<boolean> {
  let first: Uint8Array | undefined;
  for (let at = 0; at < length; at += PIECE) {
    const piece = await bytesIn({ file, begin: begin + at, length: Math.min(PIECE, length - at) });
    first ??= piece.slice(0, unit);
    for (let i = 0; i < piece.length; i++) if (piece[i] !== first[i % unit]) return false;
  }
  return true;
}

/** The first number that is too large for half precision, in the first PIECE bytes. */
async function tooLarge({ float, bits }: Type, content: Content): Promise<readonly number[] | undefined> {
  if (!float) return undefined;
  const bytes = await bytesIn(content, PIECE);
  for (let at = 0; at + bits / 8 <= bytes.length; at += bits / 8) {
    const number = floatIn(float, bytes.subarray(at, at + bits / 8));
    if (!(Math.abs(number) <= LARGEST_HALF)) return [...bytesOfFloat(float, coarse(number))];
  }
  return undefined;
}

function setting({ half, float, bits }: Type, zero: number | undefined, bytes: Uint8Array): readonly number[] {
  if (float) return [...bytesOfFloat(float, coarse(floatIn(float, bytes)))];
  if (bytes.every((byte) => byte === 0)) return [...bytes];
  if (half) return half;
  // Wide integers that are quantised are biases.
  return zero === undefined || bits <= 16 ? [...bytes] : step({ bits }, 1);
}

function quarters({ half, float, bits }: Type, index: number): readonly number[] {
  if (float) return Array.from({ length: DIFFERENT }, (_, at) => [...bytesOfFloat(float, weightNumber(float, DIFFERENT * index + at) / 2)]).flat();
  return bits === 8 ? [half![0]! - (half![0] === 0x30 ? 8 : 4)] : half!;
}

/** The bytes of an integer; for types of less than a byte, one byte with several of them. */
function step({ bits }: Type, value: number): readonly number[] {
  if (bits < 8) return [value * (bits === 4 ? 0x11 : 0x55)];
  return Array.from({ length: bits / 8 }, (_, at) => (at === 0 ? value : 0));
}
