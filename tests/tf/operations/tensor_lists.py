"""Lists of tensors, and the loops that fill and read them: tf.map_fn, tf.scan, tf.foldl, tf.TensorArray with control flow v2."""
import numpy as np
import tensorflow as tf

from graphs import Family, fed, fixed

graph = Family(__name__).graph
raw = tf.raw_ops
TIME, BATCH, SIZE = 5, 2, 3


def named(*tensors):
    return [tf.identity(tensor, name=f"out{at}") for at, tensor in enumerate(tensors)]


def from_tensor(tensor):
    """A list of its rows."""
    return raw.TensorListFromTensor(tensor=tensor, element_shape=tensor.shape[1:])


def sizes(tensor):
    return [-1 if size is None else size for size in tensor.shape]


def stacked(handle, shape, count=-1):
    return raw.TensorListStack(input_handle=handle, element_shape=shape, element_dtype=tf.float32, num_elements=count)


# Lists outside of loops.
@graph("TensorListStack", unknown=(0,))
def stack(building):
    return named(stacked(from_tensor(building.fed("x", fed(TIME, SIZE))), [SIZE]))


@graph("TensorListGetItem", unknown={"x": (0,)})
def get_item(building):
    handle, at = from_tensor(building.fed("x", fed(TIME, SIZE))), building.fed("at", fed(values=3, dtype=np.int32))
    return named(*[raw.TensorListGetItem(input_handle=handle, index=index, element_shape=[SIZE], element_dtype=tf.float32) for index in (1, at)])


@graph("TensorListSetItem", unknown={"x": (0,)})
def set_item(building):
    """The list before is still there."""
    before = from_tensor(building.fed("x", fed(TIME, SIZE)))
    after = raw.TensorListSetItem(input_handle=before, index=building.fed("at", fed(values=3, dtype=np.int32)), item=building.fed("item", fed(SIZE)))
    return named(stacked(before, [SIZE]), stacked(after, [SIZE]))


@graph("TensorListReserve", unknown={"row": (0,)})
def reserve(building):
    """Reserved, and each item set."""
    row = building.fed("row", fed(SIZE))
    handle = raw.TensorListReserve(element_shape=sizes(row), num_elements=3, element_dtype=tf.float32)
    for at in (2, 0, 1):
        handle = raw.TensorListSetItem(input_handle=handle, index=at, item=row * (at + 1.0))
    return named(stacked(handle, sizes(row), 3))


@graph("TensorListReserve_unset")
def unset(building):
    """Items that are not set are zero."""
    handle = raw.TensorListReserve(element_shape=[SIZE], num_elements=3, element_dtype=tf.float32)
    handle = raw.TensorListSetItem(input_handle=handle, index=1, item=building.fed("row", fed(SIZE)))
    return named(stacked(handle, [SIZE], 3))


def pushed(*rows):
    handle = raw.EmptyTensorList(element_shape=sizes(rows[0]), max_num_elements=-1, element_dtype=tf.float32)
    for row in rows:
        handle = raw.TensorListPushBack(input_handle=handle, tensor=row)
    return handle


@graph("TensorListPushBack", unknown={"row": (0,)})
def push_back(building):
    row = building.fed("row", fed(SIZE))
    result = stacked(pushed(row, row * 2.0), sizes(row))
    result.set_shape([2, row.shape[0]])
    return named(result)


@graph("TensorListPopBack")
def pop_back(building):
    row = building.fed("row", fed(SIZE))
    handle, last = raw.TensorListPopBack(input_handle=pushed(row, row * 2.0, row * 3.0), element_shape=[SIZE], element_dtype=tf.float32)
    return named(last, stacked(handle, [SIZE]), raw.TensorListLength(input_handle=handle))


@graph("TensorListLength", unknown=(0,))
def length(building):
    return named(raw.TensorListLength(input_handle=from_tensor(building.fed("x", fed(TIME, SIZE)))))


@graph("TensorListElementShape", unknown={"x": (0,)})
def element_shape(building):
    handle = from_tensor(building.fed("x", fed(TIME, SIZE)))
    return named(raw.TensorListElementShape(input_handle=handle, shape_type=tf.int32))


@graph("TensorListConcatV2", unknown={"x": (0,)})
def concat(building):
    """Rows of one list behind each other, and how long each is."""
    handle = from_tensor(building.fed("x", fed(3, 2, SIZE)))
    return named(*raw.TensorListConcatV2(input_handle=handle, element_shape=[2, SIZE], leading_dims=np.zeros(0, np.int64), element_dtype=tf.float32))


