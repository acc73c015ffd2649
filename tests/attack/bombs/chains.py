"""Long chains of simple operations: what a node needs."""
from . import save
from .onnx_wire import graph, model, node, value


def _chain(folder, op, n):
    nodes = [node(op, [f"y{i - 1}" if i else "x"], [f"y{i}"]) for i in range(n)]
    return save(folder, model(graph(nodes, [value("x")], [value(f"y{n - 1}")])), nodes=n)


def of_relu(folder, n):
    return _chain(folder, "Relu", n)


def of_identity(folder, n):
    return _chain(folder, "Identity", n)


CASES = [(of_relu, 5_000, 100_000), (of_identity, 5_000, 100_000)]
