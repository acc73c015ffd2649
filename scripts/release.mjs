// npm run release: makes the downloads in build/release/: mo for Linux (x86-64 and arm64) and for Windows, the page as one file, the
// package, and the list of their parts. With --check they are made a second time in another folder, which has to give the same files, and they are
// tested. Only the set-up fetches anything.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { noticesOfAll } from './notices.mjs';
import { ARM64, LINUX, MANUAL, PAGE, WINDOWS } from './release/components.mjs';
import { compareWithSecondBuild } from './release/second-build.mjs';
import { sbom } from './release/sbom.mjs';
import { SUMS, sums } from './release/sums.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const release = join(root, 'build/release');

/** The time of the commit is the time of everything that is made from it. */
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? output('git', 'log', '-1', '--format=%ct'));
const environment = { ...process.env, SOURCE_DATE_EPOCH: String(seconds), TZ: 'UTC', LC_ALL: 'C.UTF-8' };

function output(command, ...args) {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
}

function run(command, ...args) {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: environment });
}

function fail(sentence) {
  console.error(`release: ${sentence}`);
  process.exit(1);
}

function take(from, name) {
  copyFileSync(join(root, from), join(release, name));
  chmodSync(join(release, name), name === PAGE || name === MANUAL ? 0o644 : 0o755);
}

function make() {
  run('scripts/setup.sh', 'release');
  run('scripts/build.sh', 'native', 'mo');
  run('scripts/build.sh', 'linux-arm64', 'mo');
  run('scripts/build.sh', 'windows', 'mo');
  run('scripts/build.sh', 'page');
  if (!existsSync(join(root, 'build/mo.html'))) fail('build/mo.html is not there: the page\'s build makes it, scripts/build.sh page');
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  take('build/native/mo', LINUX);
  take('build/linux-arm64/mo', ARM64);
  take('build/windows/mo.exe', WINDOWS);
  take('build/mo.html', PAGE);
  take('docs/mo.1', MANUAL);
  run('npm', 'pack', '--silent', '--pack-destination', release);
  writeFileSync(join(release, 'THIRD_PARTY_NOTICES'), noticesOfAll());
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tarball = readdirSync(release).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(release, 'mo.cdx.json'), sbom(release, description, tarball, seconds));
  writeFileSync(join(release, SUMS), sums(release));
}

const check = process.argv.includes('--check');
if (check && output('git', 'status', '--porcelain') !== '') fail('--check compares two builds of a commit: commit your changes first');
make();
process.stdout.write(readFileSync(join(release, SUMS)));
if (check) {
  compareWithSecondBuild(root, release, seconds);
  run('scripts/setup.sh', 'tests', 'release');
  run('node_modules/.bin/vitest', 'run', 'tests/release');
  run('.venv/bin/python', '-m', 'pytest', '-q', 'tests/release');
}
