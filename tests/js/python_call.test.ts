/** Calls of Python's convert_model, and lines of ovc, that are pasted instead of a command line of mo. */
import { describe, expect, it } from 'vitest';

import { callOf } from '../../web/options/program.js';
import { pythonCall } from '../../web/options/python-call.js';
import { LineError } from '../../web/options/split.js';

describe('convert_model', () => {
  it.each<[text: string, args: string[]]>([
    ['from openvino.tools.mo import convert_model\nov_model = convert_model("a.onnx", input_shape=[1, 3, 224, 224], mean_values=[123.675, 116.28, 103.53])',
      ['a.onnx', '--input_shape=[1,3,224,224]', '--mean_values=[123.675,116.28,103.53]']],
    [`import openvino as ov\nov_model = ov.convert_model('net/model.pb', input=[("ids", [1, -1], ov.Type.i64), ("mask", ov.PartialShape([1, 128]))])\nov.save_model(ov_model, "out/net.xml", compress_to_fp16=False)`,
      ['net/model.pb', '--input=ids[1,?]{i64},mask[1,128]', '--output_dir=out', '--model_name=net', '--compress_to_fp16=False']],
    ['mo.convert_model(\n    "m.onnx",  # the model\n    layout={"x": "nhwc", "y": \'nc\'},\n    scale_values={"x": (58.395, 57.12, 57.375)},\n    reverse_input_channels=True,\n)',
      ['m.onnx', '--layout=x(nhwc),y(nc)', '--scale_values=x[58.395,57.12,57.375]', '--reverse_input_channels=True']],
    ['convert_model(input_model=Path("a.onnx"), input=[1, (1, 8), -1], output=["a", "b"], compress_to_fp16=False)', ['a.onnx', '--input_shape=[1,1..8,?]', '--output=a,b', '--compress_to_fp16=False']],
    ['convert_model("a.onnx", input={"x": [1, 3], "y": [2]}, output=None)', ['a.onnx', '--input=x[1,3],y[2]']],
    ['convert_model("a.onnx", input="x[1,3],y", source_layout=Layout("nchw"))', ['a.onnx', '--input=x[1,3],y', '--source_layout=nchw']],
    ['convert_model("a.onnx", input=("x", [1, 3], np.float32))', ['a.onnx', '--input=x[1,3]{f32}']],
    ['convert_model("a.onnx", input_shape=[[1, 3], [1, 4]])', ['a.onnx', '--input_shape=[1,3],[1,4]']],
    [String.raw`convert_model(r"C:\nets\a.onnx")`, [String.raw`C:\nets\a.onnx`]],
  ])('%s', (text, args) => expect(pythonCall(text)).toMatchObject({ program: 'mo', args, hasFile: true, idle: [] }));

  it('says what means nothing outside of Python', () => {
    expect(pythonCall('ov.convert_model(model, example_input=torch.zeros((1, 3), dtype=torch.float32), input=[batch, 3], share_weights=False)'))
      .toMatchObject({ args: ['model'], hasFile: false, idle: ['example_input', 'input', 'share_weights'] });
  });

  it.each(['convert_model("a.onnx", ', 'convert_model([1, 2)', 'convert_model("a.onnx"]', 'convert_model({"a": }', `convert_model(${'['.repeat(50_000)}`, `convert_model(${'{'.repeat(50_000)}`])('%.40s has no end', (text) =>
    expect(() => pythonCall(text)).toThrow(LineError));

  it.each([['[', ']'], ['{', '}']])('%s may stand in %s so often', (open, close) => {
    const nested = (times: number) => `convert_model("a.onnx", example_input=${open.repeat(times)}${close.repeat(times)})`;
    expect(pythonCall(nested(20))).toMatchObject({ args: ['a.onnx'], idle: ['example_input'] });
    expect(() => pythonCall(nested(21))).toThrow('nested too deep');
  });

  it('is none in a command line', () => {
    for (const text of ['mo a.onnx', 'mo convert_model.onnx', 'my_convert_model(1)']) expect(pythonCall(text)).toBeUndefined();
  });
});

describe('ovc', () => {
  it.each<[words: string[], args: string[]]>([
    [['ovc', 'model.onnx', '--output_model', 'out/x', '--input', 'a[1,3]', '--compress_to_fp16=False'], ['model.onnx', '--output_dir=out', '--model_name=x', '--input', 'a[1,3]', '--compress_to_fp16=False']],
    [['ovc', 'model.onnx', '--output_model=x.xml', '--verbose'], ['model.onnx', '--model_name=x']],
  ])('%j', (words, args) => expect(callOf(words)).toEqual({ program: 'mo', args, environment: {} }));
});
