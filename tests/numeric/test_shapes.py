"""IRs whose shapes the runtime computes itself: reshaped in the runtime, and without the shapes that the IR states."""
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import onnx.parser
import pytest

import judge

# Rewrites and decompositions that compute with shapes, or could freeze one: text of the model, and the shapes of its inputs.
MODELS = {
    "flatten": ("float[2, 3, 4] x) => (float[M, N] y) { y = Flatten <axis = 2> (x) }", [(2, 3, 4), (5, 4, 6)]),
    "flatten_and_reshape": ("""float[2, 6, 4] x) => (float[a, b, c] y)
        <int64[3] target = {0, 3, -1}> { f = Flatten (x)  y = Reshape (x, target) }""", [(2, 6, 4), (3, 9, 5)]),
    "softmax_of_flattened": ("float[2, 3, 4] x) => (float[2, 3, 4] y) { y = Softmax <axis = 1> (x) }", [(2, 3, 4), (4, 2, 5)], 11),
    "shape_sub_graph": ("""float[2, 3, 4] x) => (float[a, b] y) <int64[1] zero = {0}, int64[1] rest = {-1}>
        { s = Shape (x)  n = Gather (s, zero)  t = Concat <axis = 0> (n, rest)  y = Reshape (x, t) }""", [(2, 3, 4), (5, 2, 2)]),
    "swish": ("float[2, 3] x) => (float[2, 3] y) { s = Sigmoid (x)  y = Mul (x, s) }", [(2, 3), (4, 7)]),
    "mish": ("float[2, 3] x) => (float[2, 3] y) { s = Softplus (x)  t = Tanh (s)  y = Mul (x, t) }", [(2, 3), (4, 7)]),
    "layer_norm": ("""float[2, 3, 8] x) => (float[2, 3, 8] y) <float two = {2}, float small = {0.001}>
        { m = ReduceMean <axes = [-1]> (x)  d = Sub (x, m)  p = Pow (d, two)  v = ReduceMean <axes = [-1]> (p)  e = Add (v, small)
          r = Sqrt (e)  y = Div (d, r) }""", [(2, 3, 8), (4, 5, 6)]),
    "l2_norm": ("float[2, 6] x) => (float[2, 6] y) { y = LpNormalization <axis = 1, p = 2> (x) }", [(2, 6), (3, 9)]),
    "instance_norm": ("""float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y) <float[2] scale = {1, 2}, float[2] bias = {0, 1}>
        { y = InstanceNormalization (x, scale, bias) }""", [(1, 2, 4, 4), (3, 2, 5, 7)]),
    "channel_shuffle": ("""float[1, 4, 2, 3] x) => (float[a, b, c, d] y) <int64[5] apart = {0, 2, 2, -1, 3}, int64[4] together = {0, 4, -1, 3}>
        { r = Relu (x)  g = Reshape (r, apart)  t = Transpose <perm = [0, 2, 1, 3, 4]> (g)  y = Reshape (t, together) }""",
                        [(1, 4, 2, 3), (2, 4, 5, 3)]),
    "space_to_depth": ("float[1, 2, 4, 4] x) => (float[1, 8, 2, 2] y) { y = SpaceToDepth <blocksize = 2> (x) }", [(1, 2, 4, 4), (2, 3, 6, 8)]),
    "resize": ("""float[1, 2, 4, 4] x) => (float[a, b, c, d] y) <float[4] scales = {1, 1, 2, 2}>
        { y = Resize <mode = "linear"> (x, , scales) }""", [(1, 2, 4, 4), (2, 3, 5, 3)]),
    "global_pool": ("float[1, 2, 4, 4] x) => (float[1, 2, 1, 1] y) { y = GlobalAveragePool (x) }", [(1, 2, 4, 4), (2, 3, 5, 3)]),
    "expand": ("""float[2, 1] x) => (float[a, b] y) <int64[2] target = {1, 3}> { y = Expand (x, target) }""", [(2, 1), (5, 1)]),
    "tile": ("float[2, 3] x) => (float[a, b] y) <int64[2] times = {2, 1}> { y = Tile (x, times) }", [(2, 3), (4, 5)]),
    "arg_max": ("float[2, 3] x) => (int64[a, b] y) { y = ArgMax <axis = 1> (x) }", [(2, 3), (4, 5)]),
    "one_direction_lstm": ("""float[3, 2, 4] x, float[1, 8, 4] w, float[1, 8, 2] r) => (float[a, b, c, d] y)
        { y = LSTM <hidden_size = 2> (x, w, r) }""", [(3, 2, 4), (5, 3, 4)]),
    "convolution": ("""float[1, 2, 6, 6] x, float[3, 2, 3, 3] w) => (float[a, b, c, d] y)
        { y = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, w) }""", [(1, 2, 6, 6), (3, 2, 7, 9)]),
}


