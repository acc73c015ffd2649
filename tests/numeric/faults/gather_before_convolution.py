"""A Gather of all channels by indices of two dimensions, then a convolution."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    x, places = np.random.default_rng(1).standard_normal((2, 4), dtype=np.float32), np.array([[0, 2], [1, 3]])
    given = ops.parameter([2, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    moved = ops.gather(given, ops.constant(places), ops.constant(np.int64(1)))
    y = ops.convolution(moved, ops.constant(np.ones((1, 2, 2), np.float32)), [1], [0], [0], [1])
    return Model([y], [given]), {"x": x}, [x.sum(1).reshape(2, 1, 1)]
