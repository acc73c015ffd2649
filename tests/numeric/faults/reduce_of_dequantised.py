"""The mean along axis 1 of three of what was quantised and moved as bytes."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.random.default_rng(1).integers(-128, 128, (3, 4, 5)).astype(np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    low, high = ops.constant(np.float32(-128)), ops.constant(np.float32(127))
    whole = ops.convert(ops.fake_quantize(given, low, high, low, high, 256), "i8")
    moved = ops.convert(ops.transpose(whole, np.int64([0, 2, 1])), "f32")
    y = ops.reduce_mean(ops.multiply(moved, ops.constant(np.float32(0.02))), np.int64([1]))
    return Model([y], [given]), {"x": x}, [(x * np.float32(0.02)).mean(2)]
