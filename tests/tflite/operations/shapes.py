"""Operators that move data: reshaping, joining, splitting, padding, transposing."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case


def ints(*values, dtype=np.int32):
    return fixed(values=list(values), dtype=dtype)


SAME = ("int8", "int8_io", "int16", "uint8")
case("RESHAPE", unknown=(0,), x=fed(2, 3, 4), shape=ints(-1, 6), more={"quantised": ("int8", "int8_io")})
case("RESHAPE", "option", x=fed(2, 3, 4), options={"new_shape": np.int32([4, -1])})
case("RESHAPE", "five", x=fed(2, 12), shape=ints(1, 2, 2, 3, 2), options={"new_shape": np.int32([1, 2, 2, 3, 2])})
case("RESHAPE", "picture", unknown=(0,), x=fed(1, 4, 4, 3), shape=ints(-1, 48))
case("RESHAPE", "to_picture", x=fed(2, 48), shape=ints(-1, 4, 4, 3))
case("SQUEEZE", unknown=(0,), x=fed(2, 1, 3, 1), options={"squeeze_dims": np.int32([1, 3])})
case("SQUEEZE", "all", x=fed(1, 3, 1, 2))
case("SQUEEZE", "negative", x=fed(1, 3, 1), options={"squeeze_dims": np.int32([-1])})
case("EXPAND_DIMS", unknown=(0,), x=fed(2, 3), axis=fixed(values=1, dtype=np.int32))
case("EXPAND_DIMS", "last", x=fed(2, 3), axis=ints(-1))
for rank, order in enumerate(([0], [1, 0], [2, 0, 1], [0, 3, 1, 2], [0, 2, 1, 4, 3]), 1):
    case("TRANSPOSE", f"{rank}d", unknown=(0,), x=fed(*[2, 3, 4, 2, 3][:rank]), order=ints(*order), more={"quantised": "int8" if rank == 4 else ()})
case("TRANSPOSE", "int32", x=fed(2, 3, dtype=np.int32, low=-9, high=9), order=ints(1, 0))
case("PAD", unknown=(0, 1, 2), x=fed(1, 3, 4, 2), paddings=fixed(values=[[0, 0], [1, 2], [0, 1], [0, 0]], dtype=np.int32), more={"quantised": ("int8", "int8_io", "int16")})
case("PAD", "channels", x=fed(1, 3, 4, 2), paddings=fixed(values=[[0, 0], [0, 0], [0, 0], [1, 2]], dtype=np.int64))
case("PAD", "vector", x=fed(3), paddings=fixed(values=[[1, 2]], dtype=np.int32))
case("PAD", "five", x=fed(1, 2, 3, 2, 2), paddings=fixed(values=[[0, 0], [1, 0], [0, 1], [2, 0], [0, 0]], dtype=np.int32))
case("PADV2", unknown=(0,), x=fed(2, 3), paddings=fixed(values=[[0, 0], [1, 2]], dtype=np.int32), value=fixed(values=-3.5))
case("PADV2", "infinite", x=fed(1, 3, 3, 2), paddings=fixed(values=[[0, 0], [1, 1], [1, 1], [0, 0]], dtype=np.int32), value=fixed(values=-np.inf))
for mode, name in enumerate(("reflect", "symmetric")):
    case("MIRROR_PAD", name, unknown=(0,), x=fed(1, 3, 4, 2), paddings=fixed(values=[[0, 0], [1, 2], [2, 1], [0, 0]], dtype=np.int32), options={"mode": mode}, more={"quantised": "int8" if not mode else ()})
case("SPACE_TO_DEPTH", unknown=(0,), x=fed(1, 4, 6, 3), options={"block_size": 2}, more={"quantised": "int8"})
case("DEPTH_TO_SPACE", unknown=(0,), x=fed(1, 2, 3, 12), options={"block_size": 2}, more={"quantised": "int8"})
case("SPACE_TO_BATCH_ND", unknown=(0,), x=fed(1, 5, 6, 2), block=ints(2, 3), paddings=fixed(values=[[0, 1], [0, 0]], dtype=np.int32), more={"quantised": "int8"})
case("SPACE_TO_BATCH_ND", "three", x=fed(2, 6, 2), block=ints(2), paddings=fixed(values=[[1, 1]], dtype=np.int32))
case("BATCH_TO_SPACE_ND", x=fed(6, 3, 2, 2), block=ints(2, 3), crops=fixed(values=[[0, 1], [1, 0]], dtype=np.int32), more={"quantised": "int8"})
case("TILE", unknown=(0,), x=fed(2, 3), multiples=ints(2, 3))
case("TILE", "int64", x=fed(2, 3, dtype=np.int64, low=-9, high=9), multiples=ints(1, 2, dtype=np.int64))
case("BROADCAST_TO", version=2, x=fed(3, 1), shape=ints(2, 3, 4))
case("BROADCAST_TO", "int32", version=2, x=fed(1, 4, dtype=np.int32, low=-9, high=9), shape=ints(3, 4, dtype=np.int64))
case("PACK", unknown={"x": (0,), "y": (0,)}, x=fed(2, 3), y=fed(2, 3), options={"values_count": 2, "axis": 1}, more={"quantised": "int8"})
case("PACK", "one", x=fed(2, 3), options={"values_count": 1, "axis": -1})
case("PACK", "int32", x=fed(values=3, dtype=np.int32), y=fixed(values=4, dtype=np.int32), options={"values_count": 2, "axis": 0})
case("UNPACK", unknown=(0,), x=fed(2, 3, 4), results=3, options={"num": 3, "axis": 1}, more={"quantised": "int8"})
case("UNPACK", "some", x=fed(4, 2), results=4, take=[2, 0], options={"num": 4, "axis": 0})
case("CONCATENATION", unknown={"x": (0,), "y": (0,)}, x=fed(2, 3), y=fed(2, 4), options={"axis": 1}, more={"quantised": SAME})
case("CONCATENATION", "last", x=fed(1, 2, 2, 3), y=fixed(1, 2, 2, 2), z=fed(1, 2, 2, 1), options={"axis": -1})
case("CONCATENATION", "int64", x=fed(3, dtype=np.int64, low=-9, high=9), y=fixed(2, dtype=np.int64, low=-9, high=9), options={"axis": 0})
case("SPLIT", axis=fixed(values=1, dtype=np.int32), x=fed(2, 6, 3), results=["float32"] * 3, options={"num_splits": 3}, more={"quantised": "int8"})
case("SPLIT", "last", unknown={"x": (0,)}, axis=fixed(values=-1, dtype=np.int32), x=fed(1, 2, 2, 4), results=["float32"] * 2, options={"num_splits": 2}, take=[1])
case("SPLIT_V", unknown=(0,), x=fed(2, 7), sizes=ints(2, -1, 1), axis=fixed(values=1, dtype=np.int32), results=3, options={"num_splits": 3})
case("SPLIT_V", "picture", x=fed(1, 2, 2, 6), sizes=ints(1, 3, 2), axis=fixed(values=3, dtype=np.int32), results=3, options={"num_splits": 3})
case("REVERSE_V2", unknown=(0,), x=fed(2, 3, 4), axis=ints(1))
case("REVERSE_V2", "picture", x=fed(1, 3, 4, 2), axis=ints(1, 2))
case("REVERSE_V2", "last", x=fed(3, 4, dtype=np.int32, low=-9, high=9), axis=ints(-1))
case("REVERSE_SEQUENCE", x=fed(3, 4, 2), lengths=fed(values=[2, 4, 1], dtype=np.int32), options={"seq_dim": 1, "batch_dim": 0})
case("REVERSE_SEQUENCE", "time_first", x=fed(4, 3, 2), lengths=fixed(values=[2, 4, 1], dtype=np.int32), options={"seq_dim": 0, "batch_dim": 1})
case("SHAPE", unknown=(0, 1), x=fed(2, 3, 4), dtype="int32", options={"out_type": 2})
case("SHAPE", "int64", x=fed(2, 3), dtype="int64", options={"out_type": 4})
case("RANK", x=fed(2, 3, 4), dtype="int32")
case("FILL", dtype="float32", shape=fixed(values=[2, 3], dtype=np.int32), value=fed(values=1.5))
case("FILL", "fed_shape", signature=[-1, -1], dtype="int32", shape=fed(values=[2, 3], dtype=np.int32), value=fixed(values=7, dtype=np.int32))
case("RANGE", signature=[-1], dtype="int32", start=fixed(values=2, dtype=np.int32), limit=fed(values=9, dtype=np.int32), delta=fixed(values=3, dtype=np.int32))
case("RANGE", "float", signature=[-1], dtype="float32", start=fed(values=0.5), limit=fed(values=3.0), delta=fixed(values=0.5))
case("ONE_HOT", unknown=(0,), dtype="float32", x=fed(values=[[0, 2], [3, -1]], dtype=np.int32), depth=fixed(values=4, dtype=np.int32), on=fixed(values=2.0), off=fixed(values=-1.0), options={"axis": -1})
case("ONE_HOT", "first", dtype="int32", x=fed(values=[1, 0, 2], dtype=np.int32), depth=fixed(values=3, dtype=np.int32), on=fixed(values=1, dtype=np.int32), off=fixed(values=0, dtype=np.int32), options={"axis": 0})
case("DILATE", x=fed(2, 3), factors=fixed(values=[2, 3], dtype=np.int32), padding=fixed(values=0.0))
case("DILATE", "value", x=fed(3, 2, dtype=np.int32, low=-9, high=9), factors=fixed(values=[1, 3], dtype=np.int32), padding=fixed(values=7, dtype=np.int32))


@family.graph("five_dimensions", unknown=(0,))
def five(b):
    """As a shuffle of channels is written."""
    x = b.fed("x", fed(1, 3, 3, 6))
    split = b.op("RESHAPE", [x, b.fixed(np.int32([-1, 3, 3, 2, 3]), "split")], names=["groups"])
    turned = b.op("TRANSPOSE", [split, b.fixed(np.int32([0, 1, 2, 4, 3]), "order")], names=["shuffled"])
    return [b.op("RESHAPE", [turned, b.fixed(np.int32([-1, 3, 3, 6]), "whole")])]


@family.graph("RESHAPE_by_shape", unknown=(0, 1))
def flatten(b):
    x = b.fed("x", fed(2, 3, 4))
    shape = b.op("SHAPE", [x], dtype="int32", out_type=2, names=["shape"])
    first = b.op("STRIDED_SLICE", [shape, b.fixed(np.int32([0]), "begin"), b.fixed(np.int32([1]), "end"), b.fixed(np.int32([1]), "step")], shrink_axis_mask=1, names=["batch"])
    return [b.op("RESHAPE", [x, b.op("PACK", [first, b.fixed(np.int32(-1), "rest")], values_count=2, axis=0, names=["size"])])]


@family.graph("CONCATENATION_empty")
def with_nothing(b):
    """A constant without numbers has no data."""
    x = b.fed("x", fed(2, 3))
    nothing = b.tensor("nothing", [0, 3], "float32", b"")
    return [b.op("CONCATENATION", [x, nothing], axis=0)]


@family.graph("REDUCE_MAX_no_axes")
def no_axes(b):
    return [b.op("REDUCE_MAX", [b.fed("x", fed(2, 3)), b.tensor("axes", [0], "int32", b"")])]
