/** Single floating-point numbers, such as settings of operations, in the types that models have. */

export type Floats = 'f16' | 'bf16' | 'f32' | 'f64';

const FORMULAS = [Math.PI, Math.SQRT1_2, Math.SQRT2, Math.sqrt(2 / Math.PI), 0.044715, Math.LN2];

/**
 * Keeps a setting such as 0, 6, 127.5, 1/255 or 1e-3: integers and their reciprocals, numbers of at most three digits, and constants of
 * formulas of activations. Any other number could be a weight. It becomes a power of two, so that two settings stay in order.
 */
export function coarse(value: number): number {
  if (!Number.isFinite(value) || value === 0 || (Number.isInteger(value) && Math.abs(value) <= 65536)) return value;
  const known = [Number(value.toPrecision(3)), 1 / Math.round(1 / value), ...FORMULAS];
  if (known.some((one) => value === one || value === Math.fround(one))) return value;
  return Math.sign(value) * 2 ** Math.floor(Math.log2(Math.abs(value)));
}

/** The first number in these bytes, which have to contain all of it. */
export function floatIn(type: Floats, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === 'f32') return view.getFloat32(0, true);
  return type === 'f64' ? view.getFloat64(0, true) : ofHalf(type, view.getUint16(0, true));
}

/**
 * The bytes of a number. In types of 16 bits only numbers with few significant bits are exact, such as powers of two and small integers.
 */
export function bytesOfFloat(type: Floats, value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f64') view.setFloat64(0, value, true);
  else view.setFloat32(0, value, true);
  if (type === 'bf16') return new Uint8Array(view.buffer, 2, 2);
  if (type === 'f16') view.setUint16(0, halfOf(value), true);
  return new Uint8Array(view.buffer, 0, type === 'f64' ? 8 : type === 'f32' ? 4 : 2);
}

/** So many numbers near one half differ in each type. */
const DIFFERENT: Readonly<Record<Floats, number>> = { f16: 512, bf16: 64, f32: 4096, f64: 4096 };

/**
 * The number that stands for the weights with that index. It is near one half: positive, as counts and variances have to be, and neither 0
 * nor 1, because an IR leaves out sums with zeros and products with ones. Neighbours differ, because equal operations become one.
 */
export function weightNumber(type: Floats, index: number): number {
  return 0.5 + (index % DIFFERENT[type]) / (4 * DIFFERENT[type]);
}

/** So many bytes of weights, which are all the number of that index; zeros for types without fractions. */
export function weightBytes(type: Floats | undefined, index: number, length: number): Uint8Array {
  const number = type ? bytesOfFloat(type, weightNumber(type, index)) : Uint8Array.of(0);
  return Uint8Array.from({ length }, (_, at) => number[at % number.length]!);
}

export function ofHalf(type: 'f16' | 'bf16', bits: number): number {
  if (type === 'bf16') {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint16(2, bits & 0xffff, true);
    return view.getFloat32(0, true);
  }
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

function halfOf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | Math.min(1023, Math.round((size / 2 ** exponent - 1) * 1024));
}
