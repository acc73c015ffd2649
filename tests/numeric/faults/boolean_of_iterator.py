"""The second output of a TensorIterator, as truth values."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.float32([[1, -1], [2, 0]])
    given = ops.parameter([2, 2], Type.f32, "x")
    given.output(0).set_names({"x"})
    part, before = ops.parameter([1, 2], Type.f32), ops.parameter([1, 2], Type.f32)
    body = Model([ops.result(ops.add(part, before)), ops.result(ops.relu(part))], [part, before])
    loop = ops.tensor_iterator()
    loop.set_body(body)
    loop.set_sliced_input(part, given.output(0), 0, 1, 1, -1, 0)
    loop.set_merged_input(before, ops.constant(np.zeros((1, 2), np.float32)).output(0), body.results[0].output(0))
    last = loop.get_iter_value(body.results[0].output(0), -1)
    each = loop.get_concatenated_slices(body.results[1].output(0), 0, 1, 1, -1, 0)
    return Model([ops.result(ops.convert(each, Type.boolean)), ops.result(last)], [given]), {"x": x}, [x > 0, x.sum(0, keepdims=True)]
