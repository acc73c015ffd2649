"""Weights of bytes whose columns stand along two axes, which a Reshape joins."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x = random.standard_normal((3, 64), dtype=np.float32)
    whole = random.integers(-100, 100, (64, 8, 6)).astype(np.int8)
    given = ops.parameter([3, 64], Type.f32, "x")
    given.output(0).set_names({"x"})
    real = ops.multiply(ops.convert(ops.constant(whole), "f32"), ops.constant(np.float32(0.01)))
    weights = ops.reshape(real, ops.constant(np.array([64, 48])), False)
    return Model([ops.matmul(given, weights, False, False)], [given]), {"x": x}, [x @ (whole * np.float32(0.01)).reshape(64, 48)]
