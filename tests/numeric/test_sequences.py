"""Sequences and optionals that fold away, against ONNX Runtime."""
import os

import numpy as np
import onnx.parser
import pytest

import judge

HEAD = '<ir_version: 8, opset_import: ["" : 18]>\n'

MODELS = {
    "at_a_position": """g (float[2, 3] x, float[2, 3] z, int64 p) => (float[2, 3] y, int64 n) {
      s = SequenceConstruct (x, z)
      y = SequenceAt (s, p)
      n = SequenceLength (s)
    }""",
    "insert_and_erase": """g (float[2] x, float[3] z) => (float[K] y) <int64 zero = {0}, int64 last = {-1}> {
      e = SequenceEmpty ()
      a = SequenceInsert (e, x)
      b = SequenceInsert (a, z, zero)
      c = SequenceInsert (b, z)
      d = SequenceErase (c, last)
      y = ConcatFromSequence <axis = 0> (d)
    }""",
    "split_at": """g (float[4, N] x, int64 p) => (float[4] y, float[4, 1] z, int64 n) <int64 one = {1}> {
      s = SplitToSequence <axis = 1, keepdims = 0> (x)
      k = SplitToSequence <axis = 1> (x, one)
      y = SequenceAt (s, p)
      z = SequenceAt (k, p)
      n = SequenceLength (s)
    }""",
    "split_in_parts": """g (float[7] x) => (float[3] y, int64 n, float[4] w) <int64 three = {3}, int64 one = {1}, int64[2] lengths = {3, 4}> {
      s = SplitToSequence (x, three)
      y = SequenceAt (s, one)
      n = SequenceLength (s)
      t = SplitToSequence (x, lengths)
      w = SequenceAt (t, one)
    }""",
    "parts_of_one": """g (float[1, N] x, float[2, M] z, int64 p) => (float[1, 1] y, float[K, M] r) <int64[2] ones = {1, 1}, int64[1] second = {1}, int64[1] end = {2}> {
      d = Shape (x)
      n = Slice (d, second, end)
      each = ConstantOfShape <value: tensor = int64[1] {1}> (n)
      s = SplitToSequence <axis = 1> (x, each)
      y = SequenceAt (s, p)
      t = SplitToSequence (z, ones)
      e = SequenceEmpty ()
      count = SequenceLength (t)
      l = Loop (count, , e) <
        body = b (int64 i, bool go, seq(float[1, M]) l) => (bool on, seq(float[1, M]) m) {
          on = Identity (go)
          v = SequenceAt (t, i)
          m = SequenceInsert (l, v)
        }
      >
      r = ConcatFromSequence <axis = 0> (l)
    }""",
    "concat_of_slices": """g (float[2, 3, 4] x) => (y, z, v) {
      s = SplitToSequence <axis = 1, keepdims = 0> (x)
      y = ConcatFromSequence <axis = 0, new_axis = 1> (s)
      z = ConcatFromSequence <axis = 1> (s)
      k = SplitToSequence <axis = 1> (x)
      v = ConcatFromSequence <axis = 2> (k)
    }""",
    "map": """g (float[2, 3] x, float[3] w) => (float[2, 3] y) {
      s = SplitToSequence <axis = 0, keepdims = 0> (x)
      m = SequenceMap <body = b (float[3] e) => (float[3] o) { p = Mul (e, w) o = Relu (p) }> (s)
      y = ConcatFromSequence <axis = 0, new_axis = 1> (m)
    }""",
    "appended_in_a_loop": """g (int64 n, float[2] x) => (float[K, 2] y, int64 k, float[2] z) <int64 one = {1}> {
      e = SequenceEmpty ()
      s = Loop (n, , e) <
        body = b (int64 i, bool go, seq(float[2]) l) => (bool on, seq(float[2]) m) {
          on = Identity (go)
          f = Cast <to = 1> (i)
          v = Add (x, f)
          m = SequenceInsert (l, v)
        }
      >
      y = ConcatFromSequence <axis = 0, new_axis = 1> (s)
      k = SequenceLength (s)
      z = SequenceAt (s, one)
    }""",
    "read_in_a_loop": """g (float[T, 2] x) => (float[2] y) <float[2] zero = {0, 0}> {
      s = SplitToSequence <axis = 0, keepdims = 0> (x)
      n = SequenceLength (s)
      y = Loop (n, , zero) <
        body = b (int64 i, bool go, float[2] v) => (bool on, float[2] w) {
          on = Identity (go)
          e = SequenceAt (s, i)
          a = Tanh (v)
          w = Add (a, e)
        }
      >
    }""",
    "optional": """g (float[2] x) => (float[2] y, bool there) {
      o = Optional (x)
      y = OptionalGetElement (o)
      there = OptionalHasElement (o)
    }""",
}



