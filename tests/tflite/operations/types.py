"""Types of elements: CAST, QUANTIZE, DEQUANTIZE, BITCAST, FAKE_QUANT; weights in float16; sparse and packed ones."""
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from models import TYPES, Family, quantization
from values import fed, fixed

family = Family(__name__)
case, graph = family.case, family.graph

for source, target in (("float32", "int32"), ("float32", "bool"), ("float32", "uint8"), ("float32", "float16"), ("float32", "int64"), ("float32", "float64"), ("int32", "float32"), ("int32", "int64"),
                       ("int64", "int32"), ("int64", "float32"), ("uint8", "float32"), ("int8", "float32"), ("int16", "float32"), ("bool", "float32"), ("bool", "int32"), ("float16", "float32"),
                       ("float64", "float32"), ("int32", "bool")):
    low, high = (0, 9) if "uint8" in (source, target) else (-9, 9)
    case("CAST", f"{source}_to_{target}", unknown=(0,) if source == "int32" and target == "float32" else (), dtype=target, x=fed(2, 4, dtype=source, low=low, high=high),
         options={"in_data_type": TYPES[source], "out_data_type": TYPES[target]})
case("CAST", "no_options", dtype="float32", x=fed(2, 3, dtype=np.int32, low=-9, high=9))
case("BITCAST", dtype="int32", x=fed(2, 3))
case("BITCAST", "narrower", dtype="uint8", x=fed(2, 3, dtype=np.int32, low=-9, high=9))
case("FAKE_QUANT", x=fed(2, 6, low=-3, high=3), options={"min": -1.0, "max": 2.0, "num_bits": 8, "narrow_range": False})


@graph("QUANTIZE_int8", unknown=(0,))
def to_int8(b):
    return [b.op("QUANTIZE", [b.fed("x", fed(2, 5, low=-2, high=2))], dtype="int8", quantized=quantization(0.013, 4))]


@graph("QUANTIZE_uint8")
def to_uint8(b):
    return [b.op("QUANTIZE", [b.fed("x", fed(2, 5, low=-2, high=2))], dtype="uint8", quantized=quantization(0.013, 120))]


@graph("QUANTIZE_int16")
def to_int16(b):
    return [b.op("QUANTIZE", [b.fed("x", fed(2, 5, low=-2, high=2))], dtype="int16", quantized=quantization(2 / 32767))]


for _from, _zero in (("int8", -3), ("uint8", 125), ("int16", 0)):
    @graph(f"DEQUANTIZE_{_from}", unknown=(0,))
    def from_integers(b, kind=_from, zero=_zero):
        x = b.fed("x", fed(2, 5, dtype=kind, low=-120 if zero <= 0 else 0, high=120), quantized=quantization(0.02, zero))
        return [b.op("DEQUANTIZE", [x], dtype="float32", version=3 if kind == "int16" else 2)]


@graph("QUANTIZE_again")
def again(b):
    """From one scale to another."""
    x = b.fed("x", fed(2, 5, dtype=np.int8, low=-120, high=120), quantized=quantization(0.02, 3))
    y = b.op("QUANTIZE", [x], dtype="int8", quantized=quantization(0.031, -7), names=["other"], version=2)
    return [b.op("DEQUANTIZE", [y], dtype="float32", version=2)]


@graph("QUANTIZE_uint8_to_int8")
def sign(b):
    x = b.fed("x", fed(2, 5, dtype=np.uint8, low=0, high=255), quantized=quantization(1 / 255))
    y = b.op("QUANTIZE", [x], dtype="int8", quantized=quantization(1 / 255, -128), names=["other"], version=2)
    return [b.op("DEQUANTIZE", [y], dtype="float32", version=2)]


@graph("DEQUANTIZE_float16_constant")
def half(b):
    weights = b.fixed(b.rng.uniform(-1, 1, (3, 4)).astype(np.float16), "weights")
    return [b.op("ADD", [b.fed("x", fed(2, 3, 4)), b.op("DEQUANTIZE", [weights], dtype="float32", names=["whole"], version=3)])]


@graph("DEQUANTIZE_a_scale_a_channel")
def channels(b):
    weights = b.fixed(b.rng.integers(-127, 127, (3, 4)).astype(np.int8), "weights", quantization([0.01, 0.02, 0.005], [0, 0, 0], 0))
    return [b.op("ADD", [b.fed("x", fed(2, 3, 4)), b.op("DEQUANTIZE", [weights], dtype="float32", names=["whole"], version=5)])]


