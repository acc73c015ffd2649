/** Cuts a graph into pieces that are laid out one by one: layouts of whole graphs take too long and too much stack. */

/** A piece has FEWEST to MOST boxes. It ends where the fewest edges cross, which is between blocks. */
const FEWEST = 12;
const MOST = 48;
/**
 * The edges of a piece that are laid out have at most this length in all, and the longest are left out: dagre puts a dummy on each layer
 * that an edge passes.
 */
const SPAN = 400;

export interface Piece {
  /** Numbers of boxes, producers before their readers. */
  readonly boxes: readonly number[];
  /** Numbers of the edges between them that are laid out. */
  readonly edges: readonly number[];
}

/** `edges` has the two ends of each, one after the other. */
export function piecesOf(count: number, edges: Int32Array): Piece[] {
  const order = orderOf(count, edges);
  const places = new Int32Array(count);
  order.forEach((box, place) => (places[box] = place));
  const starts = cuts(places, edges);
  const pieceAt = new Int32Array(count);
  starts.forEach((start, piece) => pieceAt.fill(piece, start));
  const inside = starts.map((): number[] => []);
  const span = (edge: number) => places[edges[2 * edge + 1]!]! - places[edges[2 * edge]!]!;
  for (let edge = 0; edge < edges.length / 2; edge++) {
    const piece = pieceAt[places[edges[2 * edge]!]!]!;
    if (piece === pieceAt[places[edges[2 * edge + 1]!]!] && span(edge) > 0) inside[piece]!.push(edge);
  }
  return starts.map((start, piece) => ({ boxes: order.slice(start, starts[piece + 1] ?? count), edges: shortest(inside[piece]!, span) }));
}

/**
 * Puts each box right behind what it reads, so that what belongs together stays together. Boxes without edges come last. A cycle is cut
 * where it is found.
 */
function orderOf(count: number, edges: Int32Array): number[] {
  const [producers, readers] = [neighbours(count, edges, 1), neighbours(count, edges, 0)];
  const order: number[] = [];
  const seen = new Uint8Array(count);
  const visit = (first: number) => {
    const path = [first];
    const next = [0];
    seen[first] = 1;
    while (path.length > 0) {
      const box = path.at(-1)!;
      const producer = producers(box, next[next.length - 1]!++);
      if (producer === undefined) {
        order.push(box);
        path.pop();
        next.pop();
      } else if (!seen[producer]) {
        seen[producer] = 1;
        path.push(producer);
        next.push(0);
      }
    }
  };
  for (let box = 0; box < count; box++) if (readers(box, 0) === undefined && producers(box, 0) !== undefined) visit(box);
  for (let box = 0; box < count; box++) if (!seen[box]) visit(box);
  return order;
}

/** The boxes at the other ends of a box's edges. `end` says at which end the box itself is. */
function neighbours(count: number, edges: Int32Array, end: 0 | 1): (box: number, index: number) => number | undefined {
  const first = new Int32Array(count + 1);
  for (let i = end; i < edges.length; i += 2) first[edges[i]! + 1]!++;
  for (let box = 0; box < count; box++) first[box + 1]! += first[box]!;
  const next = first.slice();
  const others = new Int32Array(edges.length / 2);
  for (let i = end; i < edges.length; i += 2) others[next[edges[i]!]!++] = edges[i ^ 1]!;
  return (box, index) => (first[box]! + index < first[box + 1]! ? others[first[box]! + index] : undefined);
}

/** The places where pieces begin. */
function cuts(places: Int32Array, edges: Int32Array): number[] {
  const count = places.length;
  const crossing = new Int32Array(count + 1);
  for (let i = 0; i < edges.length; i += 2) {
    const [from, to] = [places[edges[i]!]!, places[edges[i + 1]!]!];
    crossing[Math.min(from, to) + 1]!++;
    crossing[Math.max(from, to) + 1]!--;
  }
  for (let place = 0; place < count; place++) crossing[place + 1]! += crossing[place]!;
  const starts = count > 0 ? [0] : [];
  for (let start = 0; count - start > MOST; starts.push(start)) {
    let best = start + MOST;
    for (let place = best; place >= start + FEWEST; place--) if (crossing[place]! < crossing[best]!) best = place;
    start = best;
  }
  return starts;
}

function shortest(edges: readonly number[], span: (edge: number) => number): number[] {
  let left = SPAN;
  return [...edges].sort((a, b) => span(a) - span(b)).filter((edge) => (left -= span(edge)) >= 0).sort((a, b) => a - b);
}
