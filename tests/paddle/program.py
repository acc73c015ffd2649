"""ProgramDesc and files of parameters of PaddlePaddle, read and written byte for byte. Needs numpy only.

A message is a dict of its fields: {"blocks": [{"idx": 0, "vars": […], "ops": […]}], "version": {"version": 2006002}}; text is str, a repeated
field a list, a field that is not there has no key. What is written again has the bytes that were read.
"""
import os
import struct
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import protobuf_wire  # noqa: E402
from protobuf_wire import written as varint  # noqa: E402

# Message: field: (name, kind, repeated). A kind is that of a number, or another message.
SCHEMA = {
    "Program": {1: ("blocks", "Block", True), 4: ("version", "Version", False), 5: ("op_version_map", "Versions", False)},
    "Version": {1: ("version", "int", False)},
    "Versions": {1: ("pair", "VersionPair", True)},
    "VersionPair": {1: ("op_name", "str", False), 2: ("op_version", "Version", False)},
    "Block": {1: ("idx", "int", False), 2: ("parent_idx", "int", False), 3: ("vars", "Var", True), 4: ("ops", "Op", True), 5: ("forward_block_idx", "int", False)},
    "Var": {1: ("name", "str", False), 2: ("type", "VarType", False), 3: ("persistable", "int", False), 4: ("need_check_feed", "int", False), 5: ("is_parameter", "int", False),
            6: ("stop_gradient", "int", False), 7: ("attrs", "VarAttr", True)},
    "VarAttr": {1: ("name", "str", False), 2: ("type", "int", False), 3: ("i", "int", False), 4: ("s", "str", False), 5: ("ints", "int", True)},
    "VarType": {1: ("type", "int", False), 2: ("selected_rows", "TensorDesc", False), 3: ("lod_tensor", "LoDTensor", False), 4: ("tensor_array", "LoDTensor", False),
                5: ("reader", "bytes", False), 7: ("tuple", "bytes", False), 8: ("string", "bytes", False), 9: ("strings", "bytes", False), 10: ("vocab", "bytes", False)},
    "LoDTensor": {1: ("tensor", "TensorDesc", False), 2: ("lod_level", "int", False)},
    "TensorDesc": {1: ("data_type", "int", False), 2: ("dims", "int", True)},
    "Op": {1: ("inputs", "Slot", True), 2: ("outputs", "Slot", True), 3: ("type", "str", False), 4: ("attrs", "Attr", True), 5: ("is_target", "int", False)},
    "Slot": {1: ("parameter", "str", False), 2: ("arguments", "str", True)},
    "Attr": {1: ("name", "str", False), 2: ("type", "int", False), 3: ("i", "int", False), 4: ("f", "float", False), 5: ("s", "str", False), 6: ("ints", "int", True),
             7: ("floats", "float", True), 8: ("strings", "str", True), 10: ("b", "int", False), 11: ("bools", "int", True), 12: ("block_idx", "int", False), 13: ("l", "int", False),
             14: ("blocks_idx", "int", True), 15: ("longs", "int", True), 16: ("float64s", "double", True), 17: ("var_name", "str", False), 18: ("vars_name", "str", True),
             19: ("float64", "double", False), 20: ("scalar", "Scalar", False), 21: ("scalars", "Scalar", True)},
    "Scalar": {1: ("type", "int", False), 2: ("b", "int", False), 3: ("i", "int", False), 4: ("r", "double", False), 5: ("c", "Complex", False)},
    "Complex": {1: ("r", "double", False), 2: ("i", "double", False)},
}
# Numbers of element types.
TYPES = {"bool": 0, "int16": 1, "int32": 2, "int64": 3, "float16": 4, "float32": 5, "float64": 6, "uint8": 20, "int8": 21, "complex64": 23, "complex128": 24}
DTYPES = {code: np.dtype(name) for name, code in TYPES.items()}
# The field of an attribute by its type.
VALUES = {0: "i", 1: "f", 2: "s", 3: "ints", 4: "floats", 5: "strings", 6: "b", 7: "bools", 8: "block_idx", 9: "l", 10: "blocks_idx", 11: "longs", 12: "float64s", 13: "var_name",
          14: "vars_name", 15: "float64", 16: "scalar", 17: "scalars"}
DENSE, FEED, FETCH, ARRAY = 7, 9, 10, 13
WIDTHS = {"float": (5, "<f"), "double": (1, "<d")}


def read_varint(data, at):
    value, at = protobuf_wire.varint(data, at)
    return (value - (1 << 64) if value >> 63 else value), at


def parse(data, message="Program"):
    """The fields of the bytes of a message."""
    fields, found, at = SCHEMA[message], {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        name, kind, repeated = fields[tag >> 3]
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        elif tag & 7 == 2:
            size, at = read_varint(data, at)
            value = data[at:at + size]
            at += size
            value = value.decode() if kind == "str" else parse(value, kind) if kind in SCHEMA else bytes(value)
        else:
            width = {1: 8, 5: 4}[tag & 7]
            value = struct.unpack(WIDTHS[kind][1], data[at:at + width])[0]
            at += width
        if repeated:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def encoded(number, kind, value):
    if kind == "int":
        return varint(number << 3) + varint(int(value))
    if kind in WIDTHS:
        wire, form = WIDTHS[kind]
        return varint(number << 3 | wire) + struct.pack(form, value)
    content = serialise(value, kind) if kind in SCHEMA else value.encode() if isinstance(value, str) else bytes(value)
    return varint(number << 3 | 2) + varint(len(content)) + content


def serialise(value, message="Program"):
    """The bytes of a message; its fields in the order of their numbers, as protobuf writes them."""
    parts = []
    for number, (name, kind, repeated) in sorted(SCHEMA[message].items()):
        if name in value:
            parts += [encoded(number, kind, one) for one in (value[name] if repeated else [value[name]])]
    return b"".join(parts)


def attributes(op):
    return {attr["name"]: attr.get(VALUES[attr["type"]], [] if VALUES[attr["type"]].endswith("s") else None) for attr in op.get("attrs", [])}


def arguments(op, side, slot):
    return next((one.get("arguments", []) for one in op.get(side, []) if one["parameter"] == slot), [])


def parameters_of(program):
    """The persistable tensors of a program by name, in the order in which the file of parameters has them."""
    found = {}
    for block in program["blocks"]:
        for var in block.get("vars", []):
            if var.get("persistable") and var["type"]["type"] not in (FEED, FETCH, 17):
                found[var["name"]] = var
    return dict(sorted(found.items()))


def tensor(array, lod=()):
    """One record of a file of parameters."""
    array = np.asarray(array, order="C")
    desc = serialise({"data_type": TYPES[array.dtype.name], "dims": list(array.shape)}, "TensorDesc")
    levels = b"".join(struct.pack("<Q", 8 * len(level)) + np.asarray(level, np.uint64).tobytes() for level in lod)
    return struct.pack("<IQ", 0, len(lod)) + levels + struct.pack("<Ii", 0, len(desc)) + desc + array.tobytes()


def combined(arrays):
    """The file of parameters: {name: array} without the names, in their order."""
    return b"".join(tensor(array) for _, array in sorted(arrays.items()))
