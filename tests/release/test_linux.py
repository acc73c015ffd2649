"""mo-linux-x64 runs where there is nothing else: no library, no /proc, no locale."""
import os
import shutil
import subprocess

import onnx
import onnx.parser
import pytest

from downloads import ARM64, EXAMPLES, LINUX, ROOT, WINDOWS

MODEL = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }"""


@pytest.fixture
def bare(tmp_path):
    """A folder with the program and a model in it."""
    shutil.copy(LINUX, tmp_path / "mo")
    onnx.save(onnx.parser.parse_model(MODEL), tmp_path / "m.onnx")
    return tmp_path


def in_chroot(folder, *arguments, **how):
    return subprocess.run(["/mo", *arguments], preexec_fn=lambda: (os.chroot(folder), os.chdir("/")), env={}, capture_output=True,
                          text=True, timeout=60, **how)


def test_it_converts_in_an_empty_chroot(bare):
    run = in_chroot(bare, "m.onnx", "-o", "ir")
    assert run.returncode == 0, run.stderr
    assert "[ SUCCESS ] XML file: /ir/m.xml" in run.stdout
    assert sorted(os.listdir(bare / "ir")) == ["m.bin", "m.xml"]


def test_it_runs_an_extension_there(bare):
    shutil.copytree(os.path.join(EXAMPLES, "extensions", "swish"), bare / "ext")
    run = in_chroot(bare, "m.onnx", "-o", "ir", "--extensions", "ext")
    assert run.returncode == 0, run.stderr


def test_it_prints_its_help_there(bare):
    with open(os.path.join(ROOT, "tests", "cli", "help.txt")) as file:
        assert in_chroot(bare, "--help").stdout == file.read()


def test_all_programs_are_small():
    for program in (LINUX, ARM64, WINDOWS):
        assert os.path.getsize(program) <= 6 << 20


@pytest.mark.parametrize("program", [LINUX, ARM64], ids=os.path.basename)
def test_it_names_no_loader(program):
    headers = subprocess.run(["readelf", "--program-headers", "--dynamic", program], capture_output=True, text=True, check=True).stdout
    assert "INTERP" not in headers and "NEEDED" not in headers
