// README's table against other converters. Cases are counted in the lists that the tests hold; what is measured by hand stands here, with the command in the last column.
import { read, table, thousands } from './source.mjs';

/** How many cases a list has. */
const cases = (path) => thousands(read(`tests/${path}`).split('\n').filter((line) => line !== '' && !line.startsWith('#')).length);
const judged = /(\d[\d,]*) are judged/.exec(read('docs/conformance.md'))[1];
/** What others pass is said in docs/conformance.md. */
const [, ovc, mo] = /`ovc` 2026\.4\.1 passes ([\d,]+) cases[^]*?passes ([\d,]+)\./.exec(read('docs/conformance.md'));

const of = (format, folder, others, test) => [`${format}: passed cases`, cases(`${folder}/passing.txt`), ...others.map((list) => (list.endsWith('.txt') ? cases(`${folder}/${list}`) : list)), `\`tests/numeric/${test}.py\` ¹`];

export const comparison = () => table(['', 'here', '`mo` 2023.3', '`ovc` 2026.4', 'measured by'], [
  ['which of the eight formats', 'all', 'all but PyTorch\'s programs', 'ONNX, TensorFlow, TensorFlow Lite, PaddlePaddle; `.pt2` where PyTorch is installed', '[`formats.def`](core/front/formats.def), the documents of both'],
  [`ONNX backend cases, of ${judged}`, cases('conformance/passing.txt'), `${mo} (legacy path)`, ovc, '`npm run conformance`; [Conformance](docs/conformance.md)'],
  of('TensorFlow', 'tf', ['original.txt', 'reference.txt'], 'test_tf'),
  of('TensorFlow Lite', 'tflite', ['original.txt', 'reference.txt'], 'test_tflite'),
  of('PaddlePaddle 2', 'paddle', ['not judged', 'reference.txt'], 'test_paddle'),
  of('MXNet', 'mxnet', ['original.txt', 'not read'], 'test_mxnet'),
  ['`bert_base`, 436 MB of ONNX: memory', '14 MB', '922 MB', '905 MB', '`python3 scripts/measure.py COMMAND` ²'],
  ['the same model: time, best of three in turns', '0.3 s', '11.5 s', '5.5 s', 'the same ²'],
  ['runs', 'natively, in Node, in a browser', 'in Python', 'in Python', '`npm test`'],
  ['works without a network', 'yes, all three', 'yes, once installed', 'yes, once installed', '`tests/page/offline.test.ts`'],
  ['extensions', 'JavaScript in text files, C++', 'Python', 'C++, Python', '`tests/js/examples.test.ts`'],
  ['IRs are verified and compared', 'yes, of any converter: [`mo --verify`, `mo --compare`](docs/verify.md)', 'no such command', 'no such command', '`tests/cli/test_verify.py`'],
]);
