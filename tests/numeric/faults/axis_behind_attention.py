"""An attention, then a sum with a tensor that has one more dimension."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

from faults.readers_of_attention import attended

VERDICT = "does not compile"


def build():
    value = np.random.default_rng(1).standard_normal((2, 3, 8), dtype=np.float32)
    q = ops.parameter(list(value.shape), Type.f32, "q")
    q.output(0).set_names({"q"})
    y = ops.scaled_dot_product_attention(q, q, q, ops.constant(np.zeros((3, 3), np.float32)), ops.constant(np.float32(0.5)))
    return Model([ops.add(y, ops.constant(np.ones((2, 1, 1, 1), np.float32)))], [q]), {"q": value}, [np.stack([attended(value) + 1] * 2)]
