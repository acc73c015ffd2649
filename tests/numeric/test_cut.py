"""Parts of models, and models with values for their inputs, against the same part in ONNX Runtime."""
import onnx
import onnx.parser
import onnx.utils
import numpy as np
import pytest

import judge

IMAGE = np.random.default_rng(7).standard_normal((1, 3, 224, 224), dtype=np.float32)
TOKENS = {"input_ids": np.arange(1, 21).reshape(2, 10), "attention_mask": np.ones((2, 10), np.int64)}
FEEDS = {"mobilenetv2": {"input": IMAGE}, "bert_base": TOKENS}


def values_of(path, names, feeds, folder):
    """Values of tensors inside the model."""
    model = onnx.load(path, load_external_data=False)
    inferred = onnx.shape_inference.infer_shapes(model)
    known = {v.name: v for v in [*inferred.graph.value_info, *inferred.graph.output]}
    for name in names:
        if name not in {o.name for o in model.graph.output}:
            model.graph.output.append(known.get(name) or onnx.helper.make_empty_tensor_value_info(name))
    probe = str(folder / "probe.onnx")
    onnx.save(model, probe)
    got = judge.in_onnxruntime(probe, feeds)
    return {name: got[name] for name in names}


def tensors_at(path, fractions):
    """Tensors at these fractions of the way through the model. All later nodes depend on each of them, and on no other earlier tensor."""
    graph = onnx.load(path, load_external_data=False).graph
    weights = {w.name for w in graph.initializer}
    last_use = {name: i for i, node in enumerate(graph.node) for name in node.input}
    open_tensors, through = set(), []
    for i, node in enumerate(graph.node):
        open_tensors |= set(node.output) | {name for name in node.input if name not in weights}
        open_tensors = {name for name in open_tensors if last_use.get(name, -1) > i}
        if len(open_tensors) == 1 and node.op_type != "Constant":
            through += open_tensors
    return [through[int(fraction * (len(through) - 1))] for fraction in fractions]


@pytest.mark.parametrize("name", FEEDS)
def test_a_model_that_ends_earlier_gives_the_numbers_of_its_new_outputs(model, tmp_path, name):
    places = tensors_at(model(name), [0.2, 0.6])
    xml = judge.convert(model(name), tmp_path, "--output", ",".join(places))
    got = judge.in_openvino(xml, FEEDS[name])
    for place, want in values_of(model(name), places, FEEDS[name], tmp_path).items():
        assert judge.relative_error(got[place], want) < 1e-3, place


@pytest.mark.parametrize("option", ["", "[?,?,?,?]{f32}"])
def test_a_model_that_begins_later_gives_the_same_numbers(model, tmp_path, option):
    path = model("mobilenetv2")
    (place,) = tensors_at(path, [0.3])
    xml = judge.convert(path, tmp_path, "--input", place + option)
    want = judge.in_onnxruntime(path, FEEDS["mobilenetv2"])
    got = judge.in_openvino(xml, values_of(path, [place], FEEDS["mobilenetv2"], tmp_path))
    for name, array in want.items():
        assert judge.relative_error(got[name], array) < 1e-3, name


def test_a_frozen_input_gives_the_numbers_of_its_value(model, tmp_path):
    xml = judge.convert(model("bert_base"), tmp_path, "--input", "attention_mask[2,10]->[" + " ".join(["1"] * 20) + "]")
    want = judge.in_onnxruntime(model("bert_base"), TOKENS)
    got = judge.in_openvino(xml, {"input_ids": TOKENS["input_ids"]})
    for name, array in want.items():
        assert judge.relative_error(got[name], array) < 1e-3, name


def test_names_with_blanks_colons_and_slashes(tmp_path):
    text = """float[2, 3] x) => (float[2, 3] z) { a = Relu (x)  b = Sigmoid (a)  z = Tanh (b) }"""
    proto = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g ({text}')
    for node, name in zip(proto.graph.node, ["a/first op:0", "b:1/second", "third"]):
        node.name = name
    proto.graph.node[0].output[0] = proto.graph.node[1].input[0] = "scope/a tensor:0"
    path = str(tmp_path / "names.onnx")
    onnx.save(proto, path)
    values = np.random.default_rng(1).standard_normal((2, 3), dtype=np.float32)
    for place in ["scope/a tensor:0", "a/first op:0:0", "0:b:1/second"]:
        xml = judge.convert(path, tmp_path, "--input", place)
        inside = values_of(path, ["scope/a tensor:0"], {"x": values}, tmp_path)["scope/a tensor:0"]
        feed = "0:b:1/second" if place.startswith("0:") else "scope/a tensor:0"
        got = judge.in_openvino(xml, {feed: inside})["z"]
        np.testing.assert_allclose(got, np.tanh(1 / (1 + np.exp(-np.maximum(values, 0)))), rtol=1e-5)
