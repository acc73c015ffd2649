"""What the native command prints, where, and its exit code: progress, a full device, options of the original that change nothing."""
import os
import pty
import resource
import signal
import subprocess

import numpy as np
import pytest
from pseudo_terminal import drawn_on
from onnx import TensorProto as T, helper as h, numpy_helper as nh

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
NODE = ["node", os.path.join(ROOT, "dist", "library", "node", "cli.js")]
# The words of the host for a file that would be larger than the process may write; the program for Windows gets others from Wine.
TOO_LARGE = os.environ.get("MO_TEST_TOO_LARGE", "File too large")


@pytest.fixture
def model(tmp_path):
    """y = x * s, s being a scalar input."""
    inputs = [h.make_tensor_value_info("x", T.FLOAT, ["N", 4]), h.make_tensor_value_info("s", T.FLOAT, [])]
    graph = h.make_graph([h.make_node("Mul", ["x", "s"], ["y"])], "g", inputs, [h.make_tensor_value_info("y", T.FLOAT, None)])
    path = tmp_path / "m.onnx"
    path.write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    return path


def mo(model, *options, folder=None, **how):
    how = {"capture_output": True, **how}
    return subprocess.run([MO, str(model), "--output_dir", str(folder or model.parent), *options], text=True, timeout=60, **how)


def test_progress_goes_into_a_pipe_in_few_lines(model):
    run = mo(model, "--progress")
    assert run.returncode == 0
    assert "Progress" not in run.stdout and len(run.stderr.splitlines()) < 12 and "\r" not in run.stderr
    assert run.stdout.startswith("[ INFO ] Generated IR will be compressed to FP16.")


def test_progress_is_drawn_on_a_terminal(model):
    controller, terminal = pty.openpty()
    run = mo(model, "--progress", capture_output=False, stdout=subprocess.PIPE, stderr=terminal)
    drawn = drawn_on(controller, terminal)
    assert run.returncode == 0
    assert "Progress" not in run.stdout
    assert drawn.startswith(b"\rProgress: [") and drawn.rstrip().endswith(b"100.00% done")


def test_streamed_progress_has_lines(model):
    run = mo(model, "--progress", "--stream_output")
    lines = run.stderr.splitlines()
    assert run.returncode == 0
    assert len(lines) > 10 and all(line.startswith("Progress: [") for line in lines)
    assert lines[-1].endswith("100.00% done") and "\r" not in run.stderr




BESIDE = [([MO], "m.mapping", "--generate_mapping"), ([MO], "m.trace.json", "--trace"), ([MO], "check_m.py", "--emit_check")]


