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
    kept = {row["name"] for row in report["weights"] if row.get("stays") in ("not_smaller", "not_finite", "scale_too_large", "summed_axis")}
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
