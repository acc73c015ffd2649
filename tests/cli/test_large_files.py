"""Files that must not be held in memory: 2.5 GB in one file, and 300 MB in the attribute of a Constant node."""
import os
import subprocess
import sys
import json
import xml.etree.ElementTree as ET

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = [os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))]
NODE = ["node", os.path.join(ROOT, "dist", "library", "node", "cli.js")]
MARK = b"weights are places"


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, payload, size=None):
    """A length-delimited field. With `size`, its content is that many bytes longer than `payload`: the rest is a hole in the file."""
    return varint(number << 3 | 2) + varint(len(payload) + (size or 0)) + payload


def number(at, value):
    return varint(at << 3) + varint(value)


def tensor_head(name, rows, columns):
    """A TensorProto without the bytes of its raw_data, and their number."""
    size = rows * columns * 4
    return number(1, rows) + number(1, columns) + number(2, 1) + field(8, name) + varint(9 << 3 | 2) + varint(size), size


def value_info(name, kind, *dims):
    shape = b"".join(field(1, number(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, number(1, kind) + field(2, shape)))


def write_model(path, rows, columns, in_attribute):
    """y = Gather(w, x), where w is a hole except for MARK at its begin and end; gives the offset of w in the file."""
    head, size = tensor_head(b"w", rows, columns)
    gather = field(1, field(1, b"w") + field(1, b"x") + field(2, b"y") + field(4, b"Gather"))
    boundary = field(11, value_info(b"x", 7, 4)) + field(12, value_info(b"y", 1, 4, columns))
    if in_attribute:
        attribute = field(1, b"value") + number(20, 4) + field(5, head, size)
        big = field(1, field(2, b"w") + field(4, b"Constant") + field(5, attribute, size), size)
    else:
        big = field(5, head, size)
    graph = field(2, b"g") + gather + boundary + big
    start = number(1, 8) + field(8, field(1, b"") + number(2, 13)) + field(7, graph, size)
    with open(path, "wb") as f:
        f.write(start)
        begin = f.tell()
        f.write(MARK)
        f.truncate(begin + size)
        f.seek(begin + size - len(MARK))
        f.write(MARK)
    return begin


def converted(tool, model, out):
    code = [sys.executable, os.path.join(ROOT, "scripts", "measure.py"), *tool, str(model), "--output_dir", str(out), "--compress_to_fp16=False"]
    return json.loads(subprocess.run(code, capture_output=True, text=True, timeout=600, check=True).stdout)


@pytest.mark.parametrize("rows,in_attribute", [(655360, False), (76800, True)], ids=["2.5GB-initializer", "300MB-Constant"])
@pytest.mark.parametrize("tool,peak", [(MO, 64), (NODE, 200)], ids=["native", "node"])
def test_large(tmp_path, tool, peak, rows, in_attribute):
    model = tmp_path / "m.onnx"
    write_model(model, rows, 1024, in_attribute)
    run = converted(tool, model, tmp_path)
    assert run["code"] == 0
    assert run["peak_kb"] < peak * 1024
    layers = ET.parse(tmp_path / "m.xml").getroot().find("layers")
    weight = next(l for l in layers if l.get("type") == "Const" and int(l.find("data").get("size")) > 1 << 20)
    data = weight.find("data")
    assert (data.get("shape"), int(data.get("size"))) == (f"{rows}, 1024", rows * 4096)
    with open(tmp_path / "m.bin", "rb") as f:
        f.seek(int(data.get("offset")))
        assert f.read(len(MARK)) == MARK
        f.seek(int(data.get("offset")) + rows * 4096 - len(MARK))
        assert f.read(len(MARK)) == MARK
    os.remove(tmp_path / "m.bin")
