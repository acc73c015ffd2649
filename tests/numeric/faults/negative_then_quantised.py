"""Factors by channel, some of them negative, then FakeQuantize, of a tensor with an open size."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x, factor = random.standard_normal((2, 5, 4), dtype=np.float32), np.float32([[0.5], [-0.7], [1.2], [-0.3], [0.9]])
    given = ops.parameter(PartialShape([-1, 5, -1]), Type.f32, "x")
    given.output(0).set_names({"x"})
    least, most = np.float32(-1.28), np.float32(1.27)
    node = ops.fake_quantize(ops.multiply(given, factor), *[ops.constant(v) for v in (least, most, least, most)], 256)
    steps = np.round((np.clip(x * factor, least, most) - least) / (most - least) * 255)
    return Model([node], [given]), {"x": x}, [steps / 255 * (most - least) + least]
