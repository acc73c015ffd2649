"""Writes a transformer of about 1 GB, without PaddlePaddle: build/models/paddle_transformer.pdmodel and .pdiparams. Needs numpy only.

    .venv/bin/python tests/paddle/transformer.py [LAYERS]
"""
import os
import sys

import numpy as np

import program as wire
from small import ENDS, block, feed, fetch, op, program, var

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "models")
WIDTH, HEADS, INNER, WORDS, LAYERS = 1024, 16, 4096, 16384, 20


class Transformer:
    def __init__(self):
        self.ops, self.vars, self.shapes = [], [], {}

    def weight(self, name, *shape):
        self.shapes[name] = shape
        self.vars.append(var(name, shape, persistable=True))
        return name

    def op(self, kind, slots, sizes, slot="Out", **attrs):
        out = f"t{len(self.ops)}"
        self.vars.append(var(out, sizes))
        self.ops.append(op(kind, slots, {slot: [out]}, **attrs))
        return out

    def linear(self, x, name, inner, outer):
        product = self.op("matmul_v2", {"X": [x], "Y": [self.weight(name + ".w_0", inner, outer)]}, (-1, -1, outer), trans_x=False, trans_y=False)
        return self.op("elementwise_add", {"X": [product], "Y": [self.weight(name + ".b_0", outer)]}, (-1, -1, outer), axis=-1)

    def norm(self, x, name):
        return self.op("layer_norm", {"X": [x], "Scale": [self.weight(name + ".w_0", WIDTH)], "Bias": [self.weight(name + ".b_0", WIDTH)]}, (-1, -1, WIDTH), "Y",
                       epsilon=1e-5, begin_norm_axis=2)

    def heads(self, x, name):
        split = self.op("reshape2", {"X": [self.linear(x, name, WIDTH, WIDTH)]}, (-1, -1, HEADS, WIDTH // HEADS), shape=[0, 0, HEADS, WIDTH // HEADS])
        return self.op("transpose2", {"X": [split]}, (-1, HEADS, -1, WIDTH // HEADS), axis=[0, 2, 1, 3])

    def layer(self, x, name):
        q, k, v = (self.heads(x, f"{name}.{part}") for part in "qkv")
        scores = self.op("matmul_v2", {"X": [q], "Y": [k]}, (-1, HEADS, -1, -1), trans_x=False, trans_y=True)
        scaled = self.op("scale", {"X": [scores]}, (-1, HEADS, -1, -1), scale=float((WIDTH // HEADS) ** -0.5), bias=0.0, bias_after_scale=True)
        seen = self.op("matmul_v2", {"X": [self.op("softmax", {"X": [scaled]}, (-1, HEADS, -1, -1), axis=-1)], "Y": [v]}, (-1, HEADS, -1, WIDTH // HEADS), trans_x=False, trans_y=False)
        joined = self.op("reshape2", {"X": [self.op("transpose2", {"X": [seen]}, (-1, -1, HEADS, WIDTH // HEADS), axis=[0, 2, 1, 3])]}, (-1, -1, WIDTH), shape=[0, 0, WIDTH])
        x = self.norm(self.op("elementwise_add", {"X": [x], "Y": [self.linear(joined, name + ".o", WIDTH, WIDTH)]}, (-1, -1, WIDTH), axis=-1), name + ".n1")
        inner = self.op("gelu", {"X": [self.linear(x, name + ".f1", WIDTH, INNER)]}, (-1, -1, INNER), approximate=False)
        return self.norm(self.op("elementwise_add", {"X": [x], "Y": [self.linear(inner, name + ".f2", INNER, WIDTH)]}, (-1, -1, WIDTH), axis=-1), name + ".n2")

    def network(self, ids, layers):
        x = self.op("lookup_table_v2", {"Ids": [ids], "W": [self.weight("words", WORDS, WIDTH)]}, (-1, -1, WIDTH), padding_idx=-1)
        for i in range(layers):
            x = self.layer(x, f"layer{i:02}")
        return x

    def write(self, path, layers):
        self.vars += [*ENDS, var("ids", (-1, -1), "int64")]
        self.ops.append(feed("ids"))
        self.ops.append(fetch(self.network("ids", layers)))
        with open(path + ".pdmodel", "wb") as file:
            file.write(program(block(self.ops, self.vars)))
        rng = np.random.default_rng(1)
        with open(path + ".pdiparams", "wb") as file:
            for name, shape in sorted(self.shapes.items()):
                file.write(wire.tensor(rng.standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[0]))))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    Transformer().write(os.path.join(FOLDER, "paddle_transformer"), int(sys.argv[1]) if len(sys.argv) > 1 else LAYERS)
