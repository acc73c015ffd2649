"""A Gather of rows of a table of bytes that has a scale for each column."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    table = random.integers(-100, 100, (10, 32)).astype(np.int8)
    scale = (random.random((1, 32)) + 0.1).astype(np.float32)
    rows = np.array([7, 0, 9, 3, 3])
    given = ops.parameter([5], Type.i64, "rows")
    given.output(0).set_names({"rows"})
    whole = ops.multiply(ops.convert(ops.constant(table), "f32"), ops.constant(scale))
    return Model([ops.gather(whole, given, ops.constant(np.int64(0)))], [given]), {"rows": rows}, [(table * scale)[rows]]
