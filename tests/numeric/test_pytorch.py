"""Exported programs of PyTorch: names, shapes and numbers of their IR against what PyTorch recorded (tests/pytorch/record.py).

tests/pytorch/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. The others are counted by what stops them.
tests/pytorch/refused.txt has the code of each case that is refused; UPDATE=1 rewrites it, too.
"""
import os
import sys

import numpy as np
import pytest

import judge
import verdicts
from recorded_programs import ports_of, results, run as run_with, same, same_or_fixed
from verdicts import Stopped

FOLDER = os.path.join(judge.ROOT, "tests", "pytorch")
sys.path[:0] = [FOLDER, os.path.join(judge.ROOT, "tests", "recorded")]
import codes  # noqa: E402
import stored_torch  # noqa: E402


def as_pairs(array):
    return np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array


def in_pairs(case):
    """IR has no complex numbers: they are pairs in a last dimension, in what the model is fed, too."""
    about = case.about
    about["in_shapes"] = [[*shape, 2] if case.runs[0][name].dtype.kind == "c" else shape for name, shape in zip(about["inputs"], about["in_shapes"])]
    if case.wanted:
        about["out_shapes"] = [[*shape, 2] if want.dtype.kind == "c" else shape for shape, want in zip(about["out_shapes"], case.wanted[0])]
    case.runs = [{name: as_pairs(array) for name, array in feeds.items()} for feeds in case.runs]
    case.wanted = [[as_pairs(want) for want in results] for results in case.wanted]
    return case


ALL = {name: in_pairs(case) for name, case in stored_torch.everything().items()}
REFUSED = {name: case for name, case in ALL.items() if case.about["refused"]}
CASES = {name: case for name, case in ALL.items() if name not in REFUSED}
CODES = codes.Codes(os.path.join(FOLDER, "refused.txt"))
VERDICTS = verdicts.Verdicts(FOLDER, CASES.keys(), ())


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    VERDICTS.update()
    CODES.write(REFUSED)


def in_order(ports, case):
    """Results are in the order of what the program returns."""
    if len(ports) != len(case.about["outputs"]):
        raise Stopped("more or fewer outputs", [port.get_names() for port in ports])
    return ports


def run(model, case, runs):
    return run_with(model, case, runs, in_order)


def same_names_and_shapes(model, case):
    about = case.about
    if len(model.inputs) != len(about["inputs"]):
        raise Stopped("more or fewer inputs", [port.get_names() for port in model.inputs])
    for port, name, want in zip(ports_of(model.inputs, about["inputs"], "input"), about["inputs"], about["in_shapes"]):
        got = verdicts.partial_shape(port)
        if not same_or_fixed(model, case, name, got, want):
            raise Stopped("input shape", f"{name}: {got}, {want} in the program")
    for port, name, want in zip(in_order(model.outputs, case), about["outputs"], about["out_shapes"]):
        if name not in port.get_names():
            raise Stopped("output lost", f"{name} is none of {sorted(port.get_names())}")
        got = verdicts.partial_shape(port)
        if got is None or len(got) != len(want) or any(-1 not in (one, other) and one != other for one, other in zip(got, want)):
            raise Stopped("output shape", f"{name}: {got}, {want} in PyTorch")
        if any(one == -1 and other != -1 for one, other in zip(got, want)):
            raise Stopped("output shape", f"{name}: {got} is less than {want}")


@pytest.mark.parametrize("name", CASES)
def test_program(name, tmp_path):
    case, folder = CASES[name], str(tmp_path)

    def judging():
        path = os.path.join(folder, "model.pt2")
        case.write(path)
        model = verdicts.read(verdicts.by_mo(["--input_model", path], folder))
        same_names_and_shapes(model, case)
        for found, wanted in zip(results(model, case, run), case.wanted):
            for output, got, want in zip(case.about["outputs"], found, wanted):
                same(output, got, want, case.about["random"], "PyTorch")
    VERDICTS.settle(name, judging, folder)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    """With its code, and nothing is written. The code is in refused.txt."""
    path = str(tmp_path / "model.pt2")
    REFUSED[name].write(path)
    CODES.check(name, verdicts.codes_of_refusal(["--input_model", path], tmp_path))


def test_the_lists_name_cases():
    VERDICTS.check_lists()
    assert CODES.known.keys() == REFUSED.keys()
