"""Functions of two tensors, element by element, with the shapes made equal."""
import numpy as np

from graphs import Family, fed, fixed

case = Family(__name__).case

for kind in ("Add", "AddV2", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference"):
    case(kind, x=fed(2, 3, 4), y=fed(2, 3, 4))
for kind in ("AddV2", "Mul"):
    case(kind, "broadcast", unknown={"x": (0,), "y": (1,)}, x=fed(2, 1, 4), y=fed(3, 1))
for kind in ("AddV2", "Sub", "Mul"):
    case(kind, "scalar", x=fed(2, 3), y=1.5)
for kind in ("Div", "RealDiv"):
    case(kind, x=fed(2, 3), y=fed(2, 3, low=0.5, high=2))
case("RealDiv", "constant", unknown=(0,), x=fed(2, 3), y=fixed(3, low=0.5, high=2))
case("Div", "int32", x=fed(values=[7, -7, 7, -7, 9], dtype=np.int32), y=fed(values=[2, 2, -2, -2, 3], dtype=np.int32))
for kind in ("FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod", "Mod"):
    case(kind, "int32", x=fed(values=[7, -7, 7, -7, 9, -9], dtype=np.int32), y=fed(values=[2, 2, -2, -2, 3, 3], dtype=np.int32))
for kind in ("FloorDiv", "FloorMod", "Mod"):
    case(kind, "float", x=fed(values=[7.5, -7.5, 7.5, -7.5, 9, -9]), y=fed(values=[2, 2, -2, -2, 3, 3]))
case("FloorDiv", "int64", unknown=(0,), x=fed(values=[7, -7, 7, -7], dtype=np.int64), y=fed(values=[2, 2, -2, -2], dtype=np.int64))
case("FloorDiv", "uint8", x=fed(5, dtype=np.uint8, low=0, high=200), y=fed(5, dtype=np.uint8, low=1, high=9))
case("FloorMod", "constant", x=fed(values=[7, -7, 8, -8], dtype=np.int32), y=3)
case("DivNoNan", x=fed(2, 3), y=fed(values=[[0, 1, 2], [-1, 0, 0.5]]))
case("MulNoNan", x=fed(2, 3), y=fed(values=[[0, 1, 2], [-1, 0, 0.5]]))
case("Xdivy", x=fed(values=[0, 0, 1, -2]), y=fed(values=[0, 2, 2, 4]))
case("Xlogy", x=fed(values=[0, 0, 1, -2]), y=fed(values=[0, 2, 2, 4]))
case("Xlog1py", x=fed(values=[0, 0, 1, -2]), y=fed(values=[-1, 2, 2, 4]))
case("Pow", x=fed(2, 3, low=0.5, high=2), y=fed(3, low=-2, high=2))
case("Pow", "int32", x=fed(2, 3, dtype=np.int32, low=-3, high=3), y=fed(3, dtype=np.int32, low=0, high=3))
case("Pow", "square", x=fed(2, 3), y=2.0)
case("Atan2", y=fed(2, 3), x=fed(2, 3))
case("AddN", inputs=[fed(2, 3), fed(2, 3), fed(2, 3)])
case("AddN", "one", inputs=[fed(2, 3)])
case("AccumulateNV2", inputs=[fed(2, 3), fed(2, 3)], shape=[2, 3])
case("AddV2", "int64", x=fed(4, dtype=np.int64, low=-9, high=9), y=fed(4, dtype=np.int64, low=-9, high=9))
case("AddV2", "half", x=fed(4, dtype=np.float16), y=fed(4, dtype=np.float16))
case("AddV2", "double", x=fed(4, dtype=np.float64), y=fed(4, dtype=np.float64))
case("FloorDiv", "uint8_vector", unknown=(0,), x=fed(values=[8, 11, 200, 255, 5, 0], dtype=np.uint8), y=np.uint8(3))
case("Div", "int8", unknown=(0,), x=fed(values=[8, -8, 11, -11, 127, -128], dtype=np.int8), y=np.int8(3))
case("Sub", "uint8", x=fed(4, dtype=np.uint8, low=100, high=200), y=fed(4, dtype=np.uint8, low=0, high=90))
case("Maximum", "int32", x=fed(6, dtype=np.int32, low=-9, high=9), y=0)
case("BiasAdd", unknown=(0, 1, 2), value=fed(2, 3, 3, 4), bias=fixed(4))
case("BiasAdd", "matrix", value=fed(2, 5), bias=fixed(5))
case("BiasAdd", "nchw", value=fed(2, 4, 3, 3), bias=fixed(4), data_format="NCHW")
case("BiasAddV1", value=fed(2, 3, 4), bias=fixed(4))
case("BroadcastArgs", s0=fed(values=[2, 1, 3], dtype=np.int32), s1=fed(values=[4, 1], dtype=np.int32))
for kind in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
    case(kind, x=fed(6, dtype=np.int32, low=0, high=255), y=fed(6, dtype=np.int32, low=0, high=255))
case("LeftShift", x=fed(6, dtype=np.int32, low=0, high=255), y=fed(6, dtype=np.int32, low=0, high=5))
case("RightShift", x=fed(6, dtype=np.int32, low=0, high=255), y=fed(6, dtype=np.int32, low=0, high=5))
case("Cross", a=fed(2, 3), b=fed(2, 3))
case("L2Loss", t=fed(3, 4))
