"""A loop that shortens a list, of which only the number of iterations is read: all sizes outside the body are known."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    number = lambda value, shape=(): ops.constant(np.full(shape, value, np.int64))
    state, count = ops.parameter(PartialShape([-1]), Type.f32), ops.parameter([], Type.i64)
    shorter = ops.slice(state, number(1, [1]), number(1000, [1]), number(1, [1]), number(0, [1]))
    more = ops.add(count, number(1))
    goes_on = ops.constant(np.array(True))
    given, times = ops.parameter([6], Type.f32, "x"), ops.parameter([], Type.i64, "n")
    given.output(0).set_names({"x"})
    times.output(0).set_names({"n"})
    loop = ops.loop(times, ops.constant(np.array(True)))
    loop.set_function(Model([more, shorter, goes_on], [count, state]))
    loop.set_special_body_ports([-1, 2])
    loop.set_merged_input(count, number(0).output(0), more.output(0))
    loop.set_merged_input(state, given.output(0), shorter.output(0))
    counted = loop.get_iter_value(more.output(0), -1)
    return Model([counted], [given, times]), {"x": np.arange(6, dtype=np.float32), "n": np.int64(3)}, [np.array(3)]
