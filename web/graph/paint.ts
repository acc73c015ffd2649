/** Draws the part of a scene that is in view. */
import { HEIGHT, type Box } from './boxes.js';
import type { Camera } from './camera.js';
import { kindOf, type Palette } from './colours.js';
import type { Area, Scene } from './scene.js';
import type { Change } from './states.js';
import { safeText } from '../language/shown.js';

export interface Marks {
  readonly selected: string | undefined;
  /** The nodes to which the selected node of the other graph is linked. */
  readonly linked: ReadonlySet<string>;
}

/** Texts and arrows are drawn from this size on. */
const LEGIBLE = 0.4;
const RADIUS = 7;
const SIGNS: Record<Change, string> = { added: '+', removed: '−', changed: '~', wrong: '!' };
export const FONTS = { title: '600 13px system-ui, sans-serif', name: '12px system-ui, sans-serif' };

export function paint(canvas: CanvasRenderingContext2D, scene: Scene, camera: Camera, palette: Palette, marks: Marks): void {
  const { scale, area, width, height } = camera;
  const ratio = canvas.canvas.width / width;
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  canvas.fillStyle = palette.paper;
  canvas.fillRect(0, 0, width, height);
  canvas.setTransform(ratio * scale, 0, 0, ratio * scale, -area.left * scale * ratio, -area.top * scale * ratio);
  canvas.lineWidth = Math.max(1.25, 0.6 / scale);
  canvas.strokeStyle = palette.edge;
  canvas.fillStyle = palette.edge;
  lines(canvas, scene, area, scale >= LEGIBLE);
  const marked = new Set([...marks.linked].flatMap((key) => scene.drawing.at.get(key) ?? []));
  const selected = marks.selected === undefined ? undefined : scene.drawing.at.get(marks.selected);
  canvas.textAlign = 'center';
  for (const piece of scene.piecesIn(area))
    for (const index of piece.boxes) {
      const box = scene.box(index);
      const [x, y] = [scene.middles[2 * index]!, scene.middles[2 * index + 1]!];
      if (Math.abs(y - camera.y) > HEIGHT + height / 2 / scale || Math.abs(x - camera.x) > box.width + width / 2 / scale) continue;
      drawBox(canvas, box, x, y, scale, palette);
      if (index === selected || marked.has(index)) outline(canvas, box, x, y, scale, index === selected ? palette.focus : palette.accent, index === selected);
    }
}

function lines(canvas: CanvasRenderingContext2D, scene: Scene, area: Area, arrows: boolean): void {
  canvas.beginPath();
  const ends: number[] = [];
  for (const { lines } of scene.piecesIn(area))
    for (let i = 0; i < lines.length; ) {
      const points = lines[i]!;
      curve(canvas, lines, i + 1, points);
      i += 1 + 2 * points;
      ends.push(lines[i - 4]!, lines[i - 3]!, lines[i - 2]!, lines[i - 1]!);
    }
  for (const { loose } of scene.pieces)
    for (let i = 0; i < loose.length; i += 2) between(canvas, scene, loose[i]!, loose[i + 1]!, area, ends);
  canvas.stroke();
  if (!arrows) return;
  canvas.beginPath();
  for (let i = 0; i < ends.length; i += 4) arrow(canvas, ends[i]!, ends[i + 1]!, ends[i + 2]!, ends[i + 3]!);
  canvas.fill();
}

/** Through the middles between points, so that bends are round. */
function curve(canvas: CanvasRenderingContext2D, points: Float32Array, at: number, count: number): void {
  canvas.moveTo(points[at]!, points[at + 1]!);
  for (let i = 1; i < count - 1; i++) {
    const [x, y] = [points[at + 2 * i]!, points[at + 2 * i + 1]!];
    const [nextX, nextY] = [points[at + 2 * i + 2]!, points[at + 2 * i + 3]!];
    const isLast = i === count - 2;
    canvas.quadraticCurveTo(x, y, isLast ? nextX : (x + nextX) / 2, isLast ? nextY : (y + nextY) / 2);
  }
  if (count === 2) canvas.lineTo(points[at + 2]!, points[at + 3]!);
}

