"""PIR programs that cannot be converted: code, line and column, what to do; exit code 1, and nothing written."""
import copy
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.append(os.path.join(ROOT, "tests", "paddle"))
import pir_byhand as pir  # noqa: E402
from damage import damaged  # noqa: E402
from pir_byhand import Block, tensor  # noqa: E402

X, SECONDS = [2, 3], 120
# In MB; AddressSanitizer takes more.
MEMORY = 64 if "asan" not in MO else 1 << 20


def run(path, *options):
    out = os.path.join(os.path.dirname(path), "out")
    done = subprocess.run([MO, "--input_model", path, "--output_dir", out, *options], capture_output=True, text=True, errors="replace", timeout=SECONDS)
    return done, out


def refused(path, *codes, place=True, options=()):
    """What the command says. Each error has a line, a column and a hint."""
    done, out = run(path, *options)
    assert done.returncode == 1 and not os.path.exists(out), (done.returncode, done.stdout[-500:], done.stderr[-500:])
    errors = re.findall(r"^\[ ERROR \]  (MO\d{4}) (.*)$", done.stderr, re.M)
    assert [code for code, _ in errors] == list(codes), done.stderr[:2000]
    for _, text in errors:
        assert not place or re.search(r"line \d+, column \d+", text), text
        assert re.search(r"\)\. \w+|\. \w+", text), text
    return done.stderr


def small():
    """A network with parameters."""
    block, parameters = pir.network()
    return pir.program(block), parameters


def blocks():
    """x -> if -> while, without parameters."""
    b = Block()
    x, n = b.data("x", X), b.data("n", [1], "int64")
    on = b.op("1.greater_than", [n, b.full(0, "int64")], [tensor([1], "bool")])
    then, other = b.inner(), b.inner()
    then.op("2.yield", [then.op("1.relu", [x], [tensor(X)])])
    other.op("2.yield", [x])
    y = b.op("1.if", [on], [tensor(X)], [then, other])
    body = b.inner(tensor(X))
    y2 = body.op("1.relu", [body.given[0]], [tensor(X)])
    body.op("2.yield", [body.op("1.greater_than", [n, body.full(1, "int64")], [tensor([1], "bool")]), y2])
    y = b.op("1.while", [on, y], [tensor(X)], [body])
    b.fetch(y, tensor(X))
    return pir.program(b), {}


def ops_of(content):
    return content["program"]["regions"][0]["blocks"][0]["ops"]


def named(content, name):
    return next(op for op in ops_of(content) if op["#"] == name)


def attr(op, name):
    return next(one for one in op["A"] if one["N"] == name)["AT"]


def region(op, at=0):
    return op["regions"][at]["blocks"][0]


def test_these_convert(tmp_path):
    """Those that the tests below change."""
    for at, make in enumerate((small, blocks)):
        done, _ = run(pir.write(tmp_path / str(at), *make()))
        assert done.returncode == 0, done.stderr


# Mutations of a program: what is done to it, and the codes.

def setter(find, key, value):
    def change(content):
        find(content)[key] = value
    return change


def op_setter(name, key, value):
    return setter(lambda content: named(content, name), key, value)


def attr_setter(name, attribute, value):
    return setter(lambda content: attr(named(content, name), attribute), "D", value)


def dropper(find, key):
    def change(content):
        del find(content)[key]
    return change


CORRUPT, TRUNCATED, DEEP, UNKNOWN, TWICE = "MO1005", "MO1004", "MO1011", "MO1013", "MO1014"
BAD_ATTRIBUTE, UNSUPPORTED, SIZE, EXTRA, NO_GRAPH = "MO2002", "MO2001", "MO1009", "MO2007", "MO1012"

