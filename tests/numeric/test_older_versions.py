"""Versions of operators that the ONNX backend cases do not have, from cases of a newer version.

A case of one node is stamped with the operator set that brought the older version, where ONNX's checker lets that version have
its attributes, inputs and outputs. Where ONNX Runtime gets the case itself right and knows the older version, its numbers are wanted,
else those of the case.
"""
import collections
import os

import numpy as np
import onnx
import pytest
from onnx import defs

import judge
import conform
import runtimes

MOST = 2  # cases of one version, and as many as need a newer runtime


def allows(schema, node):
    attributes = {a.name for a in node.attribute}
    required = {name for name, a in schema.attributes.items() if a.required}
    return (required <= attributes <= set(schema.attributes) and schema.min_input <= len(node.input) <= schema.max_input
            and schema.min_output <= len(node.output) <= schema.max_output)


def stamped(model, schema):
    """The model with the operator set of `schema`, or None where ONNX does not allow that."""
    if not allows(schema, model.graph.node[0]):
        return None
    older = onnx.ModelProto()
    older.CopyFrom(model)
    del older.opset_import[:]
    sets = {"": 17, schema.domain: schema.since_version}
    older.opset_import.extend(onnx.helper.make_opsetid(domain, version) for domain, version in sets.items())
    try:
        onnx.checker.check_model(older)
        onnx.shape_inference.infer_shapes(older, check_type=True, strict_mode=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return None
    return older


def listed(name):
    with open(os.path.join(judge.ROOT, "tests", "conformance", name)) as file:
        return [line.rstrip("\n").split("\t") for line in file]


def backend_cases():
    """(domain, name) → [(version, name of the case, folder)]: models of one node that pass."""
    passing, examples = {row[0] for row in listed("passing.txt")}, {row[6] for row in listed("runtimes.txt") if row[4] != runtimes.OLDEST}
    out = collections.defaultdict(list)
    for name, folder in sorted(conform.cases(conform.default_suites(), ""), key=lambda case: (case[0] not in examples, case[0])):
        if name in passing:
            keys, size = runtimes.operators(os.path.join(folder, "model.onnx"))
            for domain, op, version in keys if size == 1 else ():
                out[domain, op].append((version, name, folder, name in examples))
    return out


def older_versions():
    known = backend_cases()
    for schema in sorted(defs.get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version)):
        cases = known.get((schema.domain, schema.name), [])
        if schema.deprecated or any(case[0] == schema.since_version for case in cases):
            continue
        taken = collections.Counter()
        for version, name, folder, newer in cases:
            if version > schema.since_version and taken[newer] < MOST:
                model = onnx.load(os.path.join(folder, "model.onnx"))
                if stamped(model, schema):
                    taken[newer] += 1
                    yield pytest.param(schema, folder, id=f"{schema.name}-{schema.since_version}-{os.path.basename(folder)[5:]}")


def tensors(folder, kind, count):
    return [conform.load_tensor(os.path.join(folder, "test_data_set_0", f"{kind}_{i}.pb")) for i in range(count)]


def differences(got, want):
    return [why for g, w in zip(got, want) if (why := conform.compare(g, np.asarray(w)))]


def in_onnxruntime(path, inputs):
    """The outputs; none where it has no kernel for a version, or does not know the types."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state
    graph = onnx.load(path).graph
    try:
        got = judge.in_onnxruntime(path, {i.name: array for i, array in zip(graph.input, inputs)})
    except (state.NotImplemented, state.InvalidGraph, state.Fail, state.InvalidArgument, state.RuntimeException, RuntimeError):
        return []
    return [got[o.name] for o in graph.output]


@pytest.mark.parametrize("schema,folder", list(older_versions()))
def test_older_version(tmp_path, schema, folder):
    model = stamped(onnx.load(os.path.join(folder, "model.onnx")), schema)
    path = str(tmp_path / "model.onnx")
    onnx.save(model, path)
    names = [i.name for i in model.graph.input]
    inputs = tensors(folder, "input", len(names))
    compiled = judge.compiled_for_cpu(judge.convert(path, tmp_path))
    request = compiled.create_infer_request()
    conform.feed(compiled, request, names, inputs)
    request.infer()
    got = [conform.from_runtime(request.get_tensor(port)) for port in compiled.outputs]
    want = tensors(folder, "output", len(model.graph.output))
    of_case = in_onnxruntime(os.path.join(folder, "model.onnx"), inputs)
    if of_case and not differences(of_case, want):
        want = in_onnxruntime(path, inputs) or want
    assert not differences(got, want)
