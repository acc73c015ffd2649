"""Products: of matrices with every rank and transposition, vectors, sums over letters; inverses."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

case("mul", unknown=(0,), attrs={"x_num_col_dims": 1, "y_num_col_dims": 1}, X=fed(2, 3), Y=fixed(3, 4))
case("mul", "two", unknown=(0, 1), attrs={"x_num_col_dims": 2, "y_num_col_dims": 1}, X=fed(2, 3, 4), Y=fixed(4, 5))
case("mul", "flattened", unknown=(0,), attrs={"x_num_col_dims": 1, "y_num_col_dims": 1}, X=fed(2, 3, 2, 2), Y=fixed(12, 5))
case("mul", "deep_second", attrs={"x_num_col_dims": 2, "y_num_col_dims": 2}, X=fed(2, 3, 4, 2), Y=fixed(4, 2, 5, 3))
SHAPES = {"two": ((2, 3), (3, 4)), "batch": ((2, 3, 4), (2, 4, 5)), "broadcast": ((2, 1, 3, 4), (3, 4, 5)), "vector": ((2, 3, 4), (4,)), "vector_first": ((3,),
        (2, 3, 4)), "vectors": ((4,),
                (4,)), "weights": ((2, 3, 4), (4, 5))}
for kind, names in (("matmul", ("transpose_X", "transpose_Y")), ("matmul_v2", ("trans_x", "trans_y"))):
    for variant, (x, y) in SHAPES.items():
        if not (kind == "matmul" and variant == "broadcast"):
            case(kind, variant, unknown=(0,) if len(x) > 1 else (), attrs=dict.fromkeys(names, False), X=fed(*x), Y=fixed(*y) if variant == "weights" else fed(*y))
    case(kind, "first_transposed", unknown=(1,), attrs={names[0]: True, names[1]: False}, X=fed(3, 2), Y=fed(3, 4))
    case(kind, "second_transposed", unknown=(0,), attrs={names[0]: False, names[1]: True}, X=fed(2, 3, 4), Y=fed(2, 5, 4))
    case(kind, "both_transposed", attrs=dict.fromkeys(names, True), X=fed(2, 4, 3), Y=fed(2, 5, 4))
case("matmul", "alpha", unknown=(0,), attrs={"alpha": 0.25, "transpose_Y": True}, X=fed(2, 3, 4), Y=fed(2, 5, 4))
case("matmul_v2", "vector_transposed", attrs={"trans_x": True, "trans_y": True}, X=fed(4), Y=fed(3, 4))
case("matmul_v2", "float64", attrs={}, X=fed(2, 3, dtype=np.float64), Y=fed(3, 2, dtype=np.float64))
case("bmm", unknown=(0,), X=fed(2, 3, 4), Y=fed(2, 4, 5))
case("mv", unknown=(0,), X=fed(3, 4), Vec=fed(4))
case("dot", X=fed(4), Y=fed(4))
case("dot", "rows", unknown={"X": (0,), "Y": (0,)}, X=fed(3, 4), Y=fed(3, 4))
case("addmm", attrs={"Alpha": 0.5, "Beta": 2.0}, X=fed(2, 3), Y=fed(3, 4), Input=fed(2, 4))
case("addmm", "broadcast", attrs={"Alpha": 1.0, "Beta": 1.0}, X=fed(2, 3), Y=fed(3, 4), Input=fixed(1, 4))
case("cross", attrs={"dim": 1}, X=fed(2, 3), Y=fed(2, 3))
case("cross", "default", X=fed(2, 3, 4), Y=fed(2, 3, 4))
case("cross", "first", attrs={"dim": 0}, X=fed(3, 2), Y=fed(3, 2))
for activation in ("", "relu"):
    case("fc", activation or "plain", unknown=(0,), attrs={"in_num_col_dims": 1, "activation_type": activation}, Input=fed(2, 3), W=fixed(3, 4), Bias=fixed(4))
case("fc", "two", unknown=(0, 1), attrs={"in_num_col_dims": 2}, Input=fed(2, 3, 4), W=fixed(4, 5), Bias=fixed(5))
case("fc", "flattened", attrs={"in_num_col_dims": 1}, Input=fed(2, 3, 2), W=fixed(6, 5))
case("fc", "padded_weights", attrs={"in_num_col_dims": 1, "padding_weights": True}, Input=fed(2, 3), W=fixed(7, 8), Bias=fixed(4))
case("bilinear_tensor_product", X=fed(2, 3), Y=fed(2, 4), Weight=fixed(5, 3, 4), Bias=fixed(1, 5))
case("multi_dot", X=[fed(2, 3), fed(3, 4), fed(4, 2)])
for power in (0, 1, 3, -1):
    case("matrix_power", f"{power}", attrs={"n": power}, X=fed(values=[[2.0, 0.5, 0], [0.3, 1.5, 0.2], [0.1, 0, 1.8]]))
case("inverse", Input=fed(values=[[[2.0, 0.5], [0.3, 1.5]], [[1.0, 0.2], [-0.4, 3.0]]]))
case("inverse", "four", Input=fed(values=np.eye(4) * 2 + np.arange(16).reshape(4, 4) % 5 * 0.1))
case("determinant", Input=fed(values=[[2.0, 0.5, 0], [0.3, 1.5, 0.2], [0.1, 0, 1.8]]))
case("cholesky", attrs={"upper": False}, X=fed(values=[[4.0, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 2]]))
case("triangular_solve", attrs={"upper": False, "transpose": False, "unitriangular": False}, X=fed(values=[[2.0, 0, 0], [1, 3, 0], [0.5, 0.2, 2]]), Y=fed(3, 2))
case("solve", X=fed(values=[[2.0, 0.5], [0.3, 1.5]]), Y=fed(2, 3))
case("fsp", X=fed(1, 3, 4, 5), Y=fed(1, 2, 4, 5))
case("add_position_encoding", attrs={"alpha": 1.5, "beta": 0.5}, X=fed(2, 5, 6))
case("einsum", "product", attrs={"equation": "ij,jk->ik"}, outs={"InnerCache": 2, "XShape": 2}, take=[0], Operands=[fed(2, 3), fed(3, 4)])


@family.graph("einsum_letters", unknown=(0,))
def einsum(b):
    paddle = b.paddle
    x, y, z = b.fed("x", fed(2, 3, 4)), b.fed("y", fed(4, 5)), b.fed("z", fed(2, 6, 4))
    return [paddle.einsum("bij,jk->bik", x, y), paddle.einsum("bij,bkj->bik", x, z), paddle.einsum("bij->bji", x), paddle.einsum("bij->bi", x), paddle.einsum("...j,jk->...k", x,
            y), paddle.einsum("bij,bij->b", x, x)]


@family.graph("einsum_more")
def einsum_more(b):
    paddle = b.paddle
    x, y = b.fed("x", fed(3, 3)), b.fed("y", fed(3))
    return [paddle.einsum("i,j->ij", y, y), paddle.einsum("ij->", x), paddle.einsum("ij,j->i", x, y), paddle.einsum("ij,ij->ij", x, x), paddle.einsum("ik,kj", x,
            x), paddle.einsum("i,i->", y, y)]


@family.graph("functions")
def functions(b):
    paddle, nn = b.paddle, b.paddle.nn
    x, y = b.fed("x", fed(2, 3, 4)), b.fed("y", fed(4))
    return [nn.Linear(4, 5)(x), nn.Linear(4, 5, bias_attr=False)(x), paddle.outer(y, y), paddle.inner(x, y), paddle.tensordot(x, x,
            axes=[[1, 2], [1, 2]]), nn.functional.cosine_similarity(x,
                    y, axis=-1), paddle.matmul(x, x, transpose_y=True),
            nn.functional.linear(x, paddle.ones([4, 2]))]
