"""Operations of the domain org.openvinotoolkit against openvino.convert_model, whose reader defines them."""
import numpy as np
import onnx
import openvino
import pytest
from onnx import helper

import judge
from nodes import model_of_node

RNG = np.random.default_rng(11)
DOMAIN = "org.openvinotoolkit"


def f32(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


OFFSETS, WEIGHTS = f32(2, 18, 4, 5), f32(6, 4, 3, 3)
CASES = {
    "FakeQuantize": ("FakeQuantize", {"x": f32(2, 3, 4), "a": np.float32(-1), "b": np.float32(1.5), "c": np.float32(-2), "d": np.float32(2)}, "abcd", {"levels": 16}),
    "FakeQuantize by channel": ("FakeQuantize", {"x": f32(2, 3, 4), "a": f32(3, 1) - 2, "b": f32(3, 1) + 2, "c": f32(3, 1) - 2, "d": f32(3, 1) + 2}, "abcd", {"levels": 256}),
    "Swish": ("Swish", {"x": f32(2, 3)}, "", {}),
    "Swish with a number": ("Swish", {"x": f32(2, 3), "b": np.float32([0.7])}, "b", {}),
    "GroupNorm": ("GroupNorm", {"x": f32(2, 4, 3, 3), "s": f32(4), "b": f32(4)}, "sb", {"num_groups": 2, "eps": 1e-3}),
    "ExperimentalDetectronGroupNorm": ("ExperimentalDetectronGroupNorm", {"x": f32(2, 4, 3, 3), "s": f32(4), "b": f32(4)}, "sb", {"num_groups": 2}),
    "Normalize": ("Normalize", {"x": f32(2, 4, 3, 3), "w": f32(4)}, "w", {"eps": 1e-3, "across_spatial": 0, "channel_shared": 0}),
    "Normalize of images": ("Normalize", {"x": f32(2, 4, 3, 3), "w": f32(4)}, "w", {"eps": 1e-3, "across_spatial": 1, "channel_shared": 0}),
    "Normalize with one weight": ("Normalize", {"x": f32(2, 4, 3, 3), "w": f32(1)}, "w", {"eps": 1e-3, "across_spatial": 0, "channel_shared": 1}),
    "DeformableConv2D": ("DeformableConv2D", {"x": f32(2, 4, 6, 7), "o": OFFSETS, "w": WEIGHTS}, "w", {"strides": [1, 1], "pads": [0, 0, 0, 0], "dilations": [1, 1], "group": 1, "deformable_group": 1}),
    "DeformableConv2D with a mask": ("DeformableConv2D", {"x": f32(2, 4, 6, 7), "o": OFFSETS, "w": WEIGHTS, "m": f32(2, 9, 4, 5)}, "w", {"strides": [1, 1], "pads": [0, 0, 0, 0], "dilations": [1, 1], "group": 1, "deformable_group": 1}),
}


@pytest.mark.parametrize("domain", [DOMAIN, ""], ids=["domain", "no domain"])
@pytest.mark.parametrize("case", CASES)
def test_same_as_openvino(case, domain, tmp_path):
    op, inputs, constants, attributes = CASES[case]
    path = str(tmp_path / "model.onnx")
    model_of_node(path, op, DOMAIN, inputs, {"y": "float32"}, list(constants), 1, dynamic=False, **attributes)
    feeds = {name: array for name, array in inputs.items() if name not in constants}
    compiled = openvino.Core().compile_model(openvino.convert_model(path), "CPU")
    want = compiled(feeds)[0]
    if not domain:  # as exporters write it
        if op == "Swish":
            pytest.skip("ONNX has a Swish of its own since operator set 24")
        model = onnx.load(path)
        model.graph.node[0].domain = ""
        del model.opset_import[:]
        model.opset_import.append(helper.make_opsetid("", 17))
        onnx.save(model, path)
    got = judge.in_openvino(judge.convert(path, tmp_path), feeds)["y"]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)
