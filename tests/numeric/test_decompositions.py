"""Every decomposition is shown by a case whose IR depends on it: without the decomposition it is another IR, or none.

The cases are those of decompositions.txt, a line each: the decomposition, and a golden case, an ONNX backend case that
tests/conformance/passing.txt lists (its numbers are compared there), or a test of this folder, as FILE::TEST, which must fail
without the decomposition.
"""
import json
import os
import re
import subprocess
import sys

import onnx.backend.test
import onnx.parser
import pytest

import judge

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
DATA = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data")


def read(*path):
    with open(os.path.join(judge.ROOT, *path)) as file:
        return file.read()


CASES = dict(line.split() for line in read("tests", "numeric", "decompositions.txt").splitlines())
BACKEND = set(read("tests", "conformance", "passing.txt").split())


def model_of(case, folder):
    """The path of the case's model, and its options."""
    if case in BACKEND:
        return os.path.join(DATA, case, "model.onnx"), []
    head = read("tests", "golden", case + ".txt").partition("---\n")[0]
    options = re.search(r"^options: *(.*)$", head, re.M)
    text = "\n".join(line for line in head.splitlines() if not line.startswith(("#", "options:")))
    path = str(folder / "case.onnx")
    onnx.save(onnx.parser.parse_model(text), path)
    return path, options.group(1).split() if options else []


def converted(model, folder, *options):
    """Layers and edges of the IR, or None."""
    run = subprocess.run([judge.MO, model, "--output_dir", str(folder), "--model_name", "case", *options], capture_output=True, text=True, timeout=60)
    return (folder / "case.xml").read_text().partition("</edges>")[0] if run.returncode == 0 else None


def test_every_decomposition_has_a_case():
    rows = re.findall(r"^MO_TRANSFORM\((Decompose\w+|Pack), Infer", read("core", "pipeline", "transforms.def"), re.M)
    assert len(rows) > 50
    assert sorted(CASES) == sorted(rows)


@pytest.fixture(scope="module")
def failures(tmp_path_factory):
    """What each test of CASES says without its decomposition. They run in one process, which takes a tenth of the time of one each."""
    folder = tmp_path_factory.mktemp("without")
    tests = {case: decomposition for decomposition, case in CASES.items() if "::" in case}
    assert len(tests) == sum("::" in case for case in CASES.values()), "a test shows one decomposition"
    (folder / "without.json").write_text(json.dumps(tests))
    files = {"WITHOUT": str(folder / "without.json"), "FAILED": str(folder / "failed.json"), "PYTHONPATH": HERE}
    environment = {name: value for name, value in os.environ.items() if name != "RUNTIMES"} | files
    command = [sys.executable, "-m", "pytest", "-q", "-p", "without_decomposition", *(os.path.join(HERE, case) for case in tests)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    tests_failed = 1
    assert run.returncode == tests_failed, run.stdout[-2000:]
    return json.loads((folder / "failed.json").read_text())


@pytest.mark.parametrize("decomposition", CASES)
def test_the_case_depends_on_its_decomposition(decomposition, tmp_path, request):
    case = CASES[decomposition]
    if "::" in case:
        # The operation has no inference of its own, or one that does not take this form.
        failed = request.getfixturevalue("failures").get(case, "it passes")
        assert re.search("MO300[37]", failed), failed[-2000:]
        return
    model, options = model_of(case, tmp_path)
    (tmp_path / "without").mkdir()
    with_it = converted(model, tmp_path, *options)
    assert with_it is not None
    assert converted(model, tmp_path / "without", *options, "--disabled_transforms", decomposition) != with_it
