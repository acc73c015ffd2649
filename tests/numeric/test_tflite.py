"""Models of TensorFlow Lite: names, shapes and numbers of their IR against what LiteRT recorded (tests/tflite/record.py).

tests/tflite/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. The others are counted by what stops them.
tests/tflite/reference.txt lists those that OpenVINO's converter passes, original.txt those of the original Model Optimizer; REFERENCE=1 or
REFERENCE=mo judges that converter, and with UPDATE=1 rewrites its list.
tests/tflite/refused.txt has the code of each case that is refused; UPDATE=1 rewrites it, too.

Rounding in integers differs from layer to layer: two right answers of a quantised model lie about as far apart as each of them lies from the
model of floats that was quantised. So what that model answers is recorded, too.
"""
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import judge
import open_sizes
import recorded_programs
import verdicts
from verdicts import REFERENCE, Stopped, ports_of

FOLDER = os.path.join(judge.ROOT, "tests", "tflite")
sys.path[:0] = [FOLDER, os.path.join(judge.ROOT, "tests", "recorded")]
import codes  # noqa: E402
import filled  # noqa: E402
import lite  # noqa: E402

ALL = lite.operations()
REFUSED = {name: case for name, case in ALL.items() if case.about["refused"]}
CASES = {name: case for name, case in ALL.items() if name not in REFUSED}
NETWORKS = {"networks/" + name: name for name in filled.names()}
CODES = codes.Codes(os.path.join(FOLDER, "refused.txt"))
VERDICTS = verdicts.Verdicts(FOLDER, CASES.keys() | NETWORKS.keys(), ("reference.txt", "original.txt"))
TOLERANCE = 1e-3
TOLERANCE_OF_BF16 = 2 ** -8
update = verdicts.at_end(VERDICTS.update, lambda: CODES.write(REFUSED))


def converted(case, folder):
    """The path of the .xml."""
    return verdicts.converted(case, "model.tflite", folder)


def same_names_and_shapes(model, case):
    about = case.about
    for port, name, want in zip(ports_of(model.inputs, about["inputs"], "input"), about["inputs"], about["in_shapes"]):
        if verdicts.partial_shape(port) != want:
            raise Stopped("input shape", f"{name}: {verdicts.partial_shape(port)}, {want} in the model")
    if len(model.inputs) != len(about["inputs"]):
        raise Stopped("more or fewer inputs", [port.get_names() for port in model.inputs])
    if len(model.outputs) != len(about["outputs"]) and not REFERENCE:
        raise Stopped("more or fewer outputs", [port.get_names() for port in model.outputs])
    for at, (port, name, want) in enumerate(zip(ports_of(model.outputs, about["outputs"], "output"), about["outputs"], about["out_shapes"])):
        got = verdicts.partial_shape(port)
        if got != want and not (REFERENCE or open_sizes.known_better(model, case, at, got, run)):
            raise Stopped("output shape", f"{name}: {got}, {want} in the model")


def run(model, case, runs):
    """The outputs of one run after the other, with the same variables."""
    return recorded_programs.run(model, case, runs)


def real(array, scale):
    return array.astype(np.float64) if scale is None else (array.astype(np.float64) - scale[1]) * scale[0]


def same(name, got, want, exact, scale, narrow):
    """`exact`: the numbers of the model before quantisation. Integers that mean real numbers may be one step off."""
    if got.dtype != want.dtype or got.shape != want.shape:
        raise Stopped("type or shape", f"{name}: {got.dtype} {got.shape}, {want.dtype} {want.shape} in LiteRT")
    if exact is None and scale is None and want.dtype.kind != "f":
        if not np.array_equal(got, want):
            raise Stopped("numbers", f"{name}: {got.ravel()[:8]}, {want.ravel()[:8]} in LiteRT")
        return
    got, want = real(got, scale), real(want, scale)
    usual = np.isfinite(want)
    if not np.array_equal(got[~usual], want[~usual], equal_nan=True) or not np.isfinite(got[usual]).all():
        raise Stopped("numbers", f"{name}: not finite")
    largest = np.abs(want[usual]).max(initial=0)
    limit = (TOLERANCE_OF_BF16 if narrow else TOLERANCE) * max(largest, 1e-30)
    if exact is not None:
        limit = max(0.1 * largest, 2 * np.abs(want - exact)[usual].max(initial=0))
    elif scale is not None:
        limit = 1.01 * scale[0]
    error = np.abs(got - want)[usual].max(initial=0)
    if not error <= limit:
        raise Stopped("numbers", f"{name}: off by {error:.3g}, limit {limit:.3g}, largest {largest:.3g}")


def same_numbers(model, case):
    try:
        found = run(model, case, case.runs)
    except RuntimeError as error:
        raise Stopped("runtime", str(error)) from None
    narrow = any(port.get_element_type().get_type_name() == "bf16" for op in model.get_ops() for port in op.outputs())
    for turn, results in enumerate(found):
        for at, (name, got) in enumerate(zip(case.about["outputs"], results)):
            exact = case.floats[turn][at] if turn < len(case.floats) else None
            same(name, got, case.wanted[turn][at], exact, case.about["scales"]["outputs"][at], narrow)


