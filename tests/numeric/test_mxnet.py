"""Symbols of MXNet: names, shapes and numbers of their IR against what MXNet recorded (tests/mxnet/record.py).

tests/mxnet/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. The others are counted by what stops them.
tests/mxnet/original.txt lists those that the original Model Optimizer passes; REFERENCE=mo judges it, and with UPDATE=1 rewrites its list.
tests/mxnet/refused.txt has the code of each case that is refused; UPDATE=1 rewrites it, too.
"""
import json
import os
import sys

import numpy as np
import pytest

import judge
import open_sizes
import references
import verdicts
from recorded_programs import ports_of, results, run as run_with, same, same_or_fixed
from verdicts import REFERENCE, Stopped

FOLDER = os.path.join(judge.ROOT, "tests", "mxnet")
sys.path[:0] = [FOLDER, os.path.join(judge.ROOT, "tests", "recorded")]
import array_list  # noqa: E402
import codes  # noqa: E402
import stored_mxnet  # noqa: E402

ALL = stored_mxnet.everything()
REFUSED = {name: case for name, case in ALL.items() if case.about["refused"]}
CASES = {name: case for name, case in ALL.items() if name not in REFUSED}
CODES = codes.Codes(os.path.join(FOLDER, "refused.txt"))
VERDICTS = verdicts.Verdicts(FOLDER, CASES.keys(), ("original.txt",))


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    VERDICTS.update()
    CODES.write(REFUSED)


def written(case, folder):
    """The options of the command for a case, whose files are in the folder then."""
    path = os.path.join(folder, "model" + stored_mxnet.ENDING)
    case.write(path)
    return ["--input_model", path, *case.about["options"]]


def for_original(case, folder):
    """The original reads arrays, beside which it looks for the symbol, and needs all shapes. A file without arrays will do."""
    written(case, folder)
    path = os.path.join(folder, "model-0000.params")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(array_list.written({}))
    shapes = [[*array.shape] for array in case.runs[0].values()]
    if case.about["larger"]:
        shapes = case.about["in_shapes"]
    return ["--input_model", path, "--input", ",".join(case.about["inputs"]), "--input_shape", ",".join(json.dumps(shape, separators=(",", ":")) for shape in shapes)]


def converted(case, folder):
    """The path of the .xml."""
    if not REFERENCE:
        return verdicts.by_mo(written(case, folder), folder)
    return references.convert(for_original(case, folder), None, folder, "mxnet")


def heads(case):
    """The operators whose outputs the results are, before those that only stop gradients."""
    graph = json.loads(case.model)["nodes"]
    nodes = {node["name"]: node for node in graph}
    found = [nodes[name.rpartition(":")[0]] for name in case.about["outputs"]]
    return [graph[node["inputs"][0][0]]["op"] if node["op"] in ("MakeLoss", "BlockGrad") else node["op"] for node in found]


def detections(rows):
    """The boxes of each image of DetectionOutput [1, 1, N, 7], the best first: image, class, score, corners."""
    rows = rows.reshape(-1, rows.shape[-1]).astype(np.float64)
    ends = np.flatnonzero(rows[:, 0] < 0)
    rows = rows[:ends[0]] if ends.size else rows
    return rows[np.lexsort((-rows[:, 2], rows[:, 0]))]


def as_detections(want):
    """The same of MultiBoxDetection [B, N, 6]."""
    rows = np.concatenate([np.broadcast_to(np.arange(len(want))[:, None, None], (*want.shape[:2], 1)), want], -1).reshape(-1, 7)
    rows = rows[rows[:, 1] >= 0].astype(np.float64)
    return rows[np.lexsort((-rows[:, 2], rows[:, 0]))]


def same_detections(name, got, want):
    if got.ndim != 4 or got.shape[-1] != 7:
        raise Stopped("type or shape", f"{name}: {got.shape}")
    got, want = detections(got), as_detections(want)
    if got.shape != want.shape or not np.allclose(got, want, 1e-3, 1e-3):
        raise Stopped("numbers", f"{name}: {got[:3]}, {want[:3]} in MXNet")


def in_order(ports, case):
    """Results are in the order of the heads."""
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
        if not REFERENCE and want is not None and not same_or_fixed(model, case, name, got, want):
            raise Stopped("input shape", f"{name}: {got}, {want} in the symbol")
        real = case.runs[0][name].shape
        if got is None or len(got) != len(real) or not all(size in (-1, is_) for size, is_ in zip(got, real)):
            raise Stopped("input shape", f"{name}: {got}, fed are {list(real)}")
    in_order(model.outputs, case)
    for at, (port, name, want, kind) in enumerate(zip(model.outputs, about["outputs"], about["out_shapes"], heads(case))):
        node = name.rpartition(":")[0]
        number = name.rpartition(":")[2]
        if not REFERENCE and not any(one in (name, node, f"{node}_output", f"{node}_output{number}") for one in port.get_names()):
            raise Stopped("output lost", f"{name} is none of {sorted(port.get_names())}")
        got = verdicts.partial_shape(port)
        if want is not None and got != want and "MultiBoxDetection" not in kind and not (REFERENCE or about["random"] or open_sizes.known_better(model, case, at, got, run)):
            raise Stopped("output shape", f"{name}: {got}, {want} in MXNet")


def judged(case, xml):
    model = verdicts.read(xml)
    same_names_and_shapes(model, case)
    for found, wanted in zip(results(model, case, run), case.wanted):
        for name, kind, got, want in zip(case.about["outputs"], heads(case), found, wanted):
            if "MultiBoxDetection" in kind:
                same_detections(name, got, want)
            else:
                same(name, got, want, case.about["random"], "MXNet")


@pytest.mark.parametrize("name", CASES)
def test_symbol(name, tmp_path):
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
    CODES.check(name, verdicts.codes_of_refusal(written(REFUSED[name], str(tmp_path)), tmp_path))


def test_the_lists_name_cases():
    VERDICTS.check_lists()
    assert CODES.known.keys() == REFUSED.keys()
    assert len(CASES) >= 160
