"""ScaledDotProductAttention whose mask a Broadcast repeats from an unknown to a known number of columns."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "wrong numbers"


def build():
    random = np.random.default_rng(1)
    feeds = {name: random.standard_normal((1, 2, 3, 4), dtype=np.float32) for name in "qkv"}
    given = [ops.parameter([1, 2, 3, 4], Type.f32, name) for name in feeds]
    mask = ops.parameter([1, 1, 1, -1], Type.f32, "mask")
    feeds["mask"] = random.standard_normal((1, 1, 1, 3), dtype=np.float32)
    for node, name in zip(given + [mask], feeds, strict=True):
        node.output(0).set_names({name})
    rows = ops.broadcast(mask, np.array([1, 1, 3, 3]), broadcast_spec="BIDIRECTIONAL")
    y = ops.scaled_dot_product_attention(*given, rows)
    scores = feeds["q"] @ feeds["k"].swapaxes(2, 3) / 2 + feeds["mask"]
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    return Model([y], given + [mask]), feeds, [weights @ feeds["v"]]
