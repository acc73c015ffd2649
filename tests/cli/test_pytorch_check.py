"""The script of --emit_check for programs of PyTorch where PyTorch is missing, and with --expected. tests/cli/test_check.py has the runs with PyTorch."""
import os
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path[:0] = [os.path.join(ROOT, "tests", "pytorch"), os.path.join(ROOT, "tests", "recorded")]
import stored_torch  # noqa: E402

CASES = stored_torch.everything(["networks", "complex_numbers"])


@pytest.fixture(params=["networks/vae", "complex_numbers/weights"])
def case(request):
    return CASES[request.param]


def script_of(case, folder, *options):
    case.write(str(folder / "net.pt2"))
    done = subprocess.run([MO, str(folder / "net.pt2"), "-o", str(folder), "--emit_check", "--compress_to_fp16=False", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "check_net.py"


def check(script, *arguments, python=""):
    done = subprocess.run([sys.executable, str(script), *map(str, arguments)], capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": str(python)})
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_without_pytorch(tmp_path, case):
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "torch.py").write_text("raise ImportError('No module named torch')\n")
    code, text = check(script_of(case, tmp_path), python=tmp_path / "none")
    assert code == 2 and "Not comparable: No module named torch. Install it with pip." in text


def as_pairs(array):
    return np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array


@pytest.mark.parametrize("change, code", [(0, 0), (0.5, 1)])
def test_what_pytorch_has_computed_elsewhere(tmp_path, case, change, code):
    given = []
    for name, array in case.runs[0].items():
        np.save(tmp_path / f"{name}.npy", as_pairs(array))
        given.append(f"--data={name}={tmp_path / name}.npy")
    np.savez(tmp_path / "wanted.npz", **{name: as_pairs(want) + change for name, want in zip(case.about["outputs"], case.wanted[0])})
    found, text = check(script_of(case, tmp_path), *given, "--expected", tmp_path / "wanted.npz")
    assert found == code, text


def test_an_output_inside_the_program_is_compared_with_what_is_expected(tmp_path):
    case = CASES["networks/vae"]
    name, = case.about["inputs"]
    np.save(tmp_path / "x.npy", case.runs[0][name])
    script = script_of(case, tmp_path, "--output", "exp")
    np.savez(tmp_path / "wanted.npz", other=np.zeros(1))
    code, text = check(script, f"--data={name}={tmp_path / 'x.npy'}", "--expected", tmp_path / "wanted.npz")
    assert code == 2 and "not comparable: the model has no such tensor" in text
