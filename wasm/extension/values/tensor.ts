import { checked, core } from '../core/bridge.js';
import type { Integer, TensorRecord } from '../core/core-table.js';
import { MoError } from '../core/error.js';
import type { ElementType, Tensor } from '../types.js';
import { decodeElements, encodeElements, isElementType } from './elements.js';

type Element = number | bigint | string | boolean;
type Content = TensorRecord[2];

/** A tensor of the model or of an extension. Its bytes are read only on demand. */
export class ModelTensor implements Tensor {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly #content: Content;

  constructor(type: ElementType, shape: readonly number[], content: Content) {
    this.type = type;
    this.shape = Object.freeze([...shape]);
    this.#content = content;
    Object.freeze(this);
  }

  get({ asNumbers = false }: { asNumbers?: boolean } = {}): ArrayLike<Element | null> {
    const elements = this.#read();
    return asNumbers ? Array.from(elements, (element) => (element === null ? null : Number(element))) : elements;
  }

  reshape(shape: readonly number[]): Tensor {
    if (elementCount(shape) !== elementCount(this.shape))
      throw new MoError(`a tensor of shape [${this.shape}] cannot be reshaped to [${shape}]`);
    return new ModelTensor(this.type, shape, this.#content);
  }

  /** Elements as text, for messages. */
  toString(): string {
    return Array.from(this.get(), String).join(',');
  }

  record(): TensorRecord {
    return [this.type, this.shape, this.#content];
  }

  #read(): ArrayLike<Element | null> {
    const content = this.#content;
    if ('elements' in content) return content.elements.map((element) => this.#known(element));
    const bytes = 'bytes' in content ? content.bytes : checked(core().constantBytes(content.constant));
    return decodeElements(this.type, bytes, elementCount(this.shape));
  }

  #known(element: Integer | null): Element | null {
    if (element === null) return null;
    if (this.type === 'boolean') return element !== 0;
    return this.type === 'i64' || this.type === 'u64' ? BigInt(element) : Number(element);
  }
}

export function fromRecord([type, shape, content]: TensorRecord): Tensor {
  return new ModelTensor(type as ElementType, shape, content);
}

/** Throws for anything but a tensor of this module. */
export function toRecord(value: unknown): TensorRecord {
  if (!(value instanceof ModelTensor)) throw new MoError('a value is a tensor, as tensor() and int64Array() make it');
  return value.record();
}

/**
 * A value for a constant: its type, its shape, and its elements in row-major order.
 *
 * @example
 * ```js
 * import { tensor } from '@mo/wasm/extension';
 *
 * const ones = tensor('f32', [2, 2], [1, 1, 1, 1]);
 * ```
 */
export function tensor(type: ElementType, shape: readonly number[], elements: ArrayLike<Element>): Tensor {
  if (!isElementType(type)) throw new MoError(`there is no element type "${type}"`);
  if (elements.length !== elementCount(shape))
    throw new MoError(`a tensor of shape [${shape}] has ${elementCount(shape)} elements, not ${elements.length}`);
  return new ModelTensor(type, shape, { bytes: encodeElements(type, elements) });
}

/**
 * 64-bit integers in one dimension, as axes and shapes are given.
 *
 * @example
 * ```js
 * import { int64Array, ops } from '@mo/wasm/extension';
 *
 * const transposed = (graph, port) => ops.createWithConstInputs(graph, 'Transpose', { 1: int64Array([0, 3, 1, 2]) }, {}, port);
 * ```
 */
export function int64Array(elements: readonly (number | bigint)[]): Tensor {
  return tensor('i64', [elements.length], elements);
}

/**
 * `values` at `indices`, in the order of the indices. Both may be tensors of one dimension.
 *
 * @example
 * ```js
 * import { select } from '@mo/wasm/extension';
 *
 * select([1, 3, 224, 224], [2, 3]); // [224, 224]
 * ```
 */
export function select<T>(values: ArrayLike<T>, indices: Iterable<number | bigint> | Tensor): T[];
export function select(values: Tensor, indices: Iterable<number | bigint> | Tensor): (number | bigint | string | boolean | null)[];
export function select(values: ArrayLike<unknown> | Tensor, indices: Iterable<number | bigint> | Tensor): unknown[] {
  const from = values instanceof ModelTensor ? values.get() : (values as ArrayLike<unknown>);
  const at = indices instanceof ModelTensor ? Array.from(indices.get(), Number) : (indices as Iterable<number | bigint>);
  return Array.from(at, (index) => {
    if (!(Number(index) in from)) throw new MoError(`index ${index} is outside 0..${from.length - 1}`);
    return from[Number(index)];
  });
}

function elementCount(shape: readonly number[]): number {
  const count = shape.reduce((product, size) => product * size, 1);
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0) || !Number.isSafeInteger(count))
    throw new MoError(`[${shape}] is no shape: it has whole numbers from 0 on`);
  return count;
}
