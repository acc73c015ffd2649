"""Conditions that are no boolean scalars, or whose rank TensorFlow does not know."""
import numpy as np
import tensorflow as tf

from graphs import Family, fed
from operations.control_flow import branch, choose, loop, named

graph = Family(__name__).graph


@graph("While_until_empty", unknown=(0,))
def until_empty(building):
    """The condition is no scalar: it is true while it has elements."""
    return named(*loop([0, building.fed("x", fed(3))], lambda i, x: x, lambda i, x: (i + 1, x[1:]), shapes=[tf.TensorShape([]), tf.TensorShape([None])]))


@graph("While_number_until_zero", unknown=(0,))
def until_zero(building):
    """The condition is a number of the body's state, which is no counter."""
    return named(*loop([building.fed("x", fed(2, 3, low=0.5, high=4))], lambda x: tf.floor(tf.reduce_max(x)), lambda x: (x * 0.5,)))


def of_rank(building, tensor, rank):
    """The tensor of one element, with a rank that TensorFlow does not know."""
    return tf.reshape(tensor, building.fed("size", fed(values=np.ones(rank), dtype=np.int32)))


for _rank in (0, 1, 2):
    @graph(f"If_rank_{_rank}")
    def unknown_rank(building, rank=_rank):
        """0 is false as a scalar; otherwise it is an element."""
        given = of_rank(building, building.fed("given", fed(1, values=np.zeros(1, np.float32))), rank)
        return named(branch(given, [building.fed("x", fed(2, 3))], lambda y: (y * 2.0,), lambda y: (y - 1.0,))[0])


@graph("Case_rank")
def unknown_rank_of_index(building):
    index = of_rank(building, building.fed("index", fed(1, values=np.array([1], np.int32), dtype=np.int32)), 0)
    return named(choose(index, [building.fed("x", fed(2, 3))], [lambda y: (y * 2.0,), lambda y: (y - 1.0,), lambda y: (tf.exp(y),)])[0])


@graph("While_rank")
def unknown_rank_of_condition(building):
    x, size = building.fed("x", fed(2, 3, low=0.5, high=1)), building.fed("size", fed(values=np.ones(0), dtype=np.int32))
    return named(loop([x, size], lambda x, size: tf.reshape(tf.reduce_max(x) < 4.0, size), lambda x, size: (x * 1.5, size), shapes=[x.shape, size.shape])[0])
