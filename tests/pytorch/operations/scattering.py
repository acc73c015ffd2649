"""Slices and elements at their indices: added, combined, replaced; elements taken and put by their place among all."""
import torch

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X, N = fed(3, 5, 4), ints(3, 5, 4, low=-9, high=9)
SOME = given([4, 0, 2], "int64")
TWICE = given([4, 0, 4], "int64")
FROM_END = given([-1, 0, -4], "int64")


def write_mask(x, mask):
    x = x.clone()
    x[..., mask] = -1
    return x * 2


case("index_add", lambda x, i, s: x.index_add(1, i, s), X, TWICE, fed(3, 3, 4), unknown={0: (0,), 2: (0,)}, core=True)
case("index_add_alpha", lambda x, i, s: x.index_add(-2, i, s, alpha=-1.5), X, TWICE, fed(3, 3, 4))
case("index_add_integers", lambda x, i, s: x.index_add(-1, i, s, alpha=2), N, given([3, 3], "int32"), ints(3, 5, 2))
case("index_add_list", lambda x, i, s: x.index_add(0, i, s), fed(5), TWICE, fed(3))
case("index_add_booleans", lambda x, i, s: x.index_add(0, i, s), flags(5), TWICE, flags(3), refused="booleans")
case("index_copy", lambda x, i, s: x.index_copy(1, i, s), X, SOME, fed(3, 3, 4), unknown={0: (0,), 2: (0,)}, core=True)
case("index_copy_last", lambda x, i, s: x.index_copy(-1, i, s), N, given([3, 1], "int64"), ints(3, 5, 2))
case("index_copy_one", lambda x, i, s: x.index_copy(0, i, s), fed(5), given(3, "int64"), fed(1))
case("index_fill", lambda x, i: x.index_fill(1, i, 2.5), X, FROM_END, unknown={0: (0,)}, core=True)
case("index_fill_first", lambda x, i: x.index_fill(0, i, -1), N, given([-1], "int64"), unknown={0: (0, 1)})
case("index_fill_tensor", lambda x, i, v: x.index_fill(-1, i, v), X, given([1, -1], "int64"), given(0.5))
case("index_fill_booleans", lambda x, i: x.index_fill(0, i, True), flags(5, 2), SOME)
for reduce in ("prod", "mean", "amax", "amin"):
    case(f"index_reduce_{reduce}", lambda x, i, s, r=reduce: x.index_reduce(1, i, s, r), X, TWICE, fed(3, 3, 4), unknown={0: (0,), 2: (0,)})
    case(f"index_reduce_{reduce}_without", lambda x, i, s, r=reduce: x.index_reduce(-1, i, s, r, include_self=False), X, given([2, 2], "int64"), fed(3, 5, 2))
