"""Recurrent layers of ONNX against ONNX Runtime: every form, with known and open sizes, with lengths and without."""
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest

import judge

TIME, BATCH, SIZE, HIDDEN = 5, 3, 4, 6
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
ACTIVATIONS = ["Affine", "Relu", "LeakyRelu", "ThresholdedRelu", "Tanh", "ScaledTanh", "Sigmoid", "HardSigmoid", "Elu", "Softsign", "Softplus"]
OPEN = {"known": (TIME, BATCH), "batch": (TIME, "N"), "time": ("T", BATCH), "both": ("T", "N")}
SEQUENCES = {"LSTMSequence", "GRUSequence", "RNNSequence"}


class Model:
    """Layers side by side over the inputs x, l, h0, c0 (of one direction), h0_2, c0_2 (of two)."""

    def __init__(self, time=TIME, batch=BATCH, lengths=None, batch_first=False, size=SIZE):
        """`lengths`: None, "input", or the numbers of a constant. `batch_first`: every layer has layout 1."""
        self.time, self.batch, self.lengths, self.batch_first, self.size = time, batch, lengths, batch_first, size
        self.random = np.random.default_rng(5)
        self.nodes, self.constants, self.outputs, self.used = [], [], [], set()
        if isinstance(lengths, list):
            self.constants.append(onnx.numpy_helper.from_array(np.array(lengths, np.int32), "l"))

    def weight(self, name, *shape):
        self.constants.append(onnx.numpy_helper.from_array(self.random.standard_normal(shape).astype(np.float32), name))
        return name

    def layer(self, op, direction="forward", initial=False, bias=True, peepholes=False, weights=1.0, **attributes):
        name, count, gates = f"{op}{len(self.nodes)}", 2 if direction == "bidirectional" else 1, GATES[op]
        inputs = ["x", self.weight(name + "w", count, gates * HIDDEN, self.size), self.weight(name + "r", count, gates * HIDDEN, HIDDEN)]
        inputs.append(self.weight(name + "b", count, 2 * gates * HIDDEN) if bias else "")
        inputs.append("l" if self.lengths else "")
        states = ["h0", "c0"] if op == "LSTM" else ["h0"]
        states = [state + "_2" if count == 2 else state for state in states] if initial else ["" for _ in states]
        self.used.update(filter(None, states))
        inputs += states + ([self.weight(name + "p", count, 3 * HIDDEN)] if peepholes else [])
        outputs = [name + suffix for suffix in ("_y", "_h", "_c")[:3 if op == "LSTM" else 2]]
        self.outputs += outputs
        self.nodes.append(onnx.helper.make_node(op, inputs, outputs, hidden_size=HIDDEN, direction=direction, layout=int(self.batch_first), **attributes))

    def shape(self, time_or_directions, last):
        shape = [time_or_directions, self.batch, last]
        return [shape[1], shape[0], shape[2]] if self.batch_first else shape

    def save(self, path):
        value = onnx.helper.make_tensor_value_info
        inputs = [value("x", 1, self.shape(self.time, self.size))] + ([value("l", 6, [self.batch])] if self.lengths == "input" else [])
        inputs += [value(name, 1, self.shape(2 if name.endswith("_2") else 1, HIDDEN)) for name in sorted(self.used)]
        graph = onnx.helper.make_graph(self.nodes, "g", inputs, [value(name, 1, None) for name in self.outputs], self.constants)
        onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 14)], ir_version=8), str(path))
        return str(path)

    def feeds(self, lengths=(5, 2, 4), time=TIME):
        random, batch = np.random.default_rng(7), len(lengths)
        fed = {"x": random.standard_normal((time, batch, self.size)).astype(np.float32)}
        if self.lengths == "input":
            fed["l"] = np.array(lengths, np.int32)
        for name in sorted(self.used):
            fed[name] = random.standard_normal((2 if name.endswith("_2") else 1, batch, HIDDEN)).astype(np.float32)
        return fed


