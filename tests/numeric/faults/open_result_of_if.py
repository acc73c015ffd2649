"""An open result of an If that another operation reads, in a model with a pool of open sizes: the first inference computes something else."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def branch(operation):
    x = ops.parameter(PartialShape([-1]), Type.f32)
    return Model([ops.result(operation(x))], [x]), x


def build():
    x, picture = np.random.default_rng(1).uniform(0, 1, 3).astype(np.float32), np.ones((2, 4, 4, 4), np.float32)
    values = [ops.parameter(PartialShape([-1]), Type.f32), ops.parameter([], Type.boolean), ops.parameter(PartialShape([-1, -1, 4, 4]), Type.f32)]
    for parameter, name in zip(values, ("x", "c", "picture")):
        parameter.output(0).set_names({name})
    (positive, first), (negative, second) = branch(ops.relu), branch(ops.negative)
    choice = ops.if_op(values[1].output(0))
    choice.set_then_body(positive)
    choice.set_else_body(negative)
    choice.set_input(values[0].output(0), first, second)
    y = ops.sin(choice.set_output(positive.results[0], negative.results[0]))
    pool = ops.avg_pool(values[2], [1, 1], [0, 0], [0, 0], [1, 1], True)
    return Model([ops.result(y), ops.result(pool)], values), {"x": x, "c": np.array(True), "picture": picture}, [np.sin(x), picture]
