// Makes the declarations of the package smaller: those that no type of its entries refers to are left out, because editors never read them.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const DECLARATIONS = /\.d\.[cm]?ts$/;

/** Indents the declarations in `dist` by one blank, and writes an `.npmignore` with those to leave out. */
export function trimTypes(root, dist) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = new Set();
  const entries = pathsIn(exports).map((path) => join(root, declarationsOf(path)));
  for (const entry of entries.filter((path) => DECLARATIONS.test(path) && existsSync(path))) collect(entry, needed);
  const all = readdirSync(dist, { recursive: true }).filter((name) => DECLARATIONS.test(name));
  for (const name of all) writeFileSync(join(dist, name), readFileSync(join(dist, name), 'utf8').replace(/^ +/gm, (indent) => ' '.repeat(Math.ceil(indent.length / 4))));
  const others = all.filter((name) => !needed.has(join(dist, name)));
  writeFileSync(join(dist, '.npmignore'), others.sort().map((name) => `/${name}\n`).join(''));
}

const pathsIn = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry ?? {}).flatMap(pathsIn));

/** The path of a module's declarations, which are beside it. */
const declarationsOf = (path) => path.replace(/\.([cm]?)js$/, '.d.$1ts');

/** The file and all that it imports, in whatever way. */
function collect(path, needed) {
  if (needed.has(path)) return;
  needed.add(path);
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
    const found = join(dirname(path), declarationsOf(specifier));
    if (!existsSync(found)) throw new Error(`${relative('.', path)} imports types of ${specifier}, which has none`);
    collect(found, needed);
  }
}
