"""RFFT2D and operators that read complex numbers; random numbers."""
import numpy as np

from models import TYPES, Family
from values import fed, fixed

family = Family(__name__)
graph = family.graph


def spectrum(b, shape, lengths, unknown_name="x"):
    return b.op("RFFT2D", [b.fed("x", fed(*shape)), b.fixed(np.int32(lengths), "lengths")], dtype="complex64", names=["spectrum"])


for _kind in ("REAL", "IMAG", "COMPLEX_ABS"):
    @graph("RFFT2D_" + _kind, unknown=(0,))
    def part(b, kind=_kind):
        return [b.op(kind, [spectrum(b, (2, 4, 8), [4, 8])], dtype="float32")]


@graph("RFFT2D_one_row")
def one_row(b):
    """A spectrum of frames, as audio models have it."""
    x = b.op("RESHAPE", [b.fed("x", fed(3, 16)), b.fixed(np.int32([3, 1, 16]), "rows")], names=["rows_of_one"])
    found = b.op("RFFT2D", [x, b.fixed(np.int32([1, 16]), "lengths")], dtype="complex64", names=["spectrum"])
    return [b.op("SQUEEZE", [b.op("COMPLEX_ABS", [found], dtype="float32", names=["size"])], squeeze_dims=np.int32([1]))]


@graph("RFFT2D_CAST")
def real_by_cast(b):
    return [b.op("CAST", [spectrum(b, (1, 4, 8), [4, 8])], dtype="float32", in_data_type=TYPES["complex64"], out_data_type=0)]


@graph("RFFT2D_padded")
def padded(b):
    return [b.op("REAL", [spectrum(b, (1, 3, 6), [4, 8])], dtype="float32")]


@graph("RFFT2D_cut")
def cut(b):
    return [b.op("IMAG", [spectrum(b, (1, 6, 10), [4, 8])], dtype="float32")]


@graph("RFFT2D_both_parts")
def both(b):
    found = spectrum(b, (1, 4, 8), [4, 8])
    return [b.op("REAL", [found], dtype="float32", names=["real"]), b.op("IMAG", [found], dtype="float32", names=["imaginary"])]


@graph("RANDOM_UNIFORM")
def uniform(b):
    return [b.op("ADD", [b.op("RANDOM_UNIFORM", [b.fixed(np.int32([2, 3]), "shape")], dtype="float32", seed=7, seed2=11, names=["numbers"]), b.fed("x", fed(2, 3))])]


@graph("RANDOM_STANDARD_NORMAL")
def normal(b):
    return [b.op("ADD", [b.op("RANDOM_STANDARD_NORMAL", [b.fixed(np.int32([2, 3]), "shape")], dtype="float32", seed=7, seed2=11, names=["numbers"]), b.fed("x", fed(2, 3))])]


@graph("MULTINOMIAL")
def multinomial(b):
    return [b.op("MULTINOMIAL", [b.fed("x", fed(2, 3)), b.fixed(np.int32(4), "count")], dtype="int64", seed=7, seed2=11)]
