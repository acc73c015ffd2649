"""AdaptiveMaxPool that gives places of i64."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    x = np.random.default_rng(1).permutation(16).astype(np.float32).reshape(1, 1, 4, 4)
    given = ops.parameter([1, 1, 4, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    pool = ops.adaptive_max_pool(given, np.int64([1, 1]), "i64")
    return Model([pool.output(0), pool.output(1)], [given]), {"x": x}, [x.max((2, 3), keepdims=True), np.int64(x.argmax()).reshape(1, 1, 1, 1)]