@graph("TensorListConcatV2_sizes")
def concat_sizes(building):
    """Elements of several sizes."""
    handle = raw.EmptyTensorList(element_shape=[-1, SIZE], max_num_elements=-1, element_dtype=tf.float32)
    for name, rows in (("a", 2), ("b", 3)):
        handle = raw.TensorListPushBack(input_handle=handle, tensor=building.fed(name, fed(rows, SIZE)))
    return named(raw.TensorListConcatV2(input_handle=handle, element_shape=[-1, SIZE], leading_dims=np.zeros(0, np.int64), element_dtype=tf.float32)[0])


@graph("TensorListGather", unknown={"x": (0,)})
def gather(building):
    handle, indices = from_tensor(building.fed("x", fed(TIME, SIZE))), building.fed("indices", fed(values=[3, 0, 3], dtype=np.int32))
    return named(raw.TensorListGather(input_handle=handle, indices=indices, element_shape=[SIZE], element_dtype=tf.float32))


@graph("TensorListScatter", unknown={"x": (0,)})
def scatter(building):
    x, indices = building.fed("x", fed(3, SIZE)), tf.constant([2, 0, 1])
    return named(stacked(raw.TensorListScatter(tensor=x, indices=indices, element_shape=[SIZE]), [SIZE]))


@graph("TensorListScatterV2")
def scatter_v2(building):
    """Longer than what is scattered; the rest is zero."""
    handle = raw.TensorListScatterV2(tensor=building.fed("x", fed(3, SIZE)), indices=[4, 0, 1], element_shape=[SIZE], num_elements=6)
    return named(stacked(handle, [SIZE]))


@graph("TensorListScatterIntoExistingList")
def scatter_into(building):
    handle = from_tensor(building.fed("x", fed(TIME, SIZE)))
    return named(stacked(raw.TensorListScatterIntoExistingList(input_handle=handle, tensor=building.fed("rows", fed(2, SIZE)), indices=[4, 1]), [SIZE]))


@graph("TensorListResize")
def resize(building):
    """Shorter; and longer, where the rest is zero."""
    handle = from_tensor(building.fed("x", fed(TIME, SIZE)))
    return named(*[stacked(raw.TensorListResize(input_handle=handle, size=size), [SIZE]) for size in (2, 7)])


@graph("TensorListSplit")
def split(building):
    handle = raw.TensorListSplit(tensor=building.fed("x", fed(TIME, SIZE)), element_shape=[-1, SIZE], lengths=np.array([2, 3], np.int64))
    return named(*[raw.TensorListGetItem(input_handle=handle, index=at, element_shape=[-1, SIZE], element_dtype=tf.float32) for at in (0, 1)])


@graph("TensorListConcatLists")
def concat_lists(building):
    a, b = (from_tensor(building.fed(name, fed(rows, SIZE))) for name, rows in (("a", 2), ("b", 3)))
    return named(stacked(raw.TensorListConcatLists(input_a=a, input_b=b, element_dtype=tf.float32), [SIZE]))


# Loops.
@graph("map_fn", unknown=(0,))
def map_fn(building):
    return named(tf.map_fn(lambda row: tf.tanh(row) * 2.0, building.fed("x", fed(TIME, SIZE))))


@graph("map_fn_captured", unknown={"x": (0,)})
def map_captured(building):
    x, weights, bias = building.fed("x", fed(TIME, BATCH, SIZE)), building.fixed(fixed(SIZE, 4)), building.fed("bias", fed(4))
    return named(tf.map_fn(lambda row: row @ weights + bias, x))


@graph("map_fn_several", unknown={"x": (0,), "y": (0,)})
def map_several(building):
    """Two inputs, two results of other types."""
    x, y = building.fed("x", fed(TIME, SIZE)), building.fed("y", fed(TIME, dtype=np.int32, low=-3, high=3))
    return named(*tf.map_fn(lambda pair: (tf.reduce_sum(pair[0]) > 0.0, pair[0] * tf.cast(pair[1], tf.float32)), (x, y), fn_output_signature=(tf.bool, tf.float32)))


@graph("map_fn_range")
def map_range(building):
    """Over numbers that the graph has, with indices into what is fed."""
    x = building.fed("x", fed(TIME, SIZE))
    return named(tf.map_fn(lambda at: tf.gather(x, TIME - 1 - at), tf.range(TIME), fn_output_signature=tf.float32))


@graph("map_fn_nested", unknown=(0,))
def map_nested(building):
    return named(tf.map_fn(lambda rows: tf.map_fn(lambda row: row * tf.reduce_max(row), rows), building.fed("x", fed(TIME, BATCH, SIZE))))


