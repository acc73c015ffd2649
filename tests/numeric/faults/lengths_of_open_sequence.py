"""A recurrent sequence with lengths and an open size: here the batch; the time or the size of the input do the same."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x = random.standard_normal((2, 3, 4), dtype=np.float32)
    w, r, b = (random.standard_normal((1, 5, *more), dtype=np.float32) for more in ((4,), (5,), ()))
    given = ops.parameter([-1, 3, 4], Type.f32, "x")
    lengths = ops.parameter([-1], Type.i32, "lengths")
    for port, name in ((given, "x"), (lengths, "lengths")):
        port.output(0).set_names({name})
    batch = ops.gather(ops.shape_of(given), np.array([0]), 0)
    zeros = ops.broadcast(np.float32(0), ops.concat([batch, np.array([1, 5])], 0))
    made = ops.rnn_sequence(given, zeros, lengths, w, r, b, 5, "forward", ["tanh"])
    fed, y, h = {"x": x, "lengths": np.array([3, 1], np.int32)}, np.zeros((2, 1, 3, 5), np.float32), np.zeros((2, 1, 5), np.float32)
    for at, length in enumerate(fed["lengths"]):
        for step in range(length):
            y[at, 0, step] = h[at, 0] = np.tanh(x[at, step] @ w[0].T + h[at, 0] @ r[0].T + b[0])
    return Model([made.output(0), made.output(1)], [given, lengths]), fed, [y, h]
