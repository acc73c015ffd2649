"""An attention that an operation of it and another tensor reads, and an output."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "crash"


def attended(q):
    weights = np.exp(q @ q.swapaxes(-1, -2) * np.float32(0.5))
    return weights / weights.sum(-1, keepdims=True) @ q


def build():
    random = np.random.default_rng(1)
    given = {name: random.standard_normal((2, 3, 4, 8), dtype=np.float32) for name in ("q", "x")}
    parameters = [ops.parameter(list(value.shape), Type.f32, name) for name, value in given.items()]
    for parameter, name in zip(parameters, given):
        parameter.output(0).set_names({name})
    q, x = parameters
    y = ops.scaled_dot_product_attention(q, q, q, ops.constant(np.zeros((4, 4), np.float32)), ops.constant(np.float32(0.5)))
    want = attended(given["q"])
    return Model([ops.subtract(y, x), y], parameters), given, [want - given["x"], want]
