"""Programs written by hand, without PaddlePaddle: small ones, and what it does not write or no longer runs. Needs numpy only."""
import os

import numpy as np

import program as wire

TYPES = {float: 1, str: 2, bool: 6, int: 0}


class Block(int):
    """A number of a block, as an attribute."""


def code_of(value):
    if isinstance(value, Block):
        return 8
    if isinstance(value, list):
        return 3 if all(isinstance(one, int) for one in value) else 5 if isinstance(value[0], str) else 4
    return TYPES[type(value)]


def attr(name, value):
    code = code_of(value)
    return {"name": name, "type": code, wire.VALUES[code]: value}


def op(kind, inputs, outputs, **attrs):
    """Slots with the names of their variables: one, or a list."""
    def slots(given):
        return [{"parameter": slot, "arguments": [names] if isinstance(names, str) else list(names)} for slot, names in given.items()]
    return {"inputs": slots(inputs), "outputs": slots(outputs), "type": kind, "attrs": [attr(*one) for one in attrs.items()]}


def var(name, shape=(2, 3), dtype="float32", persistable=False, kind=wire.DENSE, lod=0):
    """Only tensors and lists of them have a shape."""
    field = {wire.DENSE: "lod_tensor", wire.ARRAY: "tensor_array"}.get(kind)
    tensor = {field: {"tensor": {"data_type": wire.TYPES.get(dtype, dtype), "dims": list(shape)}, "lod_level": lod}} if field else {}
    return {"name": name, "type": {"type": kind, **tensor}, "persistable": int(persistable)}


ENDS = [var("feed", kind=wire.FEED, persistable=True), var("fetch", kind=wire.FETCH, persistable=True)]


def feed(name, column=0):
    return op("feed", {"X": "feed"}, {"Out": name}, col=column)


def fetch(name, column=0):
    return op("fetch", {"X": name}, {"Out": "fetch"}, col=column)


def block(ops, variables, index=0, parent=-1):
    return {"idx": index, "parent_idx": parent, "vars": list(variables), "ops": list(ops)}


def program(*blocks):
    return wire.serialise({"blocks": list(blocks), "version": {"version": 2006002}})


def fed(feeds, fetches, ops, variables, others=(), parameters=None):
    """A program. `feeds`: the variables that are inputs; `others`: (parent, variables, operators) of the blocks behind the first."""
    fixed = [var(name, array.shape, array.dtype.name, persistable=True) for name, array in (parameters or {}).items()]
    first = [feed(one["name"], at) for at, one in enumerate(feeds)]
    last = [fetch(name, at) for at, name in enumerate(fetches)]
    inner = [block(made, declared, at + 1, parent) for at, (parent, declared, made) in enumerate(others)]
    return program(block([*first, *ops, *last], [*ENDS, *feeds, *fixed, *variables]), *inner)


def write(folder, content, parameters=None):
    """The path of the program."""
    path = os.path.join(str(folder), "model.pdmodel")
    with open(path, "wb") as file:
        file.write(content)
    if parameters:
        with open(os.path.join(str(folder), "model.pdiparams"), "wb") as file:
            file.write(wire.combined({name: np.asarray(array) for name, array in parameters.items()}))
    return path


def scaled(parameters=None, ops=()):
    """out = relu(x * w): the bytes of the program, and of its parameters."""
    parameters = {"w": np.arange(3, dtype=np.float32)} if parameters is None else parameters
    body = [op("elementwise_mul", {"X": "x", "Y": "w"}, {"Out": "y"}, axis=-1), *ops, op("relu", {"X": "y"}, {"Out": "z"})]
    return fed([var("x")], ["z"], body, [var("y"), var("z")], parameters=parameters), wire.combined(parameters)
