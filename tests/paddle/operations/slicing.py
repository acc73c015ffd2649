"""Parts of tensors: slices with every kind of limit, padding, cropping, rolling."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case


def ints(*values, dtype=np.int32):
    return fed(values=list(values), dtype=dtype)


def cut(variant, axes, starts, ends, unknown=(), drop=(), flags=None, shape=(3, 4, 5), more=None, **tensors):
    case("slice", variant, unknown=unknown, attrs={"axes": axes, "starts": starts, "ends": ends, "infer_flags": flags or [1] * len(axes), "decrease_axis": list(drop)},
         Input=fed(*shape), more=more, **tensors)


cut("plain", [0, 2], [1, 1], [3, 4], unknown=(1, 2))
cut("negative", [1, 2], [-3, -4], [-1, 1000000], unknown=(1, 2))
cut("beyond", [0], [1], [2147483647], unknown=(0,))
cut("dropped", [1], [2], [3], drop=[1], unknown=(0,))
cut("dropped_last", [2], [-1], [1000000], drop=[2], unknown=(0, 2))
cut("all_dropped", [0, 1], [1, 2], [2, 3], drop=[0, 1], shape=(3, 4))
cut("one_dropped_of_two", [0, 1], [1, 1], [2, 3], drop=[0])
cut("starts_fed", [0, 2], [-1, -1], [-1, -1], flags=[-1, -1], StartsTensor=ints(1, 0), EndsTensor=ints(3,
        2), more={"more": {"StartsTensor": np.int32([0, 1]), "EndsTensor": np.int32([2, 5])}})
cut("starts_list", [0, 2], [-1, 1], [2, -1], flags=[-1, -1], StartsTensorList=[ints(0), fixed(values=[1], dtype=np.int32)], EndsTensorList=[fixed(values=[2], dtype=np.int32), ints(4)])
cut("dropped_fed", [1], [-1], [-1], flags=[-1], drop=[1], StartsTensor=ints(1), EndsTensor=ints(2))
cut("int64_limits", [0], [-1], [-1], flags=[-1], StartsTensor=ints(0, dtype=np.int64), EndsTensor=ints(2, dtype=np.int64))
for variant, axes, starts, ends, strides in (("plain", [0, 2], [0, 1], [3, 5], [2, 2]), ("backwards", [1], [3], [0], [-1]), ("backwards_whole", [1], [-1], [-10],
        [-1]), ("backwards_two", [2], [-1], [-6], [-2]),
                                             ("negative", [1, 2], [-3, -4], [-1, 100], [1, 3])):
    case("strided_slice", variant, unknown=(0,), attrs={"axes": axes, "starts": starts, "ends": ends, "strides": strides, "infer_flags": [1] * len(axes)}, Input=fed(3, 4, 5))
case("strided_slice", "dropped", attrs={"axes": [1, 2], "starts": [1, 0], "ends": [2, 5], "strides": [1, 2], "infer_flags": [1, 1], "decrease_axis": [1]}, Input=fed(3, 4, 5))
case("strided_slice", "fed", attrs={"axes": [1], "starts": [-1], "ends": [-1], "strides": [-1], "infer_flags": [-1]}, Input=fed(3,
        6), StartsTensor=ints(1), EndsTensor=ints(6), StridesTensor=ints(2))
case("strided_slice", "int64", attrs={"axes": [0], "starts": [0], "ends": [6], "strides": [2], "infer_flags": [1]}, Input=fed(6, 2, dtype=np.int64, low=-9, high=9))


@family.graph("subscripts", unknown=(0, 1))
def subscripts(b):
    """What is written in square brackets."""
    x = b.fed("x", fed(4, 5, 6))
    index = b.paddle.assign(np.int64([2, 0, 1]))
    return [x[0], x[:, -1], x[1:3, ::2], x[..., 0], x[:, None, 1], x[::-1], x[index], x[:, index], x[index, 1:3], x[:, 1:-1, ::-2], x[index, index], x[-1, ..., 2:]]


@family.graph("subscripts_of_truth")
def truth(b):
    x = b.fed("x", fed(3, 4))
    return [x[x > 0.1]]


def padded(mode, places, value=0.0):
    """No kernel of pad2d is left in this PaddlePaddle."""
    def expected(X, Paddings=None):
        given = dict(zip(places, [(1, 2), (0, 3)]) if Paddings is None else zip(places, np.reshape(Paddings, (2, 2))))
        return [np.pad(X, [given.get(axis, (0, 0)) for axis in range(4)], mode, **({"constant_values": value} if mode == "constant" else {}))]
    return {"expected": expected}


for mode in ("constant", "reflect", "edge"):
    case("pad2d", mode, unknown=(0, 2, 3), attrs={"paddings": [1, 2, 0, 3], "mode": mode, "pad_value": 0.5}, X=fed(1, 2, 4, 5), more=padded(mode, (2, 3), 0.5))
    case("pad2d", mode + "_last", attrs={"paddings": [1, 2, 0, 3], "mode": mode, "data_format": "NHWC"}, X=fed(1, 4, 5, 2), more=padded(mode, (1, 2)))
case("pad2d", "fed", attrs={"paddings": [0, 0, 0, 0], "mode": "constant", "pad_value": 1.0}, X=fed(1, 2, 4, 5), Paddings=ints(1, 0, 2, 1), more=padded("constant", (2, 3), 1.0))
for mode in ("constant", "reflect", "replicate", "circular"):
    case("pad3d", mode, unknown=(0, 3), attrs={"paddings": [1, 2, 0, 2, 1, 1], "mode": mode, "value": 0.5}, X=fed(1, 2, 3, 4, 5))
    case("pad3d", mode + "_last", attrs={"paddings": [1, 2, 0, 2, 1, 1], "mode": mode, "data_format": "NDHWC"}, X=fed(1, 3, 4, 5, 2))
case("pad3d", "fed", attrs={"paddings": [0] * 6, "mode": "constant", "value": 1.0}, X=fed(1, 2, 3, 4, 5), Paddings=ints(1, 0, 2, 1, 0, 1))
case("pad3d", "fed_fixed", attrs={"paddings": [0] * 6, "mode": "replicate"}, X=fed(1, 2, 3, 4, 5), Paddings=fixed(values=[1, 0, 2, 1, 0, 1], dtype=np.int32))
case("pad", unknown=(0,), attrs={"paddings": [0, 1, 2, 0, 1, 1], "pad_value": -1.0}, X=fed(2, 3, 4))
case("pad", "int64", attrs={"paddings": [0, 1, 2, 0], "pad_value": 3.0}, X=fed(2, 3, dtype=np.int64, low=-9, high=9))


@family.graph("pad_functions", unknown=(0,))
def pads(b):
    f = b.paddle.nn.functional
    line, picture = b.fed("line", fed(1, 2, 5)), b.fed("picture", fed(1, 2, 4, 5))
    return [f.pad(line, [1, 2], value=0.5, data_format="NCL"), f.pad(line, [1, 2], mode="reflect", data_format="NCL"), f.pad(line, [2, 1], mode="circular", data_format="NLC"),
            f.pad(picture, [1, 1, 2, 0], mode="reflect"), f.pad(picture, [0, 0, 0, 0, 1, 2, 3, 0]), f.zeropad2d(picture, [1, 0, 2, 1])]


case("crop", attrs={"offsets": [1, 0, 2], "shape": [2, 3, 2]}, X=fed(4, 4, 5))
case("crop", "like", attrs={"offsets": [1, 0, 2], "shape": []}, X=fed(4, 4, 5), Y=fed(2, 3, 2))
case("crop_tensor", unknown=(0,), attrs={"offsets": [0, 0, 2], "shape": [-1, 3, 2]}, X=fed(4, 4, 5))
case("crop_tensor", "fed", attrs={"offsets": [0, 0], "shape": [-1, -1]}, X=fed(4, 5), Shape=ints(2, 3), Offsets=ints(1,
        2), more={"more": {"Shape": np.int32([3, 1]),
                "Offsets": np.int32([0, 3])}})
case("roll", unknown=(0,), attrs={"shifts": [1, -2], "axis": [0, 2]}, X=fed(3, 4, 5))
case("roll", "flat", attrs={"shifts": [3], "axis": []}, X=fed(3, 4))
case("roll", "far", attrs={"shifts": [7], "axis": [-1]}, X=fed(3, 4))
case("roll", "fed", attrs={"shifts": [], "axis": [1]}, X=fed(3, 4), ShiftsTensor=ints(1, dtype=np.int64))
for kind in ("flip", "reverse"):
    case(kind, unknown=(0, 1), attrs={"axis": [0, -1] if kind == "flip" else [0, 2]}, X=fed(2, 3, 4))
    case(kind, "one", attrs={"axis": [1]}, X=fed(2, 3, dtype=np.int64, low=-9, high=9))
case("tril_triu", "lower", unknown=(0, 1), attrs={"diagonal": 0, "lower": True}, X=fed(4, 5))
case("tril_triu", "upper", attrs={"diagonal": 1, "lower": False}, X=fed(2, 4, 5))
case("tril_triu", "lower_below", attrs={"diagonal": -1, "lower": True}, X=fed(2, 5, 4))
case("tril_triu", "upper_below", attrs={"diagonal": -2, "lower": False}, X=fed(4, 4, dtype=np.int64, low=-9, high=9))
case("tril_triu", "bool", attrs={"diagonal": 0, "lower": True}, X=fed(3, 4, dtype=bool))
case("fill_diagonal", attrs={"value": 2.5, "offset": 0, "wrap": False}, X=fed(4, 4))
case("fill_diagonal_tensor", attrs={"offset": 0, "dim1": 0, "dim2": 1}, X=fed(4, 4), Y=fed(4))
