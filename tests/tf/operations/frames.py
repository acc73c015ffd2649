"""Loops and conditions of TensorFlow 1: Switch, Merge, Enter, Exit, NextIteration; TensorArrays with handle and flow."""
import numpy as np
import tensorflow as tf

from graphs import FamilyOfVersion1, fed, fixed

graph = FamilyOfVersion1(__name__).graph
tf1, raw = tf.compat.v1, tf.raw_ops
TIME, BATCH, SIZE = 5, 2, 3


def named(*tensors):
    return [tf.identity(tensor, name=f"out{at}") for at, tensor in enumerate(tensors)]


# Loops.
@graph("while_loop", unknown=(0,))
def counter(building):
    return named(*tf1.while_loop(lambda i, x: i < 4, lambda i, x: (i + 1, x * 0.5 + 1.0), [0, building.fed("x", fed(2, 3))]))


@graph("while_loop_trip_count", unknown={"x": (0,)})
def trip_count(building):
    n, x = building.fed("n", fed(values=5, dtype=np.int32)), building.fed("x", fed(2, 3))
    return named(tf1.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x + tf.cast(i, tf.float32)), [0, x])[1])


@graph("while_loop_zero_iterations")
def zero_iterations(building):
    n, x = building.fed("n", fed(values=0, dtype=np.int32)), building.fed("x", fed(2, 3))
    return named(*tf1.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x * 2.0), [0, x]))


@graph("while_loop_until_large", unknown=(0,))
def until_large(building):
    """No counter: the numbers end it."""
    return named(tf1.while_loop(lambda x: raw.Less(x=tf.reduce_sum(x), y=50.0), lambda x: x * 1.5, [building.fed("x", fed(2, 3, low=0.5, high=1))]))


@graph("while_loop_maximum_iterations", unknown=(0,))
def maximum_iterations(building):
    return named(*tf1.while_loop(lambda i, x: i < 10, lambda i, x: (i + 1, x * 0.5 + 1.0), (0, building.fed("x", fed(2, 3))), maximum_iterations=4))


@graph("while_loop_captured", unknown={"x": (0,)})
def captured(building):
    """The body takes tensors from outside, which do not change: a Const and a Placeholder."""
    x, scale, weights = building.fed("x", fed(2, 3)), building.fed("scale", fed(3)), building.fixed(fixed(3, 3))
    return named(tf1.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.tanh(x @ weights) * scale), [0, x])[1])


@graph("while_loop_exchange")
def exchange(building):
    """Two states change their places."""
    state = [0, building.fed("a", fed(2, 3)), building.fed("b", fed(2, 3))]
    return named(*tf1.while_loop(lambda i, a, b: i < 5, lambda i, a, b: (i + 1, b, a + b), state)[1:])


@graph("while_loop_growing", unknown=(0,))
def growing(building):
    x = building.fed("x", fed(2, 3))
    return named(tf1.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 1)), [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([x.shape[0], None])])[1])


@graph("while_loop_nested", unknown=(0,))
def nested(building):
    def outer(i, x):
        return i + 1, tf1.while_loop(lambda j, y: j < 2, lambda j, y: (j + 1, y * 0.5 + 1.0), [0, x])[1]
    return named(tf1.while_loop(lambda i, x: i < 3, outer, [0, building.fed("x", fed(2, 3))])[1])


@graph("while_loop_nested_trip_count")
def nested_trip_count(building):
    """The inner loop runs as often as the outer one counts, and takes a tensor from outside of both."""
    scale = building.fed("scale", fed(3))

    def outer(i, x):
        return i + 1, tf1.while_loop(lambda j, y: j < i, lambda j, y: (j + 1, y * scale + 1.0), [0, x])[1]
    return named(tf1.while_loop(lambda i, x: i < 4, outer, [0, building.fed("x", fed(2, 3))])[1])


@graph("while_loop_twice")
def twice(building):
    """One loop after the other."""
    x = tf1.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 0.5 + 1.0), [0, building.fed("x", fed(2, 3))])[1]
    return named(tf1.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.tanh(x)), [0, x])[1])


@graph("while_loop_convolution", unknown=(0,))
def convolution(building):
    """Pictures with channels last inside."""
    x, weights = building.fed("x", fed(1, 5, 5, 2)), building.fixed(fixed(3, 3, 2, 2))
    result = tf1.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.nn.relu(tf.nn.conv2d(x, weights, 1, "SAME"))), [0, x])[1]
    return named(tf.nn.max_pool2d(result, 2, 2, "VALID"))


