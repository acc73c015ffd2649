"""python tests/numeric/pairs/run.py [--seed 1] [--limit 50000] [--first 0] [--steps MatMul,Add] [--out findings.txt]

Draws pairs of operations over ranks 1 to 5 with known and unknown sizes, and constants behind them, and compares the runtime's CPU plugin
with NumPy. A worker computes them, a hundred to a model; what fails is tried again alone. Each finding is a line: number, verdict, graph.
--one N shows one pair again."""
import argparse
import itertools
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import judge  # noqa: E402
from openvino import Model  # noqa: E402
from pairs import elementwise, moving, sums  # noqa: E402,F401
from pairs.traced import STEPS, Case, NotHere  # noqa: E402
import openvino.opset13 as ops  # noqa: E402

LOT = 100


def plan(seed, names):
    """(producer, operation behind it, rank, what is known) in a drawn order."""
    wanted = [n for n in STEPS if not names or n in names]
    every = list(itertools.product(wanted, [n for n in STEPS if n != "Nothing"] if not names else wanted, range(1, 6), ("none", "first", "some", "all")))
    order = np.random.default_rng(seed).permutation(len(every))
    return lambda i: every[order[i % len(every)]]


def draw(number, seed, planned):
    """The pair of this number, or None if these operations do not go together."""
    first, second, rank, known = planned(number)
    random = np.random.default_rng([seed, number])
    c = Case(random, rank, known, random.choice(["f32", "i32", "f16", "u8"], p=[0.85, 0.06, 0.05, 0.04]))
    c.number = number
    try:
        with np.errstate(all="ignore"):
            y = STEPS[first](c, c.input(c.sizes(rank)))
            tail = [STEPS[second]]
            while len(tail) < 3 and c.chance(0.3):
                tail.append(c.pick(elementwise.CHAIN))
            # What a graph rounds may be off by a step, so nothing comes behind.
            for s in tail:
                if y.rounds and s is not tail[0]:
                    break
                y = s(c, y)
    except NotHere:
        return None
    if y.value.size == 0 or y.value.size > 200000 or y.port.get_node().get_type_name() == "Parameter":
        return None
    c.result = y
    return c


def judged(c, got):
    want = c.result.value
    if got.shape != want.shape:
        return f"wrong shape {list(got.shape)} for {list(want.shape)}"
    if is_same(c, got):
        return "right"
    with np.errstate(all="ignore"):
        error = np.abs(got.astype(np.float64) - want.astype(np.float64)) / (1e-9 + np.mean(np.abs(want.astype(np.float64))))
    return f"wrong numbers {np.nanmax(error):.2g} in {(error > 1e-3).sum()} of {error.size}"


def is_same(c, got):
    want = c.result.value
    if c.result.rounds:
        differ = ~np.isclose(got.astype(np.float64), want.astype(np.float64), rtol=1e-3, atol=1e-3, equal_nan=True)
        return differ.sum() <= max(2, 0.02 * differ.size)
    finite = np.abs(want[np.isfinite(want)].astype(np.float64))
    scale = max(1e-3, float(np.mean(finite)) if finite.size else 1)
    tolerance = 3e-2 if np.float16 in (want.dtype, *(f.dtype for f in c.feeds)) or "Convert f16" in c.text else 2e-3
    return np.allclose(got.astype(np.float64), want.astype(np.float64), rtol=tolerance, atol=tolerance * scale, equal_nan=True)


def compute(cases):
    """The verdict on each case, all in one model."""
    results = [ops.result(c.result.port) for c in cases]
    model = Model(results, [p for c in cases for p in c.parameters])
    request = judge.core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    got = request.infer([f for c in cases for f in c.feeds])
    return [judged(c, got[i]) for i, c in enumerate(cases)]


def alone(number, seed, planned):
    c = draw(number, seed, planned)
    try:
        return compute([c])[0], c
    except RuntimeError:
        return "does not compile", c


def work(seed, planned):
    """Reads `lot FIRST LAST` or `one N` from stdin; answers a line for each finding, then a line `done`."""
    for line in sys.stdin:
        kind, *numbers = line.split()
        if kind == "one":
            verdict, c = alone(int(numbers[0]), seed, planned)
            if verdict != "right":
                print(f"{numbers[0]}\t{verdict}\t{planned(c.number)[0]} -> {planned(c.number)[1]}\t{' '.join(c.text)}")
        else:
            cases = [c for c in (draw(n, seed, planned) for n in range(*map(int, numbers))) if c]
            print("count", len(cases))
            try:
                found = compute(cases)
            except RuntimeError:
                found = ["does not compile"] * len(cases)
            for c, verdict in zip(cases, found):
                if verdict != "right":
                    print("again", c.number)
        print("done", flush=True)


class Worker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.start()

    def start(self):
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--worker", *self.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def ask(self, line):
        """The lines of the answer, or None if the worker died."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = []
        while (got := self.process.stdout.readline().rstrip("\n")) != "done":
            if not got:
                self.process.wait()
                self.start()
                return None
            answer.append(got)
        return answer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--steps", default="")
    parser.add_argument("--out")
    parser.add_argument("--one", type=int)
    parser.add_argument("--worker", action="store_true")
    given = parser.parse_args()
    planned = plan(given.seed, given.steps.split(",") if given.steps else [])
    if given.worker:
        return work(given.seed, planned)
    if given.one is not None:
        c = draw(given.one, given.seed, planned)
        print(planned(given.one), " ".join(c.text))
        return print(alone(given.one, given.seed, planned)[0])
    worker = Worker(["--seed", str(given.seed), "--steps", given.steps])
    out = open(given.out, "a") if given.out else sys.stdout
    counted = 0
    for first in range(given.first, given.first + given.limit, LOT):
        last = min(first + LOT, given.first + given.limit)
        answer = worker.ask(f"lot {first} {last}")
        numbers = range(first, last)
        if answer is not None:
            counted += int(answer[0].split()[1])
            numbers = [int(line.split()[1]) for line in answer[1:]]
        for number in numbers:
            c = draw(number, given.seed, planned)
            if c is None:
                continue
            counted += answer is None
            found = worker.ask(f"one {number}")
            # A graph that was computed before may have spoilt the memory: only a new process tells.
            if found is None and (found := worker.ask(f"one {number}")) is None:
                found = [f"{number}\tcrash\t{planned(number)[0]} -> {planned(number)[1]}\t{' '.join(c.text)}"]
            for line in found:
                print(line, file=out, flush=True)
    print(f"{counted} pairs computed, up to {given.first + given.limit}", file=out, flush=True)


if __name__ == "__main__":
    main()
