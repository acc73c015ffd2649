"""--fsync: what a loss of power leaves. The calls to the system are read: a file that gets its name is on the disk before, and so is its name
before the next file gets one."""
import os
import re
import subprocess

import pytest

from test_large_files import MO, NODE, write_model

CALL = re.compile(r'^(?:\d+ +)?(fsync|rename|renameat2?|write|pwrite64|pwritev)\((?:\d+<(.*?)(?:>\(deleted\))?(?: \(deleted\))?>)?(.*) = (-?\d+)')


@pytest.fixture(params=[MO, NODE], ids=["native", "package"])
def tool(request):
    return request.param


@pytest.fixture
def model(tmp_path):
    write_model(tmp_path / "m.onnx", 50, 1024, False)
    return tmp_path / "m.onnx"


def convert(tool, model, out, *options, inject=()):
    """The result, and what the command does in this order: ("write", file), ("sync", file or folder), ("name", file)."""
    log = model.parent / "calls.txt"
    calls = ["-f", "-y", "-s", "4096", "-o", str(log), "-e", "trace=fsync,rename,renameat,renameat2,write,pwrite64,pwritev"]
    line = [*tool, str(model), "--model_name", "m", "--output_dir", str(out), *options]
    result = subprocess.run(["strace", *calls, *inject, *line], capture_output=True, text=True, timeout=120)
    done = []
    for call, file, rest, value in filter(None, (CALL.match(text) and CALL.match(text).groups() for text in log.read_text().splitlines())):
        if value.startswith("-"):
            continue  # there was no older .xml
        if call == "fsync":
            done.append(("sync", file))
        elif call.startswith("rename"):
            done.append(("name", re.findall(r'"(.*?)"', rest)[-1]))
        elif file and file.startswith(str(model.parent)) and not file.endswith("/mo-node-lock"):
            done.append(("write", file))
    return result, done


def assert_lasting(done, out):
    """No file is written to behind its sync; all files are on the disk before the first gets its name; each name before what comes next."""
    names = [at for at, (what, _) in enumerate(done) if what == "name"]
    synced = set()
    for what, file in done:
        if what == "sync":
            synced.add(file)
        assert what != "write" or file not in synced
    for at in names:
        assert done[at + 1] == ("sync", os.path.dirname(done[at][1])), done[at]
    written = {file for what, file in done if what == "write" and os.path.dirname(file) == str(out)}
    assert written and written <= {file for what, file in done if what == "sync"}
    return [os.path.basename(done[at][1]) for at in names]


@pytest.mark.parametrize("overwrites", [False, True], ids=["new", "overwriting"])
def test_names_come_last(tool, model, tmp_path, overwrites):
    out = tmp_path / "new" / "folder"
    if overwrites:
        assert convert(tool, model, out)[0].returncode == 0
    result, done = convert(tool, model, out, "--fsync")
    assert result.returncode == 0, result.stderr
    names = assert_lasting(done, out)
    assert names[-2:] == ["m.bin", "m.xml"] and len(names) == 2 + overwrites
    first = next(at for at, (what, _) in enumerate(done) if what == "name")
    files = {file for what, file in done[:first] if what == "sync" and os.path.dirname(file) == str(out)}
    assert len(files) == 2, "the .bin and the .xml"
    folders = [file for what, file in done if what == "sync" and file in (str(tmp_path), str(out.parent))]
    assert sorted(folders) == ([] if overwrites else [str(tmp_path), str(out.parent)])


def test_the_record_too(tool, model, tmp_path):
    result, done = convert(tool, model, tmp_path / "out", "--fsync", "--skip_unchanged", "--emit_check")
    assert result.returncode == 0, result.stderr
    names = assert_lasting(done, tmp_path / "out")
    assert names[:2] == ["m.bin", "m.xml"] and len(names) == 4 and "m.mo.json" in names


def test_nothing_waits_unless_asked(tool, model, tmp_path):
    result, done = convert(tool, model, tmp_path / "out")
    assert result.returncode == 0 and ("sync" not in {what for what, _ in done}) and len(done) > 2


@pytest.mark.parametrize("which", [1, 2, 3, 4])
def test_a_disk_that_fails(tool, model, tmp_path, which):
    """Of each of the first four syncs the system says that it has failed: an error, and nothing is left."""
    result, _ = convert(tool, model, tmp_path / "out", "--fsync", inject=["-e", f"inject=fsync:error=EIO:when={which}"])
    assert result.returncode == 1 and "MO7002" in result.stderr and not (tmp_path / "out" / "m.xml").exists(), result.stderr
    assert not (tmp_path / "out").exists() or not os.listdir(tmp_path / "out")
