"""Each operation that a format reads is among the models that run.py and sweep.py repeat, or rows_without_case.txt says why not.

A row whose rest is that of a row with a model becomes the same operations by the same code: it needs no model of its own."""
import ast
import functools
import os
import re
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import control_flow  # noqa: E402
import onnx  # noqa: E402
import onnx_graphs  # noqa: E402
import repeated  # noqa: E402
import sweep  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
SOURCES = {"tf": ["tensorflow"], "paddle": ["paddle", "paddle3"]}
ROW = re.compile(r'^[A-Z]+_(SAME|CALL|LOADED)\((?:(\d+), )?(\w+), ?((?:[^()"]|"[^"]*"|\n)*)\)', re.M)
FORMATS = sorted(name for name in os.listdir(os.path.join(ROOT, "core", "front")) if os.path.exists(os.path.join(ROOT, "core", "front", name, "extract", "operators.def")))


def rows(framework):
    """(name, number, the rest) of each row that is not refused; for ONNX the name has the domain."""
    with open(os.path.join(ROOT, "core", "front", framework, "extract", "operators.def"), encoding="utf-8") as file:
        for kind, number, name, rest in ROW.findall(file.read()):
            rest = " ".join(rest.split())
            if framework == "onnx":
                domain, _, rest = rest.partition(", ")
                name = f"{ast.literal_eval(domain)}.{name}".removeprefix(".")
            yield name, number, (kind, rest)


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from nodes(body)


def onnx_operations():
    models = [seed.model for source in ("operations", "rewrites") for seed, _, _ in sweep.SOURCES[source]()]
    models += [onnx.ModelProto.FromString(make(2)) for make in control_flow.KINDS.values()]
    for node in (node for model in models for node in nodes(model.graph)):
        domain = "" if node.domain == "ai.onnx" else node.domain
        yield f"{domain}.{node.op_type}".removeprefix(".")


def recorded_operations(framework):
    for source in SOURCES.get(framework, [framework]):
        for seed in repeated.RECORDED[source]():
            for op in seed.ops:
                if framework == "tflite":
                    code = ast.literal_eval(op)
                    custom = code.get(1, b"")
                    yield custom.decode() if custom else str(int.from_bytes(code.get(3, code.get(0, b"")), "little"))
                else:  # "torch.ops.aten.add.Tensor", "1.relu"
                    yield from {op, *op.split(".")[-2:]}


def without_case(framework):
    found = set(onnx_operations() if framework == "onnx" else recorded_operations(framework))
    every = list(rows(framework))
    has = lambda name, number: name in found or number in found
    covered = {rest for name, number, rest in every if has(name, number)}
    # ONNX's table has rows of other domains that read alike; each of them has a model all the same.
    return [name for name, number, rest in every if not has(name, number) and (framework == "onnx" or rest not in covered)], every


@functools.cache
def listed():
    """{framework: {name: the reason}}"""
    found, reason = {}, ""
    with open(os.path.join(HERE, "rows_without_case.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("# "):
                reason = line[2:].strip()
            elif line.strip():
                framework, name = line.split()
                found.setdefault(framework, {})[name] = reason
    return found


@pytest.mark.parametrize("framework", FORMATS)
def test_each_row_has_a_case(framework):
    missing, every = without_case(framework)
    assert every
    assert sorted(missing) == sorted(listed().get(framework, {}))
