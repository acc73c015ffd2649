// The product's tables, printed by its programs mo_tables and mo_transforms (tables.cpp, transforms.cpp). Scripts read
// these and never C++.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function read(program) {
  execFileSync('scripts/build.sh', ['native', program], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return JSON.parse(execFileSync(join(root, 'build/native', program), { encoding: 'utf8', maxBuffer: 1 << 28 }));
}

/** The .def files except transforms.def: options, errors, operators, contracts. Takes seconds on a fresh clone. */
export const readTables = () => read('mo_tables');

/** All transforms, with what decompositions replace. Needs the whole core. */
export const readTransforms = () => read('mo_transforms').transforms;