def sparse(dense, traversal, block_map, metadata):
    table = schema.SparsityParametersT()
    table.traversalOrder, table.blockMap, table.dimMetadata = traversal, block_map, []
    for entry in metadata:
        dim = schema.DimensionMetadataT()
        if isinstance(entry, int):
            dim.format, dim.denseSize = 0, entry
        else:
            dim.format = 1
            for name, values in zip(("arraySegments", "arrayIndices"), entry):
                vector, code = {np.int32: (schema.Int32VectorT, 1), np.uint16: (schema.Uint16VectorT, 2), np.uint8: (schema.Uint8VectorT, 3)}[values.dtype.type]
                made = vector()
                made.values = values
                setattr(dim, name, made)
                setattr(dim, name + "Type", code)
        table.dimMetadata.append(dim)
    return table


MATRIX = np.float32([[1, 0, 0, 4], [0, 0, 0, 0], [0, 2, 3, 0]])


def densified(b, values, sparsity, shape, kind=np.float32, quantized=None):
    weights = b.tensor("weights", shape, kind, np.asarray(values, kind).tobytes(), quantized, sparsity=sparsity)
    return b.op("DENSIFY", [weights], names=["dense"], dtype=kind, quantized=quantized)


for _kind in (np.int32, np.uint16, np.uint8):
    @graph(f"DENSIFY_rows_{np.dtype(_kind).name}")
    def rows(b, kind=_kind):
        """Compressed rows."""
        parameters = sparse(MATRIX, [0, 1], None, [3, (np.array([0, 2, 2, 4], kind), np.array([0, 3, 1, 2], kind))])
        return [b.op("FULLY_CONNECTED", [b.fed("x", fed(2, 4)), densified(b, [1, 4, 2, 3], parameters, [3, 4]), -1])]


@graph("DENSIFY_columns")
def columns(b):
    """The second dimension is walked first."""
    parameters = sparse(MATRIX, [1, 0], None, [4, (np.int32([0, 1, 2, 3, 4]), np.int32([0, 2, 2, 0]))])
    return [b.op("ADD", [b.fed("x", fed(3, 4)), densified(b, [1, 2, 3, 4], parameters, [3, 4])])]


@graph("DENSIFY_blocks")
def blocks(b):
    """Blocks of 2 x 2 of a matrix of 4 x 4, of which the first and the last have numbers."""
    parameters = sparse(None, [0, 1, 2, 3], [0, 1], [2, (np.uint8([0, 1, 2]), np.uint8([0, 1])), 2, 2])
    return [b.op("ADD", [b.fed("x", fed(4, 4)), densified(b, [1, 2, 3, 4, 5, 6, 7, 8], parameters, [4, 4])])]


@graph("DENSIFY_float16")
def half_sparse(b):
    parameters = sparse(MATRIX, [0, 1], None, [3, (np.uint8([0, 2, 2, 4]), np.uint8([0, 3, 1, 2]))])
    dense = densified(b, [1, 4, 2, 3], parameters, [3, 4], np.float16)
    return [b.op("ADD", [b.fed("x", fed(3, 4)), b.op("DEQUANTIZE", [dense], dtype="float32", names=["whole"], version=3)])]


@graph("DENSIFY_int8")
def integers_sparse(b):
    parameters = sparse(MATRIX, [0, 1], None, [3, (np.uint8([0, 2, 2, 4]), np.uint8([0, 3, 1, 2]))])
    dense = densified(b, [10, 40, -20, 127], parameters, [3, 4], np.int8, quantization(0.05))
    return [b.op("ADD", [b.fed("x", fed(3, 4)), b.op("DEQUANTIZE", [dense], dtype="float32", names=["whole"], version=2)])]


@graph("FULLY_CONNECTED_int4", hybrid=True)
def packed(b):
    """Weights of four bits, two in a byte, the low one first; the input is quantised when it runs."""
    numbers = b.rng.integers(-7, 8, (4, 6))
    content = bytes(int(low) & 15 | (int(high) & 15) << 4 for low, high in numbers.reshape(-1, 2))
    weights = b.tensor("weights", [4, 6], 17, content, quantization([0.1, 0.05, 0.2, 0.15], 0, 0))
    return [b.op("FULLY_CONNECTED", [b.fed("x", fed(2, 6)), weights, -1], asymmetric_quantize_inputs=False, version=10)]


@graph("DEQUANTIZE_int4")
def packed_alone(b):
    numbers = b.rng.integers(-7, 8, (3, 5)).ravel()
    content = bytes(int(numbers[at]) & 15 | (int(numbers[at + 1]) & 15 if at + 1 < 15 else 0) << 4 for at in range(0, 15, 2))
    weights = b.tensor("weights", [3, 5], 17, content, quantization(0.1))
    return [b.op("ADD", [b.fed("x", fed(3, 5)), b.op("DEQUANTIZE", [weights], dtype="float32", names=["whole"], version=6)])]
