"""Shapes: reshaping, transposing, dimensions of one, expanding, joining and taking apart, with sizes that are fed."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case


def ints(*values, dtype=np.int32):
    return fed(values=list(values), dtype=dtype)


for kind in ("reshape", "reshape2"):
    case(kind, unknown=(0,), attrs={"shape": [-1, 6]}, X=fed(2, 3, 4))
    case(kind, "zeros", unknown=(0, 1, 2), attrs={"shape": [0, 0, 2, -1]}, X=fed(2, 3, 4))
    case(kind, "shape_fed", attrs={"shape": [1, -1]}, more={"more": {"Shape": np.int32([3, 8])}}, X=fed(2, 3, 4), Shape=ints(4, -1))
    case(kind, "shape_list", attrs={"shape": [-1, -1]}, X=fed(2, 3, 4), ShapeTensor=[ints(4), fixed(values=[6], dtype=np.int32)])
case("reshape2", "int64", attrs={"shape": [3, 2]}, X=fed(2, 3, dtype=np.int64, low=-9, high=9))
case("reshape2", "scalar", attrs={"shape": []}, X=fed(1))
for kind in ("transpose", "transpose2"):
    case(kind, unknown=(0, 1), attrs={"axis": [1, 0, 2]}, X=fed(2, 3, 4))
    case(kind, "four", unknown=(0, 2, 3), attrs={"axis": [0, 2, 3, 1]}, X=fed(2, 3, 4, 5))
    case(kind, "last_negative", attrs={"axis": [-1, 0, 1]}, X=fed(2, 3, 4))
for variant, shape, axes in (("one", (2, 1, 4), [1]), ("negative", (1, 3, 1), [-1, 0]), ("all", (1, 3, 1, 2), []), ("not_one", (2, 1, 3), [0, 1])):
    case("squeeze2", variant, unknown=(0,) if variant in ("one",) else (), attrs={"axes": axes}, X=fed(*shape))
case("squeeze2", "unknown_not_one", unknown=(0,), attrs={"axes": [1]}, X=fed(2, 1, 1, 3))
for variant, axes in (("one", [1]), ("negative", [-1]), ("several", [0, 2, -1]), ("first", [0])):
    case("unsqueeze2", variant, unknown=(0,), attrs={"axes": axes}, X=fed(2, 3))
case("unsqueeze2", "axes_fed", attrs={"axes": []}, X=fed(2, 3), AxesTensor=fixed(values=[0, 2], dtype=np.int32))
case("unsqueeze2", "axes_list", attrs={"axes": []}, X=fed(2, 3), AxesTensorList=[fixed(values=[1], dtype=np.int32), fixed(values=[3], dtype=np.int32)])
for start, stop in ((1, -1), (0, 1), (1, 2), (0, -1), (-2, -1)):
    case("flatten_contiguous_range", f"{start}_{stop}", unknown=(0, 3), attrs={"start_axis": start, "stop_axis": stop}, X=fed(2, 3, 4, 5))
for axis in (0, 1, 2):
    case("flatten2", f"{axis}", unknown=(0,), attrs={"axis": axis}, X=fed(2, 3, 4))
case("expand_v2", unknown=(0,), attrs={"shape": [-1, 5, 4]}, X=fed(2, 1, 4))
case("expand_v2", "more", attrs={"shape": [2, 3, 4]}, X=fed(3, 1))
case("expand_v2", "shape_fed", attrs={"shape": [-1, -1, -1]}, more={"more": {"Shape": np.int32([5, 3, 2])}}, X=fed(3, 1), Shape=ints(2, 3, 4))
case("expand_v2", "shape_list", attrs={"shape": [-1, 3, -1]}, X=fed(1, 3, 1), expand_shapes_tensor=[ints(2), fixed(values=[3], dtype=np.int32), ints(4)])
case("expand_v2", "bool", attrs={"shape": [2, 3]}, X=fed(1, 3, dtype=bool))
case("expand_as_v2", attrs={"target_shape": [2, 3, 4]}, X=fed(1, 4), Y=fed(2, 3, 4))
case("expand_as_v2", "open", unknown={"Y": (0, 1)}, attrs={"target_shape": [-1, -1, 4]}, X=fed(1, 4), Y=fed(2, 3, 4))
case("expand_as_v2", "shape_alone", attrs={"target_shape": [2, 3, 4]}, X=fed(3, 1))
case("expand", unknown=(0,), attrs={"expand_times": [2, 1, 3]}, X=fed(1, 3, 2))
case("expand", "times_list", attrs={"expand_times": [-1, -1]}, X=fed(2, 3), expand_times_tensor=[ints(2), fixed(values=[3], dtype=np.int32)])
case("tile", unknown=(0,), attrs={"repeat_times": [2, 1, 3]}, X=fed(1, 3, 2))
case("tile", "more", attrs={"repeat_times": [2, 2, 3]}, X=fed(3, 2))
case("tile", "fewer", unknown=(0,), attrs={"repeat_times": [2]}, X=fed(3, 2))
case("tile", "times_fed", attrs={"repeat_times": [-1, -1]}, more={"more": {"RepeatTimes": np.int32([3, 1])}}, X=fed(2, 3), RepeatTimes=ints(2, 2))
case("tile", "times_list", attrs={"repeat_times": [-1, -1]}, X=fed(2, 3), repeat_times_tensor=[ints(2), fixed(values=[3], dtype=np.int32)])
for variant, attrs, count in (("num", {"num": 3, "axis": 1}, 3), ("sections", {"sections": [1, 2, 3], "axis": 1}, 3), ("rest", {"sections": [2, -1, 1], "axis": 2}, 3), ("one",
        {"num": 1,
                "axis": 0}, 1)):
    case("split", variant, unknown=(0,), attrs=attrs, outs={"Out": count}, X=fed(2, 6, 6))
case("split", "open", unknown=(1,), attrs={"num": 2, "axis": 1}, outs={"Out": 2}, X=fed(2, 4), more={"more": {"X": np.arange(12, dtype=np.float32).reshape(2, 6)}})
case("split", "sections_list", attrs={"sections": [-1, -1], "axis": 1}, outs={"Out": 2}, X=fed(2, 6), SectionsTensorList=[fixed(values=[2], dtype=np.int32),
        fixed(values=[4], dtype=np.int32)])
case("split", "axis_tensor", attrs={"num": 2, "axis": 0}, outs={"Out": 2}, X=fed(2, 6), AxisTensor=fixed(values=[1], dtype=np.int32))
for axis in (0, 1, -1):
    case("concat", f"axis{axis}", unknown={"X0": (0,), "X1": (0,)}, attrs={"axis": axis}, X=[fed(2, 3, 4), fed(2, 3, 4)])
case("concat", "three", attrs={"axis": 1}, X=[fed(2, 3), fixed(2, 2), fed(2, 1)])
case("concat", "one", attrs={"axis": 0}, X=[fed(2, 3)])
case("concat", "int64", attrs={"axis": 0}, X=[fed(2, 3, dtype=np.int64, low=-9, high=9), fed(1, 3, dtype=np.int64, low=-9, high=9)])
case("concat", "axis_tensor", attrs={"axis": 0}, X=[fed(2, 3), fed(2, 2)], AxisTensor=fixed(values=[1], dtype=np.int32))
for axis in (0, 1, -1):
    case("stack", f"axis{axis}", unknown={"X0": (0,), "X1": (0,)}, attrs={"axis": axis}, X=[fed(2, 3), fed(2, 3)])
    case("unstack", f"axis{axis}", attrs={"axis": axis, "num": 3}, outs={"Y": 3}, X=fed(3, 3, 3))
    case("unbind", f"axis{axis}", attrs={"axis": axis}, outs={"Out": 3}, X=fed(3, 3, 3))
case("unstack", "open", unknown=(0,), attrs={"axis": 1, "num": 2}, outs={"Y": 2}, X=fed(3, 2, 4))
case("meshgrid", X=[fed(2), fed(3), fed(4)], outs={"Out": 3})
case("meshgrid", "two", unknown={"X0": (0,)}, X=[fed(2), fed(3)], outs={"Out": 2})
case("broadcast_tensors", X=[fed(2, 1, 4), fed(3, 1)], outs={"Out": 2})
case("shape", unknown=(0, 1), outs={"Out": "int32"}, Input=fed(2, 3, 4))
case("size", unknown=(0,), outs={"Out": "int64"}, Input=fed(2, 3, 4))
case("assign", unknown=(0,), X=fed(2, 3))
for dtype, code in (("float32", 5), ("int32", 2), ("int64", 3), ("bool", 0), ("float64", 6)):
    case("cast", f"int64_to_{dtype}", attrs={"in_dtype": 3, "out_dtype": code}, outs={"Out": dtype}, X=fed(2, 4, dtype=np.int64, low=-2, high=2))
    case("cast", f"float32_to_{dtype}", unknown=(0,), attrs={"in_dtype": 5, "out_dtype": code}, outs={"Out": dtype}, X=fed(2, 4, low=-3, high=3))
case("cast", "bool_to_float32", attrs={"in_dtype": 0, "out_dtype": 5}, outs={"Out": "float32"}, X=fed(2, 4, dtype=bool))
case("cast", "float32_to_uint8", attrs={"in_dtype": 5, "out_dtype": 20}, outs={"Out": "uint8"}, X=fed(2, 4, low=0, high=200))
case("cast", "float32_to_float16_and_back", attrs={"in_dtype": 5, "out_dtype": 4}, outs={"Out": "float16"}, X=fed(2, 4))


@family.graph("sizes_are_computed", unknown=(0, 1, 2))
def computed(b):
    """As dynamic shapes are written: sizes of the input, calculated and put together."""
    paddle = b.paddle
    x = b.fed("x", fed(2, 3, 4))
    shape = paddle.shape(x)
    n, h = shape[0], shape[1]
    return [paddle.reshape(x, [n, h * shape[2]]), paddle.expand(paddle.unsqueeze(x, 0), [2, n, -1, -1]), paddle.zeros([n, h], "float32"), paddle.reshape(x, [-1, 4]), paddle.tile(x,
            [1, n, 1]),
            paddle.reshape(x, paddle.concat([shape[0:1], paddle.full([1], -1, "int32")]))]


@family.graph("functions", unknown=(0,))
def functions(b):
    paddle = b.paddle
    x, y = b.fed("x", fed(2, 4, 6)), b.fed("y", fed(6, 4))
    return [paddle.t(y), paddle.moveaxis(x, 0, -1), paddle.flatten(x, 1), *paddle.chunk(x, 3, axis=2), paddle.rot90(y), paddle.unflatten(x, 2, [2, 3]),
            paddle.stack([x, x], axis=1), paddle.broadcast_to(y, [2, 6, 4])]
