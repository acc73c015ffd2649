"""A Transpose before a recurrent sequence of one direction, whose results are transposed back: something else reads it, too."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x = random.standard_normal((3, 2, 4), dtype=np.float32)
    w, r, b = (random.standard_normal((1, 5, *more), dtype=np.float32) for more in ((4,), (5,), ()))
    given = ops.parameter([3, 2, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    moved = ops.transpose(given, np.array([1, 0, 2]))
    made = ops.rnn_sequence(moved, np.zeros((2, 1, 5), np.float32), np.array([3, 3]), w, r, b, 5, "forward", ["tanh"])
    back = ops.transpose(made.output(0), np.array([2, 1, 0, 3]))
    y, h = np.zeros((3, 1, 2, 5), np.float32), np.zeros((2, 5), np.float32)
    for step in range(3):
        y[step, 0] = h = np.tanh(x[step] @ w[0].T + h @ r[0].T + b[0])
    return Model([back.output(0), ops.negative(moved).output(0)], [given]), {"x": x}, [y, -x.transpose(1, 0, 2)]
