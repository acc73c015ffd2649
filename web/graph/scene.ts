/** The part of a graph that has been laid out. It finds boxes by point and by node. */
import { HEIGHT, type Box, type Drawing } from './boxes.js';
import type { Placed } from './protocol.js';

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class Scene {
  readonly pieces: Placed[] = [];
  /** The middle of each box: x, y. NaN until it is laid out. */
  readonly middles: Float32Array;
  placed = 0;
  #area: Area = { left: 0, top: 0, right: 0, bottom: 0 };

  constructor(readonly drawing: Drawing) {
    this.middles = new Float32Array(2 * drawing.boxes.length).fill(NaN);
  }

  /** The area of all pieces that are laid out. */
  get area(): Area {
    return this.#area;
  }

  get isWhole(): boolean {
    return this.placed === this.drawing.boxes.length;
  }

  add(piece: Placed): void {
    piece.boxes.forEach((box, i) => this.middles.set(piece.middles.subarray(2 * i, 2 * i + 2), 2 * box));
    const { left, top, right, bottom } = this.#area;
    this.#area = this.pieces.length === 0 ? piece : {
      left: Math.min(left, piece.left), top: Math.min(top, piece.top), right: Math.max(right, piece.right), bottom: Math.max(bottom, piece.bottom),
    };
    this.pieces.push(piece);
    this.placed += piece.boxes.length;
  }

  box(index: number): Box {
    return this.drawing.boxes[index]!;
  }

  /** The middle of the box of a node; undefined while it is not laid out. */
  middleOf(key: string): readonly [x: number, y: number] | undefined {
    const box = this.drawing.at.get(key);
    if (box === undefined) return undefined;
    const [x, y] = [this.middles[2 * box]!, this.middles[2 * box + 1]!];
    return Number.isNaN(x) ? undefined : [x, y];
  }

  /** The area of the topmost box, of several the one nearest to `x`; undefined as long as nothing is laid out. */
  firstBox(x: number): Area | undefined {
    const boxes = Array.from(this.pieces[0]?.boxes ?? [], (index) => ({ x: this.middles[2 * index]!, y: this.middles[2 * index + 1]!, half: this.box(index).width / 2 }));
    const top = Math.min(...boxes.map(({ y }) => y));
    const [first] = boxes.filter(({ y }) => y - top < HEIGHT / 2).sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x));
    return first && { left: first.x - first.half, right: first.x + first.half, top: first.y - HEIGHT / 2, bottom: first.y + HEIGHT / 2 };
  }

  piecesIn({ top, bottom, left, right }: Area): Placed[] {
    return this.pieces.filter((piece) => piece.bottom >= top && piece.top <= bottom && piece.right >= left && piece.left <= right);
  }

  /** The box at a point. */
  at(x: number, y: number): Box | undefined {
    for (const { boxes } of this.piecesIn({ left: x, right: x, top: y, bottom: y }))
      for (const box of boxes)
        if (Math.abs(this.middles[2 * box]! - x) <= this.box(box).width / 2 && Math.abs(this.middles[2 * box + 1]! - y) <= HEIGHT / 2) return this.box(box);
    return undefined;
  }
}
