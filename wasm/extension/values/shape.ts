/** Records of shapes: the two bounds of each dimension, -1 for no upper bound. */
import { MoError } from '../core/error.js';
import type { Dim, Shape } from '../types.js';

export function decodeBounds(bounds: ArrayLike<number>, rank: number): Dim[] {
  return Array.from({ length: rank }, (_, axis) => decodeDim(bounds[2 * axis]!, bounds[2 * axis + 1]!));
}

function decodeDim(min: number, max: number): Dim {
  if (min === max) return min;
  if (min === 0 && max === -1) return null;
  return [min, max === -1 ? null : max];
}

/** Throws for an invalid dimension. */
export function encodeBounds(shape: Shape): number[] | null {
  if (shape !== null && !Array.isArray(shape)) throw new MoError(`a shape is a list of dimensions or null, not ${JSON.stringify(shape)}`);
  return shape === null ? null : shape.flatMap(encodeDim);
}

function encodeDim(dim: Dim): [number, number] {
  if (dim === null) return [0, -1];
  const [min, max] = typeof dim === 'object' ? dim : [dim, dim];
  if (!isSize(min) || !(max === null || (isSize(max) && max >= min)))
    throw new MoError(`a dimension is a whole number from 0 on, null or [min, max], not ${JSON.stringify(dim)}`);
  return [min, max ?? -1];
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
