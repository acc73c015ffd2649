/** Lays a graph out piece by piece, each below the one before. */
import { arrange, type Arranged } from './arrange.js';
import { piecesOf, type Piece } from './pieces.js';
import type { Placed } from './protocol.js';

const BETWEEN = 56;
const MOST_KEPT = 500;
/** A piece moves at most so far to one side, so that a graph does not drift away. */
const FARTHEST = 1500;

/** Pieces that look alike have one layout: blocks of a network, and parts that a step leaves as they are. */
const kept = new Map<string, Arranged>();

export function* placedPieces(widths: Int32Array, edges: Int32Array, height: number): Generator<Placed> {
  const pieces = piecesOf(widths.length, edges);
  const middles = new Float32Array(2 * widths.length);
  const loose = looseOf(pieces, widths.length, edges);
  let top = 0;
  for (const [index, { boxes, edges: inside }] of pieces.entries()) {
    const local = new Map(boxes.map((box, at) => [box, at]));
    const ends = inside.flatMap((edge) => [local.get(edges[2 * edge]!)!, local.get(edges[2 * edge + 1]!)!]);
    const arranged = keptLayout(boxes.map((box) => widths[box]!), ends, height);
    boxes.forEach((box, at) => middles.set(arranged.middles.subarray(2 * at, 2 * at + 2), 2 * box));
    const left = Math.round(shiftOf(boxes, loose[index]!, middles) - (index === 0 ? arranged.width / 2 : 0));
    const own = arranged.middles.map((value, i) => value + (i % 2 === 0 ? left : top));
    boxes.forEach((box, at) => middles.set(own.subarray(2 * at, 2 * at + 2), 2 * box));
    const bottom = top + arranged.height;
    yield {
      boxes: Int32Array.from(boxes), middles: own, lines: moved(arranged.lines, left, top), loose: Int32Array.from(loose[index]!),
      left, top, right: left + arranged.width, bottom,
    };
    top = bottom + BETWEEN;
  }
}

function keptLayout(widths: readonly number[], ends: readonly number[], height: number): Arranged {
  const key = `${height} ${widths.join()} ${ends.join()}`;
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const arranged = arrange(widths, ends, height);
  kept.set(key, arranged);
  return arranged;
}

/** For each piece, the ends of the edges that no layout has, and that connect it with itself or with an earlier piece. */
function looseOf(pieces: readonly Piece[], count: number, edges: Int32Array): number[][] {
  const pieceOf = new Int32Array(count);
  const laidOut = new Uint8Array(edges.length / 2);
  pieces.forEach(({ boxes, edges: inside }, piece) => {
    for (const box of boxes) pieceOf[box] = piece;
    for (const edge of inside) laidOut[edge] = 1;
  });
  const loose = pieces.map((): number[] => []);
  for (let i = 0; i < edges.length; i += 2) {
    const [from, to] = [edges[i]!, edges[i + 1]!];
    if (!laidOut[i / 2] && from !== to) loose[Math.max(pieceOf[from]!, pieceOf[to]!)]!.push(from, to);
  }
  return loose;
}

/** How far a piece moves to the side, so that most of the edges from above come straight down. */
function shiftOf(boxes: readonly number[], loose: readonly number[], middles: Float32Array): number {
  const own = new Set(boxes);
  const shifts: number[] = [];
  for (let i = 0; i < loose.length; i += 2) {
    const [from, to] = [loose[i]!, loose[i + 1]!];
    if (own.has(to) && !own.has(from)) shifts.push(middles[2 * from]! - middles[2 * to]!);
  }
  const shift = shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0;
  return Math.min(Math.max(shift, -FARTHEST), FARTHEST);
}

function moved(lines: readonly number[], left: number, top: number): Float32Array {
  const out = Float32Array.from(lines);
  for (let i = 0; i < out.length; ) {
    const end = i + 1 + 2 * out[i]!;
    for (i++; i < end; i += 2) {
      out[i]! += left;
      out[i + 1]! += top;
    }
  }
  return out;
}
