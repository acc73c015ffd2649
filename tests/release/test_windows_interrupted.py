"""Ctrl+C and Ctrl+Break while mo-windows-x64.exe writes: nothing is left. Wine has no way to close a console that has no window; the handler is
the same one."""
import os
import subprocess

import onnx
import onnx.helper as h
import pytest

from downloads import ROOT, WINDOWS, WINE, as_windows

MEGABYTES = 400
STATUS_CONTROL_C_EXIT = 0xC000013A & 0xFF


@pytest.fixture(scope="module")
def console_event(tmp_path_factory):
    program = tmp_path_factory.mktemp("console") / "console_event.exe"
    source = os.path.join(ROOT, "tests", "release", "console_event.cpp")
    subprocess.run(["x86_64-w64-mingw32-g++", "-std=c++20", "-municode", "-static", "-o", program, source], check=True)
    return program


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Most of the time goes into its weights."""
    folder = tmp_path_factory.mktemp("model")
    with open(folder / "w.data", "wb") as file:
        file.truncate(MEGABYTES << 20)
    weight = onnx.TensorProto(name="w", dims=[MEGABYTES << 18], data_type=onnx.TensorProto.FLOAT, data_location=onnx.TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="w.data")
    floats = [h.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy"]
    graph = h.make_graph([h.make_node("Add", ["x", "w"], ["y"])], "g", floats[:1], floats[1:], [weight])
    (folder / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    yield folder / "m.onnx"
    os.remove(folder / "w.data")


@pytest.mark.parametrize("event", ["c", "break"])
@pytest.mark.parametrize("folder", ["ir", "new\\folder"])
def test_an_event_of_the_console_leaves_nothing(console_event, model, tmp_path, event, folder):
    out = as_windows(tmp_path) + "\\" + folder
    line = ["wine", console_event, event, out, WINDOWS, as_windows(model), "-o", out, "--compress_to_fp16=False"]
    done = subprocess.run(line, env={**os.environ, **WINE}, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == STATUS_CONTROL_C_EXIT, (done.returncode, done.stderr)
    assert os.listdir(tmp_path) == []
