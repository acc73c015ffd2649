"""Loops and conditions: nested, with lists, variables that are overwritten, blocks within blocks, the lists of DynamicRNN."""
import numpy as np

import values
from models import Family, sequence

family = Family(__name__)
graph = family.graph


def fed(*shape, **more):
    """Given values keep their type."""
    given = more.get("values")
    return values.fed(*shape, **({"dtype": given.dtype} if given is not None else {}), **more)


def number(b, value, dtype="int64", shape=(1,)):
    return b.paddle.full(list(shape), value, dtype)


COUNT = fed(values=np.array([3], np.int64))


@graph("while_counts")
def counts(b):
    x, count = b.fed("x", fed(2, 3)), b.fed("count", COUNT)
    return b.paddle.static.nn.while_loop(lambda i, x: i < count, lambda i, x: [i + 1, x * 2 + b.paddle.cast(i, "float32")], [number(b, 0), x])


@graph("while_of_a_scalar_condition")
def scalar(b):
    x = b.fed("x", fed(2, 3))
    return b.paddle.static.nn.while_loop(lambda i, x: i < 4, lambda i, x: [i + 1, b.paddle.tanh(x) + i.astype("float32")], [number(b, 0, shape=()), x])


@graph("while_stops_by_its_values")
def stops(b):
    x = b.fed("x", fed(values=np.array([1.5], np.float32)))
    return b.paddle.static.nn.while_loop(lambda x, n: x < 40, lambda x, n: [x * x + 0.25, n + 1], [x, number(b, 0)])


@graph("while_never_runs")
def never(b):
    x = b.fed("x", fed(2, 3))
    return b.paddle.static.nn.while_loop(lambda i, x: i < 0, lambda i, x: [i + 1, x * 2], [number(b, 0), x])


@graph("while_in_while")
def nested(b):
    x, nn = b.fed("x", fed(2, 3)), b.paddle.static.nn

    def outer(i, x):
        _, x = nn.while_loop(lambda j, x: j < i, lambda j, x: [j + 1, x + 0.5], [number(b, 0), x])
        return [i + 1, x * 1.5]
    return nn.while_loop(lambda i, x: i < 4, outer, [number(b, 1), x])


@graph("while_with_two_conditions")
def both(b):
    x = b.fed("x", fed(values=np.array([0.3, 0.2], np.float32)))
    done = b.paddle.sum(x)
    return b.paddle.static.nn.while_loop(lambda i, x, s: b.paddle.logical_and(i < 10, s < 6), lambda i, x, s: [i + 1, x * 1.7, b.paddle.sum(x * 1.7)], [number(b, 0, shape=()), x, done])


def listed(b, x, steps, of_step):
    """A list that a loop writes."""
    paddle = b.paddle
    first = paddle.tensor.array_write(x, number(b, 0))
    def body(i, x):
        x = of_step(x, i)
        paddle.tensor.array_write(x, i + 1, first)
        return [i + 1, x]
    i, x = paddle.static.nn.while_loop(lambda i, x: i < steps, body, [number(b, 0), x])
    return i, x, first


for axis in (0, 1):
    for stacks in (True, False):
        @graph(f"list_joined_{'stacked' if stacks else 'concat'}_{axis}", unknown=(0,) if axis == 1 else (), unpruned=True)
        def joined(b, axis=axis, stacks=stacks):
            _, x, found = listed(b, b.fed("x", fed(2, 3)), 3, lambda x, i: b.paddle.tanh(x) * 2)
            return [x, b.op("tensor_array_to_tensor", {"axis": axis, "use_stack": stacks}, {"OutIndex": "int32"}, X=found)[0]]


@graph("list_read_in_a_loop")
def read(b):
    paddle = b.paddle
    x = b.fed("x", fed(4, 3))
    rows = None
    for at in range(4):
        rows = paddle.tensor.array_write(x[at], number(b, at), rows)
    return paddle.static.nn.while_loop(lambda i, s: i < paddle.tensor.array_length(rows), lambda i, s: [i + 1, s * 0.5 + paddle.tensor.array_read(rows, i)], [number(b, 0), x[0]])


@graph("list_length")
def length(b):
    _, x, found = listed(b, b.fed("x", fed(2, 3)), 4, lambda x, i: x + 1)
    return [b.paddle.tensor.array_length(found), b.paddle.tensor.array_read(found, number(b, 2))]


