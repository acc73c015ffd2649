"""A matrix of unknown size times constant weights that have a batch."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x, weights = random.standard_normal((4, 5), dtype=np.float32), random.standard_normal((2, 5, 3), dtype=np.float32)
    given = ops.parameter(PartialShape([-1, 5]), Type.f32, "x")
    given.output(0).set_names({"x"})
    return Model([ops.matmul(given, weights, False, False)], [given]), {"x": x}, [x @ weights]
