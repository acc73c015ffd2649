"""A reduction that drops its dimension, reshaped to a row or a column with 1 in that dimension's place."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = ops.parameter([2, 3, 4], Type.f32, "x")
    x.output(0).set_names({"x"})
    feed = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    y = ops.reshape(ops.reduce_max(x, np.array([0]), False), np.array([1, 12]), False)
    return Model([y], [x]), {"x": feed}, [feed.max(0).reshape(1, 12)]
