"""--transform: models with states step by step against ONNX Runtime over the whole sequence; pruned models against themselves."""
import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest

import environments
import judge

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
STEPS = 5
INITIAL = "--transform=LowLatency2[use_const_initializer=False]"

STEPPED = r"""
import sys
import numpy as np
try:
    from openvino import Core
except ImportError:
    from openvino.runtime import Core
xml, feeds, got = sys.argv[1:]
request = Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
data = dict(np.load(feeds))
out = {}
for step in range(1 + max(int(key.split("|")[0]) for key in data)):
    fed = {key.split("|", 1)[1]: array for key, array in data.items() if int(key.split("|")[0]) == step}
    for port, array in request.infer(fed).items():
        for name in port.get_names():
            out[f"{step}|{name}"] = array.copy()
np.savez(got, states=sorted(s.name for s in request.query_state()), **out)
"""


def stepped(xml, steps, folder, environment=".venv"):
    """Runs one inference after the other. Gives their outputs, and the names of the states."""
    feeds, got = str(folder / "feeds.npz"), str(folder / "got.npz")
    np.savez(feeds, **{f"{i}|{name}": array for i, step in enumerate(steps) for name, array in step.items()})
    environments.run(environment, STEPPED, xml, feeds, got)
    data = dict(np.load(got))
    states = list(data.pop("states"))
    return [{k.split("|", 1)[1]: v for k, v in data.items() if k.startswith(f"{i}|")} for i in range(len(steps))], states


def types(xml):
    return [op.get_type_name() for op in judge.core().read_model(xml).get_ops()]


def recurrent(op, time, direction="forward", batch=2, initial=False, **attributes):
    """A recurrent layer with 3 inputs and 5 hidden, over `time` steps."""
    gates, rows = {"LSTM": 4, "GRU": 3, "RNN": 1}[op], 2 if direction == "bidirectional" else 1
    random = np.random.default_rng(3)

    def weight(name, *shape):
        return onnx.numpy_helper.from_array((random.standard_normal(shape) * 0.5).astype(np.float32), name)

    weights = [weight("w", rows, gates * 5, 3), weight("r", rows, gates * 5, 5), weight("b", rows, gates * 10)]
    starts = [weight(name, rows, 2 if batch == "N" else batch, 5) for name in (["h0", "c0"] if op == "LSTM" else ["h0"])] if initial else []
    names = ["x", "w", "r", "b", ""] + [s.name for s in starts] if starts else ["x", "w", "r", "b"]
    outputs = ["y", "h", "c"] if op == "LSTM" else ["y", "h"]
    node = onnx.helper.make_node(op, names, outputs, hidden_size=5, direction=direction, **attributes)
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph([node], "g", [value("x", 1, [time, batch, 3])], [value(o, 1, None) for o in outputs], weights + starts)
    return onnx.helper.make_model(graph, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 17)])


def saved(model, folder, name):
    path = str(folder / f"{name}.onnx")
    onnx.save(onnx.parser.parse_model(HEAD + model) if isinstance(model, str) else model, path)
    return path


CELLS = {
    "lstm": ("LSTM", {}, "LSTMCell"),
    "lstm_begins_elsewhere": ("LSTM", {"initial": True}, "LSTMCell"),
    "gru": ("GRU", {}, "GRUCell"),
    "gru_linear_before_reset": ("GRU", {"linear_before_reset": 1, "initial": True}, "GRUCell"),
    "rnn_any_batch": ("RNN", {"batch": "N", "clip": 0.7}, "RNNCell"),
}


@pytest.mark.parametrize("environment", [".venv", ".venv-2023"])
@pytest.mark.parametrize("name", CELLS)
def test_a_recurrent_layer_steps_through_its_sequence(tmp_path, name, environment):
    op, options, cell = CELLS[name]
    x = np.random.default_rng(5).standard_normal((STEPS, 2, 3), dtype=np.float32)
    whole = judge.in_onnxruntime(saved(recurrent(op, STEPS, **options), tmp_path, "whole"), {"x": x})
    xml = judge.convert(saved(recurrent(op, 1, **options), tmp_path, "step"), tmp_path, INITIAL)
    assert cell in types(xml) and not any(t.endswith("Sequence") for t in types(xml))
    got, states = stepped(xml, [{"x": x[i:i + 1]} for i in range(STEPS)], tmp_path, environment)
    assert len(states) == (2 if op == "LSTM" else 1)
    assert judge.relative_error(np.concatenate([g["y"] for g in got]), whole["y"]) < 1e-5
    for state in ("h", "c") if op == "LSTM" else ("h",):
        assert judge.relative_error(got[-1][state], whole[state]) < 1e-5


