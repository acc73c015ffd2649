"""Constants that double, so that a few nodes make gigabytes."""
from . import save
from .onnx_wire import FLOAT, INT32, INT64, graph, model, node, raw, tensor, value, whole, ints


def _doubled(folder, n, last, kind=FLOAT, shape=(1,)):
    nodes = [node("Concat", [f"p{i}"] * 2, [f"p{i + 1}"], whole("axis", 0)) for i in range(n)]
    size = 4 if kind != INT64 else 8
    start = tensor("p0", shape, kind, raw(bytes([1]) * size))
    facts = {"nodes": n + 3, "weights": size}
    return save(folder, model(graph([*nodes, *last(f"p{n}")], [value("x", (1,), kind)], [value("y", None, kind)], [start])), **facts)


def then_cast(folder, n):
    return _doubled(folder, n, lambda p: [node("Cast", [p], ["c"], whole("to", INT32)), node("Cast", ["c"], ["d"], whole("to", FLOAT)), node("Add", ["x", "d"], ["y"])])


def then_added(folder, n):
    return _doubled(folder, n, lambda p: [node("Add", ["x", p], ["y"])])


def then_shape_values(folder, n):
    """Integers, which are shape values."""
    return _doubled(folder, n, lambda p: [node("Mul", [p, p], ["q"]), node("Add", ["x", "q"], ["y"])], INT64)


CASES = [(then_cast, 28, None), (then_added, 28, None), (then_shape_values, 20, 26)]
