"""Recurrent layers."""
from torch import nn

from models import Family, fed, flags, given, ints

family = Family(__name__)
module = family.module
X = fed(5, 2, 4)
module("lstm", lambda: nn.LSTM(4, 3), X)
module("lstm_both", lambda: nn.LSTM(4, 3, 2, bidirectional=True, batch_first=True), X, unknown=(0,))
module("lstm_states", lambda: States(nn.LSTM(4, 3), True), X, fed(1, 2, 3), fed(1, 2, 3))
module("lstm_no_bias", lambda: nn.LSTM(4, 3, bias=False), X)
module("lstm_no_batch", lambda: nn.LSTM(4, 3), fed(5, 4))
module("gru", lambda: nn.GRU(4, 3, 2, batch_first=True), X, unknown=(0,))
module("gru_both", lambda: nn.GRU(4, 3, bidirectional=True), X)
module("rnn", lambda: nn.RNN(4, 3), X)
module("rnn_relu", lambda: nn.RNN(4, 3, nonlinearity="relu"), X)


class States(nn.Module):
    def __init__(self, layer, cell):
        super().__init__()
        self.layer, self.cell = layer, cell

    def forward(self, x, hidden, cell):
        return self.layer(x, (hidden, cell))
