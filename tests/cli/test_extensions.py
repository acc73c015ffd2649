"""Transformations by name, by configuration, and in C++, on the native command line."""
import json
import os
import subprocess
import xml.etree.ElementTree as ET

import onnx.parser
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))
EXTENDED = os.path.join(ROOT, "build/native/mo_extended")

SWISH = """<ir_version: 8, opset_import: ["" : 13, "com.acme" : 1]>
agraph (float[2, 3] x) => (float[2, 3] y) <float beta = {1.5}, float one = {1}> {
  mul = Mul (beta, x)
  neg = Neg (mul)
  exp = Exp (neg)
  sum = Add (exp, one)
  z = Div (x, sum)
  y = com.acme.Frobnicate <strength = 7> (z)
}
"""

BLOCKS = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[1, 4] x) => (float[1, 4] y) {
  a = Relu (x)
  b = Tanh (a)
  y = Sigmoid (b)
}
"""


def run(program, *arguments, environment=None):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **(environment or {})})


def write_model(folder, text, names=()):
    model = onnx.parser.parse_model(text)
    for node, name in zip(model.graph.node, names):
        node.name = name
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def layers(path):
    return {layer.get("name"): layer for layer in ET.parse(path).getroot().find("layers")}


def test_U_03_extensions_in_cpp_are_part_of_a_build_of_ones_own(tmp_path):
    model = write_model(tmp_path, SWISH)
    plain = run(MO, model, "--output_dir", tmp_path)
    assert plain.returncode == 1 and "MO2001" in plain.stderr and "com.acme.Frobnicate" in plain.stderr
    # Without the built-in transformation that does the same.
    done = run(EXTENDED, model, "--output_dir", tmp_path, "--compress_to_fp16=False", "--disabled_transforms=SwishFusion")
    assert done.returncode == 0, done.stderr
    found = layers(tmp_path / "model.xml")
    types = sorted(layer.get("type") for layer in found.values())
    assert types == ["Const", "Frobnicate", "Parameter", "Result", "Swish"]
    frobnicate = next(layer for layer in found.values() if layer.get("type") == "Frobnicate")
    assert frobnicate.get("version") == "acme" and frobnicate.find("data").attrib == {"strength": "7"}
    disabled = {"MO_DISABLED_TRANSFORMS": "extensions.front.FuseSwish.FuseSwish,front.SwishFusion"}
    off = run(EXTENDED, model, "--output_dir", tmp_path, environment=disabled)
    assert off.returncode == 0 and "Swish" not in {layer.get("type") for layer in layers(tmp_path / "model.xml").values()}


def test_U_03_extensions_in_cpp_read_tensorflow_too(tmp_path):
    node = lambda name, op, inputs, more="": f'node {{ name: "{name}" op: "{op}" {" ".join(f"""input: "{i}" """ for i in inputs)} attr {{ key: "T" value {{ type: DT_FLOAT }} }} {more} }}\n'
    model = tmp_path / "model.pbtxt"
    shape = 'attr { key: "shape" value { shape { dim { size: 2 } } } } attr { key: "dtype" value { type: DT_FLOAT } }'
    constant = lambda name, value: (f'node {{ name: "{name}" op: "Const" attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{}} float_val: {value} }} }} }} }}\n')
    model.write_text(node("x", "Placeholder", [], shape) + constant("beta", 1.5) + constant("one", 1) + node("mul", "Mul", ["beta", "x"]) + node("neg", "Neg", ["mul"])
                     + node("exp", "Exp", ["neg"]) + node("sum", "AddV2", ["exp", "one"]) + node("z", "RealDiv", ["x", "sum"])
                     + node("y", "Frobnicate", ["z"], 'attr { key: "strength" value { i: 7 } }'))
    plain = run(MO, model, "--output_dir", tmp_path)
    assert plain.returncode == 1 and "MO2001" in plain.stderr and "Frobnicate" in plain.stderr
    done = run(EXTENDED, model, "--output_dir", tmp_path, "--compress_to_fp16=False", "--disabled_transforms=SwishFusion")
    assert done.returncode == 0, done.stderr
    found = layers(tmp_path / "model.xml")
    assert sorted(layer.get("type") for layer in found.values()) == ["Const", "Frobnicate", "Parameter", "Result", "Swish"]
    assert found["y"].get("version") == "acme" and found["y"].find("data").attrib == {"strength": "7"}


def test_W_05_transforms_are_switched_by_environment_and_option(tmp_path):
    for arguments, environment in ((["--disabled_transforms", "Fusing"], {}), ([], {"MO_DISABLED_TRANSFORMS": "middle.Fusing"})):
        listed = run(MO, "--list_transforms", *arguments, environment=environment)
        assert listed.returncode == 0
        row = next(line for line in listed.stdout.splitlines() if " Fusing " in line)
        assert "disabled" in row
    wrong = run(MO, "--list_transforms", "--disabled_transforms", "Fussing")
    assert wrong.returncode == 2 and "MO4003" in wrong.stderr and "Fussing" in wrong.stderr


def test_T_08_the_name_that_the_documentation_has_switches_pack_off(tmp_path):
    node = lambda name, op, attributes, inputs="": f'node {{ name: "{name}" op: "{op}" {inputs} {attributes} }}\n'
    shape = 'attr { key: "shape" value { shape { dim { size: 2 } } } } attr { key: "dtype" value { type: DT_FLOAT } }'
    model = tmp_path / "model.pbtxt"
    model.write_text(node("a", "Placeholder", shape) + node("b", "Placeholder", shape)
                     + node("y", "Pack", 'attr { key: "T" value { type: DT_FLOAT } } attr { key: "N" value { i: 2 } }', 'input: "a" input: "b"'))
    assert run(MO, model, "--output_dir", tmp_path / "ir").returncode == 0
    assert sorted(layer.get("type") for layer in layers(tmp_path / "ir" / "model.xml").values()).count("Concat") == 1
    name = "extensions.front.Pack.Pack"
    for arguments, environment in ((["--disabled_transforms", name], {}), ([], {"MO_DISABLED_TRANSFORMS": name})):
        off = run(MO, model, "--output_dir", tmp_path / "off", *arguments, environment=environment)
        assert off.returncode == 1 and 'node "y"' in off.stderr and "Pack" in off.stderr and not (tmp_path / "off").exists(), off.stderr
        listed = run(MO, "--list_transforms", *arguments, environment=environment).stdout
        assert "disabled" in next(line for line in listed.splitlines() if " Pack " in line)


def test_J_10_AndJ_11_AndW_03_AndW_04_an_entry_with_op_replaces_a_scope(tmp_path):
    model = write_model(tmp_path, BLOCKS, ["one/relu", "two/tanh", "two/sigmoid"])
    config = tmp_path / "config.json"
    template = {"id": "x", "match_kind": "scope", "instances": ["two"], "op": "ReLU", "custom_attributes": {}}
    config.write_text(json.dumps([template]))
    early = run(MO, model, "--output_dir", tmp_path, "--transformations_config", config)
    assert early.returncode == 1 and "MO6041" in early.stderr and not (tmp_path / "model.xml").exists()
    updated = run(MO, model, "--tensorflow_custom_operations_config_update", config)
    assert updated.returncode == 0, updated.stderr
    entry = json.loads(config.read_text())[0]
    assert entry == {**template, "inputs": [[{"node": "tanh$", "port": 0}]], "outputs": [{"node": "sigmoid$", "port": 0}]}
    assert not (tmp_path / "model.xml").exists()
    done = run(MO, model, "--output_dir", tmp_path, "--transformations_config", config)
    assert done.returncode == 0, done.stderr
    assert sorted(layer.get("type") for layer in layers(tmp_path / "model.xml").values()) == ["Parameter", "ReLU", "ReLU", "Result"]


CONFIGURATIONS = ["--transformations_config", "--tensorflow_use_custom_operations_config", "--tensorflow_custom_operations_config_update"]


@pytest.mark.parametrize("option", CONFIGURATIONS)
@pytest.mark.parametrize("text,code", [("[", "MO6030"), ("{}", "MO6031"), ('[{"id": "x"}]', "MO6035")])
def test_J_04_a_wrong_configuration_is_reported(tmp_path, text, code, option):
    model = write_model(tmp_path, BLOCKS)
    config = tmp_path / "config.json"
    config.write_text(text)
    done = run(MO, model, "--output_dir", tmp_path, option, config)
    assert done.returncode == 2 and f"{code} " in done.stderr and "config.json" in done.stderr and not (tmp_path / "model.xml").exists()
    missing = run(MO, model, option, tmp_path / "none.json")
    assert missing.returncode == 2 and "MO6022" in missing.stderr and "none.json" in missing.stderr


def test_W_07_folders_of_javascript_extensions_are_named(tmp_path):
    folder = tmp_path / "my_ext" / "front"
    folder.mkdir(parents=True)
    (folder / "relu.js").write_text("""import { FrontReplacementOp, ops } from '@mo/wasm/extension';
export class ReluToAbs extends FrontReplacementOp {
  static op = 'ReLU';
  replaceOp(graph, node) { return ops.create(graph, 'Abs', { name: 'abs' }, [node.inPort(0).getSource()]); }
}""")
    model = write_model(tmp_path, BLOCKS)
    done = run(MO, model, "--extensions", folder.parent, "--output_dir", tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(layer.get("type") for layer in layers(tmp_path / "model.xml").values()) == ["Abs", "Parameter", "Result", "Sigmoid", "Tanh"]
    missing = run(MO, model, "--extensions", f"{folder.parent},{tmp_path / 'none'}", "--output_dir", tmp_path / "out")
    assert missing.returncode == 2 and "MO4011" in missing.stderr and "none" in missing.stderr
    assert not (tmp_path / "out").exists()
