"""Element-wise operators of two inputs, with the rule of `axis`, broadcasting and every type; scaling and sums."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
INT, LONG = {"dtype": np.int32, "low": -9, "high": 9}, {"dtype": np.int64, "low": -9, "high": 9}

for kind in ("add", "sub", "mul", "div", "max", "min"):
    name, low = "elementwise_" + kind, 0.5 if kind == "div" else -1
    case(name, unknown=(0,), X=fed(2, 3, 4), Y=fed(3, 4, low=low, high=2))
    case(name, "axis", unknown=(0, 2, 3), attrs={"axis": 1}, X=fed(2, 3, 4, 5), Y=fixed(3, low=low, high=2))
    case(name, "axis_zero", attrs={"axis": 0}, X=fed(2, 3, 4), Y=fed(2, 3, low=low, high=2))
    case(name, "both", X=fed(2, 1, 4), Y=fed(1, 3, 1, low=low, high=2))
    case(name, "int32", X=fed(2, 3, **INT), Y=fed(2, 3, dtype=np.int32, low=1, high=5))
    case(name, "int64", X=fed(2, 3, **LONG), Y=fed(3, dtype=np.int64, low=1, high=5))
case("elementwise_add", "trailing_ones", attrs={"axis": 1}, X=fed(2, 3, 4, 5), Y=fed(3, 1, 1))
case("elementwise_mul", "trailing_ones_middle", attrs={"axis": 1}, X=fed(2, 3, 4, 5), Y=fed(3, 4, 1))
case("elementwise_add", "longer_second", X=fed(4), Y=fed(2, 3, 4))
case("elementwise_sub", "longer_second_axis", attrs={"axis": 1}, X=fed(3), Y=fed(2, 3, 4))
case("elementwise_add", "scalar", unknown=(0,), X=fed(2, 3), Y=fixed(values=0.5))
case("elementwise_mul", "scalar_first", X=fed(values=2.5), Y=fed(2, 3))
case("elementwise_add", "one_element", attrs={"axis": 0}, X=fed(2, 3), Y=fed(1))
case("elementwise_mul", "bool", X=fed(2, 6, dtype=bool), Y=fed(6, dtype=bool))
case("elementwise_sub", "float64", X=fed(2, 3, dtype=np.float64), Y=fed(3, dtype=np.float64))
case("elementwise_add", "same_twice", X=fed(2, 3), Y=fed(2, 3, values=np.zeros((2, 3))))
case("elementwise_pow", unknown=(0,), X=fed(2, 3, low=0.2, high=3), Y=fixed(3, low=-2, high=2))
case("elementwise_pow", "axis", attrs={"axis": 0}, X=fed(2, 3, low=0.2, high=3), Y=fed(2, low=-2, high=2))
case("elementwise_pow", "int32", X=fed(2, 3, dtype=np.int32, low=-3, high=3), Y=fed(2, 3, dtype=np.int32, low=0, high=3))
case("elementwise_pow", "int64", X=fed(2, 3, dtype=np.int64, low=-3, high=3), Y=fed(3, dtype=np.int64, low=0, high=3))
for kind in ("floordiv", "mod"):
    name = "elementwise_" + kind
    case(name, unknown=(0,), X=fed(2, 6, low=-9, high=9), Y=fixed(values=[-3.5, 2, 3, -2, 4, 1.5]))
    case(name, "int32", X=fed(2, 6, **INT), Y=fixed(values=[-3, 2, 3, -2, 4, 1], dtype=np.int32))
    case(name, "int64", X=fed(2, 6, **LONG), Y=fixed(values=[-3, 2, 3, -2, 4, 1], dtype=np.int64))
    case(name, "axis", attrs={"axis": 0}, X=fed(6, 2, **LONG), Y=fed(values=[3, 2, 3, 2, 4, 1], dtype=np.int64))
for kind in ("fmax", "fmin"):
    case("elementwise_" + kind, X=fed(values=[[1, np.nan, 3], [np.nan, 5, -6]]), Y=fed(values=[[2, 2, np.nan], [np.nan, 1, -7]]))
    case("elementwise_" + kind, "int32", X=fed(2, 3, **INT), Y=fed(3, **INT))
case("elementwise_heaviside", X=fed(values=[[-1.5, 0, 2], [0, 3, -2]]), Y=fed(3))
case("minus", X=fed(2, 3), Y=fed(2, 3))
case("atan2", X1=fed(2, 3, low=-2, high=2), X2=fed(2, 3, low=-2, high=2))
case("kron", X=fed(2, 3), Y=fed(2, 2))
case("multiplex", Ids=fed(values=[[1], [0], [2]], dtype=np.int32), X=[fed(3, 4), fed(3, 4), fed(3, 4)])
case("lerp", X=fed(2, 3), Y=fed(2, 3), Weight=fed(2, 3, low=0))
case("lerp", "one_weight", X=fed(2, 3), Y=fed(2, 3), Weight=fixed(values=[0.25]))
case("nextafter", x=fed(2, 3), y=fed(2, 3))

case("scale", unknown=(0,), attrs={"scale": 2.5, "bias": -0.5, "bias_after_scale": True}, X=fed(2, 3, 4))
case("scale", "bias_first", attrs={"scale": 2.5, "bias": -0.5, "bias_after_scale": False}, X=fed(2, 3))
case("scale", "tensor", unknown=(0,), attrs={"bias": 1.0, "bias_after_scale": True}, X=fed(2, 3), ScaleTensor=fed(values=[3.0]))
case("scale", "int32", attrs={"scale": 3.0, "bias": 2.0, "bias_after_scale": True}, X=fed(2, 3, **INT))
case("scale", "int64_half", attrs={"scale": 0.5, "bias": 0.0, "bias_after_scale": True}, X=fed(2, 6, **LONG))
case("scale", "int64_bias_first", attrs={"scale": 2.0, "bias": 3.0, "bias_after_scale": False}, X=fed(2, 6, **LONG))
case("sum", unknown={"X0": (0,), "X1": (0,), "X2": (0,)}, X=[fed(2, 3), fed(2, 3), fed(2, 3)])
case("sum", "one", X=[fed(2, 3)])
case("sum", "int64", X=[fed(2, 3, **LONG), fed(2, 3, **LONG)])
case("increment", attrs={"step": 2.0}, X=fed(values=[3.0]))
case("increment", "int64", attrs={"step": 1.0}, X=fed(values=[3], dtype=np.int64))
case("pow", unknown=(0,), attrs={"factor": 2.0}, X=fed(2, 3))
case("pow", "half", attrs={"factor": 0.5}, X=fed(2, 3, low=0.1))
case("pow", "negative", attrs={"factor": -1.5}, X=fed(2, 3, low=0.3))
case("pow", "tensor", X=fed(2, 3, low=0.3), FactorTensor=fed(values=[1.5]))
case("pow", "int32", attrs={"factor": 3.0}, X=fed(2, 3, **INT))
case("clip", unknown=(0,), attrs={"min": -0.5, "max": 0.25}, X=fed(2, 3, 4))
case("clip", "int32", attrs={"min": -4.0, "max": 3.0}, X=fed(2, 3, **INT))
case("clip", "int64", attrs={"min": -4.0, "max": 3.0}, X=fed(2, 3, **LONG))
case("clip", "tensors", unknown=(0,), attrs={"min": -9.0, "max": 9.0}, X=fed(2, 3), Min=fed(values=[-0.25]), Max=fed(values=[0.5]))
case("clip", "min_tensor", attrs={"min": -9.0, "max": 0.5}, X=fed(2, 3), Min=fed(values=[-0.25]))
case("clip", "max_fixed", attrs={"min": -0.5, "max": 9.0}, X=fed(2, 3), Max=fixed(values=[0.125]))
case("clip_by_norm", attrs={"max_norm": 0.5}, X=fed(2, 3))
case("clip_by_norm", "small", attrs={"max_norm": 50.0}, X=fed(2, 3))


@family.graph("operators_of_tensors", unknown=(0,))
def operators(b):
    """As Python writes them, with numbers on either side."""
    x, y = b.fed("x", fed(2, 3, low=0.5, high=2)), b.fed("y", fed(3, low=0.5, high=2))
    return [x + 1, 2 - x, x * y, 3 / x, x ** 2, 2 ** x, -x, (x + y) / 2, x // 0.4, x % 0.4]


@family.graph("written_again")
def written_again(b):
    """A variable is written twice, and read before and after."""
    x = b.fed("x", fed(2, 3))
    y = b.op("scale", {"scale": 2.0}, X=x)
    first = b.op("relu", X=y)
    b.block.append_op(type="scale", inputs={"X": [y]}, outputs={"Out": [y]}, attrs={"scale": 3.0, "bias": 1.0})
    return [first, b.op("elementwise_add", X=y, Y=x)]
