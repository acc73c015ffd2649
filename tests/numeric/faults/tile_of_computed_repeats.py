"""Tile along all axes of a tensor of rank 4, by repeats that are an input."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.arange(84, dtype=np.float32).reshape(2, 2, 3, 7)
    given, repeats = ops.parameter([2, 2, 3, 7], Type.f32, "x"), ops.parameter([4], Type.i64, "r")
    given.output(0).set_names({"x"})
    repeats.output(0).set_names({"r"})
    return Model([ops.tile(given, repeats)], [given, repeats]), {"x": x, "r": np.int64([2, 2, 2, 2])}, [np.tile(x, (2, 2, 2, 2))]
