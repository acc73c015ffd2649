/** The arrays of a skeleton: those of the model by shape, with numbers that say nothing. */
import { weightBytes, type Floats } from '../setting.js';
import { elementsOf } from '../values.js';
import { concat } from '../wire.js';

export interface ArrayHead {
  readonly name: string;
  /** MXNet's number of the element type. */
  readonly type: number;
  readonly dims: readonly number[];
}

/** Bytes of an element by the number of its type. */
const SIZES = [4, 8, 2, 1, 4, 1, 8, 1, 2, 2, 4, 8, 2];
const FLOATS = new Map<number, Floats>([[0, 'f32'], [1, 'f64'], [2, 'f16'], [12, 'bf16']]);
const [V1, V2, V3] = [0xf993fac8, 0xf993fac9, 0xf993faca];
/** An array that is larger is one of zeros, of which no row is stored. */
const MOST = 4096;
const LONGEST_NAME = 1 << 12, MOST_ARRAYS = 1 << 16, MOST_DIMS = 64;

/** Reads numbers of a file one after the other. */
class Reader {
  at = 0;
  constructor(private readonly file: Blob) {}

  async bytes(size: number): Promise<DataView> {
    const view = new DataView(await this.file.slice(this.at, this.at + size).arrayBuffer());
    if (view.byteLength < size) throw new RangeError('the file ends');
    this.at += size;
    return view;
  }
  u32 = async (): Promise<number> => (await this.bytes(4)).getUint32(0, true);
  u64 = async (): Promise<number> => Number((await this.bytes(8)).getBigUint64(0, true));
  async shape(rank: number, width: number): Promise<number[]> {
    if (rank > MOST_DIMS) throw new RangeError('no rank');
    const view = await this.bytes(rank * width);
    return Array.from({ length: rank }, (_, i) => (width === 4 ? view.getUint32(4 * i, true) : Number(view.getBigInt64(8 * i, true))));
  }
}

async function readRecord(file: Reader): Promise<Omit<ArrayHead, 'name'> | undefined> {
  const version = await file.u32();
  const storage = version === V2 || version === V3 ? (await file.bytes(4)).getInt32(0, true) : 0;
  if (storage > 0) await file.shape(await file.u32(), 8);
  const dims = version < V1 ? await file.shape(version, 4) : await file.shape(await file.u32(), 8);
  if (dims.length === 0 && version !== V3) return undefined;
  file.at += 8;
  const type = await file.u32();
  const width = SIZES[type];
  if (width === undefined) throw new RangeError('no type');
  let stored = elementsOf(dims);
  if (storage > 0) {
    const further: number[] = [];
    for (let i = 0; i < storage; i++) {
      const size = SIZES[await file.u32()] ?? 8;
      const count = elementsOf(await file.shape(await file.u32(), 8));
      further.push(size * count);
      stored = storage === 2 ? count : count * elementsOf(dims.slice(1));
    }
    file.at += further.reduce((all, one) => all + one, 0);
  }
  file.at += stored * width;
  return { type, dims };
}

/** Names, types and shapes in an array list. None for a file of another form. */
export async function readArrays(content: Blob): Promise<ArrayHead[]> {
  try {
    const file = new Reader(content);
    if ((await file.u64()) !== 0x112) return [];
    await file.u64();
    const count = await file.u64();
    if (count > MOST_ARRAYS) return [];
    const heads: (Omit<ArrayHead, 'name'> | undefined)[] = [];
    for (let i = 0; i < count; i++) heads.push(await readRecord(file));
    const arrays: ArrayHead[] = [];
    for (let i = await file.u64(), at = 0; at < i && at < count; at++) {
      const size = await file.u64();
      if (size > LONGEST_NAME) return [];
      const name = new TextDecoder().decode(await file.bytes(size));
      if (heads[at]) arrays.push({ name, ...heads[at]! });
    }
    return arrays;
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function numbers(...parts: readonly (readonly [bytes: 4 | 8, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(parts.reduce((all, [bytes]) => all + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of parts) {
    if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigInt64(at, BigInt(value), true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const shape = (dims: readonly number[]) => numbers([4, dims.length], ...dims.map((one) => [8, one] as const));

function record({ type, dims }: ArrayHead, index: number): Uint8Array {
  const about = concat([shape(dims), numbers([4, 1], [4, 0], [4, type])]);
  const size = elementsOf(dims) * SIZES[type]!;
  // No row of it is stored: one list of indices, which is empty.
  if (size > MOST) return concat([numbers([4, V2], [4, 1]), shape([0, ...dims.slice(1)]), about, numbers([4, 6]), shape([0])]);
  return concat([numbers([4, V2], [4, 0]), about, weightBytes(FLOATS.get(type), index, size)]);
}

/** The file of these arrays; scalars of NumPy, which this version has not, are lists of one. */
export function writeArrays(arrays: readonly ArrayHead[]): Uint8Array {
  const names = arrays.map(({ name }) => new TextEncoder().encode(name));
  const own = arrays.map((one) => (one.dims.length === 0 ? { ...one, dims: [1] } : one));
  return concat([numbers([8, 0x112], [8, 0], [8, own.length]), ...own.map(record), numbers([8, names.length]), ...names.flatMap((name) => [numbers([8, name.length]), name])]);
}
