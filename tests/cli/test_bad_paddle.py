"""Programs of PaddlePaddle that cannot be converted: code, place, and what to do; exit code 1, and nothing written."""
import os
import pickle
import re
import shutil
import struct
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests", "paddle"))
import program as wire  # noqa: E402
import small  # noqa: E402
from damage import damaged  # noqa: E402
from small import ENDS, Block, block, feed, fetch, op, program, scaled, var  # noqa: E402

SECONDS = 120


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def written(folder, model, parameters=None, names=("m.pdmodel", "m.pdiparams")):
    folder.mkdir(exist_ok=True, parents=True)
    (folder / names[0]).write_bytes(model)
    if parameters is not None:
        (folder / names[1]).write_bytes(parameters)
    return folder / names[0]


def refused(model, *needles, options=()):
    """The messages."""
    out = model.parent / "out"
    result = run("--input_model", model, "--output_dir", out, *options)
    assert result.returncode == 1 and not out.exists(), (result.returncode, result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


def converts(model, *options):
    result = run("--input_model", model, "--output_dir", model.parent / "out", *options)
    assert result.returncode == 0, result.stderr


MODEL, PARAMETERS = scaled()
TWO = {"w": np.arange(3, dtype=np.float32), "a": np.ones((4, 5), np.float32)}


# Which files belong together.

@pytest.mark.parametrize("names", [("m.pdmodel", "m.pdiparams"), ("__model__", "__params__"), ("inference.pdmodel", "inference.pdiparams"), ("model.pdmodel", "model.pdiparams"),
                                   ("model", "params"), ("a.pdmodel", "b.pdiparams")])
def test_parameters_are_found(names, tmp_path):
    converts(written(tmp_path / "f", MODEL, PARAMETERS, names))


def test_a_folder_with_a_file_for_each_parameter(tmp_path):
    parameters = {"w": TWO["w"], "deep/a": TWO["a"]}
    folder = tmp_path / "old"
    written(folder, scaled(parameters)[0], names=("__model__",))
    for name, array in parameters.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(wire.tensor(array))
    converts(folder)
    converts(folder / "__model__")
    assert (tmp_path / "out" / "old.xml").exists()
    os.remove(folder / "w")
    shutil.rmtree(tmp_path / "out")
    refused(folder, "MO1034", " w ", "--input_weights")


def test_an_archive_as_it_was_downloaded(tmp_path):
    written(tmp_path / "det_infer", MODEL, PARAMETERS, ("inference.pdmodel", "inference.pdiparams"))
    (tmp_path / "det_infer" / "inference.pdiparams.info").write_bytes(pickle.dumps({"w": {"stop_gradient": True}}, 2))
    for name, mode in (("det_infer.tar", "w"), ("det_infer.tgz", "w:gz")):
        with tarfile.open(tmp_path / name, mode) as archive:
            archive.add(tmp_path / "det_infer", "det_infer")
        result = run("--input_model", tmp_path / name, "--output_dir", tmp_path / name.replace(".", "_"))
        assert result.returncode == 0, result.stderr


def test_parameters_by_option(tmp_path):
    model = written(tmp_path / "f", MODEL)
    (tmp_path / "weights").write_bytes(PARAMETERS)
    refused(model, "MO1034", "layers have no weights", ' w ', 'file "m.pdmodel"', "--input_weights")
    converts(model, "--input_weights", tmp_path / "weights")


def test_a_program_without_parameters_needs_none(tmp_path):
    model = program(block([feed("x"), op("relu", {"X": ["x"]}, {"Out": ["y"]}), fetch("y")], [*ENDS, var("x"), var("y")]))
    converts(written(tmp_path / "f", model))


@pytest.mark.parametrize("declared", [False, True])
def test_parameters_that_no_operator_reads(declared, tmp_path):
    """Those that the program declares are in the file. A file of others, named or beside it, is another program's."""
    names = [*ENDS, var("x"), var("y"), *([var("w", (3,), persistable=True)] if declared else [])]
    model = program(block([feed("x"), op("relu", {"X": ["x"]}, {"Out": ["y"]}), fetch("y")], names))
    path = written(tmp_path / "f", model, PARAMETERS)
    if declared:
        converts(path)
    else:
        for options in ((), ("--input_weights", path.parent / "m.pdiparams")):
            refused(path, "MO1009", "0 parameters", "byte 0", "saved with this program", options=options)
        (path.parent / "m.pdiparams").write_bytes(b"")
        converts(path)


LONE = {
    "m.pdiparams": (PARAMETERS, "parameters of PaddlePaddle have no program", "model.pdmodel or inference.json beside"),
    "m.pdparams": (pickle.dumps({"w": np.ones((3, 200)), "StructuredToParameterName@@": {"w": "w_0"}}, 2), "a pickle of paddle.save", "paddle.jit.save"),
    "m.pdiparams.info": (pickle.dumps({"w": {"structured_name": "fc.w", "stop_gradient": False}}, 2), "notes of an export", "leave it"),
    "m.nb": (struct.pack("<H16sQ", 1, b"v2.10", 10) + bytes(100), "Paddle-Lite", ".pdmodel"),
    "__model__.encrypted": (np.random.default_rng(1).bytes(300), "encrypted", "decrypt"),
}


@pytest.mark.parametrize("name", LONE)
def test_files_that_are_no_programs(name, tmp_path):
    content, *needles = LONE[name]
    (tmp_path / name).write_bytes(content)
    refused(tmp_path / name, "MO1002", *needles)


# Parameters that are not those of the program.

PICKLE = pickle.dumps({"w": [0.0], "StructuredToParameterName@@": {"w": "w"}}, 2)
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


@pytest.mark.parametrize("name,content,needles", [
    ("m.pdparams", PICKLE, ("MO1034", "m.pdparams: a pickle of paddle.save", "paddle.static.save_inference_model")),
    ("m.pdiparams", PICKLE, ("MO1034", "m.pdiparams: a pickle of paddle.save", "paddle.static.save_inference_model")),
    ("m.pdiparams", POINTER, ("MO1034", "m.pdiparams: Git LFS pointer", "git lfs pull")),
])
def test_parameters_that_are_something_else_are_called_by_what_they_are(name, content, needles, tmp_path):
    """A program of 1.x may lie beside a pickle of paddle.static.save."""
    model = written(tmp_path, MODEL, content, ("m.pdmodel", name))
    refused(model, *needles)
    (tmp_path / name).rename(tmp_path / "given")
    refused(model, "MO1002", needles[1].split(": ")[1], options=("--input_weights", tmp_path / "given"))


def test_parameters_of_another_program_are_not_taken(tmp_path):
    """Both have the same operators: nothing would be wrong but the numbers."""
    model = written(tmp_path, MODEL, names=("a.pdmodel", ""))
    written(tmp_path, MODEL, PARAMETERS, names=("b.pdmodel", "b.pdiparams"))
    refused(model, "MO1034", " w ")
    os.remove(tmp_path / "b.pdmodel")
    converts(model)


def test_a_folder_without_a_model_says_what_is_in_it(tmp_path):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "__model__.encrypted").write_bytes(bytes(range(100)))
    refused(tmp_path / "f", "MO6007", "__model__.encrypted: the program is encrypted; decrypt it")


