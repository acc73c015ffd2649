"""Recurrent layers in all forms, their single steps, the sequences of 1.x programs, decoders."""
import numpy as np

import values
from models import Family, sequence
from values import fixed

family = Family(__name__)
case = family.case
RNG = np.random.default_rng(11)


def fed(*shape, **more):
    """Given values keep their type."""
    given = more.get("values")
    return values.fed(*shape, **({"dtype": given.dtype} if given is not None else {}), **more)


GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def rnn(mode, variant, layers=1, both=False, lengths=None, unknown=(), size=4, more=()):
    directions, gates, hidden = 1 + both, GATES[mode], 3
    weights = []
    for layer in range(layers):
        for _ in range(directions):
            weights += [fixed(gates * hidden, size if layer == 0 else hidden * directions), fixed(gates * hidden, hidden)]
    biases = [fixed(gates * hidden) for _ in weights]
    states = [fed(layers * directions, 2, hidden) for _ in range(2 if mode == "LSTM" else 1)]
    case("rnn", f"{mode.lower()}_{variant}", unknown=unknown, attrs={"mode": mode, "num_layers": layers, "is_bidirec": both, "hidden_size": hidden, "input_size": size, "dropout_prob": 0.3, "is_test": True},
         outs={"State": len(states)}, Input=fed(5, 2, size), PreState=states, WeightList=weights + biases, SequenceLength=None if lengths is None else fed(values=np.array(lengths, np.int32)), **dict(more))


for MODE in GATES:
    rnn(MODE, "plain", unknown={"Input": (0, 1), "PreState0": (1,), "PreState1": (1,)})
    rnn(MODE, "both", both=True, unknown={"Input": (0,)})
    rnn(MODE, "layers", layers=3)
    rnn(MODE, "layers_both", layers=2, both=True)
    rnn(MODE, "lengths", lengths=[5, 3])
    rnn(MODE, "lengths_both", lengths=[2, 4], both=True, layers=2)


def lstm(variant, reverse=False, peepholes=True, states=False, **attrs):
    slots = {"H0": fed(1, 3), "C0": fed(1, 3)} if states else {}
    case("lstm", variant, attrs={"use_peepholes": peepholes, "is_reverse": reverse, "gate_activation": "sigmoid", "cell_activation": "tanh", "candidate_activation": "tanh", **attrs}, Input=sequence(5, 12),
         Weight=fixed(3, 12), Bias=fixed(1, 21 if peepholes else 12), **slots)


lstm("plain", peepholes=False)
lstm("peepholes", states=True)
lstm("reverse", reverse=True, peepholes=False, states=True)
lstm("activations", cell_activation="relu", candidate_activation="sigmoid", peepholes=False)
GRU = {"outs": {"BatchGate": "float32", "BatchResetHiddenPrev": "float32", "BatchHidden": "float32"}, "take": [3], "more": {"extra": True}}
for variant, reverse, origin, states in (("plain", False, False, False), ("reverse", True, False, True), ("origin", False, True, False)):
    case("gru", variant, **GRU, attrs={"is_reverse": reverse, "origin_mode": origin, "gate_activation": "sigmoid", "activation": "tanh"}, Input=sequence(5, 9), Weight=fixed(3, 9), Bias=fixed(1, 9), H0=fed(1, 3) if states else None)
    case("gru_unit", variant, unknown={"Input": (0,), "HiddenPrev": (0,)}, attrs={"origin_mode": origin, "gate_activation": 1, "activation": 2}, outs={"Gate": "float32", "ResetHiddenPrev": "float32"}, Input=fed(2, 9), HiddenPrev=fed(2, 3),
         Weight=fixed(3, 9), Bias=None if reverse else fixed(1, 9))
case("gru", "relu", **GRU, attrs={"activation": "relu"}, Input=sequence(5, 9), Weight=fixed(3, 9))

LENGTHS = np.array([5, 3], np.int64)
case("crf_decoding", "sequence", Emission=sequence(6, 4), Transition=fixed(6, 4))
case("crf_decoding", "one_row", Emission=sequence(1, 4), Transition=fixed(6, 4))
case("crf_decoding", "batch", unknown={"Emission": (0, 1), "Length": (0,)}, Emission=fed(2, 5, 4), Transition=fixed(6, 4), Length=fed(values=LENGTHS))
case("crf_decoding", "label", Emission=sequence(6, 4), Transition=fixed(6, 4), Label=sequence(6, 1, dtype=np.int64, low=0, high=3))
for bos in (True, False):
    case("viterbi_decode", "bos" if bos else "plain", unknown={"Input": (0, 1), "Length": (0,)}, attrs={"include_bos_eos_tag": bos}, outs={"Scores": "float32", "Path": "int64"}, Input=fed(2, 6, 4), Transition=fed(4, 4), Length=fed(values=LENGTHS))
