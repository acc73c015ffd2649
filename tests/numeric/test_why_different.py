"""What docs/why-different.md says of both converters."""
import collections
import os
import subprocess

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import openvino as ov
import pytest
from openvino.preprocess import PrePostProcessor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
HEAD = '<ir_version: 8, opset_import: ["" : 17]>\ng '
random = np.random.default_rng(1)
W, V = random.standard_normal((4, 3, 3, 3), np.float32), random.random(4, np.float32) + np.float32(0.5)


def save(path, text, weights):
    model = onnx.parser.parse_model(HEAD + text)
    model.graph.initializer.extend(onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items())
    onnx.save(model, path)
    return path


@pytest.fixture
def both(tmp_path):
    def convert(text, *options, **weights):
        path = save(tmp_path / "m.onnx", text, weights)
        subprocess.run([MO, path, "-o", tmp_path / "ours", *options], check=True, capture_output=True)
        ov.save_model(ov.convert_model(path), tmp_path / "theirs" / "m.xml")
        return [ov.Core().read_model(tmp_path / name / "m.xml") for name in ("ours", "theirs")]

    return convert


def operations(model):
    return collections.Counter(node.get_type_name() for node in model.get_ordered_ops())


def names(ports):
    return [set(port.get_names()) for port in ports]


def test_outputs_that_are_one_tensor(both):
    ours, theirs = both("(float[2,3] x) => (float[2,3] y, float[2,3] z) { y = Relu(x)\n z = Identity(y) }")
    assert names(ours.outputs) == [{"y", "z"}] * 2 and operations(ours)["Identity"] == 0
    assert names(theirs.outputs) == [{"y"}, {"z"}] and operations(theirs)["Identity"] == 1


def test_names_of_what_is_dropped(both):
    ours, theirs = both("(float[2,3] x) => (float[2,3] y) { a = Identity(x)\n b = Dropout(a)\n y = Relu(b) }")
    assert names(ours.inputs) == [{"x", "a", "b"}] and names(theirs.inputs) == [{"x", "b"}]
    assert operations(ours) == operations(theirs)


def test_inputs_that_nothing_reads(both):
    ours, theirs = both("(float[2,3] x, float[2] unused) => (float[2,3] y) { y = Relu(x) }")
    assert names(ours.inputs) == names(theirs.inputs) == [{"x"}, {"unused"}]


@pytest.mark.parametrize("text, weights", [
    ("(float[1,3,8,8] x) => (float[1,4,6,6] y) { c = Conv(x,w)\n y = BatchNormalization(c,v,v,v,v) }", {"w": W, "v": V}),
    ("(float[2,3] x) => (float[2,3] y) { a = Div(x,r)\n e = Erf(a)\n p = Add(e,one)\n q = Mul(x,p)\n y = Mul(q,half) }",
     {"r": np.float32(2**0.5), "one": np.float32(1), "half": np.float32(0.5)}),
    ("(float[N,3,4] x) => (float[N,12] y) { s = Shape(x)\n n = Gather(s,zero)\n u = Unsqueeze(n,axes)\n p = Concat<axis=0>(u,rest)\n y = Reshape(x,p) }",
     {"zero": np.int64(0), "axes": np.array([0]), "rest": np.array([-1])}),
], ids=["batch normalization", "Erf", "Reshape by Shape"])
def test_what_is_folded(both, text, weights):
    ours, theirs = both(text, **weights)
    assert operations(ours) == operations(theirs)


def test_fp16_and_open_sizes(both, tmp_path):
    ours, theirs = both("(float[N,3,8,8] x) => (float[N,4,6,6] y) { c = Conv(x,w,b)\n y = Relu(c) }", w=W, b=V)
    assert operations(ours) == operations(theirs) and operations(ours)["Convert"] == 2
    assert {str(model.inputs[0].partial_shape) for model in (ours, theirs)} == {"[?,3,8,8]"}
    assert len({os.path.getsize(tmp_path / name / "m.bin") for name in ("ours", "theirs")}) == 1


def test_weights_that_do_not_fit_fp16(both):
    for model in both("(float[2,4] x) => (float[2,4] y) { y = MatMul(x,w) }", w=(random.standard_normal((4, 4)) * 1e6).astype(np.float32)):
        assert operations(model)["Convert"] == 0


def test_preprocessing(both):
    ours, theirs = both("(float[1,3,8,8] x) => (float[1,4,6,6] y) { y = Conv(x,w) }", "--mean_values", "[1,2,3]", "--scale_values", "[2,2,4]", "--compress_to_fp16=False", w=W)
    steps = PrePostProcessor(theirs)
    steps.input().model().set_layout(ov.Layout("NCHW"))
    steps.input().tensor().set_layout(ov.Layout("NCHW"))
    steps.input().preprocess().mean([1, 2, 3]).scale([2, 2, 4])
    theirs = steps.build()
    image = {"x": random.standard_normal((1, 3, 8, 8)).astype(np.float32)}
    results = [ov.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(image)[0] for model in (ours, theirs)]
    # The IR of `ovc` has its weights in FP16.
    assert np.abs(results[0] - results[1]).max() <= 2e-3 * np.abs(results[1]).max()
    assert operations(ours)["Convolution"] == 1 and not {"Subtract", "Divide", "Multiply"} & set(operations(ours))
    assert {"Subtract", "Divide", "Multiply"} & set(operations(theirs))
