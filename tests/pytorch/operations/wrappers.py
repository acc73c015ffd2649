"""Wrappers that are inlined, asserts and dead operations, weights that are parts of storages."""
import torch
from torch import nn

from models import Family, fed, flags, given, ints

family = Family(__name__)
case, module = family.case, family.module


def without_grad(x):
    with torch.no_grad():
        y = x * 2
        z = y + 1
    return y + z


def without_autocast(x):
    with torch.autocast("cpu", enabled=False):
        y = x @ x.t()
    return y + 1


def nested(x):
    with torch.no_grad():
        with torch.autocast("cpu", enabled=False):
            y = x @ x.t()
        z = y * 2
    return z + 1


def dead(x):
    torch.rand(3)
    x.to(torch.float64)
    return x + 1


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.second(self.first(x))


class Strided(nn.Module):
    """Weights that are views: turned, cut, repeated."""

    def __init__(self):
        super().__init__()
        base = torch.arange(48, dtype=torch.float32).reshape(4, 12) / 48
        self.turned = nn.Parameter(base.t()[:4])
        self.cut = nn.Parameter(base[1:3, 2:10:2])
        self.register_buffer("column", base[:, 3])
        self.register_buffer("repeated", base[:1, :4].expand(2, 4))
        self.register_buffer("last", base[3:, 8:], persistent=False)
        self.kernel = nn.Parameter(torch.rand(2, 3, 2, 2).to(memory_format=torch.channels_last))

    def forward(self, x):
        return x @ self.turned + self.cut[:1], self.column + self.repeated, self.last * 2, self.kernel.sum((2, 3))


class Total(nn.Module):
    """Buffers keep what is written to them: a sum, and a cache of rows."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.ones(3))
        self.register_buffer("rows", torch.zeros(4, 3))

    def forward(self, x):
        self.total.add_(x.sum(0))
        self.rows[1:3] = self.rows[1:3] * 0.5 + x
        return self.total * 2, self.rows.sum(1)


case("no_grad", without_grad, fed(2, 3))
case("no_autocast", without_autocast, fed(2, 3))
case("nested", nested, fed(2, 3), unknown=(0,))
case("dead", dead, fed(2, 3), unknown=(0,))
module("tied", Tied, fed(2, 4))
module("strided", Strided, fed(2, 4))
module("state", Total, fed(2, 3), core=True)
