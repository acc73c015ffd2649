"""Element-wise operators of two inputs, with and without broadcasting and a fused activation; comparisons, logic, selection."""
import numpy as np

from models import Family, quantization
from values import fed, fixed

family = Family(__name__)
case = family.case

for kind in ("ADD", "SUB", "MUL", "DIV"):
    low = 0.5 if kind == "DIV" else -1
    quantised = {"ADD": ("int8", "int8_io", "int16", "uint8"), "SUB": ("int8", "int16"), "MUL": ("int8", "int8_io", "int16", "uint8")}.get(kind, ())
    case(kind, unknown=(0,), x=fed(2, 3, 4), y=fed(3, 4, low=low, high=2), more={"quantised": quantised})
    case(kind, "constant", unknown=(0, 1, 2), x=fed(1, 3, 3, 4), y=fixed(4, low=low, high=2))
    case(kind, "int32", x=fed(2, 3, dtype=np.int32, low=-9, high=9), y=fed(2, 3, dtype=np.int32, low=1, high=5))
for activation in ("RELU", "RELU6", "RELU_N1_TO_1"):
    case("ADD", activation.lower(), x=fed(1, 3, 3, 4, low=-4, high=8), y=fixed(1, 3, 3, 1), options={"activation": activation})
case("SUB", "relu", x=fed(2, 3), y=fed(2, 1), options={"activation": "RELU"})
case("MUL", "relu6", x=fed(2, 3, low=-4, high=4), y=fed(1, 3, low=-4, high=4), options={"activation": "RELU6"})
case("DIV", "relu", x=fed(2, 3), y=fixed(3, low=0.5, high=2), options={"activation": "RELU"})
case("MUL", "five", x=fed(2, 1, 3, 2, 4), y=fed(1, 2, 3, 1, 4))
case("ADD", "scalar", unknown=(0,), x=fed(2, 3), y=fixed(values=0.5))
case("ADD", "scalar_first", x=fixed(values=2.5), y=fed(2, 3))
case("ADD", "int64", x=fed(2, 3, dtype=np.int64, low=-9, high=9), y=fed(3, dtype=np.int64, low=-9, high=9))
case("MUL", "int64", x=fed(2, 3, dtype=np.int64, low=-9, high=9), y=fed(3, dtype=np.int64, low=-9, high=9))
for kind in ("MAXIMUM", "MINIMUM"):
    case(kind, unknown=(0,), x=fed(2, 3, 4), y=fed(4), more={"quantised": "int8"})
    case(kind, "int32", x=fed(2, 3, dtype=np.int32, low=-9, high=9), y=fixed(values=2, dtype=np.int32))
case("SQUARED_DIFFERENCE", unknown=(0,), x=fed(2, 3, 4), y=fed(1, 4), more={"quantised": "int8"})
case("POW", x=fed(2, 3, low=0.1, high=3), y=fixed(3, low=-2, high=2))
case("POW", "square", unknown=(0,), x=fed(2, 3), y=fixed(values=2.0))
case("POW", "int32", x=fed(2, 3, dtype=np.int32, low=-3, high=3), y=fed(2, 3, dtype=np.int32, low=0, high=3))
case("ATAN2", x=fed(2, 3, low=-2, high=2), y=fed(2, 3, low=-2, high=2))
for kind in ("FLOOR_DIV", "FLOOR_MOD"):
    case(kind, x=fed(2, 3, low=-9, high=9), y=fixed(3, low=1, high=4))
    case(kind, "int32", x=fed(2, 6, dtype=np.int32, low=-9, high=9), y=fixed(values=[-3, 2, 3, -2, 4, 1], dtype=np.int32))
case("FLOOR_MOD", "int64", x=fed(2, 3, dtype=np.int64, low=-9, high=9), y=fixed(values=[4, -4, 3], dtype=np.int64))
case("ADD_N", x=fed(2, 3), y=fed(2, 3), z=fed(2, 3))
case("ADD_N", "int32", x=fed(2, 3, dtype=np.int32, low=-9, high=9), y=fed(2, 3, dtype=np.int32, low=-9, high=9))
for kind in ("EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"):
    case(kind, unknown=(0,), dtype="bool", x=fed(2, 3, 4, dtype=np.int32, low=-2, high=2), y=fed(4, dtype=np.int32, low=-2, high=2))
    case(kind, "float", dtype="bool", x=fed(values=[[0.25, 0.5, -0.25], [0.0, 0.25, 9.0]]), y=fixed(values=0.25))
case("EQUAL", "bool", dtype="bool", x=fed(2, 8, dtype=bool), y=fed(8, dtype=bool))
for kind in ("LOGICAL_AND", "LOGICAL_OR"):
    case(kind, x=fed(2, 6, dtype=bool), y=fed(6, dtype=bool))
case("BITWISE_XOR", x=fed(2, 6, dtype=np.int32, low=-99, high=99), y=fed(2, 6, dtype=np.int32, low=-99, high=99))
case("BITWISE_XOR", "uint8", x=fed(2, 6, dtype=np.uint8, low=0, high=255), y=fed(2, 6, dtype=np.uint8, low=0, high=255))
case("RIGHT_SHIFT", x=fed(2, 6, dtype=np.int32, low=-99, high=99), y=fed(2, 6, dtype=np.int32, low=0, high=5))
case("RIGHT_SHIFT", "uint8", x=fed(6, dtype=np.uint8, low=0, high=255), y=fixed(values=[0, 1, 2, 3, 4, 7], dtype=np.uint8))
case("SELECT", dtype="float32", condition=fed(2, 3, dtype=bool), x=fed(2, 3), y=fed(2, 3))
case("SELECT", "rows", dtype="float32", condition=fed(4, dtype=bool), x=fed(4, 3), y=fed(4, 3))
case("SELECT_V2", unknown={"condition": (0,), "x": (0,)}, dtype="float32", condition=fed(2, 3, 1, dtype=bool), x=fed(2, 1, 4), y=fixed(values=0.5))
case("SELECT_V2", "int64", dtype="int64", condition=fed(2, 3, dtype=bool), x=fed(3, dtype=np.int64, low=-9, high=9), y=fed(2, 1, dtype=np.int64, low=-9, high=9))
case("BROADCAST_ARGS", x=fed(values=[1, 3, 4], dtype=np.int32), y=fed(values=[2, 3, 1], dtype=np.int32))


case("STABLEHLO_ADD", x=fed(2, 3), y=fed(2, 3))


@family.graph("ADD_same_twice")
def doubled(b):
    x = b.fed("x", fed(2, 3))
    return [b.op("ADD", [x, x])]


@family.graph("ADD_infinite_constants")
def infinite(b):
    x = b.fed("x", fed(2, 3))
    low = b.op("MAXIMUM", [x, b.fixed(np.float32([-np.inf] * 3), "low")], names=["low_end"])
    return [b.op("ADD", [low, b.fixed(np.float32([np.inf, 0, -np.inf]), "ends")])]


@family.graph("MUL_broadcast_after_resize", unknown=(1, 2))
def gate(b):
    """Squeeze and excitation: a gate a channel."""
    x = b.fed("x", fed(1, 4, 5, 6))
    mean = b.op("MEAN", [x, b.fixed(np.int32([1, 2]), "axes")], keep_dims=True, names=["mean"])
    return [b.op("MUL", [x, b.op("LOGISTIC", [mean], names=["gate"])])]