OF_SMALL = {
    "program is a list": (setter(lambda c: c, "program", []), CORRUPT),
    "program is a text": (setter(lambda c: c, "program", "x"), NO_GRAPH),
    "no regions": (setter(lambda c: c, "program", {"regions": []}), NO_GRAPH),
    "regions is an object": (setter(lambda c: c["program"], "regions", {}), CORRUPT),
    "a region is a list": (setter(lambda c: c["program"], "regions", [[]]), CORRUPT),
    "a region is a number": (setter(lambda c: c["program"], "regions", [3]), CORRUPT),
    "blocks is an object": (setter(lambda c: c["program"]["regions"][0], "blocks", {}), CORRUPT),
    "a block is a text": (setter(lambda c: c["program"]["regions"][0], "blocks", ["x"]), CORRUPT),
    "two blocks": (lambda c: c["program"]["regions"][0]["blocks"].append({"args": [], "ops": []}), "MO2004"),
    "two regions": (lambda c: c["program"]["regions"].append({"blocks": [{"args": [], "ops": []}]}), CORRUPT),
    "ops is an object": (setter(lambda c: c["program"]["regions"][0]["blocks"][0], "ops", {}), CORRUPT),
    "an operation is a list": (lambda c: ops_of(c).insert(3, []), CORRUPT),
    "an operation is null": (lambda c: ops_of(c).insert(3, None), CORRUPT),
    "an operation is empty": (lambda c: ops_of(c).insert(3, {}), CORRUPT),
    "an operation has a number for a name": (op_setter("1.relu_", "#", 7), CORRUPT),
    "an operation has an empty name": (op_setter("1.relu_", "#", ""), CORRUPT),
    "an unknown operation": (op_setter("1.relu_", "#", "1.unheard_of"), UNSUPPORTED),
    "an unknown dialect by number": (op_setter("1.relu_", "#", "9.relu"), UNSUPPORTED),
    "an unknown dialect by name": (op_setter("1.relu_", "#", "their.relu"), UNSUPPORTED),
    "an operation of a user": (op_setter("1.relu_", "#", "3.my_relu"), UNSUPPORTED),
    "an operation without operands": (op_setter("1.relu_", "I", []), "MO2006"),
    "operands are a number": (op_setter("1.relu_", "I", 4), "MO2006"),
    "an operand is a number": (op_setter("1.relu_", "I", [4]), CORRUPT),
    "an operand has no id": (op_setter("1.relu_", "I", [{}]), CORRUPT),
    "an operand's id is a text": (op_setter("1.relu_", "I", [{"%": "7"}]), CORRUPT),
    "an operand's id is a half": (op_setter("1.relu_", "I", [{"%": 7.5}]), CORRUPT),
    "an operand's id is too large": (op_setter("1.relu_", "I", [{"%": 2 ** 64}]), CORRUPT),
    "an operand that nothing makes": (op_setter("1.softmax", "I", [{"%": 999}]), UNKNOWN),
    "an operand that is made later": (lambda c: ops_of(c).insert(4, ops_of(c).pop(-2)), UNKNOWN),
    "its own result": (lambda c: named(c, "1.softmax").update(I=[{"%": named(c, "1.softmax")["O"][0]["%"]}]), UNKNOWN),
    "too many operands": (lambda c: named(c, "1.softmax").update(I=named(c, "1.softmax")["I"] * 2), EXTRA),
    "a result without an id": (lambda c: named(c, "1.softmax")["O"][0].pop("%"), CORRUPT),
    "a result's id is a text": (lambda c: named(c, "1.softmax")["O"][0].update({"%": "x"}), CORRUPT),
    "an id twice": (lambda c: named(c, "1.softmax")["O"][0].update({"%": named(c, "1.add")["O"][0]["%"]}), TWICE),
    "an operation twice": (lambda c: ops_of(c).append(copy.deepcopy(named(c, "1.softmax"))), TWICE),
    "an input twice": (lambda c: ops_of(c).append({**copy.deepcopy(named(c, "1.data")), "O": [{"%": 800, "TT": tensor(X)}]}), TWICE),
    "a type without data": (lambda c: named(c, "1.data")["O"][0].update(TT={"#": "0.t_dtensor"}), CORRUPT),
    "dims are a text": (lambda c: named(c, "1.data")["O"][0]["TT"]["D"].__setitem__(1, "2"), CORRUPT),
    "a dimension is a text": (lambda c: named(c, "1.data")["O"][0]["TT"]["D"].__setitem__(1, ["2", 3]), CORRUPT),
    "a dimension is a half": (lambda c: named(c, "1.data")["O"][0]["TT"]["D"].__setitem__(1, [2.5, 3]), CORRUPT),
    "a hundred thousand dimensions": (lambda c: named(c, "1.data")["O"][0]["TT"]["D"].__setitem__(1, [1] * 100000), "MO3003"),
    "an unknown element type": (lambda c: named(c, "1.data")["O"][0]["TT"]["D"].__setitem__(0, {"#": "0.t_f3"}), "MO2005"),
    "an input without a name": (lambda c: named(c, "1.data")["A"].pop(0), CORRUPT),
    "an input with a number for a name": (attr_setter("1.data", "name", 4), BAD_ATTRIBUTE),
    "an attribute without a name": (lambda c: named(c, "1.softmax")["A"][0].pop("N"), CORRUPT),
    "an attribute of an unknown kind": (lambda c: attr(named(c, "1.softmax"), "axis").update({"#": "0.a_thing"}), BAD_ATTRIBUTE),
    "an attribute without a value": (lambda c: attr(named(c, "1.softmax"), "axis").pop("D"), BAD_ATTRIBUTE),
    "a number as a text": (attr_setter("1.softmax", "axis", "-1"), BAD_ATTRIBUTE),
    "a number as a list": (attr_setter("1.softmax", "axis", [1]), BAD_ATTRIBUTE),
    "a whole number that is a half": (attr_setter("1.softmax", "axis", 0.5), BAD_ATTRIBUTE),
    "a list as a number": (attr_setter("1.conv2d", "strides", 1), BAD_ATTRIBUTE),
    "a list of texts that are numbers": (attr_setter("1.conv2d", "strides", [{"#": "0.a_i32", "D": "1"}] * 2), BAD_ATTRIBUTE),
    "a list of several kinds": (attr_setter("1.conv2d", "strides", [{"#": "0.a_i32", "D": 1}, {"#": "0.a_f32", "D": 1.5}]), BAD_ATTRIBUTE),
    "a flag that is a text": (attr_setter("1.matmul", "transpose_x", "false"), BAD_ATTRIBUTE),
    "a flag that is 2": (attr_setter("1.matmul", "transpose_x", 2), BAD_ATTRIBUTE),
    "a text that is a number": (attr_setter("1.conv2d", "data_format", 1), BAD_ATTRIBUTE),
    "a parameter without a name": (op_setter("p", "A", [0, 1, 1]), CORRUPT),
    "a parameter with a number for a name": (op_setter("p", "A", [0, 1, 1, 7]), CORRUPT),
    "a parameter without a result": (op_setter("p", "O", []), CORRUPT),
    "a parameter of another type": (lambda c: named(c, "p")["O"]["TT"]["D"].__setitem__(0, {"#": "0.t_f16"}), SIZE),
    "a parameter of another shape": (lambda c: named(c, "p")["O"]["TT"]["D"].__setitem__(1, [64, 6]), SIZE),
    "a parameter of another rank": (lambda c: named(c, "p")["O"]["TT"]["D"].__setitem__(1, [320]), SIZE),
}

