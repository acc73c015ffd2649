"""Models in .zip, .tar and .tar.gz: the IR of the unpacked files, byte for byte, from places in the archive; and archives that lie, which are
an error and leave nothing. All of it for the native command and for that of the package."""
import gzip
import io
import json
import os
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib

import numpy as np
import onnx
import pytest
from onnx import TensorProto as T, helper as h, numpy_helper as nh

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
sys.path[:0] = [os.path.join(ROOT, "tests", "tf"), os.path.join(ROOT, "tests", "tflite")]
import lite  # noqa: E402
import store  # noqa: E402

from processors import processor_seconds  # noqa: E402
from test_killed import is_writing  # noqa: E402
from test_large_files import write_model  # noqa: E402


PACKAGE = ["node", os.path.join(ROOT, "dist", "library", "node", "cli.js")]
COMMAND = [MO]


@pytest.fixture(autouse=True, params=["native", "package"])
def command(request):
    """The command that a test is for."""
    COMMAND[:] = PACKAGE if request.param == "package" else [MO]
    return request.param


def mo(*arguments, **how):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=120, **how)


def relu(dims=4):
    graph = h.make_graph([h.make_node("Relu", ["x"], ["y"], "r")], "g", [h.make_tensor_value_info("x", T.FLOAT, [1, dims])],
                         [h.make_tensor_value_info("y", T.FLOAT, None)])
    return h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString()


def external():
    """A model with its weights in two files, one in a folder."""
    rng, weights = np.random.default_rng(0), []
    for name, path in (("w", "weights.bin"), ("v", "more/weights.bin")):
        array = rng.standard_normal((300, 300)).astype(np.float32)
        tensor = nh.from_array(array, name)
        tensor.ClearField("raw_data")
        tensor.data_location = T.EXTERNAL
        tensor.external_data.add(key="location", value=path)
        weights.append((tensor, path, array.tobytes()))
    graph = h.make_graph([h.make_node("MatMul", ["x", "w"], ["a"]), h.make_node("MatMul", ["a", "v"], ["y"])], "g",
                         [h.make_tensor_value_info("x", T.FLOAT, [1, 300])], [h.make_tensor_value_info("y", T.FLOAT, None)],
                         [tensor for tensor, _, _ in weights])
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)])
    return {"model.onnx": model.SerializeToString(), **{path: content for _, path, content in weights}}


def saved(case):
    """The files of a recorded case by their paths."""
    folder, found = store.saved()["saved/" + case], {}
    for where, _, names in os.walk(folder):
        for name in names:
            if name != "case.npz":
                path = os.path.join(where, name)
                found[os.path.relpath(path, folder)] = open(path, "rb").read()
    return found


