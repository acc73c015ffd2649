"""Models of unknown sizes: what definitions fix is known, IRs compile and give ONNX Runtime's numbers, and shapes are computed by few operations."""
import collections
import os
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import onnx.parser
import pytest

import judge

RANDOM = np.random.default_rng(6)


def floats(*shape):
    return RANDOM.standard_normal(shape, dtype=np.float32)


def boxes(*shape):
    corner = RANDOM.random((*shape, 2), dtype=np.float32) * 5
    return np.concatenate([corner, corner + 1 + RANDOM.random((*shape, 2), dtype=np.float32)], -1)


def i64(*numbers):
    return np.array(numbers, np.int64)


def numbers(count):
    return ", ".join(str((i * 7 % 11) / 8 - 0.5) for i in range(count))


def model_of(folder, text, opset):
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": {opset}]> g ({text}')
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    path = str(folder / "m.onnx")
    onnx.save(model, path)
    return path


def check(folder, text, feeds, opset=18, options=(), compress=False):
    """Converts, compiles, and compares with ONNX Runtime. Gives the path of the IR and the shapes of its inputs."""
    path = model_of(folder, text, opset)
    xml = judge.convert(path, folder, *options, compress=compress)
    model = judge.core().read_model(xml)
    compiled = judge.compiled_for_cpu(model)
    got = compiled({name: array for name, array in feeds.items()})
    for port, (name, array) in zip(compiled.outputs, judge.in_onnxruntime(path, feeds).items()):
        assert got[port].shape == np.shape(array), name
        np.testing.assert_allclose(got[port], array, rtol=1e-3, atol=1e-4, err_msg=name)
    return xml, {name: str(port.partial_shape) for port in model.inputs for name in port.get_names()}


def refusal(folder, text, *options):
    run = subprocess.run([judge.MO, model_of(folder, text, 18), "--output_dir", str(folder), *options], capture_output=True, text=True)
    assert run.returncode == 1
    return run.stderr


NMS = "float[a, b, c] boxes, float[d, e, f] scores) => (int64[m, n] y) <int64[1] k = {3}, float[1] t = {0.5}>"
NMS_FEEDS = {"boxes": boxes(2, 6), "scores": RANDOM.random((2, 3, 6), dtype=np.float32)}
ALIGN = "float[a, b, c, d] x, float[e, f] rois, int64[g] i) => (float[m, n, o, p] y)"
ALIGN_FEEDS = {"x": floats(2, 3, 8, 8), "rois": boxes(3), "i": i64(0, 1, 0)}


def recurrent(op, gates, directions=1):
    direction = ', direction = "bidirectional"' if directions == 2 else ""
    text = f"float[a, b, c] x, float[d, e, f] w, float[g, h, i] r, float[j, k, l] h0) => (float[m, n, o, p] y, float[q, s, t] yh) {{ y, yh = {op} <hidden_size = 5{direction}> (x, w, r, , , h0) }}"
    feeds = {"x": floats(3, 2, 4), "w": floats(directions, gates * 5, 4), "r": floats(directions, gates * 5, 5), "h0": floats(directions, 2, 5)}
    return text, feeds, 14, {"w": f"[{directions},{gates * 5},?]", "r": f"[{directions},{gates * 5},5]", "h0": f"[{directions},?,5]"}


