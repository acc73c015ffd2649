"""A reduction that drops its dimension, reshaped to a row and computed with, and an output of the model."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.arange(16, dtype=np.float32).reshape(4, 4, 1)
    given = ops.parameter([4, 4, 1], Type.f32, "x")
    given.output(0).set_names({"x"})
    least = ops.reduce_min(given, np.array([0]), False)
    row = ops.subtract(ops.reshape(least, np.array([1, 4]), False), ops.constant(np.float32(1)))
    return Model([least, row], [given]), {"x": x}, [x.min(0), x.min(0).reshape(1, 4) - 1]
