"""A tensor with a batch of 1, plus a convolution of an open batch."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x, y, weights = (random.standard_normal(shape, dtype=np.float32) for shape in ((1, 3, 5, 5), (2, 2, 5, 5), (3, 2)))
    first, second = ops.parameter(list(x.shape), Type.f32, "x"), ops.parameter(PartialShape([-1, 2, 5, 5]), Type.f32, "y")
    for name, parameter in (("x", first), ("y", second)):
        parameter.output(0).set_names({name})
    product = ops.convolution(second, ops.constant(weights.reshape(3, 2, 1, 1)), [1, 1], [0, 0], [0, 0], [1, 1])
    return Model([ops.add(first, product)], [first, second]), {"x": x, "y": y}, [x + np.einsum("nchw,oc->nohw", y, weights)]
