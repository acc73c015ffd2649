"""Recurrent operators: rnn in every mode and direction, the operators of 1.x on one sequence, cells, fused forms."""
import numpy as np

from models import Family, sequence
from values import fed, fixed

family = Family(__name__)
case = family.case
GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def rnn(mode, variant, layers=1, both=False, time=5, batch=2, size=3, hidden=4, lengths=None, unknown=()):
    ways = 2 if both else 1
    weights, biases = [], []
    for layer in range(layers):
        for _ in range(ways):
            inputs = size if layer == 0 else hidden * ways
            weights += [fixed(GATES[mode] * hidden, inputs), fixed(GATES[mode] * hidden, hidden)]
            biases += [fixed(GATES[mode] * hidden), fixed(GATES[mode] * hidden)]
    states = [fed(layers * ways, batch, hidden)] * (2 if mode == "LSTM" else 1)
    more = {"SequenceLength": fed(values=lengths, dtype=np.int32)} if lengths else {}
    case("rnn", f"{mode}_{variant}", unknown=unknown,
         attrs={"mode": mode, "hidden_size": hidden, "input_size": size, "num_layers": layers, "is_bidirec": both, "is_test": True, "dropout_prob": 0.0},
         outs={"State": len(states), "DropoutState": "uint8"}, take=[0, *range(2, 2 + len(states))], Input=fed(time, batch, size), PreState=states, WeightList=weights + biases, **more)


for mode in GATES:
    rnn(mode, "plain", unknown={"Input": (0,)})
    rnn(mode, "both", both=True)
    rnn(mode, "two_layers", layers=2)
    rnn(mode, "two_layers_both", layers=2, both=True)
    rnn(mode, "lengths", lengths=[5, 3])
    rnn(mode, "lengths_both", both=True, lengths=[2, 5])
rnn("LSTM", "open", unknown={"Input": (0, 1), "PreState0": (1,), "PreState1": (1,)})
rnn("GRU", "lengths_two_layers_both", layers=2, both=True, lengths=[4, 5])


@family.graph("layers", unknown=(0, 1))
def layers(b):
    nn = b.paddle.nn
    x = b.fed("x", fed(2, 6, 3))
    lstm, (h, c) = nn.LSTM(3, 4, num_layers=2, direction="bidirect")(x)
    gru, state = nn.GRU(3, 4)(x)
    plain, _ = nn.SimpleRNN(3, 4, activation="relu", time_major=False)(x)
    return [lstm, h, c, gru, state, plain]


@family.graph("time_major", unknown=(0,))
def time_major(b):
    x = b.fed("x", fed(6, 2, 3))
    return [b.paddle.nn.LSTM(3, 4, time_major=True)(x)[0]]


@family.graph("lengths_fed")
def lengths(b):
    x, count = b.fed("x", fed(2, 6, 3)), b.fed("count", fed(values=[4, 6], dtype=np.int64))
    return [b.paddle.nn.GRU(3, 4, direction="bidirect")(x, sequence_length=count)[0]]


@family.graph("cells", unknown=(0,))
def cells(b):
    nn = b.paddle.nn
    x, h, c = b.fed("x", fed(2, 3)), b.fed("h", fed(2, 4)), b.fed("c", fed(2, 4))
    lstm, (_, state) = nn.LSTMCell(3, 4)(x, (h, c))
    return [lstm, state, nn.GRUCell(3, 4)(x, h)[0], nn.SimpleRNNCell(3, 4)(x, h)[0]]


@family.graph("cell_in_loop")
def in_loop(b):
    """A layer that runs a cell over time."""
    x = b.fed("x", fed(2, 4, 3))
    return [b.paddle.nn.RNN(b.paddle.nn.GRUCell(3, 4))(x)[0]]


D = 4
WHOLE = {"extra": True}  # with the results that only training needs, without which gru does not run
for variant, attrs in (("plain", {}), ("reverse", {"is_reverse": True}), ("origin", {"origin_mode": True}), ("activations", {"activation": "relu", "gate_activation": "sigmoid"})):
    case("gru", variant, attrs={"activation": "tanh", "gate_activation": "sigmoid", "is_reverse": False, "origin_mode": False, **attrs}, more=WHOLE, Input=sequence(6,
            3 * D), Weight=fixed(D, 3 * D), Bias=fixed(1, 3 * D))
