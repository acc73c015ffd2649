"""(1 - mask) * -3.4e38 + bias: the bias is lost where the mask is 1."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    least, bias, x = np.finfo(np.float32).min, np.arange(1, 4, dtype=np.float32), np.array([1, 1, 0], np.float32)
    mask = ops.parameter([3], Type.f32, "mask")
    mask.output(0).set_names({"mask"})
    one, factor, added = (ops.constant(np.array(value, np.float32)) for value in (1, least, bias))
    y = ops.add(ops.multiply(ops.subtract(one, mask), factor), added)
    return Model([y], [mask]), {"mask": x}, [(np.float32(1) - x) * least + bias]
