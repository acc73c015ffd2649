"""Pools by rules that ONNX does not have: an extension changes the attributes of Pooling, and the IR in the OpenVINO runtime gives what the formulas of the frameworks give."""
import itertools
import math

import numpy as np
import onnx
import onnx.parser
import pytest

import judge

MODULE = """
import {{ FrontReplacementSubgraph }} from '@mo/wasm/extension';
export class Rules extends FrontReplacementSubgraph {{
  static enabled = true;
  findAndReplacePattern(graph) {{
    for (const pool of graph.getOpNodes({{ op: 'Pooling' }})) {{
      pool.set('rounding_type', '{rounding}');
      pool.set('counted', '{counted}');
    }}
  }}
}}
"""


def count(rounding, size, kernel, stride, begin, end, padded):
    """The number of windows."""
    room = size + begin + end - kernel
    if rounding == "starts":
        return math.ceil(size / stride)
    windows = (room // stride if rounding == "floor" else math.ceil(room / stride)) + 1
    clips = rounding == "ceil_torch" or rounding == "ceil_caffe" and padded
    return windows - 1 if clips and (windows - 1) * stride >= size + begin else windows


def pooled(x, method, kernel, strides, pads, rounding, counted):
    """Window after window, as Caffe, MXNet and PaddlePaddle write it."""
    sizes, axes = x.shape[2:], range(2)
    counts = [count(rounding, sizes[i], kernel[i], strides[i], pads[i], pads[i + 2], any(pads)) for i in axes]
    y = np.zeros((*x.shape[:2], *counts), np.float32)
    for place in itertools.product(*map(range, counts)):
        begins = [place[i] * strides[i] - pads[i] for i in axes]
        behind = [min(begins[i] + kernel[i], sizes[i] + pads[i + 2]) for i in axes]
        padding = math.prod(behind[i] - begins[i] for i in axes)
        within = x[:, :, max(begins[0], 0):behind[0], max(begins[1], 0):behind[1]]
        elements = within.shape[2] * within.shape[3]
        assert elements > 0 or counted != "data", "a window over nothing"
        divisor = {"data": elements, "padding": padding, "kernel": math.prod(kernel)}[counted]
        y[(..., *place)] = within.max((2, 3)) if method == "max" else within.sum((2, 3)) / divisor
    return y


# Kernel, strides, pads, rules, and sizes of images in which each window has some data.
POOLS = {
    "clipped": ([2, 2], [3, 3], [1, 1, 1, 1], ["ceil_torch", "ceil_caffe"], [(7, 6), (8, 9), (5, 5)]),
    "overlapping": ([3, 3], [2, 2], [1, 1, 1, 1], ["floor", "ceil", "ceil_torch", "ceil_caffe"], [(7, 5), (9, 5)]),
    "padded at the end": ([4, 3], [2, 2], [0, 1, 1, 0], ["floor", "ceil", "ceil_torch", "ceil_caffe"], [(8, 6), (7, 9)]),
    "not padded": ([3, 2], [2, 2], [0, 0, 0, 0], ["floor", "ceil", "ceil_torch", "ceil_caffe", "starts"], [(8, 7), (6, 6), (9, 5)]),
}
# MXNet's full has windows that cover only padding.
ONLY_PADDING = ([2, 2], [3, 3], [1, 1, 1, 1], ["ceil"], [(5, 8), (8, 5), (5, 5)])
CASES = [(name, rounding, method, counted) for name, (_, _, _, roundings, _) in POOLS.items() for rounding in roundings
         for method, counted in (("max", "data"), ("avg", "data"), ("avg", "padding"), ("avg", "kernel"))]
POOLS["only padding"] = ONLY_PADDING
CASES += [("only padding", "ceil", "avg", "padding"), ("only padding", "ceil", "avg", "kernel")]


@pytest.mark.parametrize("name, rounding, method, counted", CASES, ids=[" ".join(case) for case in CASES])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_windows_of_each_rule(name, rounding, method, counted, known, tmp_path):
    kernel, strides, pads, _, images = POOLS[name]
    folder = tmp_path / "own" / "front" / "onnx"
    folder.mkdir(parents=True)
    (folder / "rules.js").write_text(MODULE.format(rounding=rounding, counted=counted))
    op = "MaxPool" if method == "max" else "AveragePool"
    for height, width in images[:1] if known else images:
        shape = f"2, 3, {height}, {width}" if known else "n, c, h, w"
        model = str(tmp_path / "model.onnx")
        onnx.save(onnx.parser.parse_model(
            f'<ir_version: 8, opset_import: ["" : 17]> g (float[{shape}] x) => (float[o, p, q, r] y) '
            f"{{ y = {op} <kernel_shape = {kernel}, strides = {strides}, pads = {pads}> (x) }}"), model)
        xml = judge.convert(model, tmp_path, "--extensions", str(tmp_path / "own"))
        x = np.random.default_rng(height).standard_normal((2, 3, height, width)).astype(np.float32)
        got = judge.in_openvino(xml, {"x": x})["y"]
        np.testing.assert_allclose(got, pooled(x, method, kernel, strides, pads, rounding, counted), rtol=1e-5, atol=1e-5)


def test_a_window_over_nothing_is_refused(tmp_path):
    import subprocess
    folder = tmp_path / "own" / "front" / "onnx"
    folder.mkdir(parents=True)
    (folder / "rules.js").write_text(MODULE.format(rounding="ceil", counted="data"))
    model = str(tmp_path / "model.onnx")
    onnx.save(onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> g (float[1, 1, 3, 4] x) => (float[o, p, q, r] y) '
        "{ y = MaxPool <kernel_shape = [1, 1], strides = [3, 1]> (x) }"), model)
    run = subprocess.run([judge.MO, model, "--output_dir", str(tmp_path), "--extensions", str(tmp_path / "own")], capture_output=True, text=True)
    assert run.returncode == 1
    assert "MO2004" in run.stderr and "a window that covers nothing of 3 elements" in run.stderr, run.stderr
