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
