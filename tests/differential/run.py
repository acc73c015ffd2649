#!/usr/bin/env python3
"""Converts small random graphs and compares the runtime's numbers with those of the framework.

    npm run differential -- SECONDS [--seed N] [--only SEED] [--graphs N]

Graph number N is the same on every machine. What is found lies in build/differential/N/: the model, cut down to the nodes that are needed to show it,
and in `why` what is wrong. Ends with 1 if anything was found, and prints how many graphs there were, and which operations in how many of them.
"""
import argparse
import collections
import os
import shutil
import sys
import tempfile
import time

import numpy as np
import onnxruntime as ort

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import graph  # noqa: E402
import judge  # noqa: E402
import known  # noqa: E402
import steps  # noqa: E402

FOUND = os.path.join(judge.ROOT, "build", "differential")
OPSETS = (13, 16, 17, 18, 20, 21, 22)


def grown(seed):
    rng = np.random.default_rng(seed)
    g = graph.Graph(rng, int(rng.choice(OPSETS)))
    for _ in range(int(rng.integers(1, 4))):
        g.input([int(n) for n in rng.integers(1, 5, int(rng.integers(0, 5)))], "float32" if rng.random() < 0.8 else "int64")
    for _ in range(int(rng.integers(1, 13))):
        try:
            g.choice(steps.STEPS)(g)
        except graph.Impossible:
            pass
    return g


def expectation(model, feeds):
    session = ort.InferenceSession(model.SerializeToString(), graph.OPTIONS, providers=["CPUExecutionProvider"])
    return {one.name: value for one, value in zip(session.get_outputs(), session.run(None, feeds))}


def is_stable(model, feeds, expected):
    """Whether inputs that differ in the last digits give the same: not where a value lies at a step, as of Floor."""
    rng = np.random.default_rng(1)
    moved = {name: data if data.dtype != np.float32 else np.asarray(data * (1 + rng.uniform(-1e-6, 1e-6, data.shape)), np.float32) for name, data in feeds.items()}
    again = expectation(model, moved)
    return all(judge.differs(wanted, again[name]) is None for name, wanted in expected.items())


def check(g, outputs, folder):
    """(what is wrong or "", the model)."""
    model, feeds = g.model(outputs)
    try:
        expected = expectation(model, feeds)
    except Exception:  # ONNX Runtime takes each node and not the whole: nothing to compare with
        return "", model
    path = os.path.join(folder, "m.onnx")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    wrong = judge.judged(path, feeds, expected, folder)
    if not wrong or known.is_known(model, wrong) or (wrong.startswith("numbers") and not is_stable(model, feeds, expected)):
        return "", model
    return wrong, model


def cut_down(g, wrong, folder):
    """The first value of the graph that is wrong alone, with what is wrong then."""
    kind = wrong.split(":")[0]
    for node in g.nodes:
        values = [v for v in g.values if v.name in node.output and not v.is_sequence]
        for value in values:
            found, model = check(g, [value], folder)
            if found.split(":")[0] == kind:
                return found, model
    return wrong, None


def keep(seed, wrong, model, folder):
    where = os.path.join(FOUND, str(seed))
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "m.onnx"), "wb") as file:
        file.write(model.SerializeToString())
    with open(os.path.join(where, "why"), "w", encoding="utf-8") as file:
        file.write(wrong + "\n")
    print(f"{seed}: {wrong}\n    {' '.join(node.op_type for node in model.graph.node)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="number of the first graph")
    parser.add_argument("--only", type=int, help="this graph alone")
    parser.add_argument("--graphs", type=int, default=10_000, help="at most so many")
    chosen = parser.parse_args()
    seeds = [chosen.only] if chosen.only is not None else range(chosen.seed, chosen.seed + chosen.graphs)
    began, done, nodes, operations, found = time.monotonic(), 0, 0, collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            if time.monotonic() - began > chosen.seconds:
                break
            g = grown(seed)
            outputs = g.outputs()
            if not outputs:
                continue
            done += 1
            nodes += len(g.nodes)
            operations.update({node.op_type for node in g.nodes})
            shutil.rmtree(os.path.join(FOUND, str(seed)), ignore_errors=True)
            wrong, model = check(g, outputs, folder)
            if wrong:
                found += 1
                small, less = cut_down(g, wrong, folder)
                keep(seed, small, less or model, folder)
    print(f"{done} graphs with {nodes} nodes of {len(operations)} operations in {time.monotonic() - began:.0f} s")
    print(", ".join(f"{op} {count}" for op, count in operations.most_common()))
    print(f"{done - found} passed, {found} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
