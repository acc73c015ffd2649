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


def script(name, command):
    """A program that runs the command with its own arguments."""
    path = os.path.join(ROOT, "build", name)
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\nexec {command} \"$@\"\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def wine_command():
    """A program that runs the one for Windows with its arguments."""
    variables = " ".join(f"{name}='{value}'" for name, value in WINE.items())
    return script("mo-in-wine", f"env {variables} wine '{WINDOWS}'")


def arm64_command():
    """A program that runs the one for arm64 with its arguments. It gets the same name: the help has the program's."""
    return script("mo-in-qemu", f"qemu-aarch64 -0 mo-linux-x64 '{ARM64}'")


def run(command, *arguments, **how):
    """Runs a program. Its output is captured as bytes."""
    return subprocess.run([command, *map(str, arguments)], **{"capture_output": True, "timeout": 120, **how})


def as_windows(path):
    """The same file under a drive letter of Wine."""
    return "Z:" + os.path.abspath(path).replace("/", "\\")