ROW = np.array([0, 1, 1, 0, 2, 2, 0, 3], np.int32)
for merge in (True, False):
    case("ctc_align", "merged" if merge else "all", attrs={"blank": 0, "merge_repeated": merge}, Input=sequence(8, 1, dtype=np.int32, values=ROW[:, None]))
    case("ctc_align", "batch_merged" if merge else "batch_all", attrs={"blank": 2, "merge_repeated": merge, "padding_value": 9}, outs={"OutputLength": "int32"}, Input=fed(values=np.stack([ROW, ROW[::-1]])), InputLength=fed(values=np.array([[8], [5]], np.int32)))

for pool in ("SUM", "AVERAGE", "SQRT", "MAX", "FIRST", "LAST"):
    case("sequence_pool", pool.lower(), attrs={"pooltype": pool, "is_test": True}, take=[0], X=sequence(5, 3))
case("sequence_softmax", "plain", X=sequence(5, 1))
for variant, start, length in (("centre", -1, 3), ("before", -2, 2), ("behind", 1, 2), ("far", -3, 2)):
    case("sequence_conv", variant, attrs={"contextStart": start, "contextLength": length, "contextStride": 1}, X=sequence(5, 3), Filter=fixed(length * 3, 4))
case("sequence_expand", "row", X=fed(1, 3), Y=sequence(4, 2))
case("sequence_expand", "rows", attrs={"ref_level": 0}, X=sequence(2, 3), Y=sequence(3, 2))
case("sequence_expand_as", "row", X=fed(1, 3), Y=sequence(4, 2))
case("sequence_concat", "plain", X=[sequence(3, 2), sequence(4, 2)])
case("sequence_reverse", "plain", X=sequence(5, 3))
case("sequence_slice", "plain", X=sequence(6, 3), Offset=fed(values=np.array([[2]], np.int64)), Length=fed(values=np.array([[3]], np.int64)))
case("sequence_pad", "longest", attrs={"padded_length": -1}, outs={"Length": "int64"}, X=sequence(5, 3), PadValue=fixed(values=[0.5]))
case("sequence_pad", "longer", attrs={"padded_length": 8}, outs={"Length": "int64"}, X=sequence(5, 3), PadValue=fixed(values=[0.5, 1, 2]))
case("sequence_unpad", "plain", X=fed(1, 6, 3), Length=fed(values=np.array([4], np.int64)))
case("sequence_reshape", "plain", attrs={"new_dim": 6}, X=sequence(4, 3))
case("sequence_enumerate", "plain", attrs={"win_size": 3, "pad_value": 7}, X=sequence(5, 1, dtype=np.int64, low=0, high=9))
case("sequence_erase", "plain", attrs={"tokens": [1, 3]}, X=sequence(8, 1, dtype=np.int32, values=ROW[:, None]))
case("sequence_scatter", "plain", X=fed(1, 6), Ids=sequence(3, 1, dtype=np.int64, values=np.array([[0], [4], [0]], np.int64)), Updates=sequence(3, 1))
case("lod_reset", "one", attrs={"target_lod": [0, 5]}, X=sequence(5, 3))
MASK = np.array([[True], [False], [False], [True], [True]])


@family.graph("rows_split_and_merged")
def rows(b):
    x, mask = b.fed("x", fed(5, 3)), b.fed("mask", fed(values=MASK))
    yes, no = b.op("split_lod_tensor", {"level": 0}, X=x, Mask=mask)
    return [yes, no, b.op("merge_lod_tensor", {"level": 0}, X=x, Mask=mask, InTrue=b.paddle.tanh(yes), InFalse=b.paddle.exp(no))]


def layer(name, make, **more):
    """A layer of paddle.nn over a batch."""
    @family.graph("layer_" + name, unknown=(0, 1), **more)
    def build(b):
        out, states = make(b.paddle.nn)(b.fed("x", fed(2, 5, 4)))
        return [out, *(states if isinstance(states, (list, tuple)) else [states])]


layer("lstm", lambda nn: nn.LSTM(4, 3, num_layers=2, direction="bidirect"))
layer("gru", lambda nn: nn.GRU(4, 3, num_layers=1))
layer("rnn", lambda nn: nn.SimpleRNN(4, 3, activation="relu", direction="bidirect"))
layer("cell", lambda nn: nn.RNN(nn.LSTMCell(4, 3)))
