// npm run convert: sets up, builds the native converter and converts the sample; npm run convert -- MODEL [options]
// converts yours, with the options of `mo`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { makeSample } from './make-sample.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

// The build's output goes to stderr, because stdout is the converter's.
run(join(root, 'scripts/build.sh'), ['native', 'mo'], { stdio: ['inherit', 2, 2] });
const mo = join(root, 'build/native/mo');
const given = process.argv.slice(2);
if (given.length > 0) {
  // npm changes to the package's folder; paths are relative to the folder of the call.
  run(mo, given, { cwd: process.env.INIT_CWD ?? process.cwd() });
} else {
  const folder = join(root, 'build/sample');
  const model = makeSample(folder);
  run(mo, [model, '--output_dir', folder]);
  console.log(`\nThe sample ${model} was converted:\n  ${join(folder, 'sample.xml')}\n  ${join(folder, 'sample.bin')}`);
}
