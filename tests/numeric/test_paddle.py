"""Programs of PaddlePaddle: names, shapes and numbers of their IR against what PaddlePaddle recorded (tests/paddle/record.py).

tests/paddle/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. stopped.txt has the others, with what stops each and why.
tests/paddle/reference.txt lists those that OpenVINO's converter passes; REFERENCE=1 judges that converter, and with UPDATE=1 rewrites its list.
tests/paddle/refused.txt has the code of each case that is refused; UPDATE=1 rewrites it, too.
"""
import os
import sys

import numpy as np
import pytest

import judge
import open_sizes
import references
import verdicts
from recorded_programs import ports_of, results, run, same, same_or_fixed
from verdicts import REFERENCE, Stopped

FOLDER = os.path.join(judge.ROOT, "tests", "paddle")
sys.path[:0] = [FOLDER, os.path.join(judge.ROOT, "tests", "recorded")]
import codes  # noqa: E402
import stored  # noqa: E402


def in_pairs(case):
    """IR has no complex numbers: they are pairs in a last dimension."""
    case.about["out_shapes"] = [[*shape, 2] if want.dtype.kind == "c" and len(shape) == want.ndim else shape for shape, want in zip(case.about["out_shapes"], case.wanted[0])] if case.wanted else []
    case.wanted = [[np.stack([want.real, want.imag], -1) if want.dtype.kind == "c" else want for want in results] for results in case.wanted]
    return case


ALL = {name: in_pairs(case) for name, case in stored.everything().items()}
REFUSED = {name: case for name, case in ALL.items() if case.about["refused"]}
CASES = {name: case for name, case in ALL.items() if name not in REFUSED}
CODES = codes.Codes(os.path.join(FOLDER, "refused.txt"))
VERDICTS = verdicts.Verdicts(FOLDER, CASES.keys(), ("reference.txt",))
update = verdicts.at_end(VERDICTS.update, lambda: CODES.write(REFUSED))


def converted(case, folder):
    """The path of the .xml."""
    return verdicts.converted(case, "model" + case.ending, folder)


def same_names_and_shapes(model, case):
    about = case.about
    for port, name, want in zip(ports_of(model.inputs, about["inputs"], "input"), about["inputs"], about["in_shapes"]):
        if not REFERENCE and not same_or_fixed(model, case, name, verdicts.partial_shape(port), want):
            raise Stopped("input shape", f"{name}: {verdicts.partial_shape(port)}, {want} in the program")
    if len(model.inputs) != len(about["inputs"]):
        raise Stopped("more or fewer inputs", [port.get_names() for port in model.inputs])
    if len(model.outputs) != len(about["outputs"]):
        raise Stopped("more or fewer outputs", [port.get_names() for port in model.outputs])
    for at, (port, name, want) in enumerate(zip(ports_of(model.outputs, about["outputs"], "output"), about["outputs"], about["out_shapes"])):
        if not REFERENCE and port.get_names() != model.outputs[at].get_names():
            raise Stopped("order of outputs", f"{name} is not number {at}")
        got, real = verdicts.partial_shape(port), case.wanted[0][at].shape
        said = [size if len(want) == len(real) and size == real[axis] else -1 for axis, size in enumerate(want)] if len(want) == len(real) else [-1] * len(real)
        if got != said and not (REFERENCE or case.about["random"] or open_sizes.known_better(model, case, at, got, run)):
            raise Stopped("output shape", f"{name}: {got}, {want} in the program, {list(real)} as computed")


def same_numbers(model, case):
    for found, wanted in zip(results(model, case, run), case.wanted):
        for name, got, want in zip(case.about["outputs"], found, wanted):
            same(name, got, want, case.about["random"], "PaddlePaddle")


def judged(case, xml):
    model = verdicts.read(xml)
    same_names_and_shapes(model, case)
    same_numbers(model, case)


@pytest.mark.parametrize("name", CASES)
def test_program(name, tmp_path):
    case, folder = CASES[name], str(tmp_path)

    def judging():
        xml = converted(case, folder)
        if REFERENCE:
            references.apart("the reference's model", judged, case, xml)
        else:
            judged(case, xml)
    VERDICTS.settle(name, judging, folder)


@pytest.mark.skipif(REFERENCE, reason="the reference has no codes")
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    """With its code, and nothing is written. The code is in refused.txt."""
    path = str(tmp_path / "model.pdmodel")
    REFUSED[name].write(path)
    CODES.check(name, verdicts.codes_of_refusal(["--input_model", path], tmp_path))


def test_the_lists_name_cases():
    VERDICTS.check_lists()
    assert CODES.known.keys() == REFUSED.keys()
    assert len(CASES) >= 300
