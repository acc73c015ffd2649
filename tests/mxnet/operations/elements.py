"""Functions of elements, of two tensors, and of a tensor and a number."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case
PAIRED = ("elemwise_add", "elemwise_sub", "elemwise_mul", "_grad_add", "_maximum", "_minimum", "_hypot")
for kind in PAIRED:
    case(kind, unknown={"lhs": (0,), "rhs": (0,)} if kind == "elemwise_add" else (), lhs=fed(2, 3), rhs=fed(2, 3))
for kind in ("elemwise_div", "_scatter_elemwise_div"):
    case(kind, lhs=fed(2, 3), rhs=fed(2, 3, low=0.5, high=2))
case("elemwise_div", "int32", lhs=fed(values=[7, -7, 9, -9], dtype=np.int32), rhs=fed(values=[2, 2, -2, -2], dtype=np.int32))
for kind in ("broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_maximum", "broadcast_minimum", "broadcast_hypot"):
    case(kind, unknown={"lhs": (0,)} if kind == "broadcast_add" else (), lhs=fed(2, 3, 1), rhs=fed(1, 3, 4))
case("broadcast_div", lhs=fed(2, 3, 1), rhs=fed(1, 3, 4, low=0.5, high=2))
case("_power", lhs=fed(2, 3, low=0.2, high=2), rhs=fed(2, 3))
case("broadcast_power", lhs=fed(2, 1, low=0.2, high=2), rhs=fed(1, 3))
RESTS = fed(values=np.float32([7, -7, 7, -7, 3, 5.5])), fed(values=np.float32([3, 3, -3, -3, 0, 2]))
case("_mod", lhs=RESTS[0], rhs=RESTS[1])
case("broadcast_mod", lhs=RESTS[0], rhs=RESTS[1])
case("add_n", unknown=(0,), attrs={"num_args": 3}, args=[fed(2, 3), fed(2, 3), fed(2, 3)])
case("add_n", "one", attrs={"num_args": 1}, args=[fed(2, 3)])

EQUALS = fed(values=[[0, 1, 2], [-1, 3, 0]]), fed(values=[[0, 2, 2], [1, 0, 0]])
for kind in ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and", "logical_or", "logical_xor"):
    case("_" + kind, lhs=EQUALS[0], rhs=EQUALS[1])
    case("broadcast_" + kind, lhs=EQUALS[0], rhs=fed(values=[[0, 2, -1]]))
    case("_" + kind + "_scalar", attrs={"scalar": 0 if kind == "logical_or" else 2}, data=EQUALS[0])
case("_equal", "int32", lhs=fed(values=[0, 1, 2], dtype=np.int32), rhs=fed(values=[0, 3, 2], dtype=np.int32))
case("logical_not", data=fed(values=[[0, 1, 2], [-1, 3, 0]]))

for kind in ("_plus_scalar", "_minus_scalar", "_rminus_scalar", "_mul_scalar", "_div_scalar", "_maximum_scalar", "_minimum_scalar", "_hypot_scalar", "_scatter_plus_scalar", "_scatter_minus_scalar"):
    case(kind, unknown=(0,) if kind == "_plus_scalar" else (), attrs={"scalar": 0.25}, data=fed(2, 3))
for kind, scalar in (("_rdiv_scalar", 2.0), ("_power_scalar", 1.5), ("_rpower_scalar", 0.5)):
    case(kind, attrs={"scalar": scalar}, data=fed(2, 3, low=0.5, high=2))
case("_power_scalar", "square", attrs={"scalar": 2}, data=fed(2, 3))
case("_mod_scalar", attrs={"scalar": -3}, data=RESTS[0])
case("_mod_scalar", "zero", attrs={"scalar": 0}, data=RESTS[0])
case("_rmod_scalar", attrs={"scalar": 5}, data=RESTS[1])
WHOLE = fed(values=[[7, -7], [2, 1]], dtype=np.int32)
for kind in ("_plus_scalar", "_div_scalar", "_mul_scalar", "_greater_scalar"):
    case(kind, "int32", attrs={"scalar": 2.5}, data=WHOLE)
    case(kind, "int32_real", attrs={"scalar": 2.5, "is_int": False}, data=WHOLE)

for kind in ("abs", "sign", "negative", "ceil", "floor", "fix", "trunc", "square", "cbrt", "exp", "expm1", "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh", "degrees", "radians", "erf", "sigmoid", "softsign", "relu"):
    case(kind, unknown=(0,) if kind in ("exp", "relu") else (), data=fed(2, 3, low=-3, high=3))
for kind in ("sqrt", "rsqrt", "rcbrt", "reciprocal", "log", "log2", "log10", "log1p", "gammaln"):
    case(kind, data=fed(2, 3, low=0.3, high=4))
for kind in ("arcsin", "arccos", "arctanh", "erfinv"):
    case(kind, data=fed(2, 3, low=-0.9, high=0.9))
case("arccosh", data=fed(2, 3, low=1.1, high=4))


def slope_of_gammaln(x):
    """By its series: what is left behind 200,000 terms is smaller than f32 tells."""
    places = np.arange(200000)
    return (-np.euler_gamma + (1 / (places + 1) - 1 / (places + x.astype(np.float64)[..., None])).sum(-1)).astype(np.float32)


@family.graph("digamma", change=lambda text: [node.update(op="digamma") for node in text["nodes"] if node["op"] == "gammaln"] and None, expected=lambda data: [slope_of_gammaln(data)])
def digamma(b):
    return [b.op("gammaln", b.fed("data", fed(2, 3, low=0.5, high=4)))]


case("gamma", data=fed(values=[0.5, 3, -0.5, -1.5, -2.5, 5.5]))
HALVES = fed(values=np.float32([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 8388609, 1.2, -1.2]))
case("rint", data=HALVES)
case("round", data=HALVES)
for kind in ("exp", "sqrt", "reciprocal", "sigmoid"):
    case(kind, "int32", data=fed(values=[1, 2, 5], dtype=np.int32))
case("clip", unknown=(0,), attrs={"a_min": -0.5, "a_max": 0.25}, data=fed(2, 3))
case("clip", "numbers", attrs={"a_min": "-1e-1", "a_max": "6"}, data=fed(2, 3, low=-1, high=9))
case("smooth_l1", attrs={"scalar": 2.0}, data=fed(values=[-2, -0.2, 0.1, 3]))
case("smooth_l1", "usual", data=fed(2, 3, low=-3, high=3))
case("_contrib_div_sqrt_dim", unknown=(1,), data=fed(2, 5))
case("_contrib_quadratic", attrs={"a": 2, "b": -1, "c": 0.5}, data=fed(2, 3))
case("_contrib_gradientmultiplier", attrs={"scalar": 0.5}, data=fed(2, 3))
