"""--tensorboard_logdir: the graph as TensorBoard reads it."""
import os
import struct
import subprocess
import sys

import onnx.parser
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests", "tf"))
import store  # noqa: E402
import tables  # noqa: E402
import writer  # noqa: E402

SAVED = store.saved()
NAME = "events.out.tfevents.0000000000.mo"


def events(path):
    """The events of a file, whose checksums have to fit."""
    with open(path, "rb") as file:
        while head := file.read(12):
            size, checksum = struct.unpack("<QI", head)
            assert checksum == tables.masked_crc32c(head[:8])
            event = file.read(size)
            assert struct.unpack("<I", file.read(4))[0] == tables.masked_crc32c(event)
            yield {number: value for number, value, _ in writer.protobuf_wire.fields(event)}


def field(message, number):
    return [value for at, value, _ in writer.protobuf_wire.fields(message) if at == number][-1]


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def convert(folder, *options):
    return subprocess.run([MO, *options, "--output_dir", str(folder / "out"), "--tensorboard_logdir", str(folder / "log" / "run")], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("case,graph", [
    ("checkpoint_v2", lambda folder: read(folder, "graph.pb")),
    ("meta_graph", lambda folder: field(read(folder, "model.ckpt.meta"), 2)),
    ("tf2_module", lambda folder: field(field(read(folder, "saved_model.pb"), 2), 2)),
])
def test_an_event_has_the_bytes_of_the_graph(tmp_path, case, graph):
    folder = SAVED["saved/" + case]
    run = convert(tmp_path, *store.Saved(folder).options)
    assert run.returncode == 0, run.stderr
    path = tmp_path / "log" / "run" / NAME
    assert f"[ SUCCESS ] TensorBoard file: {path}" in run.stdout
    assert list(events(path)) == [{3: b"brain.Event:2"}, {4: graph(folder)}]
    assert os.listdir(path.parent) == [NAME]


def test_a_graph_as_text_has_no_event(tmp_path):
    (tmp_path / "m.pbtxt").write_text('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }\nnode { name: "y" op: "Relu" input: "x" }\n', encoding="utf-8")
    run = convert(tmp_path, str(tmp_path / "m.pbtxt"))
    assert run.returncode == 1 and "MO6006" in run.stderr and "TensorBoard takes binary graphs" in run.stderr
    assert not (tmp_path / "log").exists() and not (tmp_path / "out").exists()


def test_other_formats_have_none(tmp_path):
    onnx.save(onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) { y = Relu (x) }'), tmp_path / "m.onnx")
    run = convert(tmp_path, str(tmp_path / "m.onnx"))
    assert run.returncode == 0 and not (tmp_path / "log").exists()
