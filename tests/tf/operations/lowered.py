"""Functions of TensorFlow 2 as convert_variables_to_constants_v2() freezes them: loops and conditions lowered, which is its default, and functional."""
import numpy as np
import tensorflow as tf

from graphs import FamilyOfFunctions, fed

function = FamilyOfFunctions(__name__).function
TIME, BATCH, SIZE = 5, 2, 3
ROWS = {"x": (0,)}
LENGTHS = fed(values=[2, 1, 3, 1, 2], dtype=np.int32)


def keras(make, shape, batch=None, dtype="float32"):
    inside = tf.keras.Input(shape, batch_size=batch, dtype=dtype)
    model = tf.keras.Model(inside, make(tf.keras.layers, inside))
    return lambda x: model(x, training=False)


def times(count, body, *state):
    """The states of a loop without its counter."""
    result = tf.while_loop(lambda i, *_: i < count, lambda i, *state: (i + 1, *body(i, *state)), (0, *state))[1:]
    return result[0] if len(result) == 1 else result


# Recurrent networks.
@function("LSTM", unknown={"x": (0, 1)}, x=fed(BATCH, TIME, SIZE))
def lstm():
    return keras(lambda layers, x: layers.LSTM(4, return_sequences=True, return_state=True)(x), (None, SIZE))


@function("GRU_stacked", x=fed(BATCH, TIME, SIZE))
def stacked():
    return keras(lambda layers, x: layers.SimpleRNN(2)(layers.GRU(3, go_backwards=True, return_sequences=True)(x)), (TIME, SIZE), BATCH)


@function("Bidirectional_masked", unknown={"x": (0,)}, x=fed(values=[[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]], dtype=np.int32))
def masked():
    return keras(lambda layers, x: layers.Bidirectional(layers.LSTM(3))(layers.Embedding(9, 2, mask_zero=True)(x)), (TIME,), dtype="int32")


@function("cells", unknown={"x": (0, 1)}, x=fed(BATCH, TIME, SIZE))
def cells():
    return keras(lambda layers, x: layers.RNN([layers.LSTMCell(3), layers.GRUCell(2)])(x), (None, SIZE))


@function("ConvLSTM", unknown={"x": (0,)}, x=fed(1, 3, 4, 4, 2))
def convolution():
    return keras(lambda layers, x: layers.ConvLSTM2D(2, 3, padding="same")(x), (3, 4, 4, 2))


# Loops.
@function("nested", unknown=ROWS, x=fed(TIME, SIZE))
def nested():
    """A loop in a condition in a loop."""
    def inner(i, x):
        return tf.cond(tf.reduce_sum(x) > 1.0, lambda: times(i, lambda _, y: (y * 0.5 + 1.0,), x), lambda: x + 1.0)
    return lambda x: times(3, lambda i, x: (inner(i, x),), x)


@function("beside", unknown=ROWS, x=fed(TIME, SIZE))
def beside():
    """Several loops; one reads what another one gives."""
    def call(x):
        a, b = times(3, lambda _, y: (y * 0.5,), x), times(4, lambda _, y: (y * 0.5 + x,), x)
        return a, b, tf.scan(lambda sum_, row: sum_ * 0.5 + row, a + b)
    return call


@function("until", unknown=ROWS, x=fed(TIME, SIZE))
def until():
    """A loop that the numbers end, and that writes as often."""
    def call(x):
        array = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        _, state, array = tf.while_loop(lambda i, y, _: (i < 9) & (tf.reduce_sum(tf.abs(y)) < 60.0), lambda i, y, array: (i + 1, y * 1.5, array.write(i, tf.argmax(y, 1, output_type=tf.int32))), (0, x, array))
        return state, array.stack()
    return call


@function("break", unknown=ROWS, x=fed(TIME, SIZE), n=fed(values=4, dtype=np.int32))
def broken():
    """Autograph makes conditions of flags, in the body and in the condition of the loop. Constants alone are in some branches."""
    def call(x, n):
        state = tf.zeros([SIZE])
        array = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[SIZE])
        for i in tf.range(n):
            if tf.reduce_sum(state) > 0.5:
                state = state * 0.5
            else:
                state = state + x[i]
            if state[0] > 3.0:
                break
            array = array.write(i, state)
        return array.stack(), state
    return call


@function("scan_reverse_gather", unknown={"x": (0, 1), "last": (0,)}, x=fed(TIME, BATCH, 4, dtype=np.int32, low=0, high=3), last=fed(values=[1, 3], dtype=np.int32))
def scan_reverse_gather():
    """The elements are written from the last to the first, and have as many numbers as the batch."""
    return lambda x, last: tf.scan(lambda at, row: tf.gather(row, at, batch_dims=1), x, last, reverse=True)


