"""Other shapes of the same elements."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case
for variant, shape, attrs in (("keep_and_rest", (2, 3, 4), {"shape": (0, -1)}), ("fixed", (2, 3, 4), {"shape": (4, 6)}), ("keep_behind", (2, 3, 4), {"shape": (-1, 0, 2)}),
                              ("copy_rest", (2, 3, 4), {"shape": (2, -2)}), ("copy_rest_amid", (2, 3, 4, 5), {"shape": (-4, 1, 2, -2)}), ("merge", (2, 3, 4), {"shape": (-3, 4)}),
                              ("merge_both", (2, 3, 4, 5), {"shape": (-3, -3)}), ("merge_then_keep", (2, 3, 4, 5), {"shape": (0, -3, -2)}), ("part", (2, 6, 4), {"shape": (0, -4, 2, 3, 0)}),
                              ("part_rest", (2, 6, 4), {"shape": (0, -4, -1, 3, -2)}), ("part_rest_second", (2, 6, 4), {"shape": (0, -4, 2, -1, 4)}), ("reverse", (10, 5, 4), {"shape": (-1, 0), "reverse": True}),
                              ("reverse_merge", (2, 3, 4, 5), {"shape": (-1, 0, -3), "reverse": True}), ("reverse_part", (8, 3, 4), {"shape": (2, 4, -4, 0, 0), "reverse": 1}), ("all", (2, 3, 4), {"shape": (-1,)})):
    case("Reshape", variant, unknown=() if variant in ("fixed", "copy_rest") else (0,), attrs=attrs, data=fed(*shape))
case("Reshape", "target_shape", attrs={"target_shape": (0, 6)}, data=fed(2, 3, 4), more={"expected": lambda data: [data.reshape(4, 6)]})
case("Reshape", "target_shape_kept", unknown=(0,), attrs={"target_shape": (0, 6, 2), "keep_highest": True}, data=fed(2, 3, 4), more={"expected": lambda data: [data.reshape(len(data), 6, 2)]})
case("Flatten", unknown=(0, 2), data=fed(2, 3, 4, 5))
case("Flatten", "matrix", data=fed(2, 3))
for variant, attrs in (("", {}), ("axes", {"axes": (0, 2, 3, 1)}), ("negative", {"axes": (0, -1, 1, 2)})):
    if variant != "negative":
        case("transpose", variant, unknown=(0,), attrs=attrs, data=fed(2, 3, 4, 5))
for axis in (0, 2, -1):
    case("expand_dims", f"axis{axis}", unknown=(0,), attrs={"axis": axis}, data=fed(2, 3))
for variant, attrs in (("", {}), ("axis", {"axis": 1}), ("axes", {"axis": (1, -1)}), ("none", {"axis": None})):
    case("squeeze", variant, attrs=attrs, data=fed(2, 1, 3, 1))
case("squeeze", "one", unknown=(0,), attrs={"axis": (1,)}, data=fed(2, 1, 3))
for first, second in ((0, 1), (1, 2), (-1, 0)):
    if first >= 0:
        case("SwapAxis", f"{first}_{second}", unknown=(1,), attrs={"dim1": first, "dim2": second}, data=fed(2, 3, 4))
case("depth_to_space", unknown=(0, 2), attrs={"block_size": 2}, data=fed(2, 8, 3, 4))
case("space_to_depth", unknown=(0,), attrs={"block_size": 2}, data=fed(2, 3, 4, 6))
case("reshape_like", unknown={"lhs": (0,), "rhs": (1,)}, lhs=fed(4, 6), rhs=fed(2, 4, 3))
case("reshape_like", "part", attrs={"lhs_begin": 0, "lhs_end": 1, "rhs_begin": 0, "rhs_end": 2}, lhs=fed(8, 3), rhs=fed(2, 4, 5))
case("reshape_like", "last", attrs={"lhs_begin": 1, "rhs_begin": -2}, lhs=fed(3, 20), rhs=fed(2, 4, 5))
case("shape_array", unknown=(0,), data=fed(2, 3, 4))
case("size_array", unknown=(0,), data=fed(2, 3, 4))
case("reverse", unknown=(0,), attrs={"axis": 1}, data=fed(2, 3, 4))
case("reverse", "two", attrs={"axis": (0, 2)}, data=fed(2, 3, 4))
for variant, shape, attrs in (("matrix", (3, 4), {}), ("above", (3, 4), {"k": 1}), ("vector", (3,), {}), ("vector_below", (3,), {"k": -1}), ("axes", (2, 3, 4), {"k": 0, "axis1": 1, "axis2": 2})):
    case("diag", variant, attrs=attrs, data=fed(*shape))


@family.graph("shape_of_input", unknown=(0, 2))
def shape_of_input(b):
    x = b.fed("data", fed(2, 3, 4))
    flat = b.op("Reshape", x, attrs={"shape": (0, -1)})
    return [b.op("reshape_like", flat, x)]


@family.graph("head_used_further", unknown=(0,))
def head_used_further(b):
    x = b.fed("data", fed(2, 3))
    y = b.op("transpose", x, name="turned")
    return [y, b.op("expand_dims", y, attrs={"axis": 1}, name="wider")]
