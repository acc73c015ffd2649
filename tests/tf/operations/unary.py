"""Functions of one tensor, element by element."""
import numpy as np

from graphs import Family, fed

family = Family(__name__)
case = family.case

for kind in ("Abs", "Ceil", "Cos", "Cosh", "Erf", "Exp", "Expm1", "Floor", "Neg", "Rint", "Round", "Sign", "Sin", "Sinh", "Square", "Tanh", "Asinh", "Atan"):
    case(kind, x=fed(2, 3, 4, low=-2.5, high=2.5))
for kind in ("Sigmoid",):
    case(kind, unknown=(0, 1), x=fed(2, 3, 4, low=-2.5, high=2.5))
for kind in ("Tan", "Asin", "Acos", "Atanh"):
    case(kind, x=fed(2, 3, low=-0.9, high=0.9))
for kind in ("Log", "Log1p", "Sqrt", "Rsqrt", "Reciprocal", "Inv"):
    case(kind, x=fed(2, 3, 4, low=0.5, high=4.0))
case("Acosh", x=fed(2, 3, low=1.1, high=4.0))
case("Lgamma", x=fed(2, 3, low=1.2, high=6.0))
case("Digamma", x=fed(2, 3, low=1.2, high=6.0))
case("Erfc", x=fed(2, 3))
case("Erfinv", x=fed(2, 3, low=-0.8, high=0.8))
case("Ndtri", x=fed(2, 3, low=0.2, high=0.8))
case("Round", "halves", x=fed(values=[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 0.4]))
case("Rint", "halves", x=fed(values=[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 0.4]))
case("Abs", "int32", x=fed(5, dtype=np.int32, low=-9, high=9))
case("Neg", "int64", x=fed(5, dtype=np.int64, low=-9, high=9))
case("Sign", "int32", x=fed(6, dtype=np.int32, low=-1, high=1))
case("Square", "int32", x=fed(5, dtype=np.int32, low=-9, high=9))
case("Exp", "half", x=fed(2, 3, dtype=np.float16))
case("Tanh", "double", x=fed(2, 3, dtype=np.float64))
case("Tanh", "scalar", x=fed())
case("Tanh", "empty", x=fed(0, 3))
case("IsFinite", x=fed(values=[0.0, np.inf, -np.inf, np.nan, 3.5]))
case("IsInf", x=fed(values=[0.0, np.inf, -np.inf, np.nan, 3.5]))
case("IsNan", x=fed(values=[0.0, np.inf, -np.inf, np.nan, 3.5]))
case("LogicalNot", unknown=(0,), x=fed(7, dtype=bool))
case("Invert", x=fed(6, dtype=np.int32, low=-9, high=9))
case("Invert", "uint8", x=fed(6, dtype=np.uint8, low=0, high=255))
for dtype, low, high in ((np.int8, -128, 127), (np.uint8, 0, 255), (np.int16, -32768, 32767), (np.uint16, 0, 65535), (np.int32, -2147483648, 2147483647)):
    case("PopulationCount", dtype.__name__, x=fed(2, 9, dtype=dtype, low=low, high=high))
case("Identity", input=fed(2, 3))
case("IdentityN", unknown=(0,), take=[0, 1], input=[fed(2, 3), fed(4, dtype=np.int32, low=-5, high=5)])
case("Snapshot", input=fed(2, 3))
case("StopGradient", input=fed(2, 3))
case("PreventGradient", input=fed(2, 3), message="not differentiable")
case("CheckNumerics", tensor=fed(2, 3), message="not a number")
case("PlaceholderWithDefault", input=fed(2, 3), shape=[2, 3])
case("ClipByValue", t=fed(3, 4, low=-2, high=2), clip_value_min=-0.5, clip_value_max=1.0)
case("Bucketize", input=fed(3, 4, low=-2, high=12), boundaries=[0.0, 3.0, 7.5])
for kind in ("BesselI0", "BesselI1", "BesselI0e", "BesselI1e"):
    case(kind, x=fed(values=[0.0, 0.4, -1.3, 3.7, -3.8, 6.0, -9.5]))
case("ToBool", input=fed(values=0.0))
case("ToBool", "one", input=fed(values=3, dtype=np.int32))
case("ToBool", "vector", unknown=(0,), input=fed(3))


def passes(kind):
    @family.graph(kind)
    def build(building):
        import tensorflow as tf
        result = tf.raw_ops.Identity(input=building.fed("x", fed(2, 3)), name="result")
        building.renamed["result"] = kind
        return [result]


for kind in ("Copy", "CopyHost", "DebugIdentity", "DebugIdentityV2", "DebugIdentityV3"):
    passes(kind)
