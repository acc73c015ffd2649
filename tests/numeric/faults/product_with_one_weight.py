"""Two products with weights, of which the first are one number; one thread computes them."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    x = np.random.default_rng(1).standard_normal((3, 1), dtype=np.float32)
    given = ops.parameter([3, 1], Type.f32, "x")
    given.output(0).set_names({"x"})
    one, two = np.float32([[3]]), np.float32([[1, 2]])
    node = ops.matmul(ops.matmul(given, ops.constant(one), False, False), ops.constant(two), False, False)
    return Model([node], [given]), {"x": x}, [x @ one @ two]
