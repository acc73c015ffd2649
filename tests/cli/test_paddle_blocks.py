"""Blocks of PaddlePaddle's programs that cannot be: in circles, too deep, too often, missing. Each error has its code and the operator's place."""
import os
import re
import subprocess
import sys
import time

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))
sys.path.append(os.path.join(ROOT, "tests", "paddle"))
import small  # noqa: E402
from small import Block, op, var  # noqa: E402

X, Y, ON = var("x"), var("y"), var("on", [1], "bool")
SCOPES = var("scopes", kind=11)


def conditional(block, out="y", scalar=True):
    return op("conditional_block", {"Cond": "on", "Input": "x"}, {"Out": out, "Scope": "scopes"}, sub_block=block, is_scalar_condition=scalar)


def loop(block):
    return op("while", {"Condition": "on", "X": ["x", "on"]}, {"Out": ["y", "on"], "StepScopes": "scopes"}, sub_block=block)


def relu(out="y"):
    return op("relu", {"X": "x"}, {"Out": out})


def converted(folder, content):
    """How the conversion of a program ends."""
    return subprocess.run([MO, "--input_model", small.write(folder, content), "--output_dir", str(folder / "out")], capture_output=True, text=True, timeout=120)


def refused(folder, ops, others=(), variables=()):
    """The codes of a program, and what the command says."""
    content = small.fed([X, ON], ["y"], [relu(), *ops], [Y, SCOPES, *variables], others)
    begin = time.monotonic()
    done = converted(folder, content)
    assert done.returncode == 1, (done.returncode, done.stdout[-300:], done.stderr[-300:])
    assert not (folder / "out").exists()
    assert time.monotonic() - begin < 60
    return re.findall(r"^\[ ERROR \]  (MO\d{4}) ", done.stderr, re.M), done.stderr


def has_place(text, kind):
    assert re.search(rf', {kind}\).*byte \d+', text), text


@pytest.mark.parametrize("make", [conditional, loop, lambda block: conditional(block, scalar=False)], ids=["condition", "loop", "rows"])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_circles(tmp_path, make, length):
    """Block 1 calls the next, the last block calls block 1."""
    others = [(0, [], [make(Block(at % length + 1))]) for at in range(1, length + 1)]
    codes, text = refused(tmp_path, [make(Block(1))], others)
    assert codes == ["MO1016"], text
    has_place(text, "(conditional_block|while)")


@pytest.mark.parametrize("block", [Block(0), Block(7), Block(-1), 1.5, "one"], ids=["first", "beyond", "negative", "number", "text"])
@pytest.mark.parametrize("make", [conditional, loop], ids=["condition", "loop"])
def test_no_such_block(tmp_path, make, block):
    codes, text = refused(tmp_path, [make(block)], [(0, [], [relu()])])
    assert len(codes) == 1, text
    has_place(text, "(conditional_block|while)")


@pytest.mark.parametrize("make", [conditional, loop, lambda block: conditional(block, scalar=False)], ids=["condition", "loop", "rows"])
@pytest.mark.parametrize("depth", [80, 20000])
def test_too_deep(tmp_path, make, depth):
    others = [(at, [], [make(Block(at + 2))]) for at in range(depth)] + [(depth, [], [relu()])]
    codes, text = refused(tmp_path, [make(Block(1))], others)
    assert set(codes) == {"MO1011"}, text[-500:]


@pytest.mark.parametrize("scalar", [True, False], ids=["condition", "rows"])
def test_too_often(tmp_path, scalar):
    """Each block calls the next one twice: 2 to the power of 40 times the last."""
    others = [(at, [], [conditional(Block(at + 2), scalar=scalar)] * 2) for at in range(40)] + [(40, [], [relu()])]
    codes, text = refused(tmp_path, [conditional(Block(1), scalar=scalar)], others)
    assert set(codes) == {"MO1011"}, text[-500:]


