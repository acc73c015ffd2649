"""Slice from the last element to the third one, of one to five."""
import numpy as np
import openvino.opset13 as ops
from openvino import Dimension, Model, PartialShape, Type

VERDICT = "wrong numbers"


def build():
    x = np.float32([1, 2, 3])
    given = ops.parameter(PartialShape([Dimension(1, 5)]), Type.f32, "x")
    given.output(0).set_names({"x"})
    return Model([ops.slice(given, [-1], [3], [1], [0])], [given]), {"x": x}, [x[-1:3]]
