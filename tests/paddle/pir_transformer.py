"""Writes the transformer of transformer.py as a program of PaddlePaddle 3: build/models/paddle3_transformer.json, and .pdiparams, a second name of that of paddle_transformer.

    .venv/bin/python tests/paddle/pir_transformer.py [LAYERS]
"""
import json
import os
import sys

import pir_byhand as pir
from transformer import FOLDER, LAYERS, Transformer

#: Of each operator: PIR's name, its inputs in their order, and attributes with other names.
NAMES = {
    "matmul_v2": ("1.matmul", "XY", {"trans_x": "transpose_x", "trans_y": "transpose_y"}), "elementwise_add": ("1.add", "XY", {"axis": None}),
    "layer_norm": ("1.layer_norm", ("X", "Scale", "Bias"), {}), "softmax": ("1.softmax", "X", {}), "gelu": ("1.gelu", "X", {}),
    "transpose2": ("1.transpose", "X", {"axis": "perm"}), "lookup_table_v2": ("1.embedding", ("Ids", "W"), {}),
    "reshape2": ("1.reshape", "X", {}), "scale": ("1.scale", "X", {}),
}


class PirTransformer(Transformer):
    def __init__(self):
        super().__init__()
        self.block, self.ids = pir.Block(), {}

    def op(self, kind, slots, sizes, slot="Out", **attrs):
        name, inputs, renamed = NAMES[kind]
        operands = [self.ids[slots[one][0]] for one in inputs]
        if kind == "reshape2":
            operands.append(self.block.full_ints(attrs.pop("shape")))
        if kind == "scale":
            operands.append(self.block.full(attrs.pop("scale")))
        attrs = {renamed.get(key, key): value for key, value in attrs.items() if renamed.get(key, key)}
        made = self.block.op(name, operands, [pir.tensor(sizes)] * (3 if kind == "layer_norm" else 1), **attrs)
        out = f"t{len(self.ids)}"
        self.ids[out] = made[0] if isinstance(made, list) else made
        return out

    def weight(self, name, *shape):
        self.shapes[name] = shape
        made = self.block.id()
        self.block.ops.append({"#": "p", "A": [0, 1, 1, name], "DA": [], "QA": [], "O": {"%": made, "TT": pir.tensor(shape)}, "OA": [1, 0, 1]})
        self.ids[name] = made
        return name

    def write(self, path, layers):
        self.ids["ids"] = self.block.data("ids", (-1, -1), "int64")
        x = self.network("ids", layers)
        self.block.fetch(self.ids[x], pir.tensor((-1, -1, -1)))
        with open(path + ".json", "w", encoding="utf-8") as file:
            json.dump(pir.program(self.block), file, separators=(",", ":"))


def main(layers):
    PirTransformer().write(os.path.join(FOLDER, "paddle3_transformer"), layers)
    first, second = (os.path.join(FOLDER, name + ".pdiparams") for name in ("paddle_transformer", "paddle3_transformer"))
    if not os.path.exists(first):
        Transformer().write(first.removesuffix(".pdiparams"), layers)
    if os.path.exists(second):
        os.remove(second)
    os.link(first, second)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LAYERS)
