"""--weight-format: bytes of every constant against those that NNCF 3.4 makes of our own IR in f32 (tests/weights/record.py), numbers in the
runtime against NumPy, and what the runtime keeps small."""
import hashlib
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "numeric")]
import cases  # noqa: E402
import judge  # noqa: E402

with open(os.path.join(HERE, "recorded.json"), encoding="utf-8") as file:
    RECORDED = json.load(file)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The command's arguments for a model, which is written once."""
    made = {}

    def arguments(name):
        if name not in made:
            made[name] = cases.CASES[name](str(tmp_path_factory.mktemp(name)))
        return made[name]
    return arguments


def run(model, folder, *options):
    return subprocess.run([judge.MO, *model, "--output_dir", str(folder), "--model_name", "ir", "--json", *options], capture_output=True, text=True, timeout=600)


def converted(model, folder, *options):
    """The path of the .xml, and the report."""
    done = run(model, folder, *options)
    assert done.returncode == 0, done.stderr + done.stdout
    return os.path.join(str(folder), "ir.xml"), json.loads(done.stdout)["report"]


def constants_of(xml):
    """Of each constant: type, shape and the first half of the SHA-256 of its bytes."""
    with open(xml[:-4] + ".bin", "rb") as file:
        content = file.read()
    found = {}
    for layer in ElementTree.parse(xml).getroot().iterfind("layers/layer[@type='Const']"):
        data = layer.find("data")
        begin, size = int(data.get("offset")), int(data.get("size"))
        shape = [int(size) for size in data.get("shape").split(",") if size.strip()]
        found[layer.get("name")] = [data.get("element_type"), shape, hashlib.sha256(content[begin:begin + size]).hexdigest()[:32]]
    return found


def operations_of(xml):
    return {layer.get("name"): layer.get("type") for layer in ElementTree.parse(xml).getroot().iterfind("layers/layer")}


def of_layer(name):
    for end in ("/zero_point/subtract", "/zero_point", "/scale", "/fq_weights_0/convert", "/fq_weights_1/convert", "/fq_weights_0", "/fq_weights_1"):
        if name.endswith(end):
            return name[:-len(end)]
    return name


@pytest.mark.parametrize("mode", cases.MODES)
@pytest.mark.parametrize("name", cases.CASES)
def test_bytes_are_those_of_nncf(name, mode, written, tmp_path):
    xml, report = converted(written(name), tmp_path, *cases.MODES[mode][0])
    # Layers that NNCF compresses, and we do not, for a reason that the table gives.
    kept = {row["name"] for row in report["weights"] if row.get("stays") in ("not_smaller", "not_finite", "scale_too_large", "spoiled")}
    recorded = RECORDED[name][mode]
    wanted = {of: what for of, what in recorded["constants"].items() if of_layer(of) not in kept}
    small = {row["name"] for row in report["weights"] if "stays" not in row}
    got = {of: what for of, what in constants_of(xml).items() if of_layer(of) in small}
    assert got.keys() == wanted.keys()
    assert got == wanted
    operations = operations_of(xml)
    for of, kind in recorded["operations"].items():
        if of_layer(of) not in kept:
            assert operations.get(of) == kind, of


def sizes_of(model, folder, *options):
    done = run(model, folder, "--info", "--weight_sizes", *options)
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)["weight_sizes"]


@pytest.mark.parametrize("mode", cases.MODES)
@pytest.mark.parametrize("name", cases.CASES)
def test_sizes_are_known_before_a_conversion(name, mode, written, tmp_path):
    """--info --weight_sizes says the size of the .bin to the byte, with the options of integers."""
    options = cases.MODES[mode][0]
    sizes = sizes_of(written(name), tmp_path, *options)
    for asked in (["--weight-format", "fp32"], ["--weight-format", "fp16"], options):
        converted(written(name), tmp_path, *asked)
        assert sizes[asked[1]] == os.path.getsize(tmp_path / "ir.bin"), asked