case("index_put_second", lambda x, i, v: torch.ops.aten.index_put(x, [None, i], v), X, ints(2, 2), fed(4), unknown={0: (0,)})
case("index_put_inner", lambda x, i, j, v: torch.ops.aten.index_put(x, [None, i, j], v, True), X, ints(3), ints(2, 1, high=4), fed(3, 2, 3), unknown={0: (2,)})
case("index_put_apart", lambda x, i, j, v: torch.ops.aten.index_put(x, [i, None, j], v), N, given([2, -3], "int64"), given([0, -1], "int64"), ints(2, 5))
case("index_put_last", lambda x, i, v: torch.ops.aten.index_put(x, [None, None, i], v), X, given([1, -1], "int64"), fed(5, 1))
case("index_mask_second", lambda x, m: x[:, m], X, flags(5), unknown={0: (0,)})
case("index_mask_inner", lambda x, m: x[:, m], N, flags(5, 4))
case("index_put_mask", lambda x, m, v: torch.ops.aten.index_put(x, [None, m], v), X, flags(5), given(2.5), unknown={0: (0,)})
case("index_put_mask_inner", lambda x, m, v: torch.ops.aten.index_put(x, [None, m], v, True), N, flags(5, 4), ints(3, 1))
case("index_put_mask_first", lambda x, m, v: torch.ops.aten.index_put(x, [m, None, None], v), X, flags(3), fed(5, 4))
case("write_mask_second", write_mask, X, flags(4), unknown={0: (0,)}, core=True)
case("_unsafe_index", lambda x, i: torch.ops.aten._unsafe_index(x, [None, i]), X, ints(2, 2))
case("_unsafe_index_put", lambda x, i, v: torch.ops.aten._unsafe_index_put(x, [i], v), X, given([2, 0], "int64"), fed(2, 5, 4))
case("index_reduce_integers", lambda x, i, s: x.index_reduce(1, i, s, "amax"), N, TWICE, ints(3, 3, 4, low=-9, high=9))
case("index_reduce_mean_integers", lambda x, i, s: x.index_reduce(1, i, s, "mean"), N, TWICE, ints(3, 3, 4, low=-9, high=9))
case("scatter_reduce_mean_integers", lambda x, i, s: x.scatter_reduce(1, i, s, "mean"), N, ints(3, 2, 4), ints(3, 2, 4, low=-9, high=9))
case("masked_scatter", lambda x, m, s: x.masked_scatter(m, s), X, flags(3, 5, 4), fed(70), unknown={0: (0,), 1: (0,)}, core=True)
case("masked_scatter_rows", lambda x, m, s: x.masked_scatter(m, s), X, flags(3, 5, 1), fed(15, 4), unknown={0: (0,), 1: (0,)})
case("masked_scatter_list", lambda x, m, s: x.masked_scatter(m, s), N, flags(4), ints(12, 5, 4))
case("masked_scatter_wider", lambda x, m, s: x.masked_scatter(m, s), fed(5, 1), flags(3, 5, 4), fed(3, 5, 4))
case("scatter_add_up", lambda x, i, s: x.scatter(1, i, s, reduce="add"), X, ints(3, 2, 4), fed(3, 2, 4))
case("scatter_multiply", lambda x, i, s: x.scatter(-2, i, s, reduce="multiply"), X, ints(3, 2, 4), fed(3, 2, 4))
case("scatter_number_multiply", lambda x, i: x.scatter(1, i, 3, reduce="multiply"), N, ints(3, 2, 4))
case("scatter_number_add", lambda x, i: x.scatter(1, i, 1.5, reduce="add"), X, ints(3, 2, 4), unknown=(0,))
for reduce in ("sum", "prod", "mean", "amin"):
    case(f"scatter_reduce_{reduce}", lambda x, i, s, r=reduce: x.scatter_reduce(1, i, s, r), X, ints(3, 2, 4), fed(3, 2, 4))
    case(f"scatter_reduce_{reduce}_without", lambda x, i, s, r=reduce: x.scatter_reduce(1, i, s, r, include_self=False), X, ints(3, 2, 4), fed(3, 2, 4), unknown=(0,))
case("take", torch.take, X, ints(2, 3, high=60), unknown={0: (0,), 1: (1,)}, core=True)
case("take_negative", torch.take, N, ints(4, low=-60, high=0))
case("put", lambda x, i, s: x.put(i, s), X, given([[-1, 3], [59, 17]], "int64"), fed(2, 2), unknown={0: (1,)})
case("put_add", lambda x, i, s: x.put(i, s, accumulate=True), N, given([-1, 3, 59, 3], "int64"), ints(4), core=True)
case("take_along_dim", lambda x, i: x.take_along_dim(i, 1), X, ints(3, 2, 4), core=True)
case("take_along_dim_wider", lambda x, i: x.take_along_dim(i, -2), X, ints(1, 2, 4))
case("take_along_dim_narrower", lambda x, i: x.take_along_dim(i, 2), ints(1, 5, 4), ints(3, 1, 2, high=4))
case("take_along_dim_all", torch.take_along_dim, N, ints(2, 3, high=60))
case("take_along_dim_sorted", lambda x: x.take_along_dim(x.argsort(-1), -1), X)