# TensorArrays.
def over(array, count, body, *state):
    """A loop that writes to a TensorArray; gives the array and the other states."""
    _, array, *state = tf1.while_loop(lambda i, *_: i < count, lambda i, array, *state: (i + 1, *body(i, array, *state)), (0, array, *state))
    return array, *state


@graph("TensorArrayV3_stack", unknown=(0,))
def array_stack(building):
    x = building.fed("x", fed(BATCH, SIZE))
    array, last = over(tf1.TensorArray(tf.float32, 4), 4, lambda i, array, x: (array.write(i, x), x * 0.5 + 1.0), x)
    return named(array.stack(), last)


@graph("TensorArrayV3_unstack", unknown={"x": (0, 1), "state": (0,)})
def array_unstack(building):
    """A recurrent cell as one writes it by hand."""
    x, state, weights = building.fed("x", fed(TIME, BATCH, SIZE)), building.fed("state", fed(BATCH, SIZE)), building.fixed(fixed(SIZE, SIZE))
    count = tf.shape(x)[0]
    rows = tf1.TensorArray(tf.float32, count).unstack(x)

    def body(i, array, state):
        state = tf.tanh(rows.read(i) + state @ weights)
        return array.write(i, state), state
    array, last = over(tf1.TensorArray(tf.float32, count), count, body, state)
    return named(array.stack(), last)


@graph("TensorArrayV3_outside", unknown={"x": (0,)})
def array_outside(building):
    """No loop."""
    x, at = building.fed("x", fed(TIME, SIZE)), building.fed("at", fed(values=3, dtype=np.int32))
    array = tf1.TensorArray(tf.float32, tf.shape(x)[0], clear_after_read=False).unstack(x)
    gathered = array.gather([4, 0])
    gathered.set_shape([2, SIZE])
    return named(array.read(at), gathered, array.size())


@graph("TensorArrayV3_write_outside")
def array_write(building):
    x = building.fed("x", fed(2, SIZE))
    array = tf1.TensorArray(tf.float32, 3, clear_after_read=False)
    for at in (2, 0, 1):
        array = array.write(at, x * (at + 1.0))
    return named(array.stack(), array.concat())


@graph("TensorArrayV3_gather")
def array_gather(building):
    array, _ = over(tf1.TensorArray(tf.float32, 4), 4, lambda i, array, x: (array.write(i, x), x * 2.0), building.fed("x", fed(BATCH, SIZE)))
    return named(array.gather([3, 1]))


@graph("TensorArrayV3_concat", unknown=(0,))
def array_concat(building):
    array, _ = over(tf1.TensorArray(tf.float32, 3), 3, lambda i, array, x: (array.write(i, x), x * 2.0), building.fed("x", fed(BATCH, SIZE)))
    return named(array.concat())


@graph("TensorArrayV3_split")
def array_split(building):
    array = tf1.TensorArray(tf.float32, 2, infer_shape=False).split(building.fed("x", fed(TIME, SIZE)), [2, 3])
    return named(array.read(0), array.read(1))


@graph("TensorArrayV3_scatter")
def array_scatter(building):
    return named(tf1.TensorArray(tf.float32, 3).scatter([2, 0, 1], building.fed("x", fed(3, SIZE))).stack())


@graph("TensorArrayV3_dynamic_size", unknown={"x": (0,)})
def array_dynamic(building):
    """Its size is the number of elements that are written."""
    x, n = building.fed("x", fed(BATCH, SIZE)), building.fed("n", fed(values=3, dtype=np.int32))
    array, _ = over(tf1.TensorArray(tf.float32, 0, dynamic_size=True), n, lambda i, array, x: (array.write(i, x), x * 2.0), x)
    return named(array.stack(), array.size())


@graph("TensorArrayV3_last_only", unknown=(0,))
def array_last(building):
    """All elements are written, and only the last is read."""
    x = building.fed("x", fed(TIME, SIZE))
    count = tf.shape(x)[0]
    array, _ = over(tf1.TensorArray(tf.float32, count), count, lambda i, array, sum_: (array.write(i, sum_ + x[i]), sum_ + x[i]), tf.zeros([SIZE]))
    return named(array.read(count - 1))


@graph("map_fn", unknown=(0,))
def map_fn(building):
    return named(tf.map_fn(lambda row: tf.tanh(row) * 2.0, building.fed("x", fed(TIME, SIZE))))


