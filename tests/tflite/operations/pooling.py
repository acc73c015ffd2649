"""Pooling and resizing."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

for kind in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"):
    integers = ("int8", "int8_io", "uint8") if kind != "L2_POOL_2D" else ()
    case(kind, "same", unknown=(0, 1, 2), x=fed(1, 7, 8, 3), options={"padding": "SAME", "stride_h": 2, "stride_w": 2, "filter_height": 3, "filter_width": 3}, more={"quantised": integers})
    case(kind, "valid", unknown=(0,), x=fed(2, 7, 8, 3), options={"padding": "VALID", "stride_h": 1, "stride_w": 2, "filter_height": 2, "filter_width": 3})
    case(kind, "relu", x=fed(1, 6, 6, 2), options={"padding": "SAME", "stride_h": 1, "stride_w": 1, "filter_height": 2, "filter_width": 2, "activation": "RELU"})
case("AVERAGE_POOL_2D", "whole", x=fed(2, 4, 5, 3), options={"padding": "VALID", "stride_h": 4, "stride_w": 5, "filter_height": 4, "filter_width": 5}, more={"quantised": "int8"})
case("AVERAGE_POOL_2D", "wide", x=fed(1, 5, 5, 2), options={"padding": "SAME", "stride_h": 1, "stride_w": 1, "filter_height": 5, "filter_width": 5})
case("MAX_POOL_2D", "relu6", x=fed(1, 6, 6, 2, low=-4, high=9), options={"padding": "SAME", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2, "activation": "RELU6"})
for kind in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"):
    for way in ({}, {"align_corners": True}, {"half_pixel_centers": True}):
        name = "_".join(way) or "plain"
        case(kind, name + "_up", unknown=(0,), x=fed(1, 4, 5, 3), version=3, options=way, size=fixed(values=[7, 10], dtype=np.int32), more={"quantised": ("int8",) if name == "half_pixel_centers" else ()})
        case(kind, name + "_down", x=fed(1, 9, 8, 2), version=3, options=way, size=fixed(values=[4, 3], dtype=np.int32))
    case(kind, "one", x=fed(1, 1, 1, 3), size=fixed(values=[3, 4], dtype=np.int32))
case("RESIZE_BILINEAR", "free", unknown=(0, 1, 2), x=fed(1, 4, 5, 3), options={"half_pixel_centers": True}, version=3, size=fixed(values=[8, 8], dtype=np.int32))
case("RESIZE_NEAREST_NEIGHBOR", "align_and_half", x=fed(1, 4, 5, 3), options={"half_pixel_centers": True, "align_corners": True}, version=3, size=fixed(values=[7, 9], dtype=np.int32))


@family.graph("RESIZE_BILINEAR_twice_as_large", unknown=(0, 1, 2))
def twice(b):
    """The size is computed from that of the input."""
    x = b.fed("x", fed(1, 4, 5, 3))
    shape = b.op("SHAPE", [x], dtype="int32", out_type=2, names=["shape"])
    size = b.op("STRIDED_SLICE", [shape, *(b.fixed(np.int32([at]), name) for at, name in ((1, "begin"), (3, "end"), (1, "step")))], names=["size"])
    return [b.op("RESIZE_BILINEAR", [x, b.op("MUL", [size, b.fixed(np.int32([2, 2]), "two")], names=["doubled"])], half_pixel_centers=True)]
