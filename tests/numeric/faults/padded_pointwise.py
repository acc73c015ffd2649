"""A convolution with a kernel of 1, a stride of 2 and padding, behind an element-wise operation."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x, weights = random.standard_normal((1, 2, 3, 3), dtype=np.float32), random.standard_normal((2, 2), dtype=np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    node = ops.convolution(ops.relu(given), ops.constant(weights.reshape(2, 2, 1, 1)), [2, 2], [1, 1], [0, 0], [1, 1])
    padded = np.pad(np.maximum(x, 0), ((0, 0), (0, 0), (1, 0), (1, 0)))
    return Model([node], [given]), {"x": x}, [np.einsum("nchw,oc->nohw", padded, weights)[:, :, ::2, ::2]]
