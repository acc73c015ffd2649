"""Weights with a scale for each block of elements (BlockwiseQuantization). LiteRT rounds what they are multiplied with, so NumPy computes the results."""
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from models import Family, quantization
from values import fed

family = Family(__name__)
graph = family.graph
INT4, INT2 = 17, 19


def packed(array, bits):
    """The first number in the low bits of a byte."""
    flat = array.astype(np.int64).ravel() & (1 << bits) - 1
    in_byte = 8 // bits
    flat = np.pad(flat, (0, -len(flat) % in_byte)).reshape(-1, in_byte)
    return (flat << np.arange(in_byte) * bits).sum(1).astype(np.uint8).tobytes()


class Weights:
    """Whole numbers, their scales and zero points, one for each block of the last axis."""

    def __init__(self, shape, block, bits=4, zeros=False, scale_type=np.float16, seed=5):
        rng = np.random.default_rng(seed)
        self.block, self.bits, half = block, bits, 1 << bits - 1
        blocks = (*shape[:-1], shape[-1] // block)
        self.numbers = rng.integers(-half, half, shape)
        self.scales = rng.uniform(0.02, 0.2, blocks).astype(scale_type)
        self.zeros = rng.integers(-3, 4, blocks).astype(np.int32) if zeros else None

    def real(self):
        each = [None if one is None else np.repeat(one, self.block, -1).astype(np.float64) for one in (self.scales, self.zeros)]
        return (self.numbers - (0 if each[1] is None else each[1])) * each[0]

    def add(self, b, axis=0, scales=None):
        parameters, details = quantization([]), schema.BlockwiseQuantizationT()
        details.scales = b.fixed(self.scales if scales is None else scales, "scales")
        details.zeroPoints = -1 if self.zeros is None else b.fixed(self.zeros, "zeros")
        details.blockSize, parameters.detailsType, parameters.details, parameters.quantizedDimension = self.block, 2, details, axis
        if self.bits == 8:
            return b.fixed(self.numbers.astype(np.int8), "weights", parameters)
        return b.tensor("weights", self.numbers.shape, {4: INT4, 2: INT2}[self.bits], packed(self.numbers, self.bits), parameters)


def dense(name, weights, shape=(3, 64), axis=0):
    bias = np.linspace(-1, 1, weights.numbers.shape[0]).astype(np.float32)

    @graph("FULLY_CONNECTED_" + name, expected=lambda x: [(x @ weights.real().T + bias).astype(np.float32)])
    def build(b):
        return [b.op("FULLY_CONNECTED", [b.fed("x", fed(*shape)), weights.add(b, axis), b.fixed(bias, "bias")])]


dense("int4", Weights((6, 64), 32))
dense("int4_one_block", Weights((6, 64), 64))
dense("int4_odd_rows", Weights((5, 96), 32), (3, 96))
dense("int4_scales_of_floats", Weights((6, 64), 16, scale_type=np.float32))
dense("int4_zero_points", Weights((6, 64), 32, zeros=True))
dense("int8", Weights((6, 64), 32, 8))
dense("int8_zero_points", Weights((6, 64), 16, 8, zeros=True))
dense("int2", Weights((6, 64), 32, 2))


def looked_up(kind, name, weights, indices, **more):
    @graph(f"{kind}_{name}", expected=lambda ids: [weights.real()[ids].astype(np.float32)])
    def build(b):
        ids, table = b.fed("ids", fed(values=indices, dtype=np.int32)), weights.add(b)
        return [b.op(kind, [ids, table] if kind == "EMBEDDING_LOOKUP" else [table, ids], dtype="float32", **more)]


looked_up("EMBEDDING_LOOKUP", "int4", Weights((9, 64), 32), [3, 0, 8])
looked_up("EMBEDDING_LOOKUP", "int8", Weights((9, 64), 32, 8), [3, 0, 8])
looked_up("GATHER", "int4", Weights((9, 64), 32, zeros=True), [[3, 0], [8, 1]], axis=0)
looked_up("GATHER", "int8", Weights((9, 64), 16, 8), [[3, 0], [8, 1]], axis=0)

for _bits in (4, 8):
    _weights = Weights((2, 6, 64), 32, _bits)

    @graph(f"BATCH_MATMUL_int{_bits}", expected=lambda x, w=_weights: [(x @ w.real().transpose(0, 2, 1)).astype(np.float32)])
    def product(b, weights=_weights):
        return [b.op("BATCH_MATMUL", [b.fed("x", fed(2, 3, 64)), weights.add(b)], adj_y=True)]


@graph("along_the_first_axis", refused="blocks are along the last axis")
def first_axis(b):
    return [b.op("FULLY_CONNECTED", [b.fed("x", fed(3, 64)), Weights((6, 64), 32).add(b, axis=1), -1])]


@graph("too_few_scales", refused="a scale for each block is needed")
def few(b):
    weights = Weights((6, 64), 32)
    return [b.op("FULLY_CONNECTED", [b.fed("x", fed(3, 64)), weights.add(b, scales=weights.scales[:, :1]), -1])]


@graph("of_activations", refused="only constants have blocks")
def of_activations(b):
    parameters = quantization([])
    details = schema.BlockwiseQuantizationT()
    details.scales, details.zeroPoints, details.blockSize = b.fixed(np.full((3, 2), 0.1, np.float16), "scales"), -1, 32
    parameters.detailsType, parameters.details = 2, details
    return [b.op("NEG", [b.fed("x", fed(3, 64, dtype=np.int8, low=-9, high=9), parameters)], dtype="float32")]
