"""MatMul with weights and an open size, then a sum with a constant of higher rank: the result lacks an axis."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x, weights = random.standard_normal((4, 6), dtype=np.float32), random.standard_normal((6, 5), dtype=np.float32)
    bias = random.standard_normal((1, 1, 5), dtype=np.float32)
    given = ops.parameter(PartialShape([-1, 6]), Type.f32, "x")
    given.output(0).set_names({"x"})
    total = ops.add(ops.matmul(given, ops.constant(weights), False, False), bias)
    return Model([total], [given]), {"x": x}, [x @ weights + bias]
