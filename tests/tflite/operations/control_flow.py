"""IF, WHILE, CALL_ONCE, variables that last from run to run, graphs that are called, composites."""
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

from models import RESOURCE, Family
from values import fed, fixed

family = Family(__name__)
graph = family.graph


def tensors(*names_and_more):
    return names_and_more


@graph("IF", runs=2)
def branch(b):
    condition, x = b.fed("condition", fed(values=[True], dtype=bool)), b.fed("x", fed(2, 3))
    with b.subgraph("then") as first:
        a = b.argument("a", [2, 3], np.float32)
        b.graph.outputs = [b.op("ADD", [a, b.fixed(np.float32([1, 2, 3]), "one")], names=["sum"])]
    with b.subgraph("else") as second:
        a = b.argument("a", [2, 3], np.float32)
        b.graph.outputs = [b.op("MUL", [a, b.fixed(np.float32(2), "two")], names=["product"])]
    return [b.op("IF", [condition, x], dtype="float32", then_subgraph_index=first, else_subgraph_index=second)]


@graph("IF_false")
def other_branch(b):
    """Two results; the condition is computed."""
    x = b.fed("x", fed(2, 3))
    mean = b.op("MEAN", [x, b.fixed(np.int32([0, 1]), "axes")], names=["mean"])
    condition = b.op("GREATER", [mean, b.fixed(np.float32(5), "five")], dtype="bool", names=["condition"])
    with b.subgraph("then") as first:
        a = b.argument("a", [2, 3], np.float32)
        b.graph.outputs = [a, b.op("NEG", [a], names=["negative"])]
    with b.subgraph("else") as second:
        a = b.argument("a", [2, 3], np.float32)
        b.graph.outputs = [b.op("ABS", [a], names=["absolute"]), b.op("EXP", [a], names=["power"])]
    return b.op("IF", [condition, x], ["float32", "float32"], then_subgraph_index=first, else_subgraph_index=second)


def loop(b, count, x, body, shape):
    with b.subgraph("condition") as condition:
        at, _ = b.argument("at", [], np.int32), b.argument("state", shape, np.float32)
        b.graph.outputs = [b.op("LESS", [at, b.fixed(np.int32(4), "end")], dtype="bool", names=["goes_on"])]
    with b.subgraph("body") as number:
        at, state = b.argument("at", [], np.int32), b.argument("state", shape, np.float32)
        b.graph.outputs = [b.op("ADD", [at, b.fixed(np.int32(1), "one")], names=["next"]), body(state)]
    return b.op("WHILE", [count, x], ["int32", "float32"], cond_subgraph_index=condition, body_subgraph_index=number)


@graph("WHILE")
def counted(b):
    x, count = b.fed("x", fed(2, 3)), b.fixed(np.int32(0), "zero")
    return [loop(b, count, x, lambda state: b.op("MUL", [state, b.fixed(np.float32([0.5, 1.5, -1]), "factor")], names=["product"]), [2, 3])[1]]


@graph("WHILE_fed_count", runs=2)
def fed_count(b):
    """The counter begins with an input: the loop runs 4 times less that number."""
    count, x = b.fed("count", fed(values=1, dtype=np.int32)), b.fed("x", fed(2, 3))
    return loop(b, count, x, lambda state: b.op("ADD", [state, state], names=["sum"]), [2, 3])


@graph("WHILE_no_run")
def never(b):
    count, x = b.fixed(np.int32(9), "nine"), b.fed("x", fed(2, 3))
    return [loop(b, count, x, lambda state: b.op("EXP", [state], names=["power"]), [2, 3])[1]]


@graph("WHILE_with_IF")
def nested(b):
    x, count = b.fed("x", fed(2, 3)), b.fixed(np.int32(0), "zero")

    def body(state):
        total = b.op("SUM", [state, b.fixed(np.int32([0, 1]), "axes")], names=["total"])
        condition = b.op("GREATER", [total, b.fixed(np.float32(0), "none")], dtype="bool", names=["positive"])
        with b.subgraph("then") as first:
            b.graph.outputs = [b.op("NEG", [b.argument("a", [2, 3], np.float32)], names=["negative"])]
        with b.subgraph("else") as second:
            a = b.argument("a", [2, 3], np.float32)
            b.graph.outputs = [b.op("ADD", [a, b.fixed(np.float32(0.75), "more")], names=["sum"])]
        return b.op("IF", [condition, state], dtype="float32", names=["either"], then_subgraph_index=first, else_subgraph_index=second)

    return [loop(b, count, x, body, [2, 3])[1]]


def handle(b, name, index):
    return b.op("VAR_HANDLE", [], [RESOURCE], container=b"", shared_name=name.encode(), names=[f"handle_{index}"])[0]


def variable(b, shape, first, name="state"):
    """CALL_ONCE gives the variable its first numbers."""
    with b.subgraph("initialise") as number:
        b.op("ASSIGN_VARIABLE", [handle(b, name, "first"), b.fixed(np.asarray(first, np.float32), "first")], 0)
    b.op("CALL_ONCE", [], 0, init_subgraph_index=number)
    return handle(b, name, "main")