def zip_of(files, method=zipfile.ZIP_DEFLATED, **more):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method, **more) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def zip64_of(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(content)
    return out.getvalue()


def tar_of(files, mode="w", form=tarfile.PAX_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=form) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


PACKERS = {
    "deflated.zip": zip_of,
    "stored.zip": lambda files: zip_of(files, zipfile.ZIP_STORED),
    "zip64.zip": zip64_of,
    "pax.tar": tar_of,
    "gnu.tar": lambda files: tar_of(files, form=tarfile.GNU_FORMAT),
    "ustar.tar": lambda files: tar_of(files, form=tarfile.USTAR_FORMAT),
    "packed.tar.gz": lambda files: tar_of(files, "w:gz"),
    "packed.tgz": lambda files: tar_of(files, "w:gz"),
}


@pytest.fixture(params=PACKERS)
def pack(request):
    """Writes an archive of files into a folder; gives its path."""
    def write(files, folder):
        path = folder / request.param
        path.write_bytes(PACKERS[request.param](files))
        return path
    return write


def unpack(files, folder):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def pair(folder, name):
    return [(folder / f"{name}.{ending}").read_bytes() for ending in ("xml", "bin")]


def files_below(folder):
    return {os.path.join(where, name) for where, folders, names in os.walk(folder) for name in folders + names}


def same(tmp_path, archive, model, name, options=(), places=()):
    """Converts the archive and the unpacked `model`: the same IR, and nothing beside it."""
    wanted = mo(model, *options, "-o", tmp_path / "wanted", "-n", name)
    assert wanted.returncode == 0, wanted.stderr
    before, out = files_below(tmp_path), tmp_path / "got"
    got = mo(archive, *places, "-o", out)
    assert got.returncode == 0, got.stderr
    assert files_below(tmp_path) - before == {str(out), str(out / f"{name}.xml"), str(out / f"{name}.bin")}
    assert pair(tmp_path / "got", name) == pair(tmp_path / "wanted", name)


def refused(tmp_path, content, *texts, code="MO7001", status=1, name="a.zip", behind="", options=()):
    """The archive is an error with this code and these texts, and leaves nothing."""
    path = tmp_path / name
    path.write_bytes(content)
    before = files_below(tmp_path)
    result = mo(f"{path}{behind}", "-o", tmp_path / "out", *options)
    assert result.returncode == status, (result.returncode, result.stdout, result.stderr)
    assert re.search(rf"^\[ ERROR \]  {code} ", result.stderr, re.M), result.stderr
    for text in texts:
        assert text in result.stderr, result.stderr
    assert files_below(tmp_path) == before
    return result.stderr


# The same IR as from the unpacked files.

def test_onnx_with_external_data(tmp_path, pack):
    files = external()
    folder = unpack(files, tmp_path / "files")
    same(tmp_path, pack({f"net/{name}": content for name, content in files.items()}, tmp_path), folder / "model.onnx", "model")


def test_onnx_with_external_data_in_fp16_by_recipes(tmp_path, pack):
    files = external()
    folder = unpack(files, tmp_path / "files")
    for option in ("--compress_to_fp16=True", "--compress_to_fp16=False"):
        for path, out in ((folder / "model.onnx", "wanted"), (pack(files, tmp_path), "got")):
            assert mo(path, option, "-o", tmp_path / out).returncode == 0
        assert pair(tmp_path / "got", "model") == pair(tmp_path / "wanted", "model")


def test_a_saved_model_is_a_folder_of_the_archive(tmp_path, pack):
    files = saved("tf2_module")
    folder = unpack(files, tmp_path / "named")
    same(tmp_path, pack({f"named/{name}": content for name, content in files.items()}, tmp_path), folder, "named")


def test_a_saved_model_at_the_root_has_the_name_of_the_archive(tmp_path):
    files = saved("tf2_module")
    folder = unpack(files, tmp_path / "files")
    for name, content in (("net.zip", zip_of(files)), ("net.tar.gz", tar_of(files, "w:gz"))):
        shutil.rmtree(tmp_path / "got", ignore_errors=True)
        (tmp_path / name).write_bytes(content)
        same(tmp_path, tmp_path / name, folder, "net")


def test_a_graph_and_a_checkpoint_that_an_option_names(tmp_path, pack):
    files = saved("checkpoint_v2")
    folder = unpack(files, tmp_path / "files")
    archive = pack({f"dir/{name}": content for name, content in files.items()}, tmp_path)
    graph, = (name for name in files if name.endswith(".pb"))
    prefix, = (name[:-len(".index")] for name in files if name.endswith(".index"))
    options = ["--input_checkpoint", folder / prefix]
    same(tmp_path, archive, folder / graph, graph[:-3], options, ["--input_checkpoint", archive / "dir" / prefix])
    # One of the two may lie beside the archive.
    for out, arguments in (("a", [folder / graph, "--input_checkpoint", archive / "dir" / prefix]), ("b", [archive, "--input_checkpoint", folder / prefix])):
        assert mo(*arguments, "-o", tmp_path / out).returncode == 0
        assert pair(tmp_path / out, graph[:-3]) == pair(tmp_path / "wanted", graph[:-3])


def test_tensorflow_lite(tmp_path, pack):
    content = lite.load(os.path.join(ROOT, "tests", "tflite", "recorded", "convolutions.npz")).popitem()[1].model
    folder = unpack({"m.tflite": content}, tmp_path / "files")
    same(tmp_path, pack({"m.tflite": content, "labels.txt": b"a\nb\n"}, tmp_path), folder / "m.tflite", "m")


# What the command line says.

TWO = {"a/one.onnx": relu(), "b/two.onnx": relu(5)}


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_models_of_an_archive_are_converted_as_those_of_a_folder(tmp_path, pack, jobs):
    files = {**TWO, "b/one.onnx": relu(7), "three.onnx": relu(2)}
    path = pack(files, tmp_path)
    result = mo(path, "-o", tmp_path / "out", "-j", jobs)
    assert result.returncode == 0 and "4 converted" in result.stdout, result.stderr
    unpack(files, tmp_path / "files")
    assert mo(tmp_path / "files", "-o", tmp_path / "wanted").returncode == 0
    for name in ("a/one", "b/two", "b/one", "three"):
        assert pair((tmp_path / "out" / name).parent, os.path.basename(name)) == pair((tmp_path / "wanted" / name).parent, os.path.basename(name))
    assert sorted(os.listdir(tmp_path / "out")) == ["a", "b", "three.bin", "three.xml"]


def test_all_models_in_a_folder_of_an_archive(tmp_path, pack):
    path = pack({**TWO, "b/deep/one.onnx": relu(7)}, tmp_path)
    for given in (f"{path}/b", f"{path}/b/"):
        result = mo(given, "-o", tmp_path / "out")
        assert result.returncode == 0 and "2 converted" in result.stdout, result.stderr
        assert names_below(tmp_path / "out") == ["deep/one.bin", "deep/one.xml", "two.bin", "two.xml"]
        shutil.rmtree(tmp_path / "out")
    assert mo(f"{path}/a", "-o", tmp_path / "out").returncode == 0
    assert names_below(tmp_path / "out") == ["one.bin", "one.xml"]


def names_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_models_of_an_archive_and_others(tmp_path, pack):
    """One that fails stops none; names are those behind the archive."""
    path = pack({**TWO, "c.onnx": b"no model"}, tmp_path)
    unpack({"one.onnx": relu(9)}, tmp_path)
    result = mo(path, tmp_path / "one.onnx", "-o", tmp_path / "out")
    assert result.returncode == 1 and f"3 converted, 1 failed:\n  {path}/c.onnx (MO1002)" in result.stderr, result.stderr
    said = mo("--info", path)
    assert said.returncode == 1 and f"{path}/a/one.onnx" in said.stdout and f"{path}/b/two.onnx" in said.stdout


def test_one_of_several_models_is_named_behind_the_archive(tmp_path, pack):
    path = pack(TWO, tmp_path)
    unpack(TWO, tmp_path / "files")
    for name in ("a/one", "b/two"):
        assert mo(f"{path}/{name}.onnx", "-o", tmp_path / "out").returncode == 0
        assert mo(tmp_path / "files" / f"{name}.onnx", "-o", tmp_path / "wanted").returncode == 0
        assert pair(tmp_path / "out", name[2:]) == pair(tmp_path / "wanted", name[2:])


def test_a_file_that_the_archive_has_not(tmp_path, pack):
    path = pack(TWO, tmp_path)
    for lost in (f"{path}/lost.onnx", f"{path}/a/one.onnx/lost", tmp_path / "lost.zip" / "a.onnx"):
        result = mo(lost, "-o", tmp_path / "out")
        assert result.returncode == 2 and "MO6007" in result.stderr and "is not existing file or directory" in result.stderr


def test_names_of_the_ir(tmp_path):
    (tmp_path / "first.zip").write_bytes(zip_of({"x/one.onnx": relu()}))
    (tmp_path / "second.tar.gz").write_bytes(tar_of({"one.onnx": relu(5)}, "w:gz"))
    for arguments, names in (([tmp_path / "first.zip"], ["one"]), ([tmp_path / "first.zip", "-n", "first"], ["first"]),
                             ([tmp_path / "first.zip", tmp_path / "second.tar.gz"], ["first", "second"]),
                             ([tmp_path / "first.zip", tmp_path / "second.tar.gz", "--jobs", "2"], ["first", "second"])):
        assert mo(*arguments, "-o", tmp_path / "out").returncode == 0
        assert sorted(os.listdir(tmp_path / "out")) == [f"{name}.{ending}" for name in names for ending in ("bin", "xml")]
        shutil.rmtree(tmp_path / "out")


def test_the_standard_input(tmp_path, pack):
    files = external()
    folder = unpack(files, tmp_path / "files")
    path = pack({f"net/{name}": content for name, content in files.items()}, tmp_path)
    assert mo(folder / "model.onnx", "-o", tmp_path / "wanted").returncode == 0
    with open(path, "rb") as file:
        assert mo("-", "-o", tmp_path / "file", stdin=file).returncode == 0
    pipe = subprocess.run([*COMMAND, "-", "-o", str(tmp_path / "pipe")], input=path.read_bytes(), capture_output=True, timeout=60)
    assert pipe.returncode == 0, pipe.stderr
    for out in ("file", "pipe"):
        assert pair(tmp_path / out, "model") == pair(tmp_path / "wanted", "model")


def test_several_models_of_the_standard_input(tmp_path):
    result = subprocess.run([*COMMAND, "-", "-o", str(tmp_path / "out")], input=zip_of(TWO), capture_output=True, timeout=60)
    assert result.returncode == 2 and b"a/one.onnx, b/two.onnx" in result.stderr and b"name the archive's file, with one of them behind it" in result.stderr


def test_a_model_of_the_standard_input_reaches_no_file_beside_it(tmp_path):
    files = external()
    unpack({name: content for name, content in files.items() if name != "model.onnx"}, tmp_path)
    result = subprocess.run([*COMMAND, "-", "-o", str(tmp_path / "out")], input=zip_of({"model.onnx": files["model.onnx"]}), capture_output=True, cwd=tmp_path, timeout=60)
    assert result.returncode == 1 and b"MO1006" in result.stderr


def test_a_model_in_an_archive_reaches_no_file_beside_the_archive(tmp_path, pack):
    files = external()
    unpack({name: content for name, content in files.items() if name != "model.onnx"}, tmp_path)
    result = mo(pack({"model.onnx": files["model.onnx"]}, tmp_path), "-o", tmp_path / "out")
    assert result.returncode == 1 and "MO1006" in result.stderr and 'file "weights.bin"' in result.stderr


def test_a_model_beside_an_archive_reaches_nothing_in_it(tmp_path):
    tensor = T(name="w", data_type=T.FLOAT, dims=[4, 4], data_location=T.EXTERNAL)
    tensor.external_data.add(key="location", value="a.zip/w.bin")
    graph = h.make_graph([h.make_node("MatMul", ["x", "w"], ["y"])], "g", [h.make_tensor_value_info("x", T.FLOAT, [1, 4])],
                         [h.make_tensor_value_info("y", T.FLOAT, None)], [tensor])
    (tmp_path / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    (tmp_path / "a.zip").write_bytes(zip_of({"w.bin": bytes(64)}))
    result = mo(tmp_path / "m.onnx", "-o", tmp_path / "out")
    assert result.returncode == 1 and "MO1006" in result.stderr


def test_skip_unchanged_looks_at_the_archive(tmp_path, pack):
    path = pack({f"net/{name}": content for name, content in external().items()}, tmp_path)
    convert = lambda: mo(path, "--skip_unchanged", "-o", tmp_path / "out")  # noqa: E731
    assert "is unchanged" not in convert().stdout
    assert '"path": "%s"' % path in (tmp_path / "out" / "model.mo.json").read_text()
    assert "model is unchanged" in convert().stdout
    path.write_bytes(path.read_bytes() + bytes(512))
    if not path.name.endswith(".zip"):
        assert "is unchanged" not in convert().stdout
    pack({f"net/{name}": content for name, content in {**external(), "model.onnx": relu()}.items()}, tmp_path)
    assert "is unchanged" not in convert().stdout


def test_the_record_of_one_model_is_not_that_of_another_one(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({"a/m.onnx": relu(), "b/m.onnx": relu(5)}))
    for name in "aab":
        result = mo(f"{tmp_path}/a.zip/{name}/m.onnx", "--skip_unchanged", "-o", tmp_path / "out")
        assert result.returncode == 0
    assert "unchanged" not in result.stdout


def test_no_output_replaces_the_archive(tmp_path):
    for name in ("one.bin", "one.xml"):
        (tmp_path / name).write_bytes(zip_of({"one.onnx": relu()}))
        result = mo(tmp_path / name, "-o", tmp_path)
        assert result.returncode == 1 and "it is a file of the model" in result.stderr
        assert sorted(os.listdir(tmp_path)) == [name]
        os.remove(tmp_path / name)


def test_the_check_script_asks_for_the_model(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({"one.onnx": relu()}))
    assert mo(tmp_path / "a.zip", "--emit_check", "-o", tmp_path / "out").returncode == 0
    assert 'MODEL = json.loads(r\'\'\'""\'\'\')' in (tmp_path / "out" / "check_one.py").read_text()


# Only what is needed.

def flagged(archive, bit):
    """The archive, with a flag set in the headers of its last file."""
    content = bytearray(archive)
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.rfind(signature) + offset] |= bit
    return bytes(content)


def test_files_that_cannot_be_read_matter_only_if_they_are_needed(tmp_path):
    files = external()
    rest = {name: content for name, content in files.items() if name != "more/weights.bin"}
    for harm, reason in ((lambda z: flagged(z, 1), "it is encrypted"), (None, "its compression, LZMA, is not read")):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in rest.items():
                archive.writestr(name, content)
            archive.writestr("more/weights.bin", files["more/weights.bin"], zipfile.ZIP_LZMA if harm is None else zipfile.ZIP_STORED)
        content = harm(out.getvalue()) if harm else out.getvalue()
        refused(tmp_path, content, reason, 'file "a.zip/more/weights.bin"')
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("one.onnx", relu())
            archive.writestr("notes.txt", b"x" * 100, method)
        (tmp_path / "a.zip").write_bytes(out.getvalue())
        assert mo(tmp_path / "a.zip", "-o", tmp_path / "out").returncode == 0
        shutil.rmtree(tmp_path / "out")


def test_a_model_that_cannot_be_read_is_named(tmp_path):
    refused(tmp_path, flagged(zip_of({"one.onnx": relu()}), 1), "one.onnx: it is encrypted", code="MO6007", status=2)


def test_a_decoy_that_is_damaged_is_not_unpacked(tmp_path):
    content = bytearray(zip_of({"big.bin": os.urandom(1 << 20), "one.onnx": relu()}))
    content[1000:2000] = bytes(1000)
    (tmp_path / "a.zip").write_bytes(bytes(content))
    assert mo(tmp_path / "a.zip", "-o", tmp_path / "out").returncode == 0


def test_an_archive_without_a_model(tmp_path):
    refused(tmp_path, tar_of({"a.txt": b"hello", "b.txt": b"there"}), "no model is in the archive", code="MO6007", status=2, name="a.tar")
    refused(tmp_path, zip_of({"a.txt": b"hello", "b.txt": b"there"}), "zip archive", code="MO1002")
    refused(tmp_path, zip_of({"a.txt": b"hello"}), 'file "a.txt"', code="MO1002")
    refused(tmp_path, zip_of({}), code="MO1002")


def test_folders_are_no_files(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a/", b"")
        old = zipfile.ZipInfo("b.onnx")
        old.create_system, old.external_attr = 0, 0x10
        archive.writestr(old, b"")
        archive.writestr("a/one.onnx", relu())
    (tmp_path / "a.zip").write_bytes(out.getvalue())
    assert mo(tmp_path / "a.zip", "-o", tmp_path / "out").returncode == 0
    assert mo(tmp_path / "a.zip" / "b.onnx", "-o", tmp_path / "none").returncode == 2


def test_litter_of_other_programs_is_no_model(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({"__MACOSX/one.onnx": relu(), "._one.onnx": relu(), "one.onnx": relu(), ".DS_Store": b"x"}))
    assert mo(tmp_path / "a.zip", "-o", tmp_path / "out").returncode == 0


# Names.

OUTSIDE = ["../one.onnx", "a/../../one.onnx", "/one.onnx", "C:/one.onnx", "C:\\one.onnx", "..\\one.onnx"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_path_that_leads_out_of_the_archive(tmp_path, name):
    for content, ending in ((zip_of({name.replace("\\", "|"): relu()}).replace(b"|", b"\\"), "zip"), (tar_of({name: relu()}), "tar")):
        refused(tmp_path, content, "its path leads out of the archive", code="MO6007", status=2, name="a." + ending)
        refused(tmp_path, content, code="MO6007", status=2, name="a." + ending, behind="/" + name)


def test_a_name_in_utf8_and_one_in_the_code_page_of_dos(tmp_path):
    text = "größe-Ω.onnx"
    (tmp_path / "a.zip").write_bytes(zip_of({text: relu()}))
    assert mo(tmp_path / "a.zip", "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out" / "größe-Ω.xml").exists()
    old = zip_of({"gr__e-_.onnx": relu()})
    (tmp_path / "b.zip").write_bytes(old.replace(b"gr__e-_.onnx", text.encode("cp437")))
    assert mo(tmp_path / "b.zip", "-o", tmp_path / "dos").returncode == 0
    assert (tmp_path / "dos" / "größe-Ω.xml").exists()


def test_every_character_of_the_code_page(tmp_path):
    name = "".join(bytes([code]).decode("cp437") for code in range(0x80, 0x100))
    place = "x" * 128 + ".onnx"
    (tmp_path / "a.zip").write_bytes(zip_of({place: relu()}).replace(b"x" * 128, bytes(range(0x80, 0x100))))
    # The name is too long for a file: the path behind the archive has to be right.
    assert mo(f"{tmp_path}/a.zip/{name}.onnx", "-n", "m", "-o", tmp_path / "out").returncode == 0


def test_the_last_of_two_files_with_one_name_counts(tmp_path):
    for write, name in ((zipfile.ZipFile, "a.zip"), (None, "a.tar")):
        out = io.BytesIO()
        if write:
            with pytest.warns(UserWarning), zipfile.ZipFile(out, "w") as archive:
                for dims in (3, 7):
                    archive.writestr("one.onnx", relu(dims))
        else:
            with tarfile.open(fileobj=out, mode="w") as archive:
                for dims in (3, 7):
                    info = tarfile.TarInfo("one.onnx")
                    info.size = len(relu(dims))
                    archive.addfile(info, io.BytesIO(relu(dims)))
        (tmp_path / name).write_bytes(out.getvalue())
        assert mo(tmp_path / name, "-o", tmp_path / "out").returncode == 0
        assert "<dim>7</dim>" in (tmp_path / "out" / "one.xml").read_text()


LONG = "/".join(["folder-of-a-long-name"] * 12)


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT], ids=["pax", "gnu"])
def test_long_names_and_large_sizes_of_tar(tmp_path, form):
    files = external()
    unpack(files, tmp_path / "files")
    (tmp_path / "a.tar").write_bytes(tar_of({f"{LONG}/{name}": content for name, content in files.items()}, form=form))
    same(tmp_path, tmp_path / "a.tar", tmp_path / "files" / "model.onnx", "model")


def test_a_size_in_base_256(tmp_path):
    content = bytearray(tar_of({"one.onnx": relu()}, form=tarfile.USTAR_FORMAT))
    def size(number):
        content[124:136] = b"\x80" + number.to_bytes(11, "big")
        content[148:156] = b" " * 8
        content[148:156] = b"%06o\0 " % sum(content[:512])
        return bytes(content)
    (tmp_path / "a.tar").write_bytes(size(len(relu())))
    assert mo(tmp_path / "a.tar", "-o", tmp_path / "out").returncode == 0
    shutil.rmtree(tmp_path / "out")
    refused(tmp_path, size(1 << 40), "it is cut off", name="a.tar")
    refused(tmp_path, size((1 << 63) + 1), "is no number", name="a.tar")


# Links.

def tar_with_links(links, files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for name, (kind, target) in links.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            archive.addfile(info)
    return out.getvalue()


def test_links_to_files_of_the_archive(tmp_path):
    """As the cache of a hub has them."""
    files = external()
    unpack(files, tmp_path / "files")
    blobs = {f"blobs/{i}": content for i, content in enumerate(files.values())}
    for kind, target in ((tarfile.SYMTYPE, "{up}../../blobs/{i}"), (tarfile.LNKTYPE, "blobs/{i}")):
        links = {f"snapshots/x/{name}": (kind, target.format(i=i, up="../" * name.count("/"))) for i, name in enumerate(files)}
        (tmp_path / "a.tar").write_bytes(tar_with_links(links, blobs))
        assert mo(f"{tmp_path}/a.tar/snapshots/x/model.onnx", "-o", tmp_path / "got").returncode == 0
        assert mo(tmp_path / "files" / "model.onnx", "-o", tmp_path / "wanted").returncode == 0
        assert pair(tmp_path / "got", "model") == pair(tmp_path / "wanted", "model")


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "nothing", "weights.bin", "../weights.bin"])
@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE], ids=["symbolic", "hard"])
def test_links_that_lead_nowhere_in_the_archive(tmp_path, kind, target):
    files = external()
    (tmp_path / "outside").write_bytes(files["weights.bin"])
    content = tar_with_links({"weights.bin": (kind, target)}, {name: files[name] for name in ("model.onnx", "more/weights.bin")})
    refused(tmp_path, content, "it is a link to nothing in the archive", 'file "a.tar/weights.bin"', name="a.tar")


