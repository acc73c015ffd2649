"""GatherElements of a slice from the front, with a place that counts from its end."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    given = {"x": np.float32([1, 2, 3, 4]), "places": np.int64([1, -3])}
    x, places = ops.parameter([4], Type.f32, "x"), ops.parameter([2], Type.i64, "places")
    for parameter, name in ((x, "x"), (places, "places")):
        parameter.output(0).set_names({name})
    return Model([ops.gather_elements(ops.slice(x, [0], [3], [1], [0]), places, 0)], [x, places]), given, [np.float32([2, 1])]
