import { FONTS } from './paint.js';

/**
 * The widths of texts as sums over their letters. Each letter is measured once: measuring whole texts would take most of the time in which
 * the view opens.
 */
export class Letters {
  readonly #widths = { title: new Map<string, number>(), name: new Map<string, number>() };

  constructor(private readonly canvas: CanvasRenderingContext2D) {}

  widthOf(text: string, font: keyof typeof FONTS): number {
    const widths = this.#widths[font];
    let sum = 0;
    for (const letter of text) {
      let width = widths.get(letter);
      if (width === undefined) {
        this.canvas.font = FONTS[font];
        widths.set(letter, (width = this.canvas.measureText(letter).width));
      }
      sum += width;
    }
    return sum;
  }
}
