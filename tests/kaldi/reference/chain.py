"""nnet1 and nnet2: one component after the other, over all frames of an utterance."""
import numpy as np

from kaldi.reference import simple
from kaldi.reference.simple import of, sigmoid


def shifted(rows, offsets):
    """Frames before the first and after the last are those again."""
    at = np.clip(np.arange(len(rows))[:, None] + np.asarray(offsets)[None], 0, len(rows) - 1)
    return rows[at].reshape(len(rows), -1)


def lstm(c, rows):
    cell = c["CellDim"]
    r, before, out = np.zeros(c["w_r_m"].shape[0]), np.zeros(cell), []
    for x in rows:
        g, i, f, o = (of(c, "w_gifo_x") @ x + of(c, "b") + of(c, "w_gifo_r") @ r).reshape(4, cell)
        now = np.tanh(g) * sigmoid(i + of(c, "peephole_i") * before) + before * sigmoid(f + of(c, "peephole_f") * before)
        clip = c.get("CellClip", 50.0)
        if clip > 0:
            now = np.clip(now, -clip, clip)
        r = of(c, "w_r_m") @ (np.tanh(now) * sigmoid(o + of(c, "peephole_o") * now))
        before = now
        out.append(r)
    return np.array(out)


def recurrent(c, rows):
    y, out = np.zeros(len(of(c, "b"))), []
    for x in rows:
        y = np.tanh(of(c, "w_forward") @ x + of(c, "b") + of(c, "w_recurrent") @ y)
        out.append(y)
    return np.array(out)


def block_softmax(c, x):
    ends = np.cumsum(c["block_dims"])
    return np.concatenate([simple.softmax(block) for block in np.split(x, ends[:-1])])


def convolution(c, x):
    patch, stride = c["PatchDim"], c["PatchStride"]
    frames = x.reshape(-1, stride)
    starts = range(0, stride - patch + 1, c["PatchStep"])
    return np.concatenate([of(c, "Filters") @ frames[:, at:at + patch].reshape(-1) + of(c, "Bias") for at in starts])


def pooling(c, x, how):
    blocks = x.reshape(-1, c["PoolStride"])
    return np.concatenate([how(blocks[at:at + c["PoolSize"]], 0) for at in range(0, len(blocks) - c["PoolSize"] + 1, c["PoolStep"])])


ROWS1 = {
    "AffineTransform": lambda c, x: of(c, "W") @ x + of(c, "b"),
    "LinearTransform": lambda c, x: of(c, "W") @ x,
    "AddShift": lambda c, x: x + of(c, "v"),
    "Rescale": lambda c, x: x * of(c, "v"),
    "Sigmoid": lambda c, x: sigmoid(x),
    "Tanh": lambda c, x: np.tanh(x),
    "Softmax": lambda c, x: simple.softmax(x),
    "BlockSoftmax": block_softmax,
    "HiddenSoftmax": lambda c, x: simple.softmax(x),
    "LengthNormComponent": lambda c, x: x / np.sqrt((x * x).sum()),
    "ParametricRelu": lambda c, x: np.where(x < 0, of(c, "alpha"), of(c, "beta")) * x,
    "Copy": lambda c, x: x[np.asarray(c["from"]) - 1],
    "ConvolutionalComponent": convolution,
    "MaxPoolingComponent": lambda c, x: pooling(c, x, np.max),
    "AveragePoolingComponent": lambda c, x: pooling(c, x, np.mean),
}


def parallel(c, rows, pad):
    out, at = [], 0
    for part in c.parts:
        size = part.components[0].inputs
        out.append((part, nnet1(part, rows[:, at:at + size], pad)))
        at += size
    if not pad:
        left, right = (max(reach1(part)[side] for part in c.parts) for side in (0, 1))
        out = [(part, found[left - reach1(part)[0]:len(found) - right + reach1(part)[1]]) for part, found in out]
    return np.concatenate([found for _, found in out], 1)


def nnet1(network, rows, pad=True):
    """As nnet-forward does: each Splice repeats its edge frames, and states start from zero. Not `pad`: outputs only where all frames are."""
    for c in network.components:
        if c.type == "Splice":
            left, right = max(0, -min(c["offsets"])), max(0, max(c["offsets"]))
            rows = shifted(rows, c["offsets"])
            rows = rows if pad else rows[left:len(rows) - right]
        elif c.type in ("LstmProjected", "LstmProjectedStreams"):
            rows = lstm(c, rows)
        elif c.type == "RecurrentComponent":
            rows = recurrent(c, rows)
        elif c.type == "ParallelComponent":
            rows = parallel(c, rows, pad)
        else:
            rows = np.array([ROWS1[c.type](c, x) for x in rows])
    return rows


def reach1(network):
    """The frames before and after that an output depends on."""
    left = right = 0
    for c in network.components:
        if c.type == "Splice":
            left, right = left + max(0, -min(c["offsets"])), right + max(0, max(c["offsets"]))
        elif c.type == "ParallelComponent":
            parts = [reach1(part) for part in c.parts]
            left, right = left + max(part[0] for part in parts), right + max(part[1] for part in parts)
    return left, right


def splice2(c, rows, left, right):
    """Outputs only where all frames are."""
    constant = c.get("ConstComponentDim", 0)
    body = rows[:, :rows.shape[1] - constant]
    out = []
    for t in range(left, len(rows) - right):
        out.append(np.concatenate([*(body[t + offset] for offset in c["Context"]), rows[t, rows.shape[1] - constant:]]))
    return np.array(out)


def context2(c):
    """Of a component: frames that its output needs before and after. Kaldi reads the list's ends."""
    if c.type not in ("SpliceComponent", "SpliceMaxComponent"):
        return 0, 0
    return -c["Context"][0], c["Context"][-1]


def reach2(network):
    contexts = [context2(c) for c in network.components]
    return sum(left for left, _ in contexts), sum(right for _, right in contexts)


def nnet2(network, rows, pad=True):
    """`pad`: with the first and the last frame repeated, as NnetComputation() has it by pad_input; otherwise outputs are fewer than frames."""
    if pad:
        left, right = reach2(network)
        rows = np.concatenate([np.repeat(rows[:1], left, 0), rows, np.repeat(rows[-1:], right, 0)])
    for c in network.components:
        if c.type == "SpliceComponent":
            rows = splice2(c, rows, *context2(c))
        elif c.type == "SpliceMaxComponent":
            before, after = context2(c)
            rows = np.array([np.max([rows[t + offset] for offset in c["Context"]], 0) for t in range(before, len(rows) - after)])
        else:
            rows = np.array([simple.run(c, x) for x in rows])
    return rows
