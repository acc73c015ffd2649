/** Writes small models of TensorFlow Lite as FlatBuffers. */

type Value =
  | { i8: number } | { i32: number } | { f32: number } | { text: string } | { bytes: Uint8Array } | { ints: readonly number[] }
  | { table: Table } | { tables: readonly Table[] };
/** Values by the number of their field. */
export type Table = Readonly<Record<number, Value>>;

class Writer {
  bytes: number[] = [];

  align(to: number): void {
    while (this.bytes.length % to !== 0) this.bytes.push(0);
  }

  number(value: number, size: 1 | 2 | 4, at = this.bytes.length): void {
    for (let i = 0; i < size; ++i) this.bytes[at + i] = Math.floor(value / 256 ** i) & 255;
  }

  /** Writes the table's vtable, the table, and what it refers to; gives the place of the table. */
  table(table: Table): number {
    const fields = Object.entries(table).map(([field, value]) => [Number(field), value] as const);
    const slots = Math.max(0, ...fields.map(([field]) => field + 1));
    this.align(2);
    const vtable = this.bytes.length;
    this.bytes.push(...Array<number>(4 + 2 * slots).fill(0));
    this.align(4);
    const start = this.bytes.length;
    this.bytes.push(...Array<number>(4 + 4 * fields.length).fill(0));
    this.number(start - vtable, 4, start);
    this.number(4 + 2 * slots, 2, vtable);
    this.number(4 + 4 * fields.length, 2, vtable + 2);
    fields.forEach(([field, value], i) => {
      const at = start + 4 + 4 * i;
      this.number(at - start, 2, vtable + 4 + 2 * field);
      this.value(value, at);
    });
    return start;
  }

  private value(value: Value, at: number): void {
    if ('i8' in value) return this.number(value.i8 & 255, 1, at);
    if ('i32' in value) return this.number(value.i32 >>> 0, 4, at);
    if ('f32' in value) return this.number(new Uint32Array(Float32Array.of(value.f32).buffer)[0]!, 4, at);
    if ('table' in value) return this.number(this.table(value.table) - at, 4, at);
    this.align(16);
    const bytes = 'text' in value ? Buffer.from(value.text) : 'bytes' in value ? value.bytes : undefined;
    if (bytes) this.bytes.push(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);  // so that the content is aligned
    const begin = this.bytes.length;
    this.number(begin - at, 4, at);
    const items = bytes ?? ('ints' in value ? value.ints : 'tables' in value ? value.tables : []);
    this.number(items.length, 4);
    if (bytes) this.bytes.push(...bytes, 0);
    else if ('ints' in value) for (const number of value.ints) this.number(number >>> 0, 4);
    else if ('tables' in value) {
      const first = this.bytes.length;
      this.bytes.push(...Array<number>(4 * value.tables.length).fill(0));
      value.tables.forEach((table, i) => this.number(this.table(table) - (first + 4 * i), 4, first + 4 * i));
    }
  }
}

export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** TensorType; 0 is float32. */
  readonly type?: number;
  readonly data?: Uint8Array;
}

export interface Operator {
  /** BuiltinOperator; 32 with `custom`. */
  readonly code: number;
  readonly custom?: string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Type of the union, and its table. */
  readonly options?: readonly [number, Table];
}

export const floats = (...numbers: number[]): Uint8Array => new Uint8Array(Float32Array.from(numbers).buffer);

/** A model of one subgraph. Operators and tensors refer to tensors by their index. */
export function liteModel(tensors: readonly Tensor[], operators: readonly Operator[], inputs: readonly number[], outputs: readonly number[]): Uint8Array<ArrayBuffer> {
  const buffers: Table[] = [{}];
  const tensorTables = tensors.map(({ name, shape, type = 0, data }): Table => {
    if (data) buffers.push({ 0: { bytes: data } });
    return { 0: { ints: shape }, 1: { i8: type }, 2: { i32: data ? buffers.length - 1 : 0 }, 3: { text: name } };
  });
  const operatorTables = operators.map(({ inputs: from, outputs: to, options }, i): Table => ({
    0: { i32: i }, 1: { ints: from }, 2: { ints: to }, ...(options && { 3: { i8: options[0] }, 4: { table: options[1] } }),
  }));
  const codes = operators.map(({ code, custom }): Table => ({ 0: { i8: Math.min(code, 127) }, ...(custom && { 1: { text: custom } }), 3: { i32: code } }));
  const subgraph: Table = { 0: { tables: tensorTables }, 1: { ints: inputs }, 2: { ints: outputs }, 3: { tables: operatorTables } };
  const writer = new Writer();
  writer.bytes.push(0, 0, 0, 0, ...Buffer.from('TFL3'));
  writer.number(writer.table({ 0: { i32: 3 }, 1: { tables: codes }, 2: { tables: [subgraph] }, 4: { tables: buffers } }), 4, 0);
  return Uint8Array.from(writer.bytes);
}

/** A picture [1, 8, 8, 3] through a convolution with 3 x 3 filters and ReLU, and the average of each of its 4 channels. */
export function litePicture(): Uint8Array<ArrayBuffer> {
  const filter = floats(...Array.from({ length: 4 * 3 * 3 * 3 }, (_, i) => ((i * 37) % 19 - 9) / 10));
  const axes = new Uint8Array(Int32Array.of(1, 2).buffer);
  return liteModel(
    [
      { name: 'image', shape: [1, 8, 8, 3] }, { name: 'filter', shape: [4, 3, 3, 3], data: filter }, { name: 'bias', shape: [4], data: floats(0.1, 0.2, 0.3, 0.4) },
      { name: 'features', shape: [1, 4, 4, 4] }, { name: 'axes', shape: [2], type: 2, data: axes }, { name: 'means', shape: [1, 4] },
    ],
    [
      { code: 3, inputs: [0, 1, 2], outputs: [3], options: [1, { 0: { i8: 0 }, 1: { i32: 2 }, 2: { i32: 2 }, 3: { i8: 1 } }] },
      { code: 40, inputs: [3, 4], outputs: [5], options: [27, {}] },
    ],
    [0],
    [5],
  );
}
