// What each model of tests/attack/bombs/ costs natively, in Node and on the page: the outcome, the peak of memory and the time. Natively and in
// Node the memory is that of the process; of the page, the anonymous memory of the largest renderer. `--small` takes the sizes of npm test.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { launch, rendererMemory } from './browser.mjs';
import { serve } from './serve.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const python = join(root, '.venv/bin/python');
const native = process.env.MO ?? join(root, 'build/native/mo');
const node = [process.execPath, join(root, 'dist/library/node/cli.js')];
const seconds = 120;
const small = process.argv.includes('--small');

/** Writes one model after the other, when a line comes in: all of them are many gigabytes. */
const LIST = `
import json, sys
sys.path.insert(0, 'tests/attack')
import bombs
print(json.dumps([name for name, _, _ in bombs.cases(${small ? 'False' : 'True'})]))
`;
const WRITE = `
import json, sys
sys.path.insert(0, 'tests/attack')
import bombs
write, size = next(case[1:] for case in bombs.cases(True) if case[0] == sys.argv[1])
bomb = write(sys.argv[2], size)
print(json.dumps([str(bomb.model), list(bomb.options)]))
`;
/** A process counts what its parent had when it forked, so a small one is in between. */
const MEASURE = `
import json, os, resource, sys, time
began, pid = time.monotonic(), os.fork()
if pid == 0:
    resource.setrlimit(resource.RLIMIT_CPU, (${seconds}, ${seconds}))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, time.monotonic() - began]))
`;

const outcomeOf = (text, code) => /(MO\d{4})/.exec(text)?.[1] ?? (code === 0 ? 'converted' : `ended with ${code}`);

function command(program, model, options, folder) {
  const line = [...program, model, '--model_name', 'm', '--output_dir', join(folder, 'out'), ...options];
  const { stdout, stderr } = spawnSync('python3', ['-I', '-S', '-c', MEASURE, ...line], { encoding: 'utf8', maxBuffer: 1 << 26 });
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  const [code, peak, time] = JSON.parse(stdout);
  return { outcome: code === 0 ? 'converted' : outcomeOf(stderr, code), peak, time };
}

async function onPage(url, model) {
  const browser = await launch();
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, rendererMemory())), 50);
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName('mo-ready').length > 0);
    const began = performance.now();
    await page.setInputFiles('#files', [model]);
    const ended = page.locator('#done:visible, #failed:visible').first();
    await ended.waitFor({ timeout: seconds * 1000 });
    const time = (performance.now() - began) / 1000;
    return { outcome: (await page.locator('#failed').isVisible()) ? outcomeOf(await page.locator('#failed').innerText()) : 'converted', peak, time };
  } catch (error) {
    return { outcome: error.message.split('\n')[0].slice(0, 40), peak, time: seconds };
  } finally {
    clearInterval(watch);
    await browser.close();
  }
}

const cell = ({ outcome, peak, time }) => `${outcome}, ${peak.toFixed(0)} MB, ${time.toFixed(1)} s`;
const server = await serve(undefined, 0);
const url = `http://127.0.0.1:${server.address().port}/`;
console.log('| model | natively | in Node | on the page |\n|---|---|---|---|');
for (const name of JSON.parse(execFileSync(python, ['-c', LIST], { cwd: root, encoding: 'utf8' }))) {
  const folder = mkdtempSync(join(tmpdir(), 'mo-attack-'));
  try {
    const [model, options] = JSON.parse(execFileSync(python, ['-c', WRITE, name, folder], { cwd: root, encoding: 'utf8' }));
    const cells = [command([native], model, options, folder), command(node, model, options, folder), await onPage(url, model)];
    console.log(`| ${name} | ${cells.map(cell).join(' | ')} |`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
server.close();
