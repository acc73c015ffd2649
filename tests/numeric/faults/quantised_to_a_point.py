"""FakeQuantize of two levels whose range has no width: what is above it is 1, everything else -1."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.random.default_rng(1).standard_normal((1, 6, 5, 7), dtype=np.float32)
    given = ops.parameter([1, 6, 5, 7], Type.f32, "x")
    given.output(0).set_names({"x"})
    middle = ops.constant(np.float32([0]))
    node = ops.fake_quantize(given, middle, middle, ops.constant(np.float32([-1])), ops.constant(np.float32([1])), 2)
    return Model([node], [given]), {"x": x}, [np.where(x > 0, 1, -1)]
