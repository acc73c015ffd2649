"""A picture with its channels last that a convolution reads, and that is an output in another shape."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x, weights = random.standard_normal((1, 4, 4, 3), dtype=np.float32), random.standard_normal((2, 3), dtype=np.float32)
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    picture = ops.relu(given)
    first = ops.transpose(picture, np.int64([0, 3, 1, 2]))
    node = ops.convolution(first, ops.constant(weights.reshape(2, 3, 1, 1)), [1, 1], [0, 0], [0, 0], [1, 1])
    y = np.maximum(x, 0)
    return Model([node, ops.reshape(picture, np.int64([16, 3]), False)], [given]), {"x": x}, [np.einsum("nhwc,oc->nohw", y, weights), y.reshape(16, 3)]
