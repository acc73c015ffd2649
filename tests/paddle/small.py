"""Small programs, written without PaddlePaddle. Needs numpy only."""
import numpy as np

import program as wire

TYPES = {float: 1, str: 2, bool: 6, int: 0}


def attr(name, value):
    if isinstance(value, list):
        code = 3 if all(isinstance(one, int) for one in value) else 4
        return {"name": name, "type": code, wire.VALUES[code]: value}
    if name == "sub_block":
        return {"name": name, "type": 8, "block_idx": value}
    code = TYPES[type(value)]
    return {"name": name, "type": code, wire.VALUES[code]: int(value) if isinstance(value, bool) else value}


def op(kind, inputs, outputs, **attrs):
    """Slots are lists of names."""
    def slots(given):
        return [{"parameter": slot, "arguments": list(names)} for slot, names in given.items()]
    return {"inputs": slots(inputs), "outputs": slots(outputs), "type": kind, "attrs": [attr(name, value) for name, value in attrs.items()]}


def var(name, shape=(2, 3), dtype="float32", persistable=False, kind=wire.DENSE, lod=0):
    tensor = {"tensor": {"data_type": wire.TYPES.get(dtype, dtype), "dims": list(shape)}, "lod_level": lod}
    desc = {"type": kind}
    if kind == wire.DENSE:
        desc["lod_tensor"] = tensor
    if kind == wire.ARRAY:
        desc["tensor_array"] = tensor
    return {"name": name, "type": desc, "persistable": int(persistable)}


def feed(name, column=0):
    return op("feed", {"X": ["feed"]}, {"Out": [name]}, col=column)


def fetch(name, column=0):
    return op("fetch", {"X": [name]}, {"Out": ["fetch"]}, col=column)


def block(ops, variables, index=0, parent=-1):
    return {"idx": index, "parent_idx": parent, "vars": variables, "ops": ops}


def program(*blocks):
    return wire.serialise({"blocks": list(blocks), "version": {"version": 2006002}})


def scaled(parameters=None, ops=()):
    """out = relu(x * w): the bytes of the program, and of its parameters."""
    parameters = {"w": np.arange(3, dtype=np.float32)} if parameters is None else parameters
    names = [var("feed", kind=wire.FEED, persistable=True), var("fetch", kind=wire.FETCH, persistable=True), var("x"), var("y"), var("z")]
    names += [var(name, array.shape, array.dtype.name, persistable=True) for name, array in parameters.items()]
    body = [feed("x"), op("elementwise_mul", {"X": ["x"], "Y": ["w"]}, {"Out": ["y"]}, axis=-1), *ops, op("relu", {"X": ["y"]}, {"Out": ["z"]}), fetch("z")]
    return program(block(body, names)), wire.combined(parameters)
