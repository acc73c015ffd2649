"""The tests of the command line, with the program for Windows."""
import os
import subprocess
import sys

import pytest

from downloads import ROOT

# What only Linux has: terminals of Python's `pty`, /dev/full, /proc, closed standard streams (Wine connects
# to its server with their descriptors, so printed text would become requests, and the server would hang for ever).
NOT_THERE = {
    "test_output.py": "not terminal and not full_device and not closed_streams and not help_is",  # the help has the name of the program
    "test_options.py": "",
    "test_extensions.py": "not own",
}


@pytest.mark.parametrize("file", NOT_THERE)
def test_command_line(wine, file):
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", os.path.join("tests", "cli", file), "-k", NOT_THERE[file]]
    variables = {"MO": wine, "MO_TEST_TOO_LARGE": "Input/output error"}
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