def test_parameters_that_end_early(tmp_path):
    model, parameters = scaled(TWO)
    refused(written(tmp_path / "a", model, parameters[:-1]), "MO1004", 'tensor "w"', 'file "m.pdiparams", byte')
    refused(written(tmp_path / "b", model, wire.tensor(TWO["a"])), "MO1004", "the program has 2 parameters, the file 1", f"byte {len(wire.tensor(TWO['a']))}")
    refused(written(tmp_path / "c", MODEL, b""), "MO1004")


def test_more_parameters_than_the_program_has(tmp_path):
    refused(written(tmp_path / "a", MODEL, PARAMETERS + b"\0"), "MO1009", f"byte {len(PARAMETERS)}", "saved with this program")


RECORD = wire.tensor(np.ones(3, np.float32))
LIES = {
    "version": (struct.pack("<I", 7) + RECORD[4:], "MO1005", "version 7"),
    "levels": (RECORD[:4] + struct.pack("<Q", 1 << 60) + RECORD[12:], "MO1005", "levels"),
    "offsets": (RECORD[:4] + struct.pack("<QQ", 1, 1 << 62) + RECORD[12:], "MO1004", "offsets"),
    "description": (RECORD[:16] + struct.pack("<i", -1) + RECORD[20:], "MO1005", "description"),
    "type": (RECORD[:21] + b"\x63" + RECORD[22:], "MO2005", "type 99"),
    "complex": (RECORD[:21] + b"\x17" + RECORD[22:], "MO2005", "complex"),
    "dims": (RECORD[:16] + struct.pack("<i", 13) + b"\x08\x05\x10" + b"\xff" * 8 + b"\x7f" + bytes(1) + RECORD[24:], "MO"),
    "negative": (RECORD[:16] + struct.pack("<i", 13) + b"\x08\x05\x10" + b"\xff" * 9 + b"\x01" + RECORD[24:], "MO1005", "dimension"),
    "huge": (RECORD[:16] + struct.pack("<i", 12) + b"\x08\x05" + (b"\x10" + b"\x80\x80\x80\x80\x10") * 1 + b"\x10" + b"\x80\x80\x80\x10"[:3] + RECORD[24:], "MO"),
}


