"""Cases of programs: what a family's file in operations/ says. Needs PyTorch only where a case is recorded."""
import importlib
import os
import sys

import numpy as np


class Fed:
    """An input: numbers drawn between limits, or given. `steps`: so many different ones, which takes less room in a file."""

    def __init__(self, shape, low=-1, high=1, dtype="float32", value=None, steps=None):
        self.shape, self.low, self.high, self.dtype, self.value, self.steps = shape, low, high, dtype, value, steps

    def array(self, seed):
        if self.value is not None:
            return np.array(self.value, dtype=self.dtype)
        rng = np.random.default_rng(seed)
        if self.dtype == "bool":
            return rng.random(self.shape) < 0.5
        if np.dtype(self.dtype).kind in "iu":
            return rng.integers(self.low, self.high, self.shape).astype(self.dtype)
        if np.dtype(self.dtype).kind == "c":
            both = rng.random((2, *self.shape)) * (self.high - self.low) + self.low
            return (both[0] + 1j * both[1]).astype(self.dtype)
        if self.steps:
            return np.linspace(self.low, self.high, self.steps)[rng.integers(0, self.steps, self.shape)].astype(self.dtype)
        return (rng.random(self.shape) * (self.high - self.low) + self.low).astype(self.dtype)


def fed(*shape, low=-1, high=1, dtype="float32"):
    return Fed(shape, low, high, dtype)


def picture(*shape):
    return Fed(shape, steps=8)


def ints(*shape, low=0, high=5, dtype="int64"):
    return Fed(shape, low, high, dtype)


def flags(*shape):
    return Fed(shape, dtype="bool")


def given(value, dtype="float32"):
    return Fed(np.array(value).shape, dtype=dtype, value=value)


class Case:
    """`build` gives a module or a function; `unknown`: axes that are symbols, of all inputs or by input; `decomposed`: after
    run_decompositions(); `random`: its numbers are only to be of the right shape and type; `steps`: inputs of further runs, of a
    program that remembers something."""

    def __init__(self, build, inputs, unknown=(), decomposed=False, refused=None, named=None, random=False, steps=()):
        self.build, self.inputs, self.decomposed, self.refused, self.named, self.random = build, inputs, decomposed, refused, named or {}, random
        self.steps = steps
        self.unknown = unknown if isinstance(unknown, dict) else {at: unknown for at in range(len(inputs)) if unknown}


class Family:
    def __init__(self, module):
        self.name, self.cases = module.rpartition(".")[2], {}

    def case(self, name, function, *inputs, core=False, **about):
        """A function of the inputs. `core`: recorded decomposed, too, as NAME_core."""
        self.module(name, lambda: function, *inputs, core=core, **about)

    def module(self, name, build, *inputs, core=False, **about):
        assert name not in self.cases, name
        self.cases[name] = Case(build, inputs, **about)
        if core:
            self.cases[name + "_core"] = Case(build, inputs, decomposed=True, **about)


def lively(network):
    """What is drawn small or all the same, as scales of layers, gets numbers of which an output depends."""
    import torch
    for parameter in network.parameters():
        if parameter.dim() <= 1 or parameter.abs().max() < 0.1:
            with torch.no_grad():
                parameter.uniform_(0.5, 1) if parameter.dim() == 1 and parameter.abs().max() > 0.5 else parameter.uniform_(-0.3, 0.3)
    return network


def families(folder):
    sys.path[:0] = [os.path.join(folder, "operations")]
    found = {}
    for name in sorted(os.listdir(os.path.join(folder, "operations"))):
        if name.endswith(".py"):
            found[name[:-3]] = importlib.import_module(name[:-3]).family.cases
    return found
