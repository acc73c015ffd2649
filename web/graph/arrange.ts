/** The layout of one piece, by dagre. */
import { Graph, layout } from '@dagrejs/dagre';

export interface Arranged {
  /** The middle of each box: x, y. */
  readonly middles: Float32Array;
  /** The number of points of each edge, then their x, y. */
  readonly lines: readonly number[];
  readonly width: number;
  readonly height: number;
}

const GAP = 24;
const ROWS = 40;

/** `edges` has the ends of each, as numbers of boxes in the piece. */
export function arrange(widths: readonly number[], edges: readonly number[], height: number): Arranged {
  try {
    return byDagre(widths, edges, height);
  } catch {
    return inOneColumn(widths, height);
  }
}

function byDagre(widths: readonly number[], edges: readonly number[], height: number): Arranged {
  const graph = new Graph();
  graph.setGraph({ nodesep: GAP, edgesep: GAP / 2, ranksep: ROWS, ranker: 'tight-tree' });
  widths.forEach((width, box) => graph.setNode(String(box), { width, height }));
  for (let i = 0; i < edges.length; i += 2) graph.setEdge(String(edges[i]), String(edges[i + 1]), {});
  layout(graph);
  const middles = new Float32Array(2 * widths.length);
  widths.forEach((_, box) => {
    const { x, y } = graph.node(String(box)) as { x: number; y: number };
    middles.set([x, y], 2 * box);
  });
  const lines: number[] = [];
  for (const edge of graph.edges()) {
    const { points } = graph.edge(edge) as { points: readonly { x: number; y: number }[] };
    lines.push(points.length, ...points.flatMap(({ x, y }) => [x, y]));
  }
  const { width = 0, height: whole = 0 } = graph.graph() as { width?: number; height?: number };
  return { middles, lines, width, height: whole };
}

/** For what the library cannot lay out. */
function inOneColumn(widths: readonly number[], height: number): Arranged {
  const width = Math.max(...widths);
  const middles = Float32Array.from(widths.flatMap((_, box) => [width / 2, box * (height + ROWS) + height / 2]));
  return { middles, lines: [], width, height: widths.length * (height + ROWS) - ROWS };
}
