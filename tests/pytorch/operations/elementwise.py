"""Functions of elements: of two tensors, of a tensor and a number, with types that are promoted."""
import torch

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X, Y, POSITIVE = fed(2, 3), fed(3), fed(2, 3, low=0.3, high=2)
case("add", lambda x, y: x + y, X, Y, core=True)
case("add_alpha", lambda x, y: torch.add(x, y, alpha=2.5), X, fed(2, 3), unknown=(0,), core=True)
case("add_number", lambda x: x + 1, X, unknown=(0,))
case("add_integers_and_reals", lambda x, y: x + y, ints(2, 3), fed(3))
case("add_integer_types", lambda x, y: x + y, ints(2, 3, dtype="int32"), ints(3, dtype="int64"))
case("add_real_to_integers", lambda x: x + 0.5, ints(2, 3))
case("add_booleans", lambda x, y: x + y, flags(2, 3), flags(3))
case("add_scalar_tensor", lambda x, y: x + y, ints(2, 3, dtype="int32"), given(3, "int64"))
case("sub", lambda x, y: x - y, X, Y)
case("rsub", lambda x: 1 - x, X)
case("rsub_alpha", lambda x: torch.rsub(x, 2, alpha=3), X)
case("mul", lambda x, y: x * y, X, Y)
case("mul_number", lambda x: x * 0.125, X)
case("div", lambda x, y: x / y, X, POSITIVE)
case("div_integers", lambda x, y: x / y, ints(2, 3), ints(2, 3, low=1))
case("div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), fed(2, 3, low=-5, high=5), POSITIVE)
case("div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), fed(2, 3, low=-5, high=5), POSITIVE)
case("div_floor_integers", lambda x: torch.div(x, 3, rounding_mode="floor"), ints(2, 5, low=-9, high=9))
case("div_trunc_integers", lambda x: torch.div(x, 3, rounding_mode="trunc"), ints(2, 5, low=-9, high=9))
case("floor_divide", lambda x: x // 2, ints(2, 5, low=-9, high=9))
case("remainder", lambda x: x % 3, ints(2, 5, low=-9, high=9))
case("remainder_reals", lambda x, y: torch.remainder(x, y), fed(2, 3, low=-5, high=5), POSITIVE)
case("fmod", lambda x: torch.fmod(x, 2.0), fed(2, 3, low=-5, high=5))
case("pow_number", lambda x: x ** 3, X, core=True)
case("pow_half", lambda x: x ** 0.5, POSITIVE)
case("pow_tensor", lambda x, y: x ** y, POSITIVE, X)
case("pow_of_number", lambda x: 2 ** x, X)
case("maximum", torch.maximum, X, Y)
case("minimum", torch.minimum, X, Y)
case("max_other", torch.max, X, fed(2, 3))
case("atan2", torch.atan2, X, fed(2, 3, low=0.2, high=1))
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    case(name, getattr(torch, name), ints(2, 3), ints(3))
    case(name + "_number", lambda x, f=getattr(torch, name): f(x, 0.25), X)
case("lt_types", torch.lt, ints(2, 3), X)
case("logical_and", torch.logical_and, X, flags(3))
case("logical_or", torch.logical_or, flags(2, 3), flags(3))
case("logical_xor", torch.logical_xor, flags(2, 3), flags(3))
case("logical_not", torch.logical_not, ints(2, 3, low=0, high=2), core=True)
case("bitwise", lambda x, y: (x & y, x | y, x ^ y, ~x), flags(2, 3), flags(3))
case("bitwise_integers", lambda x, y: (x & y, x | y, x ^ y, ~x), ints(2, 3, high=99), ints(3, high=99))
case("where", torch.where, flags(2, 3), X, Y, core=True)
case("where_number", lambda c, x: torch.where(c, x, 0.0), flags(2, 3), X)
case("masked_fill", lambda x, m: x.masked_fill(m, -1e4), X, flags(2, 3), core=True)
case("masked_fill_integer", lambda x, m: x.masked_fill(m, 0), X, flags(3), unknown={0: (0,)})
case("clamp", lambda x: x.clamp(-0.5, 0.5), X, core=True)
case("clamp_min", lambda x: x.clamp_min(0.1), X)
case("clamp_max", lambda x: torch.clamp(x, max=0.2), X)
case("clamp_integers", lambda x: x.clamp(1, 3), ints(2, 5))
case("clamp_tensors", torch.clamp, X, fed(3, low=-1, high=0), fed(3, low=0, high=1))
case("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=0.5), X, X, Y)
case("addcdiv", lambda x, y, z: torch.addcdiv(x, y, z, value=0.5), X, X, POSITIVE)
case("lerp", lambda x, y: torch.lerp(x, y, 0.3), X, X)
for name in "abs neg sign ceil floor trunc round sin cos tan atan sinh cosh asinh erf exp expm1 tanh sigmoid square".split():
    case(name, getattr(torch, name), fed(2, 3, low=-2, high=2))
for name in "sqrt rsqrt reciprocal log log2 log10 log1p lgamma digamma".split():
    case(name, getattr(torch, name), POSITIVE)
for name in "asin acos atanh erfinv erfc".split():
    case(name, getattr(torch, name), fed(2, 3, low=-0.8, high=0.8))
case("exp_integers", torch.exp, ints(2, 3))
case("isnan", lambda x: torch.isnan(x / (x - x[0, 0])), X)
def and_in_place(x, y):
    z = x.clone()
    z &= y
    return z | x


def shifted_in_place(x):
    z = x.clone()
    z <<= 2
    z ^= x
    z >>= 1
    z |= 1
    return z


case("and_in_place", and_in_place, flags(2, 3), flags(2, 3))
case("shifted_in_place", shifted_in_place, ints(2, 3))
