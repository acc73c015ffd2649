"""Fully connected layers, products of matrices, look-ups."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

EVERY = ("int8", "int8_io", "int8_tensor", "int16", "uint8", "hybrid_tensor", "float16")
BIAS = dict(low=-0.5, high=0.5)
case("FULLY_CONNECTED", unknown=(0,), x=fed(2, 6), weights=fixed(4, 6), bias=fixed(4, **BIAS), more={"quantised": EVERY})
case("FULLY_CONNECTED", "relu", x=fed(2, 6), weights=fixed(4, 6), bias=fixed(4, **BIAS), options={"activation": "RELU"}, more={"quantised": ("int8", "hybrid_tensor")})
case("FULLY_CONNECTED", "no_bias", x=fed(3, 6), weights=fixed(4, 6), bias=None, options={"activation": "RELU6"}, more={"quantised": "int8"})
case("FULLY_CONNECTED", "two_inputs", x=fed(3, 6), weights=fixed(4, 6))
case("FULLY_CONNECTED", "flattened", x=fed(2, 3, 4), weights=fixed(5, 4), bias=fixed(5, **BIAS))
case("FULLY_CONNECTED", "picture", x=fed(2, 2, 3, 4), weights=fixed(5, 24), bias=fixed(5, **BIAS), more={"quantised": "int8"})
case("FULLY_CONNECTED", "keep_dims", unknown=(0, 1), version=5, x=fed(2, 3, 4), weights=fixed(5, 4), bias=fixed(5, **BIAS), options={"keep_num_dims": True}, more={"quantised": ("int8", "hybrid_tensor")})
case("FULLY_CONNECTED", "fed_weights", x=fed(2, 6), weights=fed(4, 6), bias=None)
case("BATCH_MATMUL", unknown={"x": (0,), "y": (0,)}, x=fed(2, 3, 4), y=fed(2, 4, 5), more={"quantised": ("int8", "int16")})
case("BATCH_MATMUL", "constant", unknown=(0, 1), x=fed(2, 3, 4), y=fixed(4, 5), more={"quantised": ("int8", "hybrid_tensor", "float16")})
case("BATCH_MATMUL", "adj_x", x=fed(2, 4, 3), y=fed(2, 4, 5), options={"adj_x": True})
case("BATCH_MATMUL", "adj_y", x=fed(2, 3, 4), y=fed(2, 5, 4), options={"adj_y": True}, more={"quantised": "int8"})
case("BATCH_MATMUL", "both", x=fed(1, 2, 4, 3), y=fed(2, 2, 5, 4), options={"adj_x": True, "adj_y": True})
case("EMBEDDING_LOOKUP", unknown=(0,), dtype="float32", ids=fed(values=[0, 3, 1, 3], dtype=np.int32), table=fixed(5, 6), more={"quantised": "hybrid_tensor"})
case("EMBEDDING_LOOKUP", "deep", dtype="float32", ids=fed(values=[2, 0], dtype=np.int32), table=fixed(4, 3, 2))
case("MATRIX_DIAG", unknown=(0,), x=fed(2, 4))
case("MATRIX_SET_DIAG", x=fed(2, 3, 4), diagonal=fed(2, 3))


@family.graph("attention", unknown=(0, 1), quantised=("int8",))
def attention(b):
    x = b.fed("x", fed(2, 4, 6))
    q, k, v = (b.op("FULLY_CONNECTED", [x, b.fixed(fixed(6, 6), "w" + name), b.fixed(fixed(6, **BIAS), "b" + name)], keep_num_dims=True, names=[name], version=5) for name in "qkv")
    scores = b.op("MUL", [b.op("BATCH_MATMUL", [q, k], adj_y=True, names=["products"]), b.fixed(np.float32(6 ** -0.5), "scale")], names=["scores"])
    return [b.op("BATCH_MATMUL", [b.op("SOFTMAX", [scores], beta=1.0, names=["weights"]), v])]
