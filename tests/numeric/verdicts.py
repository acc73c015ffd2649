"""Recorded cases, some of which need not pass yet: each is listed, or counted by what stops it.

`passing.txt` beside the recorded data lists the cases that must pass; UPDATE=1 rewrites it. Other lists have the cases that other
converters pass (references.py), of which none may be lost: `reference.txt` those of OpenVINO's converter, which REFERENCE=1 judges,
`original.txt` those of the original Model Optimizer (REFERENCE=mo), `original_legacy.txt` those of its older path (REFERENCE=mo_legacy).
With UPDATE=1, too, such a list is written again.
Where there is a `stopped.txt`, it has all other cases, what stops each, and the reason for which it stays so.
"""
import os
import re
import subprocess

import pytest

import judge
import references
from references import REFERENCE, Stopped

UPDATE = "UPDATE" in os.environ


def by_mo(options, folder):
    """The path of the .xml that the command writes."""
    run = subprocess.run([judge.MO, *options, "--model_name", "model", "--output_dir", folder, "--compress_to_fp16=False"], capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        codes = re.findall(r"\bMO\d{4}\b", run.stderr)
        raise Stopped(codes[0] if codes else f"exit code {run.returncode}", run.stderr)
    return os.path.join(folder, "model.xml")


def codes_of_refusal(options, folder):
    """The codes of the errors with which the command refuses a model. It writes nothing."""
    done = subprocess.run([judge.MO, *options, "--output_dir", str(folder / "out")], capture_output=True, text=True, timeout=600)
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert not (folder / "out").exists()
    return re.findall(r"^\[ ERROR \]  (MO\d{4}) ", done.stderr, re.M)


def converted(case, name, folder):
    """The path of the .xml of a case, whose model is written as a file of that name."""
    path = os.path.join(folder, name)
    case.write(path)
    if not REFERENCE:
        return by_mo(["--input_model", path], folder)
    return references.convert(["--input_model", path], lambda: path, folder)


def ports_of(ports, names, what):
    """The port of each name; one without a name is known by its position."""
    by_name = {name: port for port in ports for name in port.get_names()}
    for name in names:
        if name and name not in by_name:
            raise Stopped(f"{what} lost", f"{name} is not in {sorted(by_name)}")
    return [by_name[name] if name else ports[at] for at, name in enumerate(names)]


def at_end(*writes):
    """A fixture that calls these when the tests of its module have run."""
    @pytest.fixture(scope="module", autouse=True)
    def update():
        yield
        for write in writes:
            write()
    return update


def read(xml):
    try:
        return judge.kept_results.read(judge.core(), xml)
    except RuntimeError as error:
        raise Stopped("runtime", str(error)) from None


def partial_shape(port):
    shape = port.get_partial_shape()
    return None if shape.rank.is_dynamic else [-1 if size.is_dynamic else size.get_length() for size in shape]


class Verdicts:
    """The lists of a folder of recorded cases, and what was found in this run."""

    def __init__(self, folder, names, lists):
        """`lists`: the files with the cases that other converters pass."""
        self.folder, self.names, self.found = folder, names, {}
        self.by_reference = set().union(*map(self.listed, lists))
        self.own = references.LISTS[references.CHOSEN] if REFERENCE else "passing.txt"
        self.must_pass = self.listed(self.own)
        self.reasons = self.read_reasons(os.path.join(folder, "stopped.txt"))

    @staticmethod
    def read_reasons(path):
        """{case: (what stops it, why it stays so)}; None without such a file."""
        if REFERENCE or not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            rows = [line.split(": ", 2) for line in file.read().splitlines() if line and not line.startswith("#")]
        return {name: (stop, reason) for name, stop, reason in rows}

    def listed(self, name):
        if UPDATE and not os.path.exists(os.path.join(self.folder, name)):
            return set()
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return {line for line in file.read().splitlines() if line and not line.startswith("#")}

    def settle(self, name, judging, folder):
        """Judges the case of that name, and removes the files that `judging` has written to `folder`."""
        try:
            judging()
            self.found[name] = None
        except Stopped as stopped:
            self.found[name] = stopped
        finally:
            for file in os.listdir(folder):
                os.remove(os.path.join(folder, file))
        stopped = self.found[name]
        if UPDATE:
            return
        if name in self.must_pass:
            assert stopped is None, stopped
        else:
            assert stopped is not None, f"{name} passes: add it to the list (UPDATE=1)"
            stop, reason = (self.reasons or {}).get(name, (stopped.reason, ""))
            assert self.reasons is None or (name in self.reasons and stop == stopped.reason), f"{name}: stopped.txt does not have {stopped}"
            pytest.xfail(f"{stop}{': ' * bool(reason)}{reason}{', but another converter passes it' * (name in self.by_reference)}")

    def update(self):
        """Cases that did not run stay listed if they exist."""
        if not UPDATE:
            return
        passes = (self.listed(self.own) & self.names) - self.found.keys() | {case for case, stopped in self.found.items() if stopped is None}
        with open(os.path.join(self.folder, self.own), "w", encoding="utf-8") as file:
            if REFERENCE:
                file.write(f"# Passed by {references.who()}\n")
            file.writelines(case + "\n" for case in sorted(passes))

    def check_lists(self):
        assert self.listed("passing.txt") | self.by_reference <= self.names
        assert self.by_reference <= self.listed("passing.txt")
        assert self.reasons is None or self.reasons.keys() == self.names - self.listed("passing.txt")
