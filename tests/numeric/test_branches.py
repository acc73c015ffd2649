"""Operations behind an If whose branches differ in rank, against ONNX Runtime: they move into the branches, or a branch is left out."""
import itertools
import os

import numpy as np
import pytest

import judge
import nodes

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'

# Two dimensions from x of [N, 3] in one branch, three in the other.
TWO_OR_THREE = """y = If (c) <
        then_branch = t () => (a) { a = Relu (x) },
        else_branch = e () => (b) { b = Unsqueeze (x, first) }
      >"""
WEIGHTS = "int64[1] first = {0}, int64[2] rows = {-1, 3}, float[3] w = {1, 2, 3}, int64 rank = {2}"

MODELS = {
    "reduced": f"""g (bool c, float[N, 3] x) => (z) <{WEIGHTS}> {{
      {TWO_OR_THREE}
      s = Exp (y)
      z = ReduceSum <keepdims = 0> (s)
    }}""",
    "several_readers": f"""g (bool c, float[N, 3] x) => (z, u, v) <{WEIGHTS}> {{
      {TWO_OR_THREE}
      z = ReduceMax <keepdims = 0> (y)
      s = Neg (y)
      u = ReduceMax <keepdims = 0> (s)
      f = Reshape (s, rows)
      v = Add (f, w)
    }}""",
    "several_outputs": f"""g (bool c, float[N, 3] x) => (z, k) <{WEIGHTS}> {{
      y, k, m = If (c) <
        then_branch = t () => (a, p, i) {{ a = Relu (x) p = Sin (x) i = Neg (x) }},
        else_branch = e () => (b, q, j) {{ b = Unsqueeze (x, first) q = Cos (x) r = Abs (x) j = Unsqueeze (r, first) }}
      >
      s = Mul (y, m)
      f = Reshape (s, rows)
      z = Add (f, k)
    }}""",
    "if_in_if": f"""g (bool c, bool d, float[N, 3] x) => (z) <{WEIGHTS}> {{
      y = If (c) <
        then_branch = t () => (a) {{
          a = If (d) <
            then_branch = tt () => (o) {{ o = Relu (x) }},
            else_branch = te () => (p) {{ p = Unsqueeze (x, first) }}
          >
        }},
        else_branch = e () => (b) {{ n = Neg (x) b = Unsqueeze (n, first) }}
      >
      s = Exp (y)
      z = Reshape (s, rows)
    }}""",
    "of_two_ifs": f"""g (bool c, bool d, float[N, 3] x) => (z, m) <{WEIGHTS}> {{
      {TWO_OR_THREE}
      v = If (d) <
        then_branch = vt () => (o) {{ o = Exp (x) }},
        else_branch = ve () => (p) {{ p = Unsqueeze (x, first) }}
      >
      fy = Neg (y)
      ry = Reshape (fy, rows)
      rv = Reshape (v, rows)
      s = Concat <axis = 0> (ry, rv)
      z = ReduceSum <keepdims = 0> (s)
      u = Mul (fy, v)
      m = ReduceMax <keepdims = 0> (u)
    }}""",
    "second_if_behind_the_first": f"""g (bool c, bool d, float[N, 3] x) => (z) <{WEIGHTS}> {{
      {TWO_OR_THREE}
      f = Reshape (y, rows)
      v = If (d) <
        then_branch = vt () => (o) {{ o = Exp (f) }},
        else_branch = ve () => (p) {{ p = Unsqueeze (f, first) }}
      >
      u = Mul (y, v)
      z = ReduceMax <keepdims = 0> (u)
    }}""",
    "asks_for_the_rank": f"""g (bool c, float[N, 3] x) => (z) <{WEIGHTS}> {{
      {TWO_OR_THREE}
      s = Shape (y)
      n = Size (s)
      q = Equal (n, rank)
      v = If (q) <
        then_branch = vt () => (o) {{ o = Unsqueeze (y, first) }},
        else_branch = ve () => (p) {{ p = Neg (y) }}
      >
      z = Reshape (v, rows)
    }}""",
    "captured_in_a_loop": f"""g (bool c, int64 n, float[N, 3] x) => (z) <{WEIGHTS}> {{
      {TWO_OR_THREE}
      start = Constant <value_float = 1.0> ()
      z = Loop (n, , start) <
        body = b (int64 i, bool go, float v) => (on, r) {{
          on = Identity (go)
          m = ReduceMax <keepdims = 0> (y)
          r = Add (v, m)
        }}
      >
    }}""",
    "in_a_loop": f"""g (int64 n, float[N, 3] x) => (z) <{WEIGHTS}> {{
      z = Loop (n, , x) <
        body = b (int64 i, bool go, float[N, 3] v) => (on, r) {{
          on = Identity (go)
          q = Equal (i, rank)
          y = If (q) <
            then_branch = t () => (a) {{ a = Exp (v) }},
            else_branch = e () => (b) {{ b = Unsqueeze (v, first) }}
          >
          f = Reshape (y, rows)
          r = Add (f, w)
        }}
      >
    }}""",
}