@graph("scan", unknown=(0,))
def scan(building):
    return named(tf.scan(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE)), tf.zeros([SIZE])))


@graph("foldl", unknown=(0,))
def foldl(building):
    return named(tf.foldl(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE)), tf.zeros([SIZE])))


# Conditions.
for _positive in (True, False):
    @graph(f"cond_{'then' if _positive else 'else'}", unknown=(0,))
    def condition(building, positive=_positive):
        """The numbers decide."""
        x = building.fed("x", fed(2, 3, low=0.1 if positive else -1, high=1 if positive else -0.1))
        return named(tf1.cond(tf.reduce_sum(x) > 0.0, lambda: x * 2.0, lambda: x - 1.0))


@graph("cond_several", unknown={"x": (0,)})
def several(building):
    """Several results, tensors from outside, constants."""
    go, x, y = building.fed("go", fed(values=False, dtype=bool)), building.fed("x", fed(2, 3)), building.fed("y", fed(3))
    weights = building.fixed(fixed(3, 3))
    return named(*tf1.cond(go, lambda: (x @ weights + y, y, tf.constant([1, 2])), lambda: (x - y, y * 2.0, tf.constant([3, 4]))))


@graph("cond_nested", unknown={"x": (0,)})
def nested_condition(building):
    one, other, x = building.fed("one", fed(values=False, dtype=bool)), building.fed("other", fed(values=True, dtype=bool)), building.fed("x", fed(2, 3))
    return named(tf1.cond(one, lambda: x * 2.0, lambda: tf1.cond(other, lambda: x + 1.0, lambda: x - 1.0)))


@graph("cond_in_while_loop", unknown=(0,))
def in_loop(building):
    body = lambda i, x: (i + 1, tf1.cond(tf.equal(i % 2, 0), lambda: x * 2.0, lambda: x - 1.0))
    return named(tf1.while_loop(lambda i, x: i < 5, body, [0, building.fed("x", fed(2, 3))])[1])


@graph("while_loop_in_cond", unknown={"x": (0,)})
def loop_in_condition(building):
    go, x = building.fed("go", fed(values=True, dtype=bool)), building.fed("x", fed(2, 3))
    return named(tf1.cond(go, lambda: tf1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [0, x])[1], lambda: x - 1.0))


@graph("case", unknown={"x": (0,)})
def case(building):
    one, other, x = building.fed("one", fed(values=False, dtype=bool)), building.fed("other", fed(values=True, dtype=bool)), building.fed("x", fed(2, 3))
    return named(tf1.case([(one, lambda: x * 2.0), (other, lambda: x + 1.0)], default=lambda: x - 1.0))


def batch_norm(building, training):
    """As tf.layers wrote it: one branch is for training."""
    x = building.fed("x", fed(2, 4, 4, 3))
    scale, offset, mean = (building.fixed(fixed(3)) for _ in range(3))
    variance = building.fixed(fixed(3, low=0.5, high=1.5))
    return named(tf1.cond(training(), lambda: tf1.nn.fused_batch_norm(x, scale, offset, is_training=True)[0],
                          lambda: tf1.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)[0]))


@graph("cond_is_training_constant", unknown=(0,))
def training_constant(building):
    """A Const behind an Identity, which tf.cond does not recognise as a constant."""
    return batch_norm(building, lambda: tf1.identity(tf1.constant(False)))


@graph("cond_is_training_default", unknown=(0,))
def training_default(building):
    """A placeholder with a default value."""
    return batch_norm(building, lambda: tf1.placeholder_with_default(False, [], name="is_training"))


@graph("cond_is_training_not", unknown=(0,))
def training_not(building):
    """An operation on constants decides."""
    return batch_norm(building, lambda: tf1.logical_not(tf1.constant(True)))


@graph("cond_dropout", unknown=(0,))
def dropout(building):
    x, training = building.fed("x", fed(2, 3)), tf1.placeholder_with_default(False, [], name="is_training")
    return named(tf1.cond(training, lambda: tf1.nn.dropout(x, rate=0.5, seed=1), lambda: tf.identity(x)) * 2.0)


@graph("Switch_Merge", unknown={"x": (0,)})
def switch_and_merge(building):
    """Which input of Merge came is an output, too; one branch does nothing."""
    x, go = building.fed("x", fed(2, 3)), building.fed("go", fed(values=False, dtype=bool))
    negative, positive = raw.Switch(data=x, pred=go)
    return named(*raw.Merge(inputs=[negative, positive * 2.0]))
