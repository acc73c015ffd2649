"""IRDFT over two axes, with a size of -1 for the first: that of the input."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    x = np.random.default_rng(1).standard_normal((3, 4, 5, 2), dtype=np.float32)
    given = ops.parameter(PartialShape([3, -1, 5, 2]), Type.f32, "x")
    given.output(0).set_names({"x"})
    node = ops.irdft(given, ops.constant(np.int64([1, 2])), ops.constant(np.int64([-1, 8])))
    return Model([node], [given]), {"x": x}, [np.fft.irfftn(x[..., 0] + 1j * x[..., 1], [4, 8], [1, 2])]
