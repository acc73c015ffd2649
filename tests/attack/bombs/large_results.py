"""Little files whose result would be gigabytes: overlapping places, fills, sparse tensors made dense."""
import os

from . import save
from .onnx_wire import FLOAT, INT64, external, graph, model, node, raw, tensor, value
from .tf_wire import FLOAT as TF_FLOAT, filled, graph as tf_graph, node as tf_node, placeholder
from .wire import data, packed

LIMIT = "1073741824"


def overlapping_places(folder, n):
    """n constants, each nearly all of the file that they are in: the model's own."""
    size = 400_000
    shape = (size // 4,)
    names = [f"w{i}" for i in range(n)]
    weights = [tensor(name, shape, FLOAT, external("m.onnx", 4 * i, size)) for i, name in enumerate(names)]
    filling = tensor("filling", (120_000,), FLOAT, raw(os.urandom(480_000)))
    nodes = [node("Sum", ["x", *names], ["s"]), node("Add", ["s", "f"], ["y"]), node("ReduceSum", ["filling"], ["f"])]
    return save(folder, model(graph(nodes, [value("x", shape)], [value("y", None)], [filling, *weights])), weights=480_000, code="MO5004", says=LIMIT)


def fills(folder, n):
    """n tensors of 256 MB with one number each, none like another."""
    nodes = [part for i in range(n) for part in (filled(f"c{i}", (1 << 13, 1 << 13), 0x3F800000 + i), tf_node(f"y{i}", "AddV2", ["x", f"c{i}"], T=TF_FLOAT))]
    return save(folder, tf_graph([placeholder("x", 1, 1 << 13), *nodes]), name="m.pb", nodes=4 * n, code="MO5004", says=LIMIT, options=("--compress_to_fp16", "False"))


def sparse_made_dense(folder, n):
    """n sparse tensors of 16 MB with one element each."""
    size = 1 << 22
    sparse = [data(1, tensor(f"s{i}", (1,), FLOAT, raw(i.to_bytes(4, "little")))) + data(2, tensor("", (1,), INT64, raw(i.to_bytes(8, "little")))) + packed(3, [size]) for i in range(n)]
    content = graph([node("Sum", ["x", *(f"s{i}" for i in range(n))], ["y"])], [value("x", (size,))], [value("y", None)])
    return save(folder, model(content + b"".join(data(15, one) for one in sparse)), nodes=2 * n, **({"code": "MO5004", "says": LIMIT} if n > 60 else {}))


CASES = [(overlapping_places, 3_000, 60_000), (fills, 5, 1_000), (sparse_made_dense, 4, 1_000)]
