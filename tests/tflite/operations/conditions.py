"""Conditions of IF and WHILE that are no scalars."""
import numpy as np

from models import Family
from values import fed

graph = Family(__name__).graph


for _shape, _value in (((1,), False), ((1, 1), False), ((1, 1), True), ((1, 1, 1), False), ((), False)):
    @graph(f"IF_{len(_shape)}_{_value}")
    def shaped(b, shape=_shape, value=_value):
        """The condition has one element, whatever its shape."""
        condition, x = b.fed("condition", fed(values=np.full(shape, value), dtype=bool)), b.fed("x", fed(2, 3))
        with b.subgraph("then") as first:
            b.graph.outputs = [b.op("NEG", [b.argument("a", [2, 3], np.float32)], names=["negative"])]
        with b.subgraph("else") as second:
            b.graph.outputs = [b.op("ABS", [b.argument("a", [2, 3], np.float32)], names=["absolute"])]
        return [b.op("IF", [condition, x], dtype="float32", then_subgraph_index=first, else_subgraph_index=second)]


@graph("WHILE_condition_of_1")
def condition_of_1(b):
    """The condition is a list of one."""
    x = b.fed("x", fed(1, low=0.5, high=1))
    with b.subgraph("condition") as condition:
        b.graph.outputs = [b.op("LESS", [b.argument("state", [1], np.float32), b.fixed(np.float32([40]), "end")], dtype="bool", names=["goes_on"])]
    with b.subgraph("body") as number:
        state = b.argument("state", [1], np.float32)
        b.graph.outputs = [b.op("ADD", [state, state], names=["sum"])]
    return [b.op("WHILE", [x], dtype="float32", cond_subgraph_index=condition, body_subgraph_index=number)]