# The model, what it is fed, its operator set, and the shapes of the inputs that the definitions fix.
FIXED = {
    "non_max_suppression": (NMS + "{ y = NonMaxSuppression (boxes, scores, k, t) }", NMS_FEEDS, 18, {"boxes": "[?,?,4]"}),
    "through_operations": (NMS + "{ r = Relu (boxes)  u = Unsqueeze (r, z)  s = Squeeze (u, z)  t1 = Transpose <perm = [2, 0, 1]> (s)  t2 = Transpose <perm = [1, 2, 0]> (t1)  h = Mul (t2, one)  y = NonMaxSuppression (h, scores, k, t) }".replace("{ r =", "{ z = Constant <value_ints = [0]> ()  one = Constant <value_float = 1.0> ()  r ="), NMS_FEEDS, 18, {"boxes": "[?,?,4]"}),
    "through_concat": ("float[a, b, c] one, float[g, h, i] two, float[d, e, f] scores) => (int64[m, n] y) <int64[1] k = {3}, float[1] t = {0.5}> { boxes = Concat <axis = 1> (one, two)  y = NonMaxSuppression (boxes, scores, k, t) }",
                       {"one": boxes(2, 2), "two": boxes(2, 4), "scores": NMS_FEEDS["scores"]}, 18, {"one": "[?,?,4]", "two": "[?,?,4]"}),
    "not_from_an_input": ("float[a, b] flat, int64[3] shape, float[d, e, f] scores) => (int64[m, n] y) <int64[1] k = {3}, float[1] t = {0.5}> { boxes = Reshape (flat, shape)  y = NonMaxSuppression (boxes, scores, k, t) }",
                          {"flat": boxes(2, 6).reshape(2, 24), "shape": i64(2, 6, 4), "scores": NMS_FEEDS["scores"]}, 18, {"flat": "[?,?]"}),
    "roi_align": (ALIGN + "{ y = RoiAlign <output_height = 3, output_width = 3, sampling_ratio = 2> (x, rois, i) }", ALIGN_FEEDS, 18, {"rois": "[?,4]"}),
    "roi_align_max": (ALIGN + '{ y = RoiAlign <mode = "max", output_height = 3, output_width = 3, sampling_ratio = 2> (x, rois, i) }', ALIGN_FEEDS, 18, {"rois": "[?,4]"}),
    "shared_axis": (ALIGN.replace("[g]", "[3]") + "{ y = RoiAlign <output_height = 3, output_width = 3, sampling_ratio = 2> (x, rois, i) }", ALIGN_FEEDS, 18, {"rois": "[3,4]"}),
    "grid_of_images": ("float[a, b, c, d] x, float[e, f, g, h] grid) => (float[m, n, o, p] y) { y = GridSample (x, grid) }",
                       {"x": floats(2, 3, 4, 4), "grid": floats(2, 3, 5, 2) / 3}, 16, {"grid": "[?,?,?,2]"}),
    "grid_of_volumes": ('float[a, b, c, d, e] x, float[f, g, h, i, j] grid) => (float[m, n, o, p, q] y) { y = GridSample <mode = "linear"> (x, grid) }',
                        {"x": floats(2, 3, 4, 4, 4), "grid": floats(2, 3, 5, 2, 3) / 3}, 20, {"grid": "[?,?,?,?,3]"}),
    "deformable": ("float[a, b, c, d] x, float[e, f, g, h] w, float[i, j, k, l] o, float[r, s, t, u] mask) => (float[m, n, p, q] y) { y = DeformConv <kernel_shape = [2, 2]> (x, w, o, , mask) }",
                   {"x": floats(2, 3, 5, 5), "w": floats(4, 3, 2, 2), "o": floats(2, 8, 4, 4), "mask": floats(2, 4, 4, 4)}, 19, {"w": "[?,?,2,2]", "o": "[?,8,?,?]", "mask": "[?,4,?,?]"}),
    "lstm": recurrent("LSTM", 4),
    "gru": recurrent("GRU", 3),
    "rnn": recurrent("RNN", 1),
    "lstm_of_two_directions": recurrent("LSTM", 4, 2),
    "convolution": ("float[1, 2, 6, 6] x, float[a, b, c, d] w, float[3] bias) => (float[m, n, o, p] y) { y = Conv <kernel_shape = [3, 3]> (x, w, bias) }",
                    {"x": floats(1, 2, 6, 6), "w": floats(3, 2, 3, 3), "bias": floats(3)}, 18, {"w": "[3,2,3,3]"}),
    "channels": ("float[a, b, c, d] x) => (float[m, n, o, p] y) <float[2, 1, 1, 1] w = {1, 2}> { y = Conv <kernel_shape = [1, 1], group = 2> (x, w) }",
                 {"x": floats(1, 2, 3, 4)}, 18, {"x": "[?,2,?,?]"}),
    "tile": ("float[a, b] x, int64[r] repeats) => (float[m, n] y) { y = Tile (x, repeats) }", {"x": floats(2, 3), "repeats": i64(2, 1)}, 18, {"repeats": "[2]"}),
    "pad": ("float[a, b] x, int64[p] pads) => (float[m, n] y) { y = Pad (x, pads) }", {"x": floats(2, 3), "pads": i64(0, 1, 1, 0)}, 18, {"pads": "[4]"}),
    "top_k": ("float[a, b] x, int64[k] count) => (float[m, n] y, int64[o, p] i) { y, i = TopK (x, count) }", {"x": floats(2, 5), "count": i64(2)}, 18, {"count": "[1]"}),
    "one_hot": ("int64[a, b] x, int64 depth, float[c] values) => (float[m, n, o] y) { y = OneHot (x, depth, values) }",
                {"x": np.array([[1, 2], [0, 1]]), "depth": np.array(4), "values": np.float32([0, 1])}, 18, {"values": "[2]"}),
    "affine_grid": ("float[a, 2, 3] theta, int64[d] size) => (float[m, n, o, p] y) { y = AffineGrid (theta, size) }",
                    {"theta": floats(2, 2, 3), "size": i64(2, 3, 4, 5)}, 20, {"size": "[4]"}),
}