@function("write_backwards", unknown=ROWS, x=fed(TIME, SIZE))
def write_backwards():
    def call(x):
        array, _ = times(4, lambda i, array, y: (array.write(3 - i, y), y * 2.0), tf.TensorArray(tf.float32, 4), x)
        return array.stack(), array.gather([3, 1])
    return call


@function("map_fn_nested", unknown=ROWS, x=fed(TIME, BATCH, SIZE))
def map_nested():
    return lambda x: tf.map_fn(lambda rows: tf.scan(lambda sum_, row: sum_ * 0.5 + tf.cond(row[0] > 0.0, lambda: row, lambda: -row), rows), x)


# Lists of elements of several lengths.
def repeated(x, lengths, rows=None):
    count = tf.shape(x)[0]
    row = rows.read if rows else lambda i: x[i]
    array = tf.TensorArray(tf.float32, count, infer_shape=False, element_shape=[None, SIZE])
    return times(count, lambda i, array: (array.write(i, tf.tile(row(i)[None], [lengths[i], 1])),), array)


@function("concat_unequal", unknown={"x": (0,), "lengths": (0,)}, x=fed(TIME, SIZE), lengths=LENGTHS)
def concat_unequal():
    """Each row several times, as the length regulator of speech synthesis does it."""
    return lambda x, lengths: repeated(x, lengths).concat()


@function("concat_unequal_known", x=fed(TIME, SIZE), lengths=LENGTHS)
def concat_known():
    return lambda x, lengths: repeated(x, lengths, tf.TensorArray(tf.float32, TIME).unstack(x)).concat()


@function("concat_unequal_read", unknown={"x": (0,), "lengths": (0,)}, x=fed(TIME, SIZE), lengths=LENGTHS)
def concat_read():
    def call(x, lengths):
        array = repeated(x, lengths)
        return array.concat(), array.read(2), array.size()
    return call


@function("concat_lengths", unknown={"x": (0,), "lengths": (0,)}, x=fed(TIME, SIZE), lengths=LENGTHS)
def concat_lengths():
    """Elements are appended, and their lengths are wanted, too."""
    def call(x, lengths):
        handle = tf.raw_ops.EmptyTensorList(element_shape=[-1, SIZE], max_num_elements=-1, element_dtype=tf.float32)
        handle = times(tf.shape(x)[0], lambda i, handle: (tf.raw_ops.TensorListPushBack(input_handle=handle, tensor=tf.tile(x[i:i + 1], [lengths[i], 1])),), handle)
        return list(tf.raw_ops.TensorListConcatV2(input_handle=handle, element_shape=[-1, SIZE], leading_dims=np.zeros(0, np.int64), element_dtype=tf.float32))
    return call


@function("equal_read_again", unknown={"x": (0, 1)}, x=fed(TIME, SIZE), n=fed(values=3, dtype=np.int32))
def equal_read_again():
    """Elements of one shape, which is not known, are read by another loop, by a condition and beside."""
    def call(x, n):
        array = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
        array = times(n, lambda i, array: (array.write(i, x * tf.cast(i + 1, tf.float32)),), array)
        total = times(n, lambda i, total: (total + tf.reduce_sum(array.read(i)) * tf.cast(i + 1, tf.float32),), 0.0)
        return total, tf.cond(n > 2, lambda: tf.reduce_sum(array.read(1)), lambda: tf.reduce_sum(array.read(0))), array.read(2)
    return call


# Conditions.
@function("cond_several", unknown=ROWS, x=fed(TIME, SIZE, low=0.1))
def cond_several():
    """Results of constants, and of a condition and a list in a branch."""
    return lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: (tf.map_fn(tf.tanh, x), 1, tf.cond(tf.reduce_max(x) > 1.0, lambda: x, lambda: -x)), lambda: (x, 2, x * 3.0))


@function("cond_same", x=fed(TIME, SIZE))
def cond_same():
    """Conditions of one tensor, inside of each other and beside."""
    def call(x):
        go = tf.reduce_sum(x) > 0.0
        return tf.cond(go, lambda: tf.cond(go, lambda: x * 2.0, lambda: x * 5.0), lambda: x + 1.0) + tf.cond(go, lambda: x, lambda: -x)
    return call


@function("switch_case", unknown=ROWS, x=fed(TIME, SIZE))
def switch_case():
    """Indices 0 to 3 and one that is too large, for three branches."""
    branches = (lambda x: x * 2.0, lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: x, lambda: x + 1.0), lambda x: tf.map_fn(tf.tanh, x))
    return lambda x: times(5, lambda i, x: (tf.switch_case(i, [lambda branch=branch: branch(x) for branch in branches]),), x)
