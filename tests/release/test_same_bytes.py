"""The program for Windows gives the same bytes as the one for Linux: golden cases, and all example extensions."""
import os
import re
import subprocess
import sys

import onnx
import onnx.parser
import pytest

from downloads import EXAMPLES, LINUX, ROOT, run

GOLDEN = os.path.join(ROOT, "tests", "golden")
ALL = sorted(os.path.relpath(os.path.join(folder, name), GOLDEN) for folder, _, files in os.walk(GOLDEN) for name in files if name.endswith(".txt"))


def of_onnx(name):
    with open(os.path.join(GOLDEN, name), encoding="utf-8") as file:
        return not re.search(r"^(?!options:)[a-z]+:|^file ", file.read().partition("---\n")[0], re.M)


CASES = [name for name in ALL if of_onnx(name)]
# The models of an example are those whose names begin with its own, and these.
MORE_MODELS = {"flatten_to_reshape": "flatten_", "squeeze_normalize": "squeeze_"}


def outcome(program, folder, *arguments):
    """The exit code, the messages, and the files of a conversion."""
    folder.mkdir()
    done = run(program, *arguments, "-o", folder.name, cwd=folder.parent)
    return done.returncode, done.stderr, {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


def compare(wine, folder, *arguments):
    linux, windows = outcome(LINUX, folder / "ir", *arguments), None
    os.rename(folder / "ir", folder / "linux")
    windows = outcome(wine, folder / "ir", *arguments)
    assert windows == linux
    return linux


@pytest.mark.parametrize("case", CASES)
def test_golden(wine, tmp_path, case):
    with open(os.path.join(GOLDEN, case)) as file:
        head = file.read().partition("---\n")[0]
    options = re.search(r"^options:(.*)$", head, re.M)
    onnx.save(onnx.parser.parse_model(re.sub(r"^(#|options:).*\n?", "", head, flags=re.M)), tmp_path / "model.onnx")
    compare(wine, tmp_path, "model.onnx", *(options.group(1).split() if options else []))


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    subprocess.run([sys.executable, os.path.join(EXAMPLES, "make_models.py"), folder], check=True)
    return folder


@pytest.mark.parametrize("example", sorted(os.listdir(os.path.join(EXAMPLES, "extensions"))))
def test_extension(wine, models, tmp_path, example):
    extension = os.path.join(EXAMPLES, "extensions", example)
    prefix = MORE_MODELS.get(example, example)
    names = [name for name in sorted(os.listdir(models)) if name.startswith(prefix) and name.endswith(".onnx")]
    converted = 0
    for name in names or ["swish.onnx"]:
        (tmp_path / name).mkdir()
        code, _, files = compare(wine, tmp_path / name, os.path.join(models, name), "--extensions", extension)
        converted += code == 0 and len(files) == 2
    assert converted or not names
