// npm run bench: the budgets of the product, measured in one run and written to docs/benchmarks.md.
// node scripts/bench.mjs --operations: writes only the section about the IR's operations, in minutes; what OpenVINO's converter makes of the
// models is counted once, in half an hour.
// node scripts/bench.mjs --saved-model: measures only the SavedModel on the page, and writes only its rows.
// node scripts/bench.mjs --pairs [--only REGEX]: the same for models of Caffe, PaddlePaddle, Kaldi, MXNet and PyTorch, most of which are of two files.
// node scripts/bench.mjs --weights: the same for INT8 and INT4.
// node scripts/bench.mjs --verifier: the same for the check of IRs.
// npm run bench -- growth [arguments]: only how time and memory grow, by tests/growth/run.py, which takes hours and prints its own table;
// `--only REGEX` and `--kinds REGEX` choose cases.
// npm run bench -- inference [arguments]: only how long the runtime takes for our IRs of Caffe's networks and for those of the original Model
// Optimizer, with `--paddle` for PaddlePaddle's and for those of OpenVINO's converter, by tests/original/inference.py, which takes minutes;
// written to the section about that unless `--only REGEX` chooses networks.
//
// Times are medians of nine runs that alternate with `cp` of the same model in the same folder, so only ratios count: the
// faster of `cp` and `cp --reflink=never`, plain `cp` only where the file system has no reflinks. Memory is peak resident
// memory of the process; for the page, peak anonymous memory of the renderer. f32 unless the row says FP16.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { launchChromium, rendererMemory } from './browser.mjs';
import { serve } from './serve.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const models = join(root, 'build/models');
const out = join(models, 'out');
const copy = join(models, 'copy');
const python = join(root, '.venv/bin/python');
const native = [join(root, 'build/native/mo')];
const node = [process.execPath, join(root, 'dist/library/node/cli.js')];
const turns = 9;
const report = join(root, 'docs/benchmarks.md');
const sectionTitle = '## Operations';
const inferenceTitle = '## Inference';
const ofPaddle = process.argv.includes('--paddle');
const named = ['bert_base', 'resnet50', 'mobilenetv2', 'wide_3gb'];
const chains = ['chain_10k', 'chain_100k'];
/** A SavedModel with 3 GB of variables, which tests/tf/wide.py writes. */
const saved = 'wide_3gb_saved';
const onlyOperations = process.argv.includes('--operations');
const onlySaved = process.argv.includes('--saved-model');
const onlyPairs = process.argv.includes('--pairs');
const onlyWeights = process.argv.includes('--weights');
const chosen = new RegExp(process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : '');
const onlyVerifier = process.argv.includes('--verifier');
const onlySome = onlySaved || onlyPairs || onlyWeights || onlyVerifier;
if (process.argv[2] === 'growth')
  process.exit(spawnSync(python, [join(root, 'tests/growth/run.py'), '--mo', native[0], ...process.argv.slice(3)], { stdio: 'inherit' }).status ?? 1);
