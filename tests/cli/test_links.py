"""Links lead a model to files of its own folder only, behind all links. What the user names may be anywhere. The native command and the
package say the same."""
import os
import shutil
import subprocess

import numpy as np
import pytest
from onnx import TensorProto as T, helper as h

from test_output import MO, NODE, ROOT

SAVED = os.path.join(ROOT, "tests", "tf", "recorded", "saved")
SAVED_MODEL = next(name for name in sorted(os.listdir(SAVED)) if os.path.isfile(os.path.join(SAVED, name, "variables", "variables.index")))


@pytest.fixture(params=[[MO], NODE], ids=["native", "package"])
def mo(request, tmp_path):
    def run(model, *options):
        line = [*request.param, str(model), "--model_name", "m", "--output_dir", str(tmp_path / "ir"), "--compress_to_fp16=False", *options]
        return subprocess.run(line, capture_output=True, text=True, timeout=60)

    return run


def write_onnx(path, location="w.bin"):
    """y = x + w, where w is in another file."""
    w = T(name="w", data_type=T.FLOAT, dims=[4], data_location=T.EXTERNAL)
    w.external_data.add(key="location", value=location)
    ends = [h.make_tensor_value_info(name, T.FLOAT, [4]) for name in "xy"]
    graph = h.make_graph([h.make_node("Add", ["x", "w"], ["y"])], "g", ends[:1], ends[1:], initializer=[w])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())


