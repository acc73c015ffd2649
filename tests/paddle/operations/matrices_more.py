"""Products and functions of matrices; rows of tables."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

case("mul", unknown=(0,), attrs={"x_num_col_dims": 1, "y_num_col_dims": 1}, X=fed(2, 3), Y=fixed(3, 4))
case("mul", "flattened", unknown=(0,), attrs={"x_num_col_dims": 1, "y_num_col_dims": 1}, X=fed(2, 3, 4), Y=fixed(12, 5))
case("mul", "two_rows", unknown=(0, 1), attrs={"x_num_col_dims": 2, "y_num_col_dims": 1}, X=fed(2, 3, 4), Y=fixed(4, 5))
case("mul", "columns", unknown=(0,), attrs={"x_num_col_dims": 2, "y_num_col_dims": 1}, X=fed(2, 3, 2, 2), Y=fixed(4, 5, 2))
case("mul", "second_flattened", attrs={"x_num_col_dims": 1, "y_num_col_dims": 2}, X=fed(2, 6), Y=fed(2, 3, 5))
case("matmul", unknown={"X": (0,), "Y": (0,)}, X=fed(2, 3, 4), Y=fed(2, 4, 5))
case("matmul", "alpha", attrs={"alpha": 0.25, "transpose_Y": True}, X=fed(2, 3, 4), Y=fed(2, 5, 4))
case("matmul", "transposed", attrs={"transpose_X": True, "transpose_Y": True}, X=fed(4, 3), Y=fed(5, 4))
case("matmul", "batched_by_matrix", X=fed(2, 3, 4), Y=fixed(4, 5))
case("matmul", "vectors", X=fed(4), Y=fed(4))
case("matmul", "vector_first", X=fed(4), Y=fed(4, 3))
case("matmul", "vector_second", X=fed(3, 4), Y=fed(4))
case("matmul", "outer", attrs={"transpose_X": True, "transpose_Y": True}, X=fed(4), Y=fed(3))
case("matmul", "four", attrs={"transpose_X": False, "transpose_Y": True, "alpha": 0.5}, X=fed(2, 2, 3, 4), Y=fed(2, 2, 5, 4))
case("matmul_v2", unknown=(0,), X=fed(2, 3, 4), Y=fixed(4, 5))
case("matmul_v2", "transposed", attrs={"trans_x": True, "trans_y": True}, X=fed(2, 4, 3), Y=fed(5, 4))
case("matmul_v2", "broadcast", X=fed(2, 1, 3, 4), Y=fed(1, 3, 4, 2))
case("matmul_v2", "vectors", X=fed(4), Y=fed(4))
case("matmul_v2", "vector_second", attrs={"trans_y": True}, X=fed(2, 3, 4), Y=fed(4))
case("matmul_v2", "float64", X=fed(2, 3, dtype=np.float64), Y=fed(3, 2, dtype=np.float64))
case("matmul_v2", "int32", X=fed(2, 3, dtype=np.int32, low=-5, high=5), Y=fed(3, 2, dtype=np.int32, low=-5, high=5))
case("bmm", unknown=(0,), X=fed(2, 3, 4), Y=fed(2, 4, 5))
case("mv", X=fed(3, 4), Vec=fed(4))
case("dot", X=fed(4), Y=fed(4))
case("dot", "rows", unknown={"X": (0,), "Y": (0,)}, X=fed(3, 4), Y=fed(3, 4))
case("dot", "int64", X=fed(3, 4, dtype=np.int64, low=-9, high=9), Y=fed(3, 4, dtype=np.int64, low=-9, high=9))
case("addmm", attrs={"Alpha": 0.5, "Beta": 2.0}, Input=fed(2, 4), X=fed(2, 3), Y=fed(3, 4))
case("addmm", "broadcast", attrs={"Alpha": 1.0, "Beta": 1.0}, Input=fixed(1, 4), X=fed(2, 3), Y=fed(3, 4))
case("multi_dot", X=[fed(2, 3), fed(3, 4), fed(4, 2)])
case("multi_dot", "vectors", X=[fed(3), fed(3, 4), fed(4)])
for name, equation, shapes in (("matrices", "ij,jk->ik", [(2, 3), (3, 4)]), ("batch", "bhid,bhjd->bhij", [(1, 2, 3, 4), (1, 2, 5, 4)]), ("ellipsis", "...ij,...jk->...ik", [(2, 3, 4), (2, 4, 2)]),
                               ("transposed", "ij->ji", [(2, 3)]), ("sum", "ij->i", [(2, 3)]), ("outer", "i,j->ij", [(2,), (3,)]), ("trace", "ii->i", [(3, 3)])):
    case("einsum", name, attrs={"equation": equation}, outs={"InnerCache": 1, "XShape": len(shapes)}, take=[0], Operands=[fed(*shape) for shape in shapes])
case("kron", "ranks", X=fed(2, 3), Y=fed(2, 2, 2))
case("kron", "unknown", unknown={"X": (0,), "Y": (0,)}, X=fed(2, 3), Y=fed(3, 2))
case("cross", X=fed(2, 3, 4), Y=fed(2, 3, 4))
case("cross", "last", unknown={"X": (0,), "Y": (0,)}, attrs={"dim": -1}, X=fed(2, 3), Y=fed(2, 3))
case("inverse", Input=fed(values=[[2.0, 1.0, 0.0], [0.5, 3.0, 1.0], [0.0, 1.0, 4.0]]))
case("inverse", "batch", unknown=(0,), Input=fed(values=[[[2.0, 1.0], [0.5, 3.0]], [[1.0, -1.0], [2.0, 0.5]]]))
case("determinant", unknown=(0,), Input=fed(2, 3, 3))
case("determinant", "one", Input=fed(2, 2))
for n in (0, 1, 3, 6, -2):
    case("matrix_power", f"n{n}", attrs={"n": n}, X=fed(values=[[[1.0, 0.5], [0.25, 1.5]], [[0.5, -1.0], [1.0, 1.0]]]))
case("trace", unknown=(0,), Input=fed(3, 4))
case("trace", "axes", attrs={"offset": 1, "axis1": 2, "axis2": 0}, Input=fed(3, 2, 4))
case("trace", "below", attrs={"offset": -1, "axis1": -2, "axis2": -1}, Input=fed(2, 3, 3))
case("trace", "int64", Input=fed(3, 3, dtype=np.int64, low=-9, high=9))
case("solve", X=fed(values=[[2.0, 1.0], [0.5, 3.0]]), Y=fed(2, 3))
case("solve", "vector", X=fed(values=[[2.0, 1.0], [0.5, 3.0]]), Y=fed(2))
for upper in (False, True):
    for transpose in (False, True):
        case("triangular_solve", f"upper{upper:d}_transpose{transpose:d}", attrs={"upper": upper, "transpose": transpose}, X=fed(values=[[2.0, 1.0], [0.5, 3.0]]), Y=fed(2, 3))
    case("cholesky_solve", f"upper{upper:d}", attrs={"upper": upper}, X=fed(2, 1), Y=fed(values=[[2.0, 1.0], [0.5, 3.0]]))
IDS = {"dtype": np.int64, "low": 0, "high": 5}
case("lookup_table", W=fixed(6, 4), Ids=fed(3, 1, **IDS))
case("lookup_table", "padding", attrs={"padding_idx": 2}, W=fixed(6, 4), Ids=fed(values=[[[2], [0]], [[1], [2]]], dtype=np.int64))
case("lookup_table_v2", unknown={"Ids": (0, 1)}, Ids=fed(2, 3, **IDS), W=fixed(6, 4))
case("lookup_table_v2", "padding", Ids=fed(values=[[2, 0], [5, 2]], dtype=np.int64), attrs={"padding_idx": 2}, W=fixed(6, 4))
case("lookup_table_v2", "fed_table", Ids=fed(values=[[2, 0], [5, 2]], dtype=np.int64), attrs={"padding_idx": 2}, W=fed(6, 4))
case("lookup_table_v2", "zero_row", Ids=fed(values=[[1, 0], [2, 1]], dtype=np.int32), attrs={"padding_idx": 1}, W=fixed(values=[[1.0, 2.0], [0.0, 0.0], [3.0, 4.0]]))
case("c_embedding", W=fixed(6, 4), Ids=fed(2, 3, **IDS))


@family.graph("table_of_two_readers", unknown=(0,))
def table_of_two_readers(b):
    """The table with the row of padding is the last layer's matrix, too."""
    ids, table = b.fed("ids", fed(2, 3, **IDS)), b.fixed(fixed(6, 4), "table")
    rows = b.op("lookup_table_v2", {"padding_idx": 3}, Ids=ids, W=table)
    return [b.op("matmul_v2", {"trans_y": True}, X=rows, Y=table)]


