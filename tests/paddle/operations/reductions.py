"""Reductions over axes that are listed, counted from the end, all, or none; norms and distances; sums that run."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case
BOOL, FLOAT, INT, LONG = 0, 5, 2, 3

for kind in ("sum", "mean", "max", "min", "prod", "amax", "amin"):
    name, every = "reduce_" + kind, [0, 1, 2] if kind.startswith("a") else [0]  # amax and amin go by their list
    case(name, unknown=(0,), attrs={"dim": [1], "keep_dim": False, "reduce_all": False}, X=fed(2, 3, 4))
    case(name, "keep", unknown=(0, 1, 2), attrs={"dim": [-1, 1], "keep_dim": True, "reduce_all": False}, X=fed(2, 3, 4))
    case(name, "all", unknown=(0,), attrs={"dim": every, "keep_dim": False, "reduce_all": True}, X=fed(2, 3, 4))
    case(name, "all_kept", attrs={"dim": every, "keep_dim": True, "reduce_all": True}, X=fed(2, 3, 4))
for kind in ("sum", "max", "min", "prod"):
    case("reduce_" + kind, "int64", attrs={"dim": [0]}, X=fed(2, 3, dtype=np.int64, low=-9, high=9))
    case("reduce_" + kind, "int32", attrs={"dim": [1], "in_dtype": INT, "out_dtype": INT}, X=fed(2, 3, dtype=np.int32, low=-9, high=9))
case("reduce_sum", "bool_to_int64", attrs={"dim": [1], "in_dtype": BOOL, "out_dtype": LONG}, outs={"Out": "int64"}, X=fed(2, 6, dtype=bool))
case("reduce_sum", "int32_to_int64", attrs={"dim": [1], "in_dtype": INT, "out_dtype": LONG}, outs={"Out": "int64"}, X=fed(2, 6, dtype=np.int32, low=-9, high=9))
case("reduce_mean", "five", unknown=(0,), attrs={"dim": [2, 4], "keep_dim": False}, X=fed(2, 3, 2, 2, 3))
for kind in ("all", "any"):
    case("reduce_" + kind, unknown=(0,), attrs={"dim": [1]}, outs={"Out": "bool"}, X=fed(2, 2, 4, dtype=bool))
    case("reduce_" + kind, "whole", attrs={"dim": [0], "reduce_all": True}, outs={"Out": "bool"}, X=fed(2, 3, dtype=bool))
    case("reduce_" + kind, "kept", attrs={"dim": [0, -1], "keep_dim": True}, outs={"Out": "bool"}, X=fed(2, 2, 3, dtype=bool))
case("mean", unknown=(0,), X=fed(2, 3, 4))
for variant, attrs in (("plain", {"axis": [1]}), ("kept", {"axis": [0, -1], "keepdim": True}), ("all", {"axis": [0], "reduce_all": True})):
    case("logsumexp", variant, unknown=(0,), attrs=attrs, X=fed(2, 3, 4, low=-4, high=4))
for variant, attrs in (("plain", {"dim": [1, 2]}), ("kept", {"dim": [-2, -1], "keep_dim": True}), ("all", {"dim": [0, 1], "reduce_all": True})):
    case("frobenius_norm", variant, unknown=(0,), attrs=attrs, X=fed(2, 3, 4))
for order in (2.0, 1.0, 0.0, 3.0, 0.5, float("inf"), float("-inf")):
    case("p_norm", f"{order:g}", unknown=(0,), attrs={"porder": order, "axis": 1, "epsilon": 1e-12, "keepdim": False, "asvector": False}, X=fed(2, 3, 4, low=0.1))
case("p_norm", "kept", attrs={"porder": 2.0, "axis": -1, "keepdim": True}, X=fed(2, 3, 4))
case("p_norm", "vector", attrs={"porder": 3.0, "axis": -1, "keepdim": False, "asvector": True}, X=fed(2, 3, 4, low=0.1))
case("p_norm", "zeros", attrs={"porder": 0.0, "axis": -1, "keepdim": False}, X=fed(values=[[0, 1.5, 0, -2], [0, 0, 0, 3]]))
for order in (2.0, 1.0, 0.0, 3.0, float("inf"), float("-inf")):
    case("dist", f"{order:g}", attrs={"p": order}, X=fed(2, 3, 4), Y=fed(3, 4))
for variant, attrs in (("plain", {"axis": 1}), ("last", {"axis": -1}), ("exclusive", {"axis": 1, "exclusive": True}), ("reverse", {"axis": 1, "reverse": True}), ("both",
        {"axis": 0,
                "exclusive": True, "reverse": True}),
                       ("flat", {"flatten": True})):
    case("cumsum", variant, unknown=(0,), attrs=attrs, X=fed(2, 3, 4))
    case("logcumsumexp", variant, attrs=attrs, X=fed(2, 3, 4))
case("cumsum", "int64", attrs={"axis": 1}, X=fed(2, 3, dtype=np.int64, low=-9, high=9))
case("cumsum", "int32", attrs={"axis": 0}, X=fed(4, 3, dtype=np.int32, low=-9, high=9))
for dim in (1, -1, 0):
    case("cumprod", f"dim{dim}", unknown=(0,), attrs={"dim": dim}, X=fed(2, 3, 4))
for kind in ("cummax", "cummin"):
    case(kind, attrs={"axis": 1, "dtype": LONG}, outs={"indices": "int64"}, x=fed(2, 5))
    case(kind, "int32", attrs={"axis": -1, "dtype": INT}, outs={"indices": "int32"}, x=fed(2, 5))
case("trace", attrs={"offset": 0, "axis1": 0, "axis2": 1}, Input=fed(3, 4))
case("trace", "offset", unknown=(0,), attrs={"offset": 1, "axis1": 1, "axis2": 2}, Input=fed(2, 3, 4))
case("trace", "crossed", attrs={"offset": -1, "axis1": 2, "axis2": 0}, Input=fed(3, 2, 4))
case("kthvalue", attrs={"k": 2, "axis": 1, "keepdim": False}, outs={"Indices": "int64"}, X=fed(2, 5))
case("mode", attrs={"axis": -1, "keepdim": True}, outs={"Indices": "int64"}, X=fed(values=[[1, 2, 2, 3, 1], [4, 4, 4, 1, 2]], dtype=np.float32))


@family.graph("functions", unknown=(0, 1))
def functions(b):
    """Functions of paddle that are made of others."""
    paddle = b.paddle
    x = b.fed("x", fed(3, 4, 5))
    return [paddle.std(x, axis=1), paddle.var(x, axis=-1, unbiased=False, keepdim=True), paddle.mean(x), paddle.sum(x, axis=[0, 2]), paddle.norm(x, p="fro"), paddle.norm(x, p=2,
            axis=1), paddle.logsumexp(x, axis=[1, 2]), paddle.count_nonzero(paddle.nn.functional.relu(x), axis=1), paddle.nansum(x, axis=0), paddle.nanmean(x, axis=1), paddle.diff(x, axis=2)]


@family.graph("axes_are_fed", unknown=(0,))
def fed_axes(b):
    """The axis is a variable in an attribute's place."""
    x = b.fed("x", fed(2, 3, 4))
    axis = b.paddle.full([1], 1, "int32")
    return [b.paddle.sum(x, axis=axis), b.paddle.mean(x, axis=[axis, b.paddle.full([1], 2, "int32")], keepdim=True), b.paddle.cumsum(x, axis=axis), b.paddle.max(x, axis=axis)]


@family.graph("scalar")
def scalar(b):
    """A tensor without dimensions."""
    x = b.fed("x", fed(values=1.5))
    return [b.paddle.sum(x), b.paddle.max(x), b.paddle.mean(x), b.paddle.cumsum(x)]