X = np.array([[0.5, -1.25, 2], [1, 0.25, -3]], np.float32)
FEEDS = {"captured_in_a_loop": {"n": [np.array(3)]}, "in_a_loop": {"n": [np.array(1), np.array(4)]}}


@pytest.mark.parametrize("name", MODELS)
def test_both_branches(tmp_path, name):
    model = nodes.write_text(tmp_path, HEAD, MODELS[name], name)
    xml = judge.convert(model, tmp_path)
    choices = {flag: [np.array(True), np.array(False)] for flag in "cd" if f"bool {flag}," in MODELS[name]} | FEEDS.get(name, {})
    for x in (X, X[:1]):
        for values in itertools.product(*choices.values()):
            judge.assert_same(model, xml, {"x": x, **dict(zip(choices, values))}, 1e-5)


SQUEEZE = """g (float[N, 3, K] x) => (z) <int64[1] last = {-1}, float[3, 4] w = {%s}> {
      s = Shape (x)
      k = Gather (s, last)
      one = Constant <value_ints = [1]> ()
      q = Equal (k, one)
      y = If (q) <
        then_branch = t () => (a) { a = Squeeze (x, last) },
        else_branch = e () => (b) { b = Identity (x) }
      >
      r = Relu (y)
      z = Gemm (r, w)
    }""" % ", ".join(str(i / 8) for i in range(12))


def test_a_branch_that_does_not_fit_is_left_out(tmp_path):
    """Gemm takes two dimensions only, so the branch with three is left out, and the If with it."""
    model = nodes.write_text(tmp_path, HEAD, SQUEEZE, "squeeze")
    xml = judge.convert(model, tmp_path)
    judge.assert_same(model, xml, {"x": X[:, :, None]}, 1e-5)
    with open(xml) as f:
        assert 'type="If"' not in f.read()


def test_weights_are_shared(tmp_path):
    """The product is in both branches, its weights are in the .bin once."""
    model = nodes.write_text(tmp_path, HEAD, f"""g (bool c, float[N, 3] x) => (z) <int64[1] first = {{0}}, float[3, 512] table = {{{", ".join(str(i % 7 / 8) for i in range(1536))}}}> {{
      y = If (c) <
        then_branch = t () => (a) {{ a = Relu (x) }},
        else_branch = e () => (b) {{ b = Unsqueeze (x, first) }}
      >
      p = MatMul (y, table)
      z = ReduceMax <keepdims = 0> (p)
    }}""", "shared")
    xml = judge.convert(model, tmp_path)
    for c in (True, False):
        judge.assert_same(model, xml, {"c": np.array(c), "x": X}, 1e-5)
    with open(xml) as f:
        assert f.read().count('type="MatMul"') == 2
    assert os.path.getsize(xml[:-4] + ".bin") < 1.1 * 4 * 3 * 512
