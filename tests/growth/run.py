#!/usr/bin/env python3
"""How time and memory grow with a model: every operation and every rewrite, repeated.

    run.py [--mo PATH] [--nodes N] [--only REGEX] [--kinds REGEX] [SOURCE ...]

Sources: `operations` (ONNX's own test of each), `rewrites` (the golden case of each), `tensorflow` (the recorded graph of each of its operations)
and of TensorFlow Lite (`tflite`), `pytorch`, `paddle` and `paddle3`, `mxnet`, `caffe` and `kaldi`, `control_flow`, tensors with many `readers`,
and small networks of the other `formats`. Each model is repeated as a chain (each reads what the one before made), as copies (all read the same tensors), as diamonds
(two read the same, and the next two their sum), joined (one node reads all copies), collected (one sequence has all copies) and spread (one node of
n inputs). Sizes are N nodes and 4 N. A case is over if its processor time grows more than 6 times or its memory more than 4.5 times, or if 200,000
nodes, of the model or of the IR, would take more than 3 seconds. Where time seems to grow too fast, instructions decide, if perf or valgrind counts
them, and may grow 5 times: a large model leaves the processor's caches, and takes longer for the same work. Prints the cases that are over, and the worst of each kind; exits with 1 if one is over.
"""
import argparse
import os
import re
import sys
import tempfile

import measure
from repeated import SOURCES, layers

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMES, INSTRUCTIONS, MEMORY, SECONDS, NODES = 6, 5, 4.5, 3, 200_000
LEAST = 0.03  # seconds: shorter ones are as long as the start of the process
LIMIT = 60
COUNTED = 15  # seconds: to count the instructions of what takes longer would take minutes


class Converter:
    def __init__(self, mo, folder):
        self.mo, self.folder = os.path.abspath(mo), folder

    def command(self, case, n):
        return case.command(self.mo, self.folder, n)

    def cost(self, case, n, turns=1):
        """The least of some turns."""
        command = self.command(case, n)
        costs = [measure.run(command, LIMIT) for _ in range(turns)]
        return min(costs, key=lambda cost: cost.seconds)


class Growth:
    """From n repetitions to 4 n."""

    def __init__(self, converter, case, nodes, turns=1):
        n = max(nodes // case.size, 2)
        self.case, self.n, self.counted = case, n, None
        self.small, self.large = converter.cost(case, n, turns), converter.cost(case, 4 * n, turns)
        self.layers = layers(converter.folder)
        self.times = self.large.seconds / max(self.small.seconds, LEAST)
        self.memory = self.large.megabytes / self.small.megabytes
        self.seconds = self.large.seconds * NODES / max(4 * n * case.size, self.layers)

    def count(self, converter, nodes):
        """Instructions instead of seconds, for a quarter of the nodes."""
        n = max(nodes // 4 // self.case.size, 2)
        small, large = (measure.instructions(converter.command(self.case, size)) for size in (n, 4 * n))
        if small and large:
            self.counted = large / small

    def faults(self):
        """Of growth, which are the same on every machine."""
        found = []
        if self.large.code < 0 or self.small.code < 0:
            found.append(f"signal {-min(self.large.code, self.small.code)}")
        if self.counted > INSTRUCTIONS if self.counted else self.times > TIMES:
            found.append(f"{self.times:.1f} x the time" + (f", {self.counted:.1f} x the instructions" if self.counted else ""))
        if self.memory > MEMORY:
            found.append(f"{self.memory:.1f} x the memory")
        return found

    def slow(self):
        return [f"{self.seconds:.1f} s for {NODES:,} nodes"] if self.seconds > SECONDS else []

    def __str__(self):
        return f"{self.case.source}/{self.case.name}, {self.case.kind}: {self.n * self.case.size:,} and {4 * self.n * self.case.size:,} nodes, " \
               f"{self.small.seconds:.2f} and {self.large.seconds:.2f} s, {self.small.megabytes:.0f} and {self.large.megabytes:.0f} MB"


def grown(converter, case, nodes, retries=2):
    """A case is over if it is over each time: other work on the machine may take caches away."""
    for turns in range(1, 2 + retries):
        growth = Growth(converter, case, nodes, turns)
        if growth.times > TIMES and growth.large.seconds < COUNTED:
            growth.count(converter, nodes)
        if growth.counted or not growth.faults():
            break
    return growth


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("sources", nargs="*", choices=[[], *SOURCES])
    args.add_argument("--mo", default=os.path.join(ROOT, "build", "native", "mo"))
    args.add_argument("--nodes", type=int, default=12_500)
    args.add_argument("--only", default=".")
    args.add_argument("--kinds", default=".")
    a = args.parse_args()
    worst, count, over = {}, 0, 0
    with tempfile.TemporaryDirectory(prefix="mo-growth-") as folder:
        converter = Converter(a.mo, folder)
        converts = lambda case, n: converter.cost(case, n).code == 0
        for source in a.sources or SOURCES:
            for case in SOURCES[source](converts, a.only):
                if not re.search(a.kinds, case.kind):
                    continue
                growth = grown(converter, case, a.nodes)
                count += 1
                for column in ("times", "memory", "seconds"):
                    worst.setdefault(case.kind, {}).setdefault(column, growth)
                    if getattr(growth, column) > getattr(worst[case.kind][column], column):
                        worst[case.kind][column] = growth
                if faults := growth.faults() + growth.slow():
                    over += 1
                    print(f"OVER {growth}: {', '.join(faults)}", flush=True)
    print("| kind | time, n to 4 n | memory, n to 4 n | 200,000 nodes |\n|---|---|---|---|")
    for kind, columns in worst.items():
        texts = [f"{getattr(columns[column], column):.1f} {unit} ({columns[column].case.name})" for column, unit in (("times", "×"), ("memory", "×"), ("seconds", "s"))]
        print(f"| {kind} | {' | '.join(texts)} |")
    print(f"growth: {count - over} passed, {over} failed")
    return 1 if over or not count else 0


if __name__ == "__main__":
    sys.exit(main())
