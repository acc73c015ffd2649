// npm run bench: the budgets of the product, measured in one run and written to docs/benchmarks.md.
// node scripts/bench.mjs --operations: writes only the section about the IR's operations, in seconds.
//
// Times are medians of nine runs that alternate with `cp` of the same model in the same folder, so only ratios count. Memory
// is peak resident memory of the process; for the page, peak anonymous memory of the renderer.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { serve } from './serve.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const models = join(root, 'build/models');
const out = join(models, 'out');
const python = join(root, '.venv/bin/python');
const native = [join(root, 'build/native/mo')];
const node = [process.execPath, join(root, 'dist/library/node/cli.js')];
const turns = 9;
const report = join(root, 'docs/benchmarks.md');
const sectionTitle = '## Operations';
const counted = ['bert_base', 'resnet50', 'mobilenetv2'];
const named = [...counted, 'wide_3gb'];
const onlyOperations = process.argv.includes('--operations');

const rows = [];
const row = (what, budget, value, unit) => {
  rows.push({ what, budget: `≤ ${budget} ${unit}`, value: `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`, held: value <= budget });
  const { held } = rows.at(-1);
  console.log(`${held ? 'ok  ' : 'OVER'}  ${what.padEnd(52)} ${rows.at(-1).value.padStart(10)}   ${rows.at(-1).budget}`);
};

function measure(command) {
  const result = JSON.parse(execFileSync(python, [join(root, 'scripts/measure.py'), ...command], { encoding: 'utf8' }));
  if (result.code !== 0) throw new Error(`${command.join(' ')} failed`);
  return result;
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const convert = (tool, model) => [...tool, join(models, `${model}.onnx`), '--output_dir', out, '--compress_to_fp16=False'];

/** Seconds against cp's, and megabytes at the most. */
function againstCp(tool, model) {
  const copy = join(models, 'copy');
  const seconds = { tool: [], cp: [] };
  let peak = 0;
  for (let turn = 0; turn < turns; turn++) {
    rmSync(copy, { force: true });
    seconds.cp.push(measure(['cp', '--reflink=never', join(models, `${model}.onnx`), copy]).seconds);
    rmSync(copy, { force: true });
    rmSync(out, { recursive: true, force: true });
    const run = measure(convert(tool, model));
    seconds.tool.push(run.seconds);
    peak = Math.max(peak, run.peak_kb / 1024);
  }
  rmSync(out, { recursive: true, force: true });
  return { ratio: median(seconds.tool) / median(seconds.cp), peak };
}

/** Anonymous memory of the browser's renderers, in megabytes. */
function rendererMemory() {
  let total = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      total = Math.max(total, Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024);
    } catch {
      // The process has ended.
    }
  }
  return total;
}

/** From the choice of the files to both results offered, best of three pages each fresh. */
async function page(model) {
  const { chromium } = await import('playwright-core');
  const server = await serve(join(root, 'build/web'), 0);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  const seconds = [];
  let peak = 0;
  for (let turn = 0; turn < 3; turn++) {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.uncheck('input[name=compress_to_fp16]');
    const watch = setInterval(() => (peak = Math.max(peak, rendererMemory())), 20);
    const started = performance.now();
    await tab.setInputFiles('#files', [join(models, `${model}.onnx`), join(models, `${model}.data`)]);
    await tab.locator('a[download$=".bin"]').waitFor({ timeout: 120_000 });
    seconds.push((performance.now() - started) / 1000);
    clearInterval(watch);
    await tab.close();
  }
  await browser.close();
  server.close();
  return { seconds: median(seconds), peak };
}

/** How many operations of each type our IR has, and how many that of OpenVINO's own converter. */
function operations() {
  const paths = counted.map((name) => join(models, `${name}.onnx`));
  const tables = execFileSync(python, [join(root, 'scripts/count-operations.py'), ...native, ...paths], { encoding: 'utf8' });
  return (
    `${sectionTitle}\n\nLayers of the IR, f32, by type, against OpenVINO's own converter; written by ` +
    `\`node scripts/bench.mjs --operations\` after a native build.\n\n${tables.trimEnd()}\n`
  );
}

mkdirSync(models, { recursive: true });
const missing = (onlyOperations ? counted : named).filter((name) => !existsSync(join(models, `${name}.onnx`)));
if (missing.length) execFileSync(python, [join(root, 'tests/models/make_onnx.py'), models, ...missing], { stdio: 'inherit' });
if (onlyOperations) {
  writeFileSync(report, `${readFileSync(report, 'utf8').split(sectionTitle)[0].trimEnd()}\n\n${operations()}`);
  process.exit(0);
}

for (const [model, budget] of [['bert_base', 1.5], ['resnet50', 2.5]]) {
  row(`native, ${model}, against cp`, budget, againstCp(native, model).ratio, '×');
}
for (const model of named) {
  row(`native, ${model}, peak memory`, 64, measure(convert(native, model)).peak_kb / 1024, 'MB');
  rmSync(out, { recursive: true, force: true });
}
const inNode = againstCp(node, 'bert_base');
row('Node, bert_base, against cp', 2, inNode.ratio, '×');
row('Node, bert_base, peak memory', 200, inNode.peak, 'MB');
const onPage = await page('wide_3gb');
row('page, wide_3gb, files chosen to files offered', 3, onPage.seconds, 's');
row('page, wide_3gb, renderer', 200, onPage.peak, 'MB');
const wasm = readFileSync(join(root, 'dist/library/shared/core.wasm'));
const brotli = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } });
row('core.wasm, brotli', 400, brotli.length / 1024, 'KB');

const lines = rows.map((r) => `| ${r.what} | ${r.budget} | ${r.value} | ${r.held ? 'yes' : '**no**'} |`);
writeFileSync(
  report,
  `# Benchmarks\n\nMeasured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench\`, on 2 cores; f32, warm cache. Times are medians of ` +
    `${turns} turns, each next to a \`cp --reflink=never\` of the same model in the same folder; only ratios count.\n\n` +
    `| what | budget | measured | held |\n|---|---|---|---|\n${lines.join('\n')}\n\n${operations()}`,
);
process.exit(rows.every((r) => r.held) ? 0 : 1);
