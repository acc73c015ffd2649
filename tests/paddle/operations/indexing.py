"""Elements by their numbers: gathering, scattering, selecting, places where something holds."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
LONG = np.int64


def longs(values, dtype=LONG):
    return fed(values=values, dtype=dtype)


for dtype in ("int32", "int64"):
    case("gather", dtype, unknown={"X": (0, 1), "Index": (0,)}, attrs={"axis": 0}, X=fed(4, 3), Index=longs([2, 0, 3], dtype))
case("gather", "axis", unknown=(0,), attrs={"axis": 1}, X=fed(2, 4, 3), Index=longs([3, 1]))
case("gather", "axis_tensor", attrs={"axis": 0}, X=fed(2, 4), Index=longs([3, 1]), Axis=fixed(values=[1], dtype=np.int32))
case("gather", "column", attrs={"axis": 0}, X=fed(4, 3), Index=longs([[2], [0]]))
case("gather", "fixed", X=fixed(5, 3), Index=longs([4, 0, 1], np.int32))
case("gather_nd", unknown={"X": (0,), "Index": (0,)}, X=fed(3, 4, 2), Index=longs([[0, 1], [2, 3]]))
case("gather_nd", "whole", X=fed(3, 4), Index=longs([[[0, 1], [2, 3]], [[1, 0], [1, 2]]]))
case("gather_nd", "rows", X=fed(3, 4), Index=longs([[2], [0]], np.int32))
case("scatter", "overwrite", unknown={"X": (0,)}, attrs={"overwrite": True}, X=fed(5, 3), Ids=longs([3, 0, 4]), Updates=fed(3, 3))
case("scatter", "add", unknown={"X": (0,)}, attrs={"overwrite": False}, X=fed(5, 3), Ids=longs([3, 0, 3]), Updates=fed(3, 3))
case("scatter", "add_once", attrs={"overwrite": False}, X=fed(5), Ids=longs([1, 1, 2], np.int32), Updates=fed(3))
case("scatter", "deep", attrs={"overwrite": True}, X=fed(4, 2, 3), Ids=longs([2, 1]), Updates=fed(2, 2, 3))
case("scatter_nd_add", unknown={"X": (0,)}, X=fed(5, 3), Index=longs([[1], [4], [1]]), Updates=fed(3, 3))
case("scatter_nd_add", "deep", X=fed(3, 4, 2), Index=longs([[[0, 1], [2, 3]], [[0, 1], [1, 1]]], np.int32), Updates=fed(2, 2, 2))
case("scatter_nd_add", "none", X=fed(3, 4), Index=fed(values=np.zeros((2, 0)), dtype=LONG), Updates=fed(2, 3, 4))
for dim in (0, 1, -1):
    case("index_select", f"dim{dim}", unknown=(0,), attrs={"dim": dim}, X=fed(3, 4, 5), Index=longs([2, 0, 2, 1]))
case("index_sample", unknown={"X": (0,), "Index": (0,)}, X=fed(2, 5), Index=longs([[0, 3, 3], [4, 1, 0]]))
case("index_sample", "int32", X=fed(2, 5, dtype=np.int32, low=-9, high=9), Index=longs([[0, 3, 3], [4, 1, 0]], np.int32))
case("index_add", attrs={"axis": 0}, X=fed(4, 3), Index=longs([2, 0, 2]), AddValue=fed(3, 3))
case("index_add", "axis", attrs={"axis": 1}, X=fed(2, 4, 3), Index=longs([1, 3], np.int32), AddValue=fed(2, 2, 3))
case("index_put", x=fed(4, 3), indices=[longs([0, 2, 3]), longs([1, 0, 2])], value=fed(3))
case("index_put", "add", attrs={"accumulate": True}, x=fed(4, 3), indices=[longs([0, 2, 0]), longs([1, 0, 1])], value=fed(3))
case("index_put", "rows", attrs={"accumulate": False}, x=fed(4, 3), indices=[longs([1, 3])], value=fed(2, 3))
case("index_put", "one_value", x=fed(4, 3), indices=[longs([0, 2]), longs([1, -1])], value=fed(1))
for axis in (0, 1):
    case("take_along_axis", f"axis{axis}", unknown={"Input": (0,), "Index": (0,)} if axis else (), attrs={"Axis": axis}, Input=fed(3, 4), Index=longs([[0, 2, 1, 0], [1, 1, 2, 2], [2, 0, 1, 3 if axis else 1]]))
case("take_along_axis", "fewer", attrs={"Axis": 1}, Input=fed(3, 4), Index=longs([[3], [0], [2]]))
case("take_along_axis", "three", attrs={"Axis": 2}, Input=fed(2, 3, 4), Index=fed(2, 3, 2, dtype=LONG, low=0, high=3))
for how in ("assign", "add", "mul", "multiply", "mean", "amax", "amin"):
    for kept in (True, False):
        if how != "assign" or kept:
            case("put_along_axis", how + "" * kept + "_alone" * (not kept), attrs={"Axis": 1, "Reduce": how, "Include_self": kept}, Input=fed(3,
                    4), Index=longs([[0, 3], [1, 2],
                            [2,
                                    1]] if how == "assign" else [[0, 0], [1, 2], [2, 2]]), Value=fed(3, 2))
case("put_along_axis", "rows", attrs={"Axis": 0, "Reduce": "assign"}, Input=fed(3, 4), Index=longs([[2, 0, 1, 1]]), Value=fed(1, 4))
case("where", unknown={"Condition": (0,), "X": (0,), "Y": (0,)}, Condition=fed(2, 3, dtype=bool), X=fed(2, 3), Y=fed(2, 3))
case("where", "int64", Condition=fed(2, 3, dtype=bool), X=fed(2, 3, dtype=LONG, low=-9, high=9), Y=fed(2, 3, dtype=LONG, low=-9, high=9))
case("where_index", unknown=(0,), outs={"Out": "int64"}, Condition=fed(3, 4, dtype=bool))
case("where_index", "one", outs={"Out": "int64"}, Condition=fed(9, dtype=bool))
case("where_index", "float", outs={"Out": "int64"}, Condition=fed(values=[[0, 1.5, 0], [-2, 0, 0.25]]))
case("where_index", "int64", outs={"Out": "int64"}, Condition=fed(2, 3, 2, dtype=LONG, low=-1, high=1))
case("masked_select", unknown={"X": (0,), "Mask": (0,)}, X=fed(3, 4), Mask=fed(3, 4, dtype=bool))
case("masked_select", "int64", X=fed(3, 4, dtype=LONG, low=-9, high=9), Mask=fed(3, 4, dtype=bool))
for variant, attrs in (("dim", {"Repeats": 2, "dim": 1}), ("first", {"Repeats": 3, "dim": 0}), ("last", {"Repeats": 2, "dim": 2})):
    case("repeat_interleave", variant, unknown=(0,), attrs=attrs, X=fed(2, 3, 4))
case("repeat_interleave", "counts_fed", attrs={"Repeats": 0, "dim": 1}, X=fed(2, 3), RepeatsTensor=longs([2, 1, 3]), more={"more": {"RepeatsTensor": np.int64([1, 4, 1])}})
for kind in ("lookup_table", "lookup_table_v2"):
    ids = longs([[1], [0], [4]]) if kind == "lookup_table" else longs([[1, 0, 4], [2, 2, 3]])
    for variant, padding in (("plain", -1), ("padded", 2), ("padded_first", 0)):
        case(kind, variant, unknown={"Ids": (0,)}, attrs={"padding_idx": padding}, outs={"Out": "float32"}, W=fixed(5, 3), Ids=ids)
case("lookup_table_v2", "int32", outs={"Out": "float32"}, attrs={"padding_idx": -1}, W=fixed(5, 3), Ids=longs([1, 4], np.int32))
case("lookup_table", "deep", outs={"Out": "float32"}, attrs={"padding_idx": -1}, W=fixed(5, 3), Ids=longs([[[1], [0]], [[4], [2]]]))
for dtype, code in (("float32", 5), ("int64", 3)):
    case("one_hot_v2", dtype, unknown=(0,), attrs={"depth": 5, "dtype": code, "allow_out_of_range": False}, outs={"Out": dtype}, X=longs([[1, 0], [4, 2]]))
case("one_hot_v2", "depth_fed", attrs={"depth": -1, "dtype": 5}, outs={"Out": "float32"}, X=longs([1, 0, 3], np.int32), depth_tensor=longs([4],
        np.int32), more={"more": {"depth_tensor": np.int32([6])}})
case("sequence_mask", unknown=(0,), attrs={"maxlen": 5, "out_dtype": 5}, outs={"Y": "float32"}, X=longs([3, 0, 5]))
case("sequence_mask", "int64", attrs={"maxlen": 4, "out_dtype": 3}, outs={"Y": "int64"}, X=longs([[3, 1], [4, 2]]))
case("sequence_mask", "longest", unknown=(0,), attrs={"maxlen": -1, "out_dtype": 0}, outs={"Y": "bool"}, X=longs([3, 0, 2]))
case("sequence_mask", "length_fed", attrs={"maxlen": -1, "out_dtype": 2}, outs={"Y": "int32"}, X=longs([3, 1]), MaxLenTensor=longs([4], np.int32))
case("shard_index", attrs={"index_num": 20, "nshards": 2, "shard_id": 0, "ignore_value": -1}, X=longs([[1], [12], [9]]))
case("gather_tree", Ids=longs([[[2, 2], [6, 1]], [[3, 9], [6, 1]], [[0, 1], [9, 0]]]), Parents=longs([[[0, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 1]]]))
case("searchsorted", attrs={"right": False, "out_int32": False}, outs={"Out": "int64"}, SortedSequence=fed(values=[1.0, 3, 5, 7]), Values=fed(values=[[0.5, 3, 6], [7, 9, 1]]))
case("searchsorted", "right", attrs={"right": True, "out_int32": True}, outs={"Out": "int32"}, SortedSequence=fed(values=[[1.0, 3, 5], [2, 2, 4]]), Values=fed(values=[[0.5, 3, 6],
        [2, 4, 3]]))
case("bincount", attrs={"minlength": 6}, outs={"Out": "int64"}, X=longs([1, 3, 1, 0]))
case("histogram", attrs={"bins": 4, "min": 0, "max": 4}, outs={"Out": "int64"}, X=fed(values=[0.5, 1.5, 1.6, 3.9, 4.0, 2.5]))
