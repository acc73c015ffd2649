"""Models whose weights become integers: small ones of every form of weights, and a network of each framework."""
import json
import os
import subprocess
import sys

import numpy as np

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Graph:
    """An ONNX graph with drawn weights."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.constants = [], []

    def constant(self, array, name):
        from onnx import numpy_helper
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def draw(self, name, *shape, dtype=np.float32, scale=0.05):
        return self.constant((self.rng.standard_normal(shape) * scale).astype(dtype), name)

    def op(self, kind, inputs, output, **attributes):
        from onnx import helper
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def write(self, folder, inputs, outputs):
        import onnx
        from onnx import TensorProto, helper

        def value(name, element, shape):
            return helper.make_tensor_value_info(name, element or TensorProto.FLOAT, shape)
        graph = helper.make_graph(self.nodes, "weights", [value(*port) for port in inputs], [value(*port) for port in outputs], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        path = os.path.join(folder, "model.onnx")
        onnx.save(model, path)
        return [path]


def int64():
    from onnx import TensorProto
    return TensorProto.INT64


def layer_norm(g, x, name, width):
    scale = g.constant(np.ones(width, np.float32), name + "_scale")
    shift = g.constant(np.zeros(width, np.float32), name + "_shift")
    return g.op("LayerNormalization", [x, scale, shift], name, axis=-1)


def linear(g, x, name, k, n, dtype=np.float32):
    product = g.op("MatMul", [x, g.draw(name + "_w", k, n, dtype=dtype)], name + "_product")
    return g.op("Add", [product, g.draw(name + "_b", n, dtype=dtype)], name)


def encoder_block(g, x, name, width):
    """Attention of four heads and two linear layers, as PyTorch exports them."""
    heads, size = 4, width // 4
    split = g.constant(np.array([0, 0, heads, size]), name + "_split")
    join = g.constant(np.array([0, 0, width]), name + "_join")

    def head(part, order):
        whole = g.op("Reshape", [linear(g, x, f"{name}_{part}", width, width), split], f"{name}_{part}_heads")
        return g.op("Transpose", [whole], f"{name}_{part}_turned", perm=order)
    scores = g.op("MatMul", [head("q", [0, 2, 1, 3]), head("k", [0, 2, 3, 1])], name + "_scores")
    scores = g.op("Mul", [scores, g.constant(np.float32(size ** -0.5), name + "_factor")], name + "_scaled")
    mixed = g.op("MatMul", [g.op("Softmax", [scores], name + "_softmax", axis=-1), head("v", [0, 2, 1, 3])], name + "_mixed")
    mixed = g.op("Reshape", [g.op("Transpose", [mixed], name + "_back", perm=[0, 2, 1, 3]), join], name + "_joined")
    x = layer_norm(g, g.op("Add", [x, linear(g, mixed, name + "_out", width, width)], name + "_added"), name + "_norm1", width)
    inner = g.op("Relu", [linear(g, x, name + "_up", width, 2 * width)], name + "_relu")
    return layer_norm(g, g.op("Add", [x, linear(g, inner, name + "_down", 2 * width, width)], name + "_sum"), name + "_norm2", width)


def bert(folder):
    """Its structure, two blocks of 256."""
    g = Graph(1)
    words = g.op("Gather", [g.draw("words", 500, 256), "ids"], "word_rows", axis=0)
    places = g.op("Gather", [g.draw("places", 64, 256), "positions"], "place_rows", axis=0)
    x = layer_norm(g, g.op("Add", [words, places], "embedded"), "norm0", 256)
    for i in range(2):
        x = encoder_block(g, x, f"block{i}", 256)
    first = g.op("Gather", [x, g.constant(np.int64(0), "first")], "first_row", axis=1)
    pooled = g.op("Tanh", [g.op("Gemm", [first, g.draw("pool_w", 256, 256), g.draw("pool_b", 256)], "pool", transB=1)], "pooled")
    g.op("Gemm", [pooled, g.draw("head_w", 3, 256), g.draw("head_b", 3)], "logits", transB=1)
    return g.write(folder, [("ids", int64(), ["N", "L"]), ("positions", int64(), ["N", "L"])], [("logits", None, ["N", 3]), (x, None, ["N", "L", 256])])


def tied(folder):
    """The table of words is that of the classifier, too."""
    g = Graph(2)
    g.draw("table", 300, 128)
    x = g.op("Gather", ["table", "ids"], "rows", axis=0)
    x = encoder_block(g, x, "block", 128)
    flat = g.op("Reshape", [x, g.constant(np.array([-1, 128]), "flat_shape")], "flat")
    g.op("Gemm", [flat, "table"], "logits", transB=1)
    return g.write(folder, [("ids", int64(), ["N", "L"])], [("logits", None, ["R", 300])])


def tied_untransposed(folder):
    """A table whose rows are summed over, too: scales of its rows would lie along the axis of the sum."""
    g = Graph(3)
    g.draw("table", 96, 128)
    x = g.op("Gather", ["table", "ids"], "rows", axis=0)
    x = linear(g, x, "up", 128, 96)
    g.op("MatMul", [g.op("Softmax", [x], "shares", axis=-1), "table"], "y")
    return g.write(folder, [("ids", int64(), ["N", "L"])], [("y", None, ["N", "L", 128])])


def convolutions(folder):
    g = Graph(4)
    x = g.op("Conv", ["image", g.draw("plain", 16, 3, 3, 3), g.draw("plain_b", 16)], "conv", pads=[1] * 4)
    x = g.op("Conv", [x, g.draw("grouped", 16, 4, 3, 3)], "conv_grouped", pads=[1] * 4, group=4)
    x = g.op("Conv", [x, g.draw("depthwise", 16, 1, 3, 3)], "conv_depthwise", pads=[1] * 4, group=16)
    x = g.op("Conv", [x, g.draw("pointwise", 8, 16, 1, 1)], "conv_pointwise")
    x = g.op("ConvTranspose", [x, g.draw("turned", 8, 6, 2, 2)], "deconv", strides=[2, 2])
    x = g.op("ConvTranspose", [x, g.draw("turned_groups", 6, 5, 3, 3)], "deconv_grouped", group=3)
    statistics = [g.constant(g.rng.uniform(0.5, 1.5, 7).astype(np.float32), f"bn{i}") for i in range(4)]
    x = g.op("BatchNormalization", [g.op("Conv", [x, g.draw("folded", 7, 15, 3, 3)], "conv_bn"), *statistics], "bn")
    g.op("Flatten", [x], "flat_image")
    y = g.op("Conv", ["signal", g.draw("line", 10, 4, 5)], "conv_1d")
    z = g.op("Conv", ["volume", g.draw("solid", 4, 2, 2, 3, 2)], "conv_3d")
    return g.write(folder, [("image", None, [1, 3, 8, 8]), ("signal", None, [1, 4, 16]), ("volume", None, [1, 2, 4, 4, 4])],
                   [("flat_image", None, [1, "F"]), (y, None, [1, 10, 12]), (z, None, [1, 4, 3, 2, 3])])


def edge_rows():
    """[16, 256]: what rounding, signs and scales depend on."""
    rng = np.random.default_rng(5)
    rows = (rng.standard_normal((16, 256)) * 0.1).astype(np.float32)
    rows[0] = 0
    rows[1] = 0.25
    rows[2] = -0.25
    rows[3] = np.abs(rows[3])
    rows[4] = -np.abs(rows[4])
    rows[5, :2] = 0.5, -0.5  # the largest magnitude with both signs
    rows[6] = rng.standard_normal(256) * 1e-9
    rows[7] = (np.arange(256) % 17 - 8) * 0.5  # halves: rounded to even
    rows[8] = (np.arange(256) - 128).astype(np.float32) / 2
    rows[9, 7] = 100  # an outlier
    rows[10, 7] = -100
    rows[11] = np.where(np.arange(256) % 2, 1.5, -0.75)
    rows[12] = np.float32(1e4) * rows[12]
    rows[13] = np.float32(1e-5) * rows[13]
    rows[14, 128:] = 0  # a group of nothing
    rows[15] = np.nextafter(np.float32(1), np.float32(2))
    return rows


def edges(folder):
    g = Graph(6)
    rows = edge_rows()
    g.op("Gemm", ["x", g.constant(rows, "by_row")], "rows_y", transB=1)
    g.op("MatMul", ["x", g.constant(np.ascontiguousarray(rows.T), "by_column")], "columns_y")
    g.op("Gather", [g.constant(np.ascontiguousarray(rows[::-1]), "reversed"), "ids"], "table_y", axis=0)
    g.op("MatMul", ["x", g.draw("last", 256, 8)], "last_y")
    return g.write(folder, [("x", None, ["N", 256]), ("ids", int64(), ["M"])],
                   [("rows_y", None, ["N", 16]), ("columns_y", None, ["N", 16]), ("table_y", None, ["M", 256]), ("last_y", None, ["N", 8])])


def odd(folder):
    """Sizes that no group divides, or that leave half a byte."""
    g = Graph(7)
    x = "x"
    sizes = [5, 3, 33, 100, 96, 16, 7, 129, 64, 9]
    for i, (k, n) in enumerate(zip(sizes, sizes[1:])):
        x = g.op("MatMul", [x, g.draw(f"w{i}", k, n)], f"y{i}")
    return g.write(folder, [("x", None, ["N", 5])], [(x, None, ["N", 9])])


def shapes_of_weights(folder):
    """Constants of one and three dimensions, and on the left; tables read along another axis."""
    g = Graph(8)
    g.op("MatMul", ["x", g.draw("batched", 4, 64, 32)], "batched_y")
    g.op("MatMul", [g.draw("left", 32, 64), "x"], "left_y")
    g.op("MatMul", ["x", g.draw("vector", 64)], "vector_y")
    g.op("Gather", [g.draw("columns", 24, 40), "ids"], "columns_y", axis=1)
    g.op("Gather", [g.draw("list", 50), "ids"], "list_y", axis=0)
    g.op("Gather", [g.draw("solid", 20, 6, 8), "ids"], "solid_y", axis=0)
    g.op("MatMul", ["x", g.draw("one", 64, 1)], "one_y")
    g.op("Mul", ["x", g.draw("factors", 64, 64)], "factors_y")
    g.op("MatMul", ["x", g.draw("last", 64, 64)], "last_y")
    return g.write(folder, [("x", None, [4, 64, 64]), ("ids", int64(), [3])],
                   [(name + "_y", None, None) for name in ("batched", "left", "vector", "columns", "list", "solid", "one", "factors", "last")])


def forms(folder):
    """Constants with dimensions of 1, and with four dimensions."""
    g = Graph(14)
    for name, shape in {"flat": (1, 64, 32), "deep": (1, 1, 64, 32), "planes": (2, 3, 64, 32), "column": (64, 1), "thin": (64, 2)}.items():
        g.op("MatMul", ["x", g.draw(name, *shape)], name + "_y")
    g.op("MatMul", [g.draw("row", 1, 64), "x"], "row_y")
    g.op("Gemm", ["flat_x", g.draw("turned_row", 1, 64)], "turned_row_y", transB=1)
    g.op("Gemm", ["flat_x", g.draw("turned", 64, 48), g.draw("turned_bias", 48)], "turned_y")
    g.op("MatMul", ["x", g.draw("last", 64, 64)], "zz_last_y")
    names = ("flat_y", "deep_y", "planes_y", "column_y", "thin_y", "row_y", "turned_row_y", "turned_y", "zz_last_y")
    return g.write(folder, [("x", None, [2, 3, 64, 64]), ("flat_x", None, ["N", 64])], [(name, None, None) for name in names])


def branches(folder):
    """Products beside each other, of which one is the last."""
    g = Graph(9)
    x = linear(g, "x", "stem", 64, 64)
    parts = [linear(g, x, name, 64, 64) for name in ("zebra", "apple", "mango")]
    deep = linear(g, parts[1], "deep", 64, 64)
    g.op("Add", [parts[2], g.op("Add", [deep, parts[0]], "half")], "y")
    linear(g, "other", "aside", 64, 32)
    return g.write(folder, [("x", None, ["N", 64]), ("other", None, ["N", 64])], [("y", None, ["N", 64]), ("aside", None, ["N", 32])])


def equal(folder):
    """Weights that occur twice, and those that give equal codes, zero points or scales."""
    g = Graph(10)
    g.draw("w", 64, 64)
    twice = g.constant(np.frombuffer(g.constants[-1].raw_data, np.float32).reshape(64, 64), "again")
    double = g.constant(np.frombuffer(g.constants[0].raw_data, np.float32).reshape(64, 64) * 2, "doubled")
    x = "x"
    for name in ("w", twice, double):
        x = g.op("MatMul", [x, name], name + "_y")
    x = g.op("MatMul", [x, g.constant(np.full((64, 64), 0.5, np.float32), "halves")], "halves_y")
    x = g.op("MatMul", [x, g.constant(np.full((64, 64), 0.25, np.float32), "quarters")], "quarters_y")
    return g.write(folder, [("x", None, ["N", 64])], [(x, None, ["N", 64])])


def rotary(folder):
    """Products that give positions stay."""
    g = Graph(11)
    turns = g.op("MatMul", [g.draw("frequencies", 1, 32, 1), "positions"], "turns")
    turned = g.op("Transpose", [turns], "turned", perm=[0, 2, 1])
    both = g.op("Concat", [turned, turned], "both", axis=-1)
    x = linear(g, "x", "stem", 64, 64)
    g.op("Add", [g.op("Mul", [x, g.op("Cos", [both], "cos")], "near"), g.op("Mul", [x, g.op("Sin", [both], "sin")], "far")], "mixed")
    linear(g, "mixed", "last", 64, 64)
    return g.write(folder, [("positions", None, [1, 1, "L"]), ("x", None, [1, "L", 64])], [("last", None, [1, "L", 64])])


def bodies(folder):
    """Weights in branches stay, and are not f16 either."""
    from onnx import TensorProto, helper
    g, then, other = Graph(15), Graph(16), Graph(17)
    then.op("MatMul", ["stem_y", then.draw("then_w", 64, 64)], "then_y")
    other.op("Add", ["stem_y", other.draw("else_b", 64)], "else_y")
    g.op("MatMul", ["x", g.draw("stem", 64, 64)], "stem_y")
    branch = {part: helper.make_graph(one.nodes, part, [], [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", 64])], one.constants)
              for part, one, name in (("then_branch", then, "then_y"), ("else_branch", other, "else_y"))}
    g.op("If", ["condition"], "chosen", **branch)
    g.op("MatMul", ["chosen", g.draw("last", 64, 32)], "y")
    return g.write(folder, [("x", None, ["N", 64]), ("condition", TensorProto.BOOL, [])], [("y", None, ["N", 32])])


def quantised(folder):
    """Weights that are integers already stay what they are."""
    g = Graph(18)
    g.constant(g.rng.integers(0, 255, (64, 64)).astype(np.uint8), "bytes")
    g.op("DequantizeLinear", ["bytes", g.constant(g.rng.uniform(0.001, 0.01, 64).astype(np.float32), "scales"),
                              g.constant(g.rng.integers(100, 150, 64).astype(np.uint8), "zeros")], "dequantised", axis=1)
    g.op("MatMul", ["x", "dequantised"], "first_y")
    g.op("MatMul", ["first_y", g.draw("between", 64, 64)], "second_y")
    g.op("MatMul", ["second_y", g.draw("last", 64, 32)], "y")
    return g.write(folder, [("x", None, ["N", 64])], [("y", None, ["N", 32])])


def in_type(dtype):
    def build(folder):
        from onnx import TensorProto
        g = Graph(12)
        element = {np.float16: TensorProto.FLOAT16, np.float64: TensorProto.DOUBLE}[dtype]
        x = linear(g, "x", "first", 64, 64, dtype)
        x = linear(g, x, "second", 64, 32, dtype)
        return g.write(folder, [("x", element, ["N", 64])], [(x, element, ["N", 32])])
    return build


def stored_in(element_name):
    """Weights of another type behind a Cast, as exporters store them."""
    def build(folder):
        from onnx import TensorProto, helper
        g = Graph(13)
        x = "x"
        for name, shape in (("first", (64, 64)), ("second", (64, 32))):
            values = (g.rng.standard_normal(shape) * 0.05).astype(np.float32)
            g.constants.append(helper.make_tensor(name + "_w", getattr(TensorProto, element_name), shape, values.reshape(-1)))
            x = g.op("MatMul", [x, g.op("Cast", [name + "_w"], name + "_cast", to=TensorProto.FLOAT)], name)
        return g.write(folder, [("x", None, ["N", 64])], [(x, None, ["N", 32])])
    return build


def by(framework, script):
    """A network that the tests of a framework build, in a process of its own: their modules have the same names. `script` writes it to
    `folder`, and gives the command's arguments, `out`."""
    def build(folder):
        program = f"import json, os, sys\nfolder = sys.argv[1]\n{script}\nprint(json.dumps([str(one) for one in out]))"
        path = os.pathsep.join(os.path.join(TESTS, *part) for part in ([framework], ["recorded"], []))
        done = subprocess.run([sys.executable, "-c", program, folder], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])
    return build


