"""TensorFlow's graphs, SavedModels and checkpoints: names, shapes and numbers of their IR against what TensorFlow recorded (tests/tf/record.py).

tests/tf/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. The others are counted by what stops them.
tests/tf/reference.txt lists those that OpenVINO's converter passes, original.txt and original_legacy.txt those of the original Model
Optimizer; REFERENCE=1, REFERENCE=mo or REFERENCE=mo_legacy judges that converter, and with UPDATE=1 rewrites its list.
"""
import os
import sys

import numpy as np
import pytest

import judge
import references
import structure
import verdicts
from verdicts import REFERENCE, Stopped, partial_shape, read

FOLDER = os.path.join(judge.ROOT, "tests", "tf")
sys.path.insert(0, FOLDER)
import store  # noqa: E402
import writer  # noqa: E402

CASES = store.operations()
NETWORKS = {"networks/" + name: name for name in writer.names()}
SAVED = store.saved()
NAMES = CASES.keys() | NETWORKS.keys() | SAVED.keys()
VERDICTS = verdicts.Verdicts(FOLDER, NAMES, ("reference.txt", "original.txt", "original_legacy.txt"))
TOLERANCE = 1e-3
# For models with bfloat16: processors without it leave out its rounding.
TOLERANCE_OF_BF16 = 2 ** -8
# Its output is what the rounding changes: nothing on such processors.
DIFFERENCE_OF_BF16 = "xla/reduce_precision_to_bf16"


def reference_input(options):
    """What openvino.convert_model takes for options of the command."""
    given = dict(zip(options[::2], options[1::2]))
    if "--input_checkpoint" in given:
        return [given["--input_model"], given["--input_checkpoint"]]
    if "--saved_model_tags" in given:
        raise Stopped("the reference refuses", "it has no option for tags")
    return given.get("--input_model") or given.get("--saved_model_dir") or given.get("--input_meta_graph")


def convert(options, folder):
    """The path of the .xml."""
    if not REFERENCE:
        return verdicts.by_mo(options, folder)
    return references.convert(options, lambda: reference_input(options), folder)


def known_better(model, case, name):
    """Whether a shape that says more than the graph is right: the recorded result has it, and so has the result of larger inputs,
    if the inputs leave dimensions open."""
    said, is_, got = case.shapes[name], case.wanted[name].shape, partial_shape(model.output(name))
    if got is None or len(got) != len(is_):
        return False
    if not all(size in (-1, real) and before in (-1, size) for size, real, before in zip(got, is_, said or [-1] * len(is_))):
        return False
    larger = {fed: np.pad(array, [(0, int(size == -1)) for size in case.shapes[fed] or [0] * array.ndim], mode="edge") if array.ndim else array for fed, array in case.feeds.items()}
    if all(larger[fed].shape == array.shape for fed, array in case.feeds.items()):
        return True
    try:
        model = model.clone()
        model.reshape({fed: array.shape for fed, array in larger.items()})  # the runtime checks sizes here, and not while it computes
        other = judge.in_openvino(model, larger)[name].shape
    except RuntimeError:
        return False
    return all(size in (-1, real) for size, real in zip(got, other))


def ends_of(graph):
    """The nodes of a GraphDef whose outputs no other node takes: it does not say what its outputs are, so all of these are."""
    fields, names, taken = writer.protobuf_wire.fields, set(), set()
    for node in (value for number, value, _ in fields(graph) if number == 1):
        for number, value, _ in fields(node):
            if number in (1, 3):
                (names if number == 1 else taken).add(value.decode().split(":")[0])
    return names - taken


# Inputs that know more than the graph says, because an operation that reads them takes nothing else.
FIXED_BY_DEFINITION = {"slicing/ReverseSequence_unknown": {"input": [2, 4, -1]}}  # as many as there are constant lengths


def same_names_and_shapes(model, case):
    """Inputs and outputs have the rank and the sizes that the graph knows, or that a definition fixes; outputs may know more if known_better() agrees. There are no
    other inputs, and no other outputs but the ends of the graph. The reference may have others, and outputs of any shape."""
    for ports, arrays, what in ((model.inputs, case.feeds, "input"), (model.outputs, case.wanted, "output")):
        by_name = {name: port for port in ports for name in port.get_names()}
        for name in arrays:
            names = {name} if REFERENCE else {name, name.removesuffix(":0")}
            if not names <= by_name.keys():
                raise Stopped(f"{what} lost", f"{sorted(names)} are not in {sorted(by_name)}")
            got, want = partial_shape(by_name[name]), case.shapes[name]
            want = FIXED_BY_DEFINITION.get(case.name, {}).get(name.removesuffix(":0"), want)
            if got != want and not (what == "output" and (REFERENCE or known_better(model, case, name))):
                raise Stopped(f"{what} shape", f"{name}: {got}, {want} in the graph")
        if what == "input" and len(ports) != len(arrays):
            raise Stopped("more inputs", sorted(by_name))
    for names in (port.get_names() for port in model.outputs):
        if not REFERENCE and not names & case.wanted.keys() and not ends_of(case.model) & {name.split(":")[0] for name in names}:
            raise Stopped("more outputs", sorted(names))


