// The sources of generated documents, and the format of tables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTables, readTransforms } from '../tables.mjs';
import { anchorOf } from './anchor.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const read = (path) => readFileSync(join(root, path), 'utf8');

/** The product's tables: scripts/tables.mjs. */
export const tables = { ...readTables(), transforms: readTransforms() };

/** The groups of the options, in the order of the documents. */
export const GROUPS = [
  ['Agnostic', 'For every framework'],
  ['Tf', 'For TensorFlow'],
  ['Caffe', 'For Caffe'],
  ['Mxnet', 'For MXNet'],
  ['Kaldi', 'For Kaldi'],
  ['Former', 'Of earlier releases of Model Optimizer'],
  ['Own', 'Not in Model Optimizer'],
];

/** The lines of a text file as lists of their columns. */
export const lines = (path) => read(path).trimEnd().split('\n').map((line) => line.split('\t'));

export const table = (head, body) => [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')).join('\n');
/** Links to headings of the same page. */
export const contents = (headings) => `Contents: ${headings.map((heading) => `[${heading}](#${anchorOf(heading)})`).join(' · ')}`;

/** A long table as one for each first letter, behind their list. */
export function tablesByLetter(head, rows) {
  const letterOf = ([name]) => /\p{L}/u.exec(name)[0].toUpperCase();
  const letters = [...new Set(rows.map(letterOf))].sort();
  return [contents(letters), ...letters.map((letter) => `## ${letter}\n\n${table(head, rows.filter((row) => letterOf(row) === letter))}`)].join('\n\n');
}

export const escape = (text) => text.replaceAll('|', '\\|');
export const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
