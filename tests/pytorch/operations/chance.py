"""Random numbers: their types and shapes."""
import torch
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
X, P = fed(2, 3), fed(2, 3, low=0, high=1)


def case(name, function, *inputs, **about):
    family.case(name, function, *inputs, random=True, **about)


case("rand", lambda x: (x + torch.rand(3), torch.rand(x.shape[0], 3), torch.rand(2, dtype=torch.float16)), X, unknown=(0,), core=True)
case("rand_like", lambda x: (torch.rand_like(x), torch.rand_like(x, dtype=torch.float64)), X, unknown=(0,), core=True)
case("randn", lambda x: (x + torch.randn(3), torch.randn(x.shape[0], 3)), X, unknown=(0,), core=True)
case("randn_like", torch.randn_like, X, unknown=(0,), core=True)
case("randint", lambda x: (torch.randint(5, (2, 3)), torch.randint(-3, 5, (x.shape[0], 2)), torch.randint(9, (2,), dtype=torch.int32)), X, unknown=(0,), core=True)
case("randint_like", lambda x: (torch.randint_like(x, 7), torch.randint_like(x, -2, 7)), X, core=True)
case("randperm", lambda x: torch.randperm(6)[:3] + x, X)
case("bernoulli", torch.bernoulli, P, unknown=(0,), core=True)
case("bernoulli_p", lambda x: (torch.bernoulli(x, 0.3), torch.empty_like(x).bernoulli_(0.7), torch.empty_like(x).bernoulli_(x)), P)
case("multinomial", lambda x: (torch.multinomial(x, 2), torch.multinomial(x, 5, replacement=True), torch.multinomial(x[0], 1)), P, core=True)
case("normal", lambda x, s: (torch.normal(x, s), torch.normal(x, 2.0), torch.normal(1.0, s), torch.normal(0.0, 1.0, (2, 4))), X, P, core=True)
case("normal_in_place", lambda x: (torch.empty_like(x).normal_(), torch.empty_like(x).normal_(1, 2)), X, unknown=(0,), core=True)
case("uniform", lambda x: (torch.empty_like(x).uniform_(), torch.empty_like(x).uniform_(-2, 3)), X, unknown=(0,), core=True)
case("exponential", lambda x: torch.empty_like(x).exponential_(2.0), X)
family.case("native_dropout", lambda x: torch.ops.aten.native_dropout(x, 0.5, False), X, unknown=(0,))
family.case("limits", lambda x: ((torch.rand_like(x) < 1).all(), (torch.empty_like(x).uniform_(2, 3) >= 2).all(), (torch.randint_like(x, 2, 4) >= 2).all(), torch.bernoulli(torch.ones_like(x)), torch.bernoulli(torch.zeros_like(x)), (torch.randn_like(x).abs() < 9).all()), fed(40, 30))
family.case("native_dropout_refused", lambda x: torch.ops.aten.native_dropout(x, 0.5, True)[0], X, refused="training")
family.case("rrelu_refused", lambda x: F.rrelu(x, training=True), X, refused="training")
