"""MatMul of two inputs, the second transposed, with an open last dimension, then a sum with a constant along it."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x, y = random.standard_normal((4, 6), dtype=np.float32), random.standard_normal((5, 6), dtype=np.float32)
    channel = random.standard_normal(5, dtype=np.float32)
    first, second = ops.parameter([4, 6], Type.f32, "x"), ops.parameter(PartialShape([-1, 6]), Type.f32, "y")
    first.output(0).set_names({"x"})
    second.output(0).set_names({"y"})
    total = ops.add(ops.matmul(first, second, False, True), channel)
    return Model([total], [first, second]), {"x": x, "y": y}, [x @ y.T + channel]
