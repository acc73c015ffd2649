"""FakeQuantize of 65,536 levels is left out: numbers beyond its range are not limited."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(2, 3, 4)
    given = ops.parameter([2, 3, 4], Type.f32, "x")
    given.output(0).set_names({"x"})
    least, most = np.float32(-1), np.float32(32767 / 32768)
    node = ops.fake_quantize(ops.relu(given), *[ops.constant(v) for v in (least, most, least, most)], 65536)
    return Model([ops.relu(node)], [given]), {"x": x}, [np.clip(x, 0, most)]
