// Writes the tables of README.md and docs/ from the core's tables, docs/mo.1, and docs/spec-coverage.md:
// node scripts/generate-docs.mjs [--check]
//
// In each file the text between `<!-- NAME: generated … -->` and `<!-- end -->` is replaced; --check fails where it would change.
// Each message has its page, written by hand, in docs/errors/; pages that do not fit the table of messages are an error.
import './docs/plain-errors.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparison } from './docs/comparison.mjs';
import { contractTables, formerNames } from './docs/contracts.mjs';
import { conformanceCounts, conformanceReasons } from './docs/conformance.mjs';
import { errorPageFaults } from './docs/error-pages.mjs';
import { formatOperators } from './docs/format-operators.mjs';
import { optionTables, waitingOptions } from './docs/options.mjs';
import { chineseOperatorCounts, operatorCounts, operatorSentence, operatorTables } from './docs/operators.mjs';
import { tensorflowCounts, tensorflowOperators } from './docs/operators-tensorflow.mjs';
import { tfliteCounts, tfliteCustomOperators, tfliteOperators } from './docs/operators-tflite.mjs';
import { gallery } from './docs/gallery.mjs';
import { manPage } from './docs/man.mjs';
import { escape, read, root, table, tables } from './docs/source.mjs';
import { translatedErrors } from './docs/translated.mjs';

const errorTable = () =>
  table(
    ['code', 'what is wrong', 'what to do'],
    tables.errors.map(({ code, text, hint }) => [`[${code}](errors/${code}.md)`, escape(text), escape(hint)]),
  );

const chineseErrors = await translatedErrors('zh-Hans', ['代码', '问题', '处理方法']);

const transformTable = () =>
  table(
    ['transformation', 'phase', 'what it does'],
    tables.transforms.map(({ name, phase, description }) => [`\`${name}\``, phase, escape(description)]),
  );

const caffe = formatOperators('caffe', 'layer'), paddle = formatOperators('paddle', 'operator'), mxnet = formatOperators('mxnet', 'operator'), kaldi = formatOperators('kaldi', 'component'), pytorch = formatOperators('pytorch', 'operator');
const sections = {
  comparison,
  gallery,
  contracts: contractTables,
  former_names: formerNames,
  operators: operatorTables,
  operator_counts: operatorCounts,
  operator_counts_zh_Hans: chineseOperatorCounts,
  tensorflow_operators: tensorflowOperators,
  tensorflow_counts: tensorflowCounts,
  tflite_operators: tfliteOperators,
  tflite_custom_operators: tfliteCustomOperators,
  tflite_counts: tfliteCounts,
  caffe_operators: caffe.table,
  caffe_counts: caffe.counts,
  paddle_operators: paddle.table,
  paddle_counts: paddle.counts,
  mxnet_operators: mxnet.table,
  mxnet_counts: mxnet.counts,
  pytorch_operators: pytorch.table,
  pytorch_counts: pytorch.counts,
  kaldi_operators: kaldi.table,
  kaldi_counts: kaldi.counts,
  operations: operatorSentence,
  conformance_counts: conformanceCounts,
  conformance_reasons: conformanceReasons,
  options: optionTables,
  waiting_options: waitingOptions,
  errors: errorTable,
  errors_zh_Hans: () => chineseErrors(tables.errors),
  transformations: transformTable,
};
const check = process.argv.includes('--check');
let stale = 0;
for (const path of ['README.md', 'docs/operators.md', 'docs/operators-tensorflow.md', 'docs/operators-tflite.md', 'docs/operators-caffe.md', 'docs/operators-paddle.md', 'docs/operators-mxnet.md', 'docs/operators-pytorch.md', 'docs/operators-kaldi.md', 'docs/options.md', 'docs/conformance.md', 'docs/errors.md', 'docs/internal-operations.md', 'docs/transformations.md', 'docs/zoo.md', 'docs/zh-Hans/errors.md', 'docs/zh-Hans/operators.md']) {
  const before = read(path);
  const after = before.replaceAll(/(<!-- (\w+): generated[^>]*-->\n)[^]*?(<!-- end -->)/g, (_, head, name, end) => `${head}${sections[name]()}\n${end}`);
  if (after === before) continue;
  stale++;
  if (check) console.error(`${path} is not current: run node scripts/generate-docs.mjs`);
  else writeFileSync(join(root, path), after);
}
if (manPage() !== read('docs/mo.1')) {
  stale++;
  if (check) console.error('docs/mo.1 is not current: run node scripts/generate-docs.mjs');
  else writeFileSync(join(root, 'docs/mo.1'), manPage());
}
const faults = errorPageFaults(tables.errors);
for (const fault of faults) console.error(fault);
if ((check && stale) || faults.length > 0) process.exitCode = 1;
await import('./generate-spec-coverage.mjs');
