"""Types and versions of layers against the runtime's own operation sets.

The runtime's factory is asked whether a set has the type. The IRs are those of all golden cases and ONNX backend cases.
"""
import concurrent.futures
import functools
import importlib.util
import json
import os
import subprocess
import xml.etree.ElementTree as ET

import onnx.parser
import pytest
from openvino.utils.node_factory import NodeFactory

import judge

REGISTERED = os.environ.get("MO_TRANSFORMS", os.path.join(os.path.dirname(judge.MO), "mo_transforms"))
# The names of these types in the runtime.
RENAMED = {"Const": "Constant", "PReLU": "PRelu", "ReLU": "Relu", "SoftMax": "Softmax"}


@functools.cache
def is_in_its_set(kind, version):
    """Whether the runtime's operation set `version` has the type."""
    try:
        NodeFactory(version).create(RENAMED.get(kind, kind))
        return True
    except RuntimeError as error:
        if "doesn't support Constant" in str(error):
            return True
        assert any(text in str(error) for text in ("Couldn't create operation", "Unsupported opset version")), (kind, version, error)
        return False


def layers(net):
    """(type, version) of the layers, with those of bodies."""
    return {(layer.get("type"), layer.get("version")) for layer in net.iter("layer")}


# Operations whose version depends on the node, in versions that no golden case and no backend case has.
OWN = {
    "softmax": "float[] x) => (float[] y) { y = Softmax <axis = -1> (x) }",
    "gather": "float[2, 3, 4, 5] x, int64[2, 3, 6, 1] i) => (float[2, 3, 6, 5] y) { y = GatherND <batch_dims = 2> (x, i) }",
    "prior_box": "float[1, 8, 3, 4] x, float[1, 3, 30, 40] image) => (float[1, 2, N] y) {"
                 " y = org.openvinotoolkit.PriorBox <min_size = [8.0], min_max_aspect_ratios_order = 0> (x, image) }",
    "prior_box_in_order": "float[1, 8, 3, 4] x, float[1, 3, 30, 40] image) => (float[1, 2, N] y) { y = PriorBox <min_size = [8.0]> (x, image) }",
}


def own_models(folder):
    for name, text in OWN.items():
        path = str(folder / f"own_{name}.onnx")
        onnx.save(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 19, "org.openvinotoolkit": 1]> g ({text}'), path)
        yield name, path, []


@pytest.fixture(scope="module")
def irs(tmp_path_factory):
    """The .xml of every golden case and ONNX backend case that converts."""
    spec = importlib.util.spec_from_file_location("frozen_run", os.path.join(judge.ROOT, "tests", "frozen", "run.py"))
    frozen = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(frozen)
    folder = tmp_path_factory.mktemp("irs")

    def convert(numbered):
        number, (_, model, options) = numbered
        command = [judge.MO, model, "--output_dir", str(folder), "--model_name", str(number), *options]
        run = subprocess.run(command, capture_output=True, timeout=60)
        return str(folder / f"{number}.xml") if run.returncode == 0 else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        models = [*frozen.backend_cases(), *frozen.golden_cases(str(folder)), *own_models(folder)]
        found = [xml for xml in pool.map(convert, enumerate(models)) if xml]
    assert len(found) > 1500
    return found


@pytest.fixture(scope="module")
def operations():
    """The operations that IR can have, as the core defines them."""
    out = subprocess.run([REGISTERED], capture_output=True, text=True, check=True).stdout
    return json.loads(out)["operations"]


def test_the_runtime_refuses_what_is_in_no_set():
    assert is_in_its_set("ReLU", "opset1") and is_in_its_set("Swish", "opset4")
    assert not is_in_its_set("Swish", "opset1")
    assert not is_in_its_set("Nothing", "opset1")
    assert not is_in_its_set("ReLU", "opset99")
    assert not is_in_its_set("ReLU", "experimental")


def test_U_05_AndR_02_every_operation_is_in_its_operation_set(operations):
    assert len(operations) > 140
    assert [o for o in operations if not is_in_its_set(o["type"], o["version"])] == []


def test_U_05_AndR_02_every_layer_that_is_written_is_in_its_operation_set(irs, operations):
    written = {}
    for xml in irs:
        for pair in layers(ET.parse(xml).getroot()):
            written.setdefault(pair, xml)
    assert {pair: xml for pair, xml in written.items() if not is_in_its_set(*pair)} == {}
    assert {kind for kind, _ in written} <= {o["type"] for o in operations}
    # Where the version depends on the node, more than one is written.
    for kind in (o["type"] for o in operations if o["versions_differ"]):
        assert len({version for other, version in written if other == kind}) > 1, kind


def test_U_05_AndR_02_the_runtime_makes_these_operations(irs):
    examples = {}
    for xml in irs:
        for layer in ET.parse(xml).getroot().find("layers"):
            examples.setdefault((layer.get("type"), layer.get("version")), xml)
    core = judge.core()
    for xml in sorted(set(examples.values())):
        read = {op.get_friendly_name(): op.get_type_name() for op in core.read_model(xml).get_ops()}
        for layer in ET.parse(xml).getroot().find("layers"):
            assert read[layer.get("name")] == RENAMED.get(layer.get("type"), layer.get("type")), xml
