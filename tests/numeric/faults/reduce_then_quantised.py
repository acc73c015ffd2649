"""A reduction of axis 1, then FakeQuantize with a range for each index of the next axis."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.random.default_rng(1).standard_normal((17, 3, 2), dtype=np.float32)
    given = ops.parameter([17, 3, 2], Type.f32, "x")
    given.output(0).set_names({"x"})
    most = np.float32([[1, 2]])
    low, high = ops.constant(-most), ops.constant(most)
    node = ops.fake_quantize(ops.reduce_mean(given, np.int64([1]), False), low, high, low, high, 256)
    return Model([node], [given]), {"x": x}, [np.round((np.clip(x.mean(1), -most, most) + most) / most / 2 * 255) / 255 * most * 2 - most]
