"""Loops that append tensors of different shapes to a sequence, against ONNX Runtime."""
import subprocess

import numpy as np
import pytest

import judge
import nodes

HEAD = '<ir_version: 8, opset_import: ["" : 18]>\n'
# Row i of x, d[i] times: as rows, or as columns.
ROWS = """r = Gather <axis = 0> (x, i)
          u = Unsqueeze (r, zero)
          k = Gather <axis = 0> (d, i)
          k1 = Unsqueeze (k, zero)
          t = Concat <axis = 0> (k1, one)
          v = Tile (u, t)"""
COLUMNS = ROWS.replace("Unsqueeze (r, zero)", "Unsqueeze (r, one)").replace("(k1, one)", "(one, k1)")
APPEND = "m = SequenceInsert (l, v)"


def graph(outputs, reads, item=ROWS, insert=APPEND, x="T, 4", more="", before="n = Size (d)\n      e = SequenceEmpty ()"):
    return f"""g (float[{x}] x, int64[T] d{more}) => ({outputs}) <int64[1] zero = {{0}}, int64[1] one = {{1}}, int64 single = {{1}}, int64 first = {{0}}> {{
      {before}
      s = Loop (n, , e) <
        body = b (int64 i, bool go, seq(float[?, ?]) l) => (bool on, seq(float[?, ?]) m) {{
          on = Identity (go)
          {item}
          {insert}
        }}
      >
      {reads}
    }}"""


def joined(axis):
    return f"y = ConcatFromSequence <axis = {axis}> (s)"


ALL = "\n      a = SequenceAt (s, p)\n      k = SequenceLength (s)"
TWO = """g (float[T, 4] x, int64[T] d) => (y, z) <int64[1] zero = {0}, int64[1] one = {1}> {
      n = Size (d)
      e = SequenceEmpty ()
      f = SequenceEmpty ()
      s, q = Loop (n, , e, f) <
        body = b (int64 i, bool go, seq(float[?, ?]) l, seq(float[%s]) o) => (bool on, seq(float[?, ?]) m, seq(float[%s]) w) {
          on = Identity (go)
          """ + ROWS + """
          m = SequenceInsert (l, v)
          h = Exp (%s)
          w = SequenceInsert (o, h)
        }
      >
      y = ConcatFromSequence <axis = 0> (s)
      z = ConcatFromSequence <axis = 0%s> (q)
    }"""

