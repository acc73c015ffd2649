"""Operators of PaddlePaddle 1.x that the version with which cases are recorded does not have: lstmp, lstm_unit, prroi_pool. NumPy is the reference."""
import os
import subprocess
import sys

import numpy as np
import pytest

import judge

sys.path.append(os.path.join(judge.ROOT, "tests", "paddle"))
import program as wire  # noqa: E402

RNG = np.random.default_rng(3)


def attribute(name, value):
    code, field = {bool: (6, "b"), int: (0, "i"), float: (1, "f"), str: (2, "s")}[type(value)]
    return {"name": name, "type": code, field: value}


def variable(name, array=None, kind=wire.DENSE, persistable=False, shape=None, lod=0):
    described = {} if array is None else {"lod_tensor": {"tensor": {"data_type": wire.TYPES[array.dtype.name], "dims": list(shape or array.shape)}, "lod_level": lod}}
    return {"name": name, "type": {"type": kind, **described}, "persistable": int(persistable)}


def written(folder, kind, feeds, parameters, outputs, attrs, lod=()):
    """A program of one operator; feeds and parameters by slot."""
    ops = [{"type": "feed", "inputs": [{"parameter": "X", "arguments": ["feed"]}], "outputs": [{"parameter": "Out", "arguments": [slot]}], "attrs": [attribute("col", at)]} for at, slot in enumerate(feeds)]
    ops.append({"type": kind, "inputs": [{"parameter": slot, "arguments": [slot]} for slot in (*feeds, *parameters)], "outputs": [{"parameter": slot, "arguments": ["out_" + slot]} for slot in outputs],
                "attrs": [attribute(*one) for one in attrs.items()]})
    ops += [{"type": "fetch", "inputs": [{"parameter": "X", "arguments": ["out_" + slot]}], "outputs": [{"parameter": "Out", "arguments": ["fetch"]}], "attrs": [attribute("col", at)]} for at, slot in enumerate(outputs)]
    made = [variable("feed", kind=wire.FEED, persistable=True), variable("fetch", kind=wire.FETCH, persistable=True)]
    made += [variable(slot, array, shape=[-1, *array.shape[1:]] if slot in lod else None, lod=int(slot in lod)) for slot, array in feeds.items()]
    made += [variable(slot, array, persistable=True) for slot, array in parameters.items()]
    made += [variable("out_" + slot, np.zeros((1, 1), np.float32)) for slot in outputs]
    path = os.path.join(folder, "model.pdmodel")
    with open(path, "wb") as file:
        file.write(wire.serialise({"blocks": [{"idx": 0, "parent_idx": -1, "vars": made, "ops": ops}], "version": {"version": 1008000}}))
    if parameters:
        with open(os.path.join(folder, "model.pdiparams"), "wb") as file:
            file.write(wire.combined(parameters))
    return path


def results(folder, kind, feeds, parameters, outputs, attrs, lod=()):
    path = written(folder, kind, feeds, parameters, outputs, attrs, lod)
    subprocess.run([judge.MO, "--input_model", path, "--output_dir", folder, "--compress_to_fp16=False"], check=True, capture_output=True)
    compiled = judge.compiled_for_cpu(judge.core().read_model(os.path.join(folder, "model.xml")))
    found = compiled([feeds[port.get_any_name()] for port in compiled.inputs])
    return [found[at] for at in range(len(outputs))]


def close(got, want):
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape
        assert np.abs(one - other).max() <= 1e-4 * max(1, np.abs(other).max())


def draw(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("peepholes,reverse,clip,activation", [(True, False, 0.0, "tanh"), (False, True, 0.1, "identity"), (True, False, 0.0, "identity")])
def test_lstmp(tmp_path, peepholes, reverse, clip, activation):
    """Gates c i f o; the projection is what the next step sees."""
    time, size, out = 5, 3, 2
    x, w, p, bias = draw(time, 4 * size), draw(out, 4 * size), draw(size, out), draw(1, (7 if peepholes else 4) * size)
    h, c, hidden, cells = np.zeros((1, out)), np.zeros((1, size)), np.zeros((time, out)), np.zeros((time, size))
    for step in range(time)[::-1] if reverse else range(time):
        g, i, f, o = np.split(x[step] + bias[:, :4 * size] + h @ w, 4, 1)
        checks = np.split(bias[:, 4 * size:], 3, 1) if peepholes else [0, 0, 0]
        i, f = sigmoid(i + c * checks[0]), sigmoid(f + c * checks[1])
        c = f * c + i * np.tanh(g)
        if clip:
            c = np.clip(c, -clip, clip)
        h = sigmoid(o + c * checks[2]) * np.tanh(c) @ p
        h = np.tanh(h) if activation == "tanh" else h
        if clip:
            h = np.clip(h, -clip, clip)
        hidden[step], cells[step] = h, c
    got = results(str(tmp_path), "lstmp", {"Input": x}, {"Weight": w, "ProjWeight": p, "Bias": bias}, ["Projection", "Cell"],
                  {"use_peepholes": peepholes, "is_reverse": reverse, "cell_clip": clip, "proj_clip": clip, "proj_activation": activation}, lod=["Input"])
    close(got, [hidden, cells])


@pytest.mark.parametrize("bias", [0.0, 0.5])
def test_lstm_unit(tmp_path, bias):
    """Gates i f o c."""
    x, c = draw(2, 12), draw(2, 3)
    i, f, o, g = np.split(x, 4, 1)
    cell = sigmoid(f + bias) * c + sigmoid(i) * np.tanh(g)
    close(results(str(tmp_path), "lstm_unit", {"X": x, "C_prev": c}, {}, ["C", "H"], {"forget_bias": bias}), [cell, sigmoid(o) * np.tanh(cell)])


def test_prroi_pool(tmp_path):
    """The interpolated map summed at many points of each bin."""
    x, numbers = draw(2, 3, 8, 9), np.array([1, 2], np.int64)
    boxes = np.array([[1, 2, 11, 13], [0, 0, 17, 15], [5.5, 3.25, 9, 6]], np.float32)
    rows, columns, points, scale = 3, 2, 64, 0.5
    want = np.zeros((3, 3, rows, columns))
    for at, (left, top, right, bottom) in enumerate(boxes * scale):
        def weights(begin, end, bins, size):
            step = (end - begin) / bins
            places = begin + (np.arange(bins * points) + 0.5) * step / points
            return np.maximum(1 - np.abs(places[:, None] - np.arange(size)), 0).reshape(bins, points, size).mean(1)
        want[at] = weights(top, bottom, rows, 8) @ x[0 if at == 0 else 1] @ weights(left, right, columns, 9).T
    got = results(str(tmp_path), "prroi_pool", {"X": x, "ROIs": boxes, "BatchRoINums": numbers}, {}, ["Out"], {"pooled_height": rows, "pooled_width": columns, "spatial_scale": scale})
    assert np.abs(got[0] - want).max() < 2e-3