@pytest.mark.parametrize("program, name, option", [*BESIDE, *[pytest.param(NODE, *rest, id="package " + rest[1]) for _, *rest in BESIDE], pytest.param(NODE, "m.html", "--report=m.html", id="package --report")])
def test_no_file_beside_the_pair_takes_the_place_of_the_model(model, program, name, option):
    content = model.read_bytes()
    model.rename(model.parent / name)
    run = subprocess.run([*program, name, "-n", "m", option], cwd=model.parent, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert "[ ERROR ]  MO7002" in run.stderr and "it is a file of the model" in run.stderr
    assert (model.parent / name).read_bytes() == content
    assert os.listdir(model.parent) == [name]


@pytest.mark.parametrize("program", [[MO], NODE], ids=["native", "package"])
@pytest.mark.parametrize("options, printed", [([], True), (["--log_level", "WARNING"], True), (["--silent"], False), (["--log_level", "CRITICAL"], False)], ids=str)
def test_an_if_of_two_ranks_is_warned_of_by_default(tmp_path, program, options, printed):
    def branch(op, *inputs):
        return h.make_graph([h.make_node(op, inputs, ["z"])], op, [], [h.make_tensor_value_info("z", T.FLOAT, None)])
    inputs = [h.make_tensor_value_info("c", T.BOOL, []), h.make_tensor_value_info("x", T.FLOAT, [2, 3])]
    node = h.make_node("If", ["c"], ["y"], "if", then_branch=branch("Relu", "x"), else_branch=branch("Unsqueeze", "x", "axes"))
    graph = h.make_graph([node], "g", inputs, [h.make_tensor_value_info("y", T.FLOAT, None)], [nh.from_array(np.int64([0]), "axes")])
    (tmp_path / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    run = subprocess.run([*program, "m.onnx", *options], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    warning = '[ WARNING ]  MO3014 the branches of an If give tensors of different ranks: output 0 (node "if", If)'
    assert run.stderr.startswith(warning) if printed else run.stderr == ""
    assert ("--input_shape" in run.stderr) == printed


@pytest.mark.parametrize("program", [[MO], NODE], ids=["native", "package"])
@pytest.mark.parametrize("options, printed", [([], True), (["--silent"], False), (["--log_level", "CRITICAL"], False)], ids=str)
@pytest.mark.parametrize("op, shape, warning", [
    ("Squeeze", ["N", 3], 'MO3016 the number of dimensions is not known: it depends on the sizes of input 0 [?,3]; input "x" of the model is [?,3] (node "y", Squeeze)'),
    ("Relu", None, 'MO3017 an input has no rank, and the operations that read it do not fix it: "x": as many numbers as it has dimensions, such as --input_shape x[1,3,224,224] (node "x", Parameter)'),
], ids=["rank_not_known", "input_without_rank"])
def test_what_the_runtime_cannot_run_is_warned_of_by_default(tmp_path, program, op, shape, warning, options, printed):
    graph = h.make_graph([h.make_node(op, ["x"], ["y"], "y")], "g", [h.make_tensor_value_info("x", T.FLOAT, shape)], [h.make_tensor_value_info("y", T.FLOAT, None)])
    (tmp_path / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    run = subprocess.run([*program, "m.onnx", *options], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    assert run.stderr.startswith(f"[ WARNING ]  {warning}") if printed else run.stderr == ""


@pytest.mark.parametrize("options", [[], ["--help"], ["--version"], ["--list_transforms"]])
def test_a_full_device_is_an_error(model, options):
    with open("/dev/full", "w") as full:
        run = mo(model, *options, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert run.returncode == 1
    assert "[ ERROR ]  MO7002" in run.stderr and "No space left on device" in run.stderr


@pytest.mark.parametrize("options", [[], ["--help"], ["--version"], ["--list_transforms"], ["--json"]], ids=lambda options: "".join(options))
@pytest.mark.parametrize("program", [[MO], NODE], ids=["native", "package"])
def test_a_reader_that_has_ended_is_an_error(model, program, options):
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run([*program, str(model), "-o", str(model.parent), *options], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert (run.returncode, run.stderr) == (1, "")


def test_messages_that_cannot_be_written_are_an_error(model):
    with open("/dev/full", "w") as full:
        run = mo(model, "--log_level", "DEBUG", capture_output=False, stdout=subprocess.PIPE, stderr=full)
        assert run.returncode == 1 and run.stdout.count("[ SUCCESS ]") == 3
        assert mo(model, capture_output=False, stdout=subprocess.PIPE, stderr=full).returncode == 0, "nothing was to be said"


@pytest.mark.parametrize("closed, code", [((1,), 1), ((2,), 0), ((0, 1, 2), 1)])
def test_closed_streams_do_not_get_into_files(model, closed, code):
    assert mo(model, folder=model.parent / "whole").returncode == 0
    run = mo(model, "--log_level", "DEBUG", folder=model.parent / "ir", capture_output=False, preexec_fn=lambda: [os.close(fd) for fd in closed])
    assert run.returncode == code
    for name in ["m.xml", "m.bin"]:
        assert (model.parent / "ir" / name).read_bytes() == (model.parent / "whole" / name).read_bytes()


@pytest.mark.parametrize("largest", [0, 300])
def test_what_cannot_be_written_leaves_no_folder(model, largest):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    run = mo(model, folder=model.parent / "new" / "folder", preexec_fn=limit)
    assert run.returncode == 1 and "[ SUCCESS ]" not in run.stdout
    assert "[ ERROR ]  MO7002" in run.stderr and TOO_LARGE in run.stderr and "m.xml" in run.stderr
    assert os.listdir(model.parent) == ["m.onnx"]


@pytest.mark.parametrize("largest", [(1 << 20) - 1, 1 << 20, 1 << 21, (4 << 20) - 1])
def test_a_large_file_that_cannot_be_written_to_its_end(tmp_path, largest):
    """Of more than a megabyte the last pieces are written while the next ones are read."""
    weights = np.arange(1 << 20, dtype=np.float32)
    graph = h.make_graph([h.make_node("Add", ["x", "w"], ["y"])], "g", [h.make_tensor_value_info("x", T.FLOAT, [1])],
                         [h.make_tensor_value_info("y", T.FLOAT, [1 << 20])], [nh.from_array(weights, "w")])
    path = tmp_path / "m.onnx"
    path.write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    run = mo(path, "--compress_to_fp16=False", folder=tmp_path / "new", preexec_fn=limit)
    assert run.returncode == 1 and "[ SUCCESS ]" not in run.stdout
    assert "[ ERROR ]  MO7002" in run.stderr and TOO_LARGE in run.stderr and "m.bin" in run.stderr
    assert os.listdir(tmp_path) == ["m.onnx"]
    assert mo(path, "--compress_to_fp16=False", folder=tmp_path / "new").returncode == 0
    assert (tmp_path / "new" / "m.bin").read_bytes()[-weights.nbytes:] == weights.tobytes()


def test_a_scalar_has_empty_brackets(model):
    run = mo(model, "--input_shape", "[1,4],[]")
    assert run.returncode == 0, run.stderr
    assert 'shape="" element_type="f32"' in (model.parent / "m.xml").read_text()


@pytest.mark.parametrize("options", [["--framework", "onnx"], ["--silent", "False"], ["--data_type", "FP32"], ["--data_type=half"]])
def test_options_of_the_original_stop_nothing(model, options):
    run = mo(model, *options)
    assert run.returncode == 0, run.stderr
    assert "[ SUCCESS ] Generated IR version 11 model." in run.stdout


def test_help_is_as_written_down():
    """tests/cli/help.txt: `build/native/mo --help > tests/cli/help.txt` writes it again."""
    run = subprocess.run([MO, "--help"], capture_output=True, text=True, timeout=60)
    with open(os.path.join(ROOT, "tests", "cli", "help.txt")) as file:
        assert run.stdout == file.read()
