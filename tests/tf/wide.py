#!/usr/bin/env python3
"""Writes a SavedModel with 3 GB of variables, for the bench. Needs numpy only.

    .venv/bin/python tests/tf/wide.py FOLDER [LAYERS]      FOLDER/saved_model.pb and FOLDER/variables/

LAYERS of 134 MB, 23 without it: x · kernel + bias, ReLU, · kernel + bias, plus x. As TensorFlow 2 writes it, variables are in a
checkpoint of one part, and the layers in a function that has their handles. The index has no checksums
of the variables: only --verify_checksums reads them.
"""
import os
import sys

import numpy as np

import tables
import writer

WIDTH, INNER = 2048, 8192
FLOAT, RESOURCE = 1, 20
varint = tables.varint


def number(at, value):
    return varint(at << 3) + varint(value & (1 << 64) - 1)


def part(at, *content):
    """A field of bytes: a text, or what a message is made of."""
    return b"".join(writer.field(at, *(piece.encode() if isinstance(piece, str) else piece for piece in content)))


def shape_of(*sizes):
    return b"".join(part(2, number(1, size)) for size in sizes)


def of_type(value):
    return number(6, value)


def types(*values):
    return part(1, part(6, b"".join(map(varint, values))))


def entry(at, key, *value):
    return part(at, part(1, key), part(2, *value))


def node(at, name, op, *inputs, **attributes):
    return part(at, part(1, name), part(2, op), *(part(3, source) for source in inputs), *(entry(5, key, value) for key, value in attributes.items()))


def variables(layers):
    for layer in range(layers):
        yield f"layer{layer}/inner/kernel", (WIDTH, INNER)
        yield f"layer{layer}/inner/bias", (INNER,)
        yield f"layer{layer}/outer/kernel", (INNER, WIDTH)
        yield f"layer{layer}/outer/bias", (WIDTH,)


def function(layers):
    """All layers: the arguments are x and the handles of the variables."""
    names = [name for name, _ in variables(layers)]
    arguments = [part(2, part(1, "x"), number(3, FLOAT))] + [part(2, part(1, f"v{at}"), number(3, RESOURCE)) for at in range(len(names))]
    nodes, x, T = [], "x", of_type(FLOAT)
    read = {name: f"{name}/Read:value:0" for name in names}
    nodes += [node(3, f"{name}/Read", "ReadVariableOp", f"v{at}", dtype=T) for at, name in enumerate(names)]
    for layer in range(layers):
        y = x
        for step in ("inner", "outer"):
            name = f"layer{layer}/{step}"
            nodes.append(node(3, f"{name}/MatMul", "MatMul", y, read[f"{name}/kernel"], T=T))
            nodes.append(node(3, f"{name}/BiasAdd", "BiasAdd", f"{name}/MatMul:product:0", read[f"{name}/bias"], T=T))
            y = f"{name}/BiasAdd:output:0"
            if step == "inner":
                nodes.append(node(3, f"{name}/Relu", "Relu", y, T=T))
                y = f"{name}/Relu:activations:0"
        nodes.append(node(3, f"layer{layer}/add", "AddV2", x, y, T=T))
        x = f"layer{layer}/add:z:0"
    signature = part(1, part(1, "layers"), *arguments, part(3, part(1, "y"), number(3, FLOAT)))
    return part(1, signature, *nodes, part(4, part(1, "y"), part(2, x)))


def saved_model(layers):
    known = dict(variables(layers))
    x = node(1, "serving_default_x", "Placeholder", dtype=of_type(FLOAT), shape=part(7, shape_of(-1, WIDTH)))
    handles = [node(1, name, "VarHandleOp", dtype=of_type(FLOAT), shape=part(7, shape_of(*shape)), shared_name=part(2, name)) for name, shape in known.items()]
    call = node(1, "StatefulPartitionedCall", "StatefulPartitionedCall", "serving_default_x", *known, f=part(10, part(1, "layers")),
                Tin=types(FLOAT, *[RESOURCE] * len(known)), Tout=types(FLOAT))
    graph = part(2, x, *handles, call, part(2, function(layers)), part(4, number(1, 1994)))

    def side(at, key, tensor):
        return entry(at, key, part(1, tensor), number(2, FLOAT), part(3, shape_of(-1, WIDTH)))

    signature = entry(5, "serving_default", side(1, "x", "serving_default_x:0"), side(2, "y", "StatefulPartitionedCall:0"), part(3, "tensorflow/serving/predict"))
    return number(1, 1) + part(2, part(1, part(4, "serve"), part(5, "2.18.0")), graph, signature)


def main(folder, layers=23):
    os.makedirs(os.path.join(folder, "variables"), exist_ok=True)
    prefix, places, offset = os.path.join(folder, "variables", "variables"), {}, 0
    rng = np.random.default_rng(5)
    with open(prefix + ".data-00000-of-00001", "wb") as data:
        for name, shape in variables(layers):
            values = rng.standard_normal(shape, np.float32) * np.float32(0.02)
            data.write(values.data)
            places[name] = number(1, FLOAT) + part(2, shape_of(*shape)) + number(4, offset) + number(5, values.nbytes)
            offset += values.nbytes
    header = number(1, 1) + part(3, number(1, 1))
    with open(prefix + ".index", "wb") as index:
        index.write(tables.table(tables.block([(b"", header)] + sorted((name.encode(), place) for name, place in places.items()))))
    # Written last: if this file exists, the others are complete.
    with open(os.path.join(folder, "saved_model.pb"), "wb") as file:
        file.write(saved_model(layers))
    print(folder, offset)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
