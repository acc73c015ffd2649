/** The page for those who see little, choose their own colours, or do not see it at all. */
import { describe, expect, it } from 'vitest';

import { choose, openOptions, page, shown, usePage } from './support.js';

usePage();

const TEXT = 4.5;
const EDGES = 3;

/** An element, and the contrasts of its colour with those from which it has to stand out. */
interface Seen {
  what: string;
  ratios: number[];
}

/** Contrasts by WCAG of all texts in sight, or of the edges of all fields, with what lies behind them. */
function contrasts(of: 'texts' | 'edges'): Promise<Seen[]> {
  return page.evaluate((of) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const parse = (text: string): Colour => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      return [red!, green!, blue!, alpha! / 255];
    };
    const over = (top: Colour, alpha: number, below: Colour) =>
      [0, 1, 2].map((i) => top[i]! * alpha + below[i]! * (1 - alpha)).concat(1) as Colour;
    const lightness = (colour: Colour) => {
      const [red, green, blue] = colour.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const ratio = (a: Colour, b: Colour) => {
      const [low, high] = [lightness(a), lightness(b)].sort((x, y) => x - y);
      return (high! + 0.05) / (low! + 0.05);
    };
    const behind = (element: Element | null): Colour => {
      if (!element) return parse('Canvas');
      const colour = parse(getComputedStyle(element).backgroundColor);
      return colour[3] === 1 ? colour : over(colour, colour[3], behind(element.parentElement));
    };
    const opacity = (element: Element | null): number => (element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
    const what = (element: Element) => `${element.tagName.toLowerCase()} ${(element.getAttribute('name') ?? element.textContent)!.trim().slice(0, 40)}`;
    const inSight = (element: Element) => element.checkVisibility() && !element.closest('.unseen');
    if (of === 'edges')
      return [...document.querySelectorAll('input:not([type=checkbox], [type=file]), textarea')].filter(inSight).map((field) => {
        const edge = parse(getComputedStyle(field).borderTopColor);
        return { what: what(field), ratios: [behind(field), behind(field.parentElement)].map((colour) => ratio(over(edge, edge[3], colour), colour)) };
      });
    const hasText = (element: Element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '');
    return [...document.querySelectorAll('body *')].filter((element) => hasText(element) && inSight(element) && !element.matches(':disabled, script')).map((element) => {
      const ground = behind(element);
      const colour = parse(getComputedStyle(element).color);
      return { what: what(element), ratios: [ratio(over(colour, colour[3] * opacity(element), ground), ground)] };
    });
  }, of);
}

const tooLow = (seen: Seen[], least: number) => seen.filter(({ ratios }) => Math.min(...ratios) < least);

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('edges of fields stand out', async () => {
    await page.emulateMedia({ colorScheme });
    await openOptions();
    const edges = await contrasts('edges');
    expect(edges.map(({ what }) => what)).toContain('input input_shape');
    expect(edges.map(({ what }) => what)).toContain('textarea transformations_config');
    expect(tooLow(edges, EDGES)).toEqual([]);
  });

  it('texts can be read', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => (document.getElementById('working')!.hidden = false));
    const texts = await contrasts('texts');
    expect(texts.map(({ what }) => what)).toContain('kbd Esc');
    expect(tooLow(texts, TEXT)).toEqual([]);
    await choose('conv.onnx', 'unknown.onnx');
    await shown('failed');
    expect(tooLow(await contrasts('texts'), TEXT)).toEqual([]);
    await page.getByRole('button', { name: 'conv.onnx', exact: true }).click();
    await shown('done');
    expect(tooLow(await contrasts('texts'), TEXT)).toEqual([]);
  });
});

