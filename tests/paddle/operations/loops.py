"""Loops, as functions of paddle and 1.x write them; arrays of tensors; variables that a block overwrites."""
from models import Family
from operations.branches import again, number
from values import fed, fixed

family = Family(__name__)
graph = family.graph


@graph("while", more=again(n=[5]))
def loop(b):
    n, x = number(b, "n", 3), b.fed("x", fed(2, 3))
    i = b.paddle.zeros([1], "int64")
    return list(b.paddle.static.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * 1.5 + x], [i, x * 1]))


@graph("while_never", more=again(n=[2]))
def never(b):
    n, x = number(b, "n", 0), b.fed("x", fed(2, 3))
    return list(b.paddle.static.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * 2], [b.paddle.zeros([1], "int64"), x * 1]))


@graph("while_over_the_input", more=again(n=[2]))
def over_input(b):
    """The body writes the variable that is fed."""
    n, x = number(b, "n", 3), b.fed("x", fed(2, 3))
    return [b.paddle.static.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * 2], [b.paddle.zeros([1], "int64"), x])[1]]


@graph("while_grows", more=again(n=[1]))
def grows(b):
    n, x = number(b, "n", 3), b.fed("x", fed(1, 3))
    x = b.paddle.concat([x, x])[0:b.paddle.cast(b.paddle.shape(x)[0], "int32")]
    return [b.paddle.static.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, b.paddle.concat([y, y[0:1] * 2])], [b.paddle.zeros([1], "int64"), x])[1]]


@graph("while_of_numbers")
def until(b):
    x = b.fed("x", fed(2, 3, low=0.5))
    return list(b.paddle.static.nn.while_loop(lambda y, i: b.paddle.sum(y) < 40.0, lambda y, i: [y * 2, i + 1], [x, b.paddle.zeros([1], "int64")]))


@graph("while_with_weights", more=again(n=[4]))
def weights(b):
    n, x = number(b, "n", 3), b.fed("x", fed(2, 3))
    layer = b.paddle.nn.Linear(3, 3)
    return [b.paddle.static.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, b.paddle.tanh(layer(y))], [b.paddle.zeros([1], "int64"), x * 1])[1]]


@graph("while_with_a_branch", more=again(n=[2]))
def branch(b):
    nn = b.paddle.static.nn
    n, x = number(b, "n", 4), b.fed("x", fed(2, 3))
    return [nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, nn.cond(i < 2, lambda: y * 2, lambda: y - 1)], [b.paddle.zeros([1], "int64"), x * 1])[1]]


@graph("while_in_a_branch", more=again(n=[-2]))
def in_branch(b):
    nn = b.paddle.static.nn
    n, x = number(b, "n", 4), b.fed("x", fed(2, 3))

    def several_times():
        return nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * 2], [b.paddle.zeros([1], "int64"), x * 1])[1]
    return [nn.cond(n > 0, several_times, lambda: x - 1)]


@graph("while_nested", more=again(n=[1], m=[3]))
def loops(b):
    nn = b.paddle.static.nn
    n, m, x = number(b, "n", 2), number(b, "m", 2), b.fed("x", fed(2, 3))

    def inner(y):
        return nn.while_loop(lambda j, z: j < m, lambda j, z: [j + 1, z * 1.5], [b.paddle.zeros([1], "int64"), y])[1]
    return [nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, inner(y) + x], [b.paddle.zeros([1], "int64"), x * 1])[1]]


@graph("while_over_time", unknown={"x": (1,)})
def over_time(b):
    """A row at a time, whose results are put together."""
    nn, paddle = b.paddle.static.nn, b.paddle
    x = b.fed("x", fed(2, 4, 3))
    cell = paddle.nn.GRUCell(3, 5)
    count = paddle.cast(paddle.shape(x)[1], "int64")
    array, state = paddle.tensor.create_array("float32"), paddle.zeros([2, 5])
    i = paddle.zeros([], "int64")

    def body(i, state, array):
        row = paddle.squeeze(paddle.slice(x, [1], [i], [i + 1]), 1)
        state, _ = cell(row, state)
        paddle.tensor.array_write(state, i, array)
        return i + 1, state, array
    i, state, array = nn.while_loop(lambda i, state, array: i < count, body, [i, state, array])
    return [state, b.op("tensor_array_to_tensor", {"axis": 1, "use_stack": True}, {"OutIndex": "int32"}, X=array)[0], paddle.tensor.array_length(array)]


@graph("array_stacked", unpruned=True)
def stacked(b):
    t = b.paddle.tensor
    x = b.fed("x", fed(2, 3))
    made = t.array_write(x, b.paddle.zeros([1], "int64"))
    t.array_write(x - 1, b.paddle.ones([1], "int64"), made)
    return [b.op("tensor_array_to_tensor", {"axis": 1, "use_stack": True}, {"OutIndex": "int32"}, X=made)[0]]


@graph("assert")
def asserted(b):
    """What only checks or prints leaves no trace."""
    x = b.fed("x", fed(2, 3))
    b.paddle.static.nn.control_flow.Assert(b.paddle.all(x > -5), [x])
    return [b.paddle.static.Print(x * 2, message="x")]


def recurrent(name, backwards):
    @graph(name, renamed={"assign": "rnn_memory_helper"})
    def build(b):
        """The loop over time of 1.x: a block sees one row of its input, and the state before, which has a name of its own."""
        x, state = b.fed("x", fed(5, 2, 3)), b.fed("state", fed(2, 4))
        w, u = b.fixed(fixed(3, 4), "w"), b.fixed(fixed(4, 4), "u")
        main = b.paddle.static.default_main_program()
        parent, block = main.current_block(), main._create_block()
        row = block.create_var(name=x.name, shape=[2, 3], dtype="float32")
        before = block.create_var(name="before", shape=[2, 4], dtype="float32")
        product = {"x_num_col_dims": 1, "y_num_col_dims": 1}
        made = b.op("tanh", X=b.op("elementwise_add", X=b.op("mul", product, X=row, Y=w), Y=b.op("mul", product, X=before, Y=u)))
        kept = b.op("assign", X=made)
        main._rollback()
        out = parent.create_var(name=made.name, shape=[5, 2, 4], dtype="float32")
        scopes = parent.create_var(name="scopes", type=b.paddle.base.core.VarDesc.VarType.STEP_SCOPES)
        parent.append_op(type="recurrent", inputs={"inputs": [x], "initial_states": [state], "parameters": [w, u]}, outputs={"outputs": [out], "step_scopes": [scopes]},
                         attrs={"ex_states": ["before"], "states": [kept.name], "sub_block": block, "reverse": backwards, "has_states": True, "is_train": False})
        return [out]


recurrent("recurrent", False)
recurrent("recurrent_backwards", True)
