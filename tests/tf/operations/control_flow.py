"""Loops, conditions and calls whose bodies are functions of the library, as control flow v2 writes them."""
import numpy as np
import tensorflow as tf

from graphs import Family, fed, fixed

graph = Family(__name__).graph
raw = tf.raw_ops


def function(body, tensors, shapes=None):
    """A function of the library, with arguments like `tensors`."""
    shapes = shapes or [tensor.shape for tensor in tensors]
    return tf.function(body, autograph=False).get_concrete_function(*[tf.TensorSpec(shape, tensor.dtype) for tensor, shape in zip(tensors, shapes)])


def loop(state, condition, body, kind="While", shapes=None):
    """All states of a While."""
    state = [tf.convert_to_tensor(entry) for entry in state]
    shapes = shapes or [entry.shape for entry in state]
    return getattr(raw, kind)(input=state, cond=function(condition, state, shapes), body=function(body, state, shapes), output_shapes=shapes)


def branch(condition, arguments, first, second, kind="If"):
    first, second = function(first, arguments), function(second, arguments)
    shapes = [one if one.as_list() == other.as_list() else tf.TensorShape([a if a == b else None for a, b in zip(one, other)])
              for one, other in zip(first.output_shapes, second.output_shapes)]
    return getattr(raw, kind)(cond=condition, input=arguments, Tout=[output.dtype for output in first.outputs], then_branch=first, else_branch=second, output_shapes=shapes)


def named(*tensors):
    return [tf.identity(tensor, name=f"out{at}") for at, tensor in enumerate(tensors)]


for _kind in ("While", "StatelessWhile"):
    @graph(f"{_kind}_counter", unknown=(0,))
    def counter(building, kind=_kind):
        """A counter, and a state of floats."""
        return named(*loop([0, building.fed("x", fed(2, 3))], lambda i, x: i < 4, lambda i, x: (i + 1, x * 0.5 + 1.0), kind))


@graph("While_trip_count", unknown={"x": (0,)})
def trip_count(building):
    """How often it runs is an input."""
    state = [0, building.fed("n", fed(values=5, dtype=np.int32)), building.fed("x", fed(2, 3))]
    return named(loop(state, lambda i, n, x: i < n, lambda i, n, x: (i + 1, n, x + tf.cast(i, tf.float32)))[2])


@graph("While_zero_iterations", unknown={"x": (0,)})
def zero_iterations(building):
    state = [0, building.fed("n", fed(values=0, dtype=np.int32)), building.fed("x", fed(2, 3))]
    return named(*loop(state, lambda i, n, x: i < n, lambda i, n, x: (i + 1, n, x * 2.0))[::2])


@graph("While_never")
def never(building):
    """The condition is false at once, whatever is fed."""
    return named(loop([5, building.fed("x", fed(2, 3))], lambda i, x: i < 5, lambda i, x: (i + 1, x * 2.0))[1])


@graph("While_from_two_by_three")
def steps(building):
    """The counter begins at 2, goes by 3, is an int64 and an output."""
    return named(*loop([np.int64(2), building.fed("x", fed(2, 3))], lambda i, x: i <= 11, lambda i, x: (i + 3, x + tf.cast(i, tf.float32))))


@graph("While_downwards")
def downwards(building):
    return named(*loop([4, building.fed("x", fed(2, 3))], lambda i, x: i > 0, lambda i, x: (i - 1, x * tf.cast(i, tf.float32))))


@graph("While_until_large", unknown=(0,))
def until_large(building):
    """No counter: the numbers end it."""
    return named(*loop([building.fed("x", fed(2, 3, low=0.5, high=1))], lambda x: raw.Less(x=tf.reduce_sum(x), y=50.0), lambda x: (x * 1.5,)))


@graph("While_flag")
def flag(building):
    """A state is the condition."""
    state = [True, building.fed("x", fed(2, 3, low=0.5, high=1))]
    return named(*loop(state, lambda go, x: go, lambda go, x: (tf.reduce_max(x) < 4.0, x * 1.5)))


