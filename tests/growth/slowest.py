#!/usr/bin/env python3
"""The operations of which 200,000 nodes take longest.

    slowest.py [--mo PATH] [--nodes N] [--seconds S] [--only REGEX] [SOURCE ...]

Each model of sweep.py is repeated to N nodes, as copies and as a chain. What a conversion takes that has next to no nodes is subtracted. Time is that of the
processor, for each node of the model or of the IR, whichever are more. Equal nodes of copies become one in the end, so those of the IR are counted in that
of one repetition alone. A case that is over S seconds is tried twice more, and the least counts.
"""
import argparse
import multiprocessing
import os
import tempfile

import sweep

NODES, MANY = 2000, 200_000


def taken(mo, case, n, turns=1):
    """Processor seconds of the conversion of n repetitions, and the nodes of the IR between its inputs and outputs."""
    with tempfile.TemporaryDirectory(prefix="mo-slowest-") as folder:
        command = case.command(mo, folder, n)
        seconds = min(sweep.processor_seconds(command, sweep.LIMIT) or sweep.LIMIT for _ in range(turns))
        result = os.path.join(folder, "result.xml")
        made = 0
        if os.path.exists(result):
            with open(result, "rb") as file:
                xml = file.read()
            made = xml.count(b"<layer ") - xml.count(b' type="Parameter"') - xml.count(b' type="Result"')
    return seconds, made


def measured(job):
    mo, source, only, part, parts, nodes, start, limit = job
    found = []
    for at, case in enumerate(sweep.cases(source, True, only)):
        if at % parts != part:
            continue
        n = max(nodes // case.size, 2)
        seconds, made = taken(mo, case, n)
        each = lambda: max(0, seconds - start) / max(n * case.size, made)
        if each() * MANY > limit:
            made = max(made, n * taken(mo, case, 1)[1])
        if each() * MANY > limit:
            seconds = min(seconds, taken(mo, case, n, 2)[0])
        found.append((each(), source, case.name, case.kind, n * case.size, made))
    return found


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("sources", nargs="*", choices=[[], *sweep.SOURCES])
    args.add_argument("--mo", default=os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build", "native", "mo"))
    args.add_argument("--nodes", type=int, default=NODES)
    args.add_argument("--seconds", type=float, default=3)
    args.add_argument("--only", default=".")
    a = args.parse_args()
    mo, workers = os.path.abspath(a.mo), os.cpu_count() or 1
    start = taken(mo, next(sweep.cases("operations", True, "^relu$")), 2, 5)[0]
    jobs = [(mo, source, a.only, part, workers, a.nodes, start, a.seconds) for source in a.sources or sweep.SOURCES for part in range(workers)]
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        found = sorted((row for rows in pool.imap(measured, jobs) for row in rows), reverse=True)
    print("| model | nodes | of the IR | µs for each | 200,000 |\n|---|---|---|---|---|")
    over = [row for row in found if row[0] * MANY > a.seconds]
    for each, source, name, kind, count, made in over:
        print(f"| {source}/{name}, {kind} | {count:,} | {made:,} | {each * 1e6:.0f} | {each * MANY:.1f} s |")
    print(f"{len(found)} cases, {len(over)} over {a.seconds} s; half of them take {found[len(found) // 2][0] * 1e6:.1f} µs or less for each node")


if __name__ == "__main__":
    main()