MODELS = {
    "rows": graph("y", joined(0)),
    "rows_of_unknown_width": graph("y", joined(-2), x="T, C"),
    "columns": graph("y", joined(1), COLUMNS),
    "columns_of_unknown_height": graph("y", joined(-1), COLUMNS, x="T, C"),
    "integers": graph("y", joined(0), ROWS.replace("v = Tile", "w = Tile") + "\n          v = Cast <to = 7> (w)", before="n = Size (d)\n      e = SequenceEmpty <dtype = 7> ()").replace("seq(float", "seq(int64"),
    "one": graph("y", "y = SequenceAt (s, single)"),
    "count": graph("k", "k = SequenceLength (s)"),
    "all_reads": graph("y, a, k", joined(0) + ALL, more=", int64 p"),
    "all_reads_of_columns": graph("y, a, k", joined(1) + ALL, COLUMNS, x="T, C", more=", int64 p"),
    "read_in_a_loop": graph("y", """y = Loop (n, , y0) <
        body = r (int64 j, bool g2, float[?, ?] sum) => (bool o2, float[?, ?] next) {
          o2 = Identity (g2)
          a = SequenceAt (s, j)
          total = ReduceSum <keepdims = 1> (a, zero)
          next = Add (sum, total)
        }
      >""", before="n = Size (d)\n      e = SequenceEmpty ()\n      y0 = ReduceSum <keepdims = 1> (x, zero)"),
    "read_in_a_branch": graph("y", """y = If (c) <
        then_branch = t () => (a) { a = ConcatFromSequence <axis = 0> (s) },
        else_branch = f () => (o) { o = SequenceAt (s, single) }
      >""", more=", bool c"),
    "ends_early": graph("y", joined(0)).replace("on = Identity (go)", "size = Size (d)\n          j = Add (i, single)\n          j2 = Add (j, single)\n          on = Less (j2, size)"),
    "equal_but_unknown": graph("y, a", joined(0) + "\n      a = SequenceAt (s, first)", "r = Gather <axis = 0> (x, i)\n          v = Unsqueeze (r, zero)", x="T, C"),
    "joined_along_a_new_axis": graph("y, a", "y = ConcatFromSequence <axis = 1, new_axis = 1> (s)\n      a = SequenceAt (s, first)",
                                     "r = Gather <axis = 0> (x, i)\n          shape = Shape (r)\n          w = Expand (r, shape)\n          v = Unsqueeze (w, zero)", x="T, C"),
    "two_sequences": TWO % ("?, ?", "?, ?", "v", ""),
    "beside_slices": TWO % ("?", "?", "r", ", new_axis = 1"),
    "in_a_loop": """g (float[T, 4] x, int64[T] d) => (y) <int64[1] zero = {0}, int64[1] one = {1}> {
      n = Size (d)
      y0 = ReduceSum <keepdims = 1> (x, zero)
      y = Loop (n, , y0) <
        body = outer (int64 j, bool g2, float[?, ?] sum) => (bool o2, float[?, ?] next) {
          o2 = Identity (g2)
          e = SequenceEmpty ()
          s = Loop (n, , e) <
            body = inner (int64 i, bool go, seq(float[?, ?]) l) => (bool on, seq(float[?, ?]) m) {
              on = Identity (go)
              """ + ROWS + """
              m = SequenceInsert (l, v)
            }
          >
          all = ConcatFromSequence <axis = 0> (s)
          total = ReduceSum <keepdims = 1> (all, zero)
          next = Add (sum, total)
        }
      >
    }""",
    "known_number": """g (int64[3] d) => (y) <int64[1] zero = {0}, int64 three = {3}> {
      e = SequenceEmpty ()
      s = Loop (three, , e) <
        body = b (int64 i, bool go, seq(float[?]) l) => (bool on, seq(float[?]) m) {
          on = Identity (go)
          k = Gather <axis = 0> (d, i)
          k1 = Unsqueeze (k, zero)
          f = Cast <to = 1> (i)
          v = Expand (f, k1)
          m = SequenceInsert (l, v)
        }
      >
      y = ConcatFromSequence <axis = 0> (s)
    }""",
}

FIRST = "x0 = Gather <axis = 0> (x, zero)\n      n = Size (d)\n      e = SequenceConstruct (x0, x0)"
EQUAL = "r = Gather <axis = 0> (x, i)\n          v = Unsqueeze (r, zero)"
MODELS |= {
    "begins_with_elements": graph("y, a, k", joined(0) + ALL, EQUAL, more=", int64 p", before=FIRST),
    "begins_with_elements_of_unknown_size": graph("y, a, k", joined(0) + ALL, EQUAL, x="T, C", more=", int64 p", before=FIRST),
    "begins_with_other_elements": graph("y, a, k", joined(0) + ALL, more=", int64 p", before="n = Size (d)\n      e = SequenceConstruct (x, x)"),
    "begins_with_columns": graph("y, a, k", joined(1) + ALL, COLUMNS, more=", int64 p", before="n = Size (d)\n      xt = Transpose <perm = [1, 0]> (x)\n      e = SequenceConstruct (xt, xt)"),
    "begins_with_rows_of_a_tensor": graph("y, a, k", joined(0) + ALL, more=", int64 p", before="n = Size (d)\n      e = SplitToSequence <axis = 0> (x)"),
    "begins_with_columns_of_a_tensor": graph("y, a, k", joined(1) + ALL, EQUAL.replace("zero", "one"), more=", int64 p",
                                             before="n = Size (d)\n      xt = Transpose <perm = [1, 0]> (x)\n      e = SplitToSequence <axis = 1> (xt)"),
    "begins_with_what_a_loop_appended": graph("y", f"""q = Loop (n, , s) <
        body = again (int64 i, bool go, seq(float[?, ?]) l) => (bool on, seq(float[?, ?]) m) {{
          on = Identity (go)
          {ROWS}
          m = SequenceInsert (l, v)
        }}
      >
      y = ConcatFromSequence <axis = 0> (q)"""),
}


