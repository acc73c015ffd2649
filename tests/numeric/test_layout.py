"""Graphs of NHWC (tests/core/layout/layout_graphs.h) through the layout phase, in the runtime, against numpy in NHWC."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge  # noqa: E402
import nhwc  # noqa: E402

FOLDER = os.path.join(judge.ROOT, "build", "layout")
MAKER = os.environ.get("MO_LAYOUT_GRAPHS", os.path.join(os.path.dirname(judge.MO), "mo_layout_graphs"))


def graphs():
    os.makedirs(FOLDER, exist_ok=True)
    for name in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, name))
    made = subprocess.run([MAKER, FOLDER], capture_output=True, text=True)
    return made, sorted(name.removesuffix(".json") for name in os.listdir(FOLDER) if name.endswith(".json"))


MADE, NAMES = graphs()


def test_every_graph_is_converted():
    assert MADE.returncode == 0 and not MADE.stderr, MADE.stderr
    assert len(NAMES) >= 100


def model(name, fed):
    """The IR. If an input has an unknown rank, with which the runtime cannot run it, the inputs get the shapes that are fed."""
    read = judge.core().read_model(os.path.join(FOLDER, name + ".xml"))
    if any(port.partial_shape.rank.is_dynamic for port in read.inputs):
        read.reshape({port: fed[port.any_name].shape for port in read.inputs})
    return read


@pytest.mark.parametrize("name", NAMES)
def test_N_10_The_numbers_are_those_of_the_graph_in_NHWC(name):
    with open(os.path.join(FOLDER, name + ".json")) as file:
        nodes = json.load(file)
    random = np.random.default_rng(7)
    # A second set of numbers reaches the other branch of an If.
    for turn in range(2):
        fed = nhwc.feeds(nodes, random)
        if turn and "which" in fed:
            fed["which"] = np.array(False)
        want, got = nhwc.outputs(nodes, fed), judge.in_openvino(model(name, fed), fed)
        assert want
        for tensor, numbers in want.items():
            assert judge.relative_error(got[tensor], numbers) <= 1e-4, tensor
