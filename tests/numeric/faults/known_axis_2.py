"""A convolution, then FakeQuantize with ranges along axis 2, of known sizes."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x, weights = random.standard_normal((2, 2, 4), dtype=np.float32), random.standard_normal((2, 2), dtype=np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    most = np.float32([1, 2, 3, 4]).reshape(1, 1, 4)
    low, high = ops.constant(-most), ops.constant(most)
    node = ops.convolution(given, ops.constant(weights.reshape(2, 2, 1)), [1], [0], [0], [1])
    y = np.einsum("nct,oc->not", x, weights)
    return Model([ops.fake_quantize(node, low, high, low, high, 256)], [given]), {"x": x}, [np.round((np.clip(y, -most, most) + most) / most / 2 * 255) / 255 * most * 2 - most]
