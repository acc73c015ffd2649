"""mo-linux-arm64 under QEMU: on which machines it runs, and that it says the same as mo-linux-x64. Which bytes it writes: test_same_bytes.py."""
import os
import re
import shutil
import subprocess

import numpy as np
import onnx
import onnx.helper as h
import onnx.numpy_helper as nh
import onnx.parser
import pytest

from downloads import ARM64, LINUX, QEMU, run

RELU = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }"""
UNKNOWN = RELU.replace("Relu", "Unheard")


@pytest.fixture
def folder(tmp_path):
    """Models, and what is none."""
    for name, text in (("m", RELU), ("unknown", UNKNOWN)):
        onnx.save(onnx.parser.parse_model(text), tmp_path / f"{name}.onnx")
    (tmp_path / "empty.onnx").write_bytes(b"")
    (tmp_path / "cut.onnx").write_bytes((tmp_path / "m.onnx").read_bytes()[:-9])
    (tmp_path / "noise.onnx").write_bytes(bytes(range(256)))
    return tmp_path


def outcome(command, folder, arguments):
    """The exit code, what is printed, and the files of a run in that folder."""
    done = run(*command, *arguments, cwd=folder)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return done.returncode, done.stdout, done.stderr, files


def both(folder, *arguments):
    """Of mo-linux-x64 and mo-linux-arm64, both with the name `mo`, each in a copy of the folder."""
    outcomes = []
    for program, before in ((LINUX, []), (ARM64, QEMU)):
        copy, programs = folder.parent / f"{folder.name}-run" / "folder", folder.parent / f"{folder.name}-programs"
        shutil.copytree(folder, copy)
        programs.mkdir(exist_ok=True)
        shutil.copy(program, programs / "mo")
        outcomes.append(outcome([*before, programs / "mo"], copy, arguments))
        shutil.rmtree(copy.parent)
    return outcomes


# Times differ from run to run.
def without_times(text):
    return re.sub(rb"[0-9.]+ (seconds|ms)|\"(seconds|time)\": *[0-9.e-]+", b"", text)


@pytest.mark.parametrize("code, arguments", [
    (0, ["--version"]),
    (0, ["--help"]),
    (0, ["--list_transforms"]),
    (0, ["m.onnx", "-o", "ir"]),
    (0, ["m.onnx", "-o", "ir", "--json"]),
    (0, ["m.onnx", "-o", "ir", "--log_level", "DEBUG"]),
    (2, []),
    (2, ["missing.onnx"]),
    (2, ["m.onnx", "--no_such_option"]),
    (2, ["m.onnx", "--input_shape", "[1"]),
    (1, ["m.onnx", "--input", "nothing"]),
    (1, ["unknown.onnx"]),
    (1, ["empty.onnx"]),
    (1, ["cut.onnx"]),
    (1, ["noise.onnx"]),
    (2, ["m.onnx", "-o", "m.onnx"]),
], ids=lambda value: str(value) if isinstance(value, int) else " ".join(value))
def test_it_says_the_same(folder, code, arguments):
    x64, arm64 = both(folder, *arguments)
    assert arm64[0] == x64[0] == code, arm64[2]
    assert [without_times(text) for text in arm64[1:3]] == [without_times(text) for text in x64[1:3]]
    assert arm64[3] == x64[3]


# What a converter computes while it converts: numbers that processors are free to give differently, or do.
@pytest.mark.parametrize("op, numbers", [
    ("Sqrt", [-1, 2]), ("Log", [-1, 0]), ("Div", [0, 0]), ("Sub", [np.inf, np.inf]), ("Mul", [0, np.inf]), ("Exp", [0.1, 88.5]),
    ("Tanh", [0.3, -3]), ("Sigmoid", [1.7, -90]), ("Pow", [1.1, 7.3]), ("Erf", [0.7, 1e-9]),
])
def test_numbers_that_are_computed(folder, op, numbers):
    values = np.float32(numbers)
    inputs = ["a", "b"] if op in ("Div", "Sub", "Mul", "Pow") else ["a"]
    graph = h.make_graph([h.make_node(op, inputs, ["c"]), h.make_node("Add", ["x", "c"], ["y"])], "g",
                         [h.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2])], [h.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [2])],
                         [nh.from_array(values, "a"), nh.from_array(values[::-1].copy(), "b")])
    onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8), folder / "numbers.onnx")
    x64, arm64 = both(folder, "numbers.onnx", "-o", "ir", "--compress_to_fp16=False")
    assert x64[0] == 0, x64[2]
    assert arm64 == x64


@pytest.mark.parametrize("kind", ["f", "d"])
@pytest.mark.parametrize("to", ["INT8", "UINT8", "INT32", "UINT32", "INT64", "UINT64", "FLOAT16", "BFLOAT16"])
def test_numbers_that_no_integer_holds(folder, kind, to):
    values = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, -1.5, 127.5, -128.5, 255.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64, -2.0**63], kind)
    of = onnx.TensorProto.DataType.Value(to)
    shape = [len(values)]
    graph = h.make_graph([h.make_node("Cast", ["a"], ["c"], to=of), h.make_node("Gather", ["c", "x"], ["y"])], "g",
                         [h.make_tensor_value_info("x", onnx.TensorProto.INT64, shape)], [h.make_tensor_value_info("y", of, shape)],
                         [nh.from_array(values, "a")])
    onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8), folder / "numbers.onnx")
    x64, arm64 = both(folder, "numbers.onnx", "-o", "ir", "--compress_to_fp16=False")
    assert x64[0] == 0, x64[2]
    assert arm64 == x64


def test_weights_of_all_sizes(folder):
    """Loops over weights take several numbers at once: the last ones are taken alone. More than a megabyte goes another way."""
    random = np.random.default_rng(1)
    sizes = [*range(1, 40), 1000, 300_001]
    weights = [nh.from_array(random.standard_normal(size).astype(np.float32) * 1000, f"w{size}") for size in sizes]
    nodes = [h.make_node("Add", ["x", f"w{size}"], [f"y{size}"]) for size in sizes]
    outputs = [h.make_tensor_value_info(f"y{size}", onnx.TensorProto.FLOAT, [size]) for size in sizes]
    graph = h.make_graph(nodes, "g", [h.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])], outputs, weights)
    onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8), folder / "weights.onnx")
    for precision in ("True", "False"):
        x64, arm64 = both(folder, "weights.onnx", "-o", "ir", f"--compress_to_fp16={precision}")
        assert x64[0] == 0, x64[2]
        assert arm64 == x64


@pytest.mark.parametrize("processor", ["cortex-a53", "cortex-a76", "max"])
def test_it_runs_on_old_and_new_processors(folder, processor):
    done = run("qemu-aarch64", "-cpu", processor, ARM64, "m.onnx", "-o", "ir", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(folder / "ir")) == ["m.bin", "m.xml"]


def test_it_is_of_arm64_and_runs_with_large_pages():
    """Some systems have pages of 64 KB: each part of the file begins at such a page."""
    headers = subprocess.run(["readelf", "--file-header", "--program-headers", "--wide", ARM64], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Machine: +AArch64\n", headers)
    alignments = [int(line.split()[-1], 16) for line in headers.splitlines() if line.lstrip().startswith("LOAD")]
    assert alignments and all(alignment >= 1 << 16 for alignment in alignments)
