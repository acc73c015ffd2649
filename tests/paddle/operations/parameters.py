"""Parameters: their order, types and uses."""
import numpy as np

import program
from models import Family
from values import fed, fixed

family = Family(__name__)
graph = family.graph


@graph("order_of_parameters")
def order(b):
    """Parameters stand in the order of their names, not of their use."""
    x = b.fed("x", fed(2, 3))
    for name, size in (("w_10", (3, 3)), ("w_9", (3,)), ("W_1", (3,)), ("é", (3,)), ("w_1", (1, 3))):
        x = b.op("matmul_v2", X=x, Y=b.fixed(fixed(*size), name)) if len(size) == 2 and size[0] > 1 else b.op("elementwise_add", X=x, Y=b.fixed(fixed(*size), name))
    return [x]


@graph("parameter_used_twice")
def twice(b):
    x, w = b.fed("x", fed(2, 3)), b.fixed(fixed(3, 3), "w")
    return [b.op("matmul_v2", X=b.op("matmul_v2", X=x, Y=w), Y=w), b.op("reduce_sum", {"dim": [0]}, X=w)]


@graph("parameters_of_every_type")
def types(b):
    found = []
    for dtype in ("float64", "int32", "int64", "bool", "int8", "uint8", "float16"):
        w = b.fixed(fixed(2, 3, dtype=np.dtype(dtype), low=0 if dtype == "uint8" else -9, high=9), dtype)
        found.append(b.op("cast", {"in_dtype": program.TYPES[dtype], "out_dtype": 5}, {"Out": "float32"}, X=w))
    x = b.fed("x", fed(2, 3))
    for one in found:
        x = b.op("elementwise_add", X=x, Y=one)
    return [x]


@graph("half_weights")
def half(b):
    """Weights in 16 bits, which are made floats before they are used."""
    w = b.op("cast", {"in_dtype": 4, "out_dtype": 5}, {"Out": "float32"}, X=b.fixed(fixed(3, 4, dtype=np.float16), "w"))
    return [b.op("matmul_v2", X=b.fed("x", fed(2, 3)), Y=w)]
