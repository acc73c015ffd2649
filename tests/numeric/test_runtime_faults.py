"""What the runtime computes wrongly (docs/runtime.md). A test that fails because a graph is "right" says that the converter no longer needs
the form that it writes instead, for runtimes from that release on."""
import importlib
import os
import re
import subprocess
import sys

import pytest

import judge

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults")
NAMES = sorted(file[:-3] for file in os.listdir(FOLDER) if file.endswith(".py") and file not in ("__init__.py", "run.py"))


def has_avx512():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return {"avx512f", "avx512bw", "avx512vl", "avx512dq"} <= set(re.search(r"^flags\s*:(.*)$", file.read(), re.M).group(1).split())


@pytest.fixture(scope="module")
def verdicts():
    """Of all graphs."""
    run = subprocess.run([sys.executable, os.path.join(FOLDER, "run.py"), *NAMES], capture_output=True, text=True, timeout=1200)
    assert run.returncode == 0, run.stderr
    lines = [line for line in run.stdout.splitlines() if line in ("right", "wrong numbers", "does not compile", "crash")]
    return dict(zip(NAMES, lines, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_is_still_there(name, verdicts):
    module = importlib.import_module("faults." + name)
    if getattr(module, "INSTRUCTIONS", "") == "AVX512_CORE" and not has_avx512():
        pytest.skip("this processor computes it in another way")
    assert verdicts[name] in module.VERDICT


def test_is_documented():
    with open(os.path.join(judge.ROOT, "docs", "runtime.md")) as file:
        assert sorted(re.findall(r"\(\.\./tests/numeric/faults/(\w+)\.py\)", file.read())) == NAMES
