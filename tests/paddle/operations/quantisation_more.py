"""Quantisation: in the range of the tensor itself, in given ranges, with scales of channels, of weights that are integers."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
OWN = {"OutScale": "float32"}
HALVES = [[-127.0, -2.5, -1.5, -0.5], [0.5, 1.5, 2.5, 127.0]]

for kind in ("fake_quantize_abs_max", "fake_quantize_dequantize_abs_max"):
    case(kind, unknown=(0,), X=fed(2, 3, 4, low=-3, high=3))
    case(kind, "halves", X=fed(values=HALVES))
    case(kind, "halves_to_even", attrs={"round_type": 0}, more={"extra": True}, X=fed(values=HALVES))
    case(kind, "four_bits", attrs={"bit_length": 4}, X=fed(2, 9))
    case(kind, "zeros", X=fed(values=[[0.0, 0.0]]))
kind = "fake_channel_wise_quantize_dequantize_abs_max"
case(kind, X=fed(3, 4, 2, 2))
case(kind, "axis", attrs={"quant_axis": 1}, X=fed(3, 4, 2, 2))
case(kind, "weights", attrs={"quant_axis": 1}, X=fixed(6, 4))
for kind in ("fake_quantize_moving_average_abs_max", "fake_quantize_dequantize_moving_average_abs_max", "fake_quantize_range_abs_max"):
    case(kind, unknown=(0,), attrs={"is_test": True}, more={"extra": True}, take=[0], X=fed(2, 3, low=-3, high=3), InScale=fixed(values=[2.0]))
    case(kind, "fed_scale", attrs={"is_test": True}, more={"extra": True}, take=[0], X=fed(2, 3, low=-3, high=3), InScale=fed(values=[2.0]))
case("quantize_linear", attrs={"quant_axis": -1}, X=fed(2, 9, low=-3, high=3), Scale=fixed(values=[2.0]), ZeroPoint=fixed(values=[0.0]))
case("quantize_linear", "away", attrs={"quant_axis": -1, "round_type": 1}, X=fed(2, 9, low=-3, high=3), Scale=fixed(values=[2.0]), ZeroPoint=fixed(values=[0.0]))
case("quantize_linear", "fed_scale", attrs={"quant_axis": -1}, X=fed(values=HALVES), Scale=fed(values=[127.0]), ZeroPoint=fixed(values=[0.0]))
case("quantize_linear", "channels", attrs={"quant_axis": 1}, X=fed(2, 3, 4, low=-3, high=3), Scale=fixed(values=[1.0, 2.0, 3.0]), ZeroPoint=fixed(values=[0.0, 0.0, 0.0]))
case("dequantize_linear", "weights", attrs={"quant_axis": 0}, X=fixed(3, 4, dtype=np.int8, low=-128, high=127), Scale=fixed(values=[1.0, 2.0, 3.0]), ZeroPoint=fixed(values=[0.0, 0.0, 0.0]))
case("dequantize_linear", "fed", attrs={"quant_axis": -1}, X=fed(3, 4, dtype=np.int8, low=-128, high=127), Scale=fixed(values=[2.0]), ZeroPoint=fixed(values=[0.0]))
case("fake_dequantize_max_abs", attrs={"max_range": 127.0}, X=fed(2, 3, low=-127, high=127), Scale=fixed(values=[0.5]))
case("fake_channel_wise_dequantize_max_abs", attrs={"quant_bits": [8], "quant_axis": 0}, X=fed(3, 4, low=-127, high=127), Scales=[fixed(3, low=0.1, high=2)])
case("fake_channel_wise_dequantize_max_abs", "two", attrs={"quant_bits": [8, 8], "x_num_col_dims": 1}, X=fed(2, 4, low=-127, high=127), Scales=[fixed(4, low=0.1, high=2), fixed(values=[3.0])])
case("dequantize_abs_max", attrs={"max_range": 127.0}, X=fixed(3, 4, dtype=np.int8, low=-128, high=127), Scale=fixed(values=[2.0]))
case("dequantize_log", X=fixed(3, 4, dtype=np.int8, low=-128, high=127), Dict=fixed(128, low=0, high=3))
case("moving_average_abs_max_scale", attrs={"is_test": True}, more={"extra": True}, outs={"Out": "float32"}, take=[0], X=fed(2, 3))


@family.graph("product_of_integers", unknown=(0,))
def product_of_integers(b):
    """As PaddleSlim writes it: data and weights are quantised and dequantised before their product."""
    x = b.fed("x", fed(4, 6, low=-2, high=2))
    one, zero = b.fixed(fixed(values=[1.5])), b.fixed(fixed(values=[0.0]))
    steps = b.op("quantize_linear", {"quant_axis": -1}, outs={"Y": "float32"}, X=x, Scale=one, ZeroPoint=zero)
    real = b.op("dequantize_linear", {"quant_axis": -1}, outs={"Y": "float32"}, X=steps, Scale=one, ZeroPoint=zero)
    weights, scales, zeros = b.fixed(fixed(6, 3, dtype=np.int8, low=-127, high=127)), b.fixed(fixed(3, low=0.5, high=1)), b.fixed(fixed(values=[0.0, 0.0, 0.0]))
    return [b.op("matmul_v2", X=real, Y=b.op("dequantize_linear", {"quant_axis": 1}, outs={"Y": "float32"}, X=weights, Scale=scales, ZeroPoint=zeros))]
