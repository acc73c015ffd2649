// The icons of the installed app, made from web/icon.svg.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Systems cut a maskable icon to shapes that all contain a circle of 80 % of its width. */
const SAFE = 0.8;

/** Name, purpose and size in pixels. */
export const ICONS = [
  ['icon-192.png', 'any', 192],
  ['icon-512.png', 'any', 512],
  ['maskable-192.png', 'maskable', 192],
  ['maskable-512.png', 'maskable', 512],
];

/** The files' contents by their names. `path` is that of the SVG. */
export async function drawIcons(path) {
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const svg = readFileSync(path, 'utf8');
  const whole = maskable(svg);
  return new Map(ICONS.map(([name, purpose, size]) => [name, draw(purpose === 'any' ? svg : whole, size)]));
}

function draw(svg, size) {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}

/** The drawing in the middle of a square of its background colour, which it stands on without corners. */
function maskable(svg) {
  const [, width, height, corner, colour] = /<rect width="(\d+)" height="(\d+)" rx="(\d+)" fill="(#\w+)"\/>/.exec(svg) ?? [];
  if (!corner) throw new Error('web/icon.svg does not begin with a square that has round corners');
  const margin = (1 - SAFE) / 2;
  return svg
    .replace(/<rect [^>]*>/, `<rect width="${width}" height="${height}" fill="${colour}"/><g transform="translate(${width * margin} ${height * margin}) scale(${SAFE})">`)
    .replace('</svg>', '</g></svg>');
}
