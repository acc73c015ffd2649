#!/usr/bin/env python3
"""Converts small random graphs of ONNX and TensorFlow, by turns, and compares the runtime's numbers with those of the framework.

    npm run differential -- SECONDS [--framework onnx|tf] [--seed N] [--only SEED] [--graphs N]

Graph number N of a framework is the same on every machine. What is found lies in build/differential/FRAMEWORK-N/: the model, cut down to the nodes that are
needed to show it, and in `why` what is wrong. Ends with 1 if anything was found, and prints how many graphs there were, and which operations in how many
of them. TensorFlow is installed in .venv-tf if it is missing.
"""
import argparse
import collections
import importlib
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import judge  # noqa: E402

FOUND = os.path.join(judge.ROOT, "build", "differential")
FRAMEWORKS = ("onnx", "tf")


def keep(where, ending, wrong, model):
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "m" + ending), "wb") as file:
        file.write(model)
    with open(os.path.join(where, "why"), "w", encoding="utf-8") as file:
        file.write(wrong + "\n")
    print(f"{os.path.basename(where)}: {wrong}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=60)
    parser.add_argument("--framework", choices=FRAMEWORKS, help="this one alone")
    parser.add_argument("--seed", type=int, default=0, help="number of the first graph")
    parser.add_argument("--only", type=int, help="this graph alone")
    parser.add_argument("--graphs", type=int, default=10_000, help="at most so many")
    chosen = parser.parse_args()
    frameworks = [chosen.framework] if chosen.framework else FRAMEWORKS
    makers = [importlib.import_module(f"{name}_models") for name in frameworks]
    first, count = (chosen.only, len(makers)) if chosen.only is not None else (chosen.seed, chosen.graphs)
    began, done, nodes, operations, found = time.monotonic(), 0, 0, collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            if time.monotonic() - began > chosen.seconds:
                break
            seed, turn = first + number // len(makers), number % len(makers)
            where = os.path.join(FOUND, f"{frameworks[turn]}-{seed}")
            shutil.rmtree(where, ignore_errors=True)
            made_of, wrong, model = makers[turn].tried(seed, folder)
            if wrong:  # a graph before it may have spoilt the runtime's memory
                judge.RUNTIME.end()
                before, (made_of, wrong, model) = wrong, makers[turn].tried(seed, folder)
                if not wrong:
                    print(f"{frameworks[turn]}-{seed}: only behind other graphs: {before}", flush=True)
            done += bool(made_of)
            nodes += len(made_of)
            operations.update(set(made_of))
            if wrong:
                found += 1
                keep(where, makers[turn].ENDING, wrong, model)
    print(f"{done} graphs with {nodes} nodes of {len(operations)} operations in {time.monotonic() - began:.0f} s")
    print(", ".join(f"{op} {count}" for op, count in operations.most_common()))
    print(f"{done - found} passed, {found} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
