"""Configurations that are built in: their values are those of Model Optimizer's files, and their names are found without a path."""
import glob
import json
import os
import re
import subprocess
import sys

import onnx.parser
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))
FOLDER = os.path.join(ROOT, "core", "front", "config", "built_in")
ORIGINAL = os.path.join(ROOT, ".venv-original")
sys.path.insert(0, os.path.join(ROOT, "tests", "original"))
import configurations  # noqa: E402

with open(os.path.join(ROOT, "tests", "original", "configurations.json"), encoding="utf-8") as recorded:
    RECORDED = json.load(recorded)
MODEL = '<ir_version: 8, opset_import: ["" : 13]> g (float[2, 3] x) => (float[2, 3] y) { y = Relu (x) }'
MISSING = "MO6042 no nodes match an entry of the transformations configuration: the entry with id 'ONNXMaskRCNNReplacement' names '486', '454'"


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(onnx.parser.parse_model(MODEL), path)
    return path


def run(*arguments, cwd=None):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=cwd)


def test_values_are_those_that_are_recorded():
    assert len(RECORDED) == 45
    assert configurations.digests(FOLDER) == RECORDED


@pytest.mark.skipif(not os.path.exists(ORIGINAL), reason="no .venv-original: npm run record -- original makes it")
def test_recorded_values_are_those_of_model_optimizer():
    fronts = glob.glob(os.path.join(ORIGINAL, "lib", "*", "site-packages", "openvino", "tools", "mo", "front"))
    assert [configurations.digests(front) for front in fronts] == [RECORDED]


def test_the_list_has_all_of_them():
    listed = run("--list_configurations")
    assert listed.returncode == 0 and listed.stderr == ""
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
    assert sorted(f"{framework}/{name}" for name, framework, _ in rows) == sorted(RECORDED)
    for name, framework, ids in rows:
        with open(os.path.join(FOLDER, framework, name), encoding="utf-8") as file:
            assert ids == ", ".join(entry["id"] for entry in json.load(file))


def test_the_document_has_all_of_them():
    with open(os.path.join(ROOT, "docs", "configurations.md"), encoding="utf-8") as file:
        named = re.findall(r"^\| (`.*?) \|", file.read(), re.MULTILINE)
    assert sorted(" ".join(named).replace("`", "").split()) == sorted(key.split("/")[1] for key in RECORDED)


@pytest.mark.parametrize("name", ["faster_rcnn.json", "faster_rcnn", "front/onnx/faster_rcnn.json", "extensions/front/onnx/faster_rcnn.json",
                                  "/opt/intel/openvino/model_optimizer/extensions/front/onnx/faster_rcnn.json", r"C:\mo\front\onnx\faster_rcnn.json"])
@pytest.mark.parametrize("option", ["--transformations_config", "--tensorflow_use_custom_operations_config"])
def test_a_name_or_an_old_path_is_enough(model, tmp_path, name, option):
    done = run(model, "--output_dir", tmp_path, option, name, cwd=tmp_path)
    assert done.returncode == 1 and MISSING in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["no_such.json", "./faster_rcnn.json", "mine/faster_rcnn.json", "front/tf/faster_rcnn.json"])
def test_other_paths_have_to_exist(model, tmp_path, name):
    done = run(model, "--output_dir", tmp_path, "--transformations_config", name, cwd=tmp_path)
    assert done.returncode == 2 and f'"{name}" does not exist; --list_configurations shows what is built in' in done.stderr, done.stderr


def test_a_file_of_the_user_comes_first(model, tmp_path):
    (tmp_path / "faster_rcnn.json").write_text('[{"id": "Mine", "match_kind": "general"}]')
    done = run(model, "--output_dir", tmp_path, "--log_level", "WARNING", "--transformations_config", "faster_rcnn.json", cwd=tmp_path)
    assert done.returncode == 0 and "MO6043" in done.stderr and "'Mine'" in done.stderr, done.stderr


def test_one_that_is_built_in_is_not_updated_in_place(model, tmp_path):
    done = run(model, "--output_dir", tmp_path, "--tensorflow_custom_operations_config_update", "ssd_support.json", cwd=tmp_path)
    assert done.returncode == 2 and '"ssd_support.json" does not exist' in done.stderr, done.stderr
    assert os.listdir(tmp_path) == ["model.onnx"]
