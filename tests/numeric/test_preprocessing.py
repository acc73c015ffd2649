"""Models with preprocessing options, against the same model in ONNX Runtime on inputs that were preprocessed by numpy."""
import onnx
import onnx.numpy_helper
import onnx.parser
import numpy as np
import pytest

import judge

RANDOM = np.random.default_rng(5)
MEAN, SCALE = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
MEANS, SCALES = "(123.675,116.28,103.53)", "[58.395,57.12,57.375]"


def image(*shape, low=0, high=255):
    return RANDOM.uniform(low, high, shape).astype(np.float32)


def onnx_model(folder, text, weights=(), name="m"):
    proto = onnx.parser.parse_model('<ir_version: 8, opset_import: ["": 17]> g (' + text)
    proto.graph.initializer.extend(onnx.numpy_helper.from_array(array, n) for n, array in weights)
    path = str(folder / f"{name}.onnx")
    onnx.save(proto, path)
    return path


def conv_model(folder, pads="", shape="N, 3, 16, 12"):
    weights = [("w", RANDOM.standard_normal((4, 3, 3, 3), dtype=np.float32)), ("b", RANDOM.standard_normal(4, dtype=np.float32))]
    return onnx_model(folder, f"float[{shape}] x) => (float[N, 4, A, B] y) {{ y = Conv{pads} (x, w, b) }}", weights)


def relu_model(folder, shape="N, 3, 16, 12", dtype="float"):
    return onnx_model(folder, f"{dtype}[{shape}] x) => ({dtype}[{shape}] y) {{ y = Abs (x) }}")


def by_channel(numbers, axis, rank):
    form = [1] * rank
    form[axis] = len(numbers)
    return np.array(numbers, np.float32).reshape(form)


def layers(xml, *kinds):
    return [op.get_type_name() for op in judge.core().read_model(xml).get_ops() if not kinds or op.get_type_name() in kinds]


def assert_numbers(path, xml, fed, wanted, tolerance=1e-4):
    """`fed` goes to the IR, `wanted` to the model."""
    want, got = judge.in_onnxruntime(path, wanted), judge.in_openvino(xml, fed)
    for name, array in want.items():
        assert judge.relative_error(got[name], array) <= tolerance, name


COMBINATIONS = {
    "mean": (["--mean_values", MEANS], MEAN, [1], False),
    "scale values": (["--scale_values", SCALES], [0], SCALE, False),
    "scale": (["--scale", "127.5"], [0], [127.5], False),
    "mean and scale": (["--scale_values", SCALES, "--mean_values", MEANS], MEAN, SCALE, False),
    "one mean": (["--mean_values", "(127.5)", "-s", "127.5"], [127.5], [127.5], False),
    "reverse": (["--reverse_input_channels"], [0], [1], True),
    "all": (["--mean_values", MEANS, "--scale_values", SCALES, "--reverse_input_channels"], MEAN, SCALE, True),
}


