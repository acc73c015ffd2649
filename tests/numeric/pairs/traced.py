"""Tensors that are an output of a graph and its values at the same time."""
import dataclasses

import numpy as np
import openvino.opset13 as ops
from openvino import Dimension, PartialShape, Type

TYPES = {"f32": Type.f32, "f16": Type.f16, "i32": Type.i32, "u8": Type.u8, "i8": Type.i8, "i64": Type.i64, "boolean": Type.boolean}


class NotHere(Exception):
    """The operation does not take such a tensor."""


@dataclasses.dataclass
class Traced:
    port: object
    value: np.ndarray
    rounds: bool = False  # a tiny error of an input may change it by a whole step

    @property
    def shape(self):
        return self.value.shape

    @property
    def rank(self):
        return self.value.ndim


class Case:
    """One pair: what is drawn, the graph, what it is fed, and a text that describes it."""

    def __init__(self, random, rank, known, kind):
        self.random, self.rank, self.known, self.kind = random, rank, known, kind
        self.parameters, self.feeds, self.text = [], [], []

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def chance(self, probability):
        return self.random.random() < probability

    def sizes(self, rank):
        while True:
            shape = [int(self.pick([1, 1, 1, 2, 3, 4, 5, 7, 8, 16, 17])) for _ in range(rank)]
            if np.prod(shape) <= 6000:
                return shape

    def values(self, shape, kind):
        if kind in ("f32", "f16"):
            return self.random.standard_normal(shape).astype(np.float16 if kind == "f16" else np.float32)
        low, high = (0, 9) if kind == "u8" else (-9, 9)
        return self.random.integers(low, high, shape).astype({"i32": np.int32, "u8": np.uint8, "i8": np.int8, "i64": np.int64}[kind])

    def input(self, shape, kind=None):
        kind = kind or self.kind
        value = self.values(shape, kind)
        open_ = {"all": lambda i: True, "first": lambda i: i == 0, "some": lambda i: self.chance(0.5), "none": lambda i: False}[self.known]
        dims = [-1 if open_(i) else size for i, size in enumerate(shape)]
        node = ops.parameter(PartialShape([Dimension(d) for d in dims]), TYPES[kind])
        self.parameters.append(node)
        self.feeds.append(value)
        self.text.append(f"{kind}[{','.join('?' + str(s) if d == -1 else str(s) for d, s in zip(dims, shape))}]")
        return Traced(node.output(0), value)

    def const(self, value, show=True):
        value = np.asarray(value)
        if show:
            self.text.append(f"const{list(value.shape)}".replace(" ", ""))
        return Traced(ops.constant(value).output(0), value)

    def drawn(self, shape, kind=None):
        return self.const(self.values(shape, kind or "f32"))

    def op(self, text, node, value, rounds=False):
        self.text.append(text)
        return Traced(node if not hasattr(node, "output") else node.output(0), value, rounds)

    def real(self, x):
        if x.value.dtype == np.float32:
            return x
        return self.op("Convert f32", ops.convert(x.port, "f32"), x.value.astype(np.float32), x.rounds)

    def axis(self, x):
        if not x.rank:
            raise NotHere
        return int(self.random.integers(x.rank))

    def axes(self, x):
        """A set of axes that is not empty."""
        if not x.rank:
            raise NotHere
        return sorted(int(a) for a in self.random.choice(x.rank, int(self.random.integers(1, x.rank + 1)), replace=False))


STEPS = {}


def step(function):
    STEPS[function.__name__] = function
    return function
