"""A convolution of what quantised training leaves: 255 levels from -1 to 1. The runtime, which computes it in bytes, takes 256."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = ops.parameter([1, 1, 4, 4], Type.f32, "x")
    x.output(0).set_names({"x"})
    low, high = (ops.constant(np.array(limit, np.float32)) for limit in (-1, 1))
    steps = ops.fake_quantize(x, low, high, low, high, 255)
    one = ops.fake_quantize(ops.constant(np.ones([1, 1, 1, 1], np.float32)), low, high, low, high, 255)
    levels = np.linspace(-127, 127, 16, dtype=np.float32).round().reshape(1, 1, 4, 4) / 127
    return Model([ops.convolution(steps, one, [1, 1], [0, 0], [0, 0], [1, 1])], [x]), {"x": levels}, [levels]
