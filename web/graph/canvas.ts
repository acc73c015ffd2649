/** A graph on a canvas: laid out in a worker, drawn where it is in view. */
import { boxesOf, type Drawing } from './boxes.js';
import { Camera } from './camera.js';
import { setText } from '../page/dom.js';
import { t, type LiveText } from '../language/texts.js';
import { readPalette, type Palette } from './colours.js';
import { acceptGestures } from './gestures.js';
import { Letters } from './letters.js';
import { paint, type Marks } from './paint.js';
import { Scene } from './scene.js';
import type { State } from './states.js';
import type { Layouts } from './workers.js';

/** A graph whose boxes would be smaller than this shows its beginning instead of all. */
const SMALLEST_FIT = 0.8;
/** `first` waits for so many boxes, or for all. */
const FIRST = 200;

export class GraphCanvas {
  readonly element: HTMLCanvasElement;
  readonly camera = new Camera();
  readonly #context: CanvasRenderingContext2D;
  /** Resolves when the first boxes are drawn. */
  readonly first: Promise<void>;
  readonly #sizes = new ResizeObserver(() => this.#resize());
  readonly #letters: Letters;
  #scene = new Scene({ boxes: [], at: new Map(), edges: new Int32Array() });
  #marks: Marks = { selected: undefined, linked: new Set() };
  #palette: Palette | undefined;
  #frame = 0;
  /** The node that comes to the middle as soon as it is laid out. */
  #wanted: string | undefined;
  #touched = false;
  readonly #noted = new Set<string>();
  #onFirst = () => {};

  /** `name` is a part of the names of two performance marks: when the first boxes of this canvas were drawn, and when all were. */
  constructor(label: LiveText, private readonly name: string, private readonly layouts: Layouts, onPress: (key: string | undefined) => void) {
    this.element = document.createElement('canvas');
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'application');
    setText(this.element, 'aria-roledescription', t('drawing'));
    setText(this.element, 'aria-label', t('{graph}: arrow keys move, plus and minus zoom, 0 fits. The list of nodes has the same content as text.', { graph: label }));
    this.#context = this.element.getContext('2d')!;
    this.#letters = new Letters(this.#context);
    this.#sizes.observe(this.element);
    this.first = new Promise((resolve) => (this.#onFirst = resolve));
    acceptGestures(this.element, {
      camera: this.camera,
      moved: () => this.moved(),
      pressed: (x, y) => onPress(this.#scene.at(x, y)?.node.key),
      fit: () => this.fit(),
    });
  }

  /** Lays out a graph of the state. `keep` leaves the view where it is. */
  show(state: State, graph: string, constants: boolean, keep: boolean): Drawing {
    const drawing = boxesOf(state, { graph, constants, measure: (text, font) => this.#letters.widthOf(text, font) });
    const scene = new Scene(drawing);
    this.#touched = keep && this.#scene.placed > 0;
    this.#scene = scene;
    this.layouts.begin(drawing, (piece) => {
      if (piece) scene.add(piece);
      if (scene.pieces.length === 1 || (!piece && !this.#touched)) this.#begin(!piece);
      else if (!piece) this.camera.keep(scene.area);
      this.#reach();
      this.redraw();
    });
    this.redraw();
    return drawing;
  }

  mark(selected: string | undefined, linked: readonly string[]): void {
    this.#marks = { selected, linked: new Set(linked) };
    this.redraw();
  }

  centre(key: string): void {
    this.#wanted = key;
    this.#reach();
    this.redraw();
  }

  fit(): void {
    this.camera.fit(this.#scene.area, 0);
    this.moved();
  }

  /** The user has moved the view: it stays there. */
  moved(): void {
    this.#touched = true;
    this.#wanted = undefined;
    this.camera.keep(this.#scene.area);
    this.redraw();
  }

  /** Reads the colours again, which may have changed. */
  recolour(): void {
    this.#palette = undefined;
    this.redraw();
  }

  end(): void {
    this.#sizes.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  redraw(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#palette ??= readPalette(this.element.parentElement!);
      paint(this.#context, this.#scene, this.camera, this.#palette, this.#marks);
      this.#note();
    });
  }

  #begin(isWhole: boolean): void {
    if (this.#touched) return;
    const [first] = this.#scene.pieces;
    const { area } = this.#scene;
    this.camera.fit(isWhole ? area : first ?? area, SMALLEST_FIT);
    if (first && area.bottom > this.camera.area.bottom) this.camera.face(first.middles);
    const begin = this.#scene.firstBox(this.camera.x);
    if (begin) this.camera.include(begin);
  }

  #reach(): void {
    const middle = this.#wanted === undefined ? undefined : this.#scene.middleOf(this.#wanted);
    if (!middle) return;
    [this.camera.x, this.camera.y] = middle;
    this.camera.scale = Math.max(this.camera.scale, SMALLEST_FIT);
    this.camera.fill(this.#scene.area);
    this.#touched = true;
    this.#wanted = undefined;
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.element;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    Object.assign(this.element, { width: Math.max(1, Math.round(clientWidth * ratio)), height: Math.max(1, Math.round(clientHeight * ratio)) });
    Object.assign(this.camera, { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) });
    if (!this.#touched) this.#begin(this.#scene.isWhole);
    this.redraw();
  }

  #note(): void {
    const { placed, isWhole } = this.#scene;
    const note = (what: string) => {
      if (this.#noted.has(what)) return;
      this.#noted.add(what);
      performance.mark(`mo-graph-${this.name}-${what}`);
    };
    if (placed >= FIRST || isWhole) {
      note('first');
      this.#onFirst();
    }
    if (isWhole) note('all');
  }
}
