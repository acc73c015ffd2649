"""Slice whose axes are an input."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "crash"


def build():
    x, axes = ops.parameter([3, 4], Type.f32, "x"), ops.parameter([1], Type.i64, "axes")
    for node, name in ((x, "x"), (axes, "axes")):
        node.output(0).set_names({name})
    feed = np.arange(12, dtype=np.float32).reshape(3, 4)
    y = ops.slice(x, np.array([1]), np.array([3]), np.array([1]), axes)
    return Model([y], [x, axes]), {"x": feed, "axes": np.array([1])}, [feed[:, 1:3]]
