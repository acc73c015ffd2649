"""Symbolic sizes, and integers that are computed of them."""
import torch

from models import Family, fed, given

family = Family(__name__)
case = family.case
X = fed(2, 6)
case("size", lambda x: x * x.shape[0], X, unknown=(0,))
case("arithmetic", lambda x: x.new_zeros(x.shape[0] * 2 + 1, x.shape[1] // 2), X, unknown=(0, 1))
case("half", lambda x: x[:, : x.shape[1] // 2], X, unknown=(1,))
case("modulo", lambda x: x.new_ones(x.shape[0] % 3 + 1), X, unknown=(0,))
case("positions", lambda x: torch.arange(x.shape[1]).unsqueeze(0) + x, X, unknown=(0, 1))
case("mean_by_size", lambda x: x.sum(1) / x.shape[1], X, unknown=(1,))
case("numel", lambda x: x.sum() / x.numel(), X, unknown=(0,))
case("max_min", lambda x: x.new_ones(torch.sym_max(x.shape[0], 3), torch.sym_min(x.shape[1], 4)), X, unknown=(0, 1))
case("quotient", lambda x: x * (x.shape[0] / 4), X, unknown=(0,))
case("real_scale", lambda x: x[:, : int(x.shape[1] * 0.5)], X, unknown=(1,))
case("square_root", lambda x: x / torch.sym_sqrt(x.shape[1]), X, unknown=(1,))
case("sym_float", lambda x: x + torch.sym_float(x.shape[0]), X, unknown=(0,))
case("sym_int", lambda x: x.new_ones(torch.sym_int(x.shape[1] / 2)), X, unknown=(1,))
case("real_arithmetic", lambda x: x * (-(x.shape[0] * 0.25) + x.shape[1] - 1.5) + (x.shape[1] / 4) ** 2, X, unknown=(0, 1))
case("sym_ite", lambda x: x.new_ones(torch.sym_ite(x.shape[0] > 3, x.shape[0], x.shape[0] + 1)), X, unknown=(0,))
case("sym_not", lambda x: x.new_ones(torch.sym_ite(torch.sym_not(x.shape[0] > 3), x.shape[0], x.shape[0] * 2)), X, unknown=(0,))
case("and_", lambda x: x.new_ones(torch.sym_ite((x.shape[0] > 3) & (x.shape[1] > 6), x.shape[0], x.shape[1])), X, unknown=(0, 1))
case("or_", lambda x: x.new_ones(torch.sym_ite((x.shape[0] > 3) | (x.shape[1] > 9), x.shape[0], x.shape[1])), X, unknown=(0, 1))
case("lshift", lambda x: x.new_ones(x.shape[0] << 2), X, unknown=(0,))
case("rshift", lambda x: x.new_ones((x.shape[1] >> 1) + 1), X, unknown=(1,))
case("item_as_factor", lambda x, n: x * n.item(), X, given(3, dtype="int64"))
case("item_as_real_factor", lambda x, n: x * n.item() + 1, X, given(2.5))
case("local_scalar", lambda x, n: x * torch.ops.aten._local_scalar_dense(n), X, given(3, dtype="int64"))
