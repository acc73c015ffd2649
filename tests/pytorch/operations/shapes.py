"""Views: other shapes, orders and numbers of axes."""
import torch
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X = fed(2, 3, 4)
case("view", lambda x: x.view(2, 12), X)
case("view_symbolic", lambda x: x.view(x.shape[0], -1), X, unknown=(0,), core=True)
case("view_product", lambda x: x.reshape(x.shape[0] * 3, 4), X, unknown=(0,))
case("view_two_symbols", lambda x: x.view(x.shape[0], x.shape[1], 2, 2), X, unknown=(0, 1))
case("reshape_rest", lambda x: x.transpose(0, 1).reshape(-1, 2), X)
case("flatten", lambda x: x.flatten(1), X, unknown=(0, 1), core=True)
case("flatten_all", torch.flatten, X)
case("unflatten", lambda x: x.unflatten(2, (2, 2)), X, unknown=(0,))
case("transpose", lambda x: x.transpose(-1, 1), X)
case("permute", lambda x: x.permute(2, 0, -2), X, core=True)
case("t", lambda x: x.t(), fed(3, 4))
case("swapaxes", lambda x: x.swapaxes(0, 2), X)
case("movedim", lambda x: x.movedim(0, -1), X)
case("mT", lambda x: x.mT, X)
case("unsqueeze", lambda x: x.unsqueeze(-1).unsqueeze(0), X)
case("squeeze", lambda x: x.squeeze(1), fed(2, 1, 4), unknown=(0,), core=True)
case("squeeze_not_one", lambda x: x.squeeze(0), X)
case("squeeze_all", torch.squeeze, fed(1, 3, 1, 4))
case("expand", lambda x: x.expand(-1, 3, 4), fed(2, 1, 4), unknown=(0,), core=True)
case("expand_more", lambda x: x.expand(2, 3, 4), fed(3, 1))
case("expand_as", lambda x, y: x.expand_as(y), fed(1, 3, 4), X)
case("repeat", lambda x: x.repeat(2, 1, 3), fed(3, 4))
case("tile", lambda x: x.tile(2), X)
case("repeat_interleave", lambda x: x.repeat_interleave(2, 1), X)
case("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), fed(1, 8, 3, 4), core=True)
case("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 2), fed(1, 2, 6, 4))
case("flip", lambda x: x.flip(0, 2), X)
case("roll", lambda x: x.roll((1, -1), (1, 2)), X, core=True)
case("roll_all", lambda x: x.roll(5), X)
case("contiguous", lambda x: x.transpose(1, 2).contiguous().view(2, 12), X)
case("dropout", lambda x: F.dropout(x, 0.5, False), X)
case("numbers", lambda x: x.reshape(x.shape[0] // 1, x.shape[1] + 1 - 1, -1), X, unknown=(0, 1))
case("output_dictionary", lambda x: {"first": x + 1, "more": [x * 2, (x - 1,)]}, X)
case("output_is_input", lambda x: (x, x + 1), X)
A = torch.ops.aten
case("view_as", lambda x, y: x.view_as(y), fed(2, 6), fed(3, 4))
case("reshape_as", lambda x, y: x.reshape_as(y), fed(2, 6), fed(3, 4))
case("unsafe_view", lambda x: A._unsafe_view(x, [3, 4]), fed(2, 6))
case("view_copy", lambda x: A.view_copy(x, [3, -1]), fed(2, 6))
case("reshape_copy", lambda x: A._reshape_copy(x, [3, 4]), fed(2, 6))
case("swapdims", lambda x: x.swapdims(0, 2), fed(2, 3, 4))
case("numpy_T", lambda x: A.numpy_T(x), fed(2, 3))
case("mH", lambda x: x.mH, X, unknown=(0,))
case("matrix_H", lambda x: x.H, fed(2, 3))
case("numpy_T_three", lambda x: A.numpy_T(x), X, unknown=(1,))
case("moveaxis", lambda x: torch.moveaxis(x, 0, -1), X, unknown=(0,))
case("moveaxis_list", lambda x: torch.moveaxis(x, (0, 1), (2, 0)), X)
case("ravel", lambda x: x.transpose(0, 1).ravel(), X, unknown=(0,))
case("squeeze_dims", lambda x: x.squeeze((1, -1)), fed(2, 1, 4, 1), unknown=(0,), core=True)
case("unflatten_symbolic", lambda x, y: x.unflatten(1, (y.shape[0], -1)), fed(2, 12), fed(3), unknown={0: (0,), 1: (0,)})
case("expand_symbolic", lambda x, y: x.expand(y.shape[0], -1, y.shape[1]), fed(1, 3, 1), fed(2, 5), unknown={1: (0, 1)})
case("broadcast_to", lambda x: torch.broadcast_to(x, (2, 3, 4)), fed(3, 1), core=True)
case("broadcast_to_symbolic", lambda x, y: x.broadcast_to(y.shape[0], 3, 4), fed(3, 1), fed(2), unknown={1: (0,)})
case("broadcast_tensors", lambda x, y: torch.broadcast_tensors(x, y), fed(3, 1), fed(2, 1, 4), unknown={1: (0,)})
case("atleast_1d", lambda x: torch.atleast_1d(x.sum()), X)
case("atleast_2d", lambda x: torch.atleast_2d(x), fed(4), unknown=(0,))
case("atleast_3d", lambda x, y: torch.atleast_3d(x, y), fed(4), fed(2, 3), unknown={1: (0,)})
case("atleast_lists", lambda x, y: (*torch.atleast_1d(x.sum(), y), *torch.atleast_2d(x.sum(), y), *torch.atleast_3d(x.sum(), y)), fed(4), fed(2, 3))
case("fliplr", torch.fliplr, X, unknown=(0,))
case("flipud", torch.flipud, X, unknown=(0,))
for turns in (1, 2, 3, 4, -1):
    case(f"rot90_{turns % 8}", lambda x, turns=turns: torch.rot90(x, turns, (0, 2)), X, unknown=(1,))
case("rot90", lambda x: torch.rot90(x), fed(3, 4), unknown=(0,))
case("channel_shuffle", lambda x: F.channel_shuffle(x, 3), fed(2, 6, 4, 5), unknown=(0,), core=True)
case("native_channel_shuffle", lambda x: A.native_channel_shuffle(x, 2), fed(2, 6, 4, 5))
COPIES = {
    "expand_copy": lambda x: A.expand_copy(x, [2, -1, 3, 4]), "permute_copy": lambda x: A.permute_copy(x, [2, 0, 1]),
    "transpose_copy": lambda x: A.transpose_copy(x, 0, -1), "unsqueeze_copy": lambda x: A.unsqueeze_copy(x, 1),
    "squeeze_copy": lambda x: A.squeeze_copy(x.unsqueeze(1), 1), "select_copy": lambda x: A.select_copy(x, 1, -1),
    "slice_copy": lambda x: A.slice_copy(x, 1, 1, 3), "split_copy": lambda x: A.split_copy(x, 2, 1),
    "split_with_sizes_copy": lambda x: A.split_with_sizes_copy(x, [1, 2], 1), "unbind_copy": lambda x: A.unbind_copy(x, 1),
    "alias_copy": lambda x: A.alias_copy(x) + 1, "detach_copy": lambda x: A.detach_copy(x) + 1,
}
for name, function in COPIES.items():
    case(name, function, X, unknown=(0,))
case("t_copy", lambda x: A.t_copy(x), fed(3, 4), unknown=(0,))
case("as_strided_copy", lambda x: A.as_strided_copy(x, [2, 3, 4], [12, 4, 1]) + 1, X)
case("as_strided", lambda x: x.as_strided((2, 2), (1, 2), 3), X)
case("as_strided_windows", lambda x: x.as_strided((2, 5, 4), (12, 2, 1)) * 2, fed(2, 12), core=True)
case("as_strided_refused", lambda x: x.transpose(0, 1).as_strided((2, 2), (1, 2)), X, refused="order")
case("write_seen_by_parts", lambda x: (lambda y: (y.tensor_split(2, 1), y.swapdims(0, 1), y.moveaxis(0, 1), y.add_(1))[:3])(x.clone()), X)
