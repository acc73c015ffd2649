"""Slices, gathering and scattering, search and suppression."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case


def ints(*values, dtype=np.int32):
    return fixed(values=list(values), dtype=dtype)


def strided(variant, begin, end, step, shape=(4, 5, 6), unknown=(), **options):
    case("STRIDED_SLICE", variant, unknown, x=fed(*shape), begin=ints(*begin), end=ints(*end), step=ints(*step), options=options, more={"quantised": options.pop("quantised", ())})


strided("", [1, 0, 2], [3, 5, 6], [1, 2, 3], unknown=(1,), quantised="int8")
strided("negative", [-1, -1, 0], [-4, -6, 6], [-1, -2, 1])
strided("begin_mask", [2, 3, 1], [4, 5, 4], [1, 1, 1], begin_mask=3)
strided("end_mask", [2, 3, 1], [0, 0, 4], [1, 1, 1], unknown=(0,), end_mask=3)
strided("shrink", [1, 0, 2], [2, 5, 3], [1, 1, 1], shrink_axis_mask=5)
strided("shrink_negative", [-1, 0, 0], [0, 5, 6], [1, 1, 1], shrink_axis_mask=1, begin_mask=6, end_mask=6)
strided("new_axis", [0, 0, 1], [4, 0, 5], [1, 1, 1], new_axis_mask=2)
strided("ellipsis", [1, 0, 2], [3, 0, 5], [1, 1, 1], shape=(4, 3, 2, 6), ellipsis_mask=2)
strided("few", [1], [3], [1])
strided("picture", [0, 1, 1, 0], [0, 4, 5, 2], [1, 1, 2, 1], shape=(1, 5, 6, 3), unknown=(0,), begin_mask=1, end_mask=1)
case("STRIDED_SLICE", "offset", x=fed(4, 5, 6), begin=ints(1, 0, 2), end=ints(2, 3, 4), step=ints(1, 1, 1), options={"offset": True}, version=8)
case("STRIDED_SLICE", "int32", x=fed(5, dtype=np.int32, low=-9, high=9), begin=ints(1), end=ints(4), step=ints(2))
case("SLICE", unknown=(0,), x=fed(4, 5), begin=ints(1, 2), size=ints(-1, 2), more={"quantised": "int8"})
case("SLICE", "picture", x=fed(1, 5, 6, 3), begin=ints(0, 1, 2, 0), size=ints(1, 3, 4, 2))
case("SLICE", "fed", x=fed(5), begin=fed(values=[1], dtype=np.int32), size=ints(3))
case("SLICE", "int64", x=fed(4, 5), begin=ints(1, 2, dtype=np.int64), size=ints(2, -1, dtype=np.int64))
for axis in (0, 1, -1):
    case("GATHER", f"axis_{axis}".replace("-1", "last"), unknown=(0,) if axis else (), x=fed(4, 3, 5), indices=ints(2, 0, 1), options={"axis": axis}, more={"quantised": "int8" if axis == 1 else ()})
case("GATHER", "embedding", unknown={"indices": (0, 1)}, x=fixed(7, 4), indices=fed(2, 3, dtype=np.int32, low=0, high=6))
case("GATHER", "scalar", x=fed(4, 3), indices=fixed(values=2, dtype=np.int32))
case("GATHER", "batch_dims", x=fed(2, 4, 3), indices=fed(2, 2, dtype=np.int64, low=0, high=3), options={"axis": 1, "batch_dims": 1})
case("GATHER", "picture", x=fed(1, 3, 4, 5), indices=ints(4, 0, 2), options={"axis": 3})
case("GATHER_ND", x=fed(3, 4, 2), indices=fed(values=[[0, 1], [2, 3], [1, 0]], dtype=np.int32))
case("GATHER_ND", "rows", unknown=(1,), x=fed(3, 4), indices=fixed(values=[[2], [0]], dtype=np.int64))
case("SCATTER_ND", dtype="float32", indices=fed(values=[[1], [3]], dtype=np.int32), updates=fed(2, 3), shape=ints(5, 3))
case("SCATTER_ND", "points", dtype="float32", indices=fixed(values=[[0, 1], [2, 3], [0, 1]], dtype=np.int32), updates=fed(3), shape=ints(3, 4))
case("DYNAMIC_UPDATE_SLICE", x=fed(4, 5), update=fed(2, 3), at=fed(values=[1, 2], dtype=np.int32))
case("DYNAMIC_UPDATE_SLICE", "clamped", x=fed(4, 5), update=fed(2, 3), at=fed(values=[3, -1], dtype=np.int32))
case("SPARSE_TO_DENSE", dtype="float32", indices=fixed(values=[[0, 1], [1, 2]], dtype=np.int32), shape=ints(2, 4), values=fed(2), default=fixed(values=-1.0))
case("SPARSE_TO_DENSE", "scalar", dtype="float32", indices=fed(values=[1, 3], dtype=np.int32), shape=ints(5), values=fixed(values=2.0), default=fixed(values=0.0))
case("WHERE", signature=[-1, 2], dtype="int64", condition=fed(values=[[True, False, True], [False, False, True]], dtype=bool))
case("WHERE", "float", signature=[-1, 1], dtype="int64", condition=fed(values=[0.0, 1.0, 0.0, 2.0]))
case("UNIQUE", signature=[-1], results=["float32", "int32"], x=fed(values=[3.0, 1.0, 3.0, 2.0, 1.0]), options={"idx_out_type": 2})
case("UNIQUE", "int64", signature=[-1], results=["int32", "int64"], x=fed(values=[3, 1, 3, 2], dtype=np.int32), options={"idx_out_type": 4})
case("BUCKETIZE", unknown=(0,), dtype="int32", x=fed(2, 5, low=-2, high=9), options={"boundaries": [0.0, 1.5, 4.0]})


def boxes(rng, count):
    corner, size = rng.uniform(0, 1, (count, 2)), rng.uniform(0.1, 0.5, (count, 2))
    return np.concatenate([corner, corner + size], 1).astype(np.float32)


@family.graph("NON_MAX_SUPPRESSION_V4")
def suppression_4(b):
    return b.op("NON_MAX_SUPPRESSION_V4", [b.fed("boxes", fed(values=boxes(b.rng, 12))), b.fed("scores", fed(12, low=0, high=1)), b.fixed(np.int32(6), "count"),
                                           b.fixed(np.float32(0.3), "iou"), b.fixed(np.float32(0.2), "score")], ["int32", "int32"])


@family.graph("NON_MAX_SUPPRESSION_V5")
def suppression_5(b):
    return b.op("NON_MAX_SUPPRESSION_V5", [b.fed("boxes", fed(values=boxes(b.rng, 12))), b.fed("scores", fed(12, low=0, high=1)), b.fixed(np.int32(6), "count"),
                                           b.fixed(np.float32(0.3), "iou"), b.fixed(np.float32(0.2), "score"), b.fixed(np.float32(0.0), "sigma")], ["int32", "float32", "int32"])


@family.graph("NON_MAX_SUPPRESSION_V5_soft")
def suppression_soft(b):
    return b.op("NON_MAX_SUPPRESSION_V5", [b.fed("boxes", fed(values=boxes(b.rng, 10))), b.fed("scores", fed(10, low=0, high=1)), b.fixed(np.int32(5), "count"),
                                           b.fixed(np.float32(0.9), "iou"), b.fixed(np.float32(0.1), "score"), b.fixed(np.float32(0.5), "sigma")], ["int32", "float32", "int32"])
