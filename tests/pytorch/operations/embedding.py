"""Rows of a table, one by one or combined in bags."""
import torch
from torch import nn

from models import Family, fed, given, ints

family = Family(__name__)
case, module = family.case, family.module
aten = torch.ops.aten
IDS = ints(7, high=10)
OFFSETS = given([0, 2, 2, 5], "int64")  # the second bag is empty
ENDS = given([0, 2, 2, 7], "int64")
TABLE = fed(10, 4)


def bags(**options):
    return lambda: nn.EmbeddingBag(10, 4, **options)


for mode in ("sum", "mean", "max"):
    module(f"embedding_bag_{mode}", bags(mode=mode), IDS, OFFSETS, core=True)
    module(f"embedding_bag_{mode}_rows", bags(mode=mode), ints(3, 5, high=10), unknown=(0,))
    module(f"embedding_bag_{mode}_last", bags(mode=mode, include_last_offset=True), IDS, ENDS)
    module(f"embedding_bag_{mode}_padding", bags(mode=mode, padding_idx=3), given([3, 1, 3, 2, 2, 3, 3], "int64"), OFFSETS)
module("embedding_bag_last_padding", bags(mode="mean", include_last_offset=True, padding_idx=-7), given([3, 1, 3, 2, 2, 3, 4], "int64"), ENDS)
module("embedding_bag_weights", bags(mode="sum"), IDS, OFFSETS, fed(7), unknown={0: (0,), 2: (0,)})
module("embedding_bag_weights_rows", lambda: Weighed(), ints(3, 5, high=10), fed(3, 5), unknown=(0,))
module("embedding_bag_int32", bags(mode="mean"), ints(7, high=10, dtype="int32"), given([0, 3, 7], "int32"))
case("embedding_bag_places", lambda t, i, o: torch.embedding_bag(t, i, o)[1], TABLE, IDS, OFFSETS, refused="places")
case("_embedding_bag", lambda t, i, o: aten._embedding_bag(t, i, o, False, 1)[0], TABLE, IDS, OFFSETS)
case("_embedding_bag_forward_only", lambda t, i, o: aten._embedding_bag_forward_only(t, i, o, False, 2)[0], TABLE, IDS, OFFSETS)
case("embedding_padding", lambda t, i: aten.embedding(t, i, 3), TABLE, ints(2, 3, high=10), unknown={1: (1,)}, core=True)


class Weighed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.EmbeddingBag(10, 4, mode="sum")

    def forward(self, ids, weights):
        return self.layer(ids, per_sample_weights=weights)
