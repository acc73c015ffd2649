"""MaxUnpool of what MaxPool gives, against ONNX Runtime. For places that are inputs, ONNX's conformance cases have the numbers."""
import subprocess

import numpy as np
import pytest

import judge
import nodes

HEAD = '<ir_version: 8, opset_import: ["" : 11]>\n'
POOL = "kernel_shape = [2, 2], strides = [2, 2]"
BOTH = """g (float[%s] x) => (y) {
      p, i = MaxPool <%s> (x)
      s = Shape (x)
      y = MaxUnpool <%s> (p, i, s)
    }"""
PADDED = "kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]"

MODELS = {
    "with_rows_left_over": (BOTH % ("1, 2, 7, 9", POOL, POOL), [(1, 2, 7, 9)]),
    "unknown_sizes": (BOTH % ("N, 2, H, W", POOL, POOL), [(1, 2, 7, 9), (3, 2, 4, 5)]),
    "padded": (BOTH % ("2, 2, 7, 9", PADDED, PADDED), [(2, 2, 7, 9)]),
    "one_axis": (BOTH % ("2, 2, 7", "kernel_shape = [2], strides = [2]", "kernel_shape = [2], strides = [2]"), [(2, 2, 7)]),
    "without_a_shape": (f"""g (float[N, 2, 6, 8] x) => (y) {{
      p, i = MaxPool <{POOL}> (x)
      y = MaxUnpool <{POOL}> (p, i)
    }}""", [(2, 2, 6, 8)]),
    "in_a_branch": (f"""g (float[2, 2, 5, 7] x, bool c) => (y) {{
      p, i = MaxPool <{POOL}> (x)
      s = Shape (x)
      y = If (c) <
        then_branch = t () => (a) {{ j = Identity (i) a = MaxUnpool <{POOL}> (p, j, s) }},
        else_branch = e () => (b) {{ b = Neg (x) }}
      >
    }}""", [(2, 2, 5, 7)]),
}


@pytest.mark.parametrize("name", MODELS)
def test_numbers(tmp_path, name):
    text, shapes = MODELS[name]
    model = nodes.write_text(tmp_path, HEAD, text)
    xml = judge.convert(model, tmp_path)
    for shape in shapes:
        feeds = {"x": np.random.default_rng(5).standard_normal(shape, dtype=np.float32)}
        judge.assert_same(model, xml, feeds | ({"c": np.array(True)} if "bool c" in text else {}), 0)


def test_more_places_than_elements(tmp_path):
    """The pool leaves a row out, so the places are not those of the smaller tensor; the runtime would write beside it."""
    model = nodes.write_text(tmp_path, HEAD, f"g (float[1, 2, 7, 8] x) => (y) {{ p, i = MaxPool <{POOL}> (x) y = MaxUnpool <{POOL}> (p, i) }}")
    run = subprocess.run([judge.MO, model, "--output_dir", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 1 and 'MO2004' in run.stderr and "places in [1,2,7,8] for 96 elements (node \"y\", MaxUnpool)" in run.stderr
