"""Tensors joined, and cut in parts."""
import torch

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X = fed(2, 6, 4)
case("cat", lambda x, y: torch.cat([x, y], 1), X, fed(2, 3, 4), unknown=(0,), core=True)
case("cat_types", lambda x, y: torch.cat([x, y], -1), ints(2, 3), fed(2, 4))
case("stack", lambda x, y: torch.stack([x, y], 1), X, X, core=True)
case("split", lambda x: x.split(4, 1), X, unknown=(0,), core=True)
case("split_sizes", lambda x: x.split([1, 2, 3], 1), X, unknown=(0,), core=True)
case("chunk", lambda x: x.chunk(4, 1), X, unknown=(0,))
case("chunk_used", lambda x: x.chunk(3, -2)[1] * 2, X)
case("unbind", lambda x: x.unbind(1)[2], X, core=True)
case("unbind_all", lambda x: x.unbind(-1), X)
case("meshgrid", lambda x, y: torch.meshgrid(x, y, indexing="ij"), fed(3), fed(4))
case("meshgrid_xy", lambda x, y: torch.meshgrid(x, y, indexing="xy"), fed(3), fed(4))
