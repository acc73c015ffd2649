/**
 * Scales and zero points of quantised tensors. Scales say how large weights are: each is rounded as settings are, mostly to a power of two,
 * and those of the channels of one tensor all become the same number. Operators compare the scales of their tensors, so those that differ
 * still do.
 */
import { coarse } from '../setting.js';
import { BlockwiseQuantization, QuantizationDetails, QuantizationParameters } from './fields.js';
import type { FlatTable } from './flat.js';
import type { Fields } from './writer.js';

const { scale: SCALE, zero_point: ZERO_POINT, details_type: TECHNIQUE, details: DETAILS, quantized_dimension: AXIS } = QuantizationParameters;
/** Each scale of a list becomes this one. Only weights have lists of scales. */
const OF_CHANNELS = 2 ** -7;
/** Scales that would become the same number differ by this fraction of it. */
const STEP = 2 ** -14;

export interface Scales {
  /** 0 if the tensor is not quantised. */
  readonly count: number;
  /** The first zero point. */
  readonly zero: number;
  readonly fields: Fields;
}

export class Quantisation {
  /** The number that replaces the scales of a list, by the list. */
  readonly #made = new Map<string, number>();
  readonly #taken = new Set<number>();
  /** For each wanted number, how many steps away from it have been tried. */
  readonly #wanted = new Map<number, number>();

  async rewrite(table: FlatTable): Promise<Scales> {
    const [scales, zeros] = [await table.numbers(SCALE, 4), await table.numbers(ZERO_POINT, 8)];
    const count = scales.length / 4;
    const points = new BigInt64Array(zeros.buffer, zeros.byteOffset, zeros.length / 8);
    // Its scales and zero points are tensors: their numbers and the size of a block stay.
    const blocks = table.number(TECHNIQUE, 1) === QuantizationDetails.BlockwiseQuantization ? await table.table(DETAILS) : undefined;
    return {
      count: blocks ? 1 : count,
      zero: Number(points[0] ?? 0n),
      fields: {
        [SCALE]: count > 0 ? { numbers: this.#scales(new Float32Array(scales.buffer, scales.byteOffset, count)), bytes: 4 } : undefined,
        [ZERO_POINT]: points.length > 0 ? { numbers: new Uint8Array(points.length > 1 ? points.map(powerOfTwo).buffer : zeros), bytes: 8 } : undefined,
        [TECHNIQUE]: blocks && table.raw(TECHNIQUE, 1),
        [DETAILS]: blocks && { table: Object.fromEntries(Object.values(BlockwiseQuantization).map((field) => [field, blocks.raw(field, 4)])) },
        [AXIS]: table.raw(AXIS, 4),
      },
    };
  }

  #scales(scales: Float32Array): Uint8Array {
    const key = scales.join();
    let made = this.#made.get(key);
    if (made === undefined) this.#made.set(key, (made = this.#free(scales.length > 1 ? OF_CHANNELS : coarse(scales[0]!))));
    return new Uint8Array(scales.map((scale) => (Number.isFinite(scale) && scale !== 0 ? Math.sign(scale) * Math.abs(made) : scale)).buffer);
  }

  /** That number, or one near it that no other scale has become. */
  #free(wanted: number): number {
    let count = this.#wanted.get(wanted) ?? 0;
    let found = Math.fround(wanted);
    for (; this.#taken.has(found) && Number.isFinite(found) && found !== 0; count++) found = Math.fround(wanted * (1 + (count + 1) * STEP));
    this.#wanted.set(wanted, count);
    this.#taken.add(found);
    return found;
  }
}

/** The power of two below a zero point. Zero stays, and a zero point too large for its type stays too large. */
function powerOfTwo(value: bigint): bigint {
  const size = value < 0n ? -value : value;
  const power = size === 0n ? 0n : 1n << BigInt(size.toString(2).length - 1);
  return value < 0n ? -power : power;
}