OF_BLOCKS = {
    "an id of another block": (lambda c: region(named(c, "1.if"), 1)["ops"][0].update(I=[{"%": region(named(c, "1.if"))["ops"][0]["O"][0]["%"]}]), [UNKNOWN]),
    "an id of an inner block": (lambda c: named(c, "1.fetch").update(I=[{"%": region(named(c, "1.if"))["ops"][0]["O"][0]["%"]}]), [UNKNOWN]),
    "an argument outside its block": (lambda c: named(c, "1.fetch").update(I=[{"%": -1}]), [UNKNOWN]),
    "a circle: a region reads its result": (lambda c: region(named(c, "1.if"))["ops"][0].update(I=[{"%": named(c, "1.if")["O"][0]["%"]}]), [UNKNOWN]),
    "an if of one region": (lambda c: named(c, "1.if")["regions"].pop(), [CORRUPT]),
    "an if without a block": (lambda c: named(c, "1.if")["regions"][1].update(blocks=[]), [CORRUPT]),
    "an if without a condition": (lambda c: named(c, "1.if").update(I=[]), ["MO2006"]),
    "a region without a yield": (lambda c: region(named(c, "1.if"))["ops"].pop(), [CORRUPT]),
    "a region that yields too much": (lambda c: region(named(c, "1.if"), 1)["ops"][0].update(I=[{"%": 1}, {"%": 1}]), [CORRUPT]),
    "a loop without arguments": (lambda c: region(named(c, "1.while")).update(args=[]), [CORRUPT]),
    "a loop with too many arguments": (lambda c: region(named(c, "1.while"))["args"].append({"#": -9, "TT": tensor(X)}), [CORRUPT]),
    "an argument twice": (lambda c: region(named(c, "1.while"))["args"].append({"#": -1, "TT": tensor(X)}), [TWICE]),
    "an argument without an id": (lambda c: region(named(c, "1.while"))["args"][0].pop("#"), [CORRUPT]),
    "a loop without a block": (lambda c: named(c, "1.while")["regions"][0].update(blocks=[]), [CORRUPT]),
    "a loop of two regions": (lambda c: named(c, "1.while")["regions"].append({"blocks": [{"args": [], "ops": []}]}), [CORRUPT]),
    "a loop without a yield": (lambda c: region(named(c, "1.while"))["ops"].pop(), [CORRUPT]),
    "an operation with regions that has none": (lambda c: named(c, "1.data").update(regions=[{"blocks": [{"args": [], "ops": []}]}]), [UNSUPPORTED]),
    "regions of a region are numbers": (lambda c: named(c, "1.if").update(regions=[1, 2]), [CORRUPT]),
}


