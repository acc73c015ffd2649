"""Names that mean something elsewhere: in paths, in XML and JSON, in JavaScript; and options of many megabytes."""
import json
import os
import sys
import xml.etree.ElementTree as ET

import pytest
from onnx import TensorProto as T, helper as h

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hosts import ALL, MO, NODE, convert_all, run  # noqa: E402

HOSTS = pytest.mark.parametrize("program", [[MO], NODE], ids=["native", "package"])
NAMES = ["../../x", "/etc/passwd", "..", ".", "C:\\x", "a\\..\\..\\b", "\0", "%2e%2e/x", '"/><layer id="9" name="', "]]>", "<!--", "&lt;&#0;&xxe;", '","ok":true,"x":"', "\\", "'\"`$(id)`",
         "__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "{}", "[0]", "%s%n%d", "a" * 60_000, "\u202e", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]


def write(path, name, op="Relu", domain=""):
    ends = [h.make_tensor_value_info(end, T.FLOAT, [2]) for end in (name + "x", name)]
    node = h.make_node(op, [name + "x"], [name], name, domain=domain)
    model = h.make_model(h.make_graph([node], name, ends[:1], ends[1:]), opset_imports=[h.make_opsetid("", 13), h.make_opsetid("__proto__", 1)], producer_name=name.replace("\0", ""))
    path.write_bytes(model.SerializeToString())
    return path


def everything_below(folder):
    return {os.path.join(at, name) for at, folders, names in os.walk(folder) for name in [*folders, *names]}


@HOSTS
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:20])
def test_names_are_names(program, tmp_path, name):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    model = write(inner / "m.onnx", name)
    code, output, errors = run(program, model, "-o", inner, "--json", "--generate_mapping", "--trace", "--emit_check", folder=inner)
    assert (code, errors) == (0, "")
    (line,) = output.splitlines()
    report, in_ir = json.loads(line), name.replace("\0", "\ufffd")
    assert report["ok"] is True and report["report"]["outputs"][0]["name"] == in_ir and set(report) == {"model", "ok", "xml", "bin", "report", "messages"}
    layers = ET.parse(inner / "m.xml").findall("./layers/layer")
    assert [layer.get("type") for layer in layers] == ["Parameter", "ReLU", "Result"] and layers[1].get("name") == in_ir
    json.loads((inner / "m.trace.json").read_text())
    ET.parse(inner / "m.mapping")
    compile((inner / "check_m.py").read_text(), "check_m.py", "exec")
    assert everything_below(tmp_path) == {str(tmp_path / "a"), str(inner), *(str(inner / file) for file in ["m.onnx", "m.xml", "m.bin", "m.mapping", "m.trace.json", "check_m.py"])}


@HOSTS
@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", '"/><x', "then"])
def test_operations_that_are_words_of_javascript(program, tmp_path, name):
    model = write(tmp_path / "m.onnx", "r", name, "__proto__")
    code, output, _ = run(program, model, "-o", tmp_path, "--json")
    assert code == 1 and json.loads(output)["messages"][0]["op"] in (name, "__proto__." + name)


@HOSTS
@pytest.mark.parametrize("name", ["../x", "..", "/x", "a/../../x", ".", "\\x/"])
def test_names_of_an_ir_stay_in_its_folder(program, tmp_path, name):
    (tmp_path / "out").mkdir()
    model = write(tmp_path / "m.onnx", "r")
    before = everything_below(tmp_path)
    code = run(program, model, "-o", tmp_path / "out", "--model_name", name)[0]
    made = everything_below(tmp_path) - before
    assert code == 2 and not made or all(path.startswith(str(tmp_path / "out") + "/") for path in made), (code, made)


LONG = [("input", "x,"), ("input", "x[1,"), ("input", "x->["), ("input", "(("), ("output", "r,"), ("input_shape", "[1,"), ("input_shape", "[2],"), ("mean_values", "[1,"), ("mean_values", "x[1],"), ("layout", "n"),
        ("layout", "x(n),"), ("source_layout", "["), ("transform", "Pruning,"), ("transform", "LowLatency2["), ("disabled_transforms", "a,"), ("freeze_placeholder_with_value", "x->1,"), ("batch", "1"), ("scale", "9"),
        ("model_name", "n"), ("framework", "o"), ("saved_model_tags", "a,")]


@pytest.mark.parametrize("option, piece", LONG, ids=lambda text: text)
def test_options_of_many_megabytes(tmp_path, option, piece):
    """Commands take no longer word than 128 KB; the library does."""
    model = write(tmp_path / "m.onnx", "r")
    value = piece * (120_000 // len(piece))
    for program in [[MO], NODE]:
        assert run(program, model, "-o", tmp_path, f"--{option}={value}")[0] in (0, 1, 2)
    assert len(convert_all([model.read_bytes()], "m.onnx", {"long": [option, piece, (10 if ALL else 1) << 20]}, seconds=60)) == 1
