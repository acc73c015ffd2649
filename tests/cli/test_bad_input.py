"""Every kind of bad input: its code, its place, exit code 1, and nothing left behind."""
import io
import os
import re
import subprocess
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto as T, helper as h, numpy_helper as nh

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))


def value(name, shape, kind=T.FLOAT):
    return h.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs=None, outputs=None, initializers=()):
    graph = h.make_graph(nodes, "g", [value("x", [1, 4])] if inputs is None else inputs,
                         [value("y", None)] if outputs is None else outputs, list(initializers))
    return h.make_model(graph, opset_imports=[h.make_opsetid("", 13), h.make_opsetid("com.acme", 1)])


def refused(tmp_path, content, code, *places, name="m.onnx", output=None, options=(), status=1):
    """Converts `content`, wants `status`, `code` and every text of `places` on stderr, and an untouched folder."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.SerializeToString())
    out = output or tmp_path / "out"
    before = set(os.listdir(tmp_path))
    run = subprocess.run([MO, str(path), "--output_dir", str(out), *options], capture_output=True, text=True, timeout=60)
    assert run.returncode == status, (run.returncode, run.stdout, run.stderr)
    assert re.search(rf"^\[ ERROR \]  {code} ", run.stderr, re.M), run.stderr
    for place in places:
        assert place in run.stderr, run.stderr
    assert "[ SUCCESS ]" not in run.stdout
    assert set(os.listdir(tmp_path)) == before
    return run.stderr


RELU = [h.make_node("Relu", ["x"], ["y"], "r")]


def test_empty_file(tmp_path):
    refused(tmp_path, b"", "MO1001", 'file "m.onnx"')


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95, 0.999])
def test_truncated_file(tmp_path, part):
    weight = nh.from_array(np.ones((64, 4), np.float32), "w")
    whole = model([h.make_node("Gemm", ["x", "w"], ["y"], "fc", transB=1)], initializers=[weight]).SerializeToString()
    refused(tmp_path, whole[:int(len(whole) * part)], "MO1004", 'file "m.onnx", byte ')


def test_W_08_garbage(tmp_path):
    refused(tmp_path, np.random.default_rng(0).bytes(5000), "MO1002", 'file "m.onnx"')
    refused(tmp_path, b"Hello, this is no model at all.\n", "MO1002")


def zipped(files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return archive.getvalue()


@pytest.mark.parametrize("content,title", [
    (zipped({"m/data.pkl": b"\x80\x02", "m/data/0": bytes(64)}), 'but not in this build: PyTorch model or weights (file "m.onnx"). load it in Python: torch.export.save(torch.export.export(model.eval()'),
    (b'<?xml version="1.0"?>\n<net name="m" version="11">', 'but not in this build: OpenVINO IR (file "m.onnx"). it is what a conversion gives: load it with OpenVINO'),
    (b'\x1c\0\0\0MNNB', 'but not in this build: MNN model (file "m.onnx"). export the model to ONNX or TensorFlow'),
])
def test_L_09_AndW_08_other_formats_are_named(tmp_path, content, title):
    refused(tmp_path, content, "MO1003", title)


def test_a_pipe_with_a_name_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    result = subprocess.run([MO, str(tmp_path / "pipe"), "-o", str(tmp_path / "out")], capture_output=True, text=True, timeout=20)
    assert result.returncode == 1 and "MO7001" in result.stderr and "not a regular file" in result.stderr
    assert not (tmp_path / "out").exists()


def test_files_of_keras_are_answered_with_the_line_that_exports_a_saved_model(tmp_path):
    refused(tmp_path, b"\x89HDF\r\n\x1a\n" + bytes(64), "MO1028", "tf_keras.models.load_model('m.h5').save('folder')", 'file "m.h5"', name="m.h5")
    archive = zipped({name: "{}" for name in ("metadata.json", "config.json", "model.weights.h5")})
    refused(tmp_path, archive, "MO1028", "keras.models.load_model('m.keras').export('folder')", 'file "m.keras"', name="m.keras")


def test_W_08_all_unsupported_operations_at_once(tmp_path):
    nodes = [h.make_node("Frobnicate", ["x"], ["a"], "frob", domain="com.acme"),
             h.make_node("Mangle", ["a"], ["b"], "first", domain="com.acme"),
             h.make_node("Mangle", ["b"], ["y"], "second", domain="com.acme")]
    text = refused(tmp_path, model(nodes), "MO2001", "com.acme.Frobnicate", 'node "frob"', 'node "first"', 'node "second"')
    assert text.count("MO2001") == 3


def external(location, offset=0, length=64):
    tensor = T(name="w", data_type=T.FLOAT, dims=[4, 4], data_location=T.EXTERNAL)
    for key, text in (("location", location), ("offset", str(offset)), ("length", str(length))):
        tensor.external_data.add(key=key, value=text)
    return model([h.make_node("MatMul", ["x", "w"], ["y"], "mm")], initializers=[tensor])


def test_missing_external_data_is_named(tmp_path):
    refused(tmp_path, external("weights.data"), "MO1006", 'file "weights.data"')


def test_missing_external_data_is_reported_once_for_each_file(tmp_path):
    content = external("a.data")
    for name, location in (("v", "a.data"), ("u", "b.data")):
        tensor = content.graph.initializer.add()
        tensor.CopyFrom(external(location).graph.initializer[0])
        tensor.name = name
    text = refused(tmp_path, content, "MO1006", 'file "a.data"', 'file "b.data"')
    assert text.count("MO1006") == 2


@pytest.mark.parametrize("location", ["/etc/passwd", "../secret", "a/../../secret", "C:\\secret", "..\\secret", ""])
def test_external_data_outside_the_folder_is_refused(tmp_path, location):
    refused(tmp_path, external(location), "MO1007")


def test_external_data_out_of_range(tmp_path):
    (tmp_path / "w.data").write_bytes(bytes(64))
    refused(tmp_path, external("w.data", offset=32), "MO1008", 'file "w.data", byte 32', 'tensor "w"')
    refused(tmp_path, external("w.data", length=32), "MO1009", 'tensor "w"')


def test_external_data_through_a_symbolic_link_to_a_folder(tmp_path):
    (tmp_path / "w.data").mkdir()
    refused(tmp_path, external("w.data"), "MO7001", 'file "w.data"')


def test_weights_that_contradict_the_input(tmp_path):
    weight = nh.from_array(np.ones((5, 3), np.float32), "w")
    refused(tmp_path, model([h.make_node("MatMul", ["x", "w"], ["y"], "mm")], initializers=[weight]), "MO3002", 'node "mm", MatMul')


def test_convolution_with_other_channels(tmp_path):
    weight = nh.from_array(np.ones((8, 3, 3, 3), np.float32), "w")
    refused(tmp_path, model([h.make_node("Conv", ["x", "w"], ["y"], "conv")], [value("x", [1, 4, 8, 8])], initializers=[weight]),
            "MO3002", 'node "conv", Conv')


@pytest.mark.parametrize("attributes", [
    {"mode": "smooth"}, {"coordinate_transformation_mode": "strange"}, {"nearest_mode": "round"}, {"keep_aspect_ratio_policy": "both"},
    {"mode": "linear", "coordinate_transformation_mode": "half"}], ids=lambda attributes: " ".join(attributes.values()))
def test_texts_that_resizing_does_not_know_are_named_before_the_conversion(tmp_path, attributes):
    key, text = list(attributes.items())[-1]
    scales = nh.from_array(np.array([1, 1, 2, 2], np.float32), "s")
    content = model([h.make_node("Resize", ["x", "", "s"], ["y"], "r", **attributes)], [value("x", [1, 3, 8, 8])], initializers=[scales])
    content.opset_import[0].version = 18
    refused(tmp_path, content, "MO2002", f"{key} is '{text}' (node \"r\", Resize)")
    (tmp_path / "m.onnx").write_bytes(content.SerializeToString())
    shown = subprocess.run([MO, "--info", str(tmp_path / "m.onnx")], capture_output=True, text=True, timeout=60)
    assert "MO2002" in shown.stdout + shown.stderr, shown


def test_I_12_cycle_is_named(tmp_path):
    nodes = [h.make_node("Add", ["x", "b"], ["a"], "first"), h.make_node("Relu", ["a"], ["b"], "second"), h.make_node("Relu", ["b"], ["y"], "r")]
    refused(tmp_path, model(nodes), "MO3001", "first", "second")


def test_undefined_and_duplicate_tensors(tmp_path):
    refused(tmp_path, model([h.make_node("Relu", ["nobody"], ["y"], "r")]), "MO1013", "nobody", 'node "r"')
    refused(tmp_path, model([h.make_node("Relu", ["x"], ["y"], "r"), h.make_node("Abs", ["x"], ["y"], "s")]), "MO1014", '"y"')


def raw(dims, data, kind=T.FLOAT):
    return T(name="w", data_type=kind, dims=dims, raw_data=data)


def test_data_of_the_wrong_size(tmp_path):
    add = [h.make_node("Add", ["x", "w"], ["y"], "a")]
    refused(tmp_path, model(add, initializers=[raw([4], bytes(15))]), "MO1009", 'tensor "w"')
    refused(tmp_path, model(add, initializers=[T(name="w", data_type=T.FLOAT, dims=[4], float_data=[1, 2, 3])]), "MO1009", 'tensor "w"')
    refused(tmp_path, model(add, initializers=[T(name="w", data_type=T.INT64, dims=[4], int64_data=[1, 2, 3])]), "MO1009")


def test_dimensions_that_overflow(tmp_path):
    add = [h.make_node("Add", ["x", "w"], ["y"], "a")]
    refused(tmp_path, model(add, initializers=[raw([1 << 40, 1 << 40], b"")]), "MO1010", 'tensor "w"')
    refused(tmp_path, model(add, initializers=[raw([-4], bytes(16))]), "MO3004", 'tensor "w"')


def test_tensor_of_no_elements_converts(tmp_path):
    nodes = [h.make_node("Concat", ["x", "w"], ["y"], "c", axis=0)]
    path = tmp_path / "m.onnx"
    path.write_bytes(model(nodes, initializers=[raw([0, 4], b"")]).SerializeToString())
    run = subprocess.run([MO, str(path), "--output_dir", str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "m.bin").exists()


def test_a_type_ir_does_not_have(tmp_path):
    refused(tmp_path, model(RELU, [value("x", [1, 4], T.COMPLEX64)]), "MO2005", "complex64")


def test_bodies_nested_without_end(tmp_path):
    def field(number, payload):
        size, length = len(payload), b""
        while size > 127:
            length, size = length + bytes([size & 127 | 128]), size >> 7
        return bytes([number << 3 | 2]) + length + bytes([size]) + payload

    graph = b""
    for _ in range(100):  # If(then_branch = If(then_branch = …)), past the depth that protobuf's own parser takes
        graph = field(1, field(2, b"y") + field(4, b"If") + field(5, field(1, b"then_branch") + field(6, graph)))
    refused(tmp_path, b"\x08\x08" + field(7, graph), "MO1011")


def test_W_08_output_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    refused(tmp_path, model(RELU), "MO6021", output=tmp_path / "file" / "out", status=2)
    refused(tmp_path, model(RELU), "MO7002", output="/proc/nothing")


def test_W_06_AndW_08_wrong_input_shapes(tmp_path):
    refused(tmp_path, model(RELU), "MO6003", options=["--input_shape=[1,"], status=2)
    refused(tmp_path, model(RELU), "MO6004", options=["--input_shape=[1,4],[2,4]"])


def test_W_08_missing_model(tmp_path):
    run = subprocess.run([MO, str(tmp_path / "nope.onnx")], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert "is not existing file or directory" in run.stderr


@pytest.mark.parametrize("arguments", [["--frobnicate"], ["m.onnx", "--output_dir"], ["m.onnx", "--compress_to_fp16=maybe"], ["m.onnx", "--log_level=LOUD"]])
def test_command_lines_that_argparse_refuses(arguments):
    run = subprocess.run([MO, *arguments], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert run.stderr.startswith("usage: mo ")
