"""A product of two inputs of rank 5 and open sizes, with numbers for each column behind it."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile, or wrong numbers; right on processors with AVX-512"


def build():
    random = np.random.default_rng(1)
    values = [random.standard_normal(shape, dtype=np.float32) for shape in ((2, 2, 3, 4, 6), (2, 2, 3, 6, 5))]
    factors = random.standard_normal(5, dtype=np.float32)
    given = [ops.parameter([-1] * 5, Type.f32, name) for name in "ab"]
    for name, node in zip("ab", given):
        node.output(0).set_names({name})
    scaled = ops.multiply(ops.matmul(*given, False, False), ops.constant(factors))
    return Model([scaled], given), dict(zip("ab", values)), [values[0] @ values[1] * factors]
