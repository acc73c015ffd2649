"""Recurrent cells: one step of a layer."""
import torch
from torch import nn

from models import Family, fed

family = Family(__name__)
case, module = family.case, family.module
X, H, C = fed(2, 4), fed(2, 3), fed(2, 3)


class States(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x, hidden, state):
        return self.cell(x, (hidden, state))


class Steps(nn.Module):
    """A cell that reads a sequence."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x, hidden):
        seen = []
        for step in x.unbind(1):
            hidden = self.cell(step, hidden)
            seen.append(hidden)
        return torch.stack(seen, 1)


class FedBack(nn.Module):
    """A cell that reads what it has written, and what it was given at first."""

    def __init__(self, cell, reads=lambda hidden, x: hidden + x):
        super().__init__()
        self.cell, self.reads = cell, reads

    def forward(self, x, hidden):
        for _ in range(3):
            given = (hidden, hidden * 2) if isinstance(self.cell, nn.LSTMCell) else hidden
            hidden = self.cell(self.reads(hidden, x), given)
            hidden = hidden[0] if isinstance(hidden, tuple) else hidden
        return hidden


module("gru_cell_fed_back", lambda: FedBack(nn.GRUCell(3, 3)), fed(2, 3), H, unknown=(0,))
module("lstm_cell_fed_back", lambda: FedBack(nn.LSTMCell(3, 3)), fed(2, 3), H)
module("rnn_cell_fed_back", lambda: FedBack(nn.RNNCell(3, 3)), fed(2, 3), H)
module("lstm_cell", lambda: States(nn.LSTMCell(4, 3)), X, H, C, unknown=(0,), core=True)
module("lstm_cell_no_bias", lambda: States(nn.LSTMCell(4, 3, bias=False)), X, H, C)
module("lstm_cell_zeros", lambda: nn.LSTMCell(4, 3), X, unknown=(0,))
module("lstm_cell_no_batch", lambda: nn.LSTMCell(4, 3), fed(4))
module("gru_cell", lambda: nn.GRUCell(4, 3), X, H, unknown=(0,), core=True)
module("gru_cell_no_bias", lambda: nn.GRUCell(4, 3, bias=False), X, H)
module("gru_cell_steps", lambda: Steps(nn.GRUCell(4, 3)), fed(2, 3, 4), H, unknown=(0,))
case("gru_cell_weights", torch.gru_cell, X, H, fed(9, 4), fed(9, 3), fed(9), fed(9))
module("rnn_cell", lambda: nn.RNNCell(4, 3), X, H, unknown=(0,), core=True)
module("rnn_cell_no_bias", lambda: nn.RNNCell(4, 3, bias=False), X, H)
module("rnn_cell_relu", lambda: nn.RNNCell(4, 3, nonlinearity="relu"), X, H, core=True)
module("rnn_cell_relu_steps", lambda: Steps(nn.RNNCell(4, 3, bias=False, nonlinearity="relu")), fed(2, 3, 4), H)