def of_tf(name):
    return by("tf", f"import writer; out = [os.path.join(folder, 'model.pb')]; writer.load({name!r}).write(out[0])")


def of_tflite(name):
    return by("tflite", f"import filled; out = [os.path.join(folder, 'model.tflite')]; filled.load({name!r}).write(out[0])")


def of_caffe(name):
    return by("caffe", f"import every; out = [every.build({'network/' + name!r}).write(folder)]")


def of_kaldi(name):
    return by("kaldi", f"from kaldi import networks; out = [networks.CASES[{name!r}].write(os.path.join(folder, 'model'))]")


def of_recorded(framework, module, name):
    """A program of PaddlePaddle or PyTorch, or a symbol of MXNet."""
    return by(framework, f"import {module} as stored; case = stored.everything()[{name!r}]; path = os.path.join(folder, 'model' + getattr(case, 'ending', getattr(stored, 'ENDING', ''))); "
              "case.write(path); out = ['--input_model', path, *case.about.get('options', [])]")


CASES = {
    "bert": bert, "tied": tied, "tied_untransposed": tied_untransposed, "convolutions": convolutions, "edges": edges, "odd": odd,
    "shapes": shapes_of_weights, "forms": forms, "branches": branches, "equal": equal, "rotary": rotary, "bodies": bodies, "quantised": quantised,
    "f16": in_type(np.float16), "f64": in_type(np.float64), "stored_f16": stored_in("FLOAT16"), "stored_bf16": stored_in("BFLOAT16"),
    "tf_transformer": of_tf("keras2_transformer"), "tf_convolutions": of_tf("keras2_UNet"), "tf_recurrent": of_tf("keras2_BidirectionalLSTM_last"),
    "tflite": of_tflite("MobileNetV3Small"), "caffe": of_caffe("squeezenet"), "caffe_lenet": of_caffe("lenet"),
    "paddle": of_recorded("paddle", "stored", "transformers/encoder_and_decoder"), "paddle_convolutions": of_recorded("paddle", "stored", "picture_transformers/Swin"),
    "mxnet": of_recorded("mxnet", "stored_mxnet", "networks/bert"), "mxnet_half": of_recorded("mxnet", "stored_mxnet", "networks/half_weights"),
    "kaldi": of_kaldi("nnet1/network_dnn"), "kaldi_convolutions": of_kaldi("nnet1/network_cnn"),
    "pytorch": of_recorded("pytorch", "stored_torch", "networks_transformers/bert"),
    "pytorch_convolutions": of_recorded("pytorch", "stored_torch", "networks_torchvision/mobilenet_v3_small"),
    "pytorch_tied": of_recorded("pytorch", "stored_torch", "networks_transformers/gpt2"),
}