@graph("While_number_as_condition")
def number_as_condition(building):
    """The condition is a number: the loop goes on while it is not zero."""
    return named(loop([4, building.fed("x", fed(2, 3))], lambda i, x: i, lambda i, x: (i - 1, x * 1.5))[1])


@graph("While_invariant", unknown=(0,))
def invariant(building):
    """A matrix goes through unchanged."""
    state = [0, building.fed("x", fed(2, 3)), building.fixed(fixed(3, 3))]
    return named(loop(state, lambda i, x, w: i < 3, lambda i, x, w: (i + 1, tf.tanh(x @ w), w))[1])


@graph("While_rows_by_index")
def rows_by_index(building):
    """The indices that the loop reads by its counter come from a shape: the runtime folds them into the body."""
    x = building.fed("x", fed(5, 2, 3))
    rows = (tf.range(tf.shape(x)[0]) + 2) % 5
    state = [0, tf.zeros([2, 3]), rows, x]
    return named(loop(state, lambda i, sum, rows, x: i < 4, lambda i, sum, rows, x: (i + 1, sum * 0.5 + tf.gather(x, rows[i]), rows, x))[1])


@graph("While_exchange")
def exchange(building):
    """Two states change their places."""
    state = [0, building.fed("a", fed(2, 3)), building.fed("b", fed(2, 3))]
    return named(*loop(state, lambda i, a, b: i < 5, lambda i, a, b: (i + 1, b, a + b))[1:])


@graph("While_growing")
def growing(building):
    """Each time a row more."""
    x = building.fed("x", fed(1, 3))
    result = loop([0, x], lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x[:1] * tf.cast(i, tf.float32)], 0)), shapes=[tf.TensorShape([]), tf.TensorShape([None, 3])])
    return named(result[1])


@graph("While_nested", unknown=(0,))
def nested(building):
    def outer(i, x):
        return i + 1, loop([0, x], lambda j, y: j < 2, lambda j, y: (j + 1, y * 0.5 + 1.0))[1]
    return named(loop([0, building.fed("x", fed(2, 3))], lambda i, x: i < 3, outer)[1])


@graph("While_nested_trip_count")
def nested_trip_count(building):
    """The inner loop runs as often as the outer one counts."""
    def outer(i, x):
        return i + 1, loop([0, i, x], lambda j, n, y: j < n, lambda j, n, y: (j + 1, n, y + 1.0))[2]
    return named(loop([0, building.fed("x", fed(2, 3))], lambda i, x: i < 4, outer)[1])


@graph("While_with_If", unknown=(0,))
def with_if(building):
    def body(i, x):
        return i + 1, branch(tf.equal(i % 2, 0), [x], lambda y: (y * 2.0,), lambda y: (y - 1.0,))[0]
    return named(loop([0, building.fed("x", fed(2, 3))], lambda i, x: i < 5, body)[1])


@graph("While_beside_If", unknown=(0,))
def in_if(building):
    """A loop in a branch."""
    x = building.fed("x", fed(2, 3))
    first = lambda y: (loop([0, y], lambda i, z: i < 3, lambda i, z: (i + 1, z * 2.0))[1],)
    return named(branch(tf.reduce_sum(x) > -100.0, [x], first, lambda y: (y - 1.0,))[0])