@graph("variable_sum", runs=3)
def running_sum(b):
    """The inputs of earlier runs are added."""
    x = b.fed("x", fed(2, 3))
    state = variable(b, [2, 3], np.full((2, 3), 0.5))
    total = b.op("ADD", [b.op("READ_VARIABLE", [state], dtype="float32", names=["before"]), x], dtype="float32")
    b.op("ASSIGN_VARIABLE", [state, total], 0)
    return [total]


@graph("variable_window", runs=3)
def window(b):
    """A stream, as keyword spotting has it: a convolution over the last steps, which are kept."""
    x = b.fed("x", fed(1, 1, 1, 4))
    state = variable(b, [1, 3, 1, 4], np.zeros((1, 3, 1, 4)), "stream/states")
    before = b.op("READ_VARIABLE", [state], dtype="float32", names=["before"])
    joined = b.op("CONCATENATION", [before, x], dtype="float32", axis=1, names=["joined"])
    kept = b.op("STRIDED_SLICE", [joined, b.fixed(np.int32([0, 1, 0, 0]), "begin"), b.fixed(np.int32([0, 4, 0, 0]), "end"), b.fixed(np.int32([1, 1, 1, 1]), "step")],
                begin_mask=13, end_mask=13, names=["kept"])
    b.op("ASSIGN_VARIABLE", [state, kept], 0)
    return [b.op("CONV_2D", [joined, b.fixed(fixed(3, 4, 1, 4), "filter"), b.fixed(fixed(3), "bias")], padding="VALID", stride_w=1, stride_h=1)]


@graph("variable_written_first", runs=2)
def written_first(b):
    """The value that is read was assigned in the same run: nothing lasts until the next."""
    x = b.fed("x", fed(2, 3))
    state = variable(b, [2, 3], np.zeros((2, 3)))
    b.op("ASSIGN_VARIABLE", [state, x], 0)
    return [b.op("NEG", [b.op("READ_VARIABLE", [state], dtype="float32", names=["after"])], dtype="float32")]


@graph("two_variables", runs=3)
def two(b):
    """A counter and a mean that lags behind; one of the two is read twice."""
    x = b.fed("x", fed(3))
    with b.subgraph("initialise") as number:
        b.op("ASSIGN_VARIABLE", [handle(b, "mean", "m"), b.fixed(np.float32([0, 1, 2]), "m0")], 0)
        b.op("ASSIGN_VARIABLE", [handle(b, "count", "c"), b.fixed(np.float32([1]), "c0")], 0)
    b.op("CALL_ONCE", [], 0, init_subgraph_index=number)
    mean, count = handle(b, "mean", "mean"), handle(b, "count", "count")
    before = b.op("READ_VARIABLE", [mean], dtype="float32", names=["before"])
    new = b.op("ADD", [b.op("MUL", [before, b.fixed(np.float32(0.9), "keep")], names=["kept"]), b.op("MUL", [x, b.fixed(np.float32(0.1), "take")], names=["taken"])], names=["new"])
    b.op("ASSIGN_VARIABLE", [mean, new], 0)
    more = b.op("ADD", [b.op("READ_VARIABLE", [count], dtype="float32", names=["counted"]), b.fixed(np.float32([1]), "one")], names=["more"])
    b.op("ASSIGN_VARIABLE", [count, more], 0)
    again = b.op("READ_VARIABLE", [mean], dtype="float32", names=["again"])
    return [b.op("DIV", [again, more], names=["lagging"]), b.op("SUB", [again, before], names=["change"])]


@graph("STABLEHLO_COMPOSITE")
def composite(b):
    """An operation with a name of its own, and the graph that computes it."""
    x = b.fed("x", fed(2, 5, low=-3, high=3))
    with b.subgraph("composite") as number:
        a = b.argument("a", [2, 5], np.float32)
        b.graph.outputs = [b.op("MUL", [a, b.op("LOGISTIC", [a], names=["gate"])], names=["swish"])]
    attributes = flexbuffers.Builder()
    with attributes.Map():
        attributes.Float("beta", 1.0)
    return [b.op("STABLEHLO_COMPOSITE", [x], name="aten.silu.default", decomposition_subgraph_index=number, composite_attributes=np.frombuffer(bytes(attributes.Finish()), np.uint8))]


@graph("CALL", expected=lambda x: [np.negative(x) * np.float32(2)])
def called(b):
    """LiteRT has no kernel for it: expected is what its definition says."""
    x = b.fed("x", fed(2, 3))
    with b.subgraph("called") as number:
        a = b.argument("a", [2, 3], np.float32)
        inner = b.op("NEG", [a], names=["negative"])
        b.graph.outputs = [b.op("ADD", [inner, inner], names=["sum"])]
    return [b.op("CALL", [x], subgraph=number)]


def function(body, **specs):
    return lambda: (body, specs)


@family.converted("converted_while")
def converted_while():
    import tensorflow as tf

    def body(x):
        return tf.while_loop(lambda at, y: at < 3, lambda at, y: (at + 1, y * 0.5 + 1.0), [tf.constant(0), x])[1]
    return body, {"x": (fed(2, 3), None)}


@family.converted("converted_cond")
def converted_cond():
    import tensorflow as tf

    def body(x):
        return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.nn.relu(x), lambda: x * 3.0)
    return body, {"x": (fed(2, 3), [None, 3])}
