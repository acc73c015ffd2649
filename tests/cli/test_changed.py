"""A file that is changed, shortened or replaced while it is read, of the model or beside it: the conversion fails, and writes nothing."""
import os
import signal
import subprocess
import time

import pytest
from onnx import TensorProto as T, helper as h

from test_killed import is_writing
from test_large_files import MO, NODE, write_model


def append(path):
    with open(path, "ab") as f:
        f.write(b"\0")


def overwrite(path):
    with open(path, "r+b") as f:
        f.seek(-9, 2)
        f.write(b"\1")


def shorten(path):
    os.truncate(path, os.path.getsize(path) - 4096)


def replace(path):
    with open(f"{path}.new", "wb") as f:
        f.truncate(os.path.getsize(path))
    os.rename(f"{path}.new", path)


ROWS, COLUMNS = 60000, 1024


def weights_inside(folder):
    write_model(folder / "m.onnx", ROWS, COLUMNS, False)


def weights_beside(folder):
    w = T(name="w", data_type=T.FLOAT, dims=[ROWS, COLUMNS], data_location=T.EXTERNAL)
    w.external_data.add(key="location", value="w.bin")
    (folder / "w.bin").touch()
    os.truncate(folder / "w.bin", 4 * ROWS * COLUMNS)
    ends = [h.make_tensor_value_info(name, T.FLOAT, [1, COLUMNS]) for name in "xy"]
    graph = h.make_graph([h.make_node("Gather", ["w", "i"], ["y"])], "g", [h.make_tensor_value_info("i", T.INT64, [1])], ends[1:], [w])
    (folder / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())


@pytest.fixture(params=[MO, NODE], ids=["native", "package"])
def tool(request):
    return request.param


CHANGES = [*((weights_inside, "m.onnx", change) for change in (append, overwrite, shorten, replace)),
           *((weights_beside, "w.bin", change) for change in (append, overwrite, shorten, replace)), (weights_beside, "m.onnx", append)]


@pytest.mark.parametrize("write, changed, change", CHANGES, ids=lambda value: getattr(value, "__name__", value))
def test_a_changed_file_is_an_error(tool, tmp_path, write, changed, change):
    model, out = tmp_path / "m.onnx", tmp_path / "out"
    out.mkdir()
    write(tmp_path)
    (out / "m.xml").write_text("older"), (out / "m.bin").write_text("older")
    process = subprocess.Popen([*tool, str(model), "--output_dir", str(out), "--compress_to_fp16=False"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not is_writing(process, out):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    change(tmp_path / changed)
    process.send_signal(signal.SIGCONT)
    output, errors = process.communicate(timeout=60)
    for name in {"m.onnx", changed}:
        os.remove(tmp_path / name)
    assert process.returncode == 1, output
    assert "MO7001 a file could not be read: " in errors and f'file "{changed}"' in errors
    assert "it has changed while it was read" in errors or (change is shorten and "the file has become shorter" in errors)
    assert sorted(os.listdir(out)) == ["m.bin", "m.xml"]
    assert [(out / name).read_text() for name in ("m.xml", "m.bin")] == ["older", "older"]
