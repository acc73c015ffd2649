#!/usr/bin/env python3
"""make.py FOLDER [--writer mo|ovc|original|legacy] [--only REGEX] [--most N]: IRs of others and of ours, which the verifier must find right.

Each writer converts the ONNX backend cases of the installed onnx package and the models of the zoo that are in build/zoo, to FOLDER/WRITER/: this converter, OpenVINO's
of .venv, and the original Model Optimizer with its two ways to read ONNX (.venv-original, which is made if it is missing). What is there stays. Then `mo --verify`
reads all of them in one call. Prints how many IRs and layers each writer has and what was found in them; ends with 1 if anything was. Takes an hour for all.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "conformance"), str(ROOT / "tests" / "original"), str(ROOT / "tests" / "differential")]
import conform  # noqa: E402
import optimizer  # noqa: E402
from apart import Apart  # noqa: E402

MO = os.environ.get("MO", str(ROOT / "build" / "native" / "mo"))
LONGEST = 300  # seconds for one model


def models(pattern):
    """{name: path}, in an order that mixes the suites, so that the first of them are of all kinds."""
    out = {name.replace("/", "."): os.path.join(folder, "model.onnx") for name, folder in conform.cases(conform.default_suites(), "")}
    out.update({f"zoo.{path.stem}": str(path) for path in (ROOT / "build" / "zoo").rglob("*") if path.suffix in (".onnx", ".pb", ".tflite")})
    names = sorted((name for name in out if re.search(pattern, name)), key=lambda name: hashlib.sha256(name.encode()).digest())
    return {name: out[name] for name in names}


class Ours:
    def convert(self, model, folder, name):
        subprocess.run([MO, model, "--output_dir", folder, "--model_name", name, "--compress_to_fp16=False"], capture_output=True, timeout=LONGEST)


def serve(pipe):
    sys.modules["openvino_telemetry"] = None  # OpenVINO runs without it, and does not wait for a network
    import openvino
    pipe.send("ready")
    while True:
        model, xml = pipe.recv()
        try:
            openvino.save_model(openvino.convert_model(model), xml, compress_to_fp16=False)
        except Exception:  # whatever it refuses is no IR
            pass
        pipe.send(None)


class Ovc:
    def __init__(self):
        self.apart = Apart(serve, LONGEST)

    def convert(self, model, folder, name):
        self.apart.ask((model, os.path.join(folder, name + ".xml")))


class Original:
    def __init__(self, *options):
        self.options, self.program = options, None

    def convert(self, model, folder, name):
        if self.program is None:
            self.program = subprocess.Popen([optimizer.make_environment(), optimizer.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        arguments = ["--input_model", model, "--model_name", name, "--output_dir", folder, "--compress_to_fp16=False", *self.options]
        print(json.dumps({"arguments": arguments, "folder": folder}), file=self.program.stdin, flush=True)
        self.program.stdout.readline()


WRITERS = {"mo": Ours, "ovc": Ovc, "original": Original, "legacy": lambda: Original("--use_legacy_frontend")}


def write(writer, folder, chosen):
    os.makedirs(folder, exist_ok=True)
    tried = set(os.listdir(folder))
    for name, model in chosen.items():
        if name + ".tried" not in tried and name + ".xml" not in tried:
            pathlib.Path(folder, name + ".tried").touch()
            writer.convert(model, str(folder), name)


def verify(folder):
    """Whether nothing was found in the IRs of the folder. Prints what was."""
    began = time.monotonic()
    done = subprocess.run([MO, "--verify", "--json", str(folder)], capture_output=True, text=True)
    seconds = time.monotonic() - began
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    found = collections.defaultdict(list)
    for verdict in verdicts:
        for message in verdict["messages"]:
            found[message["severity"], message["code"], message["op"], re.sub(r"\d+", "#", message["text"])].append(verdict["model"])
    print(f"{folder.name}: {len(verdicts)} IRs, {sum(v.get('layers', 0) for v in verdicts)} layers, {sum(not v['ok'] for v in verdicts)} with findings, {seconds:.1f} s")
    for what, where in found.items():
        print(f"    {len(where)} times", *what, "first in", where[0])
    return all(verdict["ok"] for verdict in verdicts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--writer", choices=WRITERS, help="this one alone")
    parser.add_argument("--only", default="", help="models whose name matches this regular expression")
    parser.add_argument("--most", type=int, help="so many models at most")
    chosen = parser.parse_args()
    names = [chosen.writer] if chosen.writer else list(WRITERS)
    picked = dict(list(models(chosen.only).items())[:chosen.most])
    for name in names:
        write(WRITERS[name](), chosen.folder.resolve() / name, picked)
    return 0 if all([verify(chosen.folder.resolve() / name) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
