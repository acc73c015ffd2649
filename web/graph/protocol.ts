/** The messages between the view and its worker. */
import type { Trace } from '@mo/wasm/report';
import type { Report } from '@mo/wasm';

export type Request =
  /** Another request for a layout ends this one. */
  | { readonly kind: 'layout'; readonly id: number; readonly widths: Int32Array; readonly edges: Int32Array; readonly height: number }
  | { readonly kind: 'origins'; readonly trace: Trace; readonly result: Report };

/** A piece of a layout, below those before it. */
export interface Placed {
  /** Numbers of boxes, and the middle of each: x, y. */
  readonly boxes: Int32Array;
  readonly middles: Float32Array;
  /** Edges between boxes of the piece, as lines: the number of points, then their x, y. */
  readonly lines: Float32Array;
  /** The two ends of each edge that is not laid out, and that connects this piece with itself or with an earlier one. */
  readonly loose: Int32Array;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Reply =
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Placed }
  | { readonly kind: 'end'; readonly id: number }
  /** For each node of the model its graph and id, and the layers of the IR that it became. */
  | { readonly kind: 'origins'; readonly origins: readonly Origin[] };

export type Origin = readonly [graph: string, id: number, layers: readonly (readonly [graph: string, layer: number])[]];
