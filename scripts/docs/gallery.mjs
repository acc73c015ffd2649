// The gallery of docs/zoo.md: the trained models of tests/zoo.json with their source and licence, what the table of the last run says of them, and the times of tests/zoo/times.py.
import { escape, read, table } from './source.mjs';

const { packages, models } = JSON.parse(read('tests/zoo.json'));

/** Formats by the ending of the file; a folder is a SavedModel, or what `inside` says. */
const FORMATS = { onnx: 'ONNX', pb: 'TensorFlow, graph', meta: 'TensorFlow, MetaGraph', tflite: 'TensorFlow Lite', caffemodel: 'Caffe', pdmodel: 'PaddlePaddle 2', json: 'PaddlePaddle 3' };

function formatOf({ file, inside }) {
  const ending = /\.(\w+)$/.exec(inside ?? file.split('/').at(-1))?.[1];
  return FORMATS[ending] ?? 'TensorFlow, SavedModel';
}

/** The rows of the table that `npm run zoo -- --docs` writes, by the name of the model. */
function measured() {
  const text = /<!-- table -->\n([^]*?)<!-- end of table -->/.exec(read('docs/zoo.md'))[1];
  return new Map(text.trimEnd().split('\n').slice(2).map((line) => {
    const [name, , , operations, , size, error] = line.split('|').slice(1, -1).map((cell) => cell.trim());
    return [name, { operations, size, error }];
  }));
}

const times = JSON.parse(read('tests/zoo/times.json'));
const ms = (value) => (value === undefined ? '-' : String(value));

/** What is written as `here / ovc`; `-` where ovc refuses the model. */
const both = (pair) => pair.split(' / ');

export function gallery() {
  const rows = measured();
  const trained = models.filter(({ package: name }) => name !== undefined);
  return table(
    ['model', 'what it is', 'format', 'source', 'licence', 'conversion, ms', '`.bin`, KB', 'operations, here / `ovc`', 'inference, ms, here / `ovc`', '`ovc` 2026.4.1', 'error'],
    trained.map((model) => {
      const { version, licence } = packages[model.package];
      const row = rows.get(model.name), { convert, here, ovc, refused } = times[model.name];
      const head = [model.name, model.family, formatOf(model), `${model.package} ${version}, \`${model.file.split('/').at(-1)}\``, licence, ms(convert)];
      if (!row) return [...head, 'not in the last run', '', '', '', ''];
      const [size] = both(row.size);
      const verdict = refused === undefined ? 'converts it' : `refuses it: ${escape(refused)}`;
      return [...head, size, row.operations, `${ms(here)} / ${ms(ovc)}`, verdict, row.error.split(',')[0]];
    }),
  );
}
