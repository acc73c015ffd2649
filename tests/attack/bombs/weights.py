"""Large weights that are computed: memory does not follow their size."""
import os

from . import save
from .onnx_wire import FLOAT, INT32, external, graph, ints, model, node, tensor, value, whole


def _large(folder, n, last, *options):
    """A file of n megabytes with holes."""
    with open(os.path.join(folder, "w.bin"), "wb") as file:
        file.truncate(n << 20)
    rows = n << 8
    weights = tensor("w", (rows, 1024), FLOAT, external("w.bin", 0, n << 20))
    return save(folder, model(graph(last, [value("x", (1024, rows))], [value("y", None)], [weights])), nodes=20, options=options)


def transposed(folder, n):
    return _large(folder, n, [node("Transpose", ["w"], ["t"], ints("perm", [1, 0])), node("Add", ["x", "t"], ["y"])])


def converted(folder, n):
    return _large(folder, n, [node("Cast", ["w"], ["c"], whole("to", INT32)), node("Cast", ["c"], ["d"], whole("to", FLOAT)), node("Transpose", ["d"], ["t"], ints("perm", [1, 0])), node("Add", ["x", "t"], ["y"])])


def joined(folder, n):
    return _large(folder, n, [node("Concat", ["w", "w"], ["c"], whole("axis", 1)), node("ReduceSum", ["c"], ["s"]), node("Add", ["x", "s"], ["y"])], "--compress_to_fp16", "False")


def quantised(folder, n):
    """A product with as many columns as there are pairs of numbers."""
    with open(os.path.join(folder, "w.bin"), "wb") as file:
        file.truncate(n << 20)
    weights = tensor("w", (2, n << 17), FLOAT, external("w.bin", 0, n << 20))
    content = model(graph([node("MatMul", ["x", "w"], ["y"])], [value("x", (1, 2))], [value("y", None)], [weights]))
    return save(folder, content, nodes=20, options=("--weight_format", "int8"))


CASES = [(quantised, 64, 512), (transposed, 64, 512), (converted, 64, 512), (joined, 64, 512)]
