"""FakeQuantize, then MVN of numbers that differ little, beside which epsilon counts."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.tile(np.float32([0, 0, 0.04, 0.02]), (1, 2, 4, 1))
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    low, high = ops.constant(np.float32(0)), ops.constant(np.float32(255 * 0.02))
    y = ops.mvn(ops.fake_quantize(given, low, high, low, high, 256), np.int64([2, 3]), True, 1e-3, "inside_sqrt")
    centred = x - x.mean((2, 3), keepdims=True)
    return Model([y], [given]), {"x": x}, [centred / np.sqrt((centred ** 2).mean((2, 3), keepdims=True) + np.float32(1e-3))]
