"""Options of small weights that are wrong, or fit nothing: code, exit code, and an older IR that stays as it is."""
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
SIZES = (100, 96, 128, 8)


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def drawn(name, *shape):
    return numpy_helper.from_array(np.random.default_rng(len(name)).standard_normal(shape).astype(np.float32), name)


def written(folder, nodes, weights, inputs, output):
    path = folder / "m.onnx"
    graph = helper.make_graph(nodes, "g", inputs, [value(output, None)], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return str(path)


@pytest.fixture
def model(tmp_path):
    """Three products, which sum over 100, 96 and 128."""
    pairs = list(zip(SIZES, SIZES[1:]))
    nodes = [helper.make_node("MatMul", ["x" if i == 0 else f"p{i - 1}", f"w{i}"], [f"p{i}"], name=f"p{i}") for i in range(len(pairs))]
    return written(tmp_path, nodes, [drawn(f"w{i}", *pair) for i, pair in enumerate(pairs)], [value("x", [2, SIZES[0]])], "p2")


def run(path, *options):
    return subprocess.run([MO, path, "--output_dir", os.path.dirname(path), *options], capture_output=True, text=True, timeout=60)


def contents(folder):
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


# What contradicts --weight_format, or has a wrong value, is an error of the command line; what the model shows to be wrong is one of the model.
WRONG = [
    (["--sym"], 2, "MO6090", ["--sym is for --weight_format int8 and int4"]),
    (["--ignored_scope", "p0"], 2, "MO6090", ["--ignored_scope is for"]),
    (["--weight_format", "fp32", "--ignored_scope", "p0"], 2, "MO6090", ["--ignored_scope is for"]),
    (["--weight_format", "fp16", "--group_size", "-1"], 2, "MO6090", ["--group_size is for --weight_format int4"]),
    (["--weight_format", "int8", "--group_size", "64"], 2, "MO6090", ["--group_size is for --weight_format int4"]),
    (["--weight_format", "int8", "--group_size_fallback", "error"], 2, "MO6090", ["--group_size_fallback is for"]),
    (["--weight_format", "int8", "--backup_precision", "int8_sym"], 2, "MO6090", ["--backup_precision is for"]),
    (["--weight_format", "int8", "--all_layers"], 2, "MO6090", ["--all_layers is for"]),
    (["--weight_format", "nf4"], 2, "MO6002", ["--weight_format is", "fp32, fp16, int8, int4"]),
    (["--weight_format", "int4", "--group_size", "0"], 2, "MO6002", ["128, 64, 32, -1"]),
    (["--weight_format", "int4", "--group_size", "-128"], 2, "MO6002", ["--group_size is"]),
    (["--weight_format", "int8", "--ignored_scope", "{re}p["], 2, "MO6040", ["--ignored_scope"]),
    (["--weight_format", "int4", "--group_size_fallback", "error"], 1, "MO6091", ['128: "p0" (100), "p1" (96)']),
    (["--weight_format", "int4", "--group_size_fallback", "error", "--group_size", "32"], 1, "MO6091", ['32: "p0" (100)']),
    (["--weight_format", "int8", "--ignored_scope", "p0,lost,{re}^q\\d"], 1, "MO6092", ['"lost", "{re}^q\\d"']),
    (["--weight_format", "int4", "--ignored_scope", "P0"], 1, "MO6092", ['"P0"']),
]


@pytest.mark.parametrize(("options", "status", "code", "texts"), WRONG, ids=[" ".join(options) for options, *_ in WRONG])
def test_is_refused_and_writes_nothing(model, options, status, code, texts):
    folder = os.path.dirname(model)
    assert run(model, "--compress_to_fp16=False").returncode == 0
    before = contents(folder)
    assert {"m.xml", "m.bin"} < before.keys()
    done = run(model, *options)
    assert done.returncode == status, done.stdout + done.stderr
    assert re.findall(r"^\[ ERROR \]  (MO\d+) ", done.stderr, re.M) == [code], done.stderr
    for text in texts:
        assert text in done.stderr
    assert contents(folder) == before


def test_layers_left_out_are_not_asked_for_groups(model):
    """An ignored layer, and the last one, which keeps 8 bits, need no groups."""
    done = run(model, "--weight_format", "int4", "--group_size_fallback", "error", "--group_size", "32", "--ignored_scope", "p0", "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["layer"]: row for row in json.loads(done.stdout)["report"]["weights"]}
    assert rows["p0"]["stays"] == "ignored"
    assert [rows["p1"]["format"], rows["p1"]["group_size"], rows["p2"]["format"]] == ["int4_asym", 32, "int8_asym"]


@pytest.mark.parametrize("format", ["int8", "int4"])
def test_a_model_without_such_layers_is_converted_and_said(tmp_path, format):
    path = written(tmp_path, [helper.make_node("Mul", ["x", "w"], ["y"])], [drawn("w", 64)], [value("x", [64])], "y")
    done = run(path, "--weight_format", format, "--compress_to_fp16=False")
    assert done.returncode == 0 and re.findall(r"^\[ WARNING \]  (MO\d+) ", done.stderr, re.M) == ["MO5005"], done.stderr
    assert os.path.getsize(tmp_path / "m.bin") == 4 * 64
