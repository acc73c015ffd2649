#!/usr/bin/env python3
"""Writes the recorded networks as .tflite files. Needs numpy only.

    .venv/bin/python tests/tflite/filled.py [NAME ...]      build/tflite/MobileNetV2.tflite and so on; all without names

A network is recorded without its large weights: they are seeded, and the recording says where each stands in the file and how it is drawn.
"""
import os
import zlib

import numpy as np

import lite  # noqa: F401  adds the folder of the next ones to the path
import archive
import rebuilt
from drawing import draw, draw_image

NETWORKS = os.path.join(lite.RECORDED, "networks")
FOLDER = os.path.join(lite.RECORDED, "..", "..", "..", "build", "tflite")


def weights(recipe):
    """The bytes of a constant: floats, or the 255 steps to which they are quantised, along an axis or with one scale."""
    if recipe.get("kind") == "int8":
        return np.random.default_rng(draw_seed(recipe)).integers(-127, 128, recipe["shape"]).astype(np.int8).tobytes()
    array = draw(recipe)
    if recipe.get("kind") == "float16":
        return array.astype(np.float16).tobytes()
    if recipe.get("kind") == "steps":
        numbers = steps(array, recipe["axis"])[1]
        numbers = (numbers.astype(np.int16) + 128).astype(np.uint8) if recipe["unsigned"] else numbers
        for at, step in recipe.get("other", []):
            numbers.flat[at] = step
        return numbers.tobytes()
    return array.tobytes()


def draw_seed(recipe):
    return zlib.crc32(recipe["seed"].encode())


def steps(array, axis):
    """The scale of each channel, or of all, and the array in 127 steps of it to both sides, halves away from zero."""
    others = tuple(at for at in range(array.ndim) if at != axis) if axis is not None else None
    wide = array.astype(np.float64)
    scale = np.maximum(np.abs(wide).max(others, keepdims=True), 1e-9) / 127
    rounded = np.floor(np.abs(wide) / scale + 0.5) * np.sign(wide)
    return scale, np.clip(rounded, -127, 127).astype(np.int8)


class Network(lite.Lite):
    """A recorded network, whose feeds are drawn when it is loaded and whose weights when it is written."""

    def __init__(self, path):
        with np.load(path, allow_pickle=False) as file:
            parts = {name: file[name] for name in file.files}
        about = archive.as_json(parts["about"])
        name = "networks/" + os.path.splitext(os.path.basename(path))[0]
        drawn = {fed: draw_image(recipe) for fed, recipe in about["drawn"].items()}
        scales = dict(zip(about["inputs"], about["scales"]["inputs"]))
        feeds = {fed: in_steps(array, scales[fed], about["quantised"]) for fed, array in drawn.items()}
        feeds |= {about["fed"][int(member.split("/")[2])]: array for member, array in parts.items() if member.startswith("feed/")}
        super().__init__(name, parts["model"].tobytes(), about, [{fed: feeds[fed] for fed in about["fed"]}], lite.numbered(parts, "want"), lite.numbered(parts, "float"))

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.whole())

    def whole(self):
        """The file's bytes: each piece that was left out goes back to its place."""
        parts, at = [], 0
        for place, recipe in sorted(self.about["weights"], key=lambda entry: entry[0]):
            kept = place - sum(map(len, parts))
            parts.append(self.model[at:at + kept])
            at += kept
            parts.append(weights(recipe))
        return b"".join([*parts, self.model[at:]])


def in_steps(array, scale, way):
    """Real numbers as the integers that an input of bytes takes; as they are without a scale."""
    if scale is None:
        return array
    kind = np.uint8 if way == "uint8" else np.int8
    limits = np.iinfo(kind)
    return np.clip(np.round(array / np.float32(scale[0])) + scale[1], limits.min, limits.max).astype(kind)


def names():
    return rebuilt.names(NETWORKS)


def load(name):
    return Network(os.path.join(NETWORKS, name + ".npz"))


if __name__ == "__main__":
    rebuilt.command("filled", NETWORKS, FOLDER, ".tflite", load)
