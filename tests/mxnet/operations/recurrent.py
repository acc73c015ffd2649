"""The fused recurrent layers."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def count(mode, size, inputs, layers, directions):
    rows = GATES[mode] * size
    return directions * rows * (inputs + size + 2) + (layers - 1) * directions * rows * (directions * size + size + 2)


def rnn(mode, variant="", layers=1, both=False, outputs=False, unknown=(), zeros=False):
    directions = 2 if both else 1

    @family.graph("RNN_" + mode + ("_" + variant if variant else ""), unknown)
    def build(b):
        parameters = b.fixed(fixed(count(mode, 4, 3, layers, directions), low=-0.6, high=0.6), "parameters")
        x = b.fed("data", fed(5, 2, 3))
        names = ["state", "state_cell"][:2 if mode == "lstm" else 1]
        states = [b.op("_zeros", attrs={"shape": (layers * directions, 0, 4)}) if zeros else b.fed(name, fed(layers * directions, 2, 4)) for name in names]
        attrs = {"state_size": 4, "num_layers": layers, "mode": mode, "bidirectional": both, "state_outputs": outputs, "p": 0.5}
        made = b.op("RNN", x, parameters, *states, attrs=attrs)
        return [made[at] for at in range(1 + len(names))] if outputs else [made]


for mode in GATES:
    rnn(mode)
    rnn(mode, "both", both=True, outputs=True)
    rnn(mode, "layers", layers=3, both=True, outputs=True)
    rnn(mode, "zeros", layers=2, zeros=True, unknown=(0,))
    rnn(mode, "forward_states", outputs=True)


@family.graph("RNN_param_concat", unknown=(0,))
def param_concat(b):
    """As Gluon has it: the parameters one by one, joined."""
    parts = [b.op("Reshape", data=b.fixed(fixed(*shape, low=-0.6, high=0.6), name), attrs={"shape": (-1,)}) for name, shape in
             (("i2h_weight", (16, 3)), ("h2h_weight", (16, 4)), ("i2h_bias", (16,)), ("h2h_bias", (16,)))]
    parameters = b.op("_rnn_param_concat", *parts, attrs={"dim": 0, "num_args": 4})
    return [b.op("RNN", b.fed("data", fed(5, 2, 3)), parameters, b.fed("state", fed(1, 2, 4)), b.fed("cell", fed(1, 2, 4)), attrs={"state_size": 4, "num_layers": 1, "mode": "lstm"})]
