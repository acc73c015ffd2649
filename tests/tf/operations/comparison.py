"""Comparisons, logic, and choice by a condition."""
import numpy as np

from graphs import Family, fed, fixed

case = Family(__name__).case

for kind in ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"):
    case(kind, x=fed(2, 5, dtype=np.int32, low=-2, high=2), y=fed(2, 5, dtype=np.int32, low=-2, high=2))
case("Less", "float", unknown=(0,), x=fed(2, 5), y=fed(5))
case("Equal", "float", x=fed(values=[1.0, 2.0, 3.0]), y=2.0)
case("Equal", "bool", x=fed(6, dtype=bool), y=fed(6, dtype=bool))
case("GreaterEqual", "int64", x=fed(6, dtype=np.int64, low=-2, high=2), y=np.int64(0))
case("ApproximateEqual", x=fed(values=[1.0, 2.0, 3.0]), y=fed(values=[1.0005, 2.1, 3.0]), tolerance=0.01)
for kind in ("LogicalAnd", "LogicalOr"):
    case(kind, x=fed(8, dtype=bool), y=fed(8, dtype=bool))
case("LogicalAnd", "broadcast", unknown={"x": (0,)}, x=fed(3, 1, dtype=bool), y=fed(4, dtype=bool))
case("Select", condition=fed(2, 3, dtype=bool), x=fed(2, 3), y=fed(2, 3))
case("Select", "rows", unknown={"condition": (0,), "x": (0,), "y": (0,)}, condition=fed(values=[True, False, True], dtype=bool), x=fed(3, 2, 2), y=fed(3, 2, 2))
case("Select", "scalar", condition=fed(values=False, dtype=bool), x=fed(2, 3), y=fed(2, 3))
case("SelectV2", unknown={"e": (0,)}, condition=fed(3, 1, dtype=bool), t=fed(4), e=fed(2, 3, 4))
case("SelectV2", "constants", condition=fed(3, 4, dtype=bool), t=1.0, e=0.0)
case("SelectV2", "int32", condition=fed(5, dtype=bool), t=fed(5, dtype=np.int32, low=-9, high=9), e=fixed(5, dtype=np.int32, low=-9, high=9))
case("Where", condition=fed(3, 4, dtype=bool))
case("Where", "float", condition=fed(values=[[0.0, 1.5], [-1.0, 0.0]]))
case("Where", "int32", unknown=(0,), condition=fed(values=[0, 3, 0, 1, 2], dtype=np.int32))
