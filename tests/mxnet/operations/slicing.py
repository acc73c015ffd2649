"""Parts of tensors."""
from models import Family
from values import fed

family = Family(__name__)
case = family.case
for variant, attrs in (("", {"begin": (0, 1), "end": (2, 3)}), ("none", {"begin": (None, 1), "end": (None, None)}), ("negative", {"begin": (0, -2), "end": (2, -1)}),
                       ("steps", {"begin": (None, 0, 3), "end": (None, 3, 0), "step": (1, 2, -1)}), ("reversed", {"begin": (None, None), "end": (None, None), "step": (-1, -2)}),
                       ("reversed_to", {"begin": (None, 2), "end": (None, -4), "step": (1, -1)}), ("one", {"begin": (1,), "end": (2,)})):
    case("slice", variant, unknown=(0,) if variant != "one" else (), attrs=attrs, data=fed(2, 3, 4))
for variant, attrs in (("", {"axis": 1, "begin": 1, "end": 3}), ("rest", {"axis": -1, "begin": -2, "end": None}), ("negative", {"axis": 1, "begin": 0, "end": -1}), ("first", {"axis": 0, "begin": 0, "end": 1})):
    case("slice_axis", variant, unknown=(0,) if variant != "first" else (2,), attrs=attrs, data=fed(2, 4, 5))
case("slice_like", unknown={"shape_like": (0, 1)}, data=fed(4, 5), shape_like=fed(2, 3))
case("slice_like", "axes", unknown={"data": (0,), "shape_like": (2,)}, attrs={"axes": (2, -1)}, data=fed(2, 3, 6, 7), shape_like=fed(1, 1, 4, 5))
case("Crop", "sizes", attrs={"num_args": 1, "offset": (1, 2), "h_w": (3, 4)}, args=[fed(2, 3, 6, 8)])
case("Crop", "centre", attrs={"num_args": 1, "h_w": (3, 4), "center_crop": True}, args=[fed(2, 3, 6, 9)])
case("Crop", "like", unknown={"args1": (2,)}, attrs={"num_args": 2}, args=[fed(2, 3, 6, 8), fed(2, 5, 4, 3)])
case("Crop", "like_offset", attrs={"num_args": 2, "offset": (1, 2)}, args=[fed(2, 3, 6, 8), fed(2, 5, 4, 3)])
case("Crop", "like_centre", attrs={"num_args": 2, "center_crop": True}, args=[fed(2, 3, 6, 9), fed(2, 5, 3, 4)])
case("SliceChannel", unknown=(0,), attrs={"num_outputs": 3}, take=(0, 1, 2), data=fed(2, 6, 4))
case("SliceChannel", "squeezed", attrs={"num_outputs": 3, "squeeze_axis": True}, take=(0, 2), data=fed(2, 3, 4))
case("SliceChannel", "axis", attrs={"num_outputs": 2, "axis": -1}, take=(1,), data=fed(2, 3, 4))
case("SliceChannel", "one", attrs={"num_outputs": 1}, data=fed(2, 3, 4))
case("_split_v2", "sections", attrs={"indices": (), "axis": 1, "sections": 2}, take=(0, 1), data=fed(2, 6, 4))
case("_split_v2", "indices", unknown=(0,), attrs={"indices": (0, 2, 3), "axis": 1}, take=(0, 1, 2), data=fed(2, 6, 4))
case("_split_v2", "squeezed", attrs={"indices": (0, 1), "axis": 0, "squeeze_axis": True}, take=(0, 1), data=fed(2, 6, 4))
case("_slice_assign", attrs={"begin": (0, 1), "end": (2, 3)}, lhs=fed(2, 4), rhs=fed(2, 2))
case("_slice_assign_scalar", attrs={"scalar": 5, "begin": (None, 1), "end": (None, 4), "step": (1, 2)}, data=fed(2, 5))
case("im2col", attrs={"kernel": (2, 3), "stride": (1, 2), "pad": (1, 0)}, data=fed(2, 3, 5, 6))
case("col2im", attrs={"output_size": (4, 5), "kernel": (2, 2), "stride": (1, 1)}, data=fed(1, 8, 12))
