"""OneHot of a scalar whose depth is not known."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    index, depth = ops.parameter([], Type.i64, "index"), ops.parameter([], Type.i64, "depth")
    for node, name in ((index, "index"), (depth, "depth")):
        node.output(0).set_names({name})
    y = ops.one_hot(index, depth, np.float32(1), np.float32(0), axis=-1)
    return Model([y], [index, depth]), {"index": np.array(1), "depth": np.array(3)}, [np.array([0, 1, 0], np.float32)]
