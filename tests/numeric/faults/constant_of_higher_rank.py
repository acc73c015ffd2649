"""Squeeze, then a sum with a constant of one element and higher rank: the result lacks an axis."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.arange(4, dtype=np.float32).reshape(1, 4)
    given = ops.parameter([1, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    total = ops.add(ops.squeeze(given, ops.constant(np.int64([0]))), ops.constant(np.float32([[2]])))
    return Model([total], [given]), {"x": x}, [x + 2]
