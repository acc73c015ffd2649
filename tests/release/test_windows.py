"""mo-windows-x64.exe under Wine: what is different there."""
import json
import os

import onnx
import onnx.helper as h
import onnx.parser
import pytest

from downloads import EXAMPLES, LINUX, PREFIX, as_windows, run

RELU = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }"""


@pytest.fixture
def model(tmp_path):
    onnx.save(onnx.parser.parse_model(RELU), tmp_path / "m.onnx")
    return tmp_path / "m.onnx"


def converted(done, folder, name="m"):
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(folder)) == [f"{name}.bin", f"{name}.xml"]


def test_drive_letters_and_backslashes(wine, model):
    done = run(wine, as_windows(model), "-o", as_windows(model.parent) + "\\a\\b")
    converted(done, model.parent / "a" / "b")
    assert f"XML file: {as_windows(model.parent)}\\a\\b\\m.xml\n".encode() in done.stdout


def test_relative_paths_with_either_separator(wine, model):
    for folder in ("one\\two", "three/four"):
        converted(run(wine, ".\\m.onnx", "-o", folder, cwd=model.parent), model.parent / folder.replace("\\", "/"))


def test_shares_of_the_network(wine, model):
    run(wine, "--version")  # makes the prefix
    server = os.path.join(PREFIX, "dosdevices", "unc", "server")
    os.makedirs(server, exist_ok=True)
    share = os.path.join(server, "share")
    if os.path.lexists(share):
        os.remove(share)
    os.symlink(model.parent, share)
    done = run(wine, "\\\\server\\share\\m.onnx", "-o", "\\\\server\\share\\ir")
    converted(done, model.parent / "ir")
    assert b"XML file: \\\\server\\share\\ir\\m.xml\n" in done.stdout


def test_paths_over_260_characters(wine, model):
    folder = model.parent.joinpath(*["a folder with a long name"] * 12)
    folder.mkdir(parents=True)
    os.rename(model, folder / "m.onnx")
    assert len(as_windows(folder)) > 300
    converted(run(wine, as_windows(folder / "m.onnx"), "-o", as_windows(folder / "ir")), folder / "ir")


def test_names_beyond_ascii(wine, model):
    folder = model.parent / "模型 für ёлка 🎄"
    folder.mkdir()
    os.rename(model, folder / "größe.onnx")
    done = run(wine, as_windows(folder / "größe.onnx"), "-o", as_windows(folder / "结果"))
    converted(done, folder / "结果", "größe")
    assert "结果\\größe.xml".encode() in done.stdout
    os.symlink(os.path.join(EXAMPLES, "extensions", "swish"), folder / "扩展")
    assert run(wine, as_windows(folder / "größe.onnx"), "-o", as_windows(folder), "--extensions", as_windows(folder / "扩展")).returncode == 0


def test_weights_behind_4_gb(wine, tmp_path):
    with open(tmp_path / "w.data", "wb") as file:
        file.seek(5 << 30)
        file.write(bytes(range(16)))
    weight = onnx.TensorProto(name="w", dims=[4], data_type=onnx.TensorProto.FLOAT, data_location=onnx.TensorProto.EXTERNAL)
    for key, value in (("location", "w.data"), ("offset", str(5 << 30)), ("length", "16")):
        weight.external_data.add(key=key, value=value)
    floats = [h.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in "xy"]
    graph = h.make_graph([h.make_node("Add", ["x", "w"], ["y"])], "g", floats[:1], floats[1:], [weight])
    (tmp_path / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    converted(run(wine, "m.onnx", "-o", "ir", "--compress_to_fp16=False", cwd=tmp_path), tmp_path / "ir")
    assert bytes(range(16)) in (tmp_path / "ir" / "m.bin").read_bytes()


def test_lines_end_as_elsewhere(wine, model):
    for arguments in (["--help"], ["--list_transforms"], [model, "--json", "-o", model.parent]):
        done = run(wine, *arguments)
        assert done.returncode == 0 and done.stdout, done.stderr
        assert b"\r" not in done.stdout
    # The program's name is that of its file.
    assert run(wine, "--help").stdout == run(LINUX, "--help").stdout.replace(b"mo-linux-x64", b"mo-windows-x64")


def test_no_colours_and_no_bar_into_a_pipe(wine, model):
    done = run(wine, model, "-o", model.parent / "ir", "--progress")
    converted(done, model.parent / "ir")
    assert b"\x1b" not in done.stdout + done.stderr and b"Progress" not in done.stderr


def test_a_model_through_a_pipe(wine, model):
    done = run(wine, "-", "--model_name", "m", "-o", model.parent / "ir", input=model.read_bytes())
    converted(done, model.parent / "ir")


def test_an_older_pair_is_replaced(wine, model):
    out = model.parent / "ir"
    for name in ("m.xml", "m.bin"):
        out.mkdir(exist_ok=True)
        (out / name).write_bytes(b"older")
    converted(run(wine, model, "-o", out), out)
    assert b"older" not in (out / "m.xml").read_bytes() + (out / "m.bin").read_bytes()


def test_several_processes(wine, model):
    folder = model.parent
    names = ["a", "b", "broken", "c"]
    for name in names:
        (folder / f"{name}.onnx").write_bytes(b"nothing" if name == "broken" else model.read_bytes())
    done = run(wine, *(f"{name}.onnx" for name in names), "--jobs", "3", "--json", "-o", "ir", cwd=folder)
    assert done.returncode == 1
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, True, False, True]
    assert sorted(os.listdir(folder / "ir")) == sorted(f"{name}.{ending}" for name in "abc" for ending in ("xml", "bin"))


def test_a_record_holds(wine, model):
    arguments = [model, "-o", model.parent / "ir", "--skip_unchanged"]
    assert b"unchanged" not in run(wine, *arguments).stdout
    assert b"m is unchanged" in run(wine, *arguments).stdout


@pytest.mark.parametrize("name,code", [("NUL", 1), ("missing.onnx", 2), ("C:\\", 1)])
def test_what_is_no_model_is_said(wine, tmp_path, name, code):
    done = run(wine, name, "-o", tmp_path, cwd=tmp_path)
    assert done.returncode in (code, 2) and b"[ ERROR ]  MO" in done.stderr
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_said(wine, model):
    done = run(wine, model, "-o", model)
    assert done.returncode == 2 and b"MO6" in done.stderr
