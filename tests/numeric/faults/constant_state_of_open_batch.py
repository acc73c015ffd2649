"""A recurrent sequence of an unknown batch, whose initial state is a constant."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    w, r, b = (np.ones((1, 5, *more), np.float32) for more in ((4,), (5,), ()))
    given = ops.parameter([-1, 3, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    sizes = ops.shape_of(given)
    lengths = ops.broadcast(ops.gather(sizes, np.array([1]), 0), ops.gather(sizes, np.array([0]), 0))
    made = ops.rnn_sequence(given, np.zeros((2, 1, 5), np.float32), lengths, w, r, b, 5, "forward", ["tanh"])
    return Model([made.output(1)], [given]), {"x": np.full((2, 3, 4), 9, np.float32)}, [np.ones((2, 1, 5), np.float32)]
