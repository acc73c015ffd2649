"""FakeQuantize with a range for each index of axis 2, of a tensor with an open size."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "does not compile"


def build():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 12
    most = np.float32([[[2.55, 5.1, 10.2, 20.4]]])
    given = ops.parameter(PartialShape([-1, 3, 4]), Type.f32, "x")
    given.output(0).set_names({"x"})
    zero, limit = ops.constant(np.zeros_like(most)), ops.constant(most)
    node = ops.fake_quantize(given, zero, limit, zero, limit, 256)
    return Model([node], [given]), {"x": x}, [np.round(np.clip(x / most, 0, 1) * 255) / 255 * most]