/** Draws an edge for which there is no layout: from the lower side of a box to the upper side of the other. A long vertical one makes a bend, so that it does not cross the boxes between. */
function between(canvas: CanvasRenderingContext2D, scene: Scene, from: number, to: number, area: Area, ends: number[]): void {
  const { middles } = scene;
  const [x, y] = [middles[2 * from]!, middles[2 * from + 1]! + HEIGHT / 2];
  const [toX, toY] = [middles[2 * to]!, middles[2 * to + 1]! - HEIGHT / 2];
  if (Math.max(y, toY) < area.top || Math.min(y, toY) > area.bottom) return;
  const bend = Math.min(Math.abs(toY - y) / 2, 120);
  const aside = Math.abs(toY - y) > 2 * HEIGHT && Math.abs(toX - x) < 80 ? 140 : 0;
  canvas.moveTo(x, y);
  canvas.bezierCurveTo(x - aside, y + bend, toX - aside, toY - bend, toX, toY);
  ends.push(toX, toY - 8, toX, toY);
}

function arrow(canvas: CanvasRenderingContext2D, fromX: number, fromY: number, x: number, y: number): void {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
  canvas.moveTo(x, y);
  canvas.lineTo(x - 8 * dx - 3.5 * dy, y - 8 * dy + 3.5 * dx);
  canvas.lineTo(x - 8 * dx + 3.5 * dy, y - 8 * dy - 3.5 * dx);
}

function drawBox(canvas: CanvasRenderingContext2D, { node, title, name, width, change }: Box, x: number, y: number, scale: number, palette: Palette): void {
  const { edge, fill } = palette.kinds[kindOf(node.op)];
  const [left, top] = [x - width / 2, y - HEIGHT / 2];
  canvas.fillStyle = fill;
  if (scale < LEGIBLE / 2) {
    canvas.fillStyle = change ? palette[change] : edge;
    canvas.fillRect(left, top, width, HEIGHT);
    return;
  }
  canvas.beginPath();
  canvas.roundRect(left, top, width, HEIGHT, RADIUS);
  canvas.fill();
  canvas.lineWidth = change ? 2.5 : 1.25;
  canvas.strokeStyle = change ? palette[change] : edge;
  canvas.setLineDash(change === 'removed' ? [6, 4] : []);
  canvas.stroke();
  canvas.setLineDash([]);
  if (scale < LEGIBLE) return;
  canvas.fillStyle = palette.ink;
  canvas.font = FONTS.title;
  canvas.fillText(safeText(title), x, name ? y - 4 : y + 5, width - 16);
  canvas.fillStyle = palette.soft;
  canvas.font = FONTS.name;
  canvas.fillText(safeText(name), x, y + 13, width - 16);
  if (change) sign(canvas, change, left, top, palette);
}

/** Each kind of change has a sign, too: colour alone does not show it to everybody. */
function sign(canvas: CanvasRenderingContext2D, change: Change, x: number, y: number, palette: Palette): void {
  canvas.fillStyle = palette[change];
  canvas.beginPath();
  canvas.arc(x + 2, y + 2, 9, 0, 2 * Math.PI);
  canvas.fill();
  canvas.fillStyle = palette.paper;
  canvas.font = FONTS.title;
  canvas.fillText(SIGNS[change], x + 2, y + 6.5);
}

function outline(canvas: CanvasRenderingContext2D, { width }: Box, x: number, y: number, scale: number, colour: string, isSelected: boolean): void {
  const gap = 4;
  canvas.strokeStyle = colour;
  canvas.lineWidth = Math.max(isSelected ? 3 : 2.5, 2 / scale);
  canvas.setLineDash(isSelected ? [] : [3, 3]);
  canvas.beginPath();
  canvas.roundRect(x - width / 2 - gap, y - HEIGHT / 2 - gap, width + 2 * gap, HEIGHT + 2 * gap, RADIUS + gap);
  canvas.stroke();
  canvas.setLineDash([]);
}
