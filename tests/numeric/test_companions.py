"""A format of several files: tests/toy/pair in build/native/mo_toy. A needed role, an optional one, and one of several files are found beside the
model, or named by options."""
import json
import os
import subprocess
import tarfile
import zipfile

import numpy as np
import pytest

import judge

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOY = os.path.join(ROOT, "build", "native", "mo_toy")
X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
SCALE, BIAS, ROWS = [2, -3, 0.5], [1, 1, 1], [[10, 20, 30], [1, 2, 3]]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "net.pair"
    path.write_text("pair\ninput x 2 3\n")
    return path


def put(path, numbers):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(np.array(numbers, np.float32).tobytes())
    return path


def convert(model, *options):
    return subprocess.run([TOY, str(model), "-o", str(model.parent / "ir"), "--compress_to_fp16=False", *options], capture_output=True, text=True, timeout=60)


def result(model, *options):
    run = convert(model, *options)
    assert run.returncode == 0, run.stderr
    return judge.core().compile_model(str(model.parent / "ir" / "net.xml"), "CPU")([X])["y"]


def test_all_are_found_beside_the_model(tmp_path, model):
    put(tmp_path / "net.scale", SCALE), put(tmp_path / "net.bias", BIAS)
    for i, row in enumerate(ROWS):
        put(tmp_path / f"net.row-{i}", row)
    np.testing.assert_array_equal(result(model), X * np.float32(SCALE) + np.float32(BIAS) + np.float32(ROWS[0]) + np.float32(ROWS[1]))


def test_the_optional_ones_may_be_absent(tmp_path, model):
    put(tmp_path / "anything.scale", SCALE)  # the only candidate
    np.testing.assert_array_equal(result(model), X * np.float32(SCALE))


def test_the_stem_decides_between_candidates(tmp_path, model):
    put(tmp_path / "net.scale", SCALE), put(tmp_path / "other.scale", [0, 0, 0])
    np.testing.assert_array_equal(result(model), X * np.float32(SCALE))


def test_options_name_them(tmp_path, model):
    elsewhere = tmp_path / "elsewhere"
    scale, bias, rows = put(elsewhere / "s", SCALE), put(elsewhere / "b", BIAS), [put(elsewhere / f"r{i}", row) for i, row in enumerate(ROWS)]
    put(tmp_path / "net.scale", [0, 0, 0])
    got = result(model, f"--pair_scale={scale}", f"--pair_bias={bias}", f"--pair_rows={rows[0]},{rows[1]}")
    np.testing.assert_array_equal(got, X * np.float32(SCALE) + np.float32(BIAS) + np.float32(ROWS[0]) + np.float32(ROWS[1]))


def test_the_needed_one_is_missing(model):
    run = convert(model)
    assert run.returncode == 1
    assert "MO1024 a file that the model needs is missing: scale: looked for net.scale, *.scale (file \"net.pair\")" in run.stderr
    assert "--pair_scale" in run.stderr
    assert not (model.parent / "ir").exists() or not os.listdir(model.parent / "ir")


def test_several_candidates_are_named(tmp_path, model):
    put(tmp_path / "a.scale", SCALE), put(tmp_path / "b.scale", SCALE)
    run = convert(model)
    assert run.returncode == 1 and "MO1025 more than one file may be meant: scale: a.scale, b.scale" in run.stderr, run.stderr
    assert "name one with --pair_scale" in run.stderr


def test_an_output_never_overwrites_a_companion(tmp_path, model):
    put(tmp_path / "ir" / "net.scale", SCALE)
    model = model.rename(tmp_path / "ir" / "net.pair")
    bin_file = put(tmp_path / "ir" / "net.bin", SCALE)
    run = subprocess.run([TOY, str(model), "-o", str(tmp_path / "ir"), f"--pair_scale={bin_file}"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "MO7002" in run.stderr, run.stderr
    assert bin_file.read_bytes() == np.array(SCALE, np.float32).tobytes()


def test_skip_unchanged_sees_a_changed_companion(tmp_path, model):
    scale = put(tmp_path / "net.scale", SCALE)
    assert result(model, "--skip_unchanged") is not None
    assert "is unchanged" in convert(model, "--skip_unchanged").stdout
    put(scale, [1, 1, 1])
    np.testing.assert_array_equal(result(model, "--skip_unchanged"), X)


def archive_of(folder, kind):
    path = folder / f"pairs.{kind}"
    files = sorted(file for file in folder.iterdir() if file.name.startswith("net."))
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, f"a/{file.name}")
    else:
        with tarfile.open(path, "w:gz" if kind == "tar.gz" else "w") as archive:
            for file in files:
                archive.add(file, f"a/{file.name}")
    for file in files:
        file.unlink()
    return path


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_a_model_with_its_files_is_found_in_an_archive(tmp_path, model, kind):
    put(tmp_path / "net.scale", SCALE), put(tmp_path / "net.row-0", ROWS[0])
    np.testing.assert_array_equal(result(archive_of(tmp_path, kind)), X * np.float32(SCALE) + np.float32(ROWS[0]))


def test_an_option_names_a_file_in_an_archive(tmp_path, model):
    put(tmp_path / "net.scale", SCALE)
    archive = archive_of(tmp_path, "zip")
    model.write_text("pair\ninput x 2 3\n")
    np.testing.assert_array_equal(result(model, f"--pair_scale={archive}/a/net.scale"), X * np.float32(SCALE))


def test_the_record_has_every_companion(tmp_path, model):
    put(tmp_path / "net.scale", SCALE), put(tmp_path / "net.row-0", ROWS[0])
    assert convert(model, "--skip_unchanged").returncode == 0
    record = json.loads((tmp_path / "ir" / "net.mo.json").read_text())
    assert [os.path.basename(file["path"]) for file in record["inputs"]] == ["net.pair", "net.row-0", "net.scale"]


def test_the_check_script_is_of_the_model(tmp_path, model):
    put(tmp_path / "net.scale", SCALE)
    assert convert(model, "--emit_check").returncode == 0
    script = (tmp_path / "ir" / "check_net.py").read_text()
    assert str(model) in script
    compile(script, "check_net.py", "exec")
