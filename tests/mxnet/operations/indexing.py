"""Elements by their numbers."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
for mode in ("clip", "wrap"):
    case("take", mode, unknown={"a": (0,)}, attrs={"mode": mode}, a=fed(4, 3), indices=fed(values=[[2, 0, 5], [-1, 3, -6]]))
case("take", "axis", unknown={"a": (0,), "indices": (0,)}, attrs={"axis": 1}, a=fed(2, 4, 3), indices=fed(values=[3, 1, 0]))
case("take", "last_axis", attrs={"axis": -1}, a=fed(2, 4, 3), indices=fed(values=[2, 1], dtype=np.int32))
case("take", "fixed", a=fed(5, 3), indices=fixed(values=[4, 0, 1], dtype=np.float32))
case("take", "of_weights", a=fixed(5, 3), indices=fed(values=[4, 0, 1], dtype=np.int64))
for variant, attrs in (("", {}), ("axis", {"axis": 0}), ("kept", {"axis": 1, "keepdims": True}), ("wrap", {"axis": 1, "mode": "wrap"})):
    index = [1, 0, 2, 1] if variant == "axis" else [1, 5, -1]
    case("pick", variant, unknown={"data": (0,), "index": (0,)} if variant in ("", "kept") else (), attrs=attrs, data=fed(3, 4), index=fed(values=index))
case("pick", "three", attrs={"axis": 1}, data=fed(2, 3, 4), index=fed(values=[[0, 1, 2, 0], [2, 2, 1, 0]]))
case("pick", "same_rank", attrs={"axis": 1}, data=fed(2, 3, 4), index=fed(values=[[[0, 1, 2, 0]], [[2, 2, 1, 0]]]))
case("gather_nd", unknown={"data": (0,)}, data=fed(3, 4, 2), indices=fed(values=[[0, 2], [1, 3]], dtype=np.int64))
case("gather_nd", "rows", data=fed(3, 4), indices=fed(values=[[0, 2, 1]]))
case("gather_nd", "whole", data=fed(3, 4), indices=fed(values=[[[0, 1], [2, 0]], [[3, 1], [0, 0]]]))
case("scatter_nd", attrs={"shape": (3, 4)}, data=fed(3), indices=fed(values=[[0, 2, 1], [1, 3, 0]]))
case("scatter_nd", "rows", attrs={"shape": (4, 2)}, data=fed(2, 2), indices=fed(values=[[3, 0]], dtype=np.int64))
for variant, attrs in (("", {"depth": 4}), ("values", {"depth": 4, "on_value": 2.5, "off_value": -1}), ("int32", {"depth": 5, "dtype": "int32"})):
    case("one_hot", variant, unknown=(0,), attrs=attrs, indices=fed(values=[[1, 0], [3, 7], [-1, 2]]))
case("batch_take", a=fed(3, 4), indices=fed(values=[1, 3, 0], dtype=np.int32))
case("where", unknown={"condition": (0,), "x": (0,), "y": (0,)}, condition=fed(values=[[0, 1, -2], [0.5, 0, 0]]), x=fed(2, 3), y=fed(2, 3))
case("where", "rows", condition=fed(values=[0, 1]), x=fed(2, 3), y=fed(2, 3))
case("_ravel_multi_index", attrs={"shape": (3, 4, 5)}, data=fed(values=[[0, 2], [3, 1], [4, 0]]))
case("_unravel_index", attrs={"shape": (3, 4, 5)}, data=fed(values=[19, 45, 7]))
case("_contrib_index_copy", old_tensor=fed(5, 3), index_vector=fed(values=[3, 0], dtype=np.int64), new_tensor=fed(2, 3))
case("_contrib_index_array", data=fed(2, 3))
case("_contrib_index_array", "axes", attrs={"axes": (1, 0)}, data=fed(2, 3))
case("_contrib_boolean_mask", data=fed(4, 3), index=fed(values=[0, 1, 0, 2]), more={"by_data": True, "expected": lambda data, index: [data[index != 0]]})
