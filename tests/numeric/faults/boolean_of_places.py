"""The places that TopK gives, as truth values."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    given = ops.parameter([4], Type.f32, "x")
    given.output(0).set_names({"x"})
    largest = ops.topk(given, ops.constant(np.int64(2)), 0, "max", "value", index_element_type="i32")
    return Model([ops.convert(largest.output(1), Type.boolean)], [given]), {"x": np.float32([4, 2, 3, 1])}, [np.array([False, True])]
