/** Panning and zooming by pointer, wheel and keys. */
import type { Camera } from './camera.js';

export interface Gestures {
  readonly camera: Camera;
  /** The view has moved, by the user. */
  moved(): void;
  pressed(x: number, y: number): void;
  fit(): void;
}

const STEP = 80;
const ZOOM = 1.25;
/** A press that moves less is a click. */
const SLACK = 4;
const KEYS: Readonly<Record<string, (camera: Camera) => void>> = {
  ArrowLeft: (camera) => camera.pan(-STEP, 0),
  ArrowRight: (camera) => camera.pan(STEP, 0),
  ArrowUp: (camera) => camera.pan(0, -STEP),
  ArrowDown: (camera) => camera.pan(0, STEP),
  PageUp: (camera) => camera.pan(0, -0.9 * camera.height),
  PageDown: (camera) => camera.pan(0, 0.9 * camera.height),
  '+': (camera) => camera.zoom(ZOOM),
  '=': (camera) => camera.zoom(ZOOM),
  '-': (camera) => camera.zoom(1 / ZOOM),
};

export function acceptGestures(canvas: HTMLCanvasElement, { camera, moved, pressed, fit }: Gestures): void {
  const pointers = new Map<number, PointerEvent>();
  let way = 0;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    way = pointers.size === 1 ? 0 : Infinity;
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const distance = apart([...pointers.values()]);
    pointers.set(event.pointerId, event);
    const [dx, dy] = [event.offsetX - before.offsetX, event.offsetY - before.offsetY];
    way += Math.abs(dx) + Math.abs(dy);
    camera.pan(-dx / pointers.size, -dy / pointers.size);
    if (distance > 0) camera.zoom(apart([...pointers.values()]) / distance, event.offsetX, event.offsetY);
    moved();
  });
  canvas.addEventListener('pointerup', (event) => {
    if (pointers.delete(event.pointerId) && way < SLACK) pressed(...camera.toScene(event.offsetX, event.offsetY));
  });
  canvas.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    if (event.ctrlKey || event.metaKey) camera.zoom(Math.exp((-event.deltaY * unit) / 300), event.offsetX, event.offsetY);
    else if (event.shiftKey && event.deltaX === 0) camera.pan(event.deltaY * unit, 0);
    else camera.pan(event.deltaX * unit, event.deltaY * unit);
    moved();
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '0') fit();
    else if (KEYS[event.key]) KEYS[event.key]!(camera);
    else return;
    event.preventDefault();
    moved();
  });
}

/** How far two fingers are from each other; 0 for one. */
function apart([a, b]: readonly PointerEvent[]): number {
  return a && b ? Math.hypot(a.offsetX - b.offsetX, a.offsetY - b.offsetY) : 0;
}
