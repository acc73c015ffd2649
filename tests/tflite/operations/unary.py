"""Element-wise operators of one input, and activations."""
import numpy as np

from models import Family
from values import fed, fixed

case = Family(__name__).case

for kind in ("ABS", "CEIL", "COS", "EXP", "FLOOR", "NEG", "ROUND", "SIGN", "SIN", "SQUARE", "ELU", "ZEROS_LIKE"):
    case(kind, x=fed(2, 3, 4, low=-3, high=3))
for kind in ("LOG", "RSQRT", "SQRT"):
    case(kind, x=fed(2, 3, 4, low=0.1, high=4))
for kind in ("RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "HARD_SWISH", "LOGISTIC", "TANH"):
    case(kind, unknown=(0,), x=fed(2, 5, 6, low=-8, high=8), more={"quantised": ("int8",) if kind not in ("RELU_0_TO_1", "RELU_N1_TO_1") else ()})
case("LOGISTIC", "ends", x=fed(values=[-100.0, 100.0, 0.0, -20.0]))
for approximate in (False, True):
    case("GELU", "approximate" if approximate else "", unknown=(0,), x=fed(2, 5, low=-4, high=4), options={"approximate": approximate})
case("LEAKY_RELU", unknown=(0, 1, 2), x=fed(1, 3, 3, 4, low=-3, high=3), options={"alpha": 0.1}, more={"quantised": ("int8", "int16")})
case("PRELU", x=fed(1, 3, 3, 4, low=-3, high=3), alpha=fixed(1, 1, 4, low=0, high=0.5), more={"quantised": "int8"})
case("PRELU", "whole", unknown=(0,), x=fed(2, 3, 3, 4, low=-3, high=3), alpha=fixed(3, 3, 4, low=0, high=0.5))
case("PRELU", "vector", x=fed(2, 3, 4, low=-3, high=3), alpha=fixed(4, low=0, high=0.5))
case("SOFTMAX", unknown=(0,), x=fed(2, 5, low=-3, high=3), options={"beta": 1.0}, more={"quantised": ("int8", "int16")})
case("SOFTMAX", "beta", x=fed(1, 3, 4, 5, low=-3, high=3), options={"beta": 0.5})
case("LOG_SOFTMAX", unknown=(0,), x=fed(2, 5, low=-3, high=3), more={"quantised": "int8"})
case("L2_NORMALIZATION", unknown=(0,), x=fed(1, 3, 3, 4), more={"quantised": "int8"})
case("L2_NORMALIZATION", "rows", x=fed(5, 6))
# The reference kernel leaves out the last of the neighbours.
case("LOCAL_RESPONSE_NORMALIZATION", unknown=(0,), x=fed(1, 3, 3, 8), options={"radius": 2, "bias": 1.0, "alpha": 0.5, "beta": 0.75}, more={"usual": True})
case("LOGICAL_NOT", x=fed(2, 3, dtype=bool))
case("ABS", "int32", x=fed(2, 3, dtype=np.int32, low=-9, high=9), version=4)
case("NEG", "int64", x=fed(2, 3, dtype=np.int64, low=-9, high=9))
case("SIGN", "int32", x=fed(2, 3, dtype=np.int32, low=-2, high=2))
case("SQUARE", "scalar", x=fed(values=1.5))