def check(case, folder):
    def judging():
        model = verdicts.read(converted(case, folder))
        same_names_and_shapes(model, case)
        same_numbers(model, case)
    VERDICTS.settle(case.name, judging, folder)


@pytest.mark.parametrize("name", CASES)
def test_operation(name, tmp_path):
    check(CASES[name], str(tmp_path))


@pytest.mark.parametrize("name", NETWORKS)
def test_network(name, tmp_path):
    check(filled.load(NETWORKS[name]), str(tmp_path))


@pytest.mark.skipif(REFERENCE, reason="the reference has no codes")
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    """With its code, and nothing is written. The code is in refused.txt."""
    path = str(tmp_path / "model.tflite")
    REFUSED[name].write(path)
    CODES.check(name, verdicts.codes_of_refusal(["--input_model", path], tmp_path))


INTEGERS = sorted(name for name, case in CASES.items() if case.about["quantised"] in ("int8", "int8_io", "int8_tensor") and case.about["convolutions"])


def runs_in_integers(case, folder):
    layers = judge.layers_of(judge.core().compile_model(converted(case, folder), "CPU"))
    convolutions = judge.counted(layers, "Convolution")
    assert convolutions == (case.about["convolutions"],) * 2, layers


@pytest.mark.skipif(REFERENCE, reason="of what is converted here")
@pytest.mark.parametrize("name", INTEGERS)
def test_operation_runs_in_integers(name, tmp_path):
    runs_in_integers(CASES[name], str(tmp_path))


@pytest.mark.skipif(REFERENCE, reason="of what is converted here")
@pytest.mark.parametrize("name", [name for name in NETWORKS if name.endswith(("_int8", "_int8_io"))])
def test_network_runs_in_integers(name, tmp_path):
    runs_in_integers(filled.load(NETWORKS[name]), str(tmp_path))


@pytest.mark.skipif(REFERENCE, reason="an option of ours")
def test_a_signature_is_chosen(tmp_path):
    model = tmp_path / "m.tflite"
    CASES["structure/signatures_of_two_graphs"].write(model)

    def convert(key):
        return subprocess.run([judge.MO, str(model), "-o", str(tmp_path), "--compress_to_fp16=False", "--saved_model_signature", key], capture_output=True, text=True)

    assert convert("negate").returncode == 0
    a = np.array([1.5, -2], np.float32)
    assert judge.in_openvino(verdicts.read(str(tmp_path / "m.xml")), {"a": a})["negative"].tolist() == [-1.5, 2]
    other = convert("negated")
    assert other.returncode == 1
    assert 'MO1022 the model has no such signature: the signature is negated; there is serving_default, negate (file "m.tflite"). choose' in other.stderr


# Case, {tensor: public name}, and {tensor: name that must not be added, because it is another tensor's}.
SIGNATURES = [
    ("structure/signature", {"x": "note", "second": "onset", "first": "contour"}, {}),
    ("structure/signature_same_names", {"x": "x", "first": "first", "second": "second"}, {}),
    ("structure/signature_crossed_names", {"x": "x", "first": "first", "second": "second"}, {"first": "second", "second": "first"}),
    ("structure/signatures_of_two_graphs", {"x": "x", "second": "y"}, {"second": "b"}),
]


@pytest.mark.skipif(REFERENCE, reason="the reference does not read signatures")
@pytest.mark.parametrize("name,public,absent", SIGNATURES)
def test_public_names_are_added(name, public, absent, tmp_path):
    xml = converted(CASES[name], str(tmp_path))
    with open(xml, encoding="utf-8") as file:
        written = [names.split(",") for names in re.findall(r'names="([^"]*)"', file.read())]
    for tensor, added in public.items():
        assert any({tensor, added} <= set(names) for names in written), (tensor, written)
    for tensor, other in absent.items():
        assert not any(tensor in names and other in names for names in written), (tensor, written)


@pytest.mark.skipif(REFERENCE, reason="compares with the reference")
@pytest.mark.parametrize("name", ["MobileNetV2", "ResNet50", "MobileNetV3Small"])
def test_no_more_operations_than_the_reference(name, tmp_path):
    import collections
    import openvino
    path = str(tmp_path / "model.tflite")
    case = filled.load(name)
    ours = verdicts.read(converted(case, str(tmp_path)))
    reference = str(tmp_path / "reference.xml")
    openvino.save_model(openvino.convert_model(path), reference, compress_to_fp16=False)
    count, most = (collections.Counter(op.get_type_name() for op in model.get_ops()) for model in (ours, verdicts.read(reference)))
    assert not count - most, f"more than the reference has: {dict(count - most)}"


def test_the_lists_name_cases():
    VERDICTS.check_lists()
    assert CODES.known.keys() == REFUSED.keys()
    assert len(CASES) >= 720 and len(NETWORKS) >= 33
