"""Functions of elements, reductions and products of MXNet's NumPy interface: comparisons give booleans, a result may have no dimensions."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__, numpy=True)
case = family.case
for kind in ("add", "subtract", "multiply", "ldexp"):
    case("_npi_" + kind, unknown={"lhs": (0,)} if kind == "add" else (), lhs=fed(2, 3, 1), rhs=fed(3, 4))
for kind in ("hypot", "arctan2"):
    case("_npi_" + kind, x1=fed(2, 3, 1), x2=fed(3, 4))
case("_npi_true_divide", lhs=fed(2, 3), rhs=fed(2, 3, low=0.5, high=2))
case("_npi_true_divide", "int32", lhs=fed(values=[7, -7, 9], dtype=np.int32), rhs=fed(values=[2, 2, -2], dtype=np.int32))
case("_npi_mod", lhs=fed(values=np.float32([7, -7, 7, -7])), rhs=fed(values=np.float32([3, 3, -3, -3])))
case("_npi_power", lhs=fed(2, 3, low=0.2, high=2), rhs=fed(2, 3))
for kind in ("and", "or", "xor"):
    case("_npi_bitwise_" + kind, lhs=fed(values=[1, 6, 7], dtype=np.int32), rhs=fed(values=[3, 3, 12], dtype=np.int32))
case("_npi_bitwise_not", x=fed(values=[1, 6, -7], dtype=np.int32))
for kind in ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"):
    case("_npi_" + kind, lhs=fed(values=[[0, 1, 2], [-1, 3, 0]]), rhs=fed(values=[[0, 2, 2]]))
    case(f"_npi_{kind}_scalar", attrs={"scalar": 2}, data=fed(values=[[0, 1, 2], [-1, 3, 0]]))
for kind in ("add", "subtract", "rsubtract", "multiply", "true_divide"):
    case(f"_npi_{kind}_scalar", unknown=(0,) if kind == "add" else (), attrs={"scalar": 0.25}, data=fed(2, 3))
for kind in ("rtrue_divide", "power", "rpower", "mod", "rmod"):
    case(f"_npi_{kind}_scalar", attrs={"scalar": 1.5}, data=fed(2, 3, low=0.5, high=2))
case("_npi_true_divide_scalar", "int32", attrs={"scalar": 2}, data=fed(values=[7, -7], dtype=np.int32))
case("_npi_multiply_scalar", "int32", attrs={"scalar": 3}, data=fed(values=[7, -7], dtype=np.int32))
case("_npi_logical_not", x=fed(values=[[0, 1, 2], [-1, 3, 0]]))
for kind in ("isnan", "isinf", "isfinite"):
    case("_npi_" + kind, x=fed(values=np.float32([1, np.inf, -np.inf, 0])))
for decimals in (0, 1, -1):
    case("_npi_around", str(decimals).replace("-", "minus"), attrs={"decimals": decimals}, x=fed(values=np.float32([0.55, 1.26, 17.4, -26.31])))
for kind in ("absolute", "sign", "negative", "ceil", "floor", "rint", "fix", "trunc", "square", "cbrt", "exp", "expm1", "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh", "degrees", "radians"):
    case("_npi_" + kind, x=fed(2, 3, low=-3, high=3))
for kind in ("sqrt", "reciprocal", "log", "log2", "log10", "log1p"):
    case("_npi_" + kind, x=fed(2, 3, low=0.3, high=4))
for kind in ("arcsin", "arccos", "arctanh"):
    case("_npi_" + kind, x=fed(2, 3, low=-0.9, high=0.9))
case("_npi_arccosh", x=fed(2, 3, low=1.1, high=4))
for kind in ("_np_sum", "_np_max", "_np_min", "_np_prod", "_npi_mean", "_npi_std", "_npi_var"):
    case(kind, a=fed(2, 3))
    case(kind, "axis", unknown=(0,), attrs={"axis": (1,), "keepdims": True}, a=fed(2, 3, 4))
case("_np_sum", "int32", attrs={"axis": (0,)}, a=fed(values=[[1, 2], [3, 4]], dtype=np.int32))
case("_npi_mean", "int32", attrs={"axis": (0,)}, a=fed(values=[[1, 2], [4, 4]], dtype=np.int32))
case("_npi_var", "ddof", attrs={"axis": (1,), "ddof": 1}, a=fed(2, 5))
for kind in ("_np_any", "_np_all"):
    case(kind, attrs={"axis": (1,)}, data=fed(values=[[0, 1, 2], [1, 3, 5], [0, 0, 0]]))
for variant, left, right in (("", (2, 3), (3, 4)), ("vectors", (3,), (3,)), ("deep", (2, 3), (4, 3, 5)), ("vector", (2, 4, 3), (3,))):
    case("_np_dot", variant, a=fed(*left), b=fed(*right))
MATRICES = fed(values=[[[1, 2], [3, 4]], [[2, 0.5], [0.25, 1]]])


@family.graph("npi_det_and_slogdet", change=lambda text: [node.update(op=node["op"].replace("_linalg_", "_npi_")) for node in text["nodes"]] and None)
def determinants(b):
    x = b.fed("data", MATRICES)
    return [b.op("_linalg_det", x)[0], *list(b.op("_linalg_slogdet", x))[:2]]




def named(kind, other, attrs=None, **inputs):
    """MXNet 2 has under another name what MXNet 1 has as an alias."""
    def change(text):
        for node in text["nodes"]:
            if node["op"] == other:
                node["op"] = kind

    @family.graph(kind.lstrip("_"), change=change)
    def build(b):
        return [b.op(other, attrs=attrs, **{slot: b.take(slot, argument) for slot, argument in inputs.items()})]


for kind in ("maximum", "minimum"):
    named("_npi_" + kind, "_" + kind, lhs=fed(2, 3), rhs=fed(2, 3))
    named(f"_npi_{kind}_scalar", f"_{kind}_scalar", attrs={"scalar": 0.25}, data=fed(2, 3))
named("_npi_clip", "clip", attrs={"a_min": -0.5, "a_max": 0.25}, data=fed(2, 3))
named("_npi_inv", "_linalg_inverse", A=MATRICES)
named("_npi_rnn_param_concat", "_rnn_param_concat", attrs={"dim": 0, "num_args": 2}, args=[fed(2, 3), fed(1, 3)])
