"""Abs of a list that a Concat joins, and that something else reads, too."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x, more = np.float32([-1, 2, -3]), np.float32([-4, 5])
    given = ops.parameter([3], Type.f32, "x")
    given.output(0).set_names({"x"})
    joined = ops.concat([given, ops.constant(more)], 0)
    whole = np.concatenate([x, more])
    return Model([ops.add(ops.abs(joined), joined)], [given]), {"x": x}, [np.abs(whole) + whole]
