"""Counts that a file claims: of outputs, of parts, of elements of a range. They end quickly, as an error or as dynamic shapes."""
from . import save
from .onnx_wire import INT64, graph, model, node, raw, tensor, value, whole
from .tf_wire import FLOAT, graph as tf_graph, node as tf_node, placeholder
from .wire import number


def of_split(folder, n):
    return save(folder, model(graph([node("Split", ["x"], ["y", "z"], whole("axis", 0), whole("num_outputs", n))], [value("x", (4,))], [value("y", None), value("z", None)])), nodes=10, code="any")


def of_unpack(folder, n):
    return save(folder, tf_graph([placeholder("x", 4), tf_node("u", "Unpack", ["x"], num=number(3, n), axis=number(3, 0), T=FLOAT), tf_node("y", "Relu", ["u"], T=FLOAT)]), name="m.pb", nodes=10, code="any")


def of_outputs_tf(folder, n):
    return save(folder, tf_graph([placeholder("x", 4), tf_node("s", "IdentityN", ["x"], T=FLOAT), tf_node("y", "Relu", [f"s:{n}"], T=FLOAT)]), name="m.pb", nodes=10, code="any")


def of_a_range(folder, n):
    scalars = [tensor(name, (), INT64, raw(number.to_bytes(8, "little"))) for name, number in (("a", 0), ("b", n), ("c", 1))]
    nodes = [node("Range", ["a", "b", "c"], ["r"]), node("OneHot", ["r", "d", "v"], ["o"], whole("axis", -1)), node("ReduceSum", ["o"], ["s"]), node("Add", ["x", "s"], ["y"])]
    more = [tensor("d", (), INT64, raw(n.to_bytes(8, "little"))), tensor("v", (2,), INT64, raw(bytes(16)))]
    return save(folder, model(graph(nodes, [value("x", (1,), INT64)], [value("y", None, INT64)], scalars + more)), nodes=20, code="any")


def of_a_tile(folder, n):
    repeats = tensor("t", (1,), INT64, raw(n.to_bytes(8, "little")))
    one = tensor("o", (1,), INT64, raw((1).to_bytes(8, "little")))
    nodes = [node("Tile", ["o", "t"], ["r"]), node("Expand", ["o", "r2"], ["e"]), node("Mul", ["r", "e"], ["m"]), node("ReduceSum", ["m"], ["s"]), node("Add", ["x", "s"], ["y"])]
    return save(folder, model(graph(nodes, [value("x", (1,), INT64)], [value("y", None, INT64)], [repeats, one, tensor("r2", (1,), INT64, raw(n.to_bytes(8, "little")))])), nodes=20, code="any")


CASES = [(function, 1 << 31, (1 << 62) - 1) for function in (of_split, of_unpack, of_outputs_tf)] + [(of_a_range, 1 << 31, 1 << 40), (of_a_tile, 1 << 31, 1 << 40)]
