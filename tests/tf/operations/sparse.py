"""Sparse tensors, which are indices, values and a shape, and rows of different lengths."""
import numpy as np

from graphs import Family, fed

case = Family(__name__).case

INDICES = fed(values=[[0, 1], [2, 0], [2, 3]], dtype=np.int64)
SHAPE = np.array([4, 5], np.int64)
ANY = {"a_indices": (0,), "a_values": (0,), "sp_indices": (0,), "sp_values": (0,), "input_indices": (0,), "input_values": (0,), "indices": (0,), "values": (0,)}

case("SparseTensorDenseAdd", unknown=ANY, a_indices=INDICES, a_values=fed(3), a_shape=SHAPE, b=fed(4, 5))
case("SparseTensorDenseMatMul", unknown=ANY, a_indices=INDICES, a_values=fed(3), a_shape=SHAPE, b=fed(5, 2))
case("SparseTensorDenseMatMul", "adjoint", a_indices=INDICES, a_values=fed(3), a_shape=SHAPE, b=fed(3, 4), adjoint_a=True, adjoint_b=True)
for kind in ("Add", "Mul", "Div"):
    case("SparseDenseCwise" + kind, sp_indices=INDICES, sp_values=fed(3), sp_shape=SHAPE, dense=fed(1, 5, low=1, high=3))
case("SparseReduceSum", unknown=ANY, input_indices=INDICES, input_values=fed(3), input_shape=SHAPE, reduction_axes=[-1])
case("SparseReduceSum", "keep", input_indices=INDICES, input_values=fed(3), input_shape=SHAPE, reduction_axes=[0], keep_dims=True)
case("SparseReorder", unknown=ANY, input_indices=fed(values=[[2, 3], [0, 1], [2, 0]], dtype=np.int64), input_values=fed(3), input_shape=SHAPE)
case("SparseReshape", unknown=ANY, input_indices=INDICES, input_shape=SHAPE, new_shape=np.array([2, -1, 5], np.int64))
case("SparseReshape", "fed_shape", input_indices=INDICES, input_shape=fed(values=SHAPE, dtype=np.int64), new_shape=np.array([20], np.int64))
case("SparseSlice", unknown=ANY, indices=INDICES, values=fed(3), shape=SHAPE, start=np.array([1, 0], np.int64), size=np.array([5, 2], np.int64))
case("SparseFillEmptyRows", unknown=ANY, indices=INDICES, values=fed(3), dense_shape=SHAPE, default_value=fed())
case("SparseFillEmptyRows", "int64", indices=INDICES, values=fed(3, dtype=np.int64, low=1, high=9), dense_shape=fed(values=SHAPE, dtype=np.int64), default_value=np.int64(-1))
ROWS = [0, 2, 2, 5, 6]
for variant, shape in {"any": -1, "wide": [4, 5], "narrow": [-1, 2], "long": [6, -1], "short": [2, -1]}.items():
    case("RaggedTensorToTensor", variant, shape=np.array(shape, np.int64), values=fed(6), default_value=0.5, row_partition_tensors=[fed(values=ROWS, dtype=np.int64)],
         row_partition_types=["ROW_SPLITS"])
case("RaggedTensorToTensor", "vectors", unknown={"values": (0,), "row_partition_tensors0": (0,)}, shape=np.array([-1, -1, 3], np.int64), values=fed(6, 3), default_value=-1.0,
     row_partition_tensors=[fed(values=ROWS, dtype=np.int64)], row_partition_types=["ROW_SPLITS"])
case("RaggedTensorToTensor", "ids", shape=np.array(-1, np.int64), values=fed(6), default_value=0.0,
     row_partition_tensors=[fed(values=4, dtype=np.int64), fed(values=[0, 0, 2, 2, 2, 3], dtype=np.int64)], row_partition_types=["FIRST_DIM_SIZE", "VALUE_ROWIDS"])

