"""MatMul of two inputs, then FakeQuantize with a range for each row."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.random.default_rng(1).standard_normal((2, 2, 4), dtype=np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    most = np.float32([1, 2]).reshape(1, 2, 1)
    low, high = ops.constant(-most), ops.constant(most)
    node = ops.matmul(given, ops.relu(given), False, True)
    y = x @ np.maximum(x, 0).transpose(0, 2, 1)
    return Model([ops.fake_quantize(node, low, high, low, high, 256)], [given]), {"x": x}, [np.round((np.clip(y, -most, most) + most) / most / 2 * 255) / 255 * most * 2 - most]
