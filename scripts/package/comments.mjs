// Removes the comments of the package's modules, a seventh of their text. Editors show those of the types.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** Comments that bundlers read. */
const FOR_TOOLS = /^\s*(webpackIgnore|turbopackIgnore|@vite-ignore)\b/;

/** Takes the comments out of all scripts in the folder and below. */
export function removeComments(folder) {
  for (const entry of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const path = join(folder, entry);
    writeFileSync(path, withoutComments(entry, readFileSync(path, 'utf8')));
  }
}

/** A line that has only comments is removed. */
function withoutComments(name, text) {
  const { program, comments, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  let out = '';
  let from = 0;
  const isNeeded = ({ start, value }) => start === program.hashbang?.start || FOR_TOOLS.test(value);
  for (const { start, end } of comments.filter((comment) => !isNeeded(comment))) {
    out += text.slice(from, start);
    const indented = out.trimEnd().length;
    const isAlone = text[end] === '\n' && (indented === 0 || out.slice(indented).includes('\n'));
    if (isAlone) out = out.slice(0, out.lastIndexOf('\n') + 1);
    from = isAlone ? end + 1 : end;
  }
  return out + text.slice(from);
}
