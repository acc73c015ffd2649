"""Inputs and constants of recorded models: numbers that are seeded by the name of the case, or given ones."""
import numpy as np


class Values:
    """An array of seeded numbers, or of given ones."""

    def __init__(self, shape, dtype, low, high, values):
        self.values = None if values is None else np.asarray(values, dtype)
        self.shape = shape if values is None else self.values.shape
        self.dtype, self.low, self.high = np.dtype(dtype), low, high

    def draw(self, rng):
        if self.values is not None:
            return self.values
        if self.dtype == bool:
            return rng.integers(0, 2, self.shape).astype(bool)
        if self.dtype.kind in "iu":
            return rng.integers(int(self.low), int(self.high), self.shape, endpoint=True).astype(self.dtype)
        if self.dtype.kind == "c":
            return (rng.uniform(self.low, self.high, self.shape) + 1j * rng.uniform(self.low, self.high, self.shape)).astype(self.dtype)
        return rng.uniform(self.low, self.high, self.shape).astype(self.dtype)


class Fed(Values):
    """An input."""


class Fixed(Values):
    """A constant."""


def fed(*shape, dtype=np.float32, low=-1.0, high=1.0, values=None):
    return Fed(shape, dtype, low, high, values)


def fixed(*shape, dtype=np.float32, low=-1.0, high=1.0, values=None):
    return Fixed(shape, dtype, low, high, values)
