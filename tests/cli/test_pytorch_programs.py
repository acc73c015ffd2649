"""Archives of several programs of PyTorch: each is a model of the command, natively and of the package."""
import json
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
sys.path[:0] = [os.path.join(ROOT, "tests", "pytorch"), os.path.join(ROOT, "tests", "recorded")]
import stored_torch  # noqa: E402

CASES = stored_torch.everything(["wrappers", "convolution"])
TOGETHER = {"encoder": CASES["wrappers/tied"], "decoder": CASES["convolution/conv2d"]}
PACKAGE = ["node", os.path.join(ROOT, "dist", "library", "node", "cli.js")]
COMMAND = [MO]


@pytest.fixture(autouse=True, params=["native", "package"])
def command(request):
    COMMAND[:] = PACKAGE if request.param == "package" else [MO]


def mo(folder, *arguments, **how):
    return subprocess.run([*COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True, errors="replace", timeout=120, **how)


def write(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(stored_torch.zipped([("both/" + name, content) for name, content in stored_torch.together(TOGETHER)]))


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


PAIRS = ["decoder.bin", "decoder.xml", "encoder.bin", "encoder.xml"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_by_default(tmp_path, jobs):
    write(tmp_path / "both.pt2")
    done = mo(tmp_path, "both.pt2", "--output_dir", "out", "--jobs", jobs, "--json")
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [os.path.basename(one["xml"]) for one in said if "xml" in one] == ["decoder.xml", "encoder.xml"]
    assert files(tmp_path / "out") == PAIRS


def test_in_a_folder_with_others(tmp_path):
    write(tmp_path / "models" / "a" / "both.pt2")
    CASES["wrappers/tied"].write(str(tmp_path / "models" / "net.pt2"))
    done = mo(tmp_path, "models", "--output_dir", "out")
    assert done.returncode == 0, done.stderr
    assert files(tmp_path / "out") == [*("a/" + name for name in PAIRS), "net.bin", "net.xml"]


def test_one_by_its_name(tmp_path):
    write(tmp_path / "both.pt2")
    assert mo(tmp_path, "both.pt2", "--model_name", "decoder", "--output_dir", "out").returncode == 0
    assert files(tmp_path / "out") == PAIRS[:2]
    # One program alone gets any name.
    CASES["wrappers/tied"].write(str(tmp_path / "net.pt2"))
    assert mo(tmp_path, "net.pt2", "--model_name", "mine", "--output_dir", "one").returncode == 0
    assert files(tmp_path / "one") == ["mine.bin", "mine.xml"]


def test_a_name_that_none_has(tmp_path):
    write(tmp_path / "both.pt2")
    done = mo(tmp_path, "both.pt2", "--model_name", "lost", "--output_dir", "out")
    assert done.returncode == 1 and not (tmp_path / "out").exists()
    assert 'MO6007 the model cannot be opened: the archive "both.pt2" has 2 models: decoder, encoder (file "both.pt2"). name one with --model_name' in done.stderr


def test_from_the_standard_input(tmp_path):
    write(tmp_path / "both.pt2")
    with open(tmp_path / "both.pt2", "rb") as file:
        done = mo(tmp_path, "-", "--output_dir", "out", stdin=file)
    assert done.returncode == 1 and "has 2 models: decoder, encoder" in done.stderr and not (tmp_path / "out").exists()
    with open(tmp_path / "both.pt2", "rb") as file:
        assert mo(tmp_path, "-", "--model_name", "encoder", "--output_dir", "out", stdin=file).returncode == 0
    assert files(tmp_path / "out") == PAIRS[2:]


def test_inspection_tells_of_each(tmp_path):
    write(tmp_path / "both.pt2")
    done = mo(tmp_path, "both.pt2", "--info", "--json")
    assert done.returncode == 0, done.stderr
    assert [one["name"] for one in map(json.loads, done.stdout.splitlines()) if "name" in one] == ["decoder", "encoder"]
