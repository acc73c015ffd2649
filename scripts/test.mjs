// npm test: sets everything up, builds everything, runs every test, and ends with `N passed, N failed`.
// The output of each part is in build/test-logs/; that of a failing part is shown.
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const logs = join(root, 'build/test-logs');
const python = '.venv/bin/python';
const minutes = 60_000;

const sum = (log, pattern) => [...log.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

// How runners print the numbers of passed and failed tests.
const googleTest = (log) => ({
  passed: sum(log, /\[ {2}PASSED {2}\] (\d+) tests?/g),
  failed: sum(log, /\[ {2}FAILED {2}\] (\d+) tests?, listed below/g),
});
const vitest = (log) => ({
  passed: sum(log, /^\s*Tests .*?(\d+) passed/gm),
  failed: sum(log, /^\s*Tests .*?(\d+) failed/gm),
});
const lastLine = (log) => ({
  passed: sum(log.trimEnd().split('\n').at(-1), /(\d+) passed/g),
  failed: sum(log.trimEnd().split('\n').at(-1), /(\d+) (?:failed|errors?)/g),
});

const oneTest = (log, code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });

const ctest = (preset) => ['ctest', '--preset', preset, '--verbose'];
const golden = (preset) => [python, 'tests/golden/run.py', '--mo', `build/${preset}/mo`];
const examples = 'tests/numeric/test_examples.py';
// Two halves of the tests that take longest: one alone at the end would leave processors idle.
const numeric = readdirSync(join(root, 'tests/numeric')).filter((name) => /^test_.*\.py$/.test(name)).map((name) => `tests/numeric/${name}`).filter((path) => path !== examples);
const isOfOthers = (path) => /\/test_(caffe|kaldi|mxnet|paddle|pir|pytorch)/.test(path);
const vitestRun = (...args) => ['node_modules/.bin/vitest', 'run', ...args];
// Whole programs, hundreds of times: as long as the rest of the package's tests.
const commands = ['tests/js/command_lines.test.ts', 'tests/js/many_models.test.ts'];
const pytest = (...paths) => [python, '-m', 'pytest', '-q', '--color=no', ...paths];

const tools = ['set-up', 'build: native'];

/**
 * Each part: its name, the command, the parts that it comes `after`, its test files (none: a step of the build), how its
 * tests are counted. One build at a time, and beside it tests of what is already built.
 * Four parts of tests at a time, because those of the page and of the package take half of a processor each.
 * A part that measures time runs `alone`, after the others.
 */
