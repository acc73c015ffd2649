"""Time and memory grow with the size of a model, for shapes that once took the square of it, or more. run.py tries every operation and rewrite.

Processor time and peak memory are compared at two sizes; a case fails if it is over its limits each of three times.
"""
import os
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import control_flow  # noqa: E402
import repeated  # noqa: E402
import run  # noqa: E402

MO = os.environ.get("MO", os.path.join(run.ROOT, "build", "native", "mo"))
OPERATIONS = {
    "identity": "chain", "flatten_axis0": "chain", "transpose_default": "chain",  # one of each of these is left
    "abs": "joined", "relu": "diamonds", "concat_1d_axis_0": "spread", "max_example": "copies", "add": "collected",
}
REWRITES = {"SwishFusion/basic": "copies", "DecomposeQuantization/weights": "copies"}
TENSORFLOW = {"activations/Relu": "chain", "binary/AddV2": "copies"}


@pytest.fixture(scope="module")
def converter(tmp_path_factory):
    return run.Converter(MO, tmp_path_factory.mktemp("growth"))


# What grows with the square takes 16 times as long. The smaller model may fit into the processor's caches: the larger one then takes up to 7 times
# as long though it does no more for each node. run.py has the stricter limit.
TIMES = 9


def check(converter, case, nodes=6000):
    growth = run.grown(converter, case, nodes, times=TIMES)
    faults = [fault for fault in growth.faults(TIMES) if "for 200,000 nodes" not in fault]
    assert not faults, f"{growth}: {', '.join(faults)}"


@pytest.mark.parametrize("name", control_flow.KINDS)
def test_bodies_and_sequences(converter, name):
    check(converter, next(iter(repeated.SOURCES["control_flow"](None, f"^{name}$"))))


@pytest.mark.parametrize("source, name, kind", [(source, *row) for source, rows in (("operations", OPERATIONS), ("rewrites", REWRITES), ("tensorflow", TENSORFLOW)) for row in rows.items()])
def test_repeated(converter, source, name, kind):
    converts = lambda case, n: converter.cost(case, n).code == 0
    found = {case.kind: case for case in repeated.SOURCES[source](converts, f"^{name}$")}
    check(converter, found[kind])
