"""The programs for Windows and for arm64 give the same bytes as the one for Linux on x86-64: golden cases, and all example extensions."""
import importlib.util
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


def head_of(name):
    with open(os.path.join(GOLDEN, name), encoding="utf-8") as file:
        return file.read().partition("---\n")[0]


def options_of(head):
    options = re.search(r"^options:(.*)$", head, re.M)
    return options.group(1).split() if options else []


def graph_of(head):
    return re.sub(r"^(#|options:|file ).*\n?", "", head, flags=re.M)


def of_onnx(name):
    return not re.search(r"^(?!options:)[a-z]+:|^file ", head_of(name), re.M)


CASES = [name for name in ALL if of_onnx(name)]
# The models of an example are those whose names begin with its own, and these.
MORE_MODELS = {"flatten_to_reshape": "flatten_", "squeeze_normalize": "squeeze_"}


def outcome(program, folder, *arguments):
    """The exit code, the messages, and the files of a conversion."""
    folder.mkdir()
    done = run(program, *arguments, "-o", folder.name, cwd=folder.parent)
    return done.returncode, done.stderr, {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


def compare(elsewhere, folder, *arguments):
    linux = outcome(LINUX, folder / "ir", *arguments)
    os.rename(folder / "ir", folder / "linux")
    assert outcome(elsewhere, folder / "ir", *arguments) == linux
    return linux


@pytest.mark.parametrize("case", CASES)
def test_golden(elsewhere, tmp_path, case):
    head = head_of(case)
    onnx.save(onnx.parser.parse_model(graph_of(head)), tmp_path / "model.onnx")
    compare(elsewhere, tmp_path, "model.onnx", *options_of(head))


@pytest.fixture(scope="session")
def golden():
    """tests/golden/run.py, which writes the models of all formats."""
    spec = importlib.util.spec_from_file_location("golden_run", os.path.join(GOLDEN, "run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# In their options are paths of this machine, which Windows has not.
@pytest.mark.parametrize("case", [name for name in ALL if name not in CASES])
def test_golden_of_other_formats(golden, qemu, tmp_path, case):
    head = head_of(case)
    for name in ("model", "beside"):
        (tmp_path / name).mkdir()
    for name, text in re.findall(r"^file (\S+): (.*)$", head, re.M):
        (tmp_path / "beside" / name).write_text(text + "\n")
    arguments = golden.arguments_of(head, graph_of(head), str(tmp_path / "model"))
    compare(qemu, tmp_path, *arguments, *(option.replace("{folder}", str(tmp_path / "beside")) for option in options_of(head)))


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    subprocess.run([sys.executable, os.path.join(EXAMPLES, "make_models.py"), folder], check=True)
    return folder


@pytest.mark.parametrize("example", sorted(os.listdir(os.path.join(EXAMPLES, "extensions"))))
def test_extension(elsewhere, models, tmp_path, example):
    extension = os.path.join(EXAMPLES, "extensions", example)
    prefix = MORE_MODELS.get(example, example)
    names = [name for name in sorted(os.listdir(models)) if name.startswith(prefix) and name.endswith(".onnx")]
    converted = 0
    for name in names or ["swish.onnx"]:
        (tmp_path / name).mkdir()
        code, _, files = compare(elsewhere, tmp_path / name, os.path.join(models, name), "--extensions", extension)
        converted += code == 0 and len(files) == 2
    assert converted or not names
