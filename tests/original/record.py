#!/usr/bin/env python3
"""Records what the original Model Optimizer does with the command lines of lines.json.

    python3 tests/original/record.py [--new] [ROW ...]

Makes .venv-original, runs `mo` of openvino-dev 2023.3.0 there for each line and front end, reads and infers each IR with that
version of OpenVINO, and writes recorded.json. With names of rows, only those are recorded again; with --new, those that are not recorded. Takes ten seconds a line.
Of a line that fails it keeps the exit code and the error.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import optimizer
from optimizer import HERE, ROOT, apart, first_error, original

RECORDED = os.path.join(HERE, "recorded.json")


def record(key, row, front, models):
    folder_of = os.path.join(ROOT, "build", "models") if row["model"] in lines.LARGE else models
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        os.mkdir(out)
        arguments = ["--input_model", os.path.join(folder_of, row["model"] + ".onnx"), "--output_dir", out, *lines.options(row)]
        code, said = apart(lambda: original(arguments + ["--use_legacy_frontend"] * (front == "legacy")), folder)
        files = sorted(os.listdir(out))
        xml = next((name for name in files if name.endswith(".xml")), None)
        if code != 0:
            return {"exit": code, "error": first_error(said, out, folder_of)}
        if xml is None:
            return {"exit": code, "files": files, "unusable": "no IR in the folder"}

        def describe():
            with open(os.path.join(folder, "described"), "w") as file:
                json.dump(lines.describe(os.path.join(out, xml), key), file)

        failed, said = apart(describe, folder)
        if failed:
            return {"exit": 0, "files": files, "unusable": said.strip().splitlines()[-1][:300]}
        with open(os.path.join(folder, "described")) as file:
            return {"exit": 0, "files": files, **json.load(file)}


def write(known, cases):
    with open(RECORDED, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(known[key])}" for key, _, _ in cases if key in known) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--new", action="store_true")
    given = parser.parse_args()
    names = set(given.rows)
    cases = lines.load()
    known = {}
    if os.path.exists(RECORDED):
        with open(RECORDED, encoding="utf-8") as file:
            known = json.load(file)
    unknown = names - {row["name"] for _, row, _ in cases}
    if unknown:
        sys.exit(f"record: no such row: {', '.join(sorted(unknown))}")
    large = {row["model"] for _, row, _ in cases} & set(lines.LARGE)
    missing = [name for name in sorted(large) if not os.path.exists(os.path.join(ROOT, "build", "models", name + ".onnx"))]
    if missing:
        subprocess.run([sys.executable, os.path.join(ROOT, "tests", "models", "make_onnx.py"), os.path.join(ROOT, "build", "models"), *missing], check=True)
    with tempfile.TemporaryDirectory() as folder:
        models.write(folder)
        for key, row, front in cases:
            if row["name"] in names or not names and (key not in known or not given.new):
                known[key] = {"line": lines.line(row), **record(key, row, front, folder)}
                write(known, cases)
                print(f"{key}: {known[key].get('error') or known[key].get('unusable') or 'recorded'}", flush=True)


if __name__ == "__main__":
    optimizer.in_environment()
    optimizer.load()

    import lines
    import models
    main()
