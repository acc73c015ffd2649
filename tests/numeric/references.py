"""Other converters, which are judged as ours is. REFERENCE=NAME chooses one.

1: openvino.convert_model of the version with which the tests run. mo: the original Model Optimizer (tests/original/optimizer.py), which is
installed if it is missing. mo_legacy: its own reader of TensorFlow, --use_legacy_frontend.
"""
import concurrent.futures
import json
import multiprocessing
import os
import subprocess
import sys

import judge

CHOSEN = os.environ.get("REFERENCE")
REFERENCE = CHOSEN is not None
LISTS = {"1": "reference.txt", "mo": "original.txt", "mo_legacy": "original_legacy.txt"}
assert not REFERENCE or CHOSEN in LISTS, f"REFERENCE is one of {list(LISTS)}"


class Stopped(Exception):
    """Why a case does not pass: a word to count by, and the rest."""

    def __init__(self, reason, detail):
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail

    def __reduce__(self):
        return Stopped, (self.reason, self.detail)


def write_by_openvino(model, xml):
    sys.modules["openvino_telemetry"] = None  # OpenVINO runs without it, and does not wait for a network
    import openvino
    openvino.save_model(openvino.convert_model(model), xml, compress_to_fp16=False)


POOL = []


def apart(what, function, *arguments):
    """What the function gives, in a process of its own, because some models crash it; `what` stops then."""
    if not POOL:
        POOL.append(concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
    try:
        return POOL[0].submit(function, *arguments).result()
    except concurrent.futures.process.BrokenProcessPool:
        POOL.clear()
        raise Stopped(what + " crashes", arguments[-1]) from None


def by_openvino(model, xml):
    try:
        apart("the reference", write_by_openvino, model, xml)
    except Stopped:
        raise
    except Exception as error:
        raise Stopped("the reference refuses", str(error)) from None


ORIGINAL = []


def by_original(options, folder, packages):
    if not ORIGINAL:
        sys.path.insert(0, os.path.join(judge.ROOT, "tests", "original"))
        import optimizer
        command = [optimizer.make_environment(), os.path.join(judge.ROOT, "tests", "original", "optimizer.py"), *packages]
        ORIGINAL.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
    arguments = [*options, "--model_name", "model", "--output_dir", folder, "--compress_to_fp16=False"]
    print(json.dumps({"arguments": arguments, "folder": folder}), file=ORIGINAL[0].stdin, flush=True)
    answer = json.loads(ORIGINAL[0].stdout.readline())
    if answer["exit"] != 0 or not os.path.exists(os.path.join(folder, "model.xml")):
        raise Stopped("the original refuses" if answer["exit"] >= 0 else "the original crashes", answer["error"])


def convert(options, model, folder, *packages):
    """The path of the .xml. `options`: those of the command; `model`: gives what openvino.convert_model takes. `packages`: what the original
    needs besides, for all models of a run."""
    xml = os.path.join(folder, "model.xml")
    if CHOSEN == "1":
        by_openvino(model(), xml)
    else:
        by_original([*options, "--use_legacy_frontend"] if CHOSEN == "mo_legacy" else options, folder, packages)
    return xml


def who():
    """The chosen converter, in words."""
    if CHOSEN == "1":
        import openvino
        return f"openvino.convert_model of OpenVINO {openvino.__version__}"
    return "mo of openvino-dev 2023.3.0" + (" with --use_legacy_frontend" if CHOSEN == "mo_legacy" else "")