def compare(build, folder, feeds_of, runtime=judge.in_openvino, tolerance=2e-5, **options):
    """The IR of build(**options) against ONNX Runtime, which has no layout 1: it gets the layers with time first."""
    made, plain = Model(**options), Model(**{**options, "batch_first": False})
    build(made), build(plain)
    xml = judge.convert(made.save(folder / "m.onnx"), folder)
    feeds = feeds_of(plain)
    want = judge.in_onnxruntime(plain.save(folder / "plain.onnx"), feeds, optimise=False)
    if made.batch_first:
        feeds = {name: np.swapaxes(array, 0, 1) if array.ndim == 3 else array for name, array in feeds.items()}
        want = {name: np.moveaxis(array, 2, 0) if array.ndim == 4 else np.swapaxes(array, 0, 1) for name, array in want.items()}
    got = runtime(xml, feeds)
    wrong = {f"{name}: {onnx.helper.printable_node(made.nodes[at])}": error for at, node in enumerate(made.nodes) for name in node.output
             if not (error := judge.relative_error(got[name], want[name])) <= tolerance}
    assert not wrong
    return xml


def all_forms(model):
    for op in GATES:
        for direction in ("forward", "reverse", "bidirectional"):
            for initial in (False, True):
                model.layer(op, direction, initial)
    model.layer("GRU", "bidirectional", True, linear_before_reset=1)
    model.layer("GRU", "reverse", bias=False, linear_before_reset=1)
    model.layer("LSTM", "reverse", bias=False)
    model.layer("RNN", "bidirectional", activations=["Relu", "Sigmoid"])
    model.layer("LSTM", "reverse", True, activations=["Sigmoid", "Relu", "Tanh"])
    model.layer("LSTM", "bidirectional", True, clip=0.7)
    model.layer("GRU", "reverse", True, clip=0.7, linear_before_reset=1)
    model.layer("LSTM", "bidirectional", True, peepholes=True)
    model.layer("GRU", "reverse", True, activations=["HardSigmoid", "Softsign"])


def layers_of(xml):
    return [op.get_type_name() for op in judge.core().read_model(xml).get_ops()]


@pytest.mark.parametrize("batch_first", [False, True], ids=["time_first", "batch_first"])
@pytest.mark.parametrize("lengths", [None, "input", [5, 2, 4]], ids=["whole", "lengths", "constant_lengths"])
@pytest.mark.parametrize("sizes", OPEN)
def test_numbers(tmp_path, sizes, lengths, batch_first):
    time, batch = OPEN[sizes]
    compare(all_forms, tmp_path, lambda m: m.feeds(), time=time, batch=batch, lengths=lengths, batch_first=batch_first)


@pytest.mark.parametrize("lengths", [None, "input", [5, 2, 4]], ids=["whole", "lengths", "constant_lengths"])
def test_numbers_in_2023(tmp_path, lengths):
    """Without those that this runtime computes step by step: it does not compile them with an open batch."""
    def forms(model):
        for op in GATES:
            for direction in ("reverse", "bidirectional"):
                model.layer(op, direction, True)
        model.layer("LSTM", "reverse", True, peepholes=True, input_forget=1)
        model.layer("GRU", "bidirectional", True, activations=["HardSigmoid", "Softsign"] * 2)
    compare(forms, tmp_path, lambda m: m.feeds(), lambda xml, feeds: judge.in_openvino_2023(xml, feeds, tmp_path), time="T", batch="N", lengths=lengths)


@pytest.mark.parametrize("sizes", OPEN)
@pytest.mark.parametrize("lengths", [(0, 2, 5), (0, 0, 0), (1, 1, 1)], ids=["one_empty", "all_empty", "one_step"])
def test_short_sequences(tmp_path, sizes, lengths):
    def forms(model):
        for op in GATES:
            for direction in ("forward", "bidirectional"):
                model.layer(op, direction, True)
        model.layer("LSTM", "reverse", True, peepholes=True)
        model.layer("LSTM", "reverse")
    time, batch = OPEN[sizes]
    compare(forms, tmp_path, lambda m: m.feeds(lengths), time=time, batch=batch, lengths="input")


