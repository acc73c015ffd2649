"""An LSTM cell spelled out as TensorFlow writes it, of an open batch: the state before it is a constant."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def build():
    random = np.random.default_rng(1)
    x, h, c = (random.standard_normal((2, 2), dtype=np.float32) for _ in range(3))
    weights, bias = random.standard_normal((4, 8), dtype=np.float32), random.standard_normal(8, dtype=np.float32)
    given = ops.parameter([-1, 2], Type.f32, "x")
    given.output(0).set_names({"x"})
    gates = ops.add(ops.matmul(ops.concat([given, ops.constant(h)], 1), ops.constant(weights), False, False), ops.constant(bias))
    i, j, f, o = ops.split(gates, ops.constant(np.int64(1)), 4).outputs()
    kept = ops.multiply(ops.constant(c), ops.sigmoid(ops.add(f, ops.constant(np.float32(1)))))
    node = ops.multiply(ops.tanh(ops.add(kept, ops.multiply(ops.sigmoid(i), ops.tanh(j)))), ops.sigmoid(o))
    i, j, f, o = np.split(np.concatenate([x, h], 1) @ weights + bias, 4, 1)
    return Model([node], [given]), {"x": x}, [np.tanh(c * sigmoid(f + 1) + sigmoid(i) * np.tanh(j)) * sigmoid(o)]
