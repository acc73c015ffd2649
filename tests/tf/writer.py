#!/usr/bin/env python3
"""Writes the recorded networks as frozen graphs. Needs numpy only.

    .venv/bin/python tests/tf/writer.py [NAME ...]      build/tf/keras2_ResNet50.pb and so on; all without names

A network is recorded without its weights: they are seeded, and the recording says how each is drawn.
"""
import json
import os
import sys

import numpy as np

import store

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import protobuf_wire  # noqa: E402
import rebuilt  # noqa: E402
from drawing import draw, draw_image  # noqa: E402

NETWORKS = os.path.join(store.RECORDED, "networks")
FOLDER = os.path.join(store.RECORDED, "..", "..", "..", "build", "tf")


def varint(value):
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes(written) + bytes([value])


def field(number, *parts):
    """A field of bytes, given in parts: the weights are not copied at each level."""
    return [varint(number << 3 | 2), varint(sum(map(len, parts))), *parts]


def changed(message, number, change):
    """The parts of a message in which `change` gives the parts of each field `number`, or None to keep it."""
    parts = []
    for at, value, whole in protobuf_wire.fields(message):
        new = change(value) if at == number else None
        parts += [whole] if new is None else field(number, *new)
    return parts


def with_weights(graph, recipes):
    """The parts of a GraphDef: a Const that has a recipe gets its tensor_content."""
    def of_node(node):
        name = next(value for at, value, _ in protobuf_wire.fields(node) if at == 1).decode()
        recipe = recipes.pop(name, None)
        if recipe is None:
            return None
        content = draw(recipe).tobytes()

        def of_attribute(entry):
            if next(value for at, value, _ in protobuf_wire.fields(entry) if at == 1) != b"value":
                return None
            return changed(entry, 2, lambda attribute: changed(attribute, 8, lambda tensor: [tensor, *field(4, content)]))
        return changed(node, 5, of_attribute)

    parts = changed(graph, 1, of_node)
    assert not recipes, f"no such Const: {sorted(recipes)}"
    return parts


class Network(store.Case):
    """A recorded network, whose feeds are drawn when it is loaded and whose weights when it is written."""

    def __init__(self, path):
        name = os.path.splitext(os.path.basename(path))[0]
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(file["about"].tobytes())
            wanted = {member[5:]: file[member] for member in file.files if member.startswith("want/")}
            feeds = {member[5:]: file[member] for member in file.files if member.startswith("feed/")}
            self.graph = file["model"].tobytes()
        self.weights = about["weights"]
        feeds |= {tensor: draw_image(recipe) for tensor, recipe in about["feeds"].items()}
        super().__init__("networks/" + name, b"", feeds, wanted, about["shapes"])

    def write(self, path):
        with open(path, "wb") as file:
            for part in with_weights(self.graph, dict(self.weights)):
                file.write(part)


def names():
    return rebuilt.names(NETWORKS)


def load(name):
    return Network(os.path.join(NETWORKS, name + ".npz"))


if __name__ == "__main__":
    rebuilt.command("writer", NETWORKS, FOLDER, ".pb", load)
