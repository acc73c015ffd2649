/** Which part of a scene is in view, and how large. */
import type { Area } from './scene.js';

const SMALLEST = 0.02;
const LARGEST = 3;

export class Camera {
  /** What is in the middle of the view. */
  x = 0;
  y = 0;
  scale = 1;
  width = 1;
  height = 1;

  get area(): Area {
    const [w, h] = [this.width / 2 / this.scale, this.height / 2 / this.scale];
    return { left: this.x - w, right: this.x + w, top: this.y - h, bottom: this.y + h };
  }

  /** By pixels. */
  pan(dx: number, dy: number): void {
    this.x += dx / this.scale;
    this.y += dy / this.scale;
  }

  /** The point (x, y) of the view stays where it is. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const [before, after] = [this.scale, Math.min(Math.max(this.scale * factor, SMALLEST), LARGEST)];
    this.x += (x - this.width / 2) * (1 / before - 1 / after);
    this.y += (y - this.height / 2) * (1 / before - 1 / after);
    this.scale = after;
  }

  /** Shows the whole area, or its beginning if its boxes would become too small to be told apart. */
  fit({ left, right, top, bottom }: Area, smallest: number): void {
    const margin = 24;
    const whole = Math.min((this.width - 2 * margin) / (right - left || 1), (this.height - 2 * margin) / (bottom - top || 1), 1.1);
    this.scale = Math.max(whole, smallest);
    this.x = (left + right) / 2;
    this.y = whole >= smallest ? (top + bottom) / 2 : top + (this.height / 2 - margin) / this.scale;
  }

  /**
   * Moves sideways to the boxes between the top and the bottom of the view: a wide graph may begin far from its middle. `middles`: x, y of
   * each box.
   */
  face(middles: Float32Array): void {
    const { top, bottom } = this.area;
    const there = middles.filter((_, i) => i % 2 === 0 && middles[i + 1]! >= top && middles[i + 1]! <= bottom).toSorted();
    if (there.length > 0) this.x = there[there.length >> 1]!;
  }

  /** Moves so that all of a small area is in view. */
  include({ left, right, top, bottom }: Area): void {
    const margin = 12;
    const shifted = (from: number, to: number, size: number, at: number) => {
      const half = (size / 2 - margin) / this.scale;
      return to - from >= 2 * half ? (from + to) / 2 : Math.min(Math.max(at, to - half), from + half);
    };
    this.x = shifted(left, right, this.width, this.x);
    this.y = shifted(top, bottom, this.height, this.y);
  }

  /** Moves an area into view that lies outside of it. */
  keep({ left, right, top, bottom }: Area): void {
    const inside = (low: number, high: number, at: number) => (low > high ? (low + high) / 2 : Math.min(Math.max(at, low), high));
    const { width, height, scale } = this;
    this.x = inside(left - width / 2 / scale, right + width / 2 / scale, this.x);
    this.y = inside(top - height / 2 / scale, bottom + height / 2 / scale, this.y);
  }

  /** Moves so that no room is left empty while there is more to be seen. */
  fill({ left, right, top, bottom }: Area): void {
    const margin = 24;
    const filled = (from: number, to: number, size: number, at: number) => {
      const half = (size / 2 - margin) / this.scale;
      return to - from <= 2 * half ? (from + to) / 2 : Math.min(Math.max(at, from + half), to - half);
    };
    this.x = filled(left, right, this.width, this.x);
    this.y = filled(top, bottom, this.height, this.y);
  }

  toScene(x: number, y: number): [x: number, y: number] {
    return [this.x + (x - this.width / 2) / this.scale, this.y + (y - this.height / 2) / this.scale];
  }
}
