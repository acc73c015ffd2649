"""Shapes of many dimensions: at the loader and by inference."""
from . import save
from .onnx_wire import INT64, graph, ints, model, node, raw, tensor, value
from .tf_wire import FLOAT, graph as tf_graph, node as tf_node, placeholder


def of_an_input(folder, n):
    return save(folder, model(graph([node("Relu", ["x"], ["y"])], [value("x", (1,) * n)], [value("y", None)])), code="MO3003", says="at most 64")


def of_a_constant(folder, n):
    return save(folder, model(graph([node("Add", ["x", "c"], ["y"])], [value("x", (1,))], [value("y", None)], [tensor("c", (1,) * n, 1, raw(bytes(4)))])), code="MO3003", says="at most 64")


def of_a_reshape(folder, n):
    """Many nodes share one pattern."""
    nodes = [node("Reshape", ["x", "p"], [f"r{i}"]) for i in range(100)] + [node("Relu", [f"r{i}"], [f"y{i}"]) for i in range(100)]
    start = tensor("p", (n,), INT64, raw((1).to_bytes(8, "little") * n))
    return save(folder, model(graph(nodes, [value("x", (1,))], [value(f"y{i}", None) for i in range(100)], [start])), weights=8 * n, nodes=400, code="MO3003", says="at most 64")


def of_a_placeholder(folder, n):
    return save(folder, tf_graph([placeholder("x", *(1,) * n), tf_node("y", "Relu", ["x"], T=FLOAT)]), name="m.pb", code="MO3003", says="at most 64")


def at_the_limit(folder, n):
    return save(folder, model(graph([node("Relu", ["x"], ["y"])], [value("x", (1,) * 64)], [value("y", None)])), nodes=3)


CASES = [(of_an_input, 65, 100_000), (of_a_constant, 65, 1_000), (of_a_reshape, 1_000, 100_000), (of_a_placeholder, 65, 100_000), (at_the_limit, 0, 0)]
