"""Gather of a constant of numbers of 2 bits."""
import numpy as np
import openvino as ov
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers, or a crash"


def build():
    numbers = (np.arange(32) * 7 % 4).astype(np.uint8).reshape(4, 8)
    packed = np.bitwise_or.reduce([numbers[:, i::4] << 2 * i for i in range(4)])
    tensor = ov.Tensor(packed, [4, 8], Type.u2)
    rows = ops.parameter([2], Type.i64, "rows")
    rows.output(0).set_names({"rows"})
    found = ops.gather(ops.constant(tensor), rows, ops.constant(np.array(0)))
    return Model([ops.result(ops.convert(found, Type.f32))], [rows]), {"rows": np.array([2, 0])}, [numbers[[2, 0]].astype(np.float32)]