def test_weights_in_branches_stay(written, tmp_path):
    xml, report = converted(written("bodies"), tmp_path, "--weight-format", "int8")
    assert [row["format"] for row in report["weights"]] == ["int8_asym", "int8_asym"]
    inside = {layer.get("name"): layer.find("data").get("element_type")
              for layer in ElementTree.parse(xml).getroot().iterfind("layers/layer/*/layers/layer[@type='Const']")}
    assert set(inside.values()) == {"f32"} and len(inside) == 2


@pytest.mark.parametrize("mode", cases.MODES)
@pytest.mark.parametrize("name", cases.CASES)
def test_the_verifier_knows_the_pattern(name, mode, written, tmp_path):
    xml, _ = converted(written(name), tmp_path, *cases.MODES[mode][0])
    done = subprocess.run([judge.MO, "--verify", "--json", xml], capture_output=True, text=True, timeout=60)
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["ok"], verdict["messages"]) == (0, True, [])


def cut_constant(layer):
    data = layer.find("data")
    data.set("size", str(int(data.get("size")) - 1))


def other_type(layer):
    for place in (layer.find("data"), layer.find("output/port")):
        for name, value in place.attrib.items():
            place.set(name, {"u4": "u8", "U4": "U8"}.get(value, value))


DAMAGE = {"codes that end early": ("block0_q_w", cut_constant), "codes of another type": ("block0_q_w", other_type), "zero points that end early": ("block0_q_w/zero_point", cut_constant),
          "scales that end early": ("block0_q_w/scale", cut_constant)}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_verifier_finds_damage_in_the_pattern(damage, written, tmp_path):
    xml, _ = converted(written("bert"), tmp_path, "--weight-format", "int4")
    tree = ElementTree.parse(xml)
    name, change = DAMAGE[damage]
    change(next(layer for layer in tree.getroot().iterfind("layers/layer") if layer.get("name") == name))
    tree.write(xml)
    done = subprocess.run([judge.MO, "--verify", "--json", xml], capture_output=True, text=True, timeout=60)
    verdict = json.loads(done.stdout)
    assert done.returncode == 1 and not verdict["ok"]
    assert name in {message["node"] for message in verdict["messages"]}


# Of the runtime's graph: layers that have weights, and types of integers.
WITH_WEIGHTS = ("FullyConnected", "Gather", "MatMul", "Convolution", "Deconvolution")
INTEGERS = {"u8", "i8", "u4", "i4"}


def in_integers(compiled):
    """By name of the operation: whether the runtime's layer for it reads integers."""
    found = {}
    for layer in compiled.get_runtime_model().get_ops():
        about = layer.get_rt_info()
        if "layerType" in about and about["layerType"].astype(str) in WITH_WEIGHTS:
            types = {port.get_element_type().get_type_name() for port in layer.inputs()}
            for name in about["originalLayersNames"].astype(str).split(","):
                found[name] = bool(types & INTEGERS)
    return found


def float_weights(written, name, tmp_path):
    """The path of the IR in floating point."""
    folder = tmp_path / "float"
    folder.mkdir()
    return converted(written(name), folder, "--compress_to_fp16=False")[0]


SMALL_CASES = ["bert", "tied", "tied_untransposed", "convolutions", "edges", "odd", "shapes", "forms", "branches", "stored_f16", "stored_bf16"]


# Operations of the IR that have weights: a layer of the runtime may have one of them, and what is behind it.
WEIGHTED = {"MatMul", "Gather", "Convolution", "GroupConvolution", "ConvolutionBackpropData", "GroupConvolutionBackpropData"}


def name_in_runtime(op, found):
    """The name under which the runtime's layer for the operation is known: its own, or that of what is computed together with it, as a bias."""
    while op.get_friendly_name() not in found:
        readers = {port.get_node().get_friendly_name(): port.get_node() for port in op.output(0).get_target_inputs()}
        op = readers.popitem()[1] if len(readers) == 1 else None
        if op is None or op.get_type_name() in WEIGHTED | {"Result", "If", "Loop", "TensorIterator"}:
            return None
    return op.get_friendly_name()


