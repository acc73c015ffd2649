"""Every operation of every framework, quickly: the seconds that each node of one repeated model takes.

What takes the square of a model's nodes takes more for each node of a large one. So one conversion shows whether two are worth comparing.
"""
import functools
import multiprocessing
import os
import re
import sys
import tempfile

import onnx_graphs
import onnx_seeds
from repeated import RECORDED, Case, layers

NODES = 1200
LIMIT = 30
# As many times what a Relu takes on this machine, and what a conversion takes that has next to no nodes.
MOST = 4
START = 2.5


def of_onnx(seeds):
    for seed in seeds:
        yield seed, {node.op_type for node in seed.model.graph.node}, len(seed.model.graph.node)


def of_recorded(seeds):
    for seed in seeds:
        yield seed, seed.ops, seed.size


SOURCES = {
    "operations": lambda: of_onnx(onnx_seeds.operations()),
    "rewrites": lambda: of_onnx(onnx_seeds.rewrites()),
    **{source: lambda seeds=seeds: of_recorded(seeds()) for source, seeds in RECORDED.items()},
}


def cases(source, everything, only="."):
    """Copies and a chain of the first model of each operation, or of every model."""
    seen = set()
    for seed, ops, size in SOURCES[source]():
        if not re.search(only, seed.name) or (not everything and ops <= seen):
            continue
        seen |= ops
        options = getattr(seed, "options", [])
        suffix = getattr(seed, "suffix", ".onnx")
        module = onnx_graphs if suffix == ".onnx" else None
        beside = lambda seed=seed: getattr(seed, "beside", {})
        copies = (lambda n, seed=seed: onnx_graphs.copies(seed, n)) if module else seed.copies
        if copies(2):
            yield Case(source, seed.name, "copies", size, copies, suffix, options, beside)
        for link in seed.links()[:1]:
            chain = (lambda n, seed=seed, link=link: onnx_graphs.chain(seed, n, link)) if module else (lambda n, seed=seed, link=link: seed.chain(n, link))
            yield Case(source, seed.name, "chain", size, chain, suffix, options, beside)


def processor_seconds(command, limit):
    """Of the command; None if it ended by a signal."""
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", f'ulimit -t {limit}; exec "$@" >/dev/null 2>&1', "sh", *command], os.environ)
    _, status, used = os.wait4(pid, 0)
    return used.ru_utime + used.ru_stime if os.WIFEXITED(status) else None


def converted(mo, case, folder, n):
    """Processor seconds of the conversion of n repetitions, None if a signal ended it, and the layers of the IR."""
    return processor_seconds(case.command(mo, folder, n), LIMIT), layers(folder)


@functools.cache
def pace(mo, nodes=6000):
    """The seconds that a conversion may take at all, and for each node of the model or of the IR."""
    case = next(cases("operations", True, "^relu$"))
    with tempfile.TemporaryDirectory(prefix="mo-sweep-") as folder:
        def seconds(n):
            command = case.command(mo, folder, n)
            return min(processor_seconds(command, LIMIT) for _ in range(5))
        least, many = seconds(2), seconds(nodes)
    return START * least, MOST * (many - least) / nodes


def measured(job):
    """{(name, kind): seconds} of some cases that were slow, and the number of all."""
    mo, source, everything, only, part, parts, nodes, (start, most) = job
    slow, count = {}, 0
    with tempfile.TemporaryDirectory(prefix="mo-sweep-") as folder:
        for at, case in enumerate(cases(source, everything, only)):
            if at % parts != part:
                continue
            n = max(nodes // case.size, 2)
            seconds, made = converted(mo, case, folder, n)
            count += 1
            if seconds is not None and seconds < start + most * max(made, n * case.size):
                continue
            # Equal nodes of copies become one in the end: how many there were, the IR of one repetition tells.
            if seconds is None or seconds >= start + most * n * converted(mo, case, folder, 1)[1]:
                slow[case.name, case.kind] = seconds or LIMIT
    return slow, count


def sweep(mo, sources=SOURCES, everything=False, nodes=NODES, only=".", one_of=1):
    """The slow cases, and the number of all. `one_of`: of so many cases that follow each other one is tried."""
    workers, allowed = os.cpu_count() or 1, pace(mo)
    jobs = [(mo, source, everything, only, part * one_of, workers * one_of, nodes, allowed) for source in sources for part in range(workers)]
    slow, count = {}, 0
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for found, tried in pool.imap(measured, jobs):
            slow |= found
            count += tried
    return slow, count


def main():
    """sweep.py MO first|all [SOURCE ...]"""
    slow, count = sweep(os.path.abspath(sys.argv[1]), sys.argv[3:] or SOURCES, sys.argv[2] == "all")
    for name, kind in slow:
        print(f"{name}, {kind}")
    print(f"{count} cases, {len(slow)} slow")


if __name__ == "__main__":
    main()
