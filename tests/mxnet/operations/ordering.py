"""Elements in order, the largest ones, and their places."""
from models import Family
from values import fed

family = Family(__name__)
case = family.case
for kind in ("value", "indices", "both", "mask"):
    take = (0, 1) if kind == "both" else (0,)
    case("topk", kind, unknown=(0,), attrs={"k": 2, "ret_typ": kind}, take=take, data=fed(3, 5))
case("topk", "ascending", attrs={"k": 3, "axis": 1, "ret_typ": "both", "is_ascend": True}, take=(0, 1), data=fed(2, 5, 3))
case("topk", "flat", attrs={"k": 4, "axis": None, "ret_typ": "both"}, take=(0, 1), data=fed(3, 4))
case("topk", "int32", attrs={"k": 2, "dtype": "int32"}, data=fed(3, 5))
case("topk", "all", attrs={"k": 0, "ret_typ": "value"}, data=fed(3, 5))
case("topk", "mask_axis", attrs={"k": 2, "axis": 0, "ret_typ": "mask"}, data=fed(4, 3))
for kind in ("sort", "argsort"):
    case(kind, unknown=(0,), data=fed(3, 5))
    case(kind, "descending", attrs={"is_ascend": False, "axis": 0}, data=fed(4, 3))
    case(kind, "flat", attrs={"axis": None}, data=fed(3, 4))
case("argsort", "int32", attrs={"dtype": "int32"}, data=fed(3, 4))
for kind in ("argmax", "argmin"):
    case(kind, unknown=(0,), attrs={"axis": 1}, data=fed(3, 5))
    case(kind, "kept", attrs={"axis": -1, "keepdims": True}, data=fed(2, 3, 4))
    case(kind, "flat", data=fed(3, 4))
    case(kind, "equal", attrs={"axis": 1}, data=fed(values=[[1.0, 3, 3, 0], [2, 2, 0, 0]]))
case("argmax_channel", unknown=(0,), data=fed(3, 4))
