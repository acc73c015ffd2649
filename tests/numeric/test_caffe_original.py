"""Networks of Caffe against the original Model Optimizer: no case that it converts rightly is lost, and no IR has more operations than its IR.

tests/caffe/original.txt has each case that it passes, with the operations of its IR, and how many of them are Transposes; REFERENCE=mo judges it,
with UPDATE=1 the list is written again. tests/caffe/more_operations.txt has the cases where ours are more, with the reason.
"""
import concurrent.futures
import multiprocessing
import os
import re
import sys

import pytest

import judge
import references
from caffe_judge import compare, converted, detections, in_runtime
from references import REFERENCE, Stopped

FOLDER = os.path.join(judge.ROOT, "tests", "caffe")
sys.path.insert(0, FOLDER)
import every  # noqa: E402

UPDATE = "UPDATE" in os.environ
LIST = os.path.join(FOLDER, "original.txt")
MORE = every.listed(os.path.join(FOLDER, "more_operations.txt"))
FOUND = {}


def recorded():
    if UPDATE and not os.path.exists(LIST):
        return {}
    with open(LIST, encoding="utf-8") as file:
        rows = [line.split() for line in file.read().splitlines() if not line.startswith("#")]
    return {name: (int(operations), int(transposes)) for name, operations, transposes in rows}


PASSED = recorded()


def counted(xml):
    """The operations of an IR, and how many of them are Transposes."""
    with open(xml, encoding="utf-8") as file:
        types = re.findall(r'<layer [^>]*type="(\w+)"', file.read())
    return sum(kind not in ("Parameter", "Const", "Result") for kind in types), types.count("Transpose")


def results_and_nodes(xml, feeds):
    """Results by the names of their tensors, and by the names of their nodes."""
    outputs = judge.core().read_model(xml).outputs
    found = in_runtime(xml, feeds)
    return found, {port.node.input_value(0).node.friendly_name: found[name] for port in outputs for name in port.get_names()}


POOL = []


def apart(work, *arguments):
    """Runs `work` in a process of its own, because some IRs crash the runtime."""
    if not POOL:
        POOL.append(concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
    try:
        return POOL[0].submit(work, *arguments).result()
    except concurrent.futures.process.BrokenProcessPool:
        POOL.clear()
        raise Stopped("the runtime crashes", "") from None
    except RuntimeError as error:
        raise Stopped("runtime", str(error)) from None


def by_original(net, model, folder):
    """Its IR, or why it does not pass."""
    xml = references.convert(["--input_model", model], None, folder)
    found, of_node = apart(results_and_nodes, xml, net.feeds)
    named = {}
    for top, value in net.results().items():
        node = net.makers[top][0]
        named.update({top: results[name] for results, name in ((of_node, node), (found, top)) if name in results})
        if top not in named and len(found) == 1:
            named[top] = next(iter(found.values()))
    try:
        compare(net.results(), named, detections(net))
    except AssertionError as difference:
        raise Stopped("numbers", str(difference)) from None
    return xml


def judge_the_original(name, net, model, folder):
    FOUND[name] = None
    try:
        FOUND[name] = counted(by_original(net, model, folder))
    except Stopped as stopped:
        assert UPDATE or name not in PASSED, stopped
        pytest.xfail(str(stopped))
    assert UPDATE or FOUND[name] == PASSED.get(name)


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    if not (UPDATE and REFERENCE):
        return
    rows = {name: row for name, row in PASSED.items() if name in every.NAMES and name not in FOUND} | {name: row for name, row in FOUND.items() if row}
    with open(LIST, "w", encoding="utf-8") as file:
        file.write(f"# Passed by {references.who()}: operations, Transposes\n")
        file.writelines(f"{name} {rows[name][0]} {rows[name][1]}\n" for name in sorted(rows))


@pytest.mark.parametrize("name", every.NAMES if REFERENCE else PASSED)
def test_against_the_original(name, tmp_path):
    net = every.build(name)
    model = net.write(tmp_path)
    if REFERENCE:
        return judge_the_original(name, net, model, str(tmp_path))
    xml, _ = converted(model, tmp_path)
    compare(net.results(), in_runtime(xml, net.feeds), detections(net))
    (operations, transposes), (most, most_transposes) = counted(xml), PASSED[name]
    assert transposes <= most_transposes
    if name in MORE:
        assert operations > most, "not more than the original has: the case is listed in more_operations.txt without need"
    else:
        assert operations <= most, f"{operations}, the original has {most}"


def test_the_lists_name_cases():
    assert PASSED.keys() <= set(every.NAMES) and MORE.keys() <= PASSED.keys()
    assert len(PASSED) >= 140
