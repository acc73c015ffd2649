"""MatMul of rank 4 with weights, an open size, then a sum with a constant along axis 1."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x, weights = random.standard_normal((2, 3, 4, 6), dtype=np.float32), random.standard_normal((6, 5), dtype=np.float32)
    channel = random.standard_normal((3, 1, 1), dtype=np.float32)
    given = ops.parameter(PartialShape([-1, 3, 4, 6]), Type.f32, "x")
    given.output(0).set_names({"x"})
    total = ops.add(ops.matmul(given, ops.constant(weights), False, False), channel)
    return Model([total], [given]), {"x": x}, [x @ weights + channel]
