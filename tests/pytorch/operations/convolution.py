"""Convolutions and transposed ones."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
module = family.module
case = family.case
PICTURE = fed(2, 4, 7, 8)
module("conv1d", lambda: nn.Conv1d(4, 6, 3), fed(2, 4, 9), unknown=(0, 2), core=True)
module("conv2d", lambda: nn.Conv2d(4, 6, 3, 2, 1), PICTURE, unknown=(0,), core=True)
module("conv2d_spatial", lambda: nn.Conv2d(4, 6, 3, padding=1, bias=False), PICTURE, unknown=(0, 2, 3))
module("conv2d_groups", lambda: nn.Conv2d(4, 8, (3, 1), groups=2, dilation=(2, 1)), PICTURE)
module("conv2d_depthwise", lambda: nn.Conv2d(4, 4, 3, groups=4, padding=1), PICTURE, core=True)
module("conv2d_same", lambda: nn.Conv2d(4, 6, (4, 3), padding="same"), PICTURE)
module("conv2d_valid", lambda: nn.Conv2d(4, 6, 3, padding="valid"), PICTURE)
module("conv2d_reflect", lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="reflect"), PICTURE)
module("conv2d_no_batch", lambda: nn.Conv2d(4, 6, 3), fed(4, 7, 8))
module("conv2d_of_weights", lambda: lambda x, w: F.conv2d(x, w), PICTURE, fed(5, 4, 3, 3))
module("conv3d", lambda: nn.Conv3d(2, 3, (2, 3, 3), padding=1), fed(1, 2, 4, 5, 6), core=True)
module("transposed1d", lambda: nn.ConvTranspose1d(4, 6, 3, 2), fed(2, 4, 9), unknown=(0,))
module("transposed2d", lambda: nn.ConvTranspose2d(4, 6, 3, 2, 1, 1), PICTURE, unknown=(0,), core=True)
module("transposed2d_groups", lambda: nn.ConvTranspose2d(4, 6, 3, 2, groups=2, dilation=2), PICTURE)
module("transposed3d", lambda: nn.ConvTranspose3d(2, 3, 2, 2), fed(1, 2, 3, 4, 5))
case("of_traces", lambda x, w, b: torch.ops.aten._convolution(x, w, b, [2, 1], [1, 0], [1, 1], False, [0, 0], 1, False, False, True, True), fed(1, 2, 6, 6), fed(3, 2, 3, 3), fed(3))
case("of_traces_transposed", lambda x, w: torch.ops.aten._convolution(x, w, None, [2, 2], [1, 1], [1, 1], True, [1, 1], 1, False, False, True, True), fed(1, 2, 4, 4), fed(2, 3, 3, 3))
case("padding_by_word", lambda x, w: torch.ops.aten._convolution_mode(x, w, None, [1, 1], "same", [2, 1], 1), fed(1, 2, 6, 6), fed(3, 2, 3, 3))
