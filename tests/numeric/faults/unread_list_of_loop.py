"""A loop that writes two lists, each a row longer in each iteration. It reads one of them, which nothing reads behind it."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    number = lambda value, shape=(): ops.constant(np.full(shape, value, np.int64))
    zero = number(0)
    given = ops.parameter([1, 2], Type.f32, "x")
    given.output(0).set_names({"x"})
    count, states, found = ops.parameter([], Type.i64), ops.parameter(PartialShape([-1, 2]), Type.f32), ops.parameter(PartialShape([-1, 2]), Type.f32)
    more = ops.add(count, number(1))
    row = ops.add(ops.multiply(ops.gather(states, count, zero), ops.constant(np.float32(2))), ops.constant(np.float32(1)))

    def written(rows, at):
        size = ops.gather(ops.shape_of(rows, "i64"), zero, zero)
        missing = ops.reshape(ops.maximum(ops.subtract(ops.add(at, number(1)), size), zero), number(1, [1]), False)
        longer = ops.concat([rows, ops.broadcast(ops.constant(np.float32(0)), ops.concat([missing, number(2, [1])], 0))], 0)
        return ops.scatter_update(longer, ops.reshape(at, number(1, [1]), False), ops.unsqueeze(row, number(0, [1])), zero)
    body = Model([ops.less(more, number(4)), more, written(states, more), written(found, count)], [count, states, found])
    loop = ops.loop(number(-1), ops.constant(np.array(True)))
    loop.set_function(body)
    loop.set_special_body_ports([-1, 0])
    loop.set_merged_input(count, zero.output(0), body.results[1].output(0))
    loop.set_merged_input(states, given.output(0), body.results[2].output(0))
    loop.set_merged_input(found, ops.constant(np.zeros((0, 2), np.float32)).output(0), body.results[3].output(0))
    x = np.array([[1, 2]], np.float32)
    want = [x[0]]
    for _ in range(4):
        want.append(want[-1] * 2 + 1)
    return Model([loop.get_iter_value(body.results[3].output(0), -1)], [given]), {"x": x}, [np.stack(want[1:])]
