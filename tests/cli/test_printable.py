"""What a hostile model, folder or extension says reaches the terminal, a log and JSON as text: no character that controls a terminal, ends a
line, turns the direction of a text or cannot be seen. The native command and the package print the same."""
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET

import pytest
from onnx import TensorProto as T, helper as h

from test_output import MO, NODE, ROOT

RED, BIDI, CSI, LINE, TAG = "\x1b[31m", "\u202egnp", "\u009b2J", "\u2028[ SUCCESS ] ", "\U000e0041"
HOSTILE = f"a{RED}{BIDI}{CSI}{LINE}{TAG}\x7f\x85\ufeff\nz"
SHOWN = r"a\u001b[31m\u202egnp\u009b2J\u2028[ SUCCESS ] \udb40\udc41\u007f\u0085\ufeff\u000az"
UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]")


@pytest.fixture(params=[[os.path.abspath(MO)], NODE], ids=["native", "package"])
def mo(request, tmp_path):
    def run(*words):
        ended = subprocess.run([*request.param, *map(str, words)], capture_output=True, cwd=tmp_path, timeout=60)
        printed = (ended.stdout + ended.stderr).decode()
        assert not UNSAFE.search(printed), ascii(printed)
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    return run


def write_model(path, op="Relu", name=HOSTILE):
    ends = [h.make_tensor_value_info(end, T.FLOAT, [2]) for end in (name + "x", name + "y")]
    graph = h.make_graph([h.make_node(op, [name + "x"], [name + "y"], name)], name, ends[:1], ends[1:])
    path.write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    return path


def test_names_of_nodes(mo, tmp_path):
    model = write_model(tmp_path / "m.onnx", "Un" + HOSTILE)
    code, output, errors = mo(model, "--log_level=DEBUG")
    assert code == 1 and errors.count("MO2001") == 1 and SHOWN in errors
    assert len([line for line in errors.splitlines() if line.startswith("[ ERROR ]")]) == 1, "a name is no line of its own"
    code, output, _ = mo(model, "--json")
    assert code == 1 and output.count("\n") == 1
    (message,) = json.loads(output)["messages"]
    assert message["node"] == HOSTILE


def test_json_and_files_beside_the_ir(mo, tmp_path):
    """Escapes in XML and JSON: the values stay, apart from control characters, which XML does not have."""
    model = write_model(tmp_path / "m.onnx")
    code, output, errors = mo(model, "--json", "--generate_mapping", "--trace", "--emit_check", "--skip_unchanged", "--compress_to_fp16=False")
    assert (code, errors) == (0, "")
    in_ir = re.sub("[\0-\x1f\x7f]", "\ufffd", HOSTILE)
    assert json.loads(output)["report"]["inputs"][0]["name"] == in_ir + "x"
    for name in ["m.xml", "m.mapping", "m.trace.json", "check_m.py", "m.mo.json"]:
        assert not UNSAFE.search((tmp_path / name).read_text()), name
    layers = [layer.get("name") for layer in ET.parse(tmp_path / "m.xml").iter("layer")]
    assert in_ir + "x" in layers
    assert in_ir + "x" in {place.get("name") for place in ET.parse(tmp_path / "m.mapping").iter("IR")}
    traced = json.loads((tmp_path / "m.trace.json").read_text())
    assert in_ir in {node.get("name") for step in traced["steps"] for node in step.get("added", [])}


def test_names_of_files(mo, tmp_path):
    folder = tmp_path / HOSTILE.replace("/", "")
    folder.mkdir()
    model = write_model(folder / f"{BIDI}{CSI}.onnx")
    code, output, errors = mo(model, "-o", folder, "--silent=False", "--skip_unchanged")
    assert (code, errors) == (0, "")
    assert rf"XML file: {tmp_path}/{SHOWN}/_gnp_2J.xml" in output, "a name of an IR has none of them"
    assert (folder / "_gnp_2J.xml").exists()
    for missing, code in [(folder / "none.onnx", 2), (model, 0)]:
        assert mo(missing, "-o", folder, "--json")[0] == code
        assert mo(missing, "-o", folder, "--log_level=DEBUG")[0] == code
    assert mo(model, "-o", model)[0] == 2
    assert mo(model, "--transformations_config", folder / "none.json")[0] == 2
    assert mo(model, "--extensions", folder / "none")[0] == 2


