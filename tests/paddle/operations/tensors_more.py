"""Forms of operators on tensors that are seldom written: axes in turn, limits beyond the data, values with other axes, equal elements."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
BOOL, INT, LONG, FLOAT = 0, 2, 3, 5


def longs(values, dtype=np.int64):
    return fed(values=values, dtype=dtype)


case("unsqueeze2", "in_turn", unknown=(0,), attrs={"axes": [-1, 0]}, X=fed(2, 3))
case("unsqueeze2", "in_turn_twice", attrs={"axes": [1, 1, -1]}, X=fed(2, 3))
case("flatten_contiguous_range", "scalar", attrs={"start_axis": 0, "stop_axis": -1}, X=fed(values=1.5))
case("reshape2", "empty_list_fed", attrs={"shape": [2, -1]}, X=fed(2, 3, 2), Shape=longs([4, 0, -1]), more={"more": {"Shape": np.int64([-1, 3, 1])}})
case("expand_as_v2", "open", unknown={"X": (1,), "Y": (0, 2)}, attrs={"target_shape": [-1, 3, -1]}, X=fed(3, 1), Y=fed(2, 3, 4))
for variant, start, stop, step in (("beyond", -1, -10, -1), ("beyond_two", -1, -6, -2), ("whole", 3, -1, -1), ("to_first", 3, 0, -1), ("from_beyond", 10, 0, -1)):
    case("strided_slice", variant, unknown=(0,), attrs={"axes": [0], "starts": [start], "ends": [stop], "strides": [step], "infer_flags": [1]}, Input=fed(5, 2))
case("strided_slice", "backwards_fed", unknown=(0,), attrs={"axes": [0], "starts": [-1], "ends": [-1], "strides": [-1], "infer_flags": [-1]}, Input=fed(6, 2), StartsTensor=longs([4], np.int32), EndsTensor=longs([1], np.int32),
     StridesTensor=longs([-2], np.int32), more={"more": {"EndsTensor": np.int32([-1]), "StridesTensor": np.int32([-1])}})
case("slice", "mixed_types", attrs={"axes": [0, 1], "starts": [-1, -1], "ends": [3, 4], "infer_flags": [-1, -1], "decrease_axis": []}, Input=fed(3, 4), StartsTensorList=[longs([1], np.int32), fixed(values=[2], dtype=np.int64)])


def put(variant, unknown=(), x=fed(4, 5, 6), value=None, **attrs):
    slots = {} if value is None else {"ValueTensor": value}
    given = {"axes": [], "starts": [], "ends": [], "steps": [], "decrease_axes": [], "none_axes": [], "dtype": FLOAT, "shape": []}
    case("set_value", variant, unknown=unknown, attrs={**given, **attrs}, Input=x, **slots)


put("tail_of_value", unknown=(0,), value=fed(6), axes=[1], starts=[-2], ends=[2147483647], steps=[1])
put("middle_dropped", unknown=(2,), value=fed(4, 6), axes=[1], starts=[-1], ends=[2147483647], steps=[1], decrease_axes=[1])
put("first_dropped", value=fed(2, 1), axes=[0, 1], starts=[2, 1], ends=[3, 3], steps=[1, 1], decrease_axes=[0])
put("two_dropped", value=fed(6), axes=[0, 1], starts=[2, 1], ends=[3, 2], steps=[1, 1], decrease_axes=[0, 1])
put("added_behind", value=fed(2, 6, 1), axes=[0, 1], starts=[2, 1], ends=[3, 3], steps=[1, 1], decrease_axes=[0], none_axes=[3])
put("whole_axis_of_two", value=fed(4, 5, 1), axes=[0, 2], starts=[0, 5], ends=[2147483647, -1], steps=[1, -1])
put("doubles", x=fed(3, 4, dtype=np.float64), axes=[0], starts=[0], ends=[2], steps=[1], dtype=6, shape=[1], values=[0.25])
case("index_put", "add_rows", attrs={"accumulate": True}, x=fed(4, 3), indices=[longs([[1, 3], [1, -4]])], value=fed(3))
case("index_put", "mask", x=fed(4, 3), indices=[fed(values=[True, False, True, False], dtype=bool)], value=fed(2, 3))
case("index_put", "mask_of_all", unknown={"x": (0,), "indices0": (0,)}, x=fed(4, 3), indices=[fed(4, 3, dtype=bool)], value=fed(1))
case("index_put", "broadcast", x=fed(4, 3, 2), indices=[longs([[0], [2]]), longs([1, 0, 2])], value=fed(2, 3, 2))
case("masked_select", "rows_of_mask", X=fed(3, 4), Mask=fed(4, dtype=bool))
case("masked_select", "column_of_mask", X=fed(3, 4), Mask=fed(values=[[True], [False], [True]], dtype=bool))
case("scatter", "column", attrs={"overwrite": False}, X=fed(5, 3), Ids=longs([[3], [0], [3]]), Updates=fed(3, 3))
case("scatter_nd_add", "int64", X=fed(5, dtype=np.int64, low=-9, high=9), Index=longs([[1], [4], [1]]), Updates=fed(3, dtype=np.int64, low=-9, high=9))
for variant, attrs in (("columns", {"axis": [1]}), ("rows", {"axis": [0]}), ("flat", {"axis": []})):
    case("unique_consecutive", variant, attrs={"return_inverse": True, "return_counts": True, "dtype": INT, **attrs}, outs={"Index": "int32", "Counts": "int32"}, X=fed(values=[[1.0, 1, 2, 2], [1, 1, 2, 3], [1, 1, 2, 3]]))
case("diag_embed", "turned", attrs={"offset": 1, "dim1": 2, "dim2": 0}, Input=fed(3, 2))
case("diagonal", "turned", unknown=(0, 1), attrs={"offset": 1, "axis1": 2, "axis2": 0}, Input=fed(2, 3, 4))
case("fill_diagonal_tensor", "turned", attrs={"offset": 1, "dim1": 2, "dim2": 0}, X=fed(4, 2, 3), Y=fed(2, 3))
for variant, shape, offset, wrap in (("wrapped", (7, 3), 0, True), ("tall", (7, 3), 1, False), ("wide", (2, 4), -1, False), ("deep", (3, 3, 3), 0, False)):
    case("fill_diagonal", variant, attrs={"value": 2.0, "offset": offset, "wrap": wrap}, X=fed(*shape))
case("fill_diagonal", "int64", attrs={"value": 7.0, "offset": 0, "wrap": False}, X=fed(3, 3, dtype=np.int64, low=-9, high=9))
case("mode", "equal_first", unknown=(0,), attrs={"axis": 0, "keepdim": False}, outs={"Indices": "int64"}, X=fed(values=[[1.0, 4], [2, 4], [2, 1], [1, 2]]))
case("kthvalue", "kept", unknown=(1,), attrs={"k": 3, "axis": 0, "keepdim": True}, outs={"Indices": "int64"}, X=fed(5, 2))
case("cummax", "equal", attrs={"axis": 0, "dtype": LONG}, outs={"indices": "int64"}, x=fed(values=[1.0, 3, 2, 3, 5, 0]))
case("cummin", "int32", attrs={"axis": 0, "dtype": INT}, outs={"indices": "int32"}, x=fed(values=[3, 1, 2, 1, 5], dtype=np.int32))
case("argsort", "equal", attrs={"axis": -1, "descending": True}, outs={"Indices": "int64"}, X=fed(values=[[1.0, 2, 2, 3, 1], [4, 4, 4, 1, 2]]))
case("argsort", "scalar", attrs={"axis": -1}, outs={"Indices": "int64"}, X=fed(values=1.5))
case("arg_max", "flat_kept", unknown=(0,), attrs={"axis": 0, "flatten": True, "keepdims": True, "dtype": -1}, outs={"Out": "int64"}, X=fed(2, 3))
case("bincount", "weights", attrs={"minlength": 6}, X=longs([1, 3, 1]), Weights=fed(3), outs={"Out": "float32"})
case("histogram", "of_data", attrs={"bins": 4, "min": 0, "max": 0}, outs={"Out": "int64"}, X=fed(3, 5, low=-3, high=9))
case("histogram", "int64", attrs={"bins": 4, "min": 1, "max": 4}, outs={"Out": "int64"}, X=longs([[1, 8, 2, 3, 7], [4, 4, 4, 1, 2]]))
case("partial_concat", attrs={"start_index": -2, "length": 1}, X=[fed(2, 3), fed(2, 3)])
case("partial_concat", "whole", attrs={"start_index": 1, "length": -1}, X=[fed(2, 3), fed(2, 3)])
case("partial_sum", attrs={"start_index": 1, "length": 2}, X=[fed(2, 4), fed(2, 4)])
case("multiplex", unknown={"Ids": (0,)}, X=[fed(3, 2), fed(3, 2)], Ids=longs([[1], [0], [1]], np.int32))
case("label_smooth", attrs={"epsilon": 0.2}, X=fed(2, 5))
case("label_smooth", "prior", attrs={"epsilon": 0.2}, X=fed(2, 3), PriorDist=fed(1, 3))
case("isclose", attrs={"rtol": "0.01", "atol": "0.001", "equal_nan": True}, outs={"Out": "bool"}, Input=fed(values=[1.0, 1.0, np.nan, np.inf, 0.0]), Other=fed(values=[1.005, 1.05, np.nan, np.inf, 0.0005]))
case("allclose", attrs={"rtol": "0.01", "atol": "0.001", "equal_nan": False}, outs={"Out": "bool"}, Input=fed(values=[1.0, 2.0]), Other=fed(values=[1.005, 2.0]))
case("equal_all", outs={"Out": "bool"}, X=longs([1, 2, 3]), Y=longs([1, 2, 3]))
case("equal_all", "other_shape", outs={"Out": "bool"}, X=longs([1, 2, 3]), Y=longs([1, 2]))
case("is_empty", outs={"Out": "bool"}, X=fed(2, 3))
case("squared_l2_norm", X=fed(2, 3))
case("l1_norm", X=fed(2, 3))
case("linspace", "half_open", attrs={"dtype": FLOAT}, Start=fed(values=[-1.0]), Stop=fixed(values=[2.0]), Num=fixed(values=[5], dtype=np.int32))
case("linspace", "downwards", attrs={"dtype": INT}, outs={"Out": "int32"}, Start=fed(values=[7], dtype=np.int32), Stop=fed(values=[-4], dtype=np.int32), Num=longs([6], np.int32), more={"more": {"Num": np.int32([1])}})
case("linspace", "fixed", attrs={"dtype": LONG}, outs={"Out": "int64"}, Start=fixed(values=[-3], dtype=np.int64), Stop=fixed(values=[8], dtype=np.int64), Num=fixed(values=[6], dtype=np.int32))
case("fill_constant", "exponent", attrs={"shape": [2], "value": 0.0, "str_value": "-1.5e3", "dtype": FLOAT})
case("fill_constant", "value_of_other_type", attrs={"shape": [], "value": 0.0, "dtype": LONG}, outs={"Out": "int64"}, ValueTensor=longs([3]))
case("renorm", attrs={"p": 2.0, "axis": 0, "max_norm": 1.0}, X=fed(values=[[1.0, 2, 8], [0.1, 0.2, 0.1]]))


def former(expected):
    """As before 2.5: what has no dimensions is declared with one."""
    def change(desc):
        for var in desc["blocks"][0]["vars"]:
            tensor = var["type"].get("lod_tensor", {}).get("tensor")
            if tensor is not None and not tensor.get("dims"):
                tensor["dims"] = [1]
    return {"change": change, "expected": expected}


case("reduce_sum", "former", attrs={"dim": [0], "keep_dim": False, "reduce_all": True}, X=fed(2, 3), more=former(lambda X: [X.sum().reshape(1)]))
case("mean", "former", X=fed(2, 3), more=former(lambda X: [X.mean().reshape(1)]))
case("slice", "former", attrs={"axes": [0], "starts": [-2], "ends": [-1], "infer_flags": [1], "decrease_axis": [0]}, Input=fed(4), more=former(lambda Input: [Input[2:3]]))
case("slice", "former_two", attrs={"axes": [0, 1], "starts": [1, 2], "ends": [2, 3], "infer_flags": [1, 1], "decrease_axis": [0, 1]}, Input=fed(3, 4), more=former(lambda Input: [Input[1, 2:3]]))
case("p_norm", "former", attrs={"porder": 2.0, "axis": -1, "keepdim": False, "asvector": True}, X=fed(2, 3), more=former(lambda X: [np.linalg.norm(X).astype(np.float32).reshape(1)]))
case("size", "former", outs={"Out": "int64"}, Input=fed(2, 3), more=former(lambda Input: [np.int64([6])]))
case("arg_max", "former", attrs={"axis": 0, "flatten": True, "dtype": -1}, outs={"Out": "int64"}, X=fed(2, 3), more=former(lambda X: [np.int64([X.argmax()])]))
case("reduce_max", "axes_of_two_kinds", unknown=(0, 2), attrs={"dim": [-1, 0], "keep_dim": False, "reduce_all": False}, X=fed(2, 3, 4))
case("logsumexp", "none", attrs={"axis": [], "keepdim": False}, X=fed(2, 3))


@family.graph("variables_for_attributes", unknown=(0,))
def variables(b):
    """Attributes of which a variable says the value."""
    paddle = b.paddle
    x = b.fed("x", fed(2, 3, 4))
    one, two = paddle.full([1], 1, "int32"), paddle.full([1], 2, "int64")
    return [paddle.squeeze(x.unsqueeze(1), axis=one), paddle.sum(x, axis=[one, paddle.full([1], 2, "int32")]), paddle.argmax(x, axis=two), paddle.split(x, 2, axis=two)[1], paddle.concat([x, x], axis=one), paddle.topk(x, two)[0]]