@pytest.mark.parametrize("environment", [".venv", ".venv-2023"])
def test_a_layer_takes_its_sequence_in_pieces(tmp_path, environment):
    x = np.random.default_rng(5).standard_normal((6, 2, 3), dtype=np.float32)
    whole = judge.in_onnxruntime(saved(recurrent("LSTM", 6), tmp_path, "whole"), {"x": x})
    xml = judge.convert(saved(recurrent("LSTM", 3), tmp_path, "piece"), tmp_path, INITIAL)
    assert "LSTMSequence" in types(xml)
    got, _ = stepped(xml, [{"x": x[:3]}, {"x": x[3:]}], tmp_path, environment)
    assert judge.relative_error(np.concatenate([g["y"] for g in got]), whole["y"]) < 1e-5


@pytest.mark.parametrize("op", ["LSTM", "GRU", "RNN"])
def test_pieces_of_given_lengths(tmp_path, op):
    """Sizes are unknown: the states are those at the end of each sequence's piece, not those behind it."""
    random = np.random.default_rng(5)
    model = recurrent(op, "T", batch="N")
    model.graph.node[0].input.append("l")
    model.graph.input.append(onnx.helper.make_tensor_value_info("l", onnx.TensorProto.INT32, ["N"]))
    path = saved(model, tmp_path, "piece")
    x, lengths = [random.standard_normal((3, 2, 3), dtype=np.float32) for _ in range(2)], [np.array(l, np.int32) for l in ([3, 2], [1, 3])]
    got, _ = stepped(judge.convert(path, tmp_path, INITIAL), [{"x": part, "l": length} for part, length in zip(x, lengths)], tmp_path)
    joined = np.zeros((6, 2, 3), np.float32)  # the pieces of each sequence without what is behind them
    for at in range(2):
        joined[:lengths[0][at] + lengths[1][at], at] = np.concatenate([part[:length[at], at] for part, length in zip(x, lengths)])
    whole = judge.in_onnxruntime(path, {"x": joined, "l": lengths[0] + lengths[1]})
    for output in ("h", "c") if op == "LSTM" else ("h",):
        assert judge.relative_error(got[1][output], whole[output]) < 1e-5


def test_one_step_in_both_directions_stays_a_sequence(tmp_path):
    x = np.random.default_rng(5).standard_normal((1, 2, 3), dtype=np.float32)
    path = saved(recurrent("GRU", 1, "bidirectional", initial=True), tmp_path, "both")
    xml = judge.convert(path, tmp_path, INITIAL)
    got, _ = stepped(xml, [{"x": x}, {"x": x}], tmp_path)
    first = judge.in_onnxruntime(path, {"x": x})
    assert judge.relative_error(got[0]["y"], first["y"]) < 1e-5
    assert judge.relative_error(got[1]["y"], first["y"]) > 1e-2  # it goes on from the first step


def test_states_begin_with_zeros_unless_asked(tmp_path):
    x = np.random.default_rng(5).standard_normal((STEPS, 2, 3), dtype=np.float32)
    whole = judge.in_onnxruntime(saved(recurrent("GRU", STEPS), tmp_path, "whole"), {"x": x})
    xml = judge.convert(saved(recurrent("GRU", 1, initial=True), tmp_path, "step"), tmp_path, "--transform", "LowLatency2")
    got, _ = stepped(xml, [{"x": x[i:i + 1]} for i in range(STEPS)], tmp_path)
    assert judge.relative_error(np.concatenate([g["y"] for g in got]), whole["y"]) < 1e-5


