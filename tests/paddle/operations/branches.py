"""Branches, as functions of paddle write them."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
graph = family.graph
LONG = np.int64


def number(b, name, value):
    return b.fed(name, fed(values=[value], dtype=LONG))


def again(**feeds):
    """Feeds of a second run."""
    return {name: np.asarray(value, LONG) for name, value in feeds.items()}


@graph("cond", more=again(n=[-1]))
def cond(b):
    n, x = number(b, "n", 2), b.fed("x", fed(2, 3))
    return [b.paddle.static.nn.cond(n > 0, lambda: x * 2, lambda: x - 1)]


@graph("cond_of_several", more=again(n=[-1]))
def several(b):
    n, x = number(b, "n", 2), b.fed("x", fed(2, 3))
    return list(b.paddle.static.nn.cond(n > 0, lambda: (x * 2, x + 1), lambda: (x - 1, b.paddle.tanh(x))))


@graph("cond_with_layers", more=again(n=[-1]))
def with_layers(b):
    nn = b.paddle.nn
    n, x = number(b, "n", 2), b.fed("x", fed(2, 3))
    one, other = nn.Linear(3, 4), nn.Linear(3, 4)
    return [nn.functional.relu(b.paddle.static.nn.cond(n > 0, lambda: one(x), lambda: other(x)))]


@graph("cond_of_numbers")
def of_numbers(b):
    """The condition comes from the numbers of the input."""
    x = b.fed("x", fed(2, 3))
    return [b.paddle.static.nn.cond(b.paddle.mean(x) > 0.0, lambda: x * 2, lambda: x - 1)]


@graph("cond_of_other_shapes", more=again(n=[-1]))
def other_shapes(b):
    n, x = number(b, "n", 2), b.fed("x", fed(2, 3))
    return [b.paddle.static.nn.cond(n > 0, lambda: b.paddle.concat([x, x]), lambda: x[0:1])]


@graph("cond_nested", more=again(n=[1]))
def nested(b):
    cond = b.paddle.static.nn.cond
    n, x = number(b, "n", 5), b.fed("x", fed(2, 3))
    return [cond(n > 0, lambda: cond(n > 3, lambda: x * 2, lambda: x * 3), lambda: x - 1)]


@graph("case", more=again(n=[7]))
def cases(b):
    n, x = number(b, "n", 2), b.fed("x", fed(2, 3))
    return [b.paddle.static.nn.case([(n < 1, lambda: x * 2), (n < 3, lambda: x * 3)], lambda: x * 4)]


@graph("switch_case", more=again(n=[1]))
def switch(b):
    n, x = number(b, "n", 2), b.fed("x", fed(2, 3))
    return [b.paddle.static.nn.switch_case(n, {1: lambda: x * 2, 2: lambda: x * 3}, lambda: x * 4)]


@graph("assign_over")
def over(b):
    """A variable is written in a branch that need not run."""
    paddle = b.paddle
    x, n = b.fed("x", fed(2, 3)), number(b, "n", 1)
    y = x * 2

    def changed():
        paddle.assign(x - 5, y)
    paddle.static.nn.cond(n > 0, changed, None)
    return [y + 1]
