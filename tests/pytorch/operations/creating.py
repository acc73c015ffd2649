"""Operators that make tensors, and those that change types."""
import torch

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X = fed(2, 3)
case("zeros", lambda x: x + torch.zeros(2, 3), X)
case("zeros_symbolic", lambda x: torch.cat([x, torch.zeros(x.shape[0], 2)], 1), X, unknown=(0,))
case("ones_full", lambda x: x + torch.ones(3) + torch.full((2, 1), 0.5), X)
case("likes", lambda x: torch.zeros_like(x) + torch.ones_like(x) + torch.full_like(x, 2.5), X, unknown=(0,), core=True)
case("new", lambda x: x.new_zeros(2, 3) + x.new_ones(3) + x.new_full((2, 1), 3), X)
case("arange", lambda x: x + torch.arange(3), X, core=True)
case("arange_symbolic", lambda x: torch.arange(x.shape[0]), X, unknown=(0,))
case("arange_step", lambda x: x + torch.arange(1, 7, 2, dtype=torch.float32), X)
case("arange_reals", lambda x: x + torch.arange(0, 1.5, 0.5), X)
case("linspace", lambda x: x + torch.linspace(-1, 1, 3), X)
case("eye", lambda x: x @ torch.eye(3), X)
case("tril", lambda x: x.tril(), fed(4, 5), unknown=(0,))
case("triu", lambda x: x.triu(1), fed(2, 4, 5))
case("constant", lambda x: x + torch.tensor([1.0, 2.0, 3.0]), X)
case("to_integers", lambda x: (x * 10).to(torch.int64), X, core=True)
case("to_reals", lambda x: x.float(), ints(2, 3))
case("to_booleans", lambda x: x.bool(), ints(2, 3, high=2))
case("to_like", lambda x, y: x.type_as(y), ints(2, 3), X)
case("to_half", lambda x: x.half() * 2, X)
case("fill_in_place", lambda x: x.clone().fill_(3) + x.clone().zero_() + x, X)
case("new_empty", lambda x: x.new_empty(2, 3).fill_(2) + x, X)
