"""Reductions, the index of the largest, and running sums."""
import numpy as np

from graphs import Family, fed

family = Family(__name__)
case = family.case

for kind in ("Mean", "Sum", "Max", "Min", "Prod"):
    case(kind, input=fed(2, 3, 4), axis=[1], keep_dims=False)
    case(kind, "keep", input=fed(2, 3, 4, 3), axis=[1, 2], keep_dims=True)
case("Mean", "spatial", unknown=(0, 1, 2), input=fed(2, 4, 4, 3), axis=[1, 2], keep_dims=False)
case("Sum", "scalar_axis", unknown=(0,), input=fed(2, 3, 4), axis=-1, keep_dims=False)
case("Sum", "no_axes", input=fed(2, 3), axis=np.array([], np.int32), keep_dims=False)
case("Max", "all", input=fed(2, 3, 4), axis=[0, 1, 2], keep_dims=False)
case("Sum", "int32", input=fed(2, 3, dtype=np.int32, low=-9, high=9), axis=[0], keep_dims=False)
case("Max", "int64", input=fed(2, 3, dtype=np.int64, low=-9, high=9), axis=np.array([1], np.int64), keep_dims=False)
case("Prod", "int32", input=fed(2, 3, dtype=np.int32, low=1, high=5), axis=[1], keep_dims=False)
case("Mean", "int32", input=fed(values=[[1, 2, 4], [-3, -4, -6]], dtype=np.int32), axis=[1], keep_dims=False)
for kind in ("All", "Any"):
    case(kind, input=fed(4, 3, dtype=bool), axis=[1], keep_dims=False)
case("All", "keep", unknown=(0,), input=fed(4, 3, dtype=bool), axis=[0], keep_dims=True)
case("EuclideanNorm", input=fed(2, 3, 4), axis=[1], keep_dims=False)
for kind in ("ArgMax", "ArgMin"):
    case(kind, input=fed(2, 5, 3), dimension=1)
    case(kind, "last_int32", unknown=(0,), input=fed(2, 5), dimension=-1, output_type=np.int32)
case("ArgMax", "int32", input=fed(values=[3, 7, 1, 5], dtype=np.int32), dimension=0)
for kind in ("Cumsum", "Cumprod"):
    case(kind, x=fed(2, 4), axis=1)
    case(kind, "exclusive", x=fed(2, 4), axis=1, exclusive=True)
    case(kind, "reverse", x=fed(2, 4), axis=0, reverse=True)
    case(kind, "both", x=fed(2, 4), axis=-1, exclusive=True, reverse=True)
case("Cumsum", "int32", unknown=(0,), x=fed(6, dtype=np.int32, low=-9, high=9), axis=0)
case("CumulativeLogsumexp", x=fed(2, 4, low=-30, high=30), axis=1)
case("CumulativeLogsumexp", "reverse", unknown=(0,), x=fed(3, 2, 4), axis=-3, reverse=True)
case("CumulativeLogsumexp", "exclusive", x=fed(2, 4), axis=-1, exclusive=True)
case("LowerBound", sorted_inputs=fed(values=[[0, 3, 3, 9], [1, 2, 5, 6]]), values=fed(values=[[3, 10, -1], [5, 1, 5.5]]))
case("UpperBound", unknown=(0,), sorted_inputs=fed(values=[[0, 3, 3, 9], [1, 2, 5, 6]]), values=fed(values=[[3, 10, -1], [5, 1, 5.5]]), out_type=np.int64)
case("TopKV2", take=[0, 1], input=fed(3, 7), k=3)
case("TopKV2", "vector", take=[0, 1], input=fed(7), k=2)
case("TopKV2", "int32", take=[0, 1], input=fed(values=[[5, 3, 9, 1], [2, 8, 4, 6]], dtype=np.int32), k=2)
case("TopKV2", "values", unknown=(0,), take=[0], input=fed(3, 7), k=4)
case("InTopKV2", predictions=fed(3, 5), targets=fed(values=[1, 4, 0], dtype=np.int32), k=2)
case("Bincount", arr=fed(values=[1, 3, 1, 0, 3, 3], dtype=np.int32), size=5, weights=np.array([], np.float32))
case("SegmentSum", data=fed(5, 3), segment_ids=fed(values=[0, 0, 1, 2, 2], dtype=np.int32))
case("UnsortedSegmentSum", data=fed(5, 3), segment_ids=fed(values=[2, 0, 1, 0, 2], dtype=np.int32), num_segments=4)
for kind in ("Prod", "Min", "Max"):
    case("UnsortedSegment" + kind, "known", unknown=(0,), data=fed(5, 3), segment_ids=[2, 0, -1, 0, 1], num_segments=3)


@family.graph("rows_of_known_lengths", unknown=(0,))
def rows_of_known_lengths(building):
    """The sums give the size of a tensor. The converter computes them: a runtime does not fold sums of constants."""
    import tensorflow as tf
    x = building.fed("x", fed(9, 2))
    ends = tf.raw_ops.Cumsum(x=[[2, 3, 4], [1, 1, 1]], axis=-1)
    starts = tf.raw_ops.Cumsum(x=[[2, 3, 4], [1, 1, 1]], axis=1, exclusive=True)
    back = tf.raw_ops.Cumsum(x=[[2, 3, 4], [1, 1, 1]], axis=0, reverse=True)
    inside = tf.where(tf.range(ends[0, 2]) >= starts[0, 1])
    return [tf.gather_nd(x, inside, name="result"), tf.add(back, tf.cast(tf.shape(x)[1], tf.int32), name="sums")]


@family.graph("products_of_dimensions", unknown=(0, 1, 2))
def products_of_dimensions(building):
    """As TensorFlow Lite's converter writes Einsum with open dimensions."""
    import tensorflow as tf
    x = building.fed("x", fed(2, 3, 4, 5))
    shape = tf.raw_ops.UnsortedSegmentProd(data=tf.shape(x), segment_ids=[0, 1, 1, 2], num_segments=3)
    return [tf.raw_ops.Reshape(tensor=x, shape=shape, name="result")]


def largest(x):
    """Devices without a kernel for approximations give the exact elements."""
    import tensorflow as tf
    return tf.raw_ops.TopKV2(input=x, k=3)[0]


def least(x):
    import tensorflow as tf
    return tf.transpose(-tf.raw_ops.TopKV2(input=tf.transpose(-x), k=2)[0])


family.old("ApproxTopK", "", largest, {"T": {"type": 1}, "k": {"i": 3}}, x=fed(3, 7))
family.old("ApproxTopK", "least", least, {"T": {"type": 1}, "k": {"i": 2}, "reduction_dimension": {"i": 0}, "is_max_k": {"b": False}}, x=fed(7, 3))