def write_weights(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(np.full(4, value, np.float32).tobytes())


def is_refused(run, tmp_path, name):
    assert run.returncode == 1
    assert f'MO1007 a weights file lies outside the model\'s folder: "{name}" is a link' in run.stderr and f'file "{name}"' in run.stderr
    assert "put the file itself into the model's folder" in run.stderr
    assert not (tmp_path / "ir").exists()
    return True


def has_weights(run, tmp_path, value):
    assert (run.returncode, run.stderr) == (0, "")
    assert np.full(4, value, np.float32).tobytes() in (tmp_path / "ir" / "m.bin").read_bytes()
    return True


@pytest.mark.parametrize("target", ["../secret", "/absolute", "beside/../../secret"])
def test_a_link_out_of_the_folder_is_refused(mo, tmp_path, target):
    write_onnx(tmp_path / "model" / "m.onnx")
    write_weights(tmp_path / "secret", 7)
    (tmp_path / "model" / "beside").mkdir()
    (tmp_path / "model" / "w.bin").symlink_to(tmp_path / "secret" if target == "/absolute" else target)
    assert is_refused(mo(tmp_path / "model" / "m.onnx"), tmp_path, "w.bin")


def test_a_folder_that_is_a_link_out_is_refused(mo, tmp_path):
    write_onnx(tmp_path / "model" / "m.onnx", "data/w.bin")
    write_weights(tmp_path / "elsewhere" / "w.bin", 7)
    (tmp_path / "model" / "data").symlink_to("../elsewhere")
    assert is_refused(mo(tmp_path / "model" / "m.onnx"), tmp_path, "data/w.bin")


def test_a_folder_with_the_same_beginning_is_outside(mo, tmp_path):
    write_onnx(tmp_path / "model" / "m.onnx")
    write_weights(tmp_path / "model2" / "w.bin", 7)
    (tmp_path / "model" / "w.bin").symlink_to("../model2/w.bin")
    assert is_refused(mo(tmp_path / "model" / "m.onnx"), tmp_path, "w.bin")


def test_links_within_the_folder_are_followed(mo, tmp_path):
    write_onnx(tmp_path / "model" / "m.onnx", "data/w.bin")
    write_weights(tmp_path / "model" / "parts" / "one", 7)
    (tmp_path / "model" / "data").symlink_to("parts")
    (tmp_path / "model" / "parts" / "w.bin").symlink_to("one")
    assert has_weights(mo(tmp_path / "model" / "m.onnx"), tmp_path, 7)


def test_a_folder_is_what_its_link_leads_to(mo, tmp_path):
    write_onnx(tmp_path / "real" / "m.onnx")
    write_weights(tmp_path / "real" / "w.bin", 7)
    (tmp_path / "model").symlink_to("real")
    assert has_weights(mo(tmp_path / "model" / "m.onnx"), tmp_path, 7)


def cache(tmp_path, names):
    """The cache of a hub: files of snapshots are links to files that have the names of their hashes."""
    snapshot = tmp_path / "models--a--b" / "snapshots" / "0123abc"
    for number, (name, source) in enumerate(names.items()):
        blob = tmp_path / "models--a--b" / "blobs" / f"{number:040x}"
        blob.parent.mkdir(parents=True, exist_ok=True)
        os.rename(source, blob)
        (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
        (snapshot / name).symlink_to(os.path.relpath(blob, (snapshot / name).parent))
    return snapshot


@pytest.mark.parametrize("folder", ["", "onnx/"])
def test_the_cache_of_a_hub(mo, tmp_path, folder):
    write_onnx(tmp_path / "m.onnx")
    write_weights(tmp_path / "w.bin", 7)
    snapshot = cache(tmp_path, {f"{folder}m.onnx": tmp_path / "m.onnx", f"{folder}w.bin": tmp_path / "w.bin"})
    assert has_weights(mo(snapshot / folder / "m.onnx"), tmp_path, 7)


def test_the_cache_of_a_hub_has_no_other_files(mo, tmp_path):
    write_onnx(tmp_path / "m.onnx")
    write_weights(tmp_path / "models--c--d" / "blobs" / "secret", 7)
    snapshot = cache(tmp_path, {"m.onnx": tmp_path / "m.onnx"})
    (snapshot / "w.bin").symlink_to(tmp_path / "models--c--d" / "blobs" / "secret")
    assert is_refused(mo(snapshot / "m.onnx"), tmp_path, "w.bin")


def test_a_folder_in_the_cache_of_a_hub(mo, tmp_path):
    shutil.copytree(os.path.join(SAVED, SAVED_MODEL), tmp_path / "saved")
    files = [os.path.relpath(os.path.join(at, name), tmp_path / "saved") for at, _, names in os.walk(tmp_path / "saved") for name in names]
    assert mo(tmp_path / "saved").returncode == 0
    whole = (tmp_path / "ir" / "m.bin").read_bytes()
    snapshot = cache(tmp_path, {f"tf/{name}": tmp_path / "saved" / name for name in sorted(files)})
    run = mo(snapshot / "tf")
    assert (run.returncode, (tmp_path / "ir" / "m.bin").read_bytes()) == (0, whole), run.stderr


def test_links_out_of_a_folder_that_is_a_model_are_not_there(mo, tmp_path):
    shutil.copytree(os.path.join(SAVED, SAVED_MODEL), tmp_path / "saved")
    os.rename(tmp_path / "saved" / "variables", tmp_path / "variables")
    (tmp_path / "saved" / "variables").symlink_to("../variables")
    run = mo(tmp_path / "saved")
    assert run.returncode == 1 and not (tmp_path / "ir").exists()
    assert "MO1006" in run.stderr or "MO1007" in run.stderr, run.stderr


def test_what_the_user_names_may_be_a_link(mo, tmp_path):
    write_onnx(tmp_path / "real" / "m.onnx")
    write_weights(tmp_path / "real" / "w.bin", 7)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "m.onnx").symlink_to("../real/m.onnx")
    (tmp_path / "model" / "w.bin").symlink_to("../real/w.bin")
    (tmp_path / "real" / "config.json").write_text("[]")
    (tmp_path / "model" / "config.json").symlink_to("../real/config.json")
    assert has_weights(mo(tmp_path / "model" / "m.onnx", "--transformations_config", str(tmp_path / "model" / "config.json")), tmp_path, 7)
