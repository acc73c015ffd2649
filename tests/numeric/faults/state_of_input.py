"""An input that is stored in a state as it is, and read by a MatMul, too: that reads zeros."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type
from openvino.op.util import Variable, VariableInfo

VERDICT = "wrong numbers"


def build():
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = PartialShape([1, 2]), Type.f32, "last"
    variable = Variable(info)
    given = ops.parameter([1, 2], Type.f32, "x")
    given.output(0).set_names({"x"})
    state = ops.read_value(ops.constant(np.zeros((1, 2), np.float32)), variable)
    product = ops.matmul(given, ops.constant(np.eye(2, dtype=np.float32)), False, True)
    out = ops.concat([product, state], 1)
    return Model([out.output(0)], [ops.assign(given, variable)], [given]), {"x": np.array([[1, 2]], np.float32)}, [np.array([[1, 2, 0, 0]], np.float32)]