def test_one_sequence_and_one_step(tmp_path):
    compare(all_forms, tmp_path, lambda m: m.feeds((3,), time=4), time="T", batch="N", lengths="input")
    compare(all_forms, tmp_path, lambda m: m.feeds((1, 1), time=1), time="T", batch="N", lengths="input")


def test_open_input_size(tmp_path):
    made = Model(lengths="input")
    made.layer("LSTM", "bidirectional", True), made.layer("GRU", "reverse")
    feeds, path = made.feeds(), made.save(tmp_path / "m.onnx")
    model = onnx.load(path)
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_param = "I"
    onnx.save(model, path)
    judge.assert_same(path, judge.convert(path, tmp_path), feeds, 2e-5)


@pytest.mark.parametrize("lengths", [None, "input", [5, 2, 4]], ids=["whole", "lengths", "constant_lengths"])
@pytest.mark.parametrize("sizes", ["batch", "both"])
def test_constant_states(tmp_path, sizes, lengths):
    made = Model(*OPEN[sizes], lengths)
    for op in GATES:
        made.layer(op, "reverse", True)
    made.layer("LSTM", "bidirectional", True, peepholes=True)
    if lengths == "input":  # a constant state fixes the batch, and OpenVINO 2023.3 compiles no loop of a GRU over known sizes
        made.layer("GRU", "forward", True, activations=["HardSigmoid", "Tanh"])
    feeds, path = made.feeds(), made.save(tmp_path / "m.onnx")
    model = onnx.load(path)
    for value in [value for value in model.graph.input if value.name in made.used]:
        model.graph.input.remove(value)
        model.graph.initializer.append(onnx.numpy_helper.from_array(feeds.pop(value.name), value.name))
    onnx.save(model, path)
    xml = judge.convert(path, tmp_path)
    judge.assert_same(path, xml, feeds, 2e-5)
    if lengths != "input":
        judge.in_openvino_2023(xml, feeds, tmp_path)


def test_cell_states_do_not_drift(tmp_path):
    """The state of a cell is kept over hundreds of steps behind its length."""
    def forms(model):
        model.layer("LSTM", "bidirectional", True)
    compare(forms, tmp_path, lambda m: m.feeds((600, 3, 1), time=600), tolerance=5e-6, time="T", batch="N", lengths="input")


@pytest.mark.parametrize("values", ["defaults", "given"])
def test_activations(tmp_path, values):
    """The parameters belong to those activations that have some, in their order."""
    given = {"activation_alpha": [0.3, 0.4, 0.25, 0.6, 0.35, 0.45], "activation_beta": [0.6, 0.8, 0.5, 0.2]} if values == "given" else {}

    def forms(model):
        for at, name in enumerate(ACTIVATIONS):
            model.layer("RNN", "reverse", True, activations=[name], **given)
            model.layer("LSTM", "forward", True, activations=["HardSigmoid", name, ACTIVATIONS[at - 1]], **given)
            model.layer("GRU", "bidirectional", True, activations=["Sigmoid", name, "HardSigmoid", ACTIVATIONS[at - 3]], **given)
    compare(forms, tmp_path, lambda m: m.feeds(), tolerance=1e-4, batch="N", lengths="input")


@pytest.mark.parametrize("lengths", [None, "input"], ids=["whole", "lengths"])
@pytest.mark.parametrize("sizes", ["known", "both"])
def test_gates(tmp_path, sizes, lengths):
    """Peepholes, coupled gates and limits of all kinds together."""
    def forms(model):
        for direction in ("forward", "reverse", "bidirectional"):
            for initial in (False, True):
                model.layer("LSTM", direction, initial, peepholes=True)
        model.layer("LSTM", "reverse", True, peepholes=True, clip=0.6)
        model.layer("LSTM", "bidirectional", True, input_forget=1)
        model.layer("LSTM", "forward", True, bias=False, input_forget=1, peepholes=True, clip=0.9)
        model.layer("LSTM", "reverse", True, input_forget=1, activations=["HardSigmoid", "Softsign", "Elu"])
        model.layer("GRU", "bidirectional", True, clip=0.5, linear_before_reset=1, activations=["HardSigmoid", "Elu"] * 2)
        model.layer("GRU", "forward", True, clip=0.5, activations=["HardSigmoid", "Elu"])
        model.layer("GRU", "forward", True, bias=False, linear_before_reset=1, activations=["HardSigmoid", "Elu"])
        model.layer("RNN", "bidirectional", True, clip=0.5, activations=["Softplus", "Tanh"])
    time, batch = OPEN[sizes]
    compare(forms, tmp_path, lambda m: m.feeds(), time=time, batch=batch, lengths=lengths)