# Options of the command, as words of NNCF: mode, and what differs from its defaults.
MODES = {
    "int8_asym": (["--weight-format", "int8"], {}),
    "int8_sym": (["--weight-format", "int8", "--sym"], {}),
    "int4_asym": (["--weight-format", "int4"], {}),
    "int4_sym": (["--weight-format", "int4", "--sym"], {}),
    "int4_asym_32": (["--weight-format", "int4", "--group-size", "32", "--all-layers"], {"group_size": 32, "all_layers": True}),
    "int4_sym_64": (["--weight-format", "int4", "--sym", "--group-size", "64", "--backup-precision", "none", "--group-size-fallback", "ignore"],
                    {"group_size": 64, "backup_mode": "none", "fallback": "ignore"}),
    "int4_asym_channel": (["--weight-format", "int4", "--group-size", "-1", "--backup-precision", "int8_sym"], {"group_size": -1, "backup_mode": "int8_sym"}),
}


if __name__ == "__main__":
    # cases.py FOLDER NAME...: writes the models, each in a folder of its name, and prints the command's arguments of each as JSON.
    written = {}
    for case in sys.argv[2:]:
        place = os.path.join(sys.argv[1], case)
        os.makedirs(place)
        written[case] = CASES[case](place)
    print(json.dumps(written))