def test_links_in_a_circle(tmp_path):
    links = {f"l{i}": (tarfile.SYMTYPE, f"l{(i + 1) % 50}") for i in range(50)} | {"weights.bin": (tarfile.SYMTYPE, "l0")}
    refused(tmp_path, tar_with_links(links, {"model.onnx": external()["model.onnx"]}), "it is a link to nothing in the archive", name="a.tar")


def test_other_kinds_of_files_in_tar(tmp_path):
    for kind, reason in ((tarfile.CHRTYPE, "it is a device"), (tarfile.FIFOTYPE, "it is a pipe"), (tarfile.GNUTYPE_SPARSE, "it has holes, which are not read")):
        content = tar_with_links({"weights.bin": (kind, "")}, {"model.onnx": external()["model.onnx"]})
        refused(tmp_path, content, reason, name="a.tar")


def test_a_link_in_zip(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("model.onnx", external()["model.onnx"])
        info = zipfile.ZipInfo("weights.bin")
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    refused(tmp_path, out.getvalue(), "it is a link", 'file "a.zip/weights.bin"')


# What all readers of archives have in common.

def pair_of(tmp_path, content, name, **more):
    path = tmp_path / name
    path.write_bytes(content)
    return mo(f"{path}{more.get('behind', '')}", "-o", tmp_path / "out")


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_backslash_separates_as_a_slash_does(tmp_path, kind):
    files = {"net|" + name.replace("/", "|"): content for name, content in external().items()}
    content = zip_of(files, zipfile.ZIP_STORED).replace(b"|", b"\\") if kind == "zip" else tar_of({name.replace("|", "\\"): content for name, content in files.items()})
    if kind == "zip":  # the names alone: no byte of the weights may change
        content = zip_of({name.replace("|", "!"): content for name, content in files.items()}, zipfile.ZIP_STORED)
        for name in files:
            content = content.replace(name.replace("|", "!").encode(), name.replace("|", "\\").encode())
    assert pair_of(tmp_path, content, f"a.{kind}").returncode == 0
    assert mo(f"{tmp_path}/a.{kind}/net/model.onnx", "-o", tmp_path / "named").returncode == 0


def test_the_last_of_two_files_counts_even_if_it_cannot_be_read(tmp_path):
    out = io.BytesIO()
    with pytest.warns(UserWarning), zipfile.ZipFile(out, "w") as archive:
        archive.writestr("one.onnx", relu())
        archive.writestr("one.onnx", relu())
    refused(tmp_path, flagged(out.getvalue(), 1), "one.onnx: it is encrypted", code="MO6007", status=2)


def test_a_folder_of_unix_without_a_slash_is_no_file(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        folder = zipfile.ZipInfo("b.onnx")
        folder.create_system, folder.external_attr = 3, (stat.S_IFDIR | 0o755) << 16
        archive.writestr(folder, b"")
        archive.writestr("a/one.onnx", relu())
    assert pair_of(tmp_path, out.getvalue(), "a.zip").returncode == 0


@pytest.mark.parametrize("head", [b"PK", b"PK\5\6", b"PK\7\x08", b"PK\1\2"])
def test_a_file_with_the_letters_of_zip_and_zeros_is_no_archive(tmp_path, head):
    refused(tmp_path, head + bytes(600), 'file "a.zip"', code="MO1002")


def test_a_directory_of_nothing_is_an_archive_that_is_cut_off(tmp_path):
    refused(tmp_path, b"PK\3\4" + bytes(600), "it is no zip archive, or it is cut off", 'file "a.zip"')


def test_a_damaged_file_that_may_be_the_only_model_is_named(tmp_path):
    content = bytearray(zip_of({"net.pb": bytes(range(256)) * 40, "b.txt": b"x"}))
    at = content.find(b"net.pb") + 6
    content[at:at + 4] = b"\xff" * 4
    refused(tmp_path, bytes(content), "its compressed bytes are damaged", 'file "a.zip/net.pb"')


# Archives that lie.

def test_a_checksum_that_differs(tmp_path):
    files = external()
    content = zip_of(files)
    for signature, offset in ((b"PK\3\4", 14), (b"PK\1\2", 16)):
        at = content.rfind(signature) + offset
        content = content[:at] + bytes([content[at] ^ 1]) + content[at + 1:]
    refused(tmp_path, content, "the checksum differs", 'file "a.zip/more/weights.bin"')


@pytest.mark.parametrize("factor", [0.5, 2])
def test_a_size_that_lies(tmp_path, factor):
    content = bytearray(zip_of({"one.onnx": relu()}))
    for signature, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = content.rfind(signature) + offset
        content[at:at + 4] = struct.pack("<I", int(len(relu()) * factor))
    refused(tmp_path, bytes(content), "its size is not what the archive says" if factor > 1 else "the checksum differs")


def test_a_file_that_grows_too_much(tmp_path):
    """A directory that promises 5 GB from a few bytes."""
    content = bytearray(zip_of({"model.onnx": relu()}))
    at = content.rfind(b"PK\1\2")
    content[at + 24:at + 28] = struct.pack("<I", 4_200_000_000)
    head = content.rfind(b"PK\3\4")
    content[head + 22:head + 26] = struct.pack("<I", 4_200_000_000)
    refused(tmp_path, bytes(content), "more than 4 GB and more than 100 times its size in the archive")


def test_files_that_overlap(tmp_path):
    """Three entries of the directory for the same bytes, as in an archive that fills a disk."""
    files = external()
    content = zip_of({"a/weights.bin": files["weights.bin"], "b/weights.bin": files["weights.bin"]})
    first, second = content.find(b"PK\1\2"), content.rfind(b"PK\1\2")
    content = bytearray(content)
    content[second + 42:second + 46] = content[first + 42:first + 46]
    tensor_model = onnx.load_from_string(files["model.onnx"])
    tensor_model.graph.initializer[0].external_data[0].value = "a/weights.bin"
    tensor_model.graph.initializer[1].external_data[0].value = "b/weights.bin"
    end = content.rfind(b"PK\5\6")
    # The model is put in front, so that all offsets move.
    head = zip_of({"model.onnx": tensor_model.SerializeToString()})
    one = head[:head.find(b"PK\1\2")]
    entry = head[head.find(b"PK\1\2"):head.rfind(b"PK\5\6")]
    for at in (first, second):
        content[at + 42:at + 46] = struct.pack("<I", struct.unpack("<I", content[at + 42:at + 46])[0] + len(one))
    directory = bytes(content[first:end]) + entry
    whole = one + bytes(content[:first]) + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 3, 3, len(directory), len(one) + first, 0)
    refused(tmp_path, whole, "it lies in the same place as another file", 'file "a.zip/b/weights.bin"')


@pytest.mark.parametrize("name,content", [
    ("a.zip", zip_of({"one.onnx": relu(), "x.txt": b"hello"})),
    ("b.zip", zip_of({"one.onnx": relu()}, zipfile.ZIP_STORED)),
    ("c.tar", tar_of({"one.onnx": relu()})),
    ("d.tar.gz", gzip.compress(tar_of({"one.onnx": relu()}), mtime=0)),
], ids=lambda value: value if isinstance(value, str) else "")
def test_cut_off_anywhere(tmp_path, command, name, content):
    """An error that leaves nothing. What is behind the last file of a tar archive may be missing."""
    used = 512 + len(relu()) if name.endswith(".tar") else len(content)
    times, last = (150, 30) if command == "native" else (25, 5)
    step = max(1, used // times)
    for size in [*range(1, used, step), *range(max(1, used - last), used)]:
        path = tmp_path / name
        path.write_bytes(content[:size])
        result = mo(path, "-o", tmp_path / "out")
        assert result.returncode in (1, 2), (size, result.returncode, result.stderr)
        assert re.search(r"^\[ ERROR \]  MO\d{4} ", result.stderr, re.M) and not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_damaged_by_seed(tmp_path, command, kind):
    """Both commands say the same of the same bytes."""
    whole = {"zip": zip_of, "tar": tar_of, "tar.gz": lambda files: tar_of(files, "w:gz")}[kind]({"one.onnx": relu(), "b/x.bin": bytes(300)})
    for seed in range(60 if command == "native" else 20):
        rng, content = np.random.default_rng(seed), bytearray(whole)
        for _ in range(rng.integers(1, 6)):
            content[rng.integers(len(content))] = rng.integers(256)
        path = tmp_path / f"a.{kind}"
        path.write_bytes(bytes(content))
        result = mo(path, "-o", tmp_path / "out", "-n", "m")
        assert result.returncode in (0, 1, 2), (seed, result.returncode, result.stderr)
        assert sorted(os.listdir(tmp_path)) == sorted([f"a.{kind}"] + ["out"] * (result.returncode == 0))
        shutil.rmtree(tmp_path / "out", ignore_errors=True)


def many(count, name="f{}.txt"):
    """A zip archive of empty files, the model among them; Python's own module takes minutes for a million."""
    local, directory, model = bytearray(), bytearray(), relu()
    for i in range(count):
        path, content = (b"one.onnx", model) if i == count // 2 else (name.format(i).encode(), b"")
        fields = struct.pack("<HHHHHIII", 20, 0x800, 0, 0, 0x21, zlib.crc32(content), len(content), len(content))
        directory += b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHHHII", len(path), 0, 0, 0, 0, 0, len(local)) + path
        local += b"PK\3\4" + fields + struct.pack("<HH", len(path), 0) + path + content
    at = len(local)
    end64 = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(directory), at)
    locator = b"PK\6\7" + struct.pack("<IQI", 0, at + len(directory), 1)
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
    return bytes(local + directory) + end64 + locator + end


def test_a_hundred_thousand_files(tmp_path):
    (tmp_path / "a.zip").write_bytes(many(100_000, "folder{}/f.txt"))
    began = processor_seconds()
    result = mo(tmp_path / "a.zip", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert processor_seconds() - began < 10  # 1 s where nothing else runs


def test_a_million_files(tmp_path):
    refused(tmp_path, many(1_000_000, "{}"), "it has more than 100,000 files", 'file "a.zip"')


def test_a_directory_that_promises_more_files_than_it_has(tmp_path):
    content = bytearray(zip_of({"one.onnx": relu()}))
    end = content.rfind(b"PK\5\6")
    content[end + 8:end + 12] = struct.pack("<HH", 5000, 5000)
    refused(tmp_path, bytes(content), "its directory is damaged")


def test_gzip_in_several_parts_and_with_zeros_behind(tmp_path):
    tar = tar_of({"one.onnx": relu()})
    for content in (gzip.compress(tar[:700]) + gzip.compress(tar[700:]), gzip.compress(tar) + bytes(5000)):
        (tmp_path / "a.tar.gz").write_bytes(content)
        assert mo(tmp_path / "a.tar.gz", "-o", tmp_path / "out").returncode == 0
    refused(tmp_path / "out", gzip.compress(tar) + b"rubbish", "its compressed bytes are damaged or cut off", name="b.tar.gz")


# What is left, and what it takes.

def large(path, megabytes, kind):
    """An archive with a model whose weights are a hole, which compresses well."""
    write_model(path.parent / "large.onnx", megabytes * 256, 1024, False)
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.write(path.parent / "large.onnx", "large.onnx")
    else:
        with tarfile.open(path, "w:gz", compresslevel=1) as archive:
            archive.add(path.parent / "large.onnx", "large.onnx")
    os.remove(path.parent / "large.onnx")


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_a_signal_while_it_unpacks_leaves_nothing(tmp_path, kind):
    archive, folder = tmp_path / f"a.{kind}", tmp_path / "temporary"
    large(archive, 300, kind)
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    for number, delay in ((signal.SIGTERM, 0.05), (signal.SIGINT, 0.15), (signal.SIGTERM, 0.3), (signal.SIGKILL, 0.2)):
        process = subprocess.Popen([*COMMAND, str(archive), "-o", str(tmp_path / "out")], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(number)
        process.wait(timeout=60)
        assert os.listdir(folder) == []
        if process.returncode != 0:
            assert number == signal.SIGKILL or not (tmp_path / "out").exists()
        shutil.rmtree(tmp_path / "out", ignore_errors=True)


def plain_tar(path, model, pads=0):
    """A tar archive of a file, behind a hole of so many gigabytes."""
    def header(name, size):
        info = tarfile.TarInfo(name)
        info.size = size
        return info.tobuf(tarfile.GNU_FORMAT)

    with open(path, "wb") as out:
        if pads:
            out.write(header("pad.bin", pads << 30))
            out.seek(pads << 30, 1)
        size = os.path.getsize(model)
        out.write(header(os.path.basename(model), size))
        with open(model, "rb") as content:
            shutil.copyfileobj(content, out)
        out.write(bytes(-size % 512 + 1024))


def test_an_archive_that_changes_while_it_is_read_is_an_error(tmp_path):
    write_model(tmp_path / "m.onnx", 60000, 1024, False)
    plain_tar(tmp_path / "a.tar", tmp_path / "m.onnx")
    os.remove(tmp_path / "m.onnx")
    out = tmp_path / "out"
    out.mkdir()
    process = subprocess.Popen([*COMMAND, str(tmp_path / "a.tar"), "-o", str(out), "--compress_to_fp16=False"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not is_writing(process, out):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    with open(tmp_path / "a.tar", "r+b") as file:
        file.write(b"\1")
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    os.remove(tmp_path / "a.tar")
    assert process.returncode == 1 and "it has changed while it was read" in errors and 'file "a.tar"' in errors
    assert os.listdir(out) == []


def test_a_file_beyond_4_gigabytes(tmp_path):
    write_model(tmp_path / "m.onnx", 100, 1024, False)
    plain_tar(tmp_path / "a.tar", tmp_path / "m.onnx", 9)
    same(tmp_path, tmp_path / "a.tar", tmp_path / "m.onnx", "m")


def test_a_zip_archive_beyond_4_gigabytes(tmp_path):
    with open(tmp_path / "a.zip", "wb") as out:
        out.write(b"PK\3\4")
        out.seek(5 << 30)
        out.write(moved(many(3), out.tell()))
    assert mo(tmp_path / "a.zip", "-o", tmp_path / "out").returncode == 0
    os.remove(tmp_path / "a.zip")


def moved(content, by):
    """An archive of many(), which begins at a place beyond 4 GB: offsets are in fields of their own."""
    out, at = bytearray(content[:content.find(b"PK\1\2")]), content.find(b"PK\1\2")
    begin = len(out)
    while content[at:at + 4] == b"PK\1\2":
        names, offset = struct.unpack("<H", content[at + 28:at + 30])[0], struct.unpack("<I", content[at + 42:at + 46])[0]
        out += content[at:at + 30] + struct.pack("<H", 12) + content[at + 32:at + 42] + b"\xff" * 4 + content[at + 46:at + 46 + names]
        out += struct.pack("<HHQ", 1, 8, offset + by)
        at += 46 + names
    size, count = len(out) - begin, struct.unpack("<Q", content[at + 24:at + 32])[0]
    out += b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, size, begin + by)
    out += b"PK\6\7" + struct.pack("<IQI", 0, begin + size + by, 1)
    return bytes(out) + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_memory_does_not_grow_with_the_model(tmp_path, kind):
    measure, peaks = os.path.join(ROOT, "scripts", "measure.py"), []
    for megabytes in (20, 300):
        large(tmp_path / f"a.{kind}", megabytes, kind)
        run = subprocess.run([sys.executable, measure, *COMMAND, str(tmp_path / f"a.{kind}"), "-o", str(tmp_path / "out"), "--compress_to_fp16=False"],
                             capture_output=True, text=True, timeout=120, check=True)
        found = json.loads(run.stdout)
        assert found["code"] == 0
        peaks.append(found["peak_kb"])
    assert peaks[1] < peaks[0] + 20_000


def test_a_temporary_folder_that_is_full_is_an_error(tmp_path):
    large(tmp_path / "a.zip", 20, "zip")
    result = mo(tmp_path / "a.zip", "-o", tmp_path / "out", env={**os.environ, "TMPDIR": str(tmp_path / "missing")})
    assert result.returncode == 1 and "MO7002" in result.stderr and not (tmp_path / "out").exists()
