// What each model of tests/attack/bombs/ costs natively, in Node and on the page, and whether that is within its budget: docs/attacks.md.
// `--small` takes the sizes of npm test, and `--only REGEX` some models; then the table is only printed. `--kept FILE` appends each row to a file
// as a line of JSON, and takes rows that are there from it: a whole run takes an hour, and may be ended and continued.
//
// Natively and in Node the memory is that of the process; of the page, the anonymous memory of the largest renderer.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { launch, rendererMemory } from './browser.mjs';
import { serve } from './serve.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const python = join(root, '.venv/bin/python');
const native = process.env.MO ?? join(root, 'build/native/mo');
const node = [process.execPath, join(root, 'dist/library/node/cli.js')];
const report = join(root, 'docs/attacks.md');
/** Seconds that a model may take natively, and in Node and on the page. */
const NATIVE_SECONDS = 20;
const SECONDS = 60;
/** What is measured ends after that. */
const END = 180;

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const small = process.argv.includes('--small');
const only = argument('--only');
const kept = argument('--kept');

/** Writes one model after the other, when its turn comes: all of them are many gigabytes. */
const LIST = `
import json, sys
sys.path.insert(0, 'tests/attack')
import bombs
largest = {(case[1].__module__, case[1].__name__): case[0] for case in bombs.cases(${small ? 'False' : 'True'})}
print(json.dumps(list(largest.values())))
`;
const WRITE = `
import json, os, sys
sys.path.insert(0, 'tests/attack')
import bombs
write, size = next(case[1:] for case in bombs.cases(True) if case[0] == sys.argv[1])
bomb = write(sys.argv[2], size)
bytes = sum(os.path.getsize(os.path.join(sys.argv[2], name)) for name in os.listdir(sys.argv[2]))
print(json.dumps({"model": bomb.model, "options": bomb.options, "code": bomb.code, "budget": bomb.budget / 2**20, "size": bytes / 1e6}))
`;
/** A process counts what its parent had when it forked, so a small one is in between. */
const MEASURE = `
import json, os, resource, sys
pid = os.fork()
if pid == 0:
    resource.setrlimit(resource.RLIMIT_CPU, (${END}, ${END}))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, used.ru_utime + used.ru_stime]))
`;

const codeIn = (text) => /(MO\d{4})/.exec(text)?.[1];

/** The outcome, the peak in megabytes, and the seconds of the processor: other work does not count. */
function command(program, model, options, folder) {
  const line = [...program, model, '--model_name', 'm', '--output_dir', join(folder, 'out'), ...options];
  const { stdout, stderr } = spawnSync('python3', ['-I', '-S', '-c', MEASURE, ...line], { encoding: 'utf8', maxBuffer: 1 << 26 });
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  const [code, peak, time] = JSON.parse(stdout);
  return { outcome: code === 0 ? 'converted' : (codeIn(stderr) ?? `ended with ${code}`), peak, time };
}

/** Options of the command as the fragment of a link to the page. */
const fragment = (options) => '#' + options.join('=').replaceAll('=--', '&').replace(/^--/, '');

async function onPage(url, files, options) {
  const browser = await launch();
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, rendererMemory())), 50);
  try {
    const page = await browser.newPage();
    await page.goto(url + fragment(options));
    await page.waitForFunction(() => performance.getEntriesByName('mo-ready').length > 0);
    const began = performance.now();
    await page.setInputFiles('#files', files);
    await page.locator('#done:visible, #failed:visible').first().waitFor({ timeout: END * 1000 });
    const time = (performance.now() - began) / 1000;
    const failed = await page.locator('#failed').isVisible();
    return { outcome: failed ? (codeIn(await page.locator('#failed').innerText()) ?? 'failed') : 'converted', peak, time };
  } catch (error) {
    return { outcome: error.message.split('\n')[0].slice(0, 40), peak, time: END };
  } finally {
    clearInterval(watch);
    await browser.close();
  }
}

