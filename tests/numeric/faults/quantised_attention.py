"""ScaledDotProductAttention, then FakeQuantize with a range for each index of axis 1."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    x = np.random.default_rng(1).standard_normal((2, 3, 4), dtype=np.float32)
    given = ops.parameter([2, 3, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    most = np.float32([1, 2, 3]).reshape(1, 3, 1)
    low, high = ops.constant(-most), ops.constant(most)
    node = ops.fake_quantize(ops.scaled_dot_product_attention(given, given, given), low, high, low, high, 256)
    scores = np.exp(x @ x.transpose(0, 2, 1) / 2)
    y = scores / scores.sum(-1, keepdims=True) @ x
    return Model([node], [given]), {"x": x}, [np.round((np.clip(y, -most, most) + most) / most / 2 * 255) / 255 * most * 2 - most]
