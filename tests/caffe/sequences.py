"""Recurrent layers of Caffe in NumPy, and those that belong to them. Bottoms: x [time, batch, …], cont [time, batch]; see LSTMLayer and RNNLayer."""
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def inputs_of(param, bottoms, states):
    """x and the part of all steps as rows, the states before the first step."""
    x, cont = bottoms[0].astype(np.float64), bottoms[1]
    exposed = param.get("expose_hidden", False)
    constant = bottoms[2] if len(bottoms) > 2 + (states if exposed else 0) else None
    before = [bottom[0] for bottom in bottoms[-states:]] if exposed else [np.zeros((x.shape[1], param["num_output"]))] * states
    return x.reshape(x.shape[0], x.shape[1], -1), cont, constant, before


def lstm(param, bottoms, blobs):
    """Gates i f o g. Blobs: W_xc, b_c, for a third bottom W_xc_static, W_hc."""
    x, cont, constant, (hidden, cell) = inputs_of(param, bottoms, 2)
    out = []
    for step, keeps in zip(x, cont):
        gates = step @ blobs[0].T + blobs[1] + (keeps[:, None] * hidden) @ blobs[-1].T
        if constant is not None:
            gates = gates + constant.reshape(len(constant), -1) @ blobs[2].T
        i, f, o, g = np.split(gates, 4, 1)
        f = np.where(keeps[:, None] == 0, 0, sigmoid(f))
        cell = f * cell + sigmoid(i) * np.tanh(g)
        hidden = sigmoid(o) * np.tanh(cell)
        out.append(hidden)
    return [np.stack(out), hidden[None], cell[None]]


def rnn(param, bottoms, blobs):
    """Blobs: W_xh, b_h, for a third bottom W_xh_static, W_hh, W_ho, b_o."""
    x, cont, constant, (hidden,) = inputs_of(param, bottoms, 1)
    out = []
    for step, keeps in zip(x, cont):
        total = step @ blobs[0].T + blobs[1] + (keeps[:, None] * hidden) @ blobs[-3].T
        if constant is not None:
            total = total + constant.reshape(len(constant), -1) @ blobs[2].T
        hidden = np.tanh(total)
        out.append(np.tanh(hidden @ blobs[-2].T + blobs[-1]))
    return [np.stack(out), hidden[None]]


def continuation_indicator(param, bottoms, blobs):
    out = np.ones((param["time_step"], param["batch_size"]))
    out[0] = 0
    return [out]


def ctc_greedy_decoder(param, bottoms, blobs):
    """The best classes without blanks, of a run the first; -1 behind them: [batch, time, 1, 1]."""
    x, indicators = bottoms
    time, batch, classes = x.shape
    blank = param.get("blank_index", -1) % classes
    out = np.full((batch, time, 1, 1), -1.0)
    for n in range(batch):
        count, before = 0, -1
        for t in range(time):
            if t > 0 and indicators[t, n] == 0:
                break
            best = x[t, n].argmax()
            if best != blank and not (param.get("ctc_merge_repeated", True) and best == before):
                out[n, count] = best
                count += 1
            before = best
    return [out]


def drawn_blobs(net, kind, param, bottoms):
    size, exposed = param["num_output"], param.get("expose_hidden", False)
    states = 2 if kind == "LSTM" else 1
    rows = size * (4 if kind == "LSTM" else 1)
    width = int(np.prod(bottoms[0].shape[2:]))
    blobs = [net.draw(rows, width, spread=0.5), net.draw(rows, spread=0.5)]
    if len(bottoms) > 2 + (states if exposed else 0):
        blobs.append(net.draw(rows, int(np.prod(bottoms[2].shape[1:])), spread=0.5))
    blobs.append(net.draw(rows, size, spread=0.5))
    return blobs if kind == "LSTM" else blobs + [net.draw(size, size, spread=0.5), net.draw(size, spread=0.5)]


LAYERS = {"LSTM": lstm, "RNN": rnn, "ContinuationIndicator": continuation_indicator, "CTCGreedyDecoder": ctc_greedy_decoder}