@pytest.mark.parametrize("name", OF_SMALL)
def test_a_mutation(tmp_path, name):
    change, code = OF_SMALL[name]
    content, parameters = small()
    change(content)
    refused(pir.write(tmp_path, content, parameters), code)


@pytest.mark.parametrize("name", OF_BLOCKS)
def test_a_mutation_of_blocks(tmp_path, name):
    change, codes = OF_BLOCKS[name]
    content, _ = blocks()
    change(content)
    refused(pir.write(tmp_path, content), *codes)


def test_unknown_operations_all_at_once(tmp_path):
    content, parameters = small()
    named(content, "1.relu_")["#"] = "1.unheard_of"
    named(content, "1.softmax")["#"] = "1.never_seen"
    text = refused(pir.write(tmp_path, content, parameters), UNSUPPORTED, UNSUPPORTED)
    assert "unheard_of" in text and "never_seen" in text


def test_a_newer_version(tmp_path):
    """It converts, and says that it is newer."""
    content, parameters = small()
    content["base_code"]["version"] = 99
    done, _ = run(pir.write(tmp_path, content, parameters))
    assert done.returncode == 0 and "MO1018" in done.stdout + done.stderr, done.stderr


# The text.

def test_cut_off(tmp_path):
    content, parameters = small()
    text = json.dumps(content)
    for at, end in enumerate([len(text) - 1, len(text) - 2, len(text) // 2, len(text) // 3, 300]):
        refused(pir.write(tmp_path / str(at), text[:end], parameters), TRUNCATED)


def test_line_and_column(tmp_path):
    content, parameters = small()
    lines = json.dumps(content, indent=1).split("\n")
    at = next(i for i, line in enumerate(lines) if '"1.softmax"' in line)
    lines[at] = lines[at].replace(":", "=")
    text = refused(pir.write(tmp_path, "\n".join(lines), parameters), CORRUPT)
    assert f"line {at + 1}, column {lines[at].index('=') + 1}" in text, text


def test_parameters(tmp_path):
    content, parameters = small()
    path = pir.write(tmp_path / "none", content)
    assert "--input_weights" in refused(path, "MO1034", place=False)
    path = pir.write(tmp_path / "cut", content, parameters)
    with open(path.removesuffix("json") + "pdiparams", "r+b") as file:
        file.truncate(100)
    refused(path, TRUNCATED, place=False)
    path = pir.write(tmp_path / "more", content, {**parameters, "zzz": np.zeros(3, np.float32)})
    refused(path, SIZE, place=False)


@pytest.mark.parametrize("text", ['{"base_code":{"magic":"pir","version":4},"program":{"more":' + "[" * 10000 + "]" * 10000 + ',"regions":[]}}', '{"base_code":{"magic":"pir"},"program":{"regions":[{"blocks":[{"ops":[' + '{"regions":[{"blocks":[{"ops":[' * 10000],
                         ids=["lists", "regions"])
def test_nested_10000_deep(tmp_path, text):
    refused(pir.write(tmp_path, text), DEEP)


@pytest.mark.parametrize("loop", [False, True])
def test_regions_in_each_other(tmp_path, loop):
    """64 blocks in each other, and no more."""
    def made(depth):
        b = Block()
        x, on = b.data("x", X), b.data("on", [1], "bool")

        def nested(block, left):
            if left == 0:
                return block.op("1.relu", [x], [tensor(X)])
            if loop:
                inner = block.inner(tensor(X))
                inner.op("2.yield", [on, nested(inner, left - 1)])
                return block.op("1.while", [on, x], [tensor(X)], [inner])
            then, other = block.inner(), block.inner()
            then.op("2.yield", [nested(then, left - 1)])
            other.op("2.yield", [x])
            return block.op("1.if", [on], [tensor(X)], [then, other])
        b.fetch(nested(b, depth), tensor(X))
        return pir.program(b)
    refused(pir.write(tmp_path / "deep", made(80)), DEEP)
    done, _ = run(pir.write(tmp_path / "less", made(12)))
    assert done.returncode == 0, done.stderr


def measured(path):
    """Seconds and peak memory in MB of a conversion that fails."""
    script = "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], capture_output=True, text=True, errors='replace'); " \
             "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); print(done.stderr)"
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script, MO, "--input_model", path, "--output_dir", os.path.dirname(path) + "/out"], capture_output=True, text=True, timeout=SECONDS)
    head, _, text = done.stdout.partition("\n")
    code, peak = map(int, head.split())
    return code, peak / 1024, time.monotonic() - begin, text


