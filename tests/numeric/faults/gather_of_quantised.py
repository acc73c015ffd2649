"""FakeQuantize with a range for each channel, then a Gather of one row by a scalar."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    levels = np.random.default_rng(1).integers(-128, 128, (3, 4)).astype(np.float32)
    scale = np.float32([[0.5, 1, 2, 4]])
    given = ops.parameter([3, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    low, high = ops.constant(-128 * scale), ops.constant(127 * scale)
    y = ops.gather(ops.fake_quantize(given, low, high, low, high, 256), ops.constant(np.int64(1)), ops.constant(np.int64(0)))
    return Model([y], [given]), {"x": levels * scale}, [levels[1] * scale[0]]