/** What is over, or nothing. All hosts have to answer alike: as the model's case says, or with any code of a model where it says nothing. */
function faults({ bomb, hosts }) {
  const [natively, ...others] = hosts;
  const right = (outcome) => (bomb.code === 'any' ? /^(converted|MO[1-6]\d{3})$/.test(outcome) : outcome === (bomb.code || 'converted'));
  return [
    ...(natively.peak > bomb.budget ? ['memory natively'] : []),
    ...(natively.time > NATIVE_SECONDS ? ['time natively'] : []),
    ...(others.some(({ time }) => time > SECONDS) ? ['time'] : []),
    ...hosts.flatMap(({ outcome }, index) => (right(outcome) && outcome === natively.outcome ? [] : [`outcome ${['natively', 'in Node', 'on the page'][index]}`])),
  ];
}

const cell = ({ outcome, peak, time }) => `${outcome}, ${peak.toFixed(0)} MB, ${time.toFixed(1)} s`;
const size = (megabytes) => (megabytes < 0.1 ? `${Math.ceil(megabytes * 1000)} KB` : `${megabytes.toFixed(1)} MB`);
function line(row) {
  const over = faults(row);
  return `| ${row.name} | ${size(row.bomb.size)} | ${row.bomb.budget.toFixed(0)} MB | ${row.hosts.map(cell).join(' | ')} | ${over.length ? `**no**: ${over.join(', ')}` : 'yes'} |`;
}

async function measured(name, url) {
  const folder = mkdtempSync(join(tmpdir(), 'mo-attack-'));
  try {
    const bomb = JSON.parse(execFileSync(python, ['-c', WRITE, name, folder], { cwd: root, encoding: 'utf8' }));
    const files = readdirSync(folder).map((file) => join(folder, file));
    const hosts = [command([native], bomb.model, bomb.options, folder), command(node, bomb.model, bomb.options, folder), await onPage(url, files, bomb.options)];
    return { name, bomb, hosts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const known = new Map((kept && existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n') : []).filter(Boolean).map((text) => [JSON.parse(text).name, JSON.parse(text)]));
const names = JSON.parse(execFileSync(python, ['-c', LIST], { cwd: root, encoding: 'utf8' })).filter((name) => new RegExp(only ?? '').test(name));
const server = await serve(undefined, 0);
const url = `http://127.0.0.1:${server.address().port}/`;
const rows = [];
for (const name of names) {
  const row = known.get(name) ?? (await measured(name, url));
  if (kept && !known.has(name)) appendFileSync(kept, `${JSON.stringify(row)}\n`);
  rows.push(row);
  console.log(line(row));
}
server.close();
const over = rows.filter((row) => faults(row).length > 0);
if (!small && !only) {
  const head = '| model | size | budget | natively | in Node | on the page | held |\n|---|---|---|---|---|---|---|';
  writeFileSync(
    report,
    `# Attacks\n\nThis page shows what small models with high costs need. The code in [tests/attack/bombs/](../tests/attack/bombs/__init__.py) writes them and says what is in ` +
      `each; the number at the end of a name is its size there. \`npm run attack\` measured this on ${new Date().toISOString().slice(0, 10)}.\n\n` +
      `The budget is native memory: 32 MB (64 MB for a model that is refused), 8 times the model's files without weights, and 2 KB for each node. The limit of time is ` +
      `${NATIVE_SECONDS} s of processor time natively, and ${SECONDS} s in Node and on the page. All hosts must give the same result: an IR, or the same code.\n\n` +
      `Natively and in Node, memory is that of the process (Node itself needs about 50 MB), and time is processor time. ` +
      `On the page, memory is the renderer's anonymous memory, and time is wall-clock time.\n\n` +
      `${rows.length - over.length} of ${rows.length} models are within budget and time.\n\n${head}\n${rows.map(line).join('\n')}\n`,
  );
}
process.exitCode = over.length > 0 ? 1 : 0;
