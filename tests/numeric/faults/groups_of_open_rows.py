"""GroupNormalization of rows, an open number of them."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "does not compile"


def build():
    x = np.random.default_rng(1).standard_normal((2, 4), dtype=np.float32)
    given = ops.parameter(PartialShape([-1, 4]), Type.f32, "x")
    given.output(0).set_names({"x"})
    y = ops.group_normalization(given, np.ones(4, np.float32), np.zeros(4, np.float32), 2, 1e-5)
    pairs = x.reshape(2, 2, 2)
    unit = (pairs - pairs.mean(2, keepdims=True)) / np.sqrt(pairs.var(2, keepdims=True) + 1e-5)
    return Model([y], [given]), {"x": x}, [unit.reshape(2, 4)]
