"""Diagonals of matrices: taken, made to matrices, written."""
import torch

from models import Family, fed, flags, ints

family = Family(__name__)
case = family.case
X, N = fed(3, 5, 4), ints(3, 5, 4)
case("diagonal", lambda x: x.diagonal(), X, unknown=(2,), core=True)
case("diagonal_above", lambda x: x.diagonal(1, -2, -1), X, unknown=(0,))
case("diagonal_below", lambda x: x.diagonal(-2, 1, 2), N)
case("diagonal_turned", lambda x: x.diagonal(1, 2, 0), X)
case("diagonal_booleans", lambda x: x.diagonal(), flags(3, 3))
case("diagonal_copy", lambda x: torch.diagonal_copy(x, 1), fed(4, 4), core=True)
case("linalg_diagonal", lambda x: torch.linalg.diagonal(x, offset=-1), X, unknown=(0,), core=True)
case("diag", torch.diag, fed(4, 4), core=True)
case("diag_above", lambda x: x.diag(1), fed(3, 5), unknown=(1,))
case("diag_list", torch.diag, fed(3), unknown=(0,), core=True)
case("diag_list_below", lambda x: x.diag(-2), ints(3))
case("diag_embed", torch.diag_embed, fed(2, 3), unknown=(0, 1), core=True)
case("diag_embed_above", lambda x: x.diag_embed(1, 0, 2), fed(2, 3))
case("diag_embed_turned", lambda x: x.diag_embed(-2, -1, 1), ints(2, 3))
case("diagonal_scatter", torch.diagonal_scatter, fed(4, 4), fed(4), core=True)
case("diagonal_scatter_above", lambda x, y: x.diagonal_scatter(y, 1, -2, -1), X, fed(3, 3), unknown=(0,))
case("diagonal_scatter_below", lambda x, y: x.diagonal_scatter(y, -2, 2, 1), N, ints(3, 2))
case("trace", torch.trace, fed(4, 6), unknown=(0,), core=True)
case("trace_integers", torch.trace, ints(4, 3, dtype="int32"))
case("fill_diagonal", lambda x: x.clone().fill_diagonal_(2.5), fed(4, 6), unknown=(0,))
case("fill_diagonal_tall", lambda x: x.clone().fill_diagonal_(-1), ints(7, 3))
case("fill_diagonal_wrap", lambda x: x.clone().fill_diagonal_(-1, wrap=True), ints(8, 3))
case("fill_diagonal_volume", lambda x: x.clone().fill_diagonal_(7), fed(3, 3, 3))
case("fill_diagonal_booleans", lambda x: x.clone().fill_diagonal_(True), flags(3, 4))


def written(x):
    x = x.clone()
    x.diagonal(1, -2, -1).fill_(2)
    x.diagonal(dim1=1, dim2=2).mul_(3)
    return x + 1


case("diagonal_written", written, X, unknown=(0,), core=True)
case("diagflat", lambda x: torch.diagflat(x), fed(2, 3))
case("diagflat_offset", lambda x: torch.diagflat(x, -2), fed(4), unknown=(0,))
