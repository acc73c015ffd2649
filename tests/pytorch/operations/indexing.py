"""Parts of tensors, elements by their indices, and writes to parts."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X = fed(3, 5, 4)
case("slice", lambda x: x[:, 1:4:2], X, unknown=(0,), core=True)
case("slice_negative", lambda x: x[..., -3:-1], X)
case("slice_symbolic", lambda x: x[:, : x.shape[0]], X, unknown=(0,))
case("select", lambda x: x[:, -1], X, unknown=(0,), core=True)
case("select_first", lambda x: x[0, 2], X)
case("none", lambda x: x[:, None, ..., 0], X)
case("narrow", lambda x: x.narrow(1, 1, 3), X)
case("index_select", lambda x, i: x.index_select(1, i), X, ints(4))
family.module("embedding", lambda: nn.Embedding(10, 4), ints(2, 3, high=10), unknown=(0,), core=True)
family.module("embedding_padding", lambda: nn.Embedding(10, 4, padding_idx=0), ints(2, 3, high=10))
case("gather", lambda x, i: x.gather(1, i), X, ints(3, 2, 4), core=True)
case("index_first", lambda x, i: x[i], X, ints(2, 2, high=3), core=True)
case("index_second", lambda x, i: x[:, i], X, ints(6))
case("index_negative", lambda x, i: x[i], X, ints(4, low=-3, high=3))
case("index_two", lambda x, i, j: x[i, j], X, ints(4, high=3), ints(4, low=-5))
case("index_broadcast", lambda x, i, j: x[i[:, None], j], X, ints(2, high=3), ints(4))
case("index_inner", lambda x, i, j: x[:, i, j], X, ints(2, 2), ints(2, high=4))
case("index_apart", lambda x, i, j: x[i, :, j], X, ints(2, high=3), ints(2, high=4))
case("index_arange", lambda x, i: x[torch.arange(x.shape[0]), i], X, ints(3), unknown=(0,))
case("masked_select", lambda x, m: x[m > 0].sum(), X, X)
case("index_put", lambda x, i, v: x.index_put((i,), v), X, ints(2, high=3), fed(2, 5, 4))
case("scatter", lambda x, i, s: x.scatter(1, i, s), X, given([[[0, 1, 2, 3]]] * 3, "int64"), fed(3, 1, 4))
case("scatter_number", lambda x, i: x.scatter(1, i, 2.0), X, ints(3, 1, 4))
case("scatter_add", lambda x, i, s: x.scatter_add(1, i, s), X, ints(3, 2, 4), fed(3, 3, 4))
case("scatter_reduce", lambda x, i, s: x.scatter_reduce(1, i, s, "amax"), X, ints(3, 2, 4), fed(3, 2, 4))
case("one_hot", lambda i: F.one_hot(i, 5), ints(2, 3))
case("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 1, 3), X, fed(3, 2, 4))
case("select_scatter", lambda x, y: torch.select_scatter(x, y, 1, -2), X, fed(3, 4))


def fill_part(x):
    x = x.clone()
    x[:, 1:3] = 0
    x[:, 0, ::2].mul_(2)
    return x + 1


def views_after_write(x):
    y = x.clone()
    first, turned = y[0], y.transpose(1, 2)
    y.add_(1)
    first.mul_(3)
    return turned, y


def mask_of_windows():
    mask = torch.zeros(4, 6)
    count = 0
    for rows in (slice(0, 2), slice(2, 4)):
        for columns in (slice(0, 3), slice(3, 6)):
            mask[rows, columns] = count
            count += 1
    return mask


case("write_part", fill_part, X, unknown=(0,), core=True)
case("write_seen_by_views", views_after_write, X)
case("write_mask", lambda x: x + mask_of_windows(), fed(4, 6))
case("write_through_view", lambda x: (lambda y: (y.view(-1)[2:5].zero_(), y)[1])(x.clone()), X)
A = torch.ops.aten
case("narrow_copy", lambda x: A.narrow_copy(x, 1, 1, 3), X, unknown=(0,))
case("index_put_inner", lambda x, v: torch.ops.aten._index_put_impl(x, [torch.tensor([0, 2])], v, True), fed(3, 4), fed(2, 4))
