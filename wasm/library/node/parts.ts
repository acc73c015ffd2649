import type { Segment } from '../shared/core.js';
import type { F16Piece } from './f16-pieces.js';

/** Bytes that are read at a time. */
export const PIECE = 1 << 20;
/** Smaller reads take less time than waiting for them in another thread. */
export const LARGE = 64 << 10;

/** A piece of a `.bin` from `at` on: of one recipe from `begin` on, or of several segments. */
export type Piece = { at: number; size: number } & ({ recipe: number; begin: number } | { recipe?: undefined });

/** The pieces of a `.bin` that any thread can write, and the others. */
export interface Parts {
  f16: F16Piece[];
  others: Piece[];
}

/** Large weights that are stored as f16 are for any thread if their file `isShared`. */
export function partsOf(segments: readonly Segment[], isShared: (file: number) => boolean): Parts {
  const f16: F16Piece[] = [];
  const others: Piece[] = [];
  let begin = 0;
  let end = 0;
  const addBetween = (): void => {
    for (const [done, size] of cut(end - begin, PIECE)) others.push({ at: begin + done, size });
  };
  for (const segment of segments) {
    if (segment.kind === 'recipe' && segment.size >= LARGE) {
      addBetween();
      const { compressed, recipe, piece } = segment;
      if (compressed && isShared(compressed.file))
        for (const [done, size] of cut(segment.size, PIECE / 2)) f16.push({ at: end + done, size, file: compressed.file, offset: compressed.offset + 2 * done });
      else for (const [done, size] of cut(segment.size, piece)) others.push({ at: end + done, size, recipe, begin: done });
      begin = end + segment.size;
    }
    end += segment.size;
  }
  addBetween();
  return { f16, others };
}

function* cut(size: number, piece: number): Generator<[begin: number, size: number]> {
  for (let begin = 0; begin < size; begin += piece) yield [begin, Math.min(piece, size - begin)];
}