case("gru", "state_fed", attrs={}, more=WHOLE, Input=sequence(6, 3 * D), H0=fed(1, D), Weight=fixed(D, 3 * D))
for variant, attrs in (("plain", {}), ("reverse", {"is_reverse": True}), ("no_peepholes", {"use_peepholes": False}), ("activations",
        {"candidate_activation": "relu", "cell_activation": "identity"})):
    count = 4 * D if not attrs.get("use_peepholes", True) else 7 * D
    case("lstm", variant, attrs={"use_peepholes": True, "is_test": True, **attrs}, Input=sequence(6, 4 * D), Weight=fixed(D, 4 * D), Bias=fixed(1, count))
case("lstm", "states_fed", attrs={"use_peepholes": True, "is_test": True}, Input=sequence(6, 4 * D), H0=fed(1, D), C0=fed(1, D), Weight=fixed(D, 4 * D), Bias=fixed(1, 7 * D))
for activation, gate in ((2, 1), (3, 1), (0, 1)):
    for origin in (False, True):
        case("gru_unit", f"{activation}{gate}_{origin}", unknown={"Input": (0,), "HiddenPrev": (0,)} if activation == 2 else (), attrs={"activation": activation,
                "gate_activation": gate, "origin_mode": origin}, Input=fed(2, 3 * D), HiddenPrev=fed(2, D),
             Weight=fixed(D, 3 * D), Bias=fixed(1, 3 * D))
for variant, attrs in (("plain", {}), ("reverse", {"is_reverse": True}), ("origin", {"origin_mode": True})):
    case("fusion_gru", variant, attrs={"activation": "tanh", "gate_activation": "sigmoid", **attrs}, X=sequence(6, 3), WeightX=fixed(3, 3 * D), WeightH=fixed(D, 3 * D), Bias=fixed(1, 3 * D))
for variant, attrs in (("plain", {"use_peepholes": False}), ("reverse", {"use_peepholes": False, "is_reverse": True}), ("peepholes", {"use_peepholes": True})):
    case("fusion_lstm", variant, attrs=attrs, X=sequence(6, 3), WeightX=fixed(3, 4 * D), WeightH=fixed(D, 4 * D), Bias=fixed(1, (7 if attrs["use_peepholes"] else 4) * D))
case("attention_lstm", X=sequence(6, 3), C0=fed(1, D), AttentionWeight=fixed(3 + D, 1), LSTMWeight=fixed(D + 3, 4 * D), LSTMBias=fixed(1, 4 * D))
case("row_conv", "sequence", X=sequence(6, 3), Filter=fixed(3, 3))
for variant, more in (("plain", {}), ("label", {"Label": sequence(values=[[0], [2], [1], [1], [0]], dtype=np.int64)})):
    case("crf_decoding", variant, outs={"ViterbiPath": "int64"}, Emission=sequence(5, 3), Transition=fixed(5, 3), **more)
case("crf_decoding", "padded", outs={"ViterbiPath": "int64"}, Emission=fed(2, 5, 3), Transition=fixed(5, 3), Length=fed(values=[[5], [3]], dtype=np.int64))
case("viterbi_decode", attrs={"include_bos_eos_tag": False}, outs={"Path": "int64"}, Input=fed(2, 5, 3), Transition=fixed(3, 3), Length=fed(values=[5, 3], dtype=np.int64))
case("viterbi_decode", "tags", attrs={"include_bos_eos_tag": True}, outs={"Path": "int64"}, Input=fed(2, 5, 4), Transition=fixed(4, 4), Length=fed(values=[5, 5], dtype=np.int64))
case("ctc_align", "padded", attrs={"blank": 0, "merge_repeated": True, "padding_value": 0}, outs={"OutputLength": "int32"}, Input=fed(values=[[0, 1, 1, 0, 2], [3, 3, 0, 3, 0]],
        dtype=np.int32), InputLength=fed(values=[[5], [4]],
                dtype=np.int32))