def many_changes(count):
    """Elements are inserted and erased at drawn places; some of the sequences on the way are read, one in a branch."""
    draw, lines, length, taken = np.random.default_rng(7), ["s0 = SequenceEmpty ()"], 0, []
    places = {}
    for k in range(count):
        erases = length > 3 and draw.integers(3) == 0
        at = int(draw.integers(-length, length)) if erases or (length and draw.integers(2)) else length
        places[at] = f"int64 at_{at + count} = {{{at}}}"
        if erases:
            lines.append(f"s{k + 1} = SequenceErase (s{k}, at_{at + count})")
        else:
            lines += [f"c{k} = Constant <value_float = {k + 1}.0> ()", f"e{k} = Mul (x, c{k})", f"s{k + 1} = SequenceInsert (s{k}, e{k}, at_{at + count})"]
        length += -1 if erases else 1
        if k % 7 == 3:
            middle = length // 2
            places[middle] = f"int64 at_{middle + count} = {{{middle}}}"
            lines.append(f"r{k} = SequenceAt (s{k + 1}, at_{middle + count})")
            taken.append(f"r{k}")
    lines += [f"y = ConcatFromSequence <axis = 0> (s{count})", f"z = Sum ({', '.join(taken)})", f"n = SequenceLength (s{count - 1})"]
    branch = lambda name, sequence: f"<{name} = b () => (float[2] t) {{ t = SequenceAt ({sequence}, at_{1 + count}) }}"
    places[1] = f"int64 at_{1 + count} = {{1}}"
    lines.append(f"w = If (go) {branch('then_branch', f's{count}')}, {branch('else_branch', f's{count - 2}').removeprefix('<')}>")
    return f"g (float[2] x, bool go) => (float[K] y, float[2] z, int64 n, float[2] w) <{', '.join(places.values())}> {{\n" + "\n".join(lines) + "\n}"


MODELS["many_changes"] = many_changes(120)

rng = np.random.default_rng(3)
normal = lambda *shape: rng.standard_normal(shape, dtype=np.float32)
count = lambda value: np.array(value, np.int64)

FEEDS = {
    "at_a_position": [{"x": normal(2, 3), "z": normal(2, 3), "p": count(p)} for p in (0, 1, -1)],
    "insert_and_erase": [{"x": normal(2), "z": normal(3)}],
    "split_at": [{"x": normal(4, n), "p": count(p)} for n, p in ((3, 2), (5, -2))],
    "split_in_parts": [{"x": normal(7)}],
    "parts_of_one": [{"x": normal(1, n), "z": normal(2, n), "p": count(p)} for n, p in ((3, 2), (5, -2))],
    "concat_of_slices": [{"x": normal(2, 3, 4)}],
    "map": [{"x": normal(2, 3), "w": normal(3)}],
    "appended_in_a_loop": [{"n": count(n), "x": normal(2)} for n in (2, 5)],
    "read_in_a_loop": [{"x": normal(n, 2)} for n in (1, 4)],
    "optional": [{"x": normal(2)}],
    "many_changes": [{"x": normal(2), "go": np.array(go)} for go in (True, False)],
}


@pytest.mark.parametrize("name", MODELS)
def test_numbers(tmp_path, name):
    model = os.path.join(tmp_path, name + ".onnx")
    with open(model, "wb") as f:
        f.write(onnx.parser.parse_model(HEAD + MODELS[name]).SerializeToString())
    xml = judge.convert(model, tmp_path)
    for feeds in FEEDS[name]:
        judge.assert_same(model, xml, feeds, 1e-6)
