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
