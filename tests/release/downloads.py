"""The downloads under test, in build/release/, and how they are run."""
import os
import stat
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RELEASE = os.path.join(ROOT, "build", "release")
LINUX = os.path.join(RELEASE, "mo-linux-x64")
ARM64 = os.path.join(RELEASE, "mo-linux-arm64")
WINDOWS = os.path.join(RELEASE, "mo-windows-x64.exe")
PREFIX = os.path.join(ROOT, "build", "wine")
EXAMPLES = os.path.join(ROOT, "docs", "examples")
WINE = {"WINEPREFIX": PREFIX, "WINEDEBUG": "-all", "DISPLAY": "", "WINEDLLOVERRIDES": "mscoree,mshtml="}


# The oldest processor that QEMU has: what runs there runs on all. The program is called `mo`, as in the answers that tests compare.
QEMU = ["qemu-aarch64", "-cpu", "cortex-a53", "-0", "mo"]


def command(name, line):
    """A program that runs this line of a shell with its arguments."""
    path = os.path.join(ROOT, "build", name)
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\nexec {line} \"$@\"\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def wine_command():
    """A program that runs the one for Windows with its arguments."""
    variables = " ".join(f"{name}='{value}'" for name, value in WINE.items())
    return command("mo-in-wine", f"env {variables} wine '{WINDOWS}'")


def qemu_command():
    """A program that runs the one for arm64 with its arguments."""
    return command("mo-in-qemu", f"{' '.join(QEMU)} '{ARM64}'")


def run(command, *arguments, **how):
    """Runs a program. Its output is captured as bytes."""
    return subprocess.run([command, *map(str, arguments)], **{"capture_output": True, "timeout": 120, **how})


def as_windows(path):
    """The same file under a drive letter of Wine."""
    return "Z:" + os.path.abspath(path).replace("/", "\\")
