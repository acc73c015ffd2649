"""A file that is changed, shortened or replaced while it is read: the conversion fails, and writes nothing."""
import os
import signal
import subprocess
import time

import pytest

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
    write_model(f"{path}.new", 60000, 1024, False)
    os.rename(f"{path}.new", path)


@pytest.fixture(params=[MO, NODE], ids=["native", "package"])
def tool(request):
    return request.param


@pytest.mark.parametrize("change", [append, overwrite, shorten, replace], ids=lambda change: change.__name__)
def test_a_changed_model_is_an_error(tool, tmp_path, change):
    model, out = tmp_path / "m.onnx", tmp_path / "out"
    out.mkdir()
    write_model(model, 60000, 1024, False)
    (out / "m.xml").write_text("older"), (out / "m.bin").write_text("older")
    process = subprocess.Popen([*tool, str(model), "--output_dir", str(out), "--compress_to_fp16=False"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not is_writing(process, out):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    change(model)
    process.send_signal(signal.SIGCONT)
    output, errors = process.communicate(timeout=60)
    os.remove(model)
    assert process.returncode == 1, output
    assert "MO7001 a file could not be read: " in errors and 'file "m.onnx"' in errors
    assert "it has changed while it was read" in errors or (change is shorten and "the file has become shorter" in errors)
    assert sorted(os.listdir(out)) == ["m.bin", "m.xml"]
    assert [(out / name).read_text() for name in ("m.xml", "m.bin")] == ["older", "older"]
