"""Conditions of TensorFlow 1 whose rank the graph does not say."""
import numpy as np
import tensorflow as tf

from graphs import FamilyOfVersion1, fed
from operations.frames import named

graph = FamilyOfVersion1(__name__).graph
tf1 = tf.compat.v1


@graph("cond_rank", unknown={"size": (0,)})
def rank_of_condition(building):
    """The graph does not say that the condition is a scalar."""
    go, size = building.fed("go", fed(1, values=np.array([False]), dtype=bool)), building.fed("size", fed(values=np.ones(0), dtype=np.int32))
    x = building.fed("x", fed(2, 3))
    return named(tf1.cond(tf.reshape(go, size), lambda: x * 2.0, lambda: x - 1.0))


@graph("while_loop_rank", unknown={"size": (0,)})
def rank_of_loop_condition(building):
    size, x = building.fed("size", fed(values=np.ones(0), dtype=np.int32)), building.fed("x", fed(2, 3, low=0.5, high=1))
    return named(tf1.while_loop(lambda x: tf.reshape(tf.reduce_max(x) < 4.0, size), lambda x: x * 1.5, [x]))