@graph("map_fn_convolution", unknown=(0,))
def map_convolution(building):
    """Each picture of a film, channels last."""
    weights = building.fixed(fixed(3, 3, 2, 3))
    return named(tf.map_fn(lambda picture: tf.nn.relu(tf.nn.conv2d(picture, weights, 1, "SAME")), building.fed("x", fed(3, 1, 4, 4, 2))))


@graph("scan", unknown=(0,))
def scan(building):
    return named(tf.scan(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE)), tf.zeros([SIZE])))


@graph("scan_reverse", unknown=(0,))
def scan_reverse(building):
    return named(tf.scan(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE)), tf.zeros([SIZE]), reverse=True))


@graph("scan_first")
def scan_first(building):
    """It begins with the first row."""
    return named(tf.scan(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE))))


@graph("foldl", unknown=(0,))
def foldl(building):
    return named(tf.foldl(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE)), tf.zeros([SIZE])))


@graph("foldr", unknown=(0,))
def foldr(building):
    return named(tf.foldr(lambda sum_, row: sum_ * 0.5 + row, building.fed("x", fed(TIME, SIZE)), tf.zeros([SIZE])))


def over(array, count, body, *state):
    """A loop that writes to a TensorArray; gives the array and the other states."""
    _, array, *state = tf.while_loop(lambda i, *_: i < count, lambda i, array, *state: (i + 1, *body(i, array, *state)), (0, array, *state))
    return array, *state


@graph("TensorArray_stack", unknown=(0,))
def array_stack(building):
    x = building.fed("x", fed(BATCH, SIZE))
    array, last = over(tf.TensorArray(tf.float32, 4), 4, lambda i, array, x: (array.write(i, x), x * 0.5 + 1.0), x)
    return named(array.stack(), last)


@graph("TensorArray_unstack", unknown={"x": (0, 1)})
def array_unstack(building):
    """A recurrent cell as one writes it by hand."""
    x, state, weights = building.fed("x", fed(TIME, BATCH, SIZE)), building.fed("state", fed(BATCH, SIZE)), building.fixed(fixed(SIZE, SIZE))
    count = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, count).unstack(x)

    def body(i, array, state):
        state = tf.tanh(rows.read(i) + state @ weights)
        return array.write(i, state), tf.ensure_shape(state, [None, SIZE]) if state.shape[0] is None else state
    array, last = over(tf.TensorArray(tf.float32, count), count, body, state)
    return named(array.stack(), last)


@graph("TensorArray_backwards", unknown=(0,))
def array_backwards(building):
    """Rows are read from the last to the first, and written so."""
    x = building.fed("x", fed(TIME, SIZE))
    count = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, count).unstack(x)

    def body(i, array, state):
        at = count - 1 - i
        state = state * 0.5 + rows.read(at)
        return array.write(at, state), state
    return named(over(tf.TensorArray(tf.float32, count), count, body, tf.zeros([SIZE]))[0].stack())


@graph("TensorArray_last_only", unknown=(0,))
def array_last(building):
    """Each step writes the only element, and its last value is read."""
    x = building.fed("x", fed(TIME, SIZE))
    rows = tf.TensorArray(tf.float32, TIME).unstack(x)
    array, _ = over(tf.TensorArray(tf.float32, 1), tf.shape(x)[0], lambda i, array, sum_: (array.write(0, sum_ + rows.read(i)), sum_ + rows.read(i)), tf.zeros([SIZE]))
    return named(array.read(0))


@graph("TensorArray_dynamic_size", unknown={"x": (0,)})
def array_dynamic(building):
    """Its size is the number of elements that are written."""
    x, n = building.fed("x", fed(BATCH, SIZE)), building.fed("n", fed(values=3, dtype=np.int32))
    array, _ = over(tf.TensorArray(tf.float32, 0, dynamic_size=True), n, lambda i, array, x: (array.write(i, x), x * 2.0), x)
    return named(array.stack(), array.size())


@graph("TensorArray_concat", unknown=(0,))
def array_concat(building):
    x = building.fed("x", fed(BATCH, SIZE))
    array, _ = over(tf.TensorArray(tf.float32, 3), 3, lambda i, array, x: (array.write(i, x), x * 2.0), x)
    return named(array.concat())


@graph("TensorArray_gather", unknown=(0,))
def array_gather(building):
    x = building.fed("x", fed(BATCH, SIZE))
    array, _ = over(tf.TensorArray(tf.float32, 4), 4, lambda i, array, x: (array.write(i, x), x * 2.0), x)
    return named(array.gather([3, 1]))


@graph("TensorArray_split")
def array_split(building):
    array = tf.TensorArray(tf.float32, 2, infer_shape=False).split(building.fed("x", fed(TIME, SIZE)), [2, 3])
    return named(array.read(0), array.read(1))
