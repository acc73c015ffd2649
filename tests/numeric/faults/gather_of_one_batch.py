"""Gather with batch_dims over a batch of 1."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "crash"


def build():
    x = np.arange(4, dtype=np.float32).reshape(1, 4)
    data, indices = ops.parameter([1, 4], Type.f32, "x"), ops.parameter([1, 3], Type.i32, "i")
    data.output(0).set_names({"x"})
    indices.output(0).set_names({"i"})
    taken = ops.gather(data, indices, ops.constant(np.int64(1)), 1)
    return Model([taken], [data, indices]), {"x": x, "i": np.int32([[2, 0, 3]])}, [np.float32([[2, 0, 3]])]
