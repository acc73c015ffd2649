// The product's tables, printed by its programs mo_tables and mo_transforms (tables.cpp, transforms.cpp). Scripts read
// these and never C++.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The build that has the programs. Daily work has another one: `MO_PRESET=dev`. */
const preset = process.env.MO_PRESET ?? 'native';

/** What a program of the build prints, which is built first. */
export function printedBy(program, ...words) {
  execFileSync('scripts/build.sh', [preset, program], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return execFileSync(join(root, 'build', preset, program), words, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Each program is built and run once in a process. */
const printed = new Map();

function read(program) {
  if (!printed.has(program)) printed.set(program, JSON.parse(printedBy(program)));
  return printed.get(program);
}

/** The .def files except transforms.def: options, errors, operators, contracts. Takes seconds on a fresh clone. */
export const readTables = () => read('mo_tables');
/** The same with the rows of the toy formats. */
export const readToyTables = () => read('mo_toy_tables');

/** All transforms, with what decompositions replace. Needs the whole core. */
export const readTransforms = () => read('mo_transforms').transforms;
