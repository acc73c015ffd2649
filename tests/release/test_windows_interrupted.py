"""Ctrl+C while mo-windows-x64.exe writes: nothing is left. Wine cannot send Ctrl+Break, nor close a console without a window; both reach the same
handler."""
import os
import shlex
import subprocess

import onnx
import onnx.helper as h
import pytest

from downloads import ROOT, WINDOWS, WINE, as_windows, run

MEGABYTES = 400
INTERRUPTED = (0xC000013A & 0xFF, 0)  # of Windows, of Wine


@pytest.fixture(scope="module")
def control_c(tmp_path_factory):
    program = tmp_path_factory.mktemp("control") / "control_c.exe"
    source = os.path.join(ROOT, "tests", "release", "control_c.cpp")
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


@pytest.mark.parametrize("folder", ["ir", "new\\folder"])
def test_control_c_leaves_nothing(control_c, model, tmp_path, folder):
    out = as_windows(tmp_path) + "\\" + folder
    line = ["wine", control_c, out, WINDOWS, as_windows(model), "-o", out, "--compress_to_fp16=False"]
    in_terminal = ["script", "--quiet", "--return", "--command", shlex.join(map(str, line)), "/dev/null"]  # Wine makes a console of it
    done = run(*in_terminal, env={**os.environ, **WINE}, stdin=subprocess.DEVNULL)
    assert done.returncode in INTERRUPTED, done.stdout
    # Wine keeps the name of an open file until the end of the program, so that new folders stay.
    assert not [file for _, _, files in os.walk(tmp_path) for file in files]
