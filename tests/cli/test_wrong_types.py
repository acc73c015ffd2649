"""Models that give an operation a type which it does not take: the error is one of the model, with its node, never one of the converter."""
import os
import re
import subprocess
import sys

import onnx
import pytest
from onnx import TensorProto as T
from onnx import helper as h

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))
sys.path.append(os.path.join(ROOT, "tests", "paddle"))
import small  # noqa: E402
from small import op, var  # noqa: E402

HINT = "run the model in its own framework, which should refuse it too; if it does not, report this"
FLOATS, NUMBERS = [("x", T.FLOAT, [2, 3]), ("i", T.INT64, [2, 3])], [("x", T.FLOAT, [3])]
CHOICE = [h.make_node("Cast", ["x"], ["b"], to=T.BOOL), h.make_node("Where", ["b", "x", "i"], ["y"], name="last")]


def node(op_type, inputs, **attributes):
    return [h.make_node(op_type, inputs, ["y"], name="last", **attributes)]


ONNX = {
    "indices": (node("Gather", ["x", "x"]), FLOATS, "input 1 is FP32, want one of", "Gather"),
    "shape": (node("Reshape", ["x", "x"]), NUMBERS, "input 1 is FP32, want one of", "Reshape"),
    "sizes": (node("Expand", ["x", "x"]), NUMBERS, "input 1 is FP32, want one of", "Broadcast"),
    "axes": (node("ReduceSum", ["x", "x"]), NUMBERS, "input 1 is FP32, want one of", "ReduceSum"),
    "condition": (node("Where", ["x", "x", "x"]), FLOATS, "input 0 is FP32, want one of boolean", "Where"),
    "choices": (CHOICE, FLOATS, "input 2 is I64, and input 1 FP32", "Where"),
    "parts": (node("Concat", ["x", "x", "i"], axis=0), FLOATS, "input 2 is I64, and input 0 FP32", "Concat"),
    "terms": (node("Einsum", ["x", "i"], equation="ij,ij->i"), FLOATS, "input 1 is I64, and input 0 FP32", "Einsum"),
}


def refused(folder, model):
    done = subprocess.run([MO, "--input_model", str(model), "--output_dir", str(folder / "out")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and not (folder / "out").exists(), done.stdout
    assert re.findall(r"^\[ ERROR \]  (MO\d{4}) ", done.stderr, re.M) == ["MO2005"], done.stderr
    assert HINT in done.stderr
    return done.stderr


@pytest.mark.parametrize("case", ONNX)
def test_onnx(tmp_path, case):
    nodes, inputs, said, operation = ONNX[case]
    graph = h.make_graph(nodes, "g", [h.make_tensor_value_info(*row) for row in inputs], [h.make_tensor_value_info("y", T.FLOAT, None)])
    onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 17)]), tmp_path / "m.onnx")
    text = refused(tmp_path, tmp_path / "m.onnx")
    assert said in text
    assert re.search(rf'\(node "last", {operation}\)', text), text


def test_paddle(tmp_path):
    """Places to gather are numbers with fractions."""
    content = small.fed([var("x"), var("at")], ["y"], [op("gather", {"X": "x", "Index": "at"}, {"Out": "y"}, axis=0)], [var("y")])
    text = refused(tmp_path, small.write(tmp_path, content))
    assert "input 1 is FP32, want one of" in text and re.search(r", byte \d+", text), text