@pytest.mark.parametrize("layout", ["", "nchw->nhwc", "nchw->cnwh"])
@pytest.mark.parametrize("pads", ["", "<pads = [1, 1, 1, 1]>", "<strides = [2, 2], auto_pad = \"SAME_UPPER\">", "no convolution"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_numbers_are_those_of_a_preprocessed_input(tmp_path, name, pads, layout):
    options, mean, scale, reverses = COMBINATIONS[name]
    path = relu_model(tmp_path) if pads == "no convolution" else conv_model(tmp_path, pads)
    x = image(2, 3, 16, 12)
    wanted = ((x[:, ::-1] if reverses else x) - by_channel(mean, 1, 4)) / by_channel(scale, 1, 4)
    fed = x
    if layout:
        options = [*options, "--layout", layout]
        fed = np.ascontiguousarray(x.transpose(["nchw".index(axis) for axis in layout[6:]]))
    xml = judge.convert(path, tmp_path, *options)
    assert_numbers(path, xml, {"x": fed}, {"x": wanted.astype(np.float32)})
    if name == "all" and layout:
        got = judge.in_openvino_2023(xml, {"x": fed}, tmp_path)
        assert judge.relative_error(got["y"], judge.in_onnxruntime(path, {"x": wanted.astype(np.float32)})["y"]) <= 1e-4


@pytest.mark.parametrize("name", COMBINATIONS)
def test_what_is_fused_leaves_no_operation_behind(tmp_path, name):
    """Without padding all preprocessing is fused; with padding, all but the mean."""
    options = COMBINATIONS[name][0]
    without = layers(judge.convert(conv_model(tmp_path), tmp_path, "--input_shape", "[2,3,16,12]"))
    assert layers(judge.convert(conv_model(tmp_path), tmp_path, *options, "--input_shape", "[2,3,16,12]")) == without
    padded = judge.convert(conv_model(tmp_path, "<pads = [1, 1, 1, 1]>"), tmp_path, *options)
    assert len(layers(padded, "Add", "Multiply", "Gather", "Divide", "Subtract")) == 1 + ("--mean_values" in options)


@pytest.mark.parametrize("pads", ["", "<pads = [1, 1, 1, 1]>"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_a_transpose_of_the_model_is_no_obstacle(tmp_path, name, pads):
    """As exporters of NHWC models write it."""
    options, mean, scale, reverses = COMBINATIONS[name]
    weights = [("w", RANDOM.standard_normal((4, 3, 3, 3), dtype=np.float32))]
    path = onnx_model(tmp_path, f"""float[2, 16, 12, 3] x) => (float[2, 4, A, B] y) {{
        t = Transpose <perm = [0, 3, 1, 2]> (x) y = Conv {pads} (t, w) }}""", weights)
    x = image(2, 16, 12, 3)
    xml = judge.convert(path, tmp_path, *options, "--layout", "nhwc")
    assert len(layers(xml, "Add", "Multiply", "Gather", "Divide", "Subtract")) == ("--mean_values" in options)
    assert_numbers(path, xml, {"x": x}, {"x": (((x[..., ::-1] if reverses else x) - mean) / scale).astype(np.float32)})


def test_weights_computed_in_many_steps(tmp_path):
    """Transposed, scaled by a batch normalization, reversed, scaled again, compressed."""
    parameters = {"gamma": 1.5, "beta": 0.5, "mean": 0.25, "variance": 2.0}
    weights = [("w", RANDOM.standard_normal((3, 3, 3, 4), dtype=np.float32)),
               *((name, np.full(4, value, np.float32)) for name, value in parameters.items())]
    path = onnx_model(tmp_path, """float[1, 3, 16, 12] x) => (float[1, 4, A, B] y) {
        v = Transpose <perm = [3, 2, 0, 1]> (w) c = Conv (x, v) y = BatchNormalization (c, gamma, beta, mean, variance) }""", weights)
    x = image(1, 3, 16, 12)
    xml = judge.convert(path, tmp_path, "--reverse_input_channels", "--scale", "127.5", compress=True)
    assert layers(xml, "Gather", "Multiply", "Divide", "BatchNormInference") == []
    assert_numbers(path, xml, {"x": x}, {"x": x[:, ::-1] / np.float32(127.5)}, tolerance=1e-3)


@pytest.mark.parametrize("axis, layout, shape", [(0, "chw", (3, 8, 9)), (2, "hwc", (8, 9, 3)), (1, "nchw", (2, 3, 8, 9)), (3, "nhwc", (2, 8, 9, 3)),
                                                 (1, "ncdhw", (2, 3, 4, 5, 6)), (4, "ndhwc", (2, 4, 5, 6, 3))])
@pytest.mark.parametrize("told", [False, True])
def test_channels_are_found_or_told(tmp_path, axis, layout, shape, told):
    path = relu_model(tmp_path, ", ".join(map(str, shape)))
    x = image(*shape)
    xml = judge.convert(path, tmp_path, "--mean_values", MEANS, "--reverse_input_channels", *(["--layout", layout] if told else []))
    assert_numbers(path, xml, {"x": x}, {"x": np.flip(x, axis) - by_channel(MEAN, axis, len(shape))})


def two_inputs(folder):
    return onnx_model(folder, "float[2, 3, 4, 5] a, float[2, 3, 4, 5] b) => (float[2, 3, 4, 5] y) { c = Tanh (b) y = Sub (a, c) }")


@pytest.mark.parametrize("options", [["--mean_values", "(2,3,4),(0.5)", "--scale_values", "(9),(1,2,4)"],
                                     ["--mean_values", "b(0.5),a(2,3,4)", "--scale_values", "a[9],b[1,2,4]"],
                                     ["--input", "b,a", "--mean_values", "(0.5),(2,3,4)", "--scale_values", "(1,2,4),(9)"]])
def test_two_inputs_by_order_and_by_name(tmp_path, options):
    path, a, b = two_inputs(tmp_path), image(2, 3, 4, 5), image(2, 3, 4, 5, low=-3, high=3)
    xml = judge.convert(path, tmp_path, *options)
    wanted = {"a": (a - by_channel([2, 3, 4], 1, 4)) / 9, "b": (b - 0.5) / by_channel([1, 2, 4], 1, 4)}
    assert_numbers(path, xml, {"a": a, "b": b}, wanted)


def test_layouts_of_two_inputs(tmp_path):
    path, a, b = two_inputs(tmp_path), image(2, 3, 4, 5), image(2, 3, 4, 5, low=-3, high=3)
    xml = judge.convert(path, tmp_path, "--layout", "nchw->nhwc,nchw->wnch", "--reverse_input_channels")
    assert_numbers(path, xml, {"a": np.ascontiguousarray(a.transpose(0, 2, 3, 1)), "b": np.ascontiguousarray(b.transpose(3, 0, 1, 2))},
                   {"a": np.ascontiguousarray(a[:, ::-1]), "b": np.ascontiguousarray(b[:, ::-1])})


def test_an_input_of_bytes_is_reversed_and_turned(tmp_path):
    path = onnx_model(tmp_path, "uint8[2, 3, 4, 5] x) => (float[2, 3, 4, 5] y) { y = Cast <to = 1> (x) }")
    x = RANDOM.integers(0, 255, (2, 4, 5, 3)).astype(np.uint8)
    xml = judge.convert(path, tmp_path, "--layout", "nchw->nhwc", "--reverse_input_channels")
    assert_numbers(path, xml, {"x": x}, {"x": np.ascontiguousarray(x.transpose(0, 3, 1, 2)[:, ::-1])}, 0)


def test_dynamic_shapes(tmp_path):
    path = relu_model(tmp_path, "N, C, H, W")
    xml = judge.convert(path, tmp_path, "--layout", "nchw->nhwc", "--reverse_input_channels", "--mean_values", MEANS, "--scale", "3")
    x = image(2, 6, 7, 3)
    wanted = (x.transpose(0, 3, 1, 2)[:, ::-1] - by_channel(MEAN, 1, 4)) / np.float32(3)
    assert_numbers(path, xml, {"x": x}, {"x": wanted})


def test_halves(tmp_path):
    path = onnx_model(tmp_path, "float16[2, 3, 4, 5] x) => (float[2, 3, 4, 5] y) { y = Cast <to = 1> (x) }")
    x = image(2, 3, 4, 5).astype(np.float16)
    xml = judge.convert(path, tmp_path, "--mean_values", "(1,2,3)", "--scale", "4")
    got = judge.in_openvino(xml, {"x": x})["y"]
    assert judge.relative_error(got, (x.astype(np.float32) - by_channel([1, 2, 3], 1, 4)) / 4) < 1e-3


def test_outputs_turn_too_and_keep_their_names(tmp_path):
    path, x = conv_model(tmp_path), image(2, 3, 16, 12)
    xml = judge.convert(path, tmp_path, "--layout", "x(nchw),y(nchw->nhwc)")
    want, got = judge.in_onnxruntime(path, {"x": x})["y"], judge.in_openvino(xml, {"x": x})["y"]
    assert judge.relative_error(got, np.ascontiguousarray(want.transpose(0, 2, 3, 1))) < 1e-4


def test_the_runtime_reads_the_layouts(tmp_path):
    path = conv_model(tmp_path)
    model = judge.core().read_model(judge.convert(path, tmp_path, "--layout", "x(nchw->nhwc),y([n,c,...])", "--mean_values", MEANS))
    assert str(model.get_parameters()[0].layout) == "[N,H,W,C]"
    assert str(model.get_results()[0].layout) == "[N,C,...]"
    guessed = judge.core().read_model(judge.convert(path, tmp_path, "--mean_values", MEANS, "--reverse_input_channels"))
    assert guessed.get_parameters()[0].layout.empty


@pytest.mark.parametrize("name", ["resnet50", "mobilenetv2"])
def test_models_of_real_size(model, tmp_path, name):
    x = image(1, 224, 224, 3)
    options = ["--mean_values", MEANS, "--scale_values", SCALES, "--reverse_input_channels", "--layout", "x(nchw->nhwc)"]
    first = onnx.load(model(name), load_external_data=False).graph.input[0].name
    options[-1] = f"{first}(nchw->nhwc)"
    xml = judge.convert(model(name), tmp_path, *options)
    wanted = (x.transpose(0, 3, 1, 2)[:, ::-1] - by_channel(MEAN, 1, 4)) / by_channel(SCALE, 1, 4)
    assert_numbers(model(name), xml, {first: x}, {first: wanted}, 1e-3)
    assert not layers(xml, "Gather", "Multiply", "Divide")


@pytest.mark.parametrize("layout", [[], ["--layout", "nchw"]])
def test_values_for_an_input_whose_rank_only_the_option_says(tmp_path, layout):
    path = relu_model(tmp_path)
    proto = onnx.load(path)
    for value in (*proto.graph.input, *proto.graph.output):
        value.type.tensor_type.ClearField("shape")
    onnx.save(proto, path)
    x = image(2, 3, 16, 12)
    xml = judge.convert(path, tmp_path, "--input_shape", "[2,3,16,12]", "--mean_values", MEANS, *layout)
    assert_numbers(path, xml, {"x": x}, {"x": x - by_channel(MEAN, 1, 4)})
