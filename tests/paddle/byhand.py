"""Programs written by hand, for what PaddlePaddle does not write or no longer runs. Needs numpy only."""
import os

import numpy as np

import program as wire

KINDS = {bool: (6, "b"), int: (0, "i"), float: (1, "f"), str: (2, "s")}


class Block(int):
    """A number of a block, as an attribute."""


def attribute(name, value):
    if isinstance(value, Block):
        return {"name": name, "type": 8, "block_idx": int(value)}
    if isinstance(value, list):
        code, field = (5, "strings") if all(isinstance(one, str) for one in value) else (3, "ints")
        return {"name": name, "type": code, field: value}
    code, field = KINDS[type(value)]
    return {"name": name, "type": code, field: value}


def variable(name, dtype="float32", shape=None, kind=wire.DENSE, persistable=False, lod=0):
    described = {} if shape is None else {"tensor_array" if kind == wire.ARRAY else "lod_tensor": {"tensor": {"data_type": wire.TYPES[dtype], "dims": list(shape)}, "lod_level": lod}}
    return {"name": name, "type": {"type": kind, **described}, "persistable": int(persistable)}


def op(kind, inputs, outputs, **attrs):
    """Slots with the names of their variables: one, or a list."""
    def slots(given):
        return [{"parameter": slot, "arguments": names if isinstance(names, list) else [names]} for slot, names in given.items()]
    return {"type": kind, "inputs": slots(inputs), "outputs": slots(outputs), "attrs": [attribute(*one) for one in attrs.items()]}


def program(feeds, fetches, ops, variables, others=(), parameters=None):
    """`feeds`: the variables that are inputs; `others`: (parent, variables, operators) of the blocks behind the first."""
    boundary = [variable("feed", kind=wire.FEED, persistable=True), variable("fetch", kind=wire.FETCH, persistable=True)]
    fixed = [variable(name, array.dtype.name, array.shape, persistable=True) for name, array in (parameters or {}).items()]
    first = [op("feed", {"X": "feed"}, {"Out": one["name"]}, col=at) for at, one in enumerate(feeds)]
    last = [op("fetch", {"X": name}, {"Out": "fetch"}, col=at) for at, name in enumerate(fetches)]
    blocks = [{"idx": 0, "parent_idx": -1, "vars": [*boundary, *feeds, *fixed, *variables], "ops": [*first, *ops, *last]}]
    blocks += [{"idx": at + 1, "parent_idx": parent, "vars": list(made), "ops": list(inner)} for at, (parent, made, inner) in enumerate(others)]
    return {"blocks": blocks, "version": {"version": 2006002}}


def write(folder, content, parameters=None):
    """The path of the program."""
    path = os.path.join(str(folder), "model.pdmodel")
    with open(path, "wb") as file:
        file.write(wire.serialise(content))
    if parameters:
        with open(os.path.join(str(folder), "model.pdiparams"), "wb") as file:
            file.write(wire.combined({name: np.asarray(array) for name, array in parameters.items()}))
    return path
