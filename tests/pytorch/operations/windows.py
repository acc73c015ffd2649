"""Windows of tensors as elements of their own, and back; channels in another order; maxima back at their places."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, given, ints

family = Family(__name__)
case, module = family.case, family.module
PICTURE = fed(2, 4, 7, 8)
case("im2col", lambda x: F.unfold(x, 3), PICTURE, unknown=(0,), core=True)
case("im2col_all", lambda x: F.unfold(x, (2, 3), dilation=(2, 1), padding=(1, 0), stride=(2, 3)), PICTURE, unknown=(2, 3))
case("im2col_no_batch", lambda x: F.unfold(x, 2, padding=1), fed(3, 5, 4))
case("col2im", lambda x: F.fold(x, (5, 6), 2), fed(2, 12, 20), unknown=(0,), core=True)
case("col2im_all", lambda x: F.fold(x, (7, 8), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(2, 3)), fed(2, 12, 8))
case("col2im_no_batch", lambda x: F.fold(x, 4, 2, stride=2), fed(8, 4))
case("col2im_like", lambda x, y: F.fold(x, y.shape[2:], y.shape[2]), fed(2, 8, 1), fed(1, 1, 2, 2))
case("fold_of_unfold", lambda x: F.fold(F.unfold(x, 3, padding=1), x.shape[2:], 3, padding=1), PICTURE, unknown=(0,))
case("unfold", lambda x: x.unfold(1, 3, 2), fed(2, 8, 3), unknown=(0, 1), core=True)
case("unfold_last", lambda x: x.unfold(-1, 2, 1), ints(2, 5))
case("unfold_twice", lambda x: x.unfold(2, 3, 2).unfold(3, 4, 4), PICTURE, unknown=(0, 2))
case("unfold_copy", lambda x: torch.unfold_copy(x, 0, 4, 3), fed(9, 2))
case("channel_shuffle", lambda x: F.channel_shuffle(x, 2), PICTURE, unknown=(0, 2), core=True)
case("channel_shuffle_line", lambda x: F.channel_shuffle(x, 3), ints(2, 6, 5))
case("native_channel_shuffle", lambda x: torch.native_channel_shuffle(x, 2), PICTURE)


class Unpooled(nn.Module):
    """What stays of data if only the maxima are kept."""

    def __init__(self, axes, size=None, **window):
        super().__init__()
        self.size = size
        self.pool = getattr(nn, f"MaxPool{axes}d")(return_indices=True, **window)
        window.pop("ceil_mode", None)
        self.unpool = getattr(nn, f"MaxUnpool{axes}d")(**window)

    def forward(self, x):
        y, places = self.pool(x)
        return y, places, self.unpool(y, places, output_size=self.size or x.shape)


case("max_unpool2d", lambda x, i: F.max_unpool2d(x, i, 2), fed(2, 3, 2, 2), given([[[[0, 2], [8, 10]]] * 3, [[[5, 7], [13, 15]]] * 3], "int64"), core=True)
module("max_pool2d_places", lambda: Unpooled(2, kernel_size=2), fed(2, 3, 6, 8), unknown=(0,))
module("max_pool2d_places_padded", lambda: Unpooled(2, kernel_size=3, stride=2, padding=1), PICTURE, core=True)
module("max_pool2d_places_no_batch", lambda: Unpooled(2, size=(5, 7), kernel_size=2, ceil_mode=True), fed(3, 5, 7))
module("max_pool1d_places", lambda: Unpooled(1, kernel_size=2), fed(2, 3, 8))
module("max_pool3d_places", lambda: Unpooled(3, kernel_size=2), fed(2, 3, 4, 6, 4), unknown=(0,))
case("adaptive_max_pool1d_places", lambda x: F.adaptive_max_pool1d(x, 3, return_indices=True), fed(3, 7))
case("adaptive_max_pool2d_places", lambda x: F.adaptive_max_pool2d(x, (3, 2), return_indices=True), PICTURE, unknown=(0,), core=True)
case("adaptive_max_pool2d_places_no_batch", lambda x: F.adaptive_max_pool2d(x, 1, return_indices=True), fed(3, 5, 7))
case("adaptive_max_pool3d_places", lambda x: F.adaptive_max_pool3d(x, 2, return_indices=True), fed(1, 2, 3, 4, 5))
