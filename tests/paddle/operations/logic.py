"""Comparisons, logic, bits, tests of numbers."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
TRUTH = {"Out": "bool"}
INTS, LONGS = {"dtype": np.int32, "low": -3, "high": 3}, {"dtype": np.int64, "low": -3, "high": 3}

for kind in ("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"):
    case(kind, unknown=(0,), outs=TRUTH, X=fed(values=[[0.25, 0.5, -0.25], [0.0, 0.25, 9.0]]), Y=fixed(values=[0.25, 0.25, -0.25]))
    case(kind, "int64", outs=TRUTH, X=fed(2, 6, **LONGS), Y=fed(6, **LONGS))
case("equal", "bool", outs=TRUTH, X=fed(2, 6, dtype=bool), Y=fed(6, dtype=bool))
case("equal_all", outs=TRUTH, X=fed(2, 3, **INTS), Y=fed(2, 3, **INTS))
case("equal_all", "same", outs=TRUTH, X=fed(values=[1.0, 2]), Y=fed(values=[1.0, 2]))
for kind in ("logical_and", "logical_or", "logical_xor"):
    case(kind, unknown={"X": (0,)}, outs=TRUTH, X=fed(2, 6, dtype=bool), Y=fed(6, dtype=bool))
    case(kind, "numbers", outs=TRUTH, X=fed(2, 6, **LONGS), Y=fed(2, 6, **LONGS))
case("logical_not", unknown=(0,), outs=TRUTH, X=fed(2, 6, dtype=bool))
case("logical_not", "float", outs=TRUTH, X=fed(values=[[0, 1.5], [-2, 0]]))
for kind in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    case(kind, X=fed(2, 6, dtype=np.int32, low=-99, high=99), Y=fed(6, dtype=np.int32, low=-99, high=99))
    case(kind, "int64", X=fed(2, 6, dtype=np.int64, low=-99, high=99), Y=fed(2, 6, dtype=np.int64, low=-99, high=99))
    case(kind, "bool", X=fed(2, 6, dtype=bool), Y=fed(6, dtype=bool))
case("bitwise_not", X=fed(2, 6, dtype=np.int32, low=-99, high=99))
case("bitwise_not", "uint8", X=fed(6, dtype=np.uint8, low=0, high=255))
case("bitwise_not", "bool", X=fed(2, 6, dtype=bool))
STRANGE = [[1.5, np.nan, np.inf], [-np.inf, 0, -2]]
for kind in ("isnan_v2", "isinf_v2", "isfinite_v2"):
    case(kind, unknown=(0,), outs=TRUTH, X=fed(values=STRANGE))
    case(kind, "int32", outs=TRUTH, X=fed(2, 3, **INTS))
for kind in ("isnan", "isinf"):
    case(kind, outs=TRUTH, X=fed(values=STRANGE))
case("isclose", attrs={"rtol": "1e-5", "atol": "1e-3", "equal_nan": False}, outs=TRUTH, Input=fed(values=[1.0, 1.0005, np.nan]), Other=fed(values=[1.0005, 1.02, np.nan]))
case("isclose", "equal_nan", attrs={"rtol": "0.01", "atol": "0", "equal_nan": True}, outs=TRUTH, Input=fed(values=[1.0, 1.0005, np.nan]), Other=fed(values=[1.0005, 1.02, np.nan]))
case("allclose", attrs={"rtol": "1e-5", "atol": "1e-2", "equal_nan": False}, outs=TRUTH, Input=fed(values=[1.0, 1.0005]), Other=fed(values=[1.0005, 1.002]))
case("is_empty", outs=TRUTH, X=fed(2, 3))


@family.graph("functions", unknown=(0,))
def functions(b):
    paddle = b.paddle
    x = b.fed("x", fed(2, 6))
    return [paddle.where(x > 0, x, -x), paddle.logical_and(x > 0, x < 0.5), paddle.any(x > 0.9), paddle.all(x > -2, axis=1), paddle.nan_to_num(x / paddle.abs(x)), paddle.maximum(x,
            paddle.zeros_like(x)),
            paddle.cast(x > 0.5, "float32") * x]
