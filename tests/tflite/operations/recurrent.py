"""Layers over time, whose states are variables: each is run twice, one run after the other."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
graph = family.graph

BATCH, TIME, INPUTS, CELLS = 2, 4, 3, 5
TWICE = dict(runs=2)


def small(*shape):
    return fixed(*shape, low=-0.6, high=0.6)


def gates(b, prefix="", cifg=False, peepholes=False, projection=0, cells=CELLS, inputs=INPUTS):
    """Inputs 1 to 17 of an LSTM: weights for input, forget, cell and output gates, peepholes, biases, projection."""
    outputs = projection or cells
    present = [not cifg, True, True, True]
    names = "ifco"
    taken = [b.fixed(small(cells, inputs), f"{prefix}w_{name}") if is_ else -1 for name, is_ in zip(names, present)]
    taken += [b.fixed(small(cells, outputs), f"{prefix}r_{name}") if is_ else -1 for name, is_ in zip(names, present)]
    taken += [b.fixed(small(cells), f"{prefix}p_{name}") if peepholes and (name != "i" or not cifg) else -1 for name in "ifo"]
    taken += [b.fixed(small(cells), f"{prefix}b_{name}") if is_ else -1 for name, is_ in zip(names, present)]
    taken += [b.fixed(small(projection, cells), f"{prefix}projection") if projection else -1, b.fixed(small(projection), f"{prefix}projection_bias") if projection else -1]
    return taken


def sequence_lstm(variant, time_major=False, cifg=False, peepholes=False, projection=0, layer_norm=False, **options):
    @graph("UNIDIRECTIONAL_SEQUENCE_LSTM" + variant, **TWICE)
    def build(b):
        x = b.fed("x", fed(*((TIME, BATCH, INPUTS) if time_major else (BATCH, TIME, INPUTS))))
        taken = [x, *gates(b, "", cifg, peepholes, projection)]
        taken += [b.state("h", [BATCH, projection or CELLS]), b.state("c", [BATCH, CELLS])]
        if layer_norm:
            taken += [b.fixed(fixed(CELLS, low=0.5, high=1.5), f"norm_{name}") if name != "i" or not cifg else -1 for name in "ifco"]
        return [b.op("UNIDIRECTIONAL_SEQUENCE_LSTM", taken, **{"activation": "TANH", "time_major": time_major, **options})]


sequence_lstm("")
sequence_lstm("_time_major", time_major=True)
sequence_lstm("_coupled", cifg=True)
sequence_lstm("_peepholes", peepholes=True, cell_clip=0.4)
sequence_lstm("_projection", projection=3, proj_clip=0.3)
sequence_lstm("_layer_norm", layer_norm=True)
sequence_lstm("_relu", activation="RELU")


@graph("UNIDIRECTIONAL_SEQUENCE_LSTM_first_state", unknown=(1,))
def first_state(b):
    """As Keras writes it: the states are variables that nobody reads afterwards, and one run says all."""
    x = b.fed("x", fed(1, TIME, INPUTS))
    states = [b.state("h", [1, CELLS]), b.state("c", [1, CELLS])]
    return [b.op("UNIDIRECTIONAL_SEQUENCE_LSTM", [x, *gates(b), *states], activation="TANH")]


@graph("UNIDIRECTIONAL_SEQUENCE_LSTM_float16_states", **TWICE)
def float16_states(b):
    """As the converter writes it where weights are float16: a constant, from which the state is made before the first run."""
    x = b.fed("x", fed(BATCH, TIME, INPUTS))
    states = [b.op("DEQUANTIZE", [b.fixed(fixed(dtype=np.float16, values=np.full((BATCH, CELLS), value)), name)], dtype=np.float32, version=3) for name, value in (("h", 0.25), ("c", -0.5))]
    for state in states:
        b.graph.tensors[state].isVariable, b.graph.tensors[state].shape = True, [BATCH, CELLS]
    return [b.op("UNIDIRECTIONAL_SEQUENCE_LSTM", [x, *gates(b), *states], activation="TANH")]


@graph("LSTM", **TWICE)
def step(b):
    """One step of time. The results of the first three outputs are scratch space and states."""
    taken = [b.fed("x", fed(BATCH, INPUTS)), *gates(b), b.state("h", [BATCH, CELLS]), b.state("c", [BATCH, CELLS])]
    return [b.op("LSTM", taken, activation="TANH", kernel_type=0)]


@graph("LSTM_projection", **TWICE)
def step_projection(b):
    taken = [b.fed("x", fed(BATCH, INPUTS)), *gates(b, peepholes=True, projection=3), b.state("h", [BATCH, 3]), b.state("c", [BATCH, CELLS])]
    return [b.op("LSTM", taken, activation="TANH", kernel_type=0, cell_clip=0.5)]


@graph("LSTM_basic")
def basic(b):
    """The other kernel: states are inputs and outputs."""
    x, h = b.fed("x", fed(BATCH, INPUTS)), b.fed("h", fed(BATCH, CELLS))
    weights, bias = b.fixed(small(4 * CELLS, INPUTS + CELLS), "weights"), b.fixed(small(4 * CELLS), "bias")
    return b.op("LSTM", [x, h, weights, bias, b.fed("c", fed(BATCH, CELLS))], 4, version=2, kernel_type=1, activation="TANH")[:2]


@graph("BIDIRECTIONAL_SEQUENCE_LSTM", **TWICE)
def both_ways(b):
    """LiteRT's kernel for merged outputs reads memory that was not written, so only BIDIRECTIONAL_SEQUENCE_RNN has merged outputs."""
    x = b.fed("x", fed(BATCH, TIME, INPUTS))
    states = [b.state(f"{way}_{name}", [BATCH, CELLS]) for way in ("forward", "backward") for name in "hc"]
    return b.op("BIDIRECTIONAL_SEQUENCE_LSTM", [x, *gates(b, "fw_"), *gates(b, "bw_"), *states, *[-1] * 9], 2, activation="TANH", time_major=False)


