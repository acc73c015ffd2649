"""FakeQuantize of a list, then Pad with another number than 0."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.float32([-0.5, 0.25, 1, 0.75])
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    low, high = (ops.constant(np.float32(n)) for n in (-128 / 64, 127 / 64))
    y = ops.fake_quantize(given, low, high, low, high, 256)
    return Model([ops.pad(y, [1], [1], "constant", ops.constant(np.float32(0.5)))], [given]), {"x": x}, [np.pad(x, 1, constant_values=0.5)]
