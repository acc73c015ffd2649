"""Inputs that ONNX wants as scalars, given as scalars and as lists of one, of known and unknown size, against ONNX Runtime."""
import numpy as np
import pytest

import judge
import nodes

HEAD = '<ir_version: 8, opset_import: ["" : 18]>\n'
X = np.random.default_rng(4).standard_normal((3, 5), dtype=np.float32)
BOXES = np.array([[[0, 0, 1, 1], [0, 0, 1, 1.1], [2, 2, 3, 3]]], np.float32)
SCORES = np.array([[[0.9, 0.8, 0.7]]], np.float32)
NMS = {"b": BOXES, "s": SCORES}

# (type of p, its value, other inputs, the operation, other feeds)
OPERATIONS = {
    "TopK": ("int64", 2, "float[3, 5] x", "y, i = TopK (x, p)", {"x": X}),
    "Range_start": ("int64", 2, "int64 end", "y = Range (p, end, one)", {"end": np.array(6)}),
    "Range_limit": ("float", 4.5, "float start", "y = Range (start, p, step)", {"start": np.array(1, np.float32)}),
    "Range_delta": ("int64", 2, "int64 end", "y = Range (one, end, p)", {"end": np.array(6)}),
    "OneHot": ("int64", 4, "int64[3] x", "y = OneHot (x, p, pair)", {"x": np.array([0, 2, 1])}),
    "CumSum": ("int64", 1, "float[3, 5] x", "y = CumSum (x, p)", {"x": X}),
    "Trilu": ("int64", 1, "float[3, 5] x", "y = Trilu (x, p)", {"x": X}),
    "Pad": ("float", 0.5, "float[3, 5] x", "y = Pad (x, pads, p)", {"x": X}),
    "DFT": ("int64", 4, "float[1, 6, 1] x", "y = DFT <axis = 1> (x, p)", {"x": X[:2, :3].reshape(1, 6, 1)}),
    "SequenceAt": ("int64", 1, "float[3, 5] x", "s = SplitToSequence <axis = 0> (x) y = SequenceAt (s, p)", {"x": X}),
    "NonMaxSuppression_boxes": ("int64", 2, "float[1, 3, 4] b, float[1, 1, 3] s", "y = NonMaxSuppression (b, s, p, half)", NMS),
    "NonMaxSuppression_overlap": ("float", 0.5, "float[1, 3, 4] b, float[1, 1, 3] s", "y = NonMaxSuppression (b, s, one, p)", NMS),
    "NonMaxSuppression_score": ("float", 0.75, "float[1, 3, 4] b, float[1, 1, 3] s", "y = NonMaxSuppression (b, s, two, half, p)", NMS),
}


@pytest.mark.parametrize("name,shape", [(name, shape) for name in OPERATIONS for shape in ("", "[1]", "[N]") if shape or name != "TopK"])
def test_numbers(tmp_path, name, shape):
    kind, value, inputs, operation, feeds = OPERATIONS[name]
    text = f"""g ({inputs}, {kind}{shape} p) => (y) <int64 one = {{1}}, int64 two = {{2}}, float step = {{1}}, float half = {{0.5}}, float[2] pair = {{0, 1}}, int64[4] pads = {{1, 0, 0, 2}}> {{
      {operation}
    }}"""
    model = nodes.write_text(tmp_path, HEAD, text)
    given = np.array(value, np.int64 if kind == "int64" else np.float32)
    judge.assert_same(model, judge.convert(model, tmp_path), {**feeds, "p": given.reshape((1,) if shape else ())}, 1e-5)
