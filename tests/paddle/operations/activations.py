"""Element-wise operators of one input, with their attributes."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

for kind in ("abs", "ceil", "floor", "round", "cos", "sin", "tan", "sinh", "cosh", "tanh", "atan", "asinh", "exp", "expm1", "square", "sign", "erf", "sigmoid", "logsigmoid", "silu",
             "softsign",
             "tanh_shrink", "relu", "trunc", "fill_zeros_like"):
    case(kind, unknown=(0,), X=fed(2, 3, 4, low=-3, high=3))
for kind in ("acos", "asin", "atanh"):
    case(kind, X=fed(2, 3, low=-0.9, high=0.9))
for kind in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "acosh", "lgamma", "digamma"):
    case(kind, unknown=(0,), X=fed(2, 3, low=1.1, high=4))
case("erfinv", X=fed(2, 3, low=-0.9, high=0.9))
for kind in ("i0", "i0e", "i1", "i1e"):
    case(kind, x=fed(2, 3, low=-3, high=3))
for kind in ("abs", "sign", "square"):
    case(kind, "int32", X=fed(2, 3, dtype=np.int32, low=-9, high=9))
case("abs", "int64", X=fed(2, 3, dtype=np.int64, low=-9, high=9))
case("exp", "int64", X=fed(2, 3, dtype=np.int64, low=-3, high=3), outs={"Out": "float32"})
case("floor", "halves", X=fed(values=[-1.5, -0.5, 0.5, 1.5, 2.5]))
case("round", "halves", X=fed(values=[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]))
case("relu6", unknown=(0,), X=fed(2, 5, low=-8, high=8))
case("relu6", "threshold", attrs={"threshold": 3.0}, X=fed(2, 5, low=-8, high=8))
case("brelu", X=fed(2, 5, low=-8, high=30))
case("brelu", "limits", attrs={"t_min": -1.5, "t_max": 2.0}, X=fed(2, 5, low=-4, high=4))
case("elu", unknown=(0,), X=fed(2, 5, low=-3, high=3))
case("elu", "alpha", attrs={"alpha": 0.3}, X=fed(2, 5, low=-3, high=3))
case("celu", X=fed(2, 5, low=-3, high=3))
case("celu", "alpha", attrs={"alpha": 0.3}, X=fed(2, 5, low=-3, high=3))
case("selu", X=fed(2, 5, low=-3, high=3))
case("selu", "attributes", attrs={"scale": 1.2, "alpha": 0.7}, X=fed(2, 5, low=-3, high=3))
case("gelu", unknown=(0,), X=fed(2, 5, low=-4, high=4))
case("gelu", "approximate", attrs={"approximate": True}, X=fed(2, 5, low=-4, high=4))
case("hard_shrink", attrs={"threshold": 0.7}, X=fed(2, 5, low=-2, high=2))
case("hard_shrink", "default", X=fed(2, 5, low=-2, high=2))
case("softshrink", attrs={"lambda": 0.7}, X=fed(2, 5, low=-2, high=2))
case("softshrink", "default", X=fed(2, 5, low=-2, high=2))
case("thresholded_relu", X=fed(2, 5, low=-2, high=3))
case("thresholded_relu", "threshold", attrs={"threshold": 0.4}, X=fed(2, 5, low=-2, high=3))
case("hard_sigmoid", unknown=(0,), X=fed(2, 5, low=-6, high=6))
case("hard_sigmoid", "attributes", attrs={"slope": 0.1666667, "offset": 0.4}, X=fed(2, 5, low=-6, high=6))
case("hard_swish", unknown=(0,), X=fed(2, 5, low=-6, high=6))
case("hard_swish", "attributes", attrs={"threshold": 5.0, "scale": 4.0, "offset": 2.0}, X=fed(2, 5, low=-6, high=6))
case("swish", unknown=(0,), X=fed(2, 5, low=-4, high=4))
case("swish", "beta", attrs={"beta": 1.5}, X=fed(2, 5, low=-4, high=4))
case("mish", unknown=(0,), X=fed(2, 5, low=-4, high=4))
case("mish", "threshold", attrs={"threshold": 2.0}, X=fed(2, 5, low=-4, high=4))
case("softplus", unknown=(0,), X=fed(2, 5, low=-4, high=4))
case("softplus", "beta", attrs={"beta": 2.0, "threshold": 3.0}, X=fed(2, 5, low=-4, high=4))
case("soft_relu", X=fed(2, 5, low=-4, high=4))
case("soft_relu", "threshold", attrs={"threshold": 1.5}, X=fed(2, 5, low=-4, high=4))
case("stanh", X=fed(2, 5, low=-4, high=4))
case("stanh", "attributes", attrs={"scale_a": 0.5, "scale_b": 2.0}, X=fed(2, 5, low=-4, high=4))
case("leaky_relu", unknown=(0,), X=fed(2, 5, low=-3, high=3))
case("leaky_relu", "alpha", attrs={"alpha": 0.2}, X=fed(2, 5, low=-3, high=3))
case("leaky_relu", "above_one", attrs={"alpha": 1.5}, X=fed(2, 5, low=-3, high=3))
case("logit", attrs={"eps": 0.1}, X=fed(2, 5, low=0, high=1))
case("logit", "zero", attrs={"eps": 0.0}, X=fed(2, 5, low=0.1, high=0.9))
case("rrelu", attrs={"lower": 0.1, "upper": 0.3, "is_test": True}, more={"extra": True}, X=fed(2, 5, low=-3, high=3))
case("prelu", "all", unknown=(0,), attrs={"mode": "all"}, X=fed(2, 3, 4, low=-3, high=3), Alpha=fixed(1, low=0.1, high=0.4))
case("prelu", "channel", unknown=(0, 2, 3), attrs={"mode": "channel", "data_format": "NCHW"}, X=fed(2, 3, 4, 5, low=-3, high=3), Alpha=fixed(3, low=0.1, high=0.4))
case("prelu", "channel_last", attrs={"mode": "channel", "data_format": "NHWC"}, X=fed(2, 4, 5, 3, low=-3, high=3), Alpha=fixed(3, low=0.1, high=0.4))
case("prelu", "channel_2d", attrs={"mode": "channel", "data_format": "NCHW"}, X=fed(4, 3, low=-3, high=3), Alpha=fixed(3, low=0.1, high=0.4))
case("prelu", "channel_3d", attrs={"mode": "channel", "data_format": "NCHW"}, X=fed(2, 3, 5, low=-3, high=3), Alpha=fixed(3, low=0.1, high=0.4))
case("prelu", "element", unknown=(0,), attrs={"mode": "element", "data_format": "NCHW"}, X=fed(2, 3, 4, 5, low=-3, high=3), Alpha=fixed(1, 3, 4, 5, low=0.1, high=0.4))
for axis in (-1, 0, 1):
    case("softmax", f"axis{axis}", unknown=(0,), attrs={"axis": axis}, X=fed(2, 3, 4, low=-3, high=3))
    case("log_softmax", f"axis{axis}", attrs={"axis": axis}, X=fed(2, 3, 4, low=-3, high=3))
case("softmax", "five", attrs={"axis": 2}, X=fed(1, 2, 3, 2, 2))
case("maxout", unknown=(0,), attrs={"groups": 2, "axis": 1}, X=fed(2, 6, 3, 4))
case("maxout", "last", attrs={"groups": 3, "axis": -1}, X=fed(2, 3, 4, 6))
for kind in ("dropout",):
    for how in ("upscale_in_train", "downgrade_in_infer"):
        case(kind, how, unknown=(0,), attrs={"dropout_prob": 0.3, "is_test": True, "dropout_implementation": how}, outs={}, X=fed(2, 3))
case("gumbel_softmax", "hard", attrs={"hard": True, "temperature": 0.0001, "axis": -1}, X=fed(values=[[0.0, 900.0, 1.0], [800.0, 1.0, 2.0]]))


@family.graph("functional", unknown=(0,))
def functional(b):
    """The functions of paddle.nn.functional that are made of others."""
    f = b.paddle.nn.functional
    x = b.fed("x", fed(2, 8, 3, low=-3, high=3))
    return [f.glu(x, axis=1), f.hardtanh(x), f.relu6(x), f.hardsigmoid(x), f.hardswish(x), f.softmax(x, axis=1), f.log_sigmoid(x), f.normalize(x, axis=1), f.tanhshrink(x), f.gelu(x,
            approximate=True)]


@family.graph("math", unknown=(0,))
def math(b):
    paddle = b.paddle
    x = b.fed("x", fed(2, 3, low=0.2, high=0.8))
    return [paddle.frac(x), paddle.rad2deg(x), paddle.deg2rad(x), paddle.neg(x), paddle.logit(x), paddle.sgn(x), paddle.nan_to_num(x), paddle.erf(x), paddle.stanh(x)]
