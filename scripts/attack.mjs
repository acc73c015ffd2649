// npm run attack: all attacks of tests/attack/points.json in full size, point by point, and then a table of what the models of
// tests/attack/bombs/ cost natively, in Node and on the page. `npm run attack -- 6 held` takes the points that begin so.
// `npm test` runs the same tests as parts of its own, tests/attack in a small size.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const python = '.venv/bin/python';
const bombs = 'tests/attack/bombs';
const points = Object.entries(JSON.parse(readFileSync(join(root, 'tests/attack/points.json'), 'utf8')));
const asked = process.argv.slice(2);

/** How a test of that kind is run. */
const RUNNERS = [
  [/^tests\/core\/.*_test\.cpp$/, (files) => ['build/native/mo_tests', `--gtest_brief=1`, `--gtest_filter=${files.flatMap(suitesOf).join(':')}`]],
  [/\.test\.ts$/, (files) => ['node_modules/.bin/vitest', 'run', ...files]],
  [/\.mjs$/, (files) => ['node', ...files]],
  [/^tests\//, (files) => [python, '-m', 'pytest', '-q', ...files]],
];

/** The suites of a file of GoogleTest, as a filter. */
const suitesOf = (file) => [...new Set([...readFileSync(join(root, file), 'utf8').matchAll(/^TEST(?:_F|_P)?\((\w+)/gm)].map(([, suite]) => `*${suite}*.*`))];

function run([command, ...args]) {
  console.log(`\n> ${command} ${args.join(' ')}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ATTACK: 'all' }, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => (console.error(error.message), resolve(1)));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

const failed = [];
for (const [point, files] of points) {
  if (asked.length > 0 && !asked.some((word) => point.startsWith(word))) continue;
  console.log(`\n== ${point}`);
  let left = files;
  for (const [kind, command] of RUNNERS) {
    const chosen = left.filter((file) => kind.test(file));
    left = left.filter((file) => !kind.test(file));
    if (chosen.length > 0 && (await run(command(chosen))) !== 0) failed.push(point);
  }
}
if (asked.length === 0 && existsSync(join(root, bombs)) && (await run(['node', 'scripts/attack-table.mjs'])) !== 0) failed.push('table');
console.log(failed.length === 0 ? '\nall attacks are held' : `\nnot held: ${[...new Set(failed)].join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
