"""Tensors of given numbers, of ranges, of shapes that are fed; random ones."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
FLOAT, INT, LONG, BOOL, DOUBLE = 5, 2, 3, 0, 6


def ints(*values, dtype=np.int32):
    return fed(values=list(values), dtype=dtype)


for dtype, code in (("float32", FLOAT), ("int32", INT), ("int64", LONG), ("bool", BOOL), ("float64", DOUBLE)):
    case("fill_constant", dtype, attrs={"shape": [2, 3], "value": 1.0, "dtype": code}, outs={"Out": dtype})
    case("fill_any_like", dtype, attrs={"value": 1.0, "dtype": code}, outs={"Out": dtype}, unknown=(0,), X=fed(2, 3))
case("fill_constant", "text", attrs={"shape": [2], "value": 0.0, "str_value": "16777217", "dtype": LONG}, outs={"Out": "int64"})
case("fill_constant", "text_float", attrs={"shape": [2], "value": 1.0, "str_value": "-2.5", "dtype": FLOAT})
case("fill_constant", "scalar", attrs={"shape": [], "value": 2.5, "dtype": FLOAT})
case("fill_constant", "shape_fed", attrs={"shape": [-1, -1], "value": 2.5, "dtype": FLOAT}, ShapeTensor=ints(2, 3), more={"more": {"ShapeTensor": np.int32([4, 1])}})
case("fill_constant", "shape_fed_int64", attrs={"shape": [-1, -1], "value": 2.5, "dtype": FLOAT}, outs={"Out": "float32"}, ShapeTensor=ints(2, 3, dtype=np.int64))
case("fill_constant", "shape_list", attrs={"shape": [-1, 3], "value": 7.0, "dtype": LONG}, outs={"Out": "int64"}, ShapeTensorList=[ints(2),
        fixed(values=[3],
                dtype=np.int32)], more={"more": {"ShapeTensorList0": np.int32([5])}})
case("fill_constant", "value_fed", attrs={"shape": [2, 3], "value": 0.0, "dtype": FLOAT}, ValueTensor=fed(1))
case("fill_constant_batch_size_like", unknown=(0,), attrs={"shape": [-1, 3], "value": 1.5, "dtype": FLOAT, "input_dim_idx": 0, "output_dim_idx": 0}, Input=fed(2, 4))
case("fill_constant_batch_size_like", "other", unknown=(0, 1), attrs={"shape": [3, -1, 2], "value": 2.0, "dtype": LONG, "input_dim_idx": 1,
        "output_dim_idx": 1}, outs={"Out": "int64"}, Input=fed(2, 4))
case("fill_any_like", "same", attrs={"value": 2.5, "dtype": -1}, X=fed(2, 3))
case("fill_zeros_like2", attrs={"dtype": FLOAT}, X=fed(2, 3))
case("assign_value", "float", attrs={"shape": [2, 3], "dtype": FLOAT, "fp32_values": [0.5, -1, 2, 3, 4, 5.25]}, outs={"Out": "float32"})
case("assign_value", "int32", attrs={"shape": [3], "dtype": INT, "int32_values": [1, -2, 3]}, outs={"Out": "int32"})
case("assign_value", "int64", attrs={"shape": [1, 3], "dtype": LONG, "int64_values": [1, -2, 2 ** 40]}, outs={"Out": "int64"})
case("assign_value", "bool", attrs={"shape": [3], "dtype": BOOL, "bool_values": [1, 0, 1]}, outs={"Out": "bool"})
for dtype in ("float32", "int32", "int64"):
    case("range", dtype, Start=fed(values=[2], dtype=dtype), End=fed(values=[9], dtype=dtype), Step=fed(values=[3], dtype=dtype))
case("range", "down", Start=fixed(values=[5.0]), End=fed(values=[-1.5]), Step=fixed(values=[-1.5]), more={"more": {"End": np.float32([-4])}})
case("linspace", attrs={"dtype": FLOAT}, Start=fed(values=[-1.0]), Stop=fed(values=[2.0]), Num=fixed(values=[7], dtype=np.int32))
case("linspace", "one", attrs={"dtype": FLOAT}, Start=fed(values=[-1.0]), Stop=fed(values=[2.0]), Num=fixed(values=[1], dtype=np.int32))
case("linspace", "int64", attrs={"dtype": LONG}, outs={"Out": "int64"}, Start=fed(values=[0], dtype=np.int64), Stop=fed(values=[10], dtype=np.int64), Num=fixed(values=[6], dtype=np.int32))
case("linspace", "count_fed", attrs={"dtype": FLOAT}, Start=fixed(values=[0.0]), Stop=fixed(values=[1.0]), Num=ints(5))
case("logspace", attrs={"dtype": FLOAT}, Start=fed(values=[0.0]), Stop=fed(values=[2.0]), Num=fixed(values=[5], dtype=np.int32), Base=fixed(values=[3.0]))
case("eye", attrs={"num_rows": 3, "num_columns": 4, "dtype": FLOAT})
case("eye", "int64", attrs={"num_rows": 3, "num_columns": -1, "dtype": LONG}, outs={"Out": "int64"})
for offset in (0, 1, -2):
    case("diag_v2", f"vector{offset}", attrs={"offset": offset, "padding_value": 0.5}, X=fed(3))
    case("diag_v2", f"matrix{offset}", attrs={"offset": offset}, X=fed(3, 4))
    case("diag_embed", f"offset{offset}", attrs={"offset": offset, "dim1": -2, "dim2": -1}, Input=fed(2, 3))
    case("diagonal", f"offset{offset}", attrs={"offset": offset, "axis1": 0, "axis2": 1}, Input=fed(4, 4, 2))
case("diag_embed", "crossed", attrs={"offset": 0, "dim1": 0, "dim2": 2}, Input=fed(2, 3))
case("diagonal", "crossed", attrs={"offset": 1, "axis1": 2, "axis2": 1}, Input=fed(2, 3, 4))
case("tril_indices", attrs={"rows": 3, "cols": 4, "offset": 1, "dtype": LONG}, outs={"out": "int64"})
case("triu_indices", attrs={"row": 3, "col": 4, "offset": -1, "dtype": LONG}, outs={"out": "int64"})
case("empty", attrs={"shape": [2, 3], "dtype": FLOAT}, more={"random": True})
RANDOM = {"random": True}
case("uniform_random", attrs={"shape": [2, 3], "min": -1.0, "max": 2.0, "seed": 3, "dtype": FLOAT}, more=RANDOM)
case("uniform_random", "shape_fed", attrs={"shape": [2, 3], "dtype": FLOAT}, outs={"Out": "float32"}, ShapeTensor=ints(2, 3, dtype=np.int64), more=RANDOM)
case("gaussian_random", attrs={"shape": [2, 3], "mean": 1.0, "std": 0.5, "dtype": FLOAT}, more=RANDOM)
case("truncated_gaussian_random", attrs={"shape": [2, 3], "dtype": FLOAT}, more=RANDOM)
case("uniform_random_batch_size_like", unknown=(0,), attrs={"shape": [-1, 3], "dtype": FLOAT}, Input=fed(2, 4), more=RANDOM)
case("randint", attrs={"shape": [2, 3], "low": 0, "high": 5, "dtype": LONG}, outs={"Out": "int64"}, more=RANDOM)
case("randperm", attrs={"n": 5, "dtype": LONG}, outs={"Out": "int64"}, more=RANDOM)
case("bernoulli", X=fed(2, 3, low=0), more=RANDOM)
case("multinomial", attrs={"num_samples": 2, "replacement": True}, outs={"Out": "int64"}, X=fed(2, 4, low=0), more=RANDOM)
case("multinomial", "one_sure", attrs={"num_samples": 1, "replacement": False}, outs={"Out": "int64"}, X=fed(values=[[0.0, 0, 1, 0], [1, 0, 0, 0]]))
case("sampling_id", outs={"Out": "int64"}, X=fed(2, 4, low=0), more=RANDOM)
case("bernoulli", "sure", X=fed(values=[[0.0, 1, 1], [1, 0, 0]]))