# Models over T steps: the same text with T = 1 is one step of it. Inputs named x have one row for each step.
LOOPS = {
    "scan": """g (float[T, 3] x, float[3] k) => (float[3] y, float[3] z, float[T, 3] all) <float[3] h = {1, 2, 3}, float[3] j = {0, 1, 0}> {
      y, z, all = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] u, float[3] part) => (next, also, out) {
        next = Add (s, part)
        also = Mul (u, k)
        t = Sub (next, u)
        out = Tanh (t)
      }> (h, j, x)
    }""",
    "scan_backwards": """g (float[T, 3] x) => (float[3] y) <float[3] h = {1, 2, 3}> {
      y = Scan <num_scan_inputs = 1, scan_input_directions = [1], body = b (float[3] s, float[3] part) => (next) {
        t = Mul (s, part)
        next = Sin (t)
      }> (h, x)
    }""",
    "loop": """g (float[2] k) => (float[2] y, float[T, 2] all) <bool c = {1}, int64 n = {T}, float[2] h = {1, -1}> {
      y, all = Loop (n, c, h) <body = b (int64 i, bool go, float[2] v) => (on, w, part) {
        on = Identity (go)
        a = Add (v, k)
        w = Sin (a)
        part = Neg (w)
      }>
    }""",
    "scan_with_a_loop_in_it": """g (float[T, 3] x) => (float[3] y, float[T, 3] all)
        <float[3] h = {1, 2, 3}, float[3] zero = {0, 0, 0}, bool c = {1}, int64 three = {3}> {
      y, all = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] part) => (float[3] next, float[3] out) {
        inner = Loop (three, c, zero) <body = bb (int64 i, bool go, float[3] v) => (on, w) {
          on = Identity (go)
          w = Add (v, part)
        }>
        next = Add (s, inner)
        out = Identity (next)
      }> (h, x)
    }""",
    "two_scans_of_the_same_names": """g (float[T, 3] x) => (float[3] y, float[3] z) <float[3] h = {1, 2, 3}> {
      y = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] part) => (next) { next = Add (s, part) }> (h, x)
      z = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] part) => (next) { next = Sub (s, part) }> (h, x)
    }""",
}


@pytest.mark.parametrize("environment", [".venv", ".venv-2023"])
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_steps_through_its_iterations(tmp_path, name, environment):
    def text(steps):
        return LOOPS[name].replace("[T", f"[{steps}").replace("{T}", f"{{{steps}}}")

    random = np.random.default_rng(5)
    whole_path = saved(text(STEPS), tmp_path, "whole")
    feeds = {i.name: random.standard_normal([d.dim_value for d in i.type.tensor_type.shape.dim]).astype(np.float32)
             for i in onnx.load(whole_path).graph.input}
    whole = judge.in_onnxruntime(whole_path, feeds)
    xml = judge.convert(saved(text(1), tmp_path, "step"), tmp_path, INITIAL)
    assert "TensorIterator" not in types(xml) and types(xml).count("Loop") == (name == "scan_with_a_loop_in_it")
    order = range(STEPS - 1, -1, -1) if name == "scan_backwards" else range(STEPS)
    got, states = stepped(xml, [{n: a[i:i + 1] if n == "x" else a for n, a in feeds.items()} for i in order], tmp_path, environment)
    assert len(states) == (2 if name in ("scan", "two_scans_of_the_same_names") else 1)
    for output, want in whole.items():
        have = np.concatenate([g[output] for g in got]) if output == "all" else got[-1][output]
        assert judge.relative_error(have, want) < 1e-5, output


def test_a_loop_that_stays_goes_on_where_it_ended(tmp_path):
    text = LOOPS["loop"].replace("[T", "[K")
    whole = judge.in_onnxruntime(saved(text.replace("{T}", "{6}"), tmp_path, "whole"), {"k": np.ones(2, np.float32)})
    xml = judge.convert(saved(text.replace("{T}", "{3}"), tmp_path, "half"), tmp_path, INITIAL)
    got, states = stepped(xml, [{"k": np.ones(2, np.float32)}] * 2, tmp_path)
    assert "Loop" in types(xml) and states == ["y/v/variable_0"]
    assert judge.relative_error(np.concatenate([g["all"] for g in got]), whole["all"]) < 1e-5


def test_a_branch_keeps_its_state_while_the_other_runs(tmp_path):
    path = saved("""g (bool c, float[1, 3] x) => (float[3] y) <float[3] h = {1, 2, 3}> {
      y = If (c) <
        then_branch = t () => (a) {
          a = Scan <num_scan_inputs = 1, body = b (float[3] s, float[3] part) => (next) { next = Add (s, part) }> (h, x)
        },
        else_branch = e () => (z) { z = Neg (h) }
      >
    }""", tmp_path, "branch")
    xml = judge.convert(path, tmp_path, INITIAL)
    x = np.ones((1, 3), np.float32)
    got, _ = stepped(xml, [{"c": np.array(c), "x": x} for c in (True, False, True)], tmp_path)
    np.testing.assert_array_equal(got[0]["y"], [2, 3, 4])
    np.testing.assert_array_equal(got[1]["y"], [-1, -2, -3])
    np.testing.assert_array_equal(got[2]["y"], [3, 4, 5])