describe('in forced colours', () => {
  /** The colours of an element as they are on the screen, the most frequent first, with the share of each. */
  async function painted(selector: string): Promise<{ colour: string; share: number }[]> {
    const image = (await page.locator(selector).screenshot()).toString('base64');
    return page.evaluate(async (image) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
      const counts = new Map<string, number>();
      for (let i = 0; i < data.length; i += 4) {
        const colour = data.subarray(i, i + 3).join(',');
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      return [...counts].map(([colour, count]) => ({ colour, share: count / (data.length / 4) })).sort((a, b) => b.share - a.share);
    }, image);
  }

  it.each(['light', 'dark'] as const)('switches can be seen, and whether they are on (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, forcedColors: 'active', reducedMotion: 'reduce' });
    const off = await painted('[name=static_shape]');
    await page.check('[name=static_shape]');
    const on = await painted('[name=static_shape]');
    // A track and a thumb, in colours that differ.
    for (const [track, thumb] of [off, on]) {
      expect(track!.share).toBeGreaterThan(0.3);
      expect(thumb!.share).toBeGreaterThan(0.1);
    }
    expect(on[0]!.colour).not.toBe(off[0]!.colour);
  });

  it('how far a conversion is can be seen', async () => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.evaluate(() => {
      document.getElementById('working')!.hidden = false;
      (document.getElementById('bar') as HTMLProgressElement).value = 0.5;
    });
    const [one, other] = await painted('#bar');
    expect(one!.share).toBeGreaterThan(0.3);
    expect(other!.share).toBeGreaterThan(0.3);
  });
});

describe('a field that an error is about', () => {
  const marked = () => page.$$eval('#options [aria-invalid=true]', (fields) => fields.map((field) => field.getAttribute('name')));

  it('is marked, and can be seen', async () => {
    const again = page.locator('#again');
    await choose('conv.onnx');
    await shown('done');
    for (const [name, value, code] of [
      ['input_shape', '[1,2', 'MO6003'],
      ['input_shape', '[1,3,32,32],[1]', 'MO6004'],
      // The error of a node.
      ['input_shape', '[1,4,32,32]', 'MO3002'],
      ['enabled_transforms', 'NoSuchThing', 'MO4003'],
      ['disabled_transforms', 'Fusing,NoSuchThing', 'MO4003'],
      ['batch', '0', 'MO6002'],
      ['input', 'nowhere', 'MO6010'],
      ['input', 'image->', 'MO6009'],
      ['output', 'nowhere', 'MO6010'],
      ['freeze_placeholder_with_value', 'nowhere->1', 'MO6010'],
      ['transformations_config', '{}', 'MO6031'],
      ['transformations_config', '[', 'MO6030'],
    ] as const) {
      const field = page.locator(`[name=${name}]`);
      await openOptions();
      await field.fill(value);
      await openOptions(false);
      await again.click();
      await shown('failed');
      expect(await page.locator('#failed').textContent()).toContain(code);
      expect(await marked(), value).toEqual([name]);
      expect(await field.isVisible()).toBe(true);
      expect(await page.locator(`#${await field.getAttribute('aria-errormessage')}`).textContent()).toContain(code);
      await field.fill('');
      expect(await marked(), value).toEqual([]);
      await again.click();
      await shown('done');
    }
  });

  it('is the switch that asks for shapes, and the field that lacks them', async () => {
    await choose('conv.onnx');
    await shown('done');
    await page.check('[name=static_shape]');
    await page.click('#again');
    await shown('failed');
    expect(await page.locator('#failed').textContent()).toContain('MO6008');
    expect(await marked()).toEqual(['input_shape', 'static_shape']);
  });

  it('is none when the model is at fault', async () => {
    await page.fill('[name=input_shape]', '[1,8]');
    await choose('unknown.onnx');
    await shown('failed');
    expect(await marked()).toEqual([]);
  });
});

describe('landmarks', () => {
  it('hold everything that can be reached or read', async () => {
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => !element.closest('header, main, footer, [role=status], [role=alert], iframe[hidden], script'))
        .map((element) => element.outerHTML));
    expect(outside).toEqual([]);
    for (const id of ['files', 'folder']) expect(await page.locator(`main #${id}`).count()).toBe(1);
  });
});
