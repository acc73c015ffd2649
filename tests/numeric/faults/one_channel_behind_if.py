"""A convolution of one channel of an If's result, which has an open size: the first inference computes something else."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def branch(operation):
    x = ops.parameter(PartialShape([-1, 1, -1, -1]), Type.f32)
    return Model([ops.result(operation(x))], [x]), x


def build():
    rng = np.random.default_rng(1)
    picture, weights = rng.uniform(0, 1, (1, 1, 32, 40)).astype(np.float32), rng.uniform(-1, 1, (8, 1, 7, 7)).astype(np.float32)
    x, c = ops.parameter(PartialShape([-1, 1, -1, -1]), Type.f32), ops.parameter([], Type.boolean)
    for parameter, name in ((x, "x"), (c, "c")):
        parameter.output(0).set_names({name})
    (positive, first), (negative, second) = branch(ops.relu), branch(ops.negative)
    choice = ops.if_op(c.output(0))
    choice.set_then_body(positive)
    choice.set_else_body(negative)
    choice.set_input(x.output(0), first, second)
    y = choice.set_output(positive.results[0], negative.results[0])
    z = ops.convolution(y, ops.constant(weights), [2, 2], [0, 0], [0, 0], [1, 1])
    windows = np.lib.stride_tricks.sliding_window_view(picture[0, 0], (7, 7))[::2, ::2]
    return Model([z.output(0)], [x, c]), {"x": picture, "c": np.array(True)}, [np.einsum("hwij,oij->ohw", windows, weights[:, 0])[None]]
