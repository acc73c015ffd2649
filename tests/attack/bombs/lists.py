"""Long lists: of numbers and texts in attributes, of numbers written one by one, of fields that nobody reads."""
from . import save
from .onnx_wire import FLOAT, INT64, attribute, graph, ints, model, node, tensor, value, whole
from .wire import data, datas, number


def of_ints(folder, n):
    nodes = [node("Constant", [], ["c"], ints("value_ints", [1] * n)), node("Cast", ["c"], ["f"], whole("to", FLOAT)), node("Add", ["x", "f"], ["y"])]
    return save(folder, model(graph(nodes, [value("x", (n,))], [value("y", None)])), nodes=10)


def of_single_ints(folder, n):
    """Numbers that each have a tag, as the writers of ONNX make them."""
    nodes = [node("Constant", [], ["c"], attribute("value_ints", 7, number(8, 1) * n)), node("Cast", ["c"], ["f"], whole("to", FLOAT)), node("Add", ["x", "f"], ["y"])]
    return save(folder, model(graph(nodes, [value("x", (n,))], [value("y", None)])), nodes=10)


def of_many_ints(folder, n):
    """n lists of 1,000 numbers."""
    nodes = [node("Constant", [], [f"c{i}"], ints("value_ints", [i % 128] * 1_000)) for i in range(n)]
    add = [node("Sum", ["x", *(f"c{i}" for i in range(n))], ["y"])]
    return save(folder, model(graph([*nodes, *add], [value("x", (1000,), INT64)], [value("y", None, INT64)])), nodes=3 * n)


def of_single_varints(folder, n):
    """An initializer whose numbers each have a tag."""
    numbers = b"\x38\x01" * n
    start = tensor("w", (n,), INT64, numbers)
    return save(folder, model(graph([node("Add", ["x", "w"], ["y"])], [value("x", (n,), INT64)], [value("y", None, INT64)], [start])), weights=2 * n, nodes=10)


def of_metadata(folder, n):
    content = model(graph([node("Relu", ["x"], ["y"])], [value("x")], [value("y")]))
    return save(folder, content + data(6, "d" * n) + datas(14, [data(1, "k") + data(2, "v" * 1000)] * (n // 1000)), nodes=4)


def of_strings(folder, n):
    nodes = [node("Constant", [], ["c"], attribute("value_strings", 8, datas(9, ["text"] * n))), node("Relu", ["x"], ["y"])]
    return save(folder, model(graph(nodes, [value("x")], [value("y")])), nodes=5)


def in_a_text(folder, n):
    """A pbtxt with n numbers, which is all structure."""
    text = f"""node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} attr {{ key: "shape" value {{ shape {{ dim {{ size: 2 }} }} }} }} }}
node {{ name: "y" op: "Relu" input: "x" attr {{ key: "T" value {{ type: DT_FLOAT }} }} attr {{ key: "note" value {{ list {{ {"i: 1 " * n} }} }} }} }}
"""
    return save(folder, text.encode(), name="m.pbtxt", nodes=4)


CASES = [(of_ints, 100_000, 4_000_000), (of_many_ints, 500, 5_000), (of_single_varints, 200_000, 20_000_000), (of_metadata, 1_000_000, 100_000_000), (of_strings, 10_000, 1_000_000), (in_a_text, 100_000, 4_000_000), (of_single_ints, 100_000, 4_000_000)]