@graph("if_else", more={"x": np.array([[1.0, 2.0]], np.float32)})
def chosen(b):
    x = b.fed("x", fed(values=np.array([[-1.0, 0.5]], np.float32)))
    return b.paddle.static.nn.cond(b.paddle.sum(x) > 0, lambda: (x * 2, x + 1), lambda: (x - 5, b.paddle.exp(x)))


@graph("if_alone", more={"x": np.array([[1.0, 2.0]], np.float32)})
def alone(b):
    x = b.fed("x", fed(values=np.array([[-1.0, 0.5]], np.float32)))
    y = b.paddle.tanh(x)

    def write():
        b.paddle.assign(x * 3, y)
    b.paddle.static.nn.cond(b.paddle.sum(x) > 0, write, None)
    return [y + 1]


@graph("if_in_if", more={"x": np.array([5.0], np.float32)})
def nested_if(b):
    x, nn = b.fed("x", fed(values=np.array([0.5], np.float32))), b.paddle.static.nn
    return [nn.cond(x < 1, lambda: nn.cond(x < 0, lambda: x * 2, lambda: x * 3), lambda: nn.cond(x < 10, lambda: x - 1, lambda: x - 2))]


@graph("cases", more={"x": np.array([2], np.int64)})
def cases(b):
    x, y = b.fed("x", fed(values=np.array([1], np.int64))), b.fed("y", fed(2, 3))
    return [b.paddle.static.nn.switch_case(x, {0: lambda: y + 1, 1: lambda: y * 2, 2: lambda: b.paddle.exp(y)}, lambda: y - 1)]


@graph("if_in_while")
def loop_of_if(b):
    x, nn = b.fed("x", fed(2, 3)), b.paddle.static.nn

    def body(i, x):
        x = nn.cond(b.paddle.equal(i % 2, number(b, 0)), lambda: x * 2, lambda: x - 0.5)
        return [i + 1, x]
    return nn.while_loop(lambda i, x: i < 5, body, [number(b, 0), x])


@graph("while_in_if", more={"x": np.array([[1.0, 2.0]], np.float32)})
def if_of_loop(b):
    x, nn = b.fed("x", fed(values=np.array([[-1.0, 0.5]], np.float32))), b.paddle.static.nn
    return [nn.cond(b.paddle.sum(x) > 0, lambda: nn.while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, x * 2], [number(b, 0), x])[1], lambda: x - 1)]


@graph("decoder", unknown=(0,), unpruned=True)
def decoder(b):
    """A GRU cell that sees its own last answer, as the decoders of tables do."""
    paddle = b.paddle
    x = b.fed("x", fed(2, 5, 4))
    cell, head = paddle.nn.GRUCell(4 + 3, 6), paddle.nn.Linear(6, 3)
    context = paddle.mean(x, 1)
    batch = paddle.shape(x)[0]
    state, last = paddle.zeros([batch, 6]), paddle.zeros([batch, 3])
    found = paddle.tensor.array_write(last, number(b, 0))

    def body(i, state, last):
        _, state = cell(paddle.concat([context, last], 1), state)
        last = paddle.nn.functional.softmax(head(state))
        paddle.tensor.array_write(last, i + 1, found)
        return [i + 1, state, last]
    paddle.static.nn.while_loop(lambda i, state, last: i < 6, body, [number(b, 0), state, last])
    return [b.op("tensor_array_to_tensor", {"axis": 1, "use_stack": True}, {"OutIndex": "int32"}, X=found)[0]]


@graph("rows_as_a_list")
def dynamic_rnn(b):
    x = b.fed("x", sequence(5, 3))
    kinds = b.paddle.base.core.VarDesc.VarType
    table = b.block.create_var(name="table", type=kinds.LOD_RANK_TABLE)
    b.block.append_op(type="lod_rank_table", inputs={"X": [x]}, outputs={"Out": [table]}, attrs={"level": 0})
    rows = b.block.create_var(name="rows", type=kinds.LOD_TENSOR_ARRAY, dtype="float32")
    b.block.append_op(type="lod_tensor_to_array", inputs={"X": [x], "RankTable": [table]}, outputs={"Out": [rows]})
    longest = b.block.create_var(name="longest", dtype="int64")
    b.block.append_op(type="max_sequence_len", inputs={"RankTable": [table]}, outputs={"Out": [longest]})
    back = b.block.create_var(name="back", dtype="float32")
    b.block.append_op(type="array_to_lod_tensor", inputs={"X": [rows], "RankTable": [table]}, outputs={"Out": [back]})
    return [b.paddle.tensor.array_read(rows, number(b, 2)), longest, b.paddle.exp(back)]
