"""Tensors of numbers that the symbol says, and types."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case


def added(kind, variant, attrs, *shape, dtype=np.float32):
    """A tensor that an operator makes, and an input that is added: a model has inputs."""
    @family.graph(kind.lstrip("_") + ("_" + variant if variant else ""))
    def build(b):
        made = b.op(kind, attrs=attrs)
        return [b.op("broadcast_add", made, b.fed("data", fed(*shape, dtype=dtype, low=-9, high=9)))]


added("_zeros", "", {"shape": (2, 3)}, 2, 3)
added("_zeros", "int32", {"shape": (3,), "dtype": "int32"}, 2, 3, dtype=np.int32)
added("_ones", "", {"shape": (2, 3)}, 2, 3)
added("_full", "", {"shape": (2, 3), "value": 2.5}, 2, 3)
added("_eye", "", {"N": 3, "M": 4, "k": 1}, 3, 4)
added("_eye", "square", {"N": 3}, 3, 3)
added("_arange", "", {"start": 0, "stop": 5}, 5)
added("_arange", "step", {"start": 1, "stop": 3, "step": 0.5, "repeat": 2}, 8)
added("_arange", "stop_only", {"start": 4, "stop": None}, 4)
added("_arange", "down_int64", {"start": 5, "stop": 0, "step": -2, "dtype": "int64"}, 3, dtype=np.int64)
added("_linspace", "", {"start": 0, "stop": 1, "num": 5}, 5)
added("_linspace", "open", {"start": 2, "stop": 1, "num": 4, "endpoint": False}, 4)
for variant, attrs in (("flat", {}), ("axis", {"axis": 1}), ("step", {"axis": -1, "start": 2, "step": 0.5}), ("repeat", {"axis": 1, "repeat": 2})):
    case("_contrib_arange_like", variant, unknown=(0,) if variant != "repeat" else (), attrs=attrs, data=fed(2, 4))
case("zeros_like", unknown=(0,), data=fed(2, 3))
case("ones_like", unknown=(0,), data=fed(2, 3))
for dtype in ("int32", "int64", "uint8", "float16", "float64", "int8"):
    case("Cast", dtype, attrs={"dtype": dtype}, data=fed(values=[[0, 1.6, 100.4], [2.5, 7.9, 3]]))
case("Cast", "of_int32", attrs={"dtype": "float32"}, data=fed(2, 3, dtype=np.int32, low=-9, high=9))
case("amp_cast", attrs={"dtype": "float16"}, data=fed(2, 3), more={"plain": True})


for variant, narrow in (("wide", False), ("narrow", True)):
    @family.graph("amp_multicast_" + variant, plain=True)
    def multicast(b, narrow=narrow):
        x = b.fed("data", fed(2, 3))
        found = b.op("amp_multicast", x, b.op("Cast", x, attrs={"dtype": "float16"}), attrs={"num_outputs": 2, "cast_narrow": narrow})
        return [found[0], found[1]]

case("_copy", data=fed(2, 3))
case("BlockGrad", data=fed(2, 3))
case("_identity_with_attr_like_rhs", lhs=fed(2, 3), rhs=fed(2, 3))
case("cast_storage", attrs={"stype": "default"}, data=fed(2, 3))
case("_contrib_div_sqrt_dim", unknown=(0,), data=fed(2, 9))
case("_contrib_quadratic", attrs={"a": 2, "b": -3, "c": 0.5}, data=fed(2, 3))
