"""A block of a program of PaddlePaddle that n operators name: with a large attribute, with a large parameter."""
import os
import sys

import numpy as np

from . import Bomb

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "paddle"))
import small  # noqa: E402


def _conditions(folder, n, body, parameters=None, **facts):
    """Each operator runs the block, and a selection takes what it has made."""
    ops = []
    for i in range(n):
        ops.append(small.op("conditional_block", {"Cond": "c", "Input": "x"}, {"Out": "inner", "Scope": []}, sub_block=small.Block(1), is_scalar_condition=True))
        ops.append(small.op("select_input", {"X": ["x", "inner"], "Mask": "c"}, {"Out": f"y{i}"}))
    ops.append(small.op("sum", {"X": [f"y{i}" for i in range(n)]}, {"Out": "y"}))
    variables = [small.var("inner"), *(small.var(f"y{i}") for i in range(n)), small.var("y")]
    content = small.fed([small.var("x"), small.var("c", (1,), "bool")], ["y"], ops, variables, [(0, [small.var("m")], body)], parameters)
    return Bomb(small.write(folder, content, parameters), len(content), **facts)


def with_a_large_attribute(folder, n):
    body = [small.op("relu", {"X": "x"}, {"Out": "inner"}, note=[1] * (1 << 17))]
    return _conditions(folder, n, body, code="MO1011", says="more than 12582912 bytes, and 768 for each node")


def with_a_large_parameter(folder, n):
    """Converts: a parameter that each block reads stays one."""
    weights = np.arange(3 << 16, dtype=np.float32).reshape(-1, 3)
    body = [small.op("reduce_mean", {"X": "w"}, {"Out": "m"}, dim=[0], keep_dim=False, reduce_all=False), small.op("elementwise_add", {"X": "x", "Y": "m"}, {"Out": "inner"}, axis=-1)]
    return _conditions(folder, n, body, {"w": weights}, nodes=12 * n, largest_bin=2 << 20)


CASES = [(with_a_large_attribute, 1_000, 10_000), (with_a_large_parameter, 200, 1_000)]
