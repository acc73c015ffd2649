/**
 * A table of command lines: what comes of each natively, through the package's command, and through convert() where the line has only
 * options that it takes. `RECORD=1` writes what the native command gives into the table: read its diff.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

import { readTables } from '../../scripts/tables.mjs';
import { convert, MoError, type Options } from '../../dist/library/node/node.js';
import { writeArrays } from '../../web/skeleton/mxnet/arrays.js';
import { caffeMean, caffeNetwork, caffeWeights, fiveMapping } from './caffe_writer.js';
import { acousticModel, splicedNetwork } from './kaldi_models.js';
import { BOOL, INT64, seeded, writeOnnx, type Model } from './onnx_writer.js';
import { zip } from '../page/archives.js';
import { allFiles, root, runNative, runNode, temporaryFolder, type Outcome } from './support.js';

interface Row {
  /** A section of Model Optimizer's command line, an id of the specification, or another reason for the row. */
  source: string;
  line: string[];
  /** Variables of the environment. */
  env?: Record<string, string>;
  exit?: number;
  /** Of every IR: its path, inputs, outputs, and whether weights are f16. */
  gives?: string[];
  /** Other files that it made. */
  also?: string[];
  /** The first line of the standard output, if there is no IR. */
  prints?: string;
  /** The standard error. */
  says?: string;
  /** The native command's standard error, if only the package's command carries the line out; its exit code is 2. */
  refusal?: string;
}

const TABLE = join(root, 'tests/js/command_lines.json');
const rows = JSON.parse(readFileSync(TABLE, 'utf8')) as Row[];
const record = process.env['RECORD'] !== undefined;

const chain: Model = {
  nodes: [
    { op: 'Relu', name: 'first', inputs: ['x'], outputs: ['a'] },
    { op: 'Add', name: 'scope/second', inputs: ['a', 'y'], outputs: ['b'] },
    { op: 'Sigmoid', name: 'third', inputs: ['b'], outputs: ['c'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2, 3] }, { name: 'y', shape: [2, 3] }],
  outputs: [{ name: 'c', shape: [2, 3] }],
};
const dynamic: Model = {
  nodes: [{ op: 'Relu', name: 'relu', inputs: ['x'], outputs: ['y'] }, { op: 'Shape', name: 'shape', inputs: ['y'], outputs: ['s'] }],
  weights: [],
  inputs: [{ name: 'x', shape: ['N', 3] }],
  outputs: [{ name: 'y', shape: ['N', 3] }, { name: 's', shape: [2], type: INT64 }],
};
/** An IR: a Relu. */
const port = '<port id="ID" precision="FP32"><dim>2</dim></port>';
const goodIr = `<?xml version="1.0"?>
<net name="good" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output>${port.replace('ID', '0')}</output></layer>
<layer id="1" name="y" type="ReLU" version="opset1"><input>${port.replace('ID', '0')}</input><output>${port.replace('ID', '1')}</output></layer>
<layer id="2" name="y/sink_port_0" type="Result" version="opset1"><input>${port.replace('ID', '0')}</input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges></net>
`;
/** Two images: the second goes through no convolution. */
const image: Model = {
  nodes: [
    { op: 'Conv', name: 'conv', inputs: ['image', 'w'], outputs: ['features'], attributes: {} },
    { op: 'Relu', name: 'relu', inputs: ['features'], outputs: ['prob'] },
  ],
  weights: [{ name: 'w', shape: [4, 3, 3, 3], data: seeded(108) }],
  inputs: [{ name: 'image', shape: [1, 3, 8, 8] }],
  outputs: [{ name: 'prob', shape: [1, 4, 6, 6] }],
};
const branch = (op: string): Model =>
  ({ nodes: [{ op, inputs: ['x'], outputs: [op] }], weights: [], inputs: [], outputs: [{ name: op, shape: [2] }] });
const flag: Model = {
  nodes: [
    { op: 'If', name: 'if', inputs: ['flag'], outputs: ['z'], attributes: { then_branch: branch('Relu'), else_branch: branch('Abs') } },
    { op: 'Identity', name: 'number', inputs: ['n'], outputs: ['m'] },
  ],
  weights: [],
  inputs: [{ name: 'x', shape: [2] }, { name: 'flag', shape: [], type: BOOL }, { name: 'n', shape: [], type: INT64 }],
  outputs: [{ name: 'z', shape: [2] }, { name: 'm', shape: [], type: INT64 }],
};

/** A SavedModel with two graphs: that of `serve` has two signatures. */
const savedModel = ((): string => {
  const node = (name: string, op: string, inputs: string, attributes = '') =>
    `node { name: '${name}' op: '${op}' ${inputs} attr { key: '${op === 'Placeholder' ? 'dtype' : 'T'}' value { type: DT_FLOAT } } ${attributes} }\n`;
  const shape = "attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } }";
  const graph = `graph_def { ${node('x', 'Placeholder', '', shape)}${node('y', 'Relu', "input: 'x'")}${node('z', 'Tanh', "input: 'x'")} }`;
  const signature = (name: string, output: string) =>
    `signature_def { key: '${name}' value { inputs { key: 'x' value { name: 'x:0' } } outputs { key: '${name}_out' value { name: '${output}:0' } } } }\n`;
  return ['serve', 'train'].map((tag) => `meta_graphs { meta_info_def { tags: '${tag}' } ${graph} ${signature('serving_default', 'y')}${signature('other', 'z')} }\n`).join('');
})();

