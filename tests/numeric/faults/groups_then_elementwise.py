"""GroupNormalization plus what is computed element by element, in f32."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "crash"


def build():
    x = np.random.default_rng(1).standard_normal((1, 4, 3, 5), dtype=np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    one, zero = ops.constant(np.ones(4, np.float32)), ops.constant(np.zeros(4, np.float32))
    node = ops.add(ops.group_normalization(given, one, zero, 2, 1e-5), ops.relu(given))
    groups = x.reshape(1, 2, -1)
    unit = (groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + 1e-5)
    return Model([node], [given]), {"x": x}, [unit.reshape(x.shape) + np.maximum(x, 0)]