@pytest.mark.parametrize("name", LIES)
def test_records_that_lie(name, tmp_path):
    content, *needles = LIES[name]
    refused(written(tmp_path / "a", MODEL, content), *needles)


# Programs.

def test_all_unknown_operators_at_once(tmp_path):
    model, parameters = scaled(ops=[op("mystery", {"X": ["y"]}, {"Out": ["y"]}), op("other", {"X": ["y"]}, {"Out": ["y"]})])
    said = refused(written(tmp_path / "a", model, parameters), "MO2001", "mystery (", "other (")
    assert len(re.findall(r'file "m.pdmodel", byte \d+', said)) == 2


def bodies(*blocks):
    """A program whose while has block 1."""
    names = [*ENDS, var("x"), var("c", (1,), "bool")]
    loop = op("while", {"X": ["x"], "Condition": ["c"]}, {"Out": ["x"]}, sub_block=Block(1))
    return program(block([feed("x"), feed("c", 1), loop, fetch("x")], names), *blocks)


PROGRAMS = {
    "unknown_variable": (program(block([op("relu", {"X": ["nothing"]}, {"Out": ["y"]}), fetch("y")], [*ENDS, var("y")])), "MO1013", "nothing", 'node "y", relu', "byte"),
    "undeclared_input": (program(block([feed("x"), fetch("x")], ENDS)), "MO1013", "x is not declared"),
    "no_type": (program(block([feed("x"), op("relu", {"X": ["x"]}, {"Out": ["y"]}), fetch("y")], [*ENDS, var("x", dtype=77), var("y")])), "MO2005", "type 77"),
    "no_x": (program(block([op("relu", {}, {"Out": ["y"]}), fetch("y")], [*ENDS, var("y")])), "MO2006", 'node "y"'),
    "no_indices": (program(block([feed("x"), op("index_put", {"x": ["x"], "value": ["x"]}, {"out": ["y"]}), fetch("y")], [*ENDS, var("x"), var("y")])), "MO2006", "indices", 'node "y"'),
    "mask_of_no_dimensions": (program(block([feed("x"), feed("m", 1), op("index_put", {"x": ["x"], "value": ["x"], "indices": ["m"]}, {"out": ["y"]}), fetch("y")],
                                            [*ENDS, var("x"), var("m", (), 0), var("y")])), "MO2004", "a mask without dimensions", 'node "y"'),
    "no_block": (bodies(), "MO2002", "there is no block 1", "while"),
    "itself": (bodies(block([op("while", {"X": ["x"], "Condition": ["c"]}, {"Out": ["x"]}, sub_block=Block(1))], [], 1, 0)), "MO1016", "block 1"),
    "circle": (bodies(block([op("conditional_block", {"Cond": ["c"], "Input": ["x"]}, {"Out": ["x"]}, sub_block=Block(2))], [], 1, 0),
                      block([op("conditional_block", {"Cond": ["c"], "Input": ["x"]}, {"Out": ["x"]}, sub_block=Block(1))], [], 2, 1)), "MO1016"),
    "unknown_in_a_block": (bodies(block([op("mystery", {"X": ["x"]}, {"Out": ["x"]})], [], 1, 0)), "MO2001", "mystery"),
    "nothing": (program(block([], ENDS)), "MO3008"),
    "no_program": (wire.serialise({"version": {"version": 2006002}}), "MO1002"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, tmp_path):
    model, *needles = PROGRAMS[name]
    refused(written(tmp_path / "a", model), *needles)


@pytest.mark.parametrize("readers", ["select", "operator"])
def test_a_block_that_cannot_be_loaded_is_read_twice(readers, tmp_path):
    branch = op("conditional_block", {"Cond": ["c"], "Input": ["x"]}, {"Out": ["inner", "other"]}, sub_block=Block(1), is_scalar_condition=True)
    bad = block([op("relu", {"X": ["x"]}, {"Out": ["inner"]}), op("relu", {"X": ["nothing"]}, {"Out": ["other"]})], [], 1, 0)
    if readers == "select":
        reads = [op("select_input", {"X": ["x", "inner"], "Mask": ["c"]}, {"Out": [name]}) for name in ("y", "z")]
    else:
        reads = [op("relu", {"X": ["inner"]}, {"Out": [name]}) for name in ("y", "z")]
    model = program(block([feed("x"), feed("c", 1), branch, *reads, fetch("y"), fetch("z", 1)], [*ENDS, var("x"), var("c", dtype=0), var("inner"), var("other"), var("y"), var("z")]), bad)
    refused(written(tmp_path / "a", model), "MO1013", "nothing")


def test_blocks_that_double_are_bounded(tmp_path):
    """Each block has two conditional blocks of the next one."""
    def step(index):
        return op("conditional_block", {"Cond": ["c"], "Input": ["x"]}, {"Out": ["x"]}, sub_block=Block(index))
    blocks = [block([step(i + 1), step(i + 1)] if i < 40 else [op("relu", {"X": ["x"]}, {"Out": ["x"]})], [], i, i - 1) for i in range(1, 41)]
    refused(written(tmp_path / "a", bodies(*blocks)), "MO1011")


def test_deep_blocks_are_bounded(tmp_path):
    blocks = [block([op("conditional_block", {"Cond": ["c"], "Input": ["x"]}, {"Out": ["x"]}, sub_block=Block(i + 1))], [], i, i - 1) for i in range(1, 3000)]
    refused(written(tmp_path / "a", bodies(*blocks, block([op("relu", {"X": ["x"]}, {"Out": ["x"]})], [], 3000, 2999))), "MO1011")


# Damage by seed.

def is_answered(folder, model, parameters):
    path = written(folder, model, parameters)
    result = run("--input_model", path, "--output_dir", folder / "out")
    said = (folder.name, result.returncode, result.stdout, result.stderr)
    assert result.returncode in (0, 1), said
    if result.returncode == 1:
        codes = re.findall(r"^\[ ERROR \]  (MO\d{4}) ", result.stderr, re.M)
        assert codes and not any(code.startswith("MO7") for code in codes), said
        assert not (folder / "out").exists(), said
    return result.returncode


@pytest.mark.parametrize("way", ["truncated", "mutated"])
@pytest.mark.parametrize("which", ["program", "blocks", "parameters"])
def test_damage_is_answered(which, way, tmp_path):
    model, parameters = scaled(TWO)
    if which == "blocks":
        model = bodies(block([op("relu", {"X": ["x"]}, {"Out": ["x"]}), op("assign", {"X": ["c"]}, {"Out": ["c"]})], [], 1, 0))

    def answer(seed):
        bad = damaged(parameters if which == "parameters" else model, way, seed, b"\x0a")
        return is_answered(tmp_path / str(seed), model if which == "parameters" else bad, bad if which == "parameters" else parameters)
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(answer, range(60)))
    assert any(codes)
    if way == "truncated" and which != "blocks":
        assert all(codes)
