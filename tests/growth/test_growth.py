"""Time and memory grow with the size of a model, for shapes that once took the square of it, or more. run.py tries every operation and rewrite.

Processor time and peak memory are compared at two sizes. Where time grows more than 6 times, instructions decide; on a machine that cannot count them
a case fails if it is over each of three times.
"""
import os
import re
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import control_flow  # noqa: E402
import formats  # noqa: E402
import readers  # noqa: E402
import repeated  # noqa: E402
import run  # noqa: E402
import sweep  # noqa: E402

MO = os.environ.get("MO", os.path.join(run.ROOT, "build", "native", "mo"))
OPERATIONS = {
    "identity": "chain", "flatten_axis0": "chain", "transpose_default": "chain",  # one of each of these is left
    "relu": "diamonds", "concat_1d_axis_0": "spread", "max_example": "copies", "add": "collected",
}
REWRITES = {"SwishFusion/basic": "copies", "DecomposeQuantization/weights": "copies"}
TENSORFLOW = {"activations/Relu": "chain", "binary/AddV2": "copies"}


@pytest.fixture(scope="module")
def converter(tmp_path_factory):
    return run.Converter(MO, tmp_path_factory.mktemp("growth"))


def check(converter, case, nodes=6000):
    growth = run.grown(converter, case, nodes)
    assert not growth.faults(), f"{growth}: {', '.join(growth.faults())}"


@pytest.mark.parametrize("name", control_flow.KINDS)
def test_bodies_and_sequences(converter, name):
    check(converter, next(iter(repeated.SOURCES["control_flow"](None, f"^{name}$"))))


@pytest.mark.parametrize("name", readers.KINDS)
def test_many_readers(converter, name):
    check(converter, next(iter(repeated.SOURCES["readers"](None, f"^{name}$"))))


@pytest.mark.parametrize("name", formats.KINDS)
def test_formats(converter, name):
    check(converter, next(iter(repeated.SOURCES["formats"](None, f"^{name}$"))))


@pytest.mark.parametrize("source, name, kind", [(source, *row) for source, rows in (("operations", OPERATIONS), ("rewrites", REWRITES), ("tensorflow", TENSORFLOW)) for row in rows.items()])
def test_repeated(converter, source, name, kind):
    converts = lambda case, n: converter.cost(case, n).code == 0
    found = {case.kind: case for case in repeated.SOURCES[source](converts, f"^{name}$")}
    check(converter, found[kind])


MANY = ("tensorflow", "tflite", "pytorch", "paddle", "paddle3", "mxnet")


@pytest.mark.parametrize("source", sweep.SOURCES)
def test_every_operation(converter, source):
    """What takes long for each node is compared at two sizes. The first program of each operation; a quarter of them where hundreds are recorded.

    sweep.py tries all.
    """
    slow, count = sweep.sweep(MO, [source], one_of=4 if source in MANY else 1)
    assert count > 50
    names = "|".join(re.escape(name) for name, kind in slow)
    for case in sweep.cases(source, True, f"^({names})$"):
        if (case.name, case.kind) in slow:
            # Few nodes of what becomes many nodes each.
            check(converter, case, nodes=round(sweep.NODES * min(1, 0.1 / slow[case.name, case.kind])))
