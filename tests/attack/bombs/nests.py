"""Branches and functions in each other, and sequences that grow."""
from . import save
from .onnx_wire import body, function, graph, model, node, value, whole


def of_branches_in_functions(folder, n):
    """Each function has an If whose branches both call the next one: 2^n."""
    functions = []
    for i in range(n):
        inner = node("Relu", ["a"], ["o"]) if i == n - 1 else node(f"f{i + 1}", ["a"], ["o"], domain="own")
        branches = [body(name, graph([inner], [], [value("o", None)])) for name in ("then_branch", "else_branch")]
        functions.append(function(f"f{i}", ["a"], ["b"], [node("ReduceSum", ["a"], ["r"], whole("keepdims", 0)), node("Cast", ["r"], ["c"], whole("to", 9)), node("If", ["c"], ["b"], *branches)]))
    return save(folder, model(graph([node("f0", ["x"], ["y"], domain="own")], [value("x")], [value("y", None)]), functions), nodes=min(12 << n, 1 << 18), code="MO1011" if n > 15 else "")


def of_inserts(folder, n):
    nodes = [node("SequenceEmpty", [], ["s0"])] + [node("SequenceInsert", [f"s{i}", "x"], [f"s{i + 1}"]) for i in range(n)]
    return save(folder, model(graph([*nodes, node("ConcatFromSequence", [f"s{n}"], ["y"], whole("axis", 0))], [value("x")], [value("y", None)])), nodes=2 * n + 10)


CASES = [(of_branches_in_functions, 6, 28), (of_inserts, 200, 2_000)]
