"""Conditions and trip counts of If and Loop with one element, of any rank, against ONNX Runtime."""
import subprocess

import numpy as np
import pytest

import judge
import nodes

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
BRANCHES = """If (%s) <
        then_branch = t () => (a) { a = Add (%s, one) },
        else_branch = e () => (b) { b = Sub (%s, one) }
      >"""
OUTER = """g (float[2, 3] x, bool%s c) => (y) <float one = {1}> { y = """ + BRANCHES % ("c", "x", "x") + " }"
INNER = """g (float[2, 3] x, int64 n) => (y) <float one = {1}, float most = {20}, int64 five = {5}> {
      y = Loop (n, , x) <
        body = outer (int64 i, bool go, float[2, 3] v) => (on, w) {
          on = Identity (go)
          sum = ReduceSum <keepdims = 1> (v)
          small = Less (sum, most)
          u = """ + BRANCHES % ("small", "v", "v") + """
          w = Loop (five, small, u) <
            body = inner (int64 j, bool[1, 1] go2, float[2, 3] p) => (on2, q) {
              q = Add (p, one)
              total = ReduceSum <keepdims = 1> (q)
              on2 = Less (total, most)
            }
          >
        }
      >
    }"""
LOOP = """g (float[2, 3] x, bool%s c, int64%s n) => (y) <float one = {1}, float most = {20}> {
      y = Loop (n, c, x) <
        body = b (int64 i, bool[] go, float[2, 3] v) => (on, w) {
          w = Add (v, one)
          sum = ReduceSum <keepdims = %d> (w)
          on = Less (sum, most)
        }
      >
    }"""
RANKS = {"scalar": ("", ()), "1": ("[1]", (1,)), "unknown": ("[N]", (1,)), "1_1": ("[1, 1]", (1, 1)), "unknown_2": ("[N, M]", (1, 1)), "1_1_1": ("[1, 1, 1]", (1, 1, 1))}

X = np.arange(6, dtype=np.float32).reshape(2, 3)
BOOLS = (True, False)
flags = lambda shape: [{"c": np.full(shape, value)} for value in BOOLS]

MODELS = {"if_of_" + name: (OUTER % text, flags(shape)) for name, (text, shape) in RANKS.items()}
MODELS["if_of_unknown_rank"] = ("""g (float[2, 3] x, bool[N] flat, int64[K] size) => (y) <float one = {1}> {
      c = Reshape (flat, size)
      y = """ + BRANCHES % ("c", "x", "x") + "}", [{"flat": np.full(1, value), "size": np.ones(rank, np.int64)} for value in BOOLS for rank in (1, 2)])
MODELS["if_of_a_constant"] = ("""g (float[2, 3] x) => (y) <float one = {1}, bool[1, 1] c = {0}> { y = """ + BRANCHES % ("c", "x", "x") + "}", [{}])
MODELS |= {f"loop_of_{first}_{count}_{'wide' if keep else 'scalar'}":
           (LOOP % (RANKS[first][0], RANKS[count][0], keep), [feeds | {"n": np.full(RANKS[count][1], 10)} for feeds in flags(RANKS[first][1])])
           for first, count, keep in [("scalar", "scalar", 1), ("1_1", "scalar", 0), ("1", "1_1", 0), ("unknown_2", "unknown", 1), ("1_1_1", "unknown_2", 1)]}
MODELS["loop_whose_condition_gains_a_rank"] = ("""g (float[2, 3] x, bool c) => (y) <float one = {1}, float most = {20}, int64 n = {10}, int64[1] axis = {0}> {
      y, last = Loop (n, c, x, c) <
        body = b (int64 i, bool go, float[2, 3] v, bool k) => (on, w, on) {
          w = Add (v, one)
          sum = ReduceSum <keepdims = 0> (w)
          small = Less (sum, most)
          wide = Unsqueeze (k, axis)
          on = And (wide, small)
        }
      >
    }""", flags(()))
MODELS["inside_a_loop"] = (INNER, [{"n": np.array(n)} for n in (1, 3, 6)])


@pytest.mark.parametrize("name", MODELS)
def test_numbers(tmp_path, name):
    text, feeds = MODELS[name]
    model = nodes.write_text(tmp_path, HEAD, text, name)
    xml = judge.convert(model, tmp_path)
    for given in feeds:
        judge.assert_same(model, xml, {"x": X, **given}, 1e-6)


@pytest.mark.parametrize("name", ["if_of_1_1", "loop_of_1_1_1_unknown_2_wide"])
def test_read_by_2023_3(tmp_path, name):
    text, feeds = MODELS[name]
    model = nodes.write_text(tmp_path, HEAD, text, name)
    xml = judge.convert(model, tmp_path)
    given = {"x": X, **feeds[0]}
    got = judge.in_openvino_2023(xml, given, tmp_path)
    for output, want in judge.in_onnxruntime(model, given).items():
        assert judge.relative_error(got[output], want) < 1e-6


@pytest.mark.parametrize("text", [OUTER % "[2]", LOOP % ("", "[0]", 0)])
def test_not_one_element(tmp_path, text):
    run = subprocess.run([judge.MO, nodes.write_text(tmp_path, HEAD, text, "case"), "--output_dir", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 1 and "MO3002" in run.stderr and "elements, want one" in run.stderr and 'node "y' in run.stderr
