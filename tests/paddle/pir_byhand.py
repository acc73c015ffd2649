"""PIR programs written by hand: the JSON of PaddlePaddle 3, with its parameters. Needs numpy only."""
import json
import os

import numpy as np

import program as wire

ELEMENTS = {"float32": "f32", "float64": "f64", "float16": "f16", "bool": "bool", "int8": "i8", "uint8": "ui8", "int16": "i16", "int32": "i32", "int64": "i64"}


class Raw(dict):
    """An attribute as it stands in the file."""


def tensor(dims, dtype="float32", kind="0.t_dtensor"):
    data = [{"#": "0.t_" + ELEMENTS.get(dtype, dtype)}, list(dims), "NCHW"]
    return {"#": kind, "D": [*data, [], 0] if kind == "0.t_dtensor" else data}


def listed(*types):
    return {"#": "0.t_vec", "D": list(types)}


def attribute(value):
    if isinstance(value, Raw):
        return dict(value)
    if isinstance(value, bool):
        return {"#": "0.a_bool", "D": value}
    if isinstance(value, int):
        return {"#": "0.a_i32", "D": value}
    if isinstance(value, float):
        return {"#": "0.a_f32", "D": value}
    if isinstance(value, str):
        return {"#": "0.a_str", "D": value}
    return {"#": "0.a_array", "D": [attribute(one) for one in value]}


def dtype_of(name):
    return Raw({"#": "1.a_dtype", "D": name})


def ints(values):
    return Raw({"#": "1.a_intarray", "D": list(values)})


class Block:
    """Operations in their order. Ids of all blocks of a program come from one `ids`; arguments are negative."""

    def __init__(self, ids=None, arguments=()):
        self.ids = ids if ids is not None else {"next": 1, "argument": -1}
        self.ops, self.arguments = [], []
        for kind in arguments:
            self.arguments.append({"#": self.ids["argument"], "TT": kind})
            self.ids["argument"] -= 1

    def inner(self, *arguments):
        return Block(self.ids, arguments)

    @property
    def given(self):
        return [one["#"] for one in self.arguments]

    def id(self):
        self.ids["next"] += 1
        return self.ids["next"] - 1

    def op(self, kind, operands=(), results=(), regions=(), /, **attrs):
        """The id of the only result, or those of all."""
        made = [self.id() for _ in results]
        written = {"#": kind, "A": [{"N": key, "AT": attribute(value)} for key, value in attrs.items()], "I": [{"%": one} for one in operands],
                   "O": [{"%": one, "TT": of} for one, of in zip(made, results)], "OA": []}
        if regions:
            written["regions"] = [{"#": "region", "blocks": [one.json()]} for one in regions]
        self.ops.append(written)
        return made[0] if len(made) == 1 else made

    def parameter(self, name, array, persistable=1):
        made = self.id()
        self.ops.append({"#": "p", "A": [0, 1, 1, name], "DA": [], "QA": [], "O": {"%": made, "TT": tensor(array.shape, array.dtype.name)}, "OA": [persistable, 0, 1]})
        return made

    def data(self, name, dims, dtype="float32"):
        return self.op("1.data", [], [tensor(dims, dtype)], name=name, shape=ints(dims), dtype=dtype_of(dtype), place=Raw({"#": "1.a_place", "D": [0, 0, ""]}))

    def full(self, value, dtype="float32", dims=(1,)):
        return self.op("1.full", [], [tensor(dims, dtype)], shape=ints(dims), value=Raw({"#": "0.a_f64", "D": value}), dtype=dtype_of(dtype))

    def full_ints(self, values):
        return self.op("1.full_int_array", [], [tensor([len(values)], "int64")], value=[Raw({"#": "0.a_i64", "D": one}) for one in values], dtype=dtype_of("int64"))

    def fetch(self, value, kind, column=0, name=None):
        return self.op("1.fetch", [value], [kind], name=name or f"fetch_name_{column}", col=column)

    def json(self, kwargs=None):
        return {"#": "block", "args": self.arguments, **({} if kwargs is None else {"kwargs": kwargs}), "ops": self.ops}


def program(block, version=4):
    return {"base_code": {"magic": "pir", "trainable": True, "version": version}, "program": {"regions": [{"#": "region_0", "blocks": [block.json()]}]}}


def write(folder, content, parameters=None, name="inference"):
    """The path of the program; `content` is one, or its text."""
    os.makedirs(str(folder), exist_ok=True)
    path = os.path.join(str(folder), name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(content if isinstance(content, str) else json.dumps(content, separators=(",", ":")))
    if parameters:
        with open(os.path.join(str(folder), name + ".pdiparams"), "wb") as file:
            file.write(wire.combined({key: np.asarray(array) for key, array in parameters.items()}))
    return path


def network():
    """x -> conv2d -> add -> relu -> reshape -> matmul -> softmax, and its parameters."""
    rng = np.random.default_rng(1)
    parameters = {"conv2d_0.w_0": rng.standard_normal((4, 3, 3, 3), np.float32), "conv2d_0.b_0": rng.standard_normal(4, np.float32),
                  "linear_0.w_0": rng.standard_normal((64, 5), np.float32)}
    b = Block()
    w = b.parameter("linear_0.w_0", parameters["linear_0.w_0"])
    bias = b.parameter("conv2d_0.b_0", parameters["conv2d_0.b_0"])
    kernel = b.parameter("conv2d_0.w_0", parameters["conv2d_0.w_0"])
    x = b.data("x", [2, 3, 4, 4])
    y = b.op("1.conv2d", [x, kernel], [tensor([2, 4, 4, 4])], strides=[1, 1], paddings=[1, 1], padding_algorithm="EXPLICIT", dilations=[1, 1], groups=1, data_format="NCHW")
    y = b.op("1.add", [y, b.op("1.reshape", [bias, b.full_ints([1, -1, 1, 1])], [tensor([1, 4, 1, 1])])], [tensor([2, 4, 4, 4])])
    y = b.op("1.relu_", [y], [tensor([2, 4, 4, 4])])
    y = b.op("1.reshape", [y, b.full_ints([0, 64])], [tensor([2, 64])])
    y = b.op("1.matmul", [y, w], [tensor([2, 5])], transpose_x=False, transpose_y=False)
    y = b.op("1.softmax", [y], [tensor([2, 5])], axis=-1)
    b.fetch(y, tensor([2, 5]))
    return b, parameters
