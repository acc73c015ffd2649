"""Many outputs of the model that are one tensor, or follow one another."""
from . import save
from .onnx_wire import graph, model, node, value


def _model(folder, nodes, n):
    return save(folder, model(graph(nodes, [value("x")], [value(f"y{i}") for i in range(n)])), nodes=2 * n)


def of_one_tensor(folder, n):
    return _model(folder, [node("Identity", ["x"], [f"y{i}"]) for i in range(n)], n)


def of_a_chain(folder, n):
    return _model(folder, [node("Identity", [f"y{i - 1}" if i else "x"], [f"y{i}"]) for i in range(n)], n)


def of_one_operation(folder, n):
    return _model(folder, [node("Relu", ["x"], ["r"]), *(node("Identity", ["r"], [f"y{i}"]) for i in range(n))], n)


CASES = [(function, 5_000, 100_000) for function in (of_one_tensor, of_a_chain, of_one_operation)]