const parts = [
  { name: 'set-up', command: ['scripts/setup.sh', 'tests', 'zoo'] },
  { name: 'build: native', command: ['scripts/build.sh', 'native', 'all', 'mo_tables', 'mo_transforms'] },
  { name: 'build: wasm', after: tools, command: ['scripts/build.sh', 'wasm'] },
  { name: 'build: package and page', after: ['build: wasm'], command: ['scripts/build.sh', 'page'] },
  { name: 'build: package and page of the toy formats', after: ['build: package and page'], command: ['scripts/build.sh', 'toy'] },
  {
    name: 'build: documents',
    after: ['build: package and page of the toy formats'],
    command: ['node', 'scripts/build-docs.mjs'],
  },
  { name: 'build: ASan and UBSan', after: ['build: documents'], command: ['scripts/build.sh', 'asan', 'mo', 'mo_tests'] },
  {
    name: 'page',
    after: ['build: documents'],
    command: vitestRun('tests/page'),
    files: 'tests/page',
    count: vitest,
  },
  {
    name: 'package',
    after: ['build: package and page of the toy formats'],
    command: vitestRun('tests/js', ...commands.flatMap((path) => ['--exclude', path])),
    files: 'tests/js',
    count: vitest,
  },
  { name: 'commands', after: ['build: package and page'], command: vitestRun(...commands), files: 'tests/js', count: vitest },
  { name: 'levels of the graph API', after: ['set-up'], command: ['node', 'scripts/check-levels.mjs'], files: 'core', count: oneTest },
  { name: 'rooms of the core', after: ['set-up'], command: ['node', 'scripts/check-rooms.mjs'], files: 'core', count: oneTest },
  { name: 'order of new nodes', after: ['set-up'], command: ['node', 'scripts/check-order.mjs'], files: 'core', count: oneTest },
  { name: 'names of operations and attributes', after: ['set-up'], command: ['node', 'scripts/check-literals.mjs'], files: 'core', count: oneTest },
  { name: 'fields of skeletons', after: ['set-up'], command: ['node', 'scripts/check-field-numbers.mjs'], files: 'web', count: oneTest },
  {
    name: 'generated documents',
    after: tools,
    command: ['node', 'scripts/generate-docs.mjs', '--check'],
    files: 'docs',
    count: oneTest,
  },
  { name: 'types', after: ['build: package and page'], command: ['scripts/types.sh'], files: 'tests/js', count: oneTest },
  { name: 'core, native', after: tools, command: ctest('native'), files: 'tests/core', count: googleTest },
  { name: 'golden, native', after: tools, command: golden('native'), files: 'tests/golden', ending: '.txt', count: lastLine },
  { name: 'command line', after: ['build: package and page'], command: pytest('tests/cli'), files: 'tests/cli', count: lastLine },
  {
    name: 'attacks',
    after: ['build: package and page'],
    command: pytest('tests/attack'),
    files: 'tests/attack',
    ending: '.py',
    count: lastLine,
  },
  {
    name: 'numbers, other frameworks',
    after: tools,
    command: pytest(...numeric.filter(isOfOthers)),
    files: 'tests/numeric',
    count: lastLine,
  },
  {
    name: 'numbers, ONNX and TensorFlow',
    after: tools,
    command: pytest(...numeric.filter((path) => !isOfOthers(path))),
    files: 'tests/numeric',
    count: lastLine,
  },
  { name: 'small weights', after: tools, command: pytest('tests/weights'), files: 'tests/weights', ending: 'test_weights.py', count: lastLine },
  { name: 'recipes', after: tools, command: pytest('tests/recipes'), files: 'tests/recipes', ending: '.py', count: lastLine },
  { name: 'model zoo', after: tools, command: [python, 'tests/zoo/run.py'], files: 'tests/zoo', count: lastLine },
  { name: 'core, wasm in Node', after: ['build: wasm'], command: ctest('wasm'), files: 'tests/core', count: googleTest },
  {
    name: 'page as one file',
    after: ['build: package and page'],
    command: vitestRun('tests/page/taken.test.ts'),
    environment: { MO_PAGE: 'single' },
    files: 'tests/page',
    count: vitest,
  },
  {
    name: 'numbers of the examples',
    after: ['build: package and page'],
    command: pytest(examples),
    files: 'tests/numeric',
    ending: 'test_examples.py',
    count: lastLine,
  },
  { name: 'growth', after: tools, command: pytest('tests/growth'), files: 'tests/growth', ending: 'test_growth.py', count: lastLine },
  {
    name: 'bad input, ASan and UBSan',
    after: ['build: ASan and UBSan'],
    command: pytest('tests/cli/test_bad_input.py', 'tests/cli/test_bad_tensorflow.py', 'tests/cli/test_bad_tflite.py', 'tests/cli/test_bad_caffe.py', 'tests/cli/test_bad_paddle.py', 'tests/cli/test_bad_paddle_pir.py', 'tests/cli/test_bad_mxnet.py', 'tests/cli/test_bad_kaldi.py', 'tests/cli/test_bad_pytorch.py'),
    // To look for leaks at the end takes twice as long as a refused model. The other two parts do.
    environment: { MO: join(root, 'build/asan/mo'), ASAN_OPTIONS: 'detect_leaks=0' },
    files: 'tests/cli',
    ending: 'test_bad_input.py',
    count: lastLine,
  },
  { name: 'core, ASan and UBSan', after: ['build: ASan and UBSan'], command: ctest('asan'), files: 'tests/core', count: googleTest },
  {
    name: 'golden, ASan and UBSan',
    after: ['build: ASan and UBSan'],
    command: golden('asan'),
    files: 'tests/golden',
    ending: '.txt',
    count: lastLine,
  },
  {
    name: 'speed',
    after: ['build: documents'],
    alone: true,
    command: vitestRun('tests/speed'),
    files: 'tests/speed',
    count: vitest,
  },
];

