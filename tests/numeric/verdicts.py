"""Recorded cases of which not all need to pass yet: each is listed, or counted by what stops it.

`passing.txt` beside the recorded data lists the cases that must pass; UPDATE=1 rewrites it. `reference.txt` lists those that OpenVINO's
converter passes; REFERENCE=1 judges that converter, and with UPDATE=1 rewrites that list.
"""
import concurrent.futures
import functools
import multiprocessing
import os
import re
import subprocess
import sys

import pytest

import judge

REFERENCE = "REFERENCE" in os.environ
UPDATE = "UPDATE" in os.environ


class Stopped(Exception):
    """Why a case does not pass: a word to count by, and the rest."""

    def __init__(self, reason, detail):
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


@functools.cache
def core():
    import openvino
    return openvino.Core()


def write_by_reference(model, xml):
    sys.modules["openvino_telemetry"] = None  # it does without, and does not wait for a network
    import openvino
    openvino.save_model(openvino.convert_model(model), xml, compress_to_fp16=False)


POOL = []


def by_reference(model, xml):
    """OpenVINO's converter writes the IR, in a process of its own, which some models end. `model`: what openvino.convert_model takes."""
    if not POOL:
        POOL.append(concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
    try:
        POOL[0].submit(write_by_reference, model, xml).result()
    except concurrent.futures.process.BrokenProcessPool:
        POOL.clear()
        raise Stopped("the reference crashes", model) from None
    except Exception as error:
        raise Stopped("the reference refuses", str(error)) from None


def by_mo(options, folder):
    """The path of the .xml that the command writes."""
    run = subprocess.run([judge.MO, *options, "--model_name", "model", "--output_dir", folder, "--compress_to_fp16=False"], capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        codes = re.findall(r"\bMO\d{4}\b", run.stderr)
        raise Stopped(codes[0] if codes else f"exit code {run.returncode}", run.stderr)
    return os.path.join(folder, "model.xml")


def read(xml):
    try:
        return core().read_model(xml)
    except RuntimeError as error:
        raise Stopped("runtime", str(error)) from None


def partial_shape(port):
    shape = port.get_partial_shape()
    return None if shape.rank.is_dynamic else [-1 if size.is_dynamic else size.get_length() for size in shape]


class Verdicts:
    """The lists of a folder of recorded cases, and what was found in this run."""

    def __init__(self, folder, names):
        self.folder, self.names, self.found = folder, names, {}
        self.by_reference = self.listed("reference.txt")
        self.must_pass = self.by_reference if REFERENCE else self.listed("passing.txt")

    def listed(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return {line for line in file.read().splitlines() if line and not line.startswith("#")}

    def settle(self, name, judging, folder):
        """Judges a case by its name; what was written meanwhile goes."""
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
            pytest.xfail(f"{stopped.reason}{', but passes the reference' * (name in self.by_reference)}")

    def update(self):
        """What did not run stays listed if there is such a case."""
        if not UPDATE:
            return
        name = "reference.txt" if REFERENCE else "passing.txt"
        passes = (self.listed(name) & self.names) - self.found.keys() | {case for case, stopped in self.found.items() if stopped is None}
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            if REFERENCE:
                import openvino
                file.write(f"# Passed by openvino.convert_model of OpenVINO {openvino.__version__}\n")
            file.writelines(case + "\n" for case in sorted(passes))

    def check_lists(self):
        assert self.listed("passing.txt") | self.by_reference <= self.names
        assert self.by_reference <= self.listed("passing.txt")
