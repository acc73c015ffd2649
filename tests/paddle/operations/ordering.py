"""Largest and smallest elements, sorting, different ones."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
LONG, INT = 3, 2

for kind in ("arg_max", "arg_min"):
    case(kind, unknown=(0,), attrs={"axis": 1, "dtype": LONG}, outs={"Out": "int64"}, X=fed(2, 5, 3))
    case(kind, "kept", unknown=(0,), attrs={"axis": -1, "keepdims": True, "dtype": INT}, outs={"Out": "int32"}, X=fed(2, 5))
    case(kind, "default_type", attrs={"axis": 0, "dtype": -1}, outs={"Out": "int64"}, X=fed(3, 4))
    case(kind, "flat", unknown=(0,), attrs={"axis": 0, "flatten": True, "dtype": LONG}, outs={"Out": "int64"}, X=fed(2, 5))
    case(kind, "int64", attrs={"axis": 1, "dtype": LONG}, outs={"Out": "int64"}, X=fed(2, 9, dtype=np.int64, low=-5, high=5))
    case(kind, "equal", attrs={"axis": 1, "dtype": LONG}, outs={"Out": "int64"}, X=fed(values=[[1.0, 3, 3, 1], [2, 2, 2, 2]]))
for axis in (-1, 0, 1):
    case("argsort", f"axis{axis}", unknown=(0,), attrs={"axis": axis, "descending": False}, outs={"Indices": "int64"}, X=fed(3, 5, 4))
    case("argsort", f"axis{axis}_down", attrs={"axis": axis, "descending": True}, outs={"Indices": "int64"}, X=fed(3, 5, 4))
case("argsort", "int64", attrs={"axis": -1}, outs={"Indices": "int64"}, X=fed(values=[[3, 1, 2, 7], [9, 8, -7, 6]], dtype=np.int64))
case("argsort", "indices_alone", unknown=(0, 1), attrs={"axis": 1, "descending": True}, outs={"Indices": "int64"}, take=[1], X=fed(3, 5))
for variant, attrs in (("plain", {"k": 2, "axis": -1}), ("axis", {"k": 2, "axis": 1}), ("smallest", {"k": 3, "axis": -1, "largest": False}), ("one", {"k": 1, "axis": 0})):
    case("top_k_v2", variant, unknown=(0,) if attrs["axis"] else (), attrs={"largest": True, "sorted": True, **attrs}, outs={"Indices": "int64"}, X=fed(2, 5, 4))
case("top_k_v2", "k_fed", attrs={"k": 1, "axis": -1}, outs={"Indices": "int64"}, X=fed(3, 6), K=fed(values=[3], dtype=np.int32), more={"more": {"K": np.int32([2])}})
case("top_k_v2", "k_fixed", attrs={"k": 1, "axis": -1}, outs={"Indices": "int64"}, X=fed(3, 6), K=fixed(values=[3], dtype=np.int32))
case("top_k_v2", "int64", attrs={"k": 2, "axis": -1}, outs={"Indices": "int64"}, X=fed(values=[[3, 1, 2, 7], [9, 8, -7, 6]], dtype=np.int64))
case("top_k", unknown=(0,), attrs={"k": 2}, outs={"Indices": "int64"}, X=fed(3, 5))
case("top_k", "k_fed", attrs={"k": 1}, outs={"Indices": "int64"}, X=fed(3, 6), K=fed(values=[3], dtype=np.int32))
VALUES = [3, 1, 3, 2, 1, 7]
ALL = {"Indices": "int64", "Index": "int64", "Counts": "int64"}
case("unique", attrs={"is_sorted": True, "return_index": True, "return_inverse": True, "return_counts": True, "axis": [], "dtype": LONG}, outs=ALL, X=fed(values=VALUES, dtype=np.int64))
case("unique", "float", attrs={"is_sorted": True, "return_index": True, "return_inverse": True, "return_counts": True, "axis": [], "dtype": INT}, outs={key: "int32" for key in ALL},
     X=fed(values=np.float32(VALUES) / 2))
case("unique", "matrix", attrs={"is_sorted": True, "axis": [], "dtype": LONG}, outs=ALL, take=[0], X=fed(values=[VALUES[:3], VALUES[3:]], dtype=np.float32))
case("unique", "rows", attrs={"is_sorted": True, "return_index": True, "return_inverse": True, "return_counts": True, "axis": [0], "dtype": LONG}, outs=ALL, X=fed(values=[[1, 2],
        [0, 5], [1,
                2], [0, 4]], dtype=np.float32))
case("unique", "columns", attrs={"is_sorted": True, "axis": [1], "dtype": LONG}, outs=ALL, take=[0], X=fed(values=[[1, 0, 1], [2, 5, 2]], dtype=np.float32))
case("unique", "unsorted", attrs={"is_sorted": False, "dtype": INT}, outs={"Index": "int32"}, X=fed(values=VALUES, dtype=np.int64))
case("unique_with_counts", attrs={"dtype": INT}, outs={"Index": "int32", "Count": "int32"}, X=fed(values=VALUES, dtype=np.int64))
case("unique_consecutive", attrs={"return_inverse": True, "return_counts": True, "dtype": LONG, "axis": []}, outs={"Index": "int64",
        "Counts": "int64"}, X=fed(values=[1, 1, 2, 2, 2, 1, 3], dtype=np.int64))


@family.graph("functions", unknown=(0,))
def functions(b):
    paddle = b.paddle
    x = b.fed("x", fed(3, 6))
    return [paddle.sort(x, axis=1, descending=True), paddle.argmax(x), paddle.argmin(x, axis=1, keepdim=True), paddle.topk(x, 2, axis=1)[0], paddle.argsort(x,
            axis=-1), paddle.kthvalue(x,
                    2)[0]]


@family.graph("top_k_v2_unsorted", unknown=(0,))
def unsorted(b):
    """In any order."""
    values, indices = b.op("top_k_v2", {"k": 2, "axis": -1, "largest": True, "sorted": False}, {"Indices": "int64"}, X=b.fed("x", fed(3, 5)))
    return [b.paddle.sum(values, axis=-1), b.paddle.sum(indices, axis=-1)]


@family.graph("nonzero", unknown=(0,))
def nonzero(b):
    x = b.fed("x", fed(3, 6))
    return [b.paddle.nonzero(x > 0), *b.paddle.nonzero(x > 0.25, as_tuple=True)]