def same_numbers(model, case):
    try:
        got = judge.in_openvino(model, case.feeds)
    except RuntimeError as error:
        raise Stopped("runtime", str(error)) from None
    narrow = any(port.get_element_type().get_type_name() == "bf16" for op in model.get_ops() for port in op.outputs())
    for name, want in case.wanted.items():
        array = got[name]
        if array.dtype.kind != want.dtype.kind or array.shape != want.shape:
            raise Stopped("type or shape", f"{name}: {array.dtype} {array.shape}, {want.dtype} {want.shape} in TensorFlow")
        if want.dtype.kind != "f":
            if not np.array_equal(array, want):
                raise Stopped("numbers", f"{name}: {array.ravel()[:8]}, {want.ravel()[:8]} in TensorFlow")
            continue
        if case.name == DIFFERENCE_OF_BF16 and not judge.rounds_to_bf16():
            want = np.zeros_like(want)
        array, want = array.astype(np.float64), want.astype(np.float64)
        usual = np.isfinite(want)
        if not np.array_equal(array[~usual], want[~usual], equal_nan=True) or not np.isfinite(array[usual]).all():
            raise Stopped("numbers", f"{name}: not finite")
        error = np.abs(array - want)[usual].max(initial=0) / max(np.abs(want[usual]).max(initial=0), 1e-30)
        if error > (TOLERANCE_OF_BF16 if narrow else TOLERANCE):
            raise Stopped("numbers", f"{name}: error {error:.3g}")


def with_names_of_ports(model, case):
    """A signature's argument may be named as the Placeholder is, its results as in the signature or as Identity, Identity_1 and so on."""
    def renamed(ports, arrays, other):
        if len(ports) != len(arrays) and not REFERENCE:
            raise Stopped("more or fewer ports", f"{list(arrays)} are {[sorted(port.get_names()) for port in ports]}")
        found = {}
        for at, (name, array) in enumerate(arrays.items()):
            known = [known for port in ports for known in port.get_names() if known in (name, name + ":0", other(name, at))]
            if not known:
                raise Stopped("name lost", f"{name} is none of {[sorted(port.get_names()) for port in ports]}")
            found[known[0]] = array
        return found

    case.feeds = renamed(model.inputs, case.feeds, lambda name, at: f"serving_default_{name}:0")
    case.wanted = renamed(model.outputs, case.wanted, lambda name, at: f"Identity_{at}:0" if at else "Identity:0")


def check(case, folder):
    def judging():
        if isinstance(case, store.Saved):
            model = read(convert(case.options, folder))
            with_names_of_ports(model, case)
        else:
            path = os.path.join(folder, "model.pb")
            case.write(path)
            model = read(convert(["--input_model", path], folder))
            same_names_and_shapes(model, case)
        same_numbers(model, case)
    VERDICTS.settle(case.name, judging, folder)


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    VERDICTS.update()


@pytest.mark.parametrize("name", CASES)
def test_operation(name, tmp_path):
    check(CASES[name], str(tmp_path))


@pytest.mark.parametrize("name", NETWORKS)
def test_network(name, tmp_path):
    check(writer.load(NETWORKS[name]), str(tmp_path))


@pytest.mark.parametrize("name", SAVED)
def test_saved(name, tmp_path):
    check(store.Saved(SAVED[name]), str(tmp_path))


@pytest.mark.skipif(REFERENCE, reason="compares what this converter writes")
@pytest.mark.parametrize("name", [name for name in CASES if name + "_functional" in CASES])
def test_lowered_is_functional(name, tmp_path):
    """TensorFlow freezes the same function in two ways: both give the same IR, but for names and the order of layers."""
    files = []
    for case in (CASES[name], CASES[name + "_functional"]):
        folder = tmp_path / case.name.replace("/", "_")
        folder.mkdir()
        case.write(str(folder / "model.pb"))
        files.append(convert(["--input_model", str(folder / "model.pb")], str(folder)))
    counts = [structure.counts(xml) for xml in files]
    assert counts[0] == counts[1], [dict(counts[0] - counts[1]), dict(counts[1] - counts[0])]
    assert structure.of_file(files[0]) == structure.of_file(files[1])


@pytest.mark.skipif(REFERENCE, reason="compares with the reference")
@pytest.mark.parametrize("name", ["keras2_MobileNetV2", "keras2_ResNet50", "keras2_EfficientNetB0"])
def test_no_more_operations_than_the_reference(name, tmp_path):
    import collections
    import openvino
    path = str(tmp_path / "model.pb")
    writer.load(name).write(path)
    ours = judge.core().read_model(convert(["--input_model", path], str(tmp_path)))
    reference = str(tmp_path / "reference.xml")
    openvino.save_model(openvino.convert_model(path), reference, compress_to_fp16=False)
    count, most = (collections.Counter(op.get_type_name() for op in model.get_ops()) for model in (ours, judge.core().read_model(reference)))
    assert not count - most, f"more than the reference has: {dict(count - most)}"


def test_the_lists_name_cases():
    VERDICTS.check_lists()
    assert len(CASES) >= 480
