"""An attention, then a sum with a tensor that is computed element by element, which two operations read."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

from faults.readers_of_attention import attended

VERDICT = "crash"


def build():
    value = np.random.default_rng(1).standard_normal((3, 2, 3), dtype=np.float32)
    q = ops.parameter(list(value.shape), Type.f32, "q")
    q.output(0).set_names({"q"})
    y = ops.scaled_dot_product_attention(q, q, q, ops.constant(np.zeros((2, 2), np.float32)), ops.constant(np.float32(0.5)))
    total = ops.add(y, ops.minimum(q, ops.constant(np.ones((1, 2, 3), np.float32))))
    want = attended(value) + np.minimum(value, 1)
    return Model([ops.sin(total), ops.exp(total)], [q]), {"q": value}, [np.sin(want), np.exp(want)]