def test_weights_that_are_inputs(tmp_path):
    """Weights that a part of the model computes are put in order at run time."""
    made = Model(time="T", batch="N", lengths="input")
    made.layer("LSTM", "bidirectional", True), made.layer("GRU", "reverse", True, linear_before_reset=1)
    made.layer("LSTM", "reverse", True, peepholes=True, input_forget=1), made.layer("GRU", "forward", activations=["HardSigmoid", "Elu"])
    feeds = {**made.feeds(), **{c.name: onnx.numpy_helper.to_array(c) for c in made.constants}}
    path = made.save(tmp_path / "m.onnx")
    model = onnx.load(path)
    for constant in made.constants:
        model.graph.input.append(onnx.helper.make_tensor_value_info(constant.name, 1, constant.dims))
    del model.graph.initializer[:]
    onnx.save(model, path)
    judge.assert_same(path, judge.convert(path, tmp_path), feeds, 2e-5)


WHOLE = {
    "constant": "g (float[5, N, 4] x) => (y, h, c) <int32[3] l = {5, 5, 5}, %s> { y, h, c = LSTM <hidden_size = 2> (x, w, r, b, l) }",
    "expanded": """g (float[T, N, 4] x) => (y, h, c) <%s, int64 t = {0}, int64[1] n = {1}> {
      s = Shape (x)  time = Gather (s, t)  i = Cast <to = 6> (time)  batch = Gather (s, n)  l = Expand (i, batch)
      y, h, c = LSTM <hidden_size = 2> (x, w, r, b, l)
    }""",
    "tiled": """g (float[T, N, 4] x) => (y, h, c) <%s, int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> {
      s = Shape (x)  time = Slice (s, zero, one)  batch = Slice (s, one, two)  i = Cast <to = 6> (time)  l = Tile (i, batch)
      y, h, c = LSTM <hidden_size = 2> (x, w, r, b, l)
    }""",
}


@pytest.mark.parametrize("name", WHOLE)
def test_lengths_that_are_the_whole_time(tmp_path, name):
    """Such lengths count as none: there is one sequence, and nothing behind it."""
    random = np.random.default_rng(1)
    weights = ", ".join(f"float[{','.join(map(str, shape))}] {n} = {{{','.join(map(str, random.standard_normal(shape).astype(np.float32).ravel()))}}}"
                        for n, shape in (("w", (1, 8, 4)), ("r", (1, 8, 2)), ("b", (1, 16))))
    path = str(tmp_path / "m.onnx")
    onnx.save(onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 14]>\n' + WHOLE[name] % weights), path)
    xml = judge.convert(path, tmp_path)
    assert "LSTMSequence" in layers_of(xml) and not {"Select", "GatherND", "Less"} & set(layers_of(xml))
    judge.assert_same(path, xml, {"x": random.standard_normal((5, 3, 4)).astype(np.float32)}, 1e-5)
    judge.in_openvino_2023(xml, {"x": random.standard_normal((5, 3, 4)).astype(np.float32)}, tmp_path)


def test_known_sizes_keep_the_sequence(tmp_path):
    def forms(model):
        model.layer("LSTM", "bidirectional"), model.layer("GRU", "reverse"), model.layer("RNN")
    xml = compare(forms, tmp_path, lambda m: m.feeds(), lengths="input")
    types = layers_of(xml)
    assert len([t for t in types if t in SEQUENCES]) == 3 and not {"Select", "GatherND", "TensorIterator"} & set(types)
