"""Bodies and sequences with n of something, and Casts in turns: what the other shapes do not make."""
from onnx import TensorProto, helper

from onnx_graphs import untyped

F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, kind=F, shape=(2,)):
    return helper.make_tensor_value_info(name, kind, shape)


def number(name, given):
    return helper.make_tensor(name, I, [], [given])


def model(nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializer=list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10).SerializeToString()


def names(prefix, n):
    return [f"{prefix}{k}" for k in range(n)]


def loop_of_states(n):
    """A Loop that carries n values."""
    nodes = [helper.make_node("Identity", ["go"], ["on"])] + [helper.make_node("Relu", [a], [b]) for a, b in zip(names("s", n), names("t", n))]
    inputs = [value("i", I, ()), value("go", B, ())] + [value(s) for s in names("s", n)]
    body = helper.make_graph(nodes, "body", inputs, [value("on", B, ())] + [value(t) for t in names("t", n)])
    loop = helper.make_node("Loop", ["trips", "", *["x"] * n], names("y", n), body=body)
    return model([loop, helper.make_node("Sum", names("y", n), ["y"])], [value("x")], [value("y")], [number("trips", 3)])


def loop_of_captures(n):
    """A Loop whose body reads n tensors from outside."""
    nodes = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Sum", ["s", *names("c", n)], ["t"])]
    body = helper.make_graph(nodes, "body", [value("i", I, ()), value("go", B, ()), value("s")], [value("on", B, ()), value("t")])
    makers = [helper.make_node("Relu", ["x"], [c]) for c in names("c", n)]
    return model([*makers, helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)], [value("x")], [value("y")], [number("trips", 3)])


def branches_of_outputs(n):
    """An If with n outputs."""
    def branch(op):
        made = [helper.make_node(op, ["x"], [f"{op}{k}"]) for k in range(n)]
        return helper.make_graph(made, op, [], [value(f"{op}{k}") for k in range(n)])
    chosen = helper.make_node("If", ["c"], names("y", n), then_branch=branch("Relu"), else_branch=branch("Abs"))
    return model([chosen, helper.make_node("Sum", names("y", n), ["y"])], [value("c", B, ()), value("x")], [value("y")])


def branches_of_captures(n):
    """An If whose branches read n tensors from outside."""
    def branch(op):
        return helper.make_graph([helper.make_node(op, names("c", n), [op])], op, [], [value(op)])
    makers = [helper.make_node("Relu", ["x"], [c]) for c in names("c", n)]
    chosen = helper.make_node("If", ["c"], ["y"], then_branch=branch("Sum"), else_branch=branch("Max"))
    return model([*makers, chosen], [value("c", B, ()), value("x")], [value("y")])


def decided_branches(n):
    """An If of a known condition, and branches of n nodes."""
    def branch(op):
        made = [helper.make_node(op, ["x"], [f"{op}{k}"]) for k in range(n)]
        return helper.make_graph([*made, helper.make_node("Sum", [f"{op}{k}" for k in range(n)], [op])], op, [], [value(op)])
    chosen = helper.make_node("If", ["c"], ["y"], then_branch=branch("Relu"), else_branch=branch("Abs"))
    return model([chosen], [value("x")], [value("y")], [helper.make_tensor("c", B, [], [1])])


def scan_of_states(n):
    """A Scan over n inputs."""
    nodes = [helper.make_node("Relu", [a], [b]) for a, b in zip(names("s", n), names("t", n))]
    body = helper.make_graph(nodes, "body", [value(s) for s in names("s", n)], [value(t) for t in names("t", n)])
    scan = helper.make_node("Scan", ["x"] * n, names("y", n), body=body, num_scan_inputs=n)
    return model([scan, helper.make_node("Sum", names("y", n), ["y"])], [value("x", F, (3, 2))], [value("y", F, (3, 2))])


def inserted(n, at=None, erased=False, read_each=False):
    """A sequence into which n elements are inserted, perhaps erased again, and read once or each time."""
    nodes = [helper.make_node("SequenceEmpty", [], ["s0"])]
    place = [] if at is None else ["at"]
    for k in range(n):
        nodes.append(helper.make_node("SequenceInsert", [f"s{k}", "x", *place], [f"s{k + 1}"]))
        if read_each:
            nodes.append(helper.make_node("SequenceAt", [f"s{k + 1}", "first"], [f"e{k}"]))
    last = f"s{n}"
    for k in range(n // 2 if erased else 0):
        nodes.append(helper.make_node("SequenceErase", [last, *place], [f"z{k}"]))
        last = f"z{k}"
    results = [f"e{k}" for k in range(n)] if read_each else []
    nodes.append(helper.make_node("ConcatFromSequence", [last], ["all"], axis=0))
    if results:
        nodes.append(helper.make_node("Sum", results, ["sum"]))
    outputs = [untyped("all")] + ([untyped("sum")] if results else [])
    for output in outputs:
        output.type.tensor_type.elem_type = F
    return model(nodes, [value("x")], outputs, [number("at", at or 0), number("first", 0)])


def elements_read(n):
    """A sequence of n elements, each read."""
    nodes = [helper.make_node("Relu", ["x"], [e]) for e in names("e", n)]
    nodes.append(helper.make_node("SequenceConstruct", names("e", n), ["s"]))
    nodes += [helper.make_node("SequenceAt", ["s", f"at{k}"], [f"r{k}"]) for k in range(n)]
    nodes.append(helper.make_node("Sum", names("r", n), ["y"]))
    return model(nodes, [value("x")], [value("y")], [number(f"at{k}", n - 1 - k) for k in range(n)])


def casts(n):
    """A chain of Casts to one type and back."""
    nodes = [helper.make_node("Cast", [f"y{k}" if k else "x"], [f"y{k + 1}"], to=F if k % 2 else I) for k in range(2 * ((n + 1) // 2))]
    return model(nodes, [value("x")], [value(nodes[-1].output[0])])


KINDS = {
    "Cast in turns": casts,
    "Loop, n states": loop_of_states,
    "Loop, n captures": loop_of_captures,
    "If, n outputs": branches_of_outputs,
    "If, n captures": branches_of_captures,
    "If, known, n nodes": decided_branches,
    "Scan, n inputs": scan_of_states,
    "SequenceInsert behind": inserted,
    "SequenceInsert in front": lambda n: inserted(n, at=0),
    "SequenceInsert, each read": lambda n: inserted(n, at=0, read_each=True),
    "SequenceErase behind": lambda n: inserted(n, erased=True),
    "SequenceErase in front": lambda n: inserted(n, at=0, erased=True),
    "SequenceAt of n": elements_read,
}
