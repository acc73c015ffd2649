"""The examples of docs/examples/extensions: what the Node command makes of their models, in the OpenVINO runtime."""
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import judge

EXAMPLES = os.path.join(judge.ROOT, "docs", "examples")
RNG = np.random.default_rng(6)


def floats(*shape):
    return RNG.standard_normal(shape, dtype=np.float32)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    subprocess.run([sys.executable, os.path.join(EXAMPLES, "make_models.py"), folder], check=True)
    return folder


# The built-in transforms that would do what an example does.
TWINS = {"swish": "SwishFusion", "mish": "MishFusion,SoftplusFusion", "l2_norm": "L2NormToNorm", "relu_reorder": "ShufflenetReLUReorder"}


def convert(models, folder, example, name=None, config=None):
    command = ["node", os.path.join(judge.ROOT, "dist", "library", "node", "cli.js"), os.path.join(models, f"{name or example}.onnx"), "--output_dir", str(folder),
               "--extensions", os.path.join(EXAMPLES, "extensions", example), "--compress_to_fp16=False"]
    if example in TWINS:
        command += ["--disabled_transforms", TWINS[example]]
    if config:
        command += ["--transformations_config", os.path.join(EXAMPLES, "extensions", example, config)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return os.path.join(folder, f"{name or example}.xml")


AGAINST_ONNXRUNTIME = [
    ("swish", "swish", {"x": floats(2, 3)}),
    ("flatten_to_reshape", "flatten_0", {"x": floats(2, 3, 4, 5)}),
    ("flatten_to_reshape", "flatten_1", {"x": floats(2, 3, 4, 5)}),
    ("flatten_to_reshape", "flatten_2", {"x": floats(2, 3, 4, 5)}),
    ("reshape_op", "reshape_op", {"x": floats(3, 2, 3)}),
    ("softmax_op", "softmax_op", {"x": floats(2, 3)}),
    ("constant_extractor", "constant_extractor", {"x": floats(2, 3)}),
    ("mish", "mish", {"x": floats(2, 3)}),
    ("mish", "mish_swapped", {"x": floats(2, 3)}),
    ("mish", "mish_other", {"x": floats(2, 3), "z": floats(2, 3)}),
    ("mish", "mish_written_out", {"x": floats(2, 3)}),
    ("squeeze_normalize", "squeeze_normalize", {"x": floats(1, 3, 1, 2)}),
    ("squeeze_normalize", "squeeze_input", {"x": floats(1, 3, 1, 2)}),
    ("topk_normalize", "topk_normalize", {"x": floats(2, 8)}),
    ("pooling_attributes", "pooling_attributes", {"x": floats(1, 2, 9, 9)}),
    ("l2_norm", "l2_norm", {"x": floats(2, 3, 4)}),
    ("relu_reorder", "relu_reorder", {"x": floats(1, 3, 4, 4)}),
    ("check_for_cycle", "check_for_cycle", {"x": floats(2, 3)}),
]


@pytest.mark.parametrize("example,name,feeds", AGAINST_ONNXRUNTIME, ids=[name for _, name, _ in AGAINST_ONNXRUNTIME])
def test_A_01_AndA_24_AndB_05_as_in_onnxruntime(models, tmp_path, example, name, feeds):
    judge.assert_same(os.path.join(models, f"{name}.onnx"), convert(models, tmp_path, example, name), feeds, 1e-5)


A, B, C = floats(2, 2), floats(2, 2), floats(2, 2)
X, WIDE, CUBE = floats(2, 3), floats(2, 6), floats(2, 3, 4)
INDICES = np.array([[2, 0], [1, 1]], np.int64)
AGAINST_NUMPY = [
    ("cube", {"x": X}, X ** 3),
    ("pack", {"a": A, "b": B, "c": C}, np.stack([A, B, C])),
    ("gather_normalize", {"x": CUBE, "indices": INDICES}, np.take(CUBE, INDICES, axis=1)),
    ("normalize_l2", {"x": CUBE}, CUBE / np.sqrt((CUBE ** 2).sum(axis=1, keepdims=True))),
    ("split_sum", {"x": WIDE}, WIDE.reshape(2, 3, 2).sum(axis=1)),
]


@pytest.mark.parametrize("example,feeds,want", AGAINST_NUMPY, ids=[example for example, *_ in AGAINST_NUMPY])
def test_A_16_AndA_25_operations_of_nobody_as_in_numpy(models, tmp_path, example, feeds, want):
    got = judge.in_openvino(convert(models, tmp_path, example), feeds)
    assert judge.relative_error(got["y"], want) <= 1e-5


def test_noop_is_erased(models, tmp_path):
    xml = convert(models, tmp_path, "erasers")
    x, zeros = floats(2, 3), np.zeros((2, 3), np.float32)
    shift = judge.in_openvino(xml, {"x": zeros})["y"]
    np.testing.assert_allclose(judge.in_openvino(xml, {"x": x})["y"], np.maximum(x, 0) + shift, rtol=1e-6)
    assert os.path.getsize(os.path.splitext(xml)[0] + ".bin") == shift.nbytes


def test_region_yolo_of_what_comes_before(models, tmp_path):
    """Centres, the objectness and, without softmax, the classes pass through a sigmoid; sides do not."""
    import onnx
    from onnx import numpy_helper
    x = floats(1, 3, 4, 4)
    weights = numpy_helper.to_array(onnx.load(os.path.join(models, "yolo_region.onnx")).graph.initializer[0])[:, :, 0, 0]
    want = np.einsum("oi,nihw->nohw", weights, x).reshape(2, 25, 4, 4)
    through = [0, 1, *range(4, 25)]
    want[:, through] = 1 / (1 + np.exp(-want[:, through]))
    compiled = judge.compiled_for_cpu(convert(models, tmp_path, "yolo_region", config="yolo_v1_tiny.json"))
    got = compiled([x])[0]
    assert got.size == want.size
    assert judge.relative_error(got.ravel(), want.ravel()) <= 1e-5


def test_detections_are_boxes_with_scores(models, tmp_path):
    xml = convert(models, tmp_path, "ssd_points", config="ssd_support_api_v1.15.json")
    compiled = judge.core().compile_model(xml, "CPU")
    got = compiled({"boxes": np.zeros((1, 8, 4), np.float32), "scores": floats(1, 8, 3)})[0]
    assert got.shape == (1, 1, 4, 7)
    found = got[0, 0][got[0, 0, :, 0] == 0]
    assert len(found) > 0 and set(found[:, 1]) <= {1.0, 2.0}
    assert (found[:, 2] > 0).all() and (found[:, 2] <= 1).all() and (found[:, 3:] >= 0).all() and (found[:, 3:] <= 1).all()


def test_A_04_AndF_06_the_flattened_ir_can_be_reshaped(models, tmp_path):
    import openvino
    read = judge.core().read_model(convert(models, tmp_path, "flatten_to_reshape", "flatten_2"))
    read.reshape({"x": [7, 3, 4, 5]})
    assert read.output(0).shape == openvino.Shape([21, 20])


def test_own_operations_are_written(models, tmp_path):
    layers = {layer.get("type"): layer for layer in ET.parse(convert(models, tmp_path, "custom_op")).getroot().find("layers")}
    assert layers["SoftThreshold"].get("version") == "my_opset"
    assert layers["SoftThreshold"].find("data").attrib == {"threshold": "0.25", "shrink-mode": "soft", "rank": "2"}