const mxnetSymbol = JSON.stringify({
  nodes: [
    { op: 'null', name: 'data', inputs: [] }, { op: 'null', name: 'c_weight', inputs: [] },
    { op: 'Convolution', name: 'c', attrs: { kernel: '(1, 1)', num_filter: '4', no_bias: 'True' }, inputs: [[0, 0, 0], [1, 0, 0]] },
  ],
  arg_nodes: [0, 1], heads: [[2, 0, 0]], attrs: { mxnet_version: ['int', 10901] },
});

function folderOfModels(): string {
  const folder = temporaryFolder();
  for (const [name, model] of Object.entries({ chain, dyn: dynamic, image, flag })) writeFileSync(join(folder, `${name}.onnx`), writeOnnx(model));
  for (const name of ['dotted.v2.onnx', '.hidden']) writeFileSync(join(folder, name), writeOnnx(chain));
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep/chain.onnx'), writeOnnx(chain));
  writeFileSync(join(folder, 'config.json'), '[]');
  writeFileSync(join(folder, 'pipeline.config'), 'model { ssd { num_classes: 3 image_resizer { fixed_shape_resizer { height: 300 width: 300 } } } }\n');
  mkdirSync(join(folder, 'saved'));
  writeFileSync(join(folder, 'saved/saved_model.pbtxt'), savedModel);
  writeFileSync(join(folder, 'graph.pbtxt'), "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\nnode { name: 'y' op: 'Relu' input: 'x' }\n");
  mkdirSync(join(folder, 'my_ext/ops'), { recursive: true });
  writeFileSync(join(folder, 'my_ext/ops/none.js'), 'export const none = 0;\n');
  writeFileSync(join(folder, 'text.txt'), 'no model');
  mkdirSync(join(folder, 'ir'));
  writeFileSync(join(folder, 'ir/good.xml'), goodIr);
  writeFileSync(join(folder, 'empty.onnx'), '');
  writeFileSync(join(folder, 'net.h5'), Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'));
  writeFileSync(join(folder, 'net.keras'), zip(['metadata.json', 'config.json', 'model.weights.h5'].map((path) => ({ path, content: '{}' }))));
  mkdirSync(join(folder, 'caffe/apart'), { recursive: true });
  writeFileSync(join(folder, 'caffe/net.caffemodel'), caffeWeights);
  writeFileSync(join(folder, 'caffe/map.xml'), fiveMapping);
  writeFileSync(join(folder, 'caffe/mean.binaryproto'), caffeMean);
  for (const name of ['net.prototxt', 'apart/other.prototxt']) writeFileSync(join(folder, 'caffe', name), caffeNetwork);
  mkdirSync(join(folder, 'mxnet/apart'), { recursive: true });
  for (const name of ['net-symbol.json', 'apart/other.json']) writeFileSync(join(folder, 'mxnet', name), mxnetSymbol);
  writeFileSync(join(folder, 'mxnet/net-0000.params'), writeArrays([{ name: 'arg:c_weight', type: 0, dims: [4, 3, 1, 1] }]));
  writeFileSync(join(folder, 'mxnet/tuned_args.nd'), writeArrays([{ name: 'c_weight', type: 0, dims: [4, 3, 1, 1] }]));
  writeFileSync(join(folder, 'mxnet/tuned_auxs.nd'), writeArrays([]));
  mkdirSync(join(folder, 'kaldi/vosk/am'), { recursive: true });
  for (const name of ['final.mdl', 'vosk/am/final.mdl']) writeFileSync(join(folder, 'kaldi', name), acousticModel('binary'));
  writeFileSync(join(folder, 'kaldi/final.nnet'), splicedNetwork('text'));
  writeFileSync(join(folder, 'kaldi/pdf.counts'), ' [ 30 10 ]\n');
  cpSync(join(root, 'tests/tf/recorded/saved/checkpoint_v2'), join(folder, 'beside'), { recursive: true });
  cpSync(join(root, 'tests/tf/recorded/saved/checkpoint_v1_shards'), join(folder, 'shards'), { recursive: true });
  cpSync(join(root, 'tests/tf/recorded/saved/meta_graph_v1_shards_partitioned'), join(folder, 'parts'), { recursive: true });
  cpSync(join(root, 'tests/tf/recorded/saved/meta_graph/model.ckpt.meta'), join(folder, 'beside/model.ckpt.meta'));
  return folder;
}

/** `x[2,3]{f32}, … -> c[2,3]{f32}`, with `f16` behind it if there are weights in f16. */
function summary(xml: string): string {
  const layers = (type: string) => [...xml.matchAll(new RegExp(`^\\t\\t<layer id="\\d+" name="([^"]*)" type="${type}"[^]*?^\\t\\t</layer>`, 'gm'))];
  const shape = (text: string) => [...text.matchAll(/<dim>(-?\d+)<\/dim>/g)].map(([, dim]) => dim).join(',');
  const inputs = layers('Parameter').map(([text, name]) => {
    const [, given, type] = /<data shape="([^"]*)" element_type="([^"]*)"/.exec(text)!;
    return `${name}[${given}]{${type}}`;
  });
  const outputs = layers('Result').map(([text, name]) => `${name}[${shape(text)}]`);
  return `${inputs.join(', ')} -> ${outputs.join(', ')}${/element_type="f16"/.test(xml) ? ' f16' : ''}`.trim();
}

/** What a command line did in a new folder of models. */
function outcome(run: (args: string[], cwd: string, env?: Record<string, string>) => Outcome, { line, env }: Row): Omit<Row, 'source' | 'line' | 'env'> {
  const folder = folderOfModels();
  const before = new Set(allFiles(folder));
  const { code, stdout, stderr } = run([...line], folder, env);
  const made = allFiles(folder).filter((path) => !before.has(path));
  const irs = made.filter((path) => path.endsWith('.xml'));
  const also = made.filter((path) => !/\.(xml|bin)$/.test(path));
  expect(made.filter((path) => path.endsWith('.bin')), line.join(' ')).toEqual(irs.map((path) => path.replace(/xml$/, 'bin')));
  return {
    exit: code!,
    ...(irs.length > 0 && { gives: irs.map((path) => `${path}: ${summary(readFileSync(join(folder, path), 'utf8'))}`) }),
    ...(also.length > 0 && { also }),
    ...(irs.length === 0 && stdout !== '' && { prints: stdout.split('\n')[0]!.replaceAll(folder, 'HERE') }),
    ...(stderr !== '' && { says: stderr.replaceAll(folder, 'HERE') }),
  };
}

/** An option as scripts/tables.mjs gives it. */
interface Option { name: string; kind: string; scope: string }

const options = new Map((readTables().options as Option[]).map((option) => [option.name, option]));

/** The options of convert() that the line gives; undefined for a line that convert() cannot have. */
function forLibrary(line: readonly string[], folder: string): { model: string; options: Record<string, unknown> } | undefined {
  const given: Record<string, unknown> = { compress_to_fp16: true };
  let model: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const [, name, attached] = /^--(\w+)(?:=(.*))?$/s.exec(line[at]!) ?? [];
    if (name === undefined) {
      if (model !== undefined || line[at]!.startsWith('-')) return undefined;
      model = line[at];
      continue;
    }
    const option = options.get(name);
    if (!option || option.scope === 'Host' || option.scope === 'Waiting' || name in given && name !== 'compress_to_fp16') return undefined;
    const flag = option.kind === 'Switch' || option.kind === 'Flag';
    const value = attached ?? (flag && !/^(true|false)$/i.test(line[at + 1] ?? '') ? 'True' : line[++at]);
    if (value === undefined || (name === 'model_name' && value === '') || (option.kind === 'Switch' && attached !== undefined)) return undefined;
    // The name of a built-in configuration is no file.
    given[name] = ['Path', 'Files'].includes(option.kind) && !value.includes('ssd_v2_support') ? pathToFileURL(join(folder, value)) : value;
  }
  return model === undefined ? undefined : { model: join(folder, model), options: given };
}