def test_words_of_the_command_line(mo, tmp_path):
    model = write_model(tmp_path / "m.onnx")
    # A word with a blank is a value.
    word = HOSTILE.replace(" ", "")
    for words in [["--" + word], ["--batch" + word], ["--log_level", word], ["--silent=" + word], ["--json=" + word], ["--completion", word],
                  ["--jobs", word], ["\u2013" + word], ["-" + word], ["--report", word], ["--transform", word]]:
        code, output, errors = mo(model, *words)
        assert code == 2 and output == "" and errors, words


with open(os.path.join(ROOT, "core", "pipeline", "options.def")) as file:
    ROWS = re.findall(r'^MO_OPTION\((\w+), "[^"]*", (\w+), "[^"]*", "[^"]*", (\w+)', file.read(), re.M)
VALUES = {"input_shape": "[2]%s", "mean_values": "x[1%s]", "layout": "x(n%s)", "freeze_placeholder_with_value": "x->1%s"}


def refuses_the_value(model, option, character):
    value = VALUES.get(option, "1%s") % character
    ended = subprocess.run([MO, str(model), "-o", str(model.parent), f"--{option}={value}"], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2 and "MO6002" in ended.stderr and "want a text without control characters" in ended.stderr, ended
    assert not UNSAFE.search(ended.stderr) and os.listdir(model.parent) == ["m.onnx"]


@pytest.mark.parametrize("character", ["\x01", "\t", "\n", "\x1b", "\x7f", "\x85", "\u061c", "\u200f", "\u2028", "\u202e", "\u2069", "\ufeff", TAG], ids=ascii)
def test_each_control_character_in_a_value_is_refused(tmp_path, character):
    """By the core, so that it is enough to ask one host."""
    refuses_the_value(write_model(tmp_path / "m.onnx", name=""), "model_name", character)


def test_control_characters_in_the_value_of_each_option_are_refused(tmp_path):
    model = write_model(tmp_path / "m.onnx", name="")
    options = [name for name, kind, scope in ROWS if scope in ("Convert", "Load") and kind in ("Text", "Number", "Shapes")]
    assert len(options) > 20
    for option in options:
        refuses_the_value(model, option, "\x1b[2J")


EXTENSION = """import { FrontExtractorOp } from '@mo/wasm/extension';
const hostile = JSON.parse(%s);
console.log('out', hostile, { hostile });
console.error('err', hostile);
console.log('two\\nlines\\tand a tab');
export class %s extends FrontExtractorOp {
  static op = 'Relu';
  static enabled = true;
  static extract(node) { %s }
}
"""


@pytest.mark.parametrize("body, code", [("console.warn(hostile); return false;", 0), ("throw new Error(hostile);", 1)], ids=["prints", "throws"])
def test_what_an_extension_says(mo, tmp_path, body, code):
    model, folder = write_model(tmp_path / "m.onnx"), tmp_path / "ext" / "front" / "onnx"
    folder.mkdir(parents=True)
    (folder / "hostile.js").write_text(EXTENSION % (json.dumps(json.dumps(HOSTILE)), "Hostile", body))
    ended, output, errors = mo(model, "--extensions", tmp_path / "ext", "--log_level=DEBUG")
    assert ended == code
    assert SHOWN.replace(r"\u000a", "\n") in output and SHOWN.replace(r"\u000a", "\n") in errors
    assert "two\nlines\tand a tab\n" in output, "lines and tabs are an extension's own"
