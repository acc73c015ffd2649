"""Operators with graphs: branches, loops, and what is done for each slice."""
import torch
from torch import nn
from torch._higher_order_ops.map import map as map_slices
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

from models import Family, fed

family = Family(__name__)
case, module = family.case, family.module


class WithLinear(nn.Module):
    """Its function gets a layer, whose weights the graphs read."""

    def __init__(self, function):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.function = function

    def forward(self, x):
        return self.function(self.layer, x)


def linear(name, function, *inputs, **about):
    module(name, lambda: WithLinear(function), *inputs, **about)


def by_sign(layer, x):
    return torch.cond(x.sum() > 0, lambda x: layer(x) + 1, lambda x: x * 2, (x,))


def by_size(layer, x):
    return torch.cond(x.shape[0] > 3, lambda x: layer(x) + 1, lambda x: x * x.shape[0], (x,))


def two_results(x):
    y = x * 3
    return torch.cond(x[0, 0] > 0, lambda x, y: (x + y, y.sum(0)), lambda x, y: (x - y, x[0] * 1), (x, y))


def in_branches(x):
    def inner(x):
        return torch.cond(x.mean() > 0.5, lambda x: x.exp(), lambda x: x.relu(), (x,))
    return torch.cond(x.sum() > 0, inner, lambda x: x.abs(), (x,))


def in_place(x):
    def write(x):
        y = x * 2
        y[0] = 1
        y.add_(1)
        return y
    return torch.cond(x.sum() > 0, write, lambda x: x.clone(), (x,))


def without_grad(x):
    def quiet(x):
        with torch.no_grad():
            y = x * 2
        return y + 1
    return torch.cond(x.sum() > 0, quiet, lambda x: x - 1, (x,))


def five_times(layer, x):
    return while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, layer(x) * 0.5 + i), (torch.tensor(0), x))


def until_large(x):
    step = x.abs() + 0.1
    return while_loop(lambda x: x.sum() < 20, lambda x: (x + step,), (x,))[0]


def for_rows(x):
    n = torch.tensor(x.shape[0])
    return while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + x[0] * i), (torch.tensor(0), x[0] * 0))


def scanned(layer, x):
    return scan(lambda c, row: (c + layer(row), c * row), x[0], x)


def scanned_back(x):
    scale = x.mean(0)
    return scan(lambda c, row: ((c[0] * 0.5 + row * scale, c[1] + 1), (c[0] - row, row * 2)), (x[0], x[1]), x, reverse=True)


def scanned_pairs(x, y):
    return scan(lambda c, row: (c + row["x"].sum(), {"y": row["y"] * c}), x[0, 0], {"x": x, "y": y}, dim=1)


def for_each(layer, x):
    shift = x.sum(0)
    return map_slices(lambda row, shift: (layer(row) + shift, row.sum()), x, shift)


X, ROWS = fed(2, 3), fed(4, 3)
POSITIVE, NEGATIVE = fed(2, 3, low=0.1), fed(2, 3, high=-0.1)
linear("cond", by_sign, POSITIVE, unknown=(0,))
linear("cond_else", by_sign, NEGATIVE, core=True)
linear("cond_of_size", by_size, X, unknown=(0,))
case("cond_two_results", two_results, POSITIVE, unknown=(0,))
case("cond_in_branches", in_branches, POSITIVE, unknown=(0,))
case("cond_in_place", in_place, POSITIVE)
case("cond_no_grad", without_grad, POSITIVE)
linear("while", five_times, X, unknown=(0,), core=True)
case("while_until", until_large, POSITIVE, unknown=(0,))
case("while_rows", for_rows, ROWS)
linear("scan", scanned, ROWS, unknown=(0,), core=True)
case("scan_back", scanned_back, ROWS, unknown=(0,))
case("scan_pairs", scanned_pairs, ROWS, fed(2, 3))
linear("map", for_each, ROWS, unknown=(0,))
