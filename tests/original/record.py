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
import re
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENVIRONMENT = os.path.join(ROOT, ".venv-original")
RECORDED = os.path.join(HERE, "recorded.json")


def in_environment():
    """Goes on as the environment's Python."""
    python = os.path.join(ENVIRONMENT, "bin", "python")
    if not os.path.exists(python):
        subprocess.run(["/usr/bin/python3", "-m", "venv", ENVIRONMENT], check=True)
        requirements = os.path.join(ROOT, "scripts", "requirements-original.txt")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], check=True)
    if os.path.realpath(sys.prefix) != os.path.realpath(ENVIRONMENT):
        os.execv(python, [python, *sys.argv])


def apart(work, folder):
    """Runs `work` in a copy of this process, which has the packages loaded; gives its exit code and what it printed."""
    with open(os.path.join(folder, ".said"), "w+b") as said:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                os.chdir(folder)
                code = work() or 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return code, said.read().decode("utf-8", "replace")


def original(arguments):
    """What the command `mo` does."""
    from openvino.tools.mo.main import main
    from openvino.tools.mo.utils.cli_parser import get_all_cli_parser
    from openvino.tools.mo.utils.telemetry_utils import init_mo_telemetry
    sys.argv = ["mo", *arguments]
    init_mo_telemetry()
    return main(get_all_cli_parser(), None)


def first_error(said, *folders):
    """The first line that is an error, else the last line, without folders."""
    for folder in (*folders, ROOT):
        said = said.replace(folder + "/", "")
    every = [line for line in said.splitlines() if line.strip()]
    errors = [line for line in every if re.search(r"\[ (FRAMEWORK )?ERROR \]  .*\w|: error: ", line) and "Traceback" not in line]
    return re.sub(r"^.*?\[ (FRAMEWORK )?ERROR \] *", "", errors[0] if errors else every[-1] if every else "").strip()[:300]


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
    in_environment()
    # Loaded before each line's own process.
    import networkx  # noqa: F401
    import onnx  # noqa: F401
    import openvino.tools.mo.main  # noqa: F401
    import scipy.stats  # noqa: F401

    import lines
    import models
    main()
