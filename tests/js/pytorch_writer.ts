/** Programs of PyTorch for tests: the zip that torch.export.save writes, with stored entries. */
import { zip, type ZipEntry } from '../page/archives.js';

const tensor = (name: string) => ({ as_tensor: { name } });
const ints = (sizes: readonly number[]) => sizes.map((size) => ({ as_int: size }));
const meta = (sizes: readonly number[]) => ({ dtype: 7, sizes: ints(sizes), requires_grad: false, device: { type: 'cpu', index: null }, strides: [], storage_offset: { as_int: 0 }, layout: 7 });
const leaf = { type: null, context: null, children_spec: [] };
const returned = JSON.stringify([1, { type: 'builtins.dict', context: '["logits"]', children_spec: [leaf] }]);

/** `torch.ops.aten.TARGET(x + w)` for x and w of four numbers; its output has the key "logits". */
export function pytorchProgram(target = 'relu.default'): Record<string, unknown> {
  return {
    graph_module: {
      graph: {
        inputs: [tensor('p_w'), tensor('x')],
        outputs: [tensor('y')],
        nodes: [
          { target: 'torch.ops.aten.add.Tensor', inputs: [{ name: 'self', arg: tensor('x') }, { name: 'other', arg: tensor('p_w') }], outputs: [tensor('sum')], metadata: {} },
          {
            target: `torch.ops.aten.${target}`, inputs: [{ name: 'self', arg: tensor('sum') }], outputs: [tensor('y')],
            metadata: { nn_module_stack: 'a,,Net;b,block.act,Act', stack_trace: 'File "/home/me/secret.py", line 1' },
          },
        ],
        tensor_values: Object.fromEntries(['p_w', 'x', 'sum', 'y'].map((name) => [name, meta([2, 4].slice(name === 'p_w' ? 1 : 0))])),
        sym_int_values: {}, sym_bool_values: {}, is_single_tensor_return: false,
      },
      signature: {
        input_specs: [{ parameter: { arg: { name: 'p_w' }, parameter_name: 'w' } }, { user_input: { arg: tensor('x') } }],
        output_specs: [{ user_output: { arg: tensor('y') } }],
      },
      module_call_graph: [{ fqn: '', signature: { inputs: [], outputs: [], in_spec: '', out_spec: returned } }],
    },
    range_constraints: {}, schema_version: { major: 8, minor: 20 }, torch_version: '2.15.0',
  };
}

/** The archive; `more` replaces entries by their paths. `method` 8 compresses; entries of paths in `without` are left out. */
export function pytorchArchive(program: unknown = pytorchProgram(), more: readonly ZipEntry[] = [], method = 0, without: readonly string[] = []): Buffer {
  const weights = { config: { w: { path_name: 'weight_0', is_param: true, use_pickle: false, tensor_meta: { ...meta([4]), strides: ints([1]) } } } };
  const entries: ZipEntry[] = [
    { path: 'data/weights/weight_0', content: new Uint8Array(new Float32Array([1, 2, 3, 4]).buffer) },
    { path: 'data/weights/model_weights_config.json', content: JSON.stringify(weights) },
    { path: 'models/model.json', content: JSON.stringify(program) },
    { path: 'archive_format', content: 'pt2' },
    { path: 'archive_version', content: '0' },
    { path: 'byteorder', content: 'little' },
  ];
  const replaced = new Set([...without, ...more.map(({ path }) => path)]);
  return zip([...entries.filter(({ path }) => !replaced.has(path)), ...more].map((entry) => ({ method, ...entry, path: `net/${entry.path}` })));
}

/** Two programs, "encoder" and "decoder", in one archive. */
export function several(): Buffer {
  const weights = { config: { w: { path_name: 'weight_0', is_param: true, use_pickle: false, tensor_meta: { ...meta([4]), strides: ints([1]) } } } };
  const parts = ['encoder', 'decoder'].flatMap((name, at) => [
    { path: `data/weights/${name}_weights_config.json`, content: JSON.stringify(weights) },
    { path: `models/${name}.json`, content: JSON.stringify(pytorchProgram(at === 0 ? 'relu.default' : 'tanh.default')) },
  ]);
  return pytorchArchive(undefined, parts, 0, ['data/weights/model_weights_config.json', 'models/model.json']);
}

/** A package of AOTInductor: machine code, and no program. */
export const packaged = (): Buffer => zip([
  { path: 'net/data/aotinductor/model/model.so', content: '\x7fELF', method: 0 },
  { path: 'net/archive_format', content: 'pt2', method: 0 },
  { path: 'net/archive_version', content: '0', method: 0 },
]);