@graph("While_convolution", unknown=(0,))
def convolution(building):
    """Pictures with channels last inside."""
    state = [0, building.fed("x", fed(1, 5, 5, 2)), building.fixed(fixed(3, 3, 2, 2))]
    result = loop(state, lambda i, x, w: i < 2, lambda i, x, w: (i + 1, tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME")), w))[1]
    return named(tf.nn.max_pool2d(result, 2, 2, "VALID"))


@graph("while_loop_maximum_iterations", unknown=(0,))
def maximum_iterations(building):
    """As tf.while_loop writes it: a counter of its own, the largest number of iterations, then the states."""
    x = building.fed("x", fed(2, 3))
    return named(*tf.while_loop(lambda i, x: i < 10, lambda i, x: (i + 1, x * 0.5 + 1.0), [0, x], maximum_iterations=4))


@graph("while_loop_maximum_iterations_input", unknown=(0,))
def maximum_iterations_input(building):
    """The numbers may end the loop before that."""
    x, most = building.fed("x", fed(2, 3, low=0.5, high=1)), building.fed("most", fed(values=6, dtype=np.int32))
    return named(*tf.while_loop(lambda x: tf.reduce_max(x) < 4.0, lambda x: (x * 1.5,), [x], maximum_iterations=most))


@graph("while_loop_captured", unknown={"x": (0,)})
def captured(building):
    """The body takes tensors from outside, a Const and a Placeholder."""
    x, scale, weights = building.fed("x", fed(2, 3)), building.fed("scale", fed(3)), building.fixed(fixed(3, 3))
    return named(tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.tanh(x @ weights) * scale), [0, x])[1])


@graph("while_loop_growing", unknown=(0,))
def growing_loop(building):
    x = building.fed("x", fed(2, 3))
    return named(tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 1)), [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([x.shape[0], None])])[1])


for _kind in ("If", "StatelessIf"):
    for _positive in (True, False):
        @graph(f"{_kind}_{'then' if _positive else 'else'}", unknown=(0,))
        def condition(building, kind=_kind, positive=_positive):
            """The numbers decide."""
            x = building.fed("x", fed(2, 3, low=0.1 if positive else -1, high=1 if positive else -0.1))
            return named(branch(tf.reduce_sum(x) > 0.0, [x], lambda y: (y * 2.0,), lambda y: (y - 1.0,), kind)[0])

for _name, _value in (("int32", np.int32(2)), ("zero", np.int32(0)), ("float", np.float32(0.25)), ("not_scalar", np.array([False, False])), ("empty", np.zeros(0, np.float32))):
    @graph(f"If_{_name}")
    def not_a_bool(building, value=_value):
        """A number is true if it is not zero, an array if it has elements."""
        x, given = building.fed("x", fed(2, 3)), building.fed("given", fed(values=value, dtype=value.dtype))
        return named(branch(given, [x], lambda y: (y * 2.0,), lambda y: (y - 1.0,))[0])


@graph("If_constant")
def constant_condition(building):
    return named(branch(tf.constant(False), [building.fed("x", fed(2, 3))], lambda y: (y * 2.0,), lambda y: (y - 1.0,))[0])


@graph("If_results")
def several_results(building):
    """Results that are arguments, constants, twice the same."""
    go, x, n = building.fed("go", fed(values=False, dtype=bool)), building.fed("x", fed(2, 3)), building.fed("n", fed(2, dtype=np.int32, low=0, high=9))
    first = lambda x, n: (x, tf.constant([1, 2], tf.int32), x)
    second = lambda x, n: (tf.zeros([2, 3]), n, tf.exp(x))
    return named(*branch(go, [x, n], first, second))


@graph("If_shapes")
def shapes(building):
    """Each branch has a result of another size."""
    go, x = building.fed("go", fed(values=False, dtype=bool)), building.fed("x", fed(4, 3))
    return named(branch(go, [x], lambda y: (y[:2],), lambda y: (y[:3] * 2.0,))[0])


@graph("If_captured", unknown={"x": (0,)})
def captured_condition(building):
    go, x, y = building.fed("go", fed(values=True, dtype=bool)), building.fed("x", fed(2, 3)), building.fed("y", fed(3))
    weights = building.fixed(fixed(3, 3))
    return named(*tf.cond(go, lambda: (x @ weights + y, y * 2.0), lambda: (x - y, y)))


