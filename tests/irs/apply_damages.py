#!/usr/bin/env python3
"""apply_damages.py IR...: applies each kind of damage to each IR of the folders or files that has a place for it, and verifies all in one call. Prints what was not found
at its place, and how many kinds were applied how often."""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import damages  # noqa: E402
from ir import Ir  # noqa: E402

MO = os.environ.get("MO", str(HERE.parent.parent / "build" / "native" / "mo"))


def apply(paths, folder):
    """{file: (kind, node)} of what it has written to the folder."""
    out = {}
    for at, path in enumerate(paths):
        for name, (function, _) in damages.KINDS.items():
            ir = Ir(path)
            node = function(ir)
            if node is not None:
                file = folder / f"{name}.{at}.xml"
                ir.write(file)
                out[file.name] = name, node
    return out


def verdicts(folder):
    done = subprocess.run([MO, "--verify", "--json", str(folder)], capture_output=True, text=True)
    return {os.path.basename(verdict["model"]): verdict for verdict in map(json.loads, done.stdout.splitlines())}


def is_found(verdict, kind, node):
    """At the node; "*" stands for any, "" for none."""
    text = damages.KINDS[kind][1]
    return any(m["code"] == "MO5010" and text in m["text"] and node in ("*", m["node"]) for m in verdict["messages"])


def judge(paths, folder):
    """(how often each kind was applied, [(kind, file, messages)] of what was not found)."""
    made = apply(paths, folder)
    read = verdicts(folder)
    lost = [(name, file, [(m["node"], m["text"]) for m in read[file]["messages"]]) for file, (name, node) in made.items() if not is_found(read[file], name, node)]
    return collections.Counter(name for name, _ in made.values()), lost


def main():
    paths = [path for given in map(pathlib.Path, sys.argv[1:]) for path in ([given] if given.is_file() else sorted(given.rglob("*.xml")))]
    applied, found_not = collections.Counter(), []
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            counts, lost = judge([path], pathlib.Path(folder))
        applied += counts
        found_not += [(kind, str(path), messages) for kind, _, messages in lost]
    for kind, path, messages in found_not:
        print(f"not found: {kind} in {path}: {messages[:3]}")
    print(f"{len(applied)} kinds of damage, {sum(applied.values())} times in {len(paths)} IRs; {len(found_not)} not found; no place for {sorted(damages.KINDS.keys() - applied.keys())}")
    return 1 if found_not else 0


if __name__ == "__main__":
    sys.exit(main())
