"""Random graphs of ONNX: each is grown, judged, and cut down to what is wrong."""
import os

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper

import graph
import judge
import known
import steps
from values import Impossible

OPSETS = (13, 16, 17, 18, 20, 21, 22)
ENDING = ".onnx"


def grown(seed):
    rng = np.random.default_rng(seed)
    g = graph.Graph(rng, int(rng.choice(OPSETS)))
    for _ in range(int(rng.integers(1, 4))):
        g.input([int(n) for n in rng.integers(1, 5, int(rng.integers(0, 5)))], "float32" if rng.random() < 0.8 else "int64")
    for _ in range(int(rng.integers(1, 13))):
        try:
            g.choice(steps.STEPS)(g)
        except Impossible:
            pass
    return g


def expectation(model, feeds):
    session = ort.InferenceSession(model.SerializeToString(), graph.OPTIONS, providers=["CPUExecutionProvider"])
    return {one.name: value for one, value in zip(session.get_outputs(), session.run(None, feeds))}


def with_scales_moved(model, by):
    """The model with other scales of quantised numbers."""
    moved = onnx.ModelProto()
    moved.CopyFrom(model)
    scales = {node.input[1] for node in moved.graph.node if node.op_type in ("QuantizeLinear", "DequantizeLinear")}
    for one in moved.graph.initializer:
        if one.name in scales:
            one.CopyFrom(numpy_helper.from_array(np.asarray(numpy_helper.to_array(one) * (1 + by), np.float32), one.name))
    return moved


def is_stable(model, feeds, expected):
    """Whether inputs and scales that differ in the last digits give the same: not where a value lies at a step, as of Floor."""
    rng = np.random.default_rng(1)
    moved = {name: data if data.dtype != np.float32 else np.asarray(data * (1 + rng.uniform(-1e-6, 1e-6, data.shape)), np.float32) for name, data in feeds.items()}
    for again in (expectation(model, moved), *(expectation(with_scales_moved(model, by), feeds) for by in (-1e-6, 1e-6))):
        if any(judge.differs(wanted, again[name]) for name, wanted in expected.items()):
            return False
    return True


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


def tried(seed, folder):
    """(operations, what is wrong or "", the file of a model that shows it). Without operations there was no graph."""
    g = grown(seed)
    outputs = g.outputs()
    if not outputs:
        return [], "", None
    operations = [node.op_type for node in g.nodes]
    wrong, model = check(g, outputs, folder)
    if wrong:
        less, smaller = cut_down(g, wrong, folder)
        wrong, model = (less, smaller) if smaller else (wrong, model)
    return operations, wrong, model.SerializeToString() if wrong else None
