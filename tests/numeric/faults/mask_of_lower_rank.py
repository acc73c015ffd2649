"""ScaledDotProductAttention whose mask a Broadcast repeats for each query, with fewer dimensions than the queries."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "does not compile"


def build():
    random = np.random.default_rng(1)
    feeds = {name: random.standard_normal((1, 2, 3, 4), dtype=np.float32) for name in "qkv"}
    given = [ops.parameter([1, 2, 3, 4], Type.f32, name) for name in feeds]
    mask = ops.parameter([1, 3], Type.f32, "mask")
    feeds["mask"] = np.zeros((1, 3), np.float32)
    for node, name in zip(given + [mask], feeds, strict=True):
        node.output(0).set_names({name})
    rows = ops.broadcast(mask, np.array([3, 1]), broadcast_spec="BIDIRECTIONAL")
    y = ops.scaled_dot_product_attention(*given, rows)
    scores = feeds["q"] @ feeds["k"].swapaxes(2, 3) / 2
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    return Model([y], given + [mask]), feeds, [weights @ feeds["v"]]