@pytest.mark.parametrize("mode", cases.MODES)
@pytest.mark.parametrize("name", cases.CASES)
def test_the_cpu_keeps_what_the_table_says(name, mode, written, tmp_path):
    xml, report = converted(written(name), tmp_path, *cases.MODES[mode][0])
    found = in_integers(judge.core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}))
    operations = {op.get_friendly_name(): op for op in judge.core().read_model(xml).get_ops()}
    said = {row["layer"]: row["cpu"] == "small" for row in report["weights"] if "cpu" in row}
    names = {layer: name_in_runtime(operations[layer], found) for layer in said}
    known = {layer: found[name] for layer, name in names.items() if name is not None}
    assert known == {layer: said[layer] for layer in known}
    # Behind some products two layers read, and the runtime's layer has none of their names.
    assert len(said) - len(known) <= max(1, len(said) // 5)
    assert known or mode != "int8_asym" or name == "tied_untransposed"


def numbers_of(xml, rows):
    """What the integers of the rows mean, in f32, by the name of the constant."""
    with open(xml[:-4] + ".bin", "rb") as file:
        content = np.frombuffer(file.read(), np.uint8)
    layers = {layer.get("name"): layer.find("data") for layer in ElementTree.parse(xml).getroot().iterfind("layers/layer[@type='Const']")}

    def read(name):
        data = layers[name]
        begin, size, kind = int(data.get("offset")), int(data.get("size")), data.get("element_type")
        stored = content[begin:begin + size]
        shape = [int(size) for size in data.get("shape").split(",")]
        if kind in ("u4", "i4"):
            stored = np.stack([stored & 15, stored >> 4], -1).reshape(-1)[:int(np.prod(shape))]
            stored = np.where(stored > 7, stored.astype(np.int16) - 16, stored) if kind == "i4" else stored
        else:
            stored = stored.view({"u8": np.uint8, "i8": np.int8, "f16": np.float16}[kind])
        return stored.reshape(shape).astype(np.float32)
    found = {}
    for row in rows:
        if "stays" in row:
            continue
        zero = read(row["name"] + "/zero_point") if row["format"].endswith("asym") else np.float32(0)
        found[row["name"]] = ((read(row["name"]) - zero) * read(row["name"] + "/scale")).reshape(row["shape"])
    return found


def fed(model, rng):
    """Numbers for the inputs; sizes that are open are 3."""
    feeds = {}
    for port in model.inputs:
        shape = [dimension.get_length() if dimension.is_static else 3 for dimension in port.partial_shape]
        integer = port.get_element_type().get_type_name() == "i64"
        feeds[port.get_any_name()] = rng.integers(0, 16, shape) if integer else rng.standard_normal(shape).astype(port.get_element_type().to_dtype())
    return feeds


def runs(model, feeds):
    compiled = judge.core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0"})
    return [np.array(result) for result in compiled(feeds).values()]


@pytest.mark.parametrize("mode", cases.MODES)
@pytest.mark.parametrize("name", [name for name in SMALL_CASES if name not in ("stored_f16", "stored_bf16")])
def test_the_runtime_computes_with_the_dequantised_numbers(name, mode, written, tmp_path):
    import openvino
    xml, report = converted(written(name), tmp_path, *cases.MODES[mode][0], "--compress_to_fp16=False")
    model = judge.core().read_model(float_weights(written, name, tmp_path))
    numbers = numbers_of(xml, report["weights"])
    for op in model.get_ops():
        if op.get_type_name() == "Constant" and op.get_friendly_name() in numbers:
            real = openvino.op.Constant(numbers[op.get_friendly_name()].astype(op.get_element_type().to_dtype()))
            for port in op.output(0).get_target_inputs():
                port.replace_source_output(real.output(0))
    feeds = fed(model, np.random.default_rng(3))
    for got, want in zip(runs(xml, feeds), runs(model, feeds), strict=True):
        assert np.abs(got - want).max() <= 1e-5 * max(1.0, np.abs(want).max())
