"""A state of i64 (uninitialised numbers, or an error of the inference); those of u64, u32, i16, u16 and f64 are like it."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type
from openvino.op.util import Variable, VariableInfo

VERDICT = "wrong numbers"


def build():
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = PartialShape([1]), Type.i64, "n"
    variable = Variable(info)
    given = ops.parameter([1], Type.i64, "x")
    given.output(0).set_names({"x"})
    total = ops.add(ops.read_value(ops.constant(np.array([5], np.int64)), variable), given)
    return Model([total.output(0)], [ops.assign(total, variable)], [given]), {"x": np.array([2], np.int64)}, [np.array([7], np.int64)]
