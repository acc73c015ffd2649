"""Tile along two axes of a tensor of rank 4 with an open batch and a channel of 1."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    x = np.arange(21, dtype=np.float32).reshape(1, 1, 3, 7)
    given = ops.parameter(PartialShape([-1, 1, 3, 7]), Type.f32, "x")
    given.output(0).set_names({"x"})
    tiled = ops.tile(given, ops.constant(np.int64([1, 2, 2, 1])))
    return Model([tiled], [given]), {"x": x}, [np.tile(x, (1, 2, 2, 1))]
