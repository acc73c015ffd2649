"""Reductions, searches for extremes, sums along an axis, segments."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

AXES = dict(dtype=np.int32)
for kind in ("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN"):
    integers = {"MEAN": ("int8", "int16"), "REDUCE_MAX": ("int8",), "REDUCE_MIN": ("int8",)}.get(kind, ())
    case(kind, unknown=(0, 1, 2), x=fed(1, 3, 4, 2), axes=fixed(values=[1, 2], **AXES), options={"keep_dims": False}, more={"quantised": integers})
    case(kind, "kept", unknown=(0,), x=fed(2, 3, 4, 2), axes=fixed(values=[-1], **AXES), options={"keep_dims": True})
    case(kind, "one_axis", x=fed(2, 3, 4), axes=fixed(values=1, **AXES))
    case(kind, "all", x=fed(2, 3), axes=fixed(values=[0, 1], **AXES))
    case(kind, "int32", x=fed(2, 3, 4, dtype=np.int32, low=-3, high=3), axes=fixed(values=[1], **AXES))
for kind in ("REDUCE_ANY", "REDUCE_ALL"):
    case(kind, unknown=(0,), x=fed(4, 3, dtype=bool), axes=fixed(values=[1], **AXES))
    case(kind, "kept", x=fed(4, 3, dtype=bool), axes=fixed(values=[0], **AXES), options={"keep_dims": True})
for kind in ("ARG_MAX", "ARG_MIN"):
    case(kind, unknown=(0,), dtype="int64", x=fed(2, 3, 5), axis=fixed(values=-1, dtype=np.int32), options={"output_type": 4})
    case(kind, "int32", dtype="int32", x=fed(1, 3, 4, 5), axis=fixed(values=1, dtype=np.int32), options={"output_type": 2})
    case(kind, "of_int32", dtype="int32", x=fed(7, dtype=np.int32, low=-9, high=9), axis=fixed(values=0, dtype=np.int32), options={"output_type": 2})
case("TOPK_V2", unknown=(0,), x=fed(2, 6), k=fixed(values=3, dtype=np.int32), results=["float32", "int32"])
case("TOPK_V2", "int32", x=fed(values=[[3, 1, 4, 1, 5, 9]], dtype=np.int32), k=fixed(values=4, dtype=np.int32), results=["int32", "int32"])
for name, options in {"": {}, "exclusive": {"exclusive": True}, "reverse": {"reverse": True}, "both": {"exclusive": True, "reverse": True}}.items():
    case("CUMSUM", name, unknown=(0,) if not name else (), x=fed(2, 3, 4), axis=fixed(values=1 if name != "both" else -1, dtype=np.int32), options=options)
case("CUMSUM", "int32", x=fed(2, 3, dtype=np.int32, low=-9, high=9), axis=fixed(values=0, dtype=np.int32))
case("SEGMENT_SUM", x=fed(5, 3), segments=fixed(values=[0, 0, 1, 2, 2], dtype=np.int32))
for kind in ("PROD", "MAX", "SUM", "MIN"):
    case(f"UNSORTED_SEGMENT_{kind}", x=fed(5, 3), segments=fixed(values=[2, 0, 1, 0, 2], dtype=np.int32), count=fixed(values=3, dtype=np.int32))
case("UNSORTED_SEGMENT_SUM", "fed", x=fed(4, 2), segments=fed(values=[1, 0, 1, 3], dtype=np.int32), count=fixed(values=4, dtype=np.int32))
for name, (code, low) in {"add": (1, -1), "mul": (2, -1), "minimum": (3, -1), "maximum": (4, -1)}.items():
    case("REDUCE_WINDOW", name, x=fed(1, 6, 6, 2, low=low), init=fixed(values={"add": 0.0, "mul": 1.0, "minimum": 9.0, "maximum": -9.0}[name]), shape=fixed(values=[1, 2, 3, 1], dtype=np.int64),
         strides=fixed(values=[1, 2, 1, 1], dtype=np.int64), dilations=fixed(values=[1, 1, 2, 1], dtype=np.int64), options={"reduce_function": code})