def feeds_of(text):
    for counts in ([2, 1, 3], [1, 4]) if "int64[3] d" not in text else ([2, 1, 3], [0, 2, 1]):
        feeds = {"d": np.array(counts)}
        if "x, int64" in text:
            feeds["x"] = np.random.default_rng(len(counts)).standard_normal((len(counts), 4), dtype=np.float32)
        for choice in ([{"p": np.array(p)} for p in (0, 1, -1)] if "int64 p" in text else [{"c": np.array(c)} for c in (True, False)] if "bool c" in text else [{}]):
            yield feeds | choice


@pytest.mark.parametrize("name", MODELS)
def test_numbers(tmp_path, name):
    model = nodes.write_text(tmp_path, HEAD, MODELS[name])
    xml = judge.convert(model, tmp_path)
    for feeds in feeds_of(MODELS[name]):
        judge.assert_same(model, xml, feeds, 1e-6)


@pytest.mark.parametrize("name", ["rows", "all_reads_of_columns"])
def test_read_by_2023_3(tmp_path, name):
    model = nodes.write_text(tmp_path, HEAD, MODELS[name])
    xml = judge.convert(model, tmp_path)
    feeds = next(feeds_of(MODELS[name]))
    got = judge.in_openvino_2023(xml, feeds, tmp_path)
    for output, want in judge.in_onnxruntime(model, feeds).items():
        assert judge.relative_error(got[output], want) < 1e-6, output


RUN_TIME = "a sequence that is only known when the model runs"
REFUSED = {
    "two_axes": (graph("y, z", joined(0) + "\n      z = ConcatFromSequence <axis = 1> (s)"), "elements of different shapes joined along axis 1, not 0 as elsewhere", 'node "z", ConcatFromSequence'),
    "at_the_front": (graph("y", joined(0), insert="m = SequenceInsert (l, v, first)"), RUN_TIME, 'node "m", SequenceInsert'),
    "in_a_branch": (graph("y", joined(0), insert="""c = Greater (k, single)
          m = If (c) <
            then_branch = t () => (seq(float[?, ?]) a) { a = SequenceInsert (l, v) },
            else_branch = f () => (seq(float[?, ?]) b) { b = Identity (l) }
          >"""), RUN_TIME, 'node "a", SequenceInsert'),
    "in_an_inner_loop": (graph("y", joined(0), insert="""m = Loop (k, , l) <
            body = c (int64 j, bool go2, seq(float[?, ?]) l2) => (bool on2, seq(float[?, ?]) m2) {
              on2 = Identity (go2)
              m2 = SequenceInsert (l2, v)
            }
          >"""), RUN_TIME, 'node "m2", SequenceInsert'),
    "mapped": (graph("y", "z = SequenceMap <body = c (float[?, ?] e) => (float[?, ?] o) { o = Exp (e) }> (s)\n      y = ConcatFromSequence <axis = 0> (z)"),
               "elements of different shapes, taken one by one", 'node "z", SequenceMap'),
    "unknown_rank": (graph("y", joined(0), ROWS + "\n          w = Shape (x)\n          h = Slice (w, zero, k1)\n          o = Expand (first, h)", "m = SequenceInsert (l, o)").replace("seq(float[?, ?])", "seq(int64[])"),
                     "elements of unknown rank, which a loop appends", ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path, name):
    """No form of IR is known to be right: the error says why, and where."""
    text, reason, place = REFUSED[name]
    run = subprocess.run([judge.MO, nodes.write_text(tmp_path, HEAD, text), "--output_dir", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 1 and "MO2004" in run.stderr and reason in run.stderr and place in run.stderr, run.stderr
