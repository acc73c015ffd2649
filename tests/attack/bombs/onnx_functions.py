"""Functions of a model that are called often: with a large attribute, long names, many inputs."""
from . import save
from .onnx_wire import FLOAT, attribute, function, graph, ints, model, node, raw, reference, tensor, text, value
from .wire import data, number

# What is written once for all calls, and what is made of it.
ONE_COPY = 3 << 20


def _calls(folder, n, functions, calls, initializers=(), **facts):
    return save(folder, model(graph(calls, [value("x")], [value("y", None)], initializers), functions), **facts)


def _chain(n, call=lambda source, target: node("f", [source], [target], domain="own")):
    return [call("x" if i == 0 else f"t{i}", "y" if i == n - 1 else f"t{i + 1}") for i in range(n)]


def with_a_large_attribute(folder, n):
    """Each call holds a list of a megabyte."""
    body = [node("Relu", ["a"], ["b"], ints("comment", [1] * (1 << 17)))]
    return _calls(folder, n, [function("f", ["a"], ["b"], body)], _chain(n), code="MO1011", says="more than 12582912 bytes, and 768 for each node")


def with_a_large_constant(folder, n):
    """Each call has the same constant, whose numbers stay in the file."""
    body = [node("Constant", [], ["c"], ints("value_ints", [1] * (1 << 17))), node("Cast", ["c"], ["f"], attribute("to", 2, number(3, 1))), node("ReduceSum", ["f"], ["s"]), node("Add", ["a", "s"], ["b"])]
    return _calls(folder, n, [function("f", ["a"], ["b"], body)], _chain(n), nodes=8 * n, largest_bin=ONE_COPY)


def with_long_floats(folder, n):
    """The same with real numbers."""
    body = [node("Constant", [], ["c"], attribute("value_floats", 6, data(7, bytes(range(1, 251)) * 2000))), node("ReduceSum", ["c"], ["s"]), node("Add", ["a", "s"], ["b"])]
    return _calls(folder, n, [function("f", ["a"], ["b"], body)], _chain(n), nodes=8 * n, largest_bin=ONE_COPY)


def _numbers():
    """A tensor of a megabyte, as an attribute."""
    return attribute("value", 4, data(5, tensor("", (1 << 18,), FLOAT, raw(bytes(range(1, 251)) * 4194 + bytes((1 << 20) - 250 * 4194)))))


def with_a_large_tensor(folder, n):
    """Each call has the same tensor, which all calls share."""
    body = [node("Constant", [], ["c"], _numbers()), node("ReduceSum", ["c"], ["s"]), node("Add", ["a", "s"], ["b"])]
    return _calls(folder, n, [function("f", ["a"], ["b"], body)], _chain(n), nodes=8 * n, largest_bin=ONE_COPY)


def with_an_actual_tensor(folder, n):
    """One call gives a tensor, and n nodes in it read that."""
    inner = [part for i in range(n) for part in (node("Constant", [], [f"c{i}"], reference("value", "weights", 4)), node("ReduceSum", [f"c{i}"], [f"s{i}"]),
                                                  node("Add", [f"r{i}" if i else "a", f"s{i}"], [f"r{i + 1}" if i < n - 1 else "b"]))]
    given = data(1, "weights") + _numbers().split(b"value", 1)[1]
    return _calls(folder, n, [function("f", ["a"], ["b"], inner, ["weights"])], [node("f", ["x"], ["y"], given, domain="own")], nodes=8 * n, largest_bin=ONE_COPY)


def with_a_large_text(folder, n):
    body = [node("Relu", ["a"], ["b"], text("comment", "c" * 1_000_000))]
    return _calls(folder, n, [function("f", ["a"], ["b"], body)], _chain(n), code="MO1011", says="more than 12582912 bytes, and 768 for each node")


def with_a_large_actual(folder, n):
    """One call gives a large attribute, and a thousand nodes read it."""
    inner = [node("Relu", [f"r{i}" if i else "a"], [f"r{i + 1}" if i < n - 1 else "b"], reference("comment", "note", 3)) for i in range(n)]
    functions = [function("f", ["a"], ["b"], inner, ["note"])]
    return _calls(folder, n, functions, [node("f", ["x"], ["y"], text("note", "c" * 1_000_000), domain="own")], code="MO1011", says="more than 12582912 bytes, and 768 for each node")


def with_long_names(folder, n):
    body = [node("Relu", ["a"], ["b"], name="r")]
    inner = function("g", ["p"], ["q"], [node("f", [f"u{i}" if i else "p"], [f"u{i + 1}" if i < n - 1 else "q"], domain="own") for i in range(n)])
    calls = [node("g", ["x"], ["y"], name="n" * 60_000, domain="own")]
    return _calls(folder, n, [inner, function("f", ["a"], ["b"], body)], calls, code="MO1011", says="more than 12582912 bytes, and 768 for each node")


def with_many_inputs(folder, n):
    """A call of n inputs in a function that is called n times."""
    names = [f"i{k}" for k in range(n)]
    inner = function("g", ["a"], ["b"], [node("f", ["a"] * n, ["b"], domain="own")])
    return _calls(folder, n, [inner, function("f", names, ["o"], [node("Relu", ["i0"], ["o"])])], _chain(n, lambda source, target: node("g", [source], [target], domain="own")),
                  nodes=1 << 20, code="MO1011", says="more than 1048576 inputs and outputs")


def of_small_nodes(folder, n):
    """Converts: what a node of a function needs."""
    body = [node("Relu", ["a"], ["m"]), node("Sigmoid", ["m"], ["b"])]
    return _calls(folder, n, [function("f", ["a"], ["b"], body)], _chain(n), nodes=4 * n)


CASES = [(with_a_large_attribute, 1_000, 10_000), (with_a_large_constant, 1_000, 10_000), (with_long_floats, 1_000, 10_000), (with_a_large_tensor, 1_000, 10_000), (with_an_actual_tensor, 1_000, 10_000), (with_a_large_text, 1_000, 10_000), (with_a_large_actual, 1_000, 10_000), (with_long_names, 1_000, 10_000), (with_many_inputs, 1_500, 5_000), (of_small_nodes, 2_000, 50_000)]
