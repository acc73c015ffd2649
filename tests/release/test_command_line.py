"""The tests of the command line, with the programs for Windows and for arm64."""
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


# What is no test of this program: the package, and extensions in C++, which are part of a build of their own.
NOT_OF_ARM64 = {"test_output.py": "not package", "test_options.py": "", "test_extensions.py": "not in_cpp", "test_messages.py": ""}


def passes(file, selected, **variables):
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", os.path.join("tests", "cli", file), "-k", selected]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("file", NOT_THERE)
def test_command_line(wine, file):
    passes(file, NOT_THERE[file], MO=wine, MO_TEST_TOO_LARGE="Input/output error")


@pytest.mark.parametrize("file", NOT_OF_ARM64)
def test_command_line_on_arm64(qemu, file):
    passes(file, NOT_OF_ARM64[file], MO=qemu)