def huge(path, head, size):
    """A sparse file: behind the head there are zeros, which a text has only as an error."""
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(size)


def test_a_text_of_2_gb(tmp_path):
    path = str(tmp_path / "inference.json")
    huge(path, b'{"base_code":{"magic":"pir","version":4},"program":{"regions":[', 2 << 30)
    code, memory, _, text = measured(path)
    assert code == 1 and memory <= MEMORY and "MO1005" in text and "line 1, column 1" in text, (memory, text)


@pytest.mark.parametrize("where", ["name", "key", "number"])
def test_one_token_of_1_gb(tmp_path, where):
    """It stays out of memory; in a file of 1 GB and in one that is not too large as a whole. Sanitizers read a small part of that in as much time."""
    head = {"name": b'{"base_code":{"magic":"pir","version":4},"program":{"regions":[{"#":"', "key": b'{"base_code":{"magic":"pir","version":4},"program":{"', "number": b'{"base_code":{"magic":"pir","version":'}[where]
    for size in (1 << 30, 300 << 20) if "asan" not in MO else (20 << 20,):
        path = str(tmp_path / "inference.json")
        with open(path, "wb") as file:
            file.write(head)
            piece = (b"1" if where == "number" else b"x") * (1 << 20)
            for _ in range((size >> 20) if size < 1 << 30 else 8):
                file.write(piece)
            file.truncate(size)
        code, memory, _, text = measured(path)
        assert code == 1 and memory <= MEMORY, (memory, text)
        assert "line 1, column" in text or "MO1002" in text, text
        os.remove(path)


# Damage by seed.

@pytest.mark.parametrize("way", ["truncated", "mutated"])
@pytest.mark.parametrize("which", ["program", "blocks", "parameters"])
def test_damage_is_answered(tmp_path, which, way):
    content, parameters = blocks() if which == "blocks" else small()
    path = pir.write(tmp_path / "whole", content, parameters)
    file = path if which != "parameters" else path.removesuffix("json") + "pdiparams"
    with open(file, "rb") as whole:
        whole = whole.read()

    def answer(seed):
        at = pir.write(tmp_path / str(seed), content, parameters)
        with open(os.path.join(os.path.dirname(at), os.path.basename(file)), "wb") as bad:
            bad.write(damaged(whole, way, seed, b"{"))
        done, out = run(at)
        assert done.returncode in (0, 1), (seed, done.stderr)
        if done.returncode == 1:
            codes = re.findall(r"^\[ ERROR \]  (MO\d{4}) ", done.stderr, re.M)
            assert codes and not any(code.startswith("MO7") for code in codes) and not os.path.exists(out), (seed, done.stderr)
        return done.returncode
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(answer, range(60)))
    assert any(codes) and (way == "mutated" or all(codes)), codes


