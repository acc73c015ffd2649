"""Functions of TensorFlow that are called often: with a large attribute, long names, many values, in loops; binary and as texts."""
from . import save
from .tf_wire import FLOAT, call, function, graph, node, placeholder
from .wire import data, number, packed

SAYS = "more than 12582912 bytes, and 768 for each node"


def _chain(n):
    nodes = [node(f"c{i}", "PartitionedCall", [f"c{i - 1}" if i else "x"], f=call("f")) for i in range(n)]
    return [placeholder(), *nodes, node("y", "Identity", [f"c{n - 1}"], T=FLOAT)]


def with_a_large_attribute(folder, n):
    body = [node("r", "Relu", ["a"], T=FLOAT, note=data(2, "c" * 1_000_000))]
    return save(folder, graph(_chain(n), [function("f", ["a"], {"b": "r:activations:0"}, body)]), name="m.pb", code="MO1011", says=SAYS)


def with_many_values(folder, n):
    """A list of 200,000 numbers in each call."""
    body = [node("r", "Relu", ["a"], T=FLOAT, note=data(1, packed(3, [1] * 200_000)))]
    return save(folder, graph(_chain(n), [function("f", ["a"], {"b": "r:activations:0"}, body)]), name="m.pb", code="MO1011", says=SAYS)


def with_long_names(folder, n):
    inner = [node("z" * 60_000, "PartitionedCall", ["a"], f=call("g"))]
    last = [node(f"r{i}", "Relu", [f"r{i - 1}:activations:0" if i else "a"], T=FLOAT) for i in range(n)]
    functions = [function("f", ["a"], {"b": "z" * 60_000 + ":b:0"}, inner), function("g", ["a"], {"b": f"r{n - 1}:activations:0"}, last)]
    return save(folder, graph(_chain(1), functions), name="m.pb", code="MO1011", says=SAYS)


def with_values(folder, n):
    """Converts: n calls of a function with a constant of a megabyte, which stays one."""
    tensor = number(1, 1) + data(2, data(2, number(1, 1 << 18))) + data(4, bytes(1 << 20))
    body = [node("k", "Const", dtype=FLOAT, value=data(8, tensor)), node("s", "Sum", ["k:output:0", "k0:output:0"], T=FLOAT), node("k0", "Const", dtype=number(6, 3), value=data(8, number(1, 3) + data(2, data(2, number(1, 1))) + data(4, bytes(4)))), node("r", "AddV2", ["a", "s:output:0"], T=FLOAT)]
    return save(folder, graph(_chain(n), [function("f", ["a"], {"b": "r:z:0"}, body)]), name="m.pb", weights=1 << 20, nodes=4 * n, largest_bin=3 << 20)


def nested_loops(folder, n):
    """StatelessWhile in StatelessWhile, n deep: each has two bodies, and each body has the next."""
    functions = []
    types = data(1, number(6, 1))
    for i in range(n):
        inner = [node("w", "StatelessWhile", ["a"], T=types, cond=call(f"cond{i + 1}"), body=call(f"body{i + 1}"))] if i < n - 1 else [node("w", "Relu", ["a"], T=FLOAT)]
        result = "w:output:0" if i < n - 1 else "w:activations:0"
        functions.append(function(f"body{i}", ["a"], {"b": result}, inner))
        check = [node("l", "Less", ["m:output:0", "o:output:0"], T=FLOAT), node("o", "Const", dtype=FLOAT, value=data(8, number(1, 1) + data(2, b"") + data(4, bytes(4)))),
                 node("m", "Sum", ["w:output:0" if i < n - 1 else "a", "d:output:0"], T=FLOAT), node("d", "Const", dtype=number(6, 3), value=data(8, number(1, 3) + data(2, data(2, number(1, 1))) + data(4, bytes(4))))]
        functions.append(function(f"cond{i}", ["a"], {"b": "l:z:0"}, [*(inner if i < n - 1 else []), *check]))
    loop = node("y", "StatelessWhile", ["x"], T=types, cond=call("cond0"), body=call("body0"))
    return save(folder, graph([placeholder(), loop], functions), name="m.pb", nodes=min(10 << n, 1 << 18), code="MO1011" if n > 16 else "", says="")


def as_text(folder, n):
    """The same as with_a_large_attribute, as a text."""
    nodes = "".join(f'node {{ name: "c{i}" op: "PartitionedCall" input: "{f"c{i - 1}" if i else "x"}" attr {{ key: "f" value {{ func {{ name: "f" }} }} }} }}\n' for i in range(n))
    text = f"""node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} attr {{ key: "shape" value {{ shape {{ dim {{ size: 2 }} }} }} }} }}
{nodes}library {{ function {{ signature {{ name: "f" input_arg {{ name: "a" type: DT_FLOAT }} output_arg {{ name: "b" type: DT_FLOAT }} }}
node_def {{ name: "r" op: "Relu" input: "a" attr {{ key: "T" value {{ type: DT_FLOAT }} }} attr {{ key: "note" value {{ s: "{"c" * 1_000_000}" }} }} }}
ret {{ key: "b" value: "r:activations:0" }} }} }}
"""
    return save(folder, text.encode(), name="m.pbtxt", code="MO1011", says=SAYS)


CASES = [(with_a_large_attribute, 1_000, 10_000), (with_many_values, 1_000, 10_000), (with_long_names, 1_000, 10_000), (with_values, 200, 10_000), (nested_loops, 5, 20), (as_text, 200, 10_000)]
