/** How graphs are laid out in pieces. */
import { describe, expect, it, vi } from 'vitest';

import type { Box } from '../../web/graph/boxes.js';
import { Camera } from '../../web/graph/camera.js';
import { piecesOf } from '../../web/graph/pieces.js';
import { Scene } from '../../web/graph/scene.js';
import { placedPieces } from '../../web/graph/stack.js';

const pairs = (...edges: readonly (readonly [number, number])[]) => Int32Array.from(edges.flat());
const chain = (count: number) => pairs(...Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const));

it.each([[390, 330], [320, 130], [200, 90]])('the first box of a wide graph is whole in a view of %i by %i pixels', (width, height) => {
  // One box that many others read: it stands far from most of them.
  const edges = pairs(...Array.from({ length: 30 }, (_, i) => [0, i + 1] as const), ...Array.from({ length: 6 }, (_, i) => [31, i + 20] as const));
  const boxes = Array.from({ length: 32 }, () => ({ width: 120 }) as Box);
  const scene = new Scene({ boxes, at: new Map(), edges });
  for (const piece of placedPieces(Int32Array.from(boxes, ({ width }) => width), edges, 44)) scene.add(piece);
  const camera = Object.assign(new Camera(), { width, height });
  camera.fit(scene.area, 0.8);
  camera.face(scene.pieces[0]!.middles);
  const first = scene.firstBox(camera.x)!;
  camera.include(first);
  const { left, right, top, bottom } = camera.area;
  expect([first.left >= left, first.right <= right, first.top >= top, first.bottom <= bottom]).toEqual([true, true, true, true]);
});

describe('pieces', () => {
  it('have all boxes once, producers first, and few of them', () => {
    const pieces = piecesOf(1000, chain(1000));
    expect(pieces.flatMap(({ boxes }) => boxes)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(Math.max(...pieces.map(({ boxes }) => boxes.length))).toBeLessThanOrEqual(48);
  });

  it('end between blocks', () => {
    // Blocks of 25: the first box is read by all others, which the last one reads.
    const edges = Array.from({ length: 4 }, (_, block) => block * 25).flatMap((first) => [
      ...Array.from({ length: 23 }, (_, i) => [first, first + i + 1] as const), ...Array.from({ length: 23 }, (_, i) => [first + i + 1, first + 24] as const),
      ...(first < 75 ? [[first + 24, first + 25] as const] : [])]);
    expect(piecesOf(100, pairs(...edges)).map(({ boxes }) => boxes.length)).toEqual([25, 25, 25, 25]);
  });

  it('of a cycle, of a box that reads itself and of no graph at all end', () => {
    expect(piecesOf(3, pairs([0, 1], [1, 2], [2, 0])).flatMap(({ boxes }) => [...boxes].sort())).toEqual([0, 1, 2]);
    expect(piecesOf(1, pairs([0, 0]))).toEqual([{ boxes: [0], edges: [] }]);
    expect(piecesOf(0, pairs())).toEqual([]);
  });

  it('leave out the longest edges where there are too many', () => {
    const dense = Array.from({ length: 40 }, (_, to) => Array.from({ length: to }, (_, from) => [from, to] as const)).flat();
    const { edges } = piecesOf(40, pairs(...dense))[0]!;
    expect(edges.length).toBeGreaterThanOrEqual(39);
    expect(edges.reduce((sum, edge) => sum + dense[edge]![1] - dense[edge]![0], 0)).toBeLessThanOrEqual(400);
  });
});

describe('a layout', () => {
  it('has each box below what it reads, and no two in one place', () => {
    const edges = pairs([0, 1], [0, 2], [1, 3], [2, 3], ...Array.from({ length: 300 }, (_, i) => [i + 3, i + 4] as const), [0, 200]);
    const middles = new Float32Array(2 * 304);
    let lines = 0;
    let loose = 0;
    for (const piece of placedPieces(new Int32Array(304).fill(96), edges, 44)) {
      piece.boxes.forEach((box, i) => middles.set(piece.middles.subarray(2 * i, 2 * i + 2), 2 * box));
      loose += piece.loose.length / 2;
      for (let i = 0; i < piece.lines.length; i += 1 + 2 * piece.lines[i]!) lines++;
    }
    expect(lines + loose).toBe(edges.length / 2);
    for (let i = 0; i < edges.length; i += 2) expect(middles[2 * edges[i]! + 1]!).toBeLessThan(middles[2 * edges[i + 1]! + 1]!);
    expect(new Set(Array.from({ length: 304 }, (_, box) => `${middles[2 * box]} ${middles[2 * box + 1]}`)).size).toBe(304);
  });

  it('that the library gives up is a column', async () => {
    vi.resetModules();
    vi.doMock('@dagrejs/dagre', async (original) => ({ ...(await original<object>()), layout: () => { throw new RangeError('stack'); } }));
    const { arrange } = await import('../../web/graph/arrange.js');
    const { middles, lines } = arrange([96, 120], [0, 1], 44);
    expect([...middles]).toEqual([60, 22, 60, 106]);
    expect(lines).toEqual([]);
  });
});

describe('the view', () => {
  it('begins at the boxes at the top, wherever the middle of the drawing is', () => {
    const camera = new Camera();
    [camera.width, camera.height] = [400, 300];
    camera.fit({ left: 0, right: 4000, top: 0, bottom: 4000 }, 0.6);
    const [column, many] = [[0, 100, 200, 300], Array.from({ length: 40 }, (_, i) => 2000 + 50 * i)];
    camera.face(Float32Array.from([...column.flatMap((y) => [80, y]), ...many.flatMap((x) => [x, 3000])]));
    expect(camera.x).toBe(80);
    camera.face(Float32Array.of(5, 3000));
    expect(camera.x).toBe(80);
  });
});
