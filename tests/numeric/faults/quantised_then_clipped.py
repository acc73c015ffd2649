"""FakeQuantize, then Clamp to limits between two steps: results near the limits are off by a step."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.linspace(-1.5, 1.5, 40, dtype=np.float32).reshape(2, 5, 4)
    given = ops.parameter([2, 5, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    least, most = np.float32(-1.28), np.float32(1.27)
    node = ops.fake_quantize(given, *[ops.constant(v) for v in (least, most, least, most)], 256)
    steps = np.round((np.clip(x, least, most) - least) / (most - least) * 255) / 255 * (most - least) + least
    return Model([ops.clamp(node, -0.333, 0.555)], [given]), {"x": x}, [np.clip(steps, -0.333, 0.555)]