def test_too_often_without_a_value_before(tmp_path):
    others = [(at, [], [conditional(Block(at + 2))] * 2) for at in range(40)] + [(40, [], [relu()])]
    content = small.fed([X, ON], ["y"], [conditional(Block(1))] * 2, [Y, SCOPES], others)
    done = converted(tmp_path, content)
    assert done.returncode == 1 and "MO1011" in done.stderr, (done.returncode, done.stderr[-300:])


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_block_that_reads_what_only_it_writes(tmp_path, depth):
    """In that block the variable has no value yet."""
    others = [(at, [], [conditional(Block(at + 2))]) for at in range(depth)]
    others.append((depth, [], [op("tanh", {"X": "z"}, {"Out": "y"}), op("relu", {"X": "y"}, {"Out": "z"})]))
    content = small.fed([X, ON], ["y"], [conditional(Block(1), out=["y", "z"])], [Y, SCOPES, var("z")], others)
    done = converted(tmp_path, content)
    assert done.returncode == 1 and re.search(r"MO1013 .*\bz\b", done.stderr), (done.returncode, done.stderr[-300:])


def test_select_of_one(tmp_path):
    codes, text = refused(tmp_path, [op("select_input", {"Mask": "on", "X": ["x"]}, {"Out": "y"})])
    assert codes == ["MO2006"], text
    has_place(text, "select_input")


@pytest.mark.parametrize("attrs,inputs", [({"ex_states": ["a"], "states": ["b", "c"]}, {"inputs": "x", "initial_states": "x"}), ({"ex_states": [], "states": []}, {})], ids=["states", "no_sequence"])
def test_recurrent(tmp_path, attrs, inputs):
    codes, text = refused(tmp_path, [op("recurrent", inputs, {"outputs": "y"}, sub_block=Block(1), **attrs)], [(0, [], [relu()])])
    assert len(codes) == 1, text
    has_place(text, "recurrent")


LIST = var("list", (-1, -1, -1), kind=small.wire.ARRAY)
JOIN = op("tensor_array_to_tensor", {"X": "list"}, {"Out": "y", "OutIndex": "sizes"}, axis=0, use_stack=False)
PUT, GET = op("write_to_array", {"X": "x", "I": "n"}, {"Out": "list"}), op("read_from_array", {"X": "list", "I": "n"}, {"Out": "z"})
# A part of which only the rank is known, and one of which the rank is not known either.
CUT = op("slice", {"Input": "x", "EndsTensor": "k"}, {"Out": "part"}, axes=[0], starts=[0], ends=[-1], infer_flags=[-1])
EXPAND = op("expand_v2", {"X": "x", "Shape": "k"}, {"Out": "part"}, shape=[-1, -1, -1])


def joined(folder, part, numbers, readers, fetches):
    """What the command says of a loop that collects parts of x. `numbers`: the shape of what gives the parts their shapes."""
    open_shape = (-1, -1, -1)
    inputs = [var("x", open_shape), var("k", numbers, "int32"), var("n", [1], "int64")]
    names = [LIST, var("i", [1], "int64"), var("on", [1], "bool"), var("y", open_shape), var("z", open_shape), var("sizes", [-1], "int32"), SCOPES]
    less = op("less_than", {"X": "i", "Y": "n"}, {"Out": "on"}, axis=-1)
    body = [part, op("write_to_array", {"X": "part", "I": "i"}, {"Out": "list"}), op("increment", {"X": "i"}, {"Out": "i"}, step=1.0), less]
    around = op("while", {"Condition": "on", "X": ["x", "k", "n", "i"]}, {"Out": ["list", "i", "on"], "StepScopes": "scopes"}, sub_block=Block(1), is_test=True)
    first = op("fill_constant", {}, {"Out": "i"}, shape=[1], dtype=3, value=0.0)
    done = converted(folder, small.fed(inputs, fetches, [first, less, around, *readers], names, [(0, [var("part", open_shape)], body)]))
    return done.returncode, done.stderr


def test_a_list_that_cannot_be_joined(tmp_path):
    code, text = joined(tmp_path, EXPAND, (-1,), [JOIN], ["y"])
    assert code == 1 and re.search(r'MO2004 .*elements\' rank is not known is joined behind the loop \(node "list", while\) \(file "model.pdmodel", byte \d+\)', text), text
    code, text = joined(tmp_path, CUT, (1,), [JOIN, PUT, GET], ["y", "z"])
    assert code == 1 and re.search(r'MO2004 .*several lengths is joined and read otherwise, too \(node "list", while\) \(file "model.pdmodel", byte \d+\)', text), text
    assert not (tmp_path / "out").exists()
    for part, numbers, readers, fetches in ((CUT, (1,), [JOIN], ["y"]), (EXPAND, (3,), [JOIN], ["y"]), (CUT, (1,), [JOIN, GET], ["y", "z"])):
        assert joined(tmp_path, part, numbers, readers, fetches)[0] == 0
