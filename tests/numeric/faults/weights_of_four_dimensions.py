"""MatMul with dequantised weights of rank 4."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x, whole = random.standard_normal((2, 3, 4, 6), dtype=np.float32), random.integers(-100, 100, (1, 1, 6, 5)).astype(np.int8)
    given = ops.parameter([2, 3, 4, 6], Type.f32, "x")
    given.output(0).set_names({"x"})
    weights = ops.multiply(ops.convert(ops.constant(whole), "f32"), ops.constant(np.float32(0.01)))
    return Model([ops.matmul(given, weights, False, False)], [given]), {"x": x}, [x @ (whole * np.float32(0.01))]