# Which file is the program.

def test_a_folder_of_a_hub(tmp_path):
    """config.json and inference.yml beside it are no models."""
    content, parameters = small()
    folder = tmp_path / "PP-OCRv5_mobile_det"
    pir.write(folder, content, parameters)
    (folder / "config.json").write_text(json.dumps({"mode": "paddle", "Hpi": {"backend_configs": {}}, "program": "x"}))
    (folder / "inference.yml").write_text("Global:\n  model_name: x\n")
    refused(str(folder / "config.json"), "MO1002", place=False)
    for path in (folder / "inference.json", folder):
        done, _ = run(str(path))
        assert done.returncode == 0, (path, done.stderr)


@pytest.mark.parametrize("content", [{"base_code": {"magic": "cinn"}, "program": {"regions": []}}, {"base_code": "pir"}, {"program": {"x": 1}, "magic": "pir"}, {}])
def test_json_that_is_no_program(tmp_path, content):
    done, out = run(pir.write(tmp_path, content))
    assert done.returncode == 1 and re.search("MO100[23]", done.stderr) and not os.path.exists(out), done.stderr


def test_a_program_desc_that_begins_like_json(tmp_path):
    """Its first block has 123 bytes, and 123 is an opening brace."""
    import small as desc
    for length in range(1, 60):
        x, y = "x" * (length // 3 + 1), "y" * (length % 3 + 1)
        ops = [desc.feed(x), desc.op("relu", {"X": x}, {"Out": y})]
        path = desc.write(tmp_path, desc.program(desc.block(ops, [desc.var(x, [2])])))
        with open(path, "rb") as file:
            begins = file.read(2) == b"\n{"
        if begins:
            break
    assert begins
    done, _ = run(path)
    assert done.returncode == 0, done.stderr


def test_parameters_alone(tmp_path):
    """They say which files are the program."""
    content, parameters = small()
    path = pir.write(tmp_path, content, parameters)
    os.remove(path)
    text = refused(path.removesuffix("json") + "pdiparams", "MO1002", place=False)
    assert ".json" in text


def test_lists_that_double(tmp_path):
    """Each list has the one before it twice: 40 of them are 2^40 names."""
    b = Block()
    x = b.data("x", X)
    values = b.op("0.combine", [x, x], [pir.listed(tensor(X), tensor(X))])
    for _ in range(40):
        values = b.op("0.combine", [values, values], [pir.listed()])
    b.fetch(b.op("1.concat", [values, b.full(0, "int32")], [tensor([-1, 3])]), tensor([-1, 3]))
    refused(pir.write(tmp_path, pir.program(b)), DEEP)


@pytest.mark.parametrize("constants", [False, True])
def test_a_long_list_that_many_read(tmp_path, constants):
    """A few bytes in the file for each reader, thousands of inputs or numbers in memory."""
    b = Block()
    x = b.data("x", X)
    if constants:
        read = [b.full_ints([1] * 4000)]
        values = [b.op("1.reshape", [x, *read], [tensor([-1])]) for _ in range(2000)]
    else:
        held = b.op("0.combine", [x] * 4000, [pir.listed(*[tensor(X)] * 4000)])
        axis = b.full(0, "int32")
        values = [b.op("1.concat", [held, axis], [tensor([-1, 3])]) for _ in range(2000)]
    for at, value in enumerate(values):
        b.fetch(value, tensor([-1]), at)
    code, memory, _, text = measured(pir.write(tmp_path, pir.program(b)))
    assert code == 1 and memory <= max(MEMORY, 256) and DEEP in text, (memory, text[:2000])
