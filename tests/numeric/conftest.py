import collections
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
ROOT = os.path.dirname(os.path.dirname(HERE))


@pytest.fixture(scope="session")
def model():
    """The path of a generated model of real architecture, made once and kept in build/models."""
    folder = os.path.join(ROOT, "build", "models")

    def path(name):
        file = os.path.join(folder, name + ".onnx")
        if not os.path.exists(file):
            subprocess.run([sys.executable, os.path.join(ROOT, "tests", "models", "make_onnx.py"), folder, name], check=True)
        return file

    return path


def pytest_runtest_logreport(report):
    if report.failed:
        import judge
        judge.CONVERTED[:] = [row for row in judge.CONVERTED if row[0] != report.nodeid.replace("tests/numeric/", "")]


def pytest_sessionfinish():
    """With RUNTIMES=FILE, writes the lowest runtime for each operator there, from the tests that pass."""
    if "RUNTIMES" in os.environ:
        import judge
        judge.runtimes.hold(os.environ["RUNTIMES"], judge.CONVERTED, update=True)


def pytest_terminal_summary(terminalreporter):
    """What is known to fail, counted by reason."""
    reasons = collections.Counter(report.wasxfail.removeprefix("reason: ") for report in terminalreporter.stats.get("xfailed", []))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"known to fail: {count:4} {reason}")