# Reductions and sums of sparse tensors.
MORE = fed(values=[[0, 1], [1, 4], [2, 3]], dtype=np.int64)
TWO = {"a_indices": INDICES, "a_values": fed(3), "a_shape": SHAPE, "b_indices": MORE, "b_values": fed(3), "b_shape": SHAPE}
ANY_TWO = {"a_indices": (0,), "a_values": (0,), "b_indices": (0,), "b_values": (0,)}
case("SparseReduceMax", unknown=ANY, input_indices=INDICES, input_values=fed(3, low=-2, high=-1), input_shape=SHAPE, reduction_axes=[-1])
case("SparseReduceMax", "keep", input_indices=INDICES, input_values=fed(3, dtype=np.int32, low=-9, high=9), input_shape=SHAPE, reduction_axes=[0], keep_dims=True)
case("SparseSoftmax", unknown={"sp_indices": (0,), "sp_values": (0,)}, sp_indices=INDICES, sp_values=fed(3, low=-9, high=9), sp_shape=SHAPE)
case("SparseSoftmax", "volume", sp_indices=fed(values=[[0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 1, 0], [1, 1, 2]], dtype=np.int64), sp_values=fed(5), sp_shape=np.array([2, 2, 3], np.int64))
case("SparseAdd", unknown=ANY_TWO, **TWO, thresh=np.float32(0))
case("SparseAdd", "least", a_indices=INDICES, a_values=fed(values=[3, -1, 5]), a_shape=SHAPE, b_indices=MORE, b_values=fed(values=[-2.5, 0.25, -5]), b_shape=SHAPE, thresh=np.float32(0.5))
case("SparseSparseMaximum", unknown=ANY_TWO, **TWO)
case("SparseSparseMinimum", unknown=ANY_TWO, **TWO)
case("SparseConcat", "rows", unknown={"indices0": (0,), "values0": (0,)}, indices=[INDICES, MORE], values=[fed(3), fed(3)], shapes=[SHAPE, SHAPE], concat_dim=0)
case("SparseConcat", "three_columns", indices=[INDICES, MORE, INDICES], values=[fed(3), fed(3), fed(3)], shapes=[SHAPE, SHAPE, np.array([4, 7], np.int64)], concat_dim=-1)

# How often numbers occur; those that are too large are left out.
NUMBERS, ROW_ENDS = fed(values=[3, 1, 1, 9, 0, 3], dtype=np.int64), fed(values=[0, 2, 2, 5, 6], dtype=np.int64)
PLACES = fed(values=[[0, 0], [0, 1], [2, 0], [2, 1], [2, 3], [3, 0]], dtype=np.int64)
NO_WEIGHTS, IN_ROWS = np.zeros(0, np.float32), {"indices": (0,), "values": (0,)}
case("SparseBincount", unknown=IN_ROWS, indices=PLACES, values=NUMBERS, dense_shape=np.array([4, 4], np.int64), size=np.int64(5), weights=NO_WEIGHTS)
case("SparseBincount", "weights", indices=PLACES, values=NUMBERS, dense_shape=np.array([4, 4], np.int64), size=np.int64(5), weights=fed(6))
case("SparseBincount", "binary", indices=PLACES, values=NUMBERS, dense_shape=np.array([4, 4], np.int64), size=np.int64(5), weights=NO_WEIGHTS, binary_output=True)
case("SparseBincount", "vector", indices=fed(values=[[0], [2], [3], [5], [6], [8]], dtype=np.int64), values=NUMBERS, dense_shape=np.array([9], np.int64), size=np.int64(4), weights=NO_WEIGHTS)
case("RaggedBincount", splits=ROW_ENDS, values=NUMBERS, size=np.int64(5), weights=NO_WEIGHTS)
case("RaggedBincount", "weights", splits=ROW_ENDS, values=NUMBERS, size=np.int64(5), weights=fed(6))
case("RaggedBincount", "binary", splits=ROW_ENDS, values=NUMBERS, size=np.int64(5), weights=NO_WEIGHTS, binary_output=True)

# Rows of different lengths.
OF_ROWS = {"params_nested_splits0": (0,), "params_dense_values": (0,), "indices": (0,)}
case("RaggedGather", unknown=OF_ROWS, params_nested_splits=[ROW_ENDS], params_dense_values=fed(6), indices=fed(values=[2, 0, 1, 2, 3], dtype=np.int64), OUTPUT_RAGGED_RANK=1)
case("RaggedGather", "vectors", params_nested_splits=[fed(values=[0, 2, 2, 5, 6], dtype=np.int32)], params_dense_values=fed(6, 2), indices=fed(values=[3, 0], dtype=np.int32), OUTPUT_RAGGED_RANK=1)
case("RaggedRange", unknown={"starts": (0,), "limits": (0,), "deltas": (0,)}, starts=fed(values=[0, 5, 8, 2], dtype=np.int32), limits=fed(values=[3, 5, 1, 9], dtype=np.int32),
     deltas=fed(values=[1, 1, -3, 3], dtype=np.int32))
case("RaggedRange", "reals", starts=fed(values=[0, 5, 1.5]), limits=fed(values=[1, 4, 2]), deltas=np.float32(0.25), Tsplits=np.int32)
case("RaggedRange", "scalars", starts=np.int64(0), limits=fed(values=7, dtype=np.int64), deltas=np.int64(2))
case("RaggedTensorToSparse", unknown={"rt_nested_splits0": (0,), "rt_dense_values": (0,)}, rt_nested_splits=[ROW_ENDS], rt_dense_values=fed(6))
case("RaggedTensorToSparse", "vectors", rt_nested_splits=[ROW_ENDS], rt_dense_values=fed(6, 2))