@pytest.mark.parametrize("name", FIXED)
def test_a_dimension_that_a_definition_fixes_is_known(name, tmp_path):
    text, feeds, opset, want = FIXED[name]
    _, shapes = check(tmp_path, text, feeds, opset)
    assert {key: shapes[key] for key in want} == want


def test_what_reads_the_same_input_before_knows_it_too(tmp_path):
    text = NMS.replace("=> (int64[m, n] y)", "=> (int64[m, n] y, float[q, r, s] z)") + "{ z = Relu (boxes)  y = NonMaxSuppression (boxes, scores, k, t) }"
    xml, _ = check(tmp_path, text, NMS_FEEDS)
    assert str(judge.core().read_model(xml).output("z").partial_shape) == "[?,?,4]"
    relu = next(layer for layer in ET.parse(xml).getroot().find("layers") if layer.get("type") == "ReLU")
    assert [dim.text for dim in relu.find("output/port")] == ["-1", "-1", "4"]


def test_shapes_that_the_user_gives_are_kept_or_refused(tmp_path):
    text = FIXED["non_max_suppression"][0]
    assert "MO3002" in refusal(tmp_path, text, "--input_shape", "[?,?,5],[?,?,?]")
    _, shapes = check(tmp_path, text, NMS_FEEDS, options=("--input_shape", "[2,6,4],[2,?,6]"))
    assert shapes == {"boxes": "[2,6,4]", "scores": "[2,?,6]"}


def test_a_factor_that_may_broadcast_fixes_nothing(tmp_path):
    text = "float[a, b] x, float[d, e, f] scores) => (int64[m, n] y) <int64[1] k = {3}, float[1] t = {0.5}, float[2, 6, 4] f = {%s}> { h = Mul (x, f)  y = NonMaxSuppression (h, scores, k, t) }" % numbers(48)
    _, shapes = check(tmp_path, text, {"x": floats(1, 1) + 3, "scores": NMS_FEEDS["scores"]})
    assert shapes["x"] == "[?,?]"


MATMUL = "<float[2, 5, 3] w = {%s}> { y = MatMul (x, w) }" % numbers(30)


@pytest.mark.parametrize("rank, shapes", [(2, [(4, 5)]), (3, [(1, 4, 5), (2, 4, 5)]), (4, [(3, 1, 4, 5), (1, 2, 4, 5)]), (1, [(5,)])])
def test_a_matrix_of_unknown_size_times_weights_with_a_batch(rank, shapes, tmp_path):
    for shape in shapes:
        check(tmp_path, f"float[{', '.join('abcd'[:rank])}] x) => (float[m] y) {MATMUL}", {"x": floats(*shape)})


def test_weights_that_are_dequantised_have_a_batch_too(tmp_path):
    text = "float[a, b] x) => (float[m, n, o] y) <int8[2, 5, 3] w = {%s}, float s = {0.5}> { d = DequantizeLinear (w, s)  y = MatMul (x, d) }"
    check(tmp_path, text % ", ".join(str(i % 7 - 3) for i in range(30)), {"x": floats(4, 5)})


POOLS = [("[2, 2]", "[3, 3]", "[1, 1, 1, 1]"), ("[3, 3]", "[3, 2]", "[1, 0, 2, 1]"), ("[1, 2]", "[2, 3]", "[0, 1, 0, 0]"), ("[2, 3]", "[4, 5]", "[1, 2, 1, 2]"), ("[3, 3]", "[2, 2]", "[1, 1, 1, 1]")]


@pytest.mark.parametrize("kernel, strides, pads", POOLS)
@pytest.mark.parametrize("op", ["AveragePool <count_include_pad = 1,", "AveragePool <", "LpPool <p = 3,"])
def test_the_last_window_of_ceil_mode_over_an_unknown_size(op, kernel, strides, pads, tmp_path):
    for height, width in ((7, 6), (8, 9), (5, 5), (4, 11)):
        text = f"float[a, b, c, d] x) => (float[m, n, o, p] y) {{ y = {op} kernel_shape = {kernel}, strides = {strides}, pads = {pads}, ceil_mode = 1> (x) }}"
        check(tmp_path, text, {"x": floats(2, 3, height, width)}, 19 if op.startswith("Average") else 18)


