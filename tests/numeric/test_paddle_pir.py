"""Programs of PaddlePaddle 3: names, shapes and numbers of their IR against what PaddlePaddle recorded (tests/paddle3/record.py).

tests/paddle3/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. stopped.txt has the others, with what stops each and why.
"""
import os
import sys
import xml.etree.ElementTree as ET

import pytest

import judge
import test_paddle as before
import verdicts
from verdicts import REFERENCE

FOLDER = os.path.join(judge.ROOT, "tests", "paddle3")
sys.path.insert(0, FOLDER)
import kept  # noqa: E402

pytestmark = pytest.mark.skipif(REFERENCE, reason="other converters do not read these programs")
CASES = {name: before.in_pairs(case) for name, case in kept.everything().items()}
VERDICTS = verdicts.Verdicts(FOLDER, CASES.keys(), ())


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    VERDICTS.update()


@pytest.mark.parametrize("name", CASES)
def test_program(name, tmp_path):
    case, folder = CASES[name], str(tmp_path)
    VERDICTS.settle(name, lambda: before.judged(case, before.converted(case, folder)), folder)


# Networks of which both versions write the same operations in the same order.
OF_BOTH = ["detectors/SSD", *(f"vision/{name}" for name in ("MobileNetV2", "MobileNetV3Small_any_size_unknown", "ResNet18", "ShuffleNetV2", "SqueezeNet1_1", "GoogLeNet", "DenseNet121"))]


def layers_and_weights(case, folder):
    """All that an IR has but names."""
    os.mkdir(folder)
    xml = before.converted(case, folder)
    root = ET.parse(xml).getroot()
    layers = [(layer.get("type"), layer.get("version"), layer.find("data").attrib if layer.find("data") is not None else {},
               [(port.get("precision"), [dim.text for dim in port.findall("dim")]) for port in layer.findall("output/port")]) for layer in root.find("layers")]
    with open(os.path.splitext(xml)[0] + ".bin", "rb") as file:
        return layers, [edge.attrib for edge in root.find("edges")], file.read()


@pytest.mark.parametrize("name", OF_BOTH)
def test_a_network_of_both_versions_has_one_ir(name, tmp_path):
    old, new = (layers_and_weights(cases[name], str(tmp_path / ending)) for cases, ending in ((before.CASES, "pdmodel"), (CASES, "json")))
    assert old[:2] == new[:2]
    assert old[2] == new[2]


def test_the_list_names_cases():
    VERDICTS.check_lists()
    assert len(CASES) >= 100