test.each(rows.map((row) => [row.line.join(' '), row] as const))('mo %s', async (_, row) => {
  const native = outcome(runNative, row);
  if (record && row.refusal === undefined) {
    for (const key of ['exit', 'gives', 'also', 'prints', 'says'] as const) delete row[key];
    Object.assign(row, native);
    return;
  }
  const { source: _source, line: _line, env, refusal, ...wanted } = row;
  expect(native).toEqual(refusal === undefined ? wanted : { exit: 2, says: refusal });
  expect(outcome(runNode, row)).toEqual(wanted);
  const folder = folderOfModels();
  // The library has no command line to misread, and takes models and files otherwise.
  const call = env || /^usage|MO6007|MO6022/.test(row.says ?? '') ? undefined : forLibrary(row.line, folder);
  if (!call) return;
  const done = await convert(call.model, call.options as Options).catch((error: unknown) => error as MoError);
  if (done instanceof MoError) {
    expect(row.exit).not.toBe(0);
    const message = done.messages.find(({ code }) => code === done.code)!;
    expect(row.says).toContain(`${done.code} ${message.text.replaceAll(folder, 'HERE')}`);
  } else {
    expect(row.gives?.[0]?.replace(/^[^:]*: /, '')).toBe(summary(done.xml));
    await done.bin.close();
  }
}, 30_000);

test('the table is as long as it has to be', () => {
  expect(rows.length).toBeGreaterThanOrEqual(150);
  expect(rows.filter(({ exit }) => exit !== 0).length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map(({ line, env }) => JSON.stringify([line, env]))).size).toBe(rows.length);
});

afterAll(() => {
  if (record) writeFileSync(TABLE, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
});
