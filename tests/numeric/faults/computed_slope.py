"""PReLU whose slope is computed, of an open size."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x, y = np.random.default_rng(1).standard_normal((2, 2, 3), dtype=np.float32)
    ports = [ops.parameter([-1, 3], Type.f32, name) for name in ("x", "y")]
    for port, name in zip(ports, ("x", "y")):
        port.output(0).set_names({name})
    node = ops.prelu(ports[0], ops.relu(ports[1]))
    return Model([node], ports), {"x": x, "y": y}, [np.where(x < 0, x * np.maximum(y, 0), x)]
