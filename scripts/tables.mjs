// The product's tables, printed by its program mo_tables (tables.cpp): options, errors, transforms, operators of each
// framework, operations. Scripts read these and never C++.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The tables as they stand: builds the program, in the preset `native`, or `wasm` for what must do without a native build. */
export function readTables(preset = 'native') {
  execFileSync('scripts/build.sh', [preset, 'mo_tables'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [program, ...args] = preset === 'wasm' ? [process.execPath, join(root, 'build/wasm/mo_tables.cjs')] : [join(root, 'build', preset, 'mo_tables')];
  // Into a file: output of the WebAssembly program to a full pipe would be lost.
  const folder = mkdtempSync(join(tmpdir(), 'mo-tables-'));
  const path = join(folder, 'tables.json');
  try {
    const file = openSync(path, 'w');
    execFileSync(program, args, { stdio: ['ignore', file, 'inherit'] });
    closeSync(file);
    return JSON.parse(readFileSync(path, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
