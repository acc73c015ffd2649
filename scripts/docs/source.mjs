// What the documents are generated from, and how tables are written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const read = (path) => readFileSync(join(root, path), 'utf8');

/** The rows `MACRO(…)` of a .def file as lists of their arguments; texts lose their quotes. */
export function rows(path, ...macros) {
  const pattern = new RegExp(`^(${macros.join('|')})\\((.*)\\)`, 'gm');
  return [...read(path).matchAll(pattern)].map(([, macro, text]) => [
    macro,
    ...[...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s,"][^,"]*/g)].map(([whole, quoted]) => quoted ?? whole.trim()),
  ]);
}
/** The lines of a text file as lists of their columns. */
export const lines = (path) => read(path).trimEnd().split('\n').map((line) => line.split('\t'));

export const table = (head, body) => [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')).join('\n');
export const escape = (text) => text.replaceAll('|', '\\|');
export const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
