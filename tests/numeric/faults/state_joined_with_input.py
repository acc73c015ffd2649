"""A state whose next value is a part of it joined with an input: what is joined lacks the input."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type
from openvino.op.util import Variable, VariableInfo

VERDICT = "wrong numbers"


def build():
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = PartialShape([1, 4]), Type.f32, "window"
    variable = Variable(info)
    given = ops.parameter([1, 2], Type.f32, "x")
    given.output(0).set_names({"x"})
    state = ops.read_value(ops.constant(np.zeros((1, 4), np.float32)), variable)
    rest = ops.strided_slice(state, ops.constant(np.array([0, 2])), ops.constant(np.array([0, 4])), ops.constant(np.array([1, 1])), [1, 0], [1, 0])
    window = ops.concat([rest, given], 1)
    return Model([window.output(0)], [ops.assign(window, variable)], [given]), {"x": np.array([[1, 2]], np.float32)}, [np.array([[0, 0, 1, 2]], np.float32)]
