"""MatMul with one column of weights that are dequantised from 4 bits in groups."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Tensor, Type
from openvino.op import Constant

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    x, codes = random.standard_normal((4, 3, 64), dtype=np.float32), random.integers(0, 16, (1, 64, 1)).astype(np.uint8)
    given = ops.parameter([4, 3, 64], Type.f32, "x")
    given.output(0).set_names({"x"})
    flat = codes.reshape(-1)
    stored = Constant(Tensor((flat[0::2] | flat[1::2] << 4).astype(np.uint8), [1, 64, 1], Type.u4))
    shifted = ops.subtract(ops.convert(stored, "f32"), ops.constant(np.full((1, 1, 1), 8, np.float32)))
    grouped = ops.multiply(shifted, ops.constant(np.full((1, 1, 1), 0.01, np.float32)))
    weights = ops.reshape(grouped, ops.constant(np.array([64, 1])), False)
    return Model([ops.matmul(given, weights, False, False)], [given]), {"x": x}, [x @ ((codes.reshape(64, 1).astype(np.float32) - 8) * np.float32(0.01))]