@pytest.mark.parametrize("nearest_mode", ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
@pytest.mark.parametrize("compress", [False, True])
def test_the_nearest_elements_of_half_pixel_symmetric(nearest_mode, compress, tmp_path):
    for scale, size in ((3.5, 4), (2.8, 5), (1.125, 175), (2.47, 56), (0.7, 257), (1.9, 132)):
        text = f'float[a, b, c, d] x) => (float[m, n, o, p] y) <float[1] scale = {{{scale}}}> {{ y = Resize <mode = "nearest", coordinate_transformation_mode = "half_pixel_symmetric", nearest_mode = "{nearest_mode}", axes = [3]> (x, , scale) }}'
        for known in (text, text.replace("a, b, c, d", f"1, 1, 1, {size}", 1)):
            check(tmp_path, known, {"x": np.arange(size, dtype=np.float32).reshape(1, 1, 1, size)}, 19, compress=compress)


FLATTEN = "float[b, 4, s, 32, 2] x) => (float[m] y) <int64[1] z = {0}, int64[1] three = {3}, int64[1] five = {5}, int64[1] rest = {-1}>"
# Shapes as PyTorch computes them: the model and what it is fed.
SHAPES = {
    "flatten": (FLATTEN + "{ s = Shape (x)  f = Slice (s, z, three, z)  t = Concat <axis = 0> (f, rest)  y = Reshape (x, t) }", {"x": floats(2, 4, 3, 32, 2)}),
    "flatten_by_product": (FLATTEN + "{ s = Shape (x)  f = Slice (s, z, three, z)  l = Slice (s, three, five, z)  p = ReduceProd <axes = [0], keepdims = 1> (l)  t = Concat <axis = 0> (f, p)  y = Reshape (x, t) }", {"x": floats(2, 4, 3, 32, 2)}),
    "flatten_space": ("float[b, 8, h, w] x) => (float[m] y) <int64[1] z = {0}, int64[1] two = {2}, int64[1] rest = {-1}> { s = Shape (x)  f = Slice (s, z, two, z)  t = Concat <axis = 0> (f, rest)  q = Reshape (x, t)  y = Transpose <perm = [0, 2, 1]> (q) }",
                      {"x": floats(2, 8, 3, 5)}),
    "half": ("float[b, s, 8] x) => (float[m] y) <int64 one = {1}, int64[1] a = {0}, int64[1] axis = {1}, int64 two = {2}> { s = Shape (x)  n = Gather <axis = 0> (s, one)  h = Div (n, two)  e = Unsqueeze (h, a)  y = Slice (x, a, e, axis) }", {"x": floats(2, 6, 8)}),
    "repeated_heads": ("""float[b, 2, s, 16] k) => (float[m] y) <int64 i0 = {0}, int64 i1 = {1}, int64 i2 = {2}, int64[1] a = {0}, int64[1] two = {2}, int64[1] rep = {4}, int64[1] size = {16}, int64 four = {4}>
        { u = Unsqueeze (k, two)  s = Shape (k)  b0 = Gather <axis = 0> (s, i0)  h0 = Gather <axis = 0> (s, i1)  l0 = Gather <axis = 0> (s, i2)
          ub = Unsqueeze (b0, a)  uh = Unsqueeze (h0, a)  ul = Unsqueeze (l0, a)  t = Concat <axis = 0> (ub, uh, rep, ul, size)  e = Expand (u, t)
          hm = Mul (h0, four)  um = Unsqueeze (hm, a)  t2 = Concat <axis = 0> (ub, um, ul, size)  y = Reshape (e, t2) }""", {"k": floats(2, 2, 3, 16)}),
    "size_of_another": ("""float[b, 8, h, w] x, float[c, 8, i, j] like) => (float[m] y) <int64[1] z = {0}, int64[1] two = {2}, int64[1] four = {4}>
        { s = Shape (like)  hw = Slice (s, two, four, z)  o = Shape (x)  nc = Slice (o, z, two, z)  t = Concat <axis = 0> (nc, hw)  y = Resize <mode = "linear"> (x, , , t) }""",
                        {"x": floats(1, 8, 4, 4), "like": floats(1, 8, 8, 8)}),
    "one_size_of_many_tensors": ("""float[b, s, 8] x) => (float[m] y) <int64 i0 = {0}, int64 i1 = {1}, int64[1] a = {0}, int64[1] e8 = {8}, int64[1] one = {1}>
        { r = Relu (x)  s1 = Shape (r)  b1 = Gather <axis = 0> (s1, i0)  u1 = Unsqueeze (b1, a)  t1 = Concat <axis = 0> (u1, one, e8)  c1 = ConstantOfShape <value = float[1] {1.0}> (t1)
          v = Sigmoid (r)  s2 = Shape (v)  b2 = Gather <axis = 0> (s2, i0)  u2 = Unsqueeze (b2, a)  t2 = Concat <axis = 0> (u2, e8, e8)  c2 = ConstantOfShape <value = float[1] {2.0}> (t2)
          w = Tanh (v)  s3 = Shape (w)  b3 = Gather <axis = 0> (s3, i0)  u3 = Unsqueeze (b3, a)  t3 = Concat <axis = 0> (u3, one, e8)  c3 = ConstantOfShape <value = float[1] {3.0}> (t3)
          y = Concat <axis = 1> (w, c1, c2, c3) }""", {"x": floats(2, 3, 8)}),
}


def layers(xml):
    return collections.Counter(layer.get("type") for layer in ET.parse(xml).getroot().find("layers") if layer.get("type") != "Const")


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_take_no_more_operations_than_in_openvinos_converter(name, tmp_path):
    import openvino
    text, feeds = SHAPES[name]
    xml, _ = check(tmp_path, text, feeds, 17)
    other = str(tmp_path / "other.xml")
    openvino.save_model(openvino.convert_model(str(tmp_path / "m.onnx")), other, compress_to_fp16=False)
    ours, theirs = layers(xml), layers(other)
    assert ours.total() <= theirs.total(), (ours, theirs)
    assert ours["ShapeOf"] <= theirs["ShapeOf"] and ours["Concat"] <= theirs["Concat"]


def test_the_product_of_known_dimensions_is_known(tmp_path):
    text, feeds = SHAPES["flatten"]
    xml, _ = check(tmp_path, text, feeds, 17)
    assert str(judge.core().read_model(xml).outputs[0].partial_shape) == "[?,4,?,64]"


def test_attention_is_found_behind_a_flattened_tensor(tmp_path):
    text = "float[b, 4, s, 32, 2] x, float[c, 4, t, 64] k, float[d, 4, u, 64] v) => (float[m] y) <int64[1] z = {0}, int64[1] three = {3}, int64[1] rest = {-1}, float eight = {8}>"
    body = "{ s = Shape (x)  f = Slice (s, z, three, z)  g = Concat <axis = 0> (f, rest)  q = Reshape (x, g)  kt = Transpose <perm = [0, 1, 3, 2]> (k)  a = MatMul (q, kt)  n = Div (a, eight)  p = Softmax <axis = -1> (n)  y = MatMul (p, v) }"
    xml, _ = check(tmp_path, text + body, {"x": floats(2, 4, 3, 32, 2), "k": floats(2, 4, 5, 64), "v": floats(2, 4, 5, 64)}, 17)
    assert layers(xml)["ScaledDotProductAttention"] == 1


@pytest.mark.parametrize("text, node, given", [
    ("float[n, 1, 3] x) => (float[m] z) { y = Squeeze (x)  z = Relu (y) }", '(node "y", Squeeze)', "[4,1,3]"),
    ("float[2, 6] x, int64[n] p) => (float[m] y) { r = Relu (x)  y = Reshape (r, p) }", '(node "y", Reshape)', "[2,6],[2]"),
])
def test_a_rank_that_is_not_known_is_a_warning_that_names_the_input(text, node, given, tmp_path):
    path = model_of(tmp_path, text, 17)
    command = [judge.MO, path, "--output_dir", str(tmp_path), "--log_level", "WARNING"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0 and node in run.stderr
    name = "p" if "Reshape" in text else "x"
    assert "[ WARNING ]  MO3016 the number of dimensions is not known" in run.stderr and f'input "{name}" of the model is [' in run.stderr
    run = subprocess.run([*command, "--input_shape", given], capture_output=True, text=True)
    assert run.returncode == 0 and "MO3016" not in run.stderr
    judge.compiled_for_cpu(judge.core().read_model(os.path.join(str(tmp_path), "m.xml")))
