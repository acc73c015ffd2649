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
