"""Recurrent networks of TensorFlow 1, whose loops are frames: dynamic_rnn, bidirectional_dynamic_rnn, static_rnn, raw_rnn with its cells."""
import numpy as np
import tensorflow as tf
from tf_keras.src.layers.rnn import legacy_cell_wrappers as wrappers
from tf_keras.src.layers.rnn import legacy_cells as cells

from graphs import FamilyOfVersion1, fed

graph = FamilyOfVersion1(__name__).graph
tf1 = tf.compat.v1
TIME, BATCH, INPUTS, CELLS = 5, 2, 3, 4

KINDS = {
    "BasicRNNCell": lambda: cells.BasicRNNCell(CELLS),
    "BasicLSTMCell": lambda: cells.BasicLSTMCell(CELLS),
    "LSTMCell": lambda: cells.LSTMCell(CELLS),
    "LSTMCell_peephole": lambda: cells.LSTMCell(CELLS, use_peepholes=True),
    "LSTMCell_projection": lambda: cells.LSTMCell(CELLS, num_proj=2),
    "LSTMCell_clip": lambda: cells.LSTMCell(CELLS, cell_clip=0.25),
    "GRUCell": lambda: cells.GRUCell(CELLS),
    "MultiRNNCell": lambda: cells.MultiRNNCell([cells.LSTMCell(CELLS), cells.GRUCell(3)]),
    "ResidualWrapper": lambda: wrappers.ResidualWrapper(cells.GRUCell(INPUTS)),
}


def named(*results):
    return [tf.identity(tensor, name=f"out{at}") for at, tensor in enumerate(tf.nest.flatten(results))]


def layer(building, kind, build):
    """`build`: the network from a cell and the sequence. Its variables are not resources, as in graphs of that time."""
    with tf1.variable_scope("layer", use_resource=False):
        return named(*build(KINDS[kind](), building))


def sequence(building, time_major=False):
    return building.fed("x", fed(TIME, BATCH, INPUTS) if time_major else fed(BATCH, TIME, INPUTS))


def lengths(building):
    return building.fed("lengths", fed(values=[3, TIME], dtype=np.int32))


def whole(cell, building):
    return tf1.nn.dynamic_rnn(cell, sequence(building), dtype=tf.float32)


def with_lengths(cell, building):
    x = sequence(building)
    return tf1.nn.dynamic_rnn(cell, x, lengths(building), dtype=tf.float32)


for _kind in KINDS:
    graph(f"dynamic_rnn_{_kind}", unknown=(0,))(lambda building, kind=_kind: layer(building, kind, whole))
for _kind in ("BasicRNNCell", "BasicLSTMCell", "LSTMCell", "GRUCell"):
    graph(f"dynamic_rnn_{_kind}_lengths", unknown={"x": (0,), "lengths": (0,)})(lambda building, kind=_kind: layer(building, kind, with_lengths))


@graph("dynamic_rnn_LSTMCell_any_time", unknown={"x": (0, 1)})
def any_time(building):
    return layer(building, "LSTMCell", whole)


@graph("dynamic_rnn_GRUCell_any_time", unknown={"x": (1,)})
def any_time_of_gru(building):
    return layer(building, "GRUCell", whole)


@graph("dynamic_rnn_BasicLSTMCell_time_major", unknown={"x": (1,)})
def time_major(building):
    return layer(building, "BasicLSTMCell", lambda cell, building: tf1.nn.dynamic_rnn(cell, sequence(building, True), dtype=tf.float32, time_major=True))


@graph("dynamic_rnn_LSTMCell_time_major_lengths", unknown={"x": (0, 1), "lengths": (0,)})
def time_major_with_lengths(building):
    def build(cell, building):
        x = sequence(building, True)
        return tf1.nn.dynamic_rnn(cell, x, lengths(building), dtype=tf.float32, time_major=True)
    return layer(building, "LSTMCell", build)


@graph("dynamic_rnn_LSTMCell_state", unknown={"x": (1,)})
def state(building):
    """The first state is fed, the last is all that is used."""
    def build(cell, building):
        x = sequence(building)
        first = cells.LSTMStateTuple(building.fed("c", fed(BATCH, CELLS)), building.fed("h", fed(BATCH, CELLS)))
        return [tf1.nn.dynamic_rnn(cell, x, initial_state=first)[1]]
    return layer(building, "LSTMCell", build)


@graph("dynamic_rnn_GRUCell_outputs", unknown={"x": (0,)})
def outputs_only(building):
    return layer(building, "GRUCell", lambda cell, building: [whole(cell, building)[0]])


@graph("dynamic_rnn_GRUCell_dropout")
def dropout(building):
    """Probabilities to keep are placeholders with a default of 1, as in many graphs that were trained."""
    def build(cell, building):
        keep = tf1.placeholder_with_default(1.0, [], name="keep")
        return tf1.nn.dynamic_rnn(wrappers.DropoutWrapper(cell, output_keep_prob=keep, seed=1), sequence(building), dtype=tf.float32)
    return layer(building, "GRUCell", build)


@graph("dynamic_rnn_twice", unknown={"x": (0,)})
def stacked(building):
    """A loop over the results of a loop."""
    def build(cell, building):
        with tf1.variable_scope("first"):
            x = whole(cell, building)[0]
        with tf1.variable_scope("second"):
            return tf1.nn.dynamic_rnn(cells.GRUCell(3), x, dtype=tf.float32)
    return layer(building, "BasicLSTMCell", build)


for _kind in ("BasicRNNCell", "LSTMCell", "GRUCell"):
    @graph(f"bidirectional_dynamic_rnn_{_kind}", unknown={"x": (0, 1)})
    def both_ways(building, kind=_kind):
        return layer(building, kind, lambda cell, building: tf1.nn.bidirectional_dynamic_rnn(cell, KINDS[kind](), sequence(building), dtype=tf.float32))


@graph("bidirectional_dynamic_rnn_LSTMCell_lengths", unknown={"x": (0, 1), "lengths": (0,)})
def both_ways_with_lengths(building):
    def build(cell, building):
        x = sequence(building)
        return tf1.nn.bidirectional_dynamic_rnn(cell, KINDS["LSTMCell"](), x, lengths(building), dtype=tf.float32)
    return layer(building, "LSTMCell", build)


@graph("static_rnn_LSTMCell", unknown={"x": (0,)})
def unrolled(building):
    """No loop: a cell for each time."""
    return layer(building, "LSTMCell", lambda cell, building: tf1.nn.static_rnn(cell, tf.unstack(sequence(building), axis=1), dtype=tf.float32))


@graph("raw_rnn_GRUCell")
def raw_rnn(building):
    """The program computes the next input: here it is the output of the cell."""
    def build(cell, building):
        x = building.fed("x", fed(BATCH, CELLS))

        def step(time, output, state, loop_state):
            finished = tf.fill([BATCH], time >= TIME)
            if output is None:
                return finished, x, cell.zero_state(BATCH, tf.float32), tf.zeros([CELLS]), None
            return finished, output, state, output, None
        outputs, last, _ = tf1.nn.raw_rnn(cell, step)
        return outputs.stack(), last
    return layer(building, "GRUCell", build)
