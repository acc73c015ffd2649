"""A convolution of one channel with one window along the last axis, and a stride there."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"
INSTRUCTIONS = "AVX512_CORE"


def build():
    x = np.random.default_rng(1).standard_normal((2, 1, 30, 3), dtype=np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    y = ops.convolution(given, ops.constant(np.ones((16, 1, 1, 3), np.float32)), [1, 2], [0, 0], [0, 0], [1, 1])
    return Model([y], [given]), {"x": x}, [np.broadcast_to(x.sum(-1, keepdims=True), (2, 16, 30, 1))]