if (process.argv[2] === 'inference') {
  const table = execFileSync(python, [join(root, 'tests/original/inference.py'), ...process.argv.slice(3)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  process.stdout.write(table);
  if (!process.argv.includes('--only')) writeFileSync(report, withInference(readFileSync(report, 'utf8'), inferenceSection(table)));
  process.exit(0);
}

/** The section about inference with this table. */
function inferenceSection(table) {
  return (
    `${inferenceTitle} of ${ofPaddle ? "PaddlePaddle's programs" : "Caffe's networks"}\n\nProcessor time of an inference in milliseconds, for the IRs of this converter and of ` +
    `${ofPaddle ? '`openvino.convert_model`' : 'the original Model Optimizer (openvino-dev 2023.3.0)'}. Both run in turns, in f32, on one thread. The fastest fifth of 41 turns counts. ` +
    `\`npm run bench -- inference${ofPaddle ? ' --paddle' : ''}\` writes this table.\n\n${table.trimEnd()}\n\n`
  );
}
/** The sections of a report, the first with what comes before them. */
function sectionsOf(text) {
  return text.split(/^(?=## )/m);
}
/** The sections about inference that a report has. */
function inferenceOf(text) {
  return sectionsOf(text).filter((section) => section.startsWith(inferenceTitle)).join('');
}
function withInference(text, section) {
  const title = section.split('\n', 1)[0];
  const others = sectionsOf(text).filter((other) => !other.startsWith(title));
  const [before, after] = others.join('').split(sectionTitle);
  return `${before.trimEnd()}\n\n${section}${sectionTitle}${after}`;
}

const rows = [];
const row = (what, budget, value, unit, least = false) => {
  const held = least ? value >= budget : value <= budget;
  rows.push({ what, budget: `${least ? '≥' : '≤'} ${budget} ${unit}`, value: `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`, held });
  console.log(`${held ? 'ok  ' : 'OVER'}  ${what.padEnd(56)} ${rows.at(-1).value.padStart(10)}   ${rows.at(-1).budget}`);
};

function measure(command) {
  const result = JSON.parse(execFileSync(python, [join(root, 'scripts/measure.py'), ...command], { encoding: 'utf8' }));
  if (result.code !== 0) throw new Error(`${command.join(' ')} failed`);
  return result;
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
/** Models of other formats than ONNX: the file that is named, that which holds the weights, what writes them, and budgets that differ from the others'. */
const pairs = {
  caffe_vgg16: { main: '.caffemodel', files: ['.caffemodel', '.prototxt'], weights: '.caffemodel', writer: 'tests/caffe/vgg16.py', onPage: true },
  paddle_transformer: { main: '.pdmodel', files: ['.pdmodel', '.pdiparams'], weights: '.pdiparams', writer: 'tests/paddle/transformer.py' },
  kaldi_chain: { main: '.mdl', files: ['.mdl'], weights: '.mdl', writer: 'tests/kaldi/chain_model.py' },
  paddle3_transformer: { main: '.json', files: ['.json', '.pdiparams'], weights: '.pdiparams', writer: 'tests/paddle/pir_transformer.py', memory: 48 },
  mxnet_resnet152: { main: '-symbol.json', files: ['-symbol.json', '-0000.params'], weights: '-0000.params', writer: 'tests/mxnet/resnet152.py', budgets: [1.5, 2] },
  pytorch_resnet50: { main: '.pt2', files: ['.pt2'], weights: '.pt2', writer: 'tests/pytorch/large_programs.py', budgets: [1.5, 2], memory: 40, onPage: true },
  pytorch_bert: { main: '.pt2', files: ['.pt2'], weights: '.pt2', writer: 'tests/pytorch/large_programs.py', memory: 40, onPage: true },
};
const mainFile = (model) => join(models, `${model}${pairs[model]?.main ?? '.onnx'}`);
const weightsFile = (model) => join(models, `${model}${pairs[model]?.weights ?? '.onnx'}`);
const convert = (tool, model, fp16 = false) =>
  [...tool, mainFile(model), '--output_dir', out, `--compress_to_fp16=${fp16 ? 'True' : 'False'}`];

/** The ways to copy a file that the ratios may refer to. */
function copies() {
  const [from, to] = [join(models, 'reflink-from'), join(models, 'reflink-to')];
  writeFileSync(from, 'x');
  const reflinks = spawnSync('cp', ['--reflink=always', from, to]).status === 0;
  for (const path of [from, to]) rmSync(path, { force: true });
  return reflinks ? [['cp', '--reflink=never']] : [['cp'], ['cp', '--reflink=never']];
}

/** Runs the commands in turns: median seconds of each, and peak megabytes of the last one. No command finds files that another wrote. */
function inTurns(...commands) {
  const seconds = commands.map(() => []);
  let peak = 0;
  for (let turn = 0; turn < turns; turn++)
    for (const [i, command] of commands.entries()) {
      const run = measure(command);
      for (const path of [copy, out]) rmSync(path, { recursive: true, force: true });
      seconds[i].push(run.seconds);
      if (i === commands.length - 1) peak = Math.max(peak, run.peak_kb / 1024);
    }
  return { seconds: seconds.map(median), peak };
}

/** Seconds against cp's, and megabytes at the most. */
function againstCp(tool, model, fp16) {
  const copying = copies().map((way) => [...way, weightsFile(model), copy]);
  const { seconds, peak } = inTurns(...copying, convert(tool, model, fp16));
  return { ratio: seconds.pop() / Math.min(...seconds), peak };
}

/** Seconds from the choice of files, or of a folder, until both results are offered: the median and the best of three fresh pages. `format`: f32, f16, or how weights are stored. */
async function page(format, ...paths) {
  const server = await serve(join(root, 'build/web'), 0);
  const browser = await launchChromium();
  const seconds = [];
  let peak = 0;
  for (let turn = 0; turn < 3; turn++) {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.check(`#weights [value=${{ f32: 'fp32', f16: 'fp16' }[format] ?? format}]`);
    const watch = setInterval(() => (peak = Math.max(peak, rendererMemory())), 20);
    const started = performance.now();
    await tab.setInputFiles(paths.length > 1 || statSync(join(models, paths[0])).isFile() ? '#files' : '#folder', paths.map((path) => join(models, path)));
    await tab.locator('a[download$=".bin"]:visible').first().waitFor({ timeout: 600_000 });
    seconds.push((performance.now() - started) / 1000);
    clearInterval(watch);
    await tab.close();
  }
  await browser.close();
  server.close();
  return { seconds: median(seconds), best: Math.min(...seconds), peak };
}

/** INT8 and INT4 while weights stream, against converting and NNCF in one process of Python (.venv-nncf, which `npm run record -- weights` makes). */
async function weightRows() {
  const nncf = join(root, '.venv-nncf/bin/python');
  for (const format of ['int8', 'int4']) {
    const ours = [...native, mainFile('bert_base'), '--output_dir', out, '--weight_format', format];
    if (existsSync(nncf)) {
      const { seconds: [theirs, here] } = inTurns([nncf, join(root, 'tests/weights/whole.py'), mainFile('bert_base'), format, out], ours);
      row(`NNCF in Python, bert_base ${format.toUpperCase()}, against native`, 10, theirs / here, '×', true);
    }
    row(`native, bert_base ${format.toUpperCase()}, peak memory`, 64, measure(ours).peak_kb / 1024, 'MB');
    rmSync(out, { recursive: true, force: true });
  }
  const small = await page('int4', 'wide_3gb.onnx', 'wide_3gb.data');
  row('page, wide_3gb INT4, weights read and converted', 100, statSync(join(models, 'wide_3gb.data')).size / 1e6 / small.seconds, 'MB/s', true);
  row('page, wide_3gb INT4, renderer', 200, small.peak, 'MB');
}

async function savedModelRows() {
  for (const [fp16, budget] of [[false, 5], [true, 25]]) {
    const measured = await page(fp16 ? 'f16' : 'f32', saved);
    console.log(`      best ${measured.best.toFixed(2)} s, median ${measured.seconds.toFixed(2)} s`);
    row(`page, ${saved}${fp16 ? ' FP16' : ''}, folder chosen to files offered`, budget, measured.seconds, 's');
    row(`page, ${saved}${fp16 ? ' FP16' : ''}, renderer`, 200, measured.peak, 'MB');
  }
}

/** Those models against a copy of their weights, and one of them on the page. */
async function pairRows() {
  const some = Object.entries(pairs).filter(([name]) => chosen.test(name));
  for (const [name, { writer }] of some)
    if (!existsSync(weightsFile(name))) execFileSync(python, [join(root, writer)], { stdio: 'inherit' });
  for (const [model, { budgets: [whole, half] = [1, 1.3], memory = 32 }] of some) {
    const full = againstCp(native, model);
    row(`native, ${model}, against cp`, whole, full.ratio, '×');
    row(`native, ${model} FP16, against cp`, half, againstCp(native, model, true).ratio, '×');
    row(`native, ${model}, peak memory`, memory, full.peak, 'MB');
  }
  for (const [model, { files, onPage }] of some) {
    if (!onPage) continue;
    const { seconds } = await page('f32', ...files.map((ending) => `${model}${ending}`));
    row(`page, ${model}, files chosen to files offered`, 2, seconds, 's');
  }
}

const tableRow = (r) => `| ${r.what} | ${r.budget} | ${r.value} | ${r.held ? 'yes' : '**no**'} |`;

/** The report with these rows in place of those of the same name, or behind the others. */
function withRows(text) {
  const lines = text.split('\n');
  for (const r of rows) {
    const at = lines.findIndex((line) => line.startsWith(`| ${r.what} |`));
    const last = lines.findIndex((line, index) => line.startsWith('|') && lines[index + 1] === '');
    lines.splice(at < 0 ? last + 1 : at, at < 0 ? 0 : 1, tableRow(r));
  }
  return lines.join('\n');
}

/** What the check of an IR costs of a conversion; and many IRs in files. */
function verifierRows() {
  for (const model of verified) {
    const cost = JSON.parse(execFileSync(join(root, 'build/native/mo_verifier_cost'), [mainFile(model)], { encoding: 'utf8' }));
    row(`check of what is written, ${model}, of its conversion`, 5, (100 * cost.verify) / inTurns(convert(native, model)).seconds[0], '%');
  }
  execFileSync(native[0], [mainFile('mobilenetv2'), '--output_dir', out], { stdio: 'ignore' });
  const copies = join(out, 'copies');
  mkdirSync(copies);
  for (let i = 0; i < 2000; i++) for (const ending of ['.xml', '.bin']) linkSync(join(out, `mobilenetv2${ending}`), join(copies, `${i}${ending}`));
  const run = measure([...native, '--verify', copies]);
  row('mo --verify, 2,000 IRs of mobilenetv2', 20, run.seconds, 's');
  row('mo --verify, 2,000 IRs, peak memory', 32, run.peak_kb / 1024, 'MB');
  rmSync(out, { recursive: true, force: true });
}

/** How many operations our IRs have, and how many those of OpenVINO's own converter. */
function operations() {
  const tables = execFileSync(python, [join(root, 'scripts/count-operations.py'), ...native], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return (
    `${sectionTitle}\n\nThe number of operations in the IRs, f32, without inputs, outputs and constants, for every network of the tests and of the zoo that OpenVINO's own converter reads. ` +
    `A network is "over" if its IR has more Transposes than that of OpenVINO's converter, or more than 1.1 times the operations. ` +
    `\`node scripts/bench.mjs --operations\` writes these tables after a native build.\n\n${tables.trimEnd()}\n`
  );
}

mkdirSync(models, { recursive: true });
const verified = ['resnet50', 'mobilenetv2', ...chains];
const missing = onlyVerifier ? verified.filter((name) => !existsSync(join(models, `${name}.onnx`))) : onlySome || onlyOperations ? [] : [...named, ...chains].filter((name) => !existsSync(join(models, `${name}.onnx`)));
if (missing.length) execFileSync(python, [join(root, 'tests/models/make_onnx.py'), models, ...missing], { stdio: 'inherit' });
if (onlyOperations) {
  writeFileSync(report, `${readFileSync(report, 'utf8').split(sectionTitle)[0].trimEnd()}\n\n${operations()}`);
  process.exit(0);
}

if (!onlyPairs && !onlyWeights && !onlyVerifier && !existsSync(join(models, saved, 'saved_model.pb'))) execFileSync(python, [join(root, 'tests/tf/wide.py'), join(models, saved)], { stdio: 'inherit' });
if (onlySome) {
  await (onlySaved ? savedModelRows() : onlyPairs ? pairRows() : onlyWeights ? weightRows() : verifierRows());
  writeFileSync(report, withRows(readFileSync(report, 'utf8')));
  process.exit(rows.every((r) => r.held) ? 0 : 1);
}

for (const [model, budget, fp16] of [['bert_base', 1, false], ['resnet50', 1.5, false], ['bert_base', 1.3, true], ['resnet50', 2, true]]) {
  row(`native, ${model}${fp16 ? ' FP16' : ''}, against cp`, budget, againstCp(native, model, fp16).ratio, '×');
}
for (const model of named) {
  row(`native, ${model}, peak memory`, 32, measure(convert(native, model)).peak_kb / 1024, 'MB');
  rmSync(out, { recursive: true, force: true });
}
const inNode = againstCp(node, 'bert_base');
row('Node, bert_base, against cp', 3, inNode.ratio, '×');
row('Node, bert_base, peak memory', 200, inNode.peak, 'MB');
row('Node, bert_base FP16, against cp', 3.5, againstCp(node, 'bert_base', true).ratio, '×');
const started = inTurns([...node, '--version'], convert(node, 'mobilenetv2')).seconds;
row('Node, mo --version', 0.15, started[0], 's');
row('Node, mobilenetv2 (14 MB)', 0.4, started[1], 's');
const [short, long] = chains.map((model) => convert(native, model));
const grown = inTurns(short, long);
row('native, 10,000 to 100,000 nodes', 12, grown.seconds[1] / grown.seconds[0], '×');
row('native, 100,000 nodes, peak memory', 150, grown.peak, 'MB');
const hosts = inTurns(long, convert(node, chains[1])).seconds;
row('Node, 100,000 nodes, against native', 2, hosts[1] / hosts[0], '×');
const wide = ['wide_3gb.onnx', 'wide_3gb.data'];
const onPage = await page('f32', ...wide);
row('page, wide_3gb, files chosen to files offered', 2, onPage.seconds, 's');
row('page, wide_3gb, renderer', 150, onPage.peak, 'MB');
const halved = await page('f16', ...wide);
row('page, wide_3gb FP16, weights read and converted', 150, statSync(join(models, 'wide_3gb.data')).size / 1e6 / halved.seconds, 'MB/s', true);
row('page, wide_3gb FP16, renderer', 150, halved.peak, 'MB');
await savedModelRows();
await pairRows();
await weightRows();
verifierRows();
const wasm = readFileSync(join(root, 'dist/library/shared/core.wasm'));
const brotli = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } });
row('core.wasm, brotli', 1150, brotli.length / 1024, 'KB');

const lines = rows.map(tableRow);
writeFileSync(
  report,
  `# Benchmarks\n\n\`npm run bench\` measured this on ${new Date().toISOString().slice(0, 10)}, on 2 cores with a warm cache, in f32 unless the row says FP16. Times are medians of ` +
    `${turns} turns. Each turn runs beside a \`cp\` of the same model in the same folder, because only ratios count.\n\n` +
    `| what | budget | measured | held |\n|---|---|---|---|\n${lines.join('\n')}\n\n${inferenceOf(readFileSync(report, 'utf8'))}${operations()}`,
);
process.exit(rows.every((r) => r.held) ? 0 : 1);
