"""Quantisation: every fake_* operator, quantize_linear and dequantize_linear, tables in bytes, and layers between them."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
BYTES = {"dtype": np.int8, "low": -127, "high": 127}


def scale(*values):
    return fixed(values=list(values), dtype=np.float32)


for bits in (8, 4):
    for kind in ("fake_quantize_abs_max", "fake_quantize_dequantize_abs_max"):
        case(kind, f"bits{bits}", unknown=(0,) if bits == 8 else (), attrs={"bit_length": bits}, X=fed(2, 3, 4))
for axis in (0, 1):
    case("fake_channel_wise_quantize_dequantize_abs_max", f"axis{axis}", attrs={"bit_length": 8, "quant_axis": axis}, X=fed(4, 3, 2, 2))
    case("fake_channel_wise_quantize_dequantize_abs_max", f"axis{axis}_two", attrs={"bit_length": 8, "quant_axis": axis}, X=fixed(4, 3))

    @family.graph(f"fake_channel_wise_quantize_abs_max_axis{axis}")
    def channels(b, axis=axis):
        """At inference the scales are known, and stand where they were written."""
        scales = b.fixed(fixed((4, 3)[axis], low=0.5, high=1.1), "scales")
        return [b.op("fake_channel_wise_quantize_abs_max", {"bit_length": 8, "quant_axis": axis, "is_test": True}, {"OutScale": scales}, X=b.fed("x", fed(4, 3, 2, 2)))]
for kind in ("fake_quantize_moving_average_abs_max", "fake_quantize_dequantize_moving_average_abs_max"):
    case(kind, "plain", unknown=(0,), attrs={"bit_length": 8, "is_test": True}, same={"OutScale": "InScale"}, X=fed(2, 3, 4, low=-1.3, high=1.3), InScale=scale(0.9))
    case(kind, "all_outputs", attrs={"bit_length": 8, "is_test": True, "moving_rate": 0.9}, same={"OutScale": "InScale", "OutState": "InState", "OutAccum": "InAccum"}, X=fed(2,
            3), InScale=scale(0.9), InAccum=scale(1.0),
         InState=scale(1.0))
case("fake_quantize_range_abs_max", attrs={"bit_length": 8, "is_test": True, "window_size": 100}, same={"OutScale": "InScale"}, X=fed(2, 3, 4, low=-1.3, high=1.3), InScale=scale(0.9))
case("moving_average_abs_max_scale", unknown=(0,), attrs={"is_test": True}, outs={"Out": "float32"}, take=[0], X=fed(2, 3))
case("fake_dequantize_max_abs", attrs={"max_range": 127.0}, X=fed(values=np.arange(-6, 6).reshape(3, 4) * 20.0), Scale=scale(0.7))
case("fake_channel_wise_dequantize_max_abs", "one", attrs={"quant_bits": [8], "quant_axis": 0}, X=fed(values=np.arange(-6, 6).reshape(3, 4) * 20.0), Scales=[scale(0.7, 0.5, 1.2)])
case("fake_channel_wise_dequantize_max_abs", "axis", attrs={"quant_bits": [8], "quant_axis": 1}, X=fed(values=np.arange(-6, 6).reshape(3, 4) * 20.0), Scales=[scale(0.7, 0.5, 1.2, 2.0)])
case("fake_channel_wise_dequantize_max_abs", "two", attrs={"quant_bits": [8, 8], "quant_axis": 0, "x_num_col_dims": 1}, X=fed(values=np.arange(-6, 6).reshape(3,
        4) * 20.0), Scales=[scale(0.7, 0.5, 1.2, 0.9), scale(0.8)])
for axis, scales in ((-1, [0.9]), (0, [0.9, 0.7]), (1, [0.9, 0.7, 1.1])):
    zero = np.zeros(len(scales), np.float32)
    case("quantize_linear", f"axis{axis}", unknown=(0,) if axis < 0 else (), attrs={"quant_axis": axis, "bit_length": 8, "is_test": True}, outs={"Y": "float32"}, X=fed(2, 3,
            4), Scale=scale(*scales), ZeroPoint=fixed(values=zero))
    case("dequantize_linear", f"axis{axis}", attrs={"quant_axis": axis, "bit_length": 8, "is_test": True}, outs={"Y": "float32"}, X=fed(values=np.arange(-12, 12).reshape(2, 3,
            4) * 10.0), Scale=scale(*scales), ZeroPoint=fixed(values=zero))
case("quantize_linear", "bits4", attrs={"quant_axis": -1, "bit_length": 4, "is_test": True}, X=fed(2, 3, 4), Scale=scale(0.9), ZeroPoint=scale(0.0))
case("quantize_linear", "round_up", attrs={"quant_axis": -1, "bit_length": 8, "round_type": 1, "is_test": True}, X=fed(values=[[0.5, 1.5, 2.5],
        [-0.5, -1.5, -2.5]]), Scale=scale(127.0), ZeroPoint=scale(0.0))
case("quantize_linear", "round_even", attrs={"quant_axis": -1, "bit_length": 8, "round_type": 0, "is_test": True}, X=fed(values=[[0.5, 1.5, 2.5],
        [-0.5, -1.5,
                -2.5]]), Scale=scale(127.0), ZeroPoint=scale(0.0))
case("dequantize_linear", "int8", attrs={"quant_axis": 0, "bit_length": 8, "is_test": True}, outs={"Y": "float32"}, X=fixed(4, 3, **BYTES), Scale=scale(0.9, 0.7, 1.1,
        0.3), ZeroPoint=fixed(values=np.zeros(4)))
case("dequantize_abs_max", attrs={"max_range": 127.0}, outs={"Out": "float32"}, X=fixed(3, 4, **BYTES), Scale=scale(0.8))
case("dequantize_log", outs={"Out": "float32"}, X=fixed(3, 4, dtype=np.int8, low=-128, high=127), Dict=fixed(128, low=0.1, high=2))
TABLE = np.concatenate([[[-1.0, 1.0], [0.0, 2.0], [-0.5, 0.5]], np.arange(6, dtype=np.uint8).repeat(4).reshape(3, 8).view(np.float32)], 1).astype(np.float32)
case("lookup_table_dequant", attrs={"padding_idx": -1}, outs={"Out": "float32"}, W=fixed(values=TABLE), Ids=fed(values=[[2], [0]], dtype=np.int64))


def on_the_way(b, x, value):
    return b.op("fake_quantize_dequantize_moving_average_abs_max", {"bit_length": 8, "is_test": True}, same={"OutScale": "InScale"}, X=x, InScale=b.fixed(scale(value), "scale"))


@family.graph("convolution_trained_for_bytes", unknown=(0, 2, 3))
def trained(b):
    """What training with quantisation leaves: the picture and the weights go through steps."""
    x = on_the_way(b, b.fed("x", fed(1, 3, 8, 8)), 1.0)
    w = b.op("fake_channel_wise_quantize_dequantize_abs_max", {"bit_length": 8, "quant_axis": 0}, X=b.fixed(fixed(4, 3, 3, 3), "w"))[0]
    y = b.op("conv2d", {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}, Input=x, Filter=w)
    return [b.op("relu", X=y)]


@family.graph("convolution_of_bytes", unknown=(0, 2, 3))
def linear(b):
    """What newer tools write: quantize_linear and dequantize_linear around the picture, weights in bytes."""
    zero = b.fixed(fixed(values=[0.0]), "zero")
    x, given = b.fed("x", fed(1, 3, 8, 8)), b.fixed(scale(1.0), "scale")
    form = {"quant_axis": -1, "bit_length": 8, "is_test": True}
    y = b.op("dequantize_linear", form, X=b.op("quantize_linear", form, X=x, Scale=given, ZeroPoint=zero), Scale=given, ZeroPoint=zero)
    w = b.op("dequantize_linear", {**form, "quant_axis": 0}, {"Y": "float32"}, X=b.fixed(fixed(4, 3, 3, 3, **BYTES), "w"), Scale=b.fixed(scale(0.2, 0.3, 0.1, 0.4),
            "scales"), ZeroPoint=b.fixed(fixed(values=np.zeros(4)), "zeros"))
    return [b.op("conv2d", {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}, Input=y, Filter=w)]


@family.graph("product_of_bytes_in_floats", unknown=(0,))
def old(b):
    """What the first generation writes: weights that are whole numbers, and the product is scaled afterwards."""
    x = b.op("fake_quantize_moving_average_abs_max", {"bit_length": 8, "is_test": True}, same={"OutScale": "InScale"}, X=b.fed("x", fed(2, 4)), InScale=b.fixed(scale(0.9), "scale"))
    w = b.fixed(fixed(values=np.round(np.linspace(-127, 127, 12)).reshape(4, 3)), "w")
    y = b.op("mul", {"x_num_col_dims": 1, "y_num_col_dims": 1}, X=x, Y=w)
    return [b.op("fake_channel_wise_dequantize_max_abs", {"quant_bits": [8, 8], "quant_axis": 1, "x_num_col_dims": 1}, X=y, Scales=[b.fixed(scale(0.7, 0.5, 1.2), "weights"),
            b.fixed(scale(0.9), "input")])]
