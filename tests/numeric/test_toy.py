"""A format that is added by the list in CONTRIBUTING.md alone: tests/toy, a text of three operations, in build/native/mo_toy."""
import json
import os
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import judge

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOY = os.path.join(ROOT, "build", "native", "mo_toy")

MODEL = """toy
# three operations, the factors in a file beside the model
input x 2 3
scaled = Scale x begin=1 count=3
positive = Rectify scaled
y = Sum positive x
output y
"""


def convert(folder, text, *options, program=TOY):
    model = folder / "model.anything"
    model.write_text(text)
    return subprocess.run([program, str(model), "--output_dir", str(folder / "ir"), "--compress_to_fp16=False", *options],
                          capture_output=True, text=True, timeout=60)


@pytest.fixture
def weights(tmp_path):
    path = tmp_path / "elsewhere" / "factors.bin"
    path.parent.mkdir()
    path.write_bytes(np.array([9, 2, -3, 0.5], np.float32).tobytes())
    return path


def test_a_toy_model_runs(tmp_path, weights):
    run = convert(tmp_path, MODEL, f"--toy_weights={weights}")
    assert run.returncode == 0, run.stderr
    xml = tmp_path / "ir" / "model.xml"
    net = ET.parse(xml).getroot()
    assert [layer.get("type") for layer in net.find("layers")] == ["Parameter", "Const", "Multiply", "ReLU", "Add", "Result"]
    given = {option.tag: option.get("value") for option in net.find("rt_info").iter() if option.get("value")}
    assert given["toy_weights"] == "DIR/" + os.path.basename(weights), given
    x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    result = judge.core().compile_model(str(xml), "CPU")([x])
    np.testing.assert_array_equal(result["y"], np.maximum(x * np.array([2, -3, 0.5], np.float32), 0) + x)


def test_a_trace_names_the_lines_of_the_model(tmp_path, weights):
    run = convert(tmp_path, MODEL, f"--toy_weights={weights}", "--trace")
    assert run.returncode == 0, run.stderr
    steps = json.loads((tmp_path / "ir" / "model.trace.json").read_text())["steps"]
    assert (steps[0]["phase"], steps[1]["phase"], steps[-1]["phase"]) == ("load", "extract", "emit")
    source = {node["name"]: node.get("source") for node in steps[0]["added"]}
    assert source["positive"] == {"op": "Rectify", "line": 5}
    assert [layer for _, _, layer in sorted(steps[-1]["layers"], key=lambda entry: entry[2])] == list(range(6))


def test_options_reach_the_loader_by_their_types(tmp_path, weights):
    run = convert(tmp_path, MODEL, f"--toy_weights={weights}", "--toy_output", "scaled", "--toy_linear")
    assert run.returncode == 0, run.stderr
    xml = tmp_path / "ir" / "model.xml"
    given = {option.tag: option.get("value") for option in ET.parse(xml).getroot().find("rt_info").iter()}
    assert (given["toy_output"], given["toy_linear"]) == ("scaled", "True")
    x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    result = judge.core().compile_model(str(xml), "CPU")([x])
    scaled = x * np.array([2, -3, 0.5], np.float32)
    np.testing.assert_array_equal(result["scaled"], scaled)
    np.testing.assert_array_equal(result["y"], scaled + x)
    wrong = convert(tmp_path, MODEL, f"--toy_weights={weights}", "--toy_output=nothing")
    assert wrong.returncode == 1 and '--toy_output is "nothing"' in wrong.stderr


@pytest.mark.parametrize("text, code, place", [
    (MODEL.replace("Sum positive x", "Sum positive z"), "MO1013", "line 6, column 18"),
    (MODEL.replace("input x 2 3", "input x 2 three"), "MO1005", "line 3, column 11"),
    (MODEL.replace("positive =", "x ="), "MO1014", "line 5, column 1"),
    (MODEL.replace("output y", "  leave y"), "MO1005", "line 7, column 3"),
    (MODEL.replace("Rectify", "Frobnicate"), "MO2001", "line 5, column 12"),
    (MODEL.replace("begin=1", "begin=2"), "MO1008", "line 4, column 10"),
])
def test_errors_have_line_and_column(tmp_path, weights, text, code, place):
    run = convert(tmp_path, text, f"--toy_weights={weights}")
    assert run.returncode == 1
    assert code in run.stderr and f'(file "model.anything", {place})' in run.stderr, run.stderr


def test_without_the_side_file(tmp_path):
    run = convert(tmp_path, MODEL)
    assert run.returncode == 1 and "MO1006" in run.stderr and "--toy_weights" in run.stderr
    run = convert(tmp_path, MODEL, "--toy_weights=nowhere.bin")
    assert run.returncode == 2 and "MO6022" in run.stderr and "nowhere.bin" in run.stderr


def test_every_list_of_formats_has_it(tmp_path):
    help_text = subprocess.run([TOY, "--help"], capture_output=True, text=True, timeout=60).stdout
    assert "--toy_weights FILE" in help_text
    run = convert(tmp_path, "no model")
    assert "MO1002" in run.stderr and "this build reads ONNX (.onnx), TensorFlow (.pb, .pbtxt, .meta), TensorFlow Lite (.tflite), Caffe (.caffemodel, .prototxt, .prototxt.txt, .pt), PaddlePaddle (.pdmodel, .json), MXNet (.params, .json), PyTorch (.pt2), Kaldi (.nnet, .mdl, .raw), Toy (.toy), Pair (.pair)" in run.stderr
    plain = convert(tmp_path, MODEL, program=os.path.join(ROOT, "build", "native", "mo"))
    assert "MO1002" in plain.stderr and "Toy" not in plain.stderr
