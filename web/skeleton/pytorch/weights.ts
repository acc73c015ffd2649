/** Weights of a skeleton: those of the model by type, shape and strides. All of one type are views of one storage, each from another element on. */
import { packed, type Packed } from '../packed.js';
import { bytesOfFloat, weightNumber, type Floats } from '../setting.js';

type Fields = Readonly<Record<string, unknown>>;

export interface Weight {
  readonly target: string;
  readonly isConstant: boolean;
  readonly isParameter: boolean;
  readonly meta: Fields;
  /** The schema's number of the type. */
  readonly type: number;
  /** So many elements of a storage it reads, from its first one on. */
  readonly length: number;
}

/** Bytes of an element by the schema's number of the type. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 2, 7: 4, 8: 8, 9: 4, 10: 8, 11: 16, 12: 1, 13: 2, 28: 2, 29: 1, 30: 1, 31: 1, 32: 1, 33: 1, 34: 4, 35: 8 };
const FLOATS: Readonly<Record<number, Floats>> = { 6: 'f16', 7: 'f32', 8: 'f64', 9: 'f16', 10: 'f32', 11: 'f64', 13: 'bf16' };
/** A weight that reads more is one that no storage has; it fails as it does in the model. */
const LONGEST = 2 ** 31;
/** So many numbers near one half follow each other, again and again. */
const DIFFERENT = 64, PIECE = 1 << 16;

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map((size) => Number((size as { as_int?: unknown }).as_int ?? 0)) : []);

export function weightOf(target: string, isConstant: boolean, isParameter: boolean, meta: Fields): Weight {
  const sizes = numbers(meta['sizes']), strides = numbers(meta['strides']);
  const length = sizes.includes(0) ? 0 : sizes.reduce((all, size, axis) => all + (size - 1) * (strides[axis] ?? 0), 1);
  return { target, isConstant, isParameter, meta, type: Number(meta['dtype']), length: length >= 0 && length < LONGEST ? length : 0 };
}

/** Pieces of a storage. */
async function* storage(type: number, length: number): AsyncGenerator<Uint8Array> {
  const size = SIZES[type]!, floats = FLOATS[type];
  const one = (index: number) => (floats ? bytesOfFloat(floats, weightNumber(floats, index)) : Uint8Array.of(index % 2));
  const period = new Uint8Array(DIFFERENT * size);
  for (let i = 0; i < DIFFERENT; i++) for (let at = 0, bytes = one(i); at < size; at += bytes.length) if (floats || at === 0) period.set(bytes, i * size + at);
  const piece = new Uint8Array(PIECE * size).map((_, at) => period[at % period.length]!);
  for (let left = length * size; left > 0; left -= piece.length) yield left < piece.length ? piece.subarray(0, left) : piece;
}

/** The files of the weights of a program: their storages and what says which weight is where. */
export async function writeWeights(model: string, weights: readonly Weight[]): Promise<{ path: string; content: Packed | Uint8Array }[]> {
  const files: { path: string; content: Packed | Uint8Array }[] = [];
  for (const [folder, isConstant] of [['weights', false], ['constants', true]] as const) {
    const own = weights.filter((weight) => weight.isConstant === isConstant);
    const lengths = new Map<number, number>();
    const config = own.map((weight, index) => {
      const { target, type, length, isParameter, meta } = weight, first = length > 0 ? index % DIFFERENT : 0;
      lengths.set(type, Math.max(lengths.get(type) ?? 0, first + length));
      return [target, { path_name: `${model}_${type}`, is_param: isParameter, use_pickle: false, tensor_meta: { ...meta, storage_offset: { as_int: first } } }];
    });
    for (const [type, length] of lengths) if (SIZES[type]) files.push({ path: `data/${folder}/${model}_${type}`, content: await packed(storage(type, length)) });
    files.push({ path: `data/${folder}/${model}_${folder}_config.json`, content: new TextEncoder().encode(JSON.stringify({ config: Object.fromEntries(config) })) });
  }
  return files;
}