@graph("If_nested", unknown={"x": (0,)})
def nested_condition(building):
    one, other, x = building.fed("one", fed(values=False, dtype=bool)), building.fed("other", fed(values=True, dtype=bool)), building.fed("x", fed(2, 3))
    return named(tf.cond(one, lambda: x * 2.0, lambda: tf.cond(other, lambda: x + 1.0, lambda: x - 1.0)))


@graph("If_convolution", unknown={"x": (0,)})
def convolution_in_if(building):
    """Pictures with channels last inside."""
    go, x, weights = building.fed("go", fed(values=True, dtype=bool)), building.fed("x", fed(1, 4, 4, 2)), building.fixed(fixed(3, 3, 2, 2))
    result = tf.cond(go, lambda: tf.nn.conv2d(x, weights, 1, "SAME"), lambda: x * 2.0)
    return named(tf.nn.max_pool2d(result, 2, 2, "VALID"))


def choose(index, arguments, branches, kind="Case"):
    branches = [function(entry, arguments) for entry in branches]
    return getattr(raw, kind)(branch_index=index, input=arguments, Tout=[output.dtype for output in branches[0].outputs], branches=branches, output_shapes=branches[0].output_shapes)


for _kind in ("Case", "StatelessCase"):
    for _name, _index in (("first", 0), ("middle", 1), ("last", 2), ("beyond", 7), ("negative", -3)):
        @graph(f"{_kind}_{_name}")
        def case(building, kind=_kind, index=_index):
            """An index out of range takes the last branch."""
            index, x = building.fed("index", fed(values=index, dtype=np.int32)), building.fed("x", fed(2, 3))
            return named(choose(index, [x], [lambda y: (y * 2.0,), lambda y: (y - 1.0,), lambda y: (tf.exp(y),)], kind)[0])


@graph("Case_one_branch")
def one_branch(building):
    index, x = building.fed("index", fed(values=0, dtype=np.int32)), building.fed("x", fed(2, 3))
    return named(choose(index, [x], [lambda y: (y * 2.0,)])[0])


@graph("Case_captured", unknown={"x": (0,)})
def captured_case(building):
    index, x, y = building.fed("index", fed(values=1, dtype=np.int32)), building.fed("x", fed(2, 3)), building.fed("y", fed(3))
    return named(*tf.switch_case(index, [lambda: (x + y, y), lambda: (x * y, y * 2.0), lambda: (x, y)]))


def call(body, arguments, kind="PartitionedCall"):
    body = function(body, arguments)
    return getattr(raw, kind)(args=arguments, Tout=[output.dtype for output in body.outputs], f=body)


for _kind in ("PartitionedCall", "StatefulPartitionedCall"):
    @graph(_kind, unknown=(0,))
    def called(building, kind=_kind):
        return named(call(lambda x: (tf.tanh(x) * 2.0,), [building.fed("x", fed(2, 3))], kind)[0])


@graph("PartitionedCall_nested")
def calls_in_calls(building):
    """The inner function is called twice; one result is an argument."""
    inner = lambda x, y: (x * y, y)

    def outer(x, y):
        first, second = call(inner, [x, y])
        return call(inner, [first + 1.0, second])
    return named(*call(outer, [building.fed("x", fed(2, 3)), building.fed("y", fed(3))]))


@graph("PartitionedCall_second_result")
def second_result(building):
    """Inside, a result is named by its operation's second output."""
    return named(*call(lambda x: (tf.math.top_k(x, 2).indices, tf.split(x, 3, 1)[1]), [building.fed("x", fed(2, 6, values=np.array([[3, 1, 2, 6, 5, 4], [1, 5, 3, 2, 4, 6]], np.float32)))]))


@graph("PartitionedCall_in_While")
def call_in_loop(building):
    body = lambda i, x: (i + 1, call(lambda y: (y * 0.5 + 1.0,), [x])[0])
    return named(loop([0, building.fed("x", fed(2, 3))], lambda i, x: i < 3, body)[1])