@pytest.mark.parametrize("environment", [".venv", ".venv-2023"])
def test_an_input_and_an_output_become_a_state(tmp_path, environment):
    path = saved("""g (float[1, 2] x, float[1, 2] s, float[3] u) => (float[1, 2] y, float[1, 2] t, float[3] v) <float[1] half = {0.5}> {
      t = Add (x, s)
      y = Mul (t, half)
      v = Add (u, half)
    }""", tmp_path, "both")
    xml = judge.convert(path, tmp_path, "--transform", "MakeStateful[param_res_names={'s':'t','u':'v'}]")
    got, states = stepped(xml, [{"x": np.array([[i, 2 * i]], np.float32)} for i in (1, 2, 3)], tmp_path, environment)
    assert states == ["st", "uv"]
    np.testing.assert_array_equal(got[2]["y"], [[3, 6]])
    assert set(got[0]) == {"y"}


class Net:
    """A network from x, whose weights are random except for filters that are 0."""

    def __init__(self, seed=1):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(seed)

    def weight(self, array):
        self.weights.append(onnx.numpy_helper.from_array(np.asarray(array), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def floats(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def op(self, kind, *inputs, **attributes):
        self.nodes.append(onnx.helper.make_node(kind, list(inputs), [f"t{len(self.nodes)}"], **attributes))
        return self.nodes[-1].output[0]

    def conv(self, x, outputs, inputs, zero=(), kernel=3, bias=None, group=1):
        w = self.floats(outputs, inputs // group, kernel, kernel)
        w[list(zero)] = 0
        more = []
        if bias is not None:
            b = self.floats(outputs)
            b[list(bias)] = 0
            more = [self.weight(b)]
        return self.op("Conv", x, self.weight(w), *more, kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, group=group)

    def norm(self, x, channels, zero):
        scale, shift, mean, variance = (self.floats(channels) for _ in range(4))
        shift[list(zero)] = mean[list(zero)] = 0
        return self.op("BatchNormalization", x, *(self.weight(a) for a in (scale, shift, mean, np.abs(variance) + 1)))

    def model(self, *outputs, shape=(2, 3, 8, 8)):
        value = onnx.helper.make_tensor_value_info
        graph = onnx.helper.make_graph(self.nodes, "g", [value("x", 1, shape)], [value(o, 1, None) for o in outputs], self.weights)
        return onnx.helper.make_model(graph, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 17)])


ZERO = (1, 3, 5)


def chain(n, between):
    """A convolution with zero filters, then `between`, then a convolution that reads its 8 channels."""
    return n.model(n.conv(between(n.op("Relu", n.conv("x", 8, 3, ZERO))), 6, 8))


def residual(n):
    a = n.op("Relu", n.conv("x", 8, 3, ZERO))
    return n.model(n.conv(n.op("Add", a, n.op("Relu", n.conv(a, 8, 8, (3, 5, 6)))), 6, 8))


def normalised(n, zero=ZERO):
    return n.model(n.conv(n.op("Relu", n.norm(n.conv("x", 8, 3, ZERO), 8, zero)), 6, 8))


def flattened(n, shape=(2, 3, 8, 8), **target):
    a = n.op("Relu", n.conv("x", 8, 3, ZERO))
    flat = n.op("Reshape", a, n.weight(np.array(target["to"]))) if target else n.op("Flatten", a)
    return n.model(n.op("Gemm", flat, n.weight(n.floats(10, 512)), n.weight(n.floats(10)), transB=1), shape=shape)


def pooled(n):
    flat = n.op("Flatten", n.op("GlobalAveragePool", n.op("Relu", n.conv("x", 8, 3, ZERO))))
    return n.model(n.op("MatMul", flat, n.weight(n.floats(8, 10))))


def excited(n):
    a = n.op("Relu", n.conv("x", 8, 3, ZERO))
    s = n.op("Relu", n.conv(n.op("GlobalAveragePool", a), 4, 8, kernel=1))
    return n.model(n.conv(n.op("Mul", a, n.op("Sigmoid", n.conv(s, 8, 4, kernel=1))), 6, 8))


def concatenated(n):
    a, b = n.op("Relu", n.conv("x", 8, 3, ZERO)), n.conv("x", 4, 3, (0,))
    return n.model(n.conv(n.op("Concat", a, "x", b, axis=1), 6, 15))


def dense(n, shape):
    w, b = n.floats(8, 6), n.floats(6)
    w[:, [1, 2]] = b[[1, 2]] = 0
    hidden = n.op("Relu", n.op("Add", n.op("MatMul", "x", n.weight(w)), n.weight(b)))
    return n.model(n.op("MatMul", hidden, n.weight(n.floats(6, 4))), shape=shape)


def upward(n):
    w = n.floats(8, 4, 2, 2)
    w[:, 2] = 0
    a = n.op("ConvTranspose", n.op("Relu", n.conv("x", 8, 3, ZERO)), n.weight(w), kernel_shape=[2, 2], strides=[2, 2])
    return n.model(n.conv(a, 6, 4))


def read_twice(n):
    a = n.op("Relu", n.conv("x", 8, 3, ZERO))
    return n.model(n.conv(a, 6, 8), a)


# The model, the shapes of its weights afterwards, and whether OpenVINO's own pass gives the same; it skips some, and for others it
# gives other numbers.
PRUNED = {
    "chain": (lambda n: chain(n, lambda a: a), [(5, 3, 3, 3), (6, 5, 3, 3)], True),
    "bias": (lambda n: n.model(n.conv(n.conv("x", 8, 3, ZERO, bias=(1, 5)), 6, 8, bias=())), [(6, 3, 3, 3), (6, 6, 3, 3)], True),
    "norm": (normalised, [(5, 3, 3, 3), (6, 5, 3, 3)], True),
    "norm_that_shifts": (lambda n: normalised(n, (1,)), [(6, 7, 3, 3), (7, 3, 3, 3)], True),
    "residual": (residual, [(6, 3, 3, 3), (6, 6, 3, 3), (6, 6, 3, 3)], True),
    "depthwise": (lambda n: chain(n, lambda a: n.conv(a, 8, 8, group=8)), [(5, 1, 1, 3, 3), (5, 3, 3, 3), (6, 5, 3, 3)], True),
    "depthwise_bias": (lambda n: chain(n, lambda a: n.conv(a, 8, 8, group=8, bias=(1, 2))), [(6, 7, 3, 3), (7, 1, 1, 3, 3), (7, 3, 3, 3)], True),
    "pools": (lambda n: chain(n, lambda a: n.op("AveragePool", n.op("MaxPool", a, kernel_shape=[2, 2]), kernel_shape=[3, 3], pads=[1] * 4)),
              [(5, 3, 3, 3), (6, 5, 3, 3)], True),
    "swish": (lambda n: chain(n, lambda a: n.op("Mul", a, n.op("Sigmoid", a))), [(5, 3, 3, 3), (6, 5, 3, 3)], True),
    "clamp": (lambda n: chain(n, lambda a: n.op("Clip", a, n.weight(np.float32(0)), n.weight(np.float32(6)))), [(5, 3, 3, 3), (6, 5, 3, 3)], True),
    "flattened": (flattened, [(5, 3, 3, 3), (10, 320)], True),
    "reshaped": (lambda n: flattened(n, to=[2, 512]), [(5, 3, 3, 3), (10, 320)], True),
    "reshaped_any_batch": (lambda n: flattened(n, ("N", 3, 8, 8), to=[-1, 512]), [(5, 3, 3, 3), (10, 320)], False),
    "pooled": (pooled, [(5, 3, 3, 3), (5, 10)], True),
    "excited": (excited, [(4, 5, 1, 1), (5, 3, 3, 3), (5, 4, 1, 1), (6, 5, 3, 3)], True),
    "concatenated": (concatenated, [(3, 3, 3, 3), (5, 3, 3, 3), (6, 11, 3, 3)], True),
    "dense": (lambda n: dense(n, (2, 8)), [(4, 4), (8, 4)], False),
    "dense_3d": (lambda n: dense(n, (2, 5, 8)), [(4, 4), (8, 4)], False),
    "transposed_convolution": (upward, [(5, 3, 2, 2), (5, 3, 3, 3), (6, 3, 3, 3)], False),
    "resized": (lambda n: chain(n, lambda a: n.op("Resize", a, "", n.weight(np.array([1, 1, 2, 2], np.float32)), mode="linear")),
                [(5, 3, 3, 3), (6, 5, 3, 3)], False),
    "slopes": (lambda n: chain(n, lambda a: n.op("PRelu", a, n.weight(n.floats(8, 1, 1)))), [(5, 3, 3, 3), (6, 5, 3, 3)], False),
    "padded": (lambda n: chain(n, lambda a: n.op("Pad", a, n.weight(np.array([0, 0, 1, 1] * 2)))), [(5, 3, 3, 3), (6, 5, 3, 3)], True),
    "padded_with_ones": (lambda n: chain(n, lambda a: n.op("Pad", a, n.weight(np.array([0, 0, 1, 1] * 2)), n.weight(np.float32(1)))),
                         [(6, 8, 3, 3), (8, 3, 3, 3)], False),
    "transposed": (lambda n: chain(n, lambda a: n.op("Transpose", n.op("Softsign", n.op("Transpose", a, perm=[0, 2, 3, 1])), perm=[0, 3, 1, 2])),
                   [(5, 3, 3, 3), (6, 5, 3, 3)], False),
    "exponent": (lambda n: chain(n, lambda a: n.op("Exp", a)), [(6, 8, 3, 3), (8, 3, 3, 3)], False),
    "output": (read_twice, [(6, 8, 3, 3), (8, 3, 3, 3)], True),
    "nothing_else": (lambda n: n.model(n.conv(n.conv("x", 4, 3, (0, 1, 2, 3)), 6, 4, bias=())), [(1, 3, 3, 3), (6, 1, 3, 3)], False),
}


def weights_of(model):
    kinds = ("Convolution", "GroupConvolution", "ConvolutionBackpropData", "MatMul")
    return sorted(tuple(op.input(1).get_shape()) for op in model.get_ops() if op.get_type_name() in kinds)


def size(shapes):
    return sum(int(np.prod(shape)) for shape in shapes)


def pruned_by_openvino(xml):
    from openvino._offline_transformations import apply_pruning_transformation
    model = judge.core().read_model(xml)
    apply_pruning_transformation(model)
    return weights_of(model)


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("name", PRUNED)
def test_channels_that_are_zero_are_removed(tmp_path, name, compress):
    make, shapes, as_openvino = PRUNED[name]
    path = saved(make(Net()), tmp_path, "net")
    xml = judge.convert(path, tmp_path, "--transform", "Pruning", compress=compress)
    if not compress:
        assert weights_of(judge.core().read_model(xml)) == shapes
    shape = onnx.load(path).graph.input[0].type.tensor_type.shape.dim
    feeds = {"x": np.random.default_rng(7).standard_normal([d.dim_value or 2 for d in shape]).astype(np.float32)}
    judge.assert_same(path, xml, feeds, 2e-3 if compress else 1e-5)
    if as_openvino and not compress:
        assert pruned_by_openvino(judge.convert(path, tmp_path)) == shapes


@pytest.mark.parametrize("name", ["mobilenetv2", "resnet50"])
def test_a_network_with_zero_filters_is_pruned_as_far_as_openvino_does(model, tmp_path, name):
    net, random = onnx.load(model(name)), np.random.default_rng(11)
    weights = {w.name: w for w in net.graph.initializer}
    for node in net.graph.node:
        if node.op_type == "Conv" and node.input[1] in weights:
            zero = None
            for name_of in [n for n in node.input[1:] if n]:
                array = onnx.numpy_helper.to_array(weights[name_of]).copy()
                zero = random.random(len(array)) < 0.3 if zero is None else zero
                array[zero] = 0
                weights[name_of].CopyFrom(onnx.numpy_helper.from_array(array, name_of))
        if node.op_type == "BatchNormalization" and zero is not None:
            for name_of in (node.input[2], node.input[3]):
                array = onnx.numpy_helper.to_array(weights[name_of]).copy()
                array[zero] = 0
                weights[name_of].CopyFrom(onnx.numpy_helper.from_array(array, name_of))
    path = saved(net, tmp_path, "net")
    whole = size(weights_of(judge.core().read_model(judge.convert(path, tmp_path))))
    want = size(pruned_by_openvino(str(tmp_path / "net.xml")))
    xml = judge.convert(path, tmp_path, "--transform", "Pruning")
    assert size(weights_of(judge.core().read_model(xml))) <= want < 0.8 * whole
    judge.assert_same(path, xml, {net.graph.input[0].name: np.random.default_rng(7).standard_normal((1, 3, 224, 224), dtype=np.float32)}, 1e-4)
