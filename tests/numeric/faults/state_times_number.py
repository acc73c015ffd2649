"""A recurrent sequence of known sizes with lengths, whose last state is multiplied with a number."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    x, w, r, b = (random.standard_normal(shape, dtype=np.float32) for shape in ((4, 2, 3), (1, 3, 3), (1, 3, 3), (1, 3)))
    lengths = np.int64([2, 1, 1, 2])
    given = ops.parameter(list(x.shape), Type.f32, "x")
    given.output(0).set_names({"x"})
    state = ops.constant(np.zeros((4, 1, 3), np.float32))
    sequence = ops.rnn_sequence(given, state, ops.constant(lengths), ops.constant(w), ops.constant(r), ops.constant(b), 3, "forward")
    first = np.tanh(x[:, 0] @ w[0].T + b[0])
    second = np.tanh(x[:, 1] @ w[0].T + first @ r[0].T + b[0])
    last = np.where(lengths[:, None] == 2, second, first)
    return Model([ops.multiply(sequence.output(1), ops.constant(np.float32(0.5)))], [given]), {"x": x}, [last[:, None] * 0.5]
