"""Interpolate of mode linear with antialias, of a picture to a third of its size."""
import numpy as np
import openvino.opset11 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.random.default_rng(1).standard_normal((1, 1, 9, 9), dtype=np.float32)
    given = ops.parameter([1, 1, 9, 9], Type.f32, "x")
    given.output(0).set_names({"x"})
    sizes, axes = np.array([3, 3], np.int64), np.array([2, 3], np.int64)
    y = ops.interpolate(given, sizes, "linear", "sizes", coordinate_transformation_mode="half_pixel", antialias=True, axes=axes)
    weights = np.maximum(1 - abs(np.arange(9) - (np.arange(3) * 3 + 1)[:, None]) / 3, 0)
    weights /= weights.sum(1, keepdims=True)
    return Model([y], [given]), {"x": x}, [weights @ x.astype(np.float64) @ weights.T]