@graph("BIDIRECTIONAL_SEQUENCE_LSTM_auxiliary", **TWICE)
def auxiliary(b):
    """Both directions of the layer before, each of which goes into both directions; the time comes first."""
    x, other = b.fed("x", fed(TIME, BATCH, INPUTS)), b.fed("other", fed(TIME, BATCH, INPUTS))
    states = [b.state(f"{way}_{name}", [BATCH, CELLS]) for way in ("forward", "backward") for name in "hc"]
    extra = [b.fixed(small(CELLS, INPUTS), f"{way}_aux_{name}") for way in ("fw", "bw") for name in "ifco"]
    return b.op("BIDIRECTIONAL_SEQUENCE_LSTM", [x, *gates(b, "fw_"), *gates(b, "bw_"), *states, other, *extra], 2, activation="TANH", time_major=True)


@graph("RNN", **TWICE)
def rnn_step(b):
    taken = [b.fed("x", fed(BATCH, INPUTS)), b.fixed(small(CELLS, INPUTS), "w"), b.fixed(small(CELLS, CELLS), "r"), b.fixed(small(CELLS), "b"), b.state("h", [BATCH, CELLS])]
    return [b.op("RNN", taken, activation="TANH")]


for _time_major in (False, True):
    @graph("UNIDIRECTIONAL_SEQUENCE_RNN" + ("_time_major" if _time_major else ""), **TWICE)
    def rnn(b, time_major=_time_major):
        shape = (TIME, BATCH, INPUTS) if time_major else (BATCH, TIME, INPUTS)
        taken = [b.fed("x", fed(*shape)), b.fixed(small(CELLS, INPUTS), "w"), b.fixed(small(CELLS, CELLS), "r"), b.fixed(small(CELLS), "b"), b.state("h", [BATCH, CELLS])]
        return [b.op("UNIDIRECTIONAL_SEQUENCE_RNN", taken, activation="RELU" if time_major else "TANH", time_major=time_major)]


for _merge in (False, True):
    @graph("BIDIRECTIONAL_SEQUENCE_RNN" + ("_merged" if _merge else ""), **TWICE)
    def rnn_both(b, merge=_merge):
        taken = [b.fed("x", fed(BATCH, TIME, INPUTS))]
        for way in ("fw", "bw"):
            taken += [b.fixed(small(CELLS, INPUTS), way + "_w"), b.fixed(small(CELLS, CELLS), way + "_r"), b.fixed(small(CELLS), way + "_b"), b.state(way + "_h", [BATCH, CELLS])]
        results = b.op("BIDIRECTIONAL_SEQUENCE_RNN", [*taken, -1, -1, -1], 1 if merge else 2, activation="TANH", merge_outputs=merge)
        return [results] if merge else results


for _rank in (1, 2):
    @graph(f"SVDF_rank_{_rank}", quantised=("int8",) if _rank == 1 else (), runs=3)
    def svdf(b, rank=_rank):
        units, memory = 4, 6
        taken = [b.fed("x", fed(BATCH, INPUTS)), b.fixed(small(units * rank, INPUTS), "feature"), b.fixed(small(units * rank, memory), "time"), b.fixed(small(units), "bias"),
                 b.state("state", [BATCH, memory * units * rank])]
        return [b.op("SVDF", taken, rank=rank, activation="RELU" if rank == 1 else None)]


def keras(layers, shape, prepare=None):
    """A model of Keras, by the converter."""
    def build():
        import tensorflow as tf
        import tf_keras
        tf_keras.utils.set_random_seed(5)
        model = tf_keras.Sequential([tf_keras.layers.Input(shape[1:], batch_size=shape[0]), *layers(tf_keras.layers)])

        class Module(tf.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            @tf.function
            def call(self, x):
                return self.model(x)
        return Module(), {"x": (fed(*shape), None)}, prepare
    return build


family.converted("keras_LSTM")(keras(lambda layers: [layers.LSTM(5, return_sequences=True), layers.Dense(3)], (2, 4, 3)))
family.converted("keras_LSTM_backwards")(keras(lambda layers: [layers.LSTM(5, go_backwards=True), layers.Dense(3)], (2, 4, 3)))
family.converted("keras_GRU")(keras(lambda layers: [layers.GRU(5), layers.Dense(3)], (2, 4, 3)))
family.converted("keras_SimpleRNN")(keras(lambda layers: [layers.SimpleRNN(5, return_sequences=True)], (2, 4, 3)))
family.converted("keras_Bidirectional")(keras(lambda layers: [layers.Bidirectional(layers.LSTM(4, return_sequences=True)), layers.Dense(3)], (2, 4, 3)))


def ranges(kind=None):
    def prepare(converter, arrays):
        import tensorflow as tf
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        if kind:
            converter.representative_dataset = lambda: ([array * scale for array in arrays.values()] for scale in (np.float32(1), np.float32(0.5), np.float32(-1)))
    return prepare


family.converted("keras_LSTM_int8")(keras(lambda layers: [layers.LSTM(5, return_sequences=True), layers.Dense(3)], (2, 4, 3), ranges("int8")))
family.converted("keras_LSTM_hybrid")(keras(lambda layers: [layers.LSTM(40, return_sequences=True), layers.Dense(3)], (2, 4, 30), ranges()))