def model_of(name, folder, shape=None):
    """The model, its input x of another shape and the shapes of its outputs left out."""
    text, _, opset = (*MODELS[name], 13)[:3]
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> g ({text}')
    if shape:
        for dimension, size in zip(model.graph.input[0].type.tensor_type.shape.dim, shape):
            dimension.dim_value = size
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    path = str(folder / f"{name}{'_again' if shape else ''}.onnx")
    onnx.save(model, path)
    return model, path


def feeds_of(model, shape, random):
    out = {}
    for index, value in enumerate(model.graph.input):
        dims = shape if index == 0 else [d.dim_value for d in value.type.tensor_type.shape.dim]
        out[value.name] = random.standard_normal(dims, dtype=np.float32)
    return out


def infer(model, feeds):
    result = judge.compiled_for_cpu(model)(feeds)
    return {name: array for port, array in result.items() for name in port.get_names()}


def assert_numbers(got, want):
    for name, array in want.items():
        assert got[name].shape == array.shape, name
        np.testing.assert_allclose(got[name], array, rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("name", MODELS)
def test_F_06_AndF_07_a_model_reshaped_in_the_runtime_gives_the_numbers_of_the_other_shape(name, tmp_path):
    random = np.random.default_rng(3)
    _, (first, second) = MODELS[name][:2]
    original, path = model_of(name, tmp_path)
    read = judge.core().read_model(judge.convert(path, tmp_path))
    feeds = feeds_of(original, first, random)
    assert_numbers(infer(read, feeds), judge.in_onnxruntime(path, feeds))

    again, other = model_of(name, tmp_path, second)
    read.reshape({"x": list(second)})
    feeds = feeds_of(again, second, random)
    assert_numbers(infer(read, feeds), judge.in_onnxruntime(other, feeds))


def test_F_07_a_real_model_is_reshaped_in_the_runtime(model, tmp_path):
    shape = (2, 3, 160, 192)
    read = judge.core().read_model(judge.convert(model("mobilenetv2"), tmp_path, "--input_shape=[1,3,224,224]"))
    assert list(read.inputs[0].shape) == [1, 3, 224, 224]
    read.reshape(list(shape))
    again = onnx.load(model("mobilenetv2"))
    for dimension, size in zip(again.graph.input[0].type.tensor_type.shape.dim, shape):
        dimension.dim_value = size
    again.graph.ClearField("value_info")
    onnx.save(again, tmp_path / "again.onnx")
    feeds = {"input": np.random.default_rng(7).standard_normal(shape, dtype=np.float32)}
    want, got = judge.in_onnxruntime(str(tmp_path / "again.onnx"), feeds), infer(read, feeds)
    for key, array in want.items():
        assert judge.relative_error(got[key], array) <= 1e-3, key


def test_F_06_static_shape_freezes_what_is_reshaped_here(tmp_path):
    """What the option is for; a rewrite that froze a shape would end like this."""
    _, path = model_of("shape_sub_graph", tmp_path)
    read = judge.core().read_model(judge.convert(path, tmp_path, "--static_shape"))
    read.reshape({"x": [5, 2, 2]})
    assert list(read.outputs[0].shape) == [2, 10]


def stripped(xml):
    """The IR without the dimensions of any port. Gives the number of ports that have lost some."""
    tree = ET.parse(xml)
    ports = 0
    for port in tree.getroot().iter("port"):
        dims = port.findall("dim")
        ports += bool(dims)
        for dim in dims:
            port.remove(dim)
    tree.write(xml)
    return ports


@pytest.mark.parametrize("name", MODELS)
def test_I_06_an_ir_without_the_shapes_of_ports_loads_and_gives_the_same_numbers(name, tmp_path):
    original, path = model_of(name, tmp_path)
    xml = judge.convert(path, tmp_path)
    feeds = feeds_of(original, MODELS[name][1][0], np.random.default_rng(3))
    before = infer(judge.core().read_model(xml), feeds)
    assert stripped(xml) >= 2
    assert "<dim>" not in open(xml).read()
    net = ET.parse(xml).getroot()
    shapes = [layer.find("data").get("shape") for layer in net.find("layers") if layer.get("type") in ("Parameter", "Const")]
    assert shapes and None not in shapes
    read = judge.core().read_model(xml)
    assert [list(port.shape) for port in read.inputs] == [[d.dim_value for d in i.type.tensor_type.shape.dim] for i in original.graph.input]
    for output, array in infer(read, feeds).items():
        np.testing.assert_array_equal(array, before[output])


def test_I_06_a_real_model_without_them_loads(model, tmp_path):
    xml = judge.convert(model("mobilenetv2"), tmp_path)
    feeds = {"input": np.random.default_rng(7).standard_normal((1, 3, 224, 224), dtype=np.float32)}
    assert stripped(xml) > 300
    judge.assert_same(model("mobilenetv2"), xml, feeds)


def test_I_06_without_the_shape_of_a_constant_it_does_not_load(model, tmp_path):
    _, path = model_of("convolution", tmp_path)
    xml = judge.convert(path, tmp_path)
    text = open(xml).read()
    assert 'shape="1,2,6,6"' in text
    with open(xml, "w") as file:
        file.write(text.replace(' shape="1,2,6,6"', ""))
    with pytest.raises(RuntimeError):
        judge.core().read_model(xml)


def test_a_denotation_hides_no_size(tmp_path):
    """It is a field of its own behind the size; many exporters of images write it."""
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["": 13]> g (float[2, N, 4] x) => (float[2, N, 4] y) { y = Relu (x) }')
    for dimension, name in zip(model.graph.input[0].type.tensor_type.shape.dim, ("DATA_BATCH", "DATA_FEATURE", "DATA_CHANNEL")):
        dimension.denotation = name
    onnx.save(model, tmp_path / "m.onnx")
    read = judge.core().read_model(judge.convert(str(tmp_path / "m.onnx"), tmp_path))
    assert str(read.inputs[0].partial_shape) == "[2,?,4]"