function stands({ files, ending = '' }) {
  if (!files) return true;
  const folder = join(root, files);
  return existsSync(folder) && readdirSync(folder, { recursive: true }).some((name) => name.endsWith(ending));
}

/** Seconds of processors in what `times` of bash prints: of the shell, then of its children, each "user system". */
const processorSeconds = (times) => Array.from(times.matchAll(/(\d+)m([\d.]+)s/g), ([, m, s]) => Number(m) * 60 + Number(s)).reduce((total, s) => total + s, 0);

/**
 * Runs a command with its output in `path`; its exit code, and the seconds of processors that it took. What it started ends with it, at the
 * latest after `limit`.
 */
function run(command, path, environment, limit = 60 * minutes) {
  return new Promise((resolve) => {
    const log = createWriteStream(path);
    const child = spawn('bash', ['-c', '"$0" "$@" 3>&-; code=$?; times >&3; exit $code', ...command], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let times = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => (times += text));
    const timer = setTimeout(() => {
      log.write(`\nStopped after ${limit / minutes} minutes.\n`);
      process.kill(-child.pid, 'SIGKILL');
    }, limit);
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.on('error', (error) => log.write(`${error.message}\n`));
    child.on('close', (code) => {
      clearTimeout(timer);
      log.end(() => resolve({ code: code ?? 1, work: processorSeconds(times) }));
    });
  });
}

async function runPart(part) {
  const path = join(logs, `${part.name.replaceAll(/[^a-z]+/gi, '-')}.log`);
  const began = performance.now();
  const { code, work } = await run(part.command, path, part.environment);
  const seconds = (performance.now() - began) / 1000;
  const log = readFileSync(path, 'utf8');
  const result = part.count?.(log, code) ?? { passed: 0, failed: 0 };
  // A runner that fails, or finds no tests, counts as a failure.
  const none = part.count && result.passed + result.failed === 0;
  if (result.failed === 0 && (code !== 0 || none)) result.failed = 1;
  if (result.failed > 0) console.log(log.split('\n').slice(-150).join('\n'));
  const tests = part.count || result.failed ? `${result.passed} passed, ${result.failed} failed` : 'done';
  console.log(`${part.name.padEnd(28)} ${tests.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s, ${work.toFixed(1).padStart(7)} s of processors`);
  return result;
}

mkdirSync(logs, { recursive: true });
const total = { passed: 0, failed: 0 };
const waiting = parts.filter(stands);
const done = new Set();
const running = new Set();
const ready = ({ after = [] }) => after.every((name) => done.has(name));
const PLACES = 4;
/** What compiles takes all cores; what packs and bundles takes one. */
const placesOf = ({ name }) => (['build: native', 'build: wasm', 'build: ASan and UBSan'].includes(name) ? 2 : 1);
let places = 0;
for (;;) {
  // In the order of the table. Parts that come after a failed one do not run.
  const free = waiting.findIndex((part) => ready(part) && !part.alone && places + placesOf(part) <= PLACES);
  const next = free < 0 && running.size === 0 ? waiting.findIndex(ready) : free;
  if (next >= 0) {
    const [part] = waiting.splice(next, 1);
    places += placesOf(part);
    const run = runPart(part).then(({ passed, failed }) => {
      running.delete(run);
      places -= placesOf(part);
      total.passed += passed;
      total.failed += failed;
      if (failed === 0) done.add(part.name);
    });
    running.add(run);
  } else if (running.size > 0) {
    await Promise.race(running);
  } else {
    break;
  }
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
