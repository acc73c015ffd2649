"""Custom layers of Caffe: the mapping file, extensions, Python layers; and the mean image."""
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
sys.path.insert(0, os.path.join(ROOT, "tests", "caffe"))
import wire  # noqa: E402

HEAD = 'input: "data" input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8\n'
PROVIDER = """
export function caffeShapeProvider(layer, inputShapes) {
  return [inputShapes[0]];
}
"""
# Five parameters, one of which is a message.
PARAMS = 'x_param { a: 1 b: true c: 0.5 d: "text" mode: FAST size: 2 size: 3 inner { depth: 4 on: false } }'
LAYER = f'layer {{ name: "x" type: "X" bottom: "data" top: "y" {PARAMS} }}\n'


def mapping(*entries):
    return "<CustomLayersMapping>\n" + "\n".join(f"  <CustomLayer {entry}/>" for entry in entries) + "\n</CustomLayersMapping>\n"


WITH = 'NativeType="X" hasParam="true" protoParamName="x_param"'
WITHOUT = 'NativeType="X" hasParam="false"'


def write(folder, text, map_text=None, weights=None, **extensions):
    """Extensions by path, with __ for a slash."""
    (folder / "net.prototxt").write_text(text)
    if weights is not None:
        (folder / "net.caffemodel").write_bytes(weights)
    if map_text is not None:
        (folder / "map.xml").write_bytes(map_text if isinstance(map_text, bytes) else map_text.encode())
    for name, code in extensions.items():
        path = folder / "ext" / (name.replace("__", "/") + ".js")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)


def run(folder, *options, mapped=True):
    arguments = ["net.prototxt", "--output_dir", "out", *options]
    if mapped:
        arguments += ["-k", "map.xml"]
    if (folder / "ext").exists():
        arguments += ["--extensions", "ext"]
    return subprocess.run([MO, *arguments], capture_output=True, text=True, errors="replace", timeout=120, cwd=folder)


def converted(folder, *options, **more):
    """The layers of the IR by name."""
    result = run(folder, *options, **more)
    assert result.returncode == 0, result.stderr
    return {one.get("name"): one for one in ElementTree.parse(folder / "out" / "net.xml").getroot().iter("layer")}


def refused(folder, *needles, options=(), **more):
    result = run(folder, *options, **more)
    assert result.returncode == 1 and not (folder / "out").exists(), (result.returncode, result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


def data_of(layer):
    data = layer.find("data")
    return {} if data is None else dict(data.attrib)


def dims_of(layer):
    return [[int(dim.text) for dim in port.iter("dim")] for port in layer.find("output")]


def test_K_05_AndK_07_AndK_08_AndK_17_AndE_20_A_mapped_layer_has_all_its_parameters_or_none(tmp_path):
    write(tmp_path, HEAD + LAYER, mapping(WITH), front__caffe__shapes=PROVIDER)
    layer = converted(tmp_path)["x"]
    assert layer.get("type") == "X" and layer.get("version") == "experimental"
    assert data_of(layer) == {"a": "1", "b": "1", "c": "0.5", "d": "text", "mode": "FAST", "size": "2,3", "depth": "4", "on": "0"}
    assert dims_of(layer) == [[1, 3, 8, 8]]
    (tmp_path / "map.xml").write_text(mapping(WITHOUT))
    assert data_of(converted(tmp_path)["x"]) == {}


def test_enable_flattening_nested_params(tmp_path):
    write(tmp_path, HEAD + LAYER, mapping(WITH), front__caffe__shapes=PROVIDER)
    found = data_of(converted(tmp_path, "--enable_flattening_nested_params")["x"])
    assert found["inner__depth"] == "4" and found["inner__on"] == "0" and "depth" not in found


def test_disable_omitting_optional(tmp_path):
    """Known parameters have defaults, and enums are written with their message."""
    text = HEAD + 'layer { name: "p" type: "Pooling" bottom: "data" top: "y" pooling_param { kernel_size: 2 new_field: 7 } }\n'
    write(tmp_path, text, mapping('NativeType="pooling" hasParam="TRUE" protoParamName="pooling_param"'), front__caffe__shapes=PROVIDER)
    found = data_of(converted(tmp_path)["p"])
    assert found == {"pool": "caffe.PoolingParameter.MAX", "kernel_size": "2", "global_pooling": "0", "new_field": "7"}
    more = data_of(converted(tmp_path, "--disable_omitting_optional")["p"])
    assert found.items() < more.items() and more["stride"] == "0" and more["ceil_mode"] == "0"


def test_names_that_every_node_has(tmp_path):
    text = HEAD + 'layer { name: "x" type: "X" bottom: "data" top: "y" x_param { name: "n" type: 3 id: 4 shape: 5 value: 6 op: "o" bottoms: 9 } }\n'
    write(tmp_path, text, mapping(WITH), front__caffe__shapes=PROVIDER)
    layer = converted(tmp_path)["x"]
    assert data_of(layer) == {"name": "n", "type": "3", "id": "4", "shape": "5", "value": "6", "op": "o", "bottoms": "9"}
    assert layer.get("type") == "X"


def test_names_of_extensions_of_protobuf(tmp_path):
    write(tmp_path, HEAD + 'layer { name: "x" type: "X" bottom: "data" top: "y" x_param { [my.own/field]: 3 } }\n', mapping(WITH), front__caffe__shapes=PROVIDER)
    assert data_of(converted(tmp_path)["x"]) == {"_my.own_field_": "3"}


def test_a_mapped_layer_of_many_fields(tmp_path):
    text = HEAD + 'layer { name: "x" type: "X" bottom: "data" top: "y" x_param { ' + "a: 7 " * 300_000 + "} }\n"
    write(tmp_path, text, mapping(WITH), front__caffe__shapes=PROVIDER)
    assert len(data_of(converted(tmp_path)["x"])["a"]) == 599_999


def test_a_layer_of_too_many_names(tmp_path):
    many = " ".join(f"a{i}: 1" for i in range(100_000))
    write(tmp_path, HEAD + f'layer {{ name: "x" type: "X" bottom: "data" top: "y" x_param {{ {many} }} }}\n', mapping(WITH), front__caffe__shapes=PROVIDER)
    refused(tmp_path, "MO1011", "fields of other names", "line 2")


def test_blobs_of_a_mapped_layer_are_inputs(tmp_path):
    blobs = [np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(2, np.float32), np.zeros(1, np.float32)]
    write(tmp_path, HEAD + LAYER, mapping(WITHOUT), weights=wire.network([("x", "X", blobs)], "net", 2, "shape"),
          front__caffe__shapes="export default (layer, shapes) => { if (shapes.length !== 1) throw new Error('blobs'); return [[2]]; }")
    layers = converted(tmp_path, "--compress_to_fp16=False")
    assert len(layers["x"].find("input")) == 4 and dims_of(layers["x"]) == [[2]]
    assert {"x/weights", "x/biases", "x/custom_0"} <= set(layers)


def test_a_provider_reads_the_layer(tmp_path):
    code = """
export const anyName = (layer, [shape]) => {
  if (layer.framework !== 'caffe' || layer.opType !== 'X') throw new Error(layer.opType);
  return [[shape[0], layer.attribute('a') + 10, layer.field('x_param.inner.depth')], [null, [1, 5]]];
};
"""
    write(tmp_path, HEAD + LAYER.replace('top: "y"', 'top: "y" top: "z"'), mapping(WITHOUT), front__caffe__shapes=code)
    assert dims_of(converted(tmp_path)["x"]) == [[1, 11, 4], [-1, -1]]


def test_K_06_AndK_10_Without_shapes_one_error_names_all_mapped_layers(tmp_path):
    write(tmp_path, HEAD + LAYER + LAYER.replace('"x"', '"second"').replace('"data"', '"y"').replace('top: "y"', 'top: "z"'), mapping(WITH))
    text = refused(tmp_path, "MO4014", "x (X), second (X)", "extensions", "CaffeShapeProvider")
    assert text.count("ERROR") == 1 and text.index("write extensions") < text.index("CaffeShapeProvider")
    # What is cut off needs no shape.
    (tmp_path / "net.prototxt").write_text(HEAD + 'layer { name: "r" type: "ReLU" bottom: "data" top: "r" }\n' + LAYER.replace('"data"', '"r"'))
    assert "x" not in converted(tmp_path, "--output", "r")


@pytest.mark.parametrize("code,needles", [
    ("export default () => { throw new Error('no idea'); }", ["MO4004", "no idea", "ext/front/caffe/shapes.js:1"]),
    ("export default () => [];", ["MO4004", "0 shapes for 1 outputs"]),
    ("export default () => 5;", ["MO4004", "a list with a shape for each output"]),
    ("export default () => [5];", ["MO4004", "a shape is a list"]),
    ("export default () => [[-1]];", ["MO4004", "a dimension is"]),
    ("export default async () => [[1]];", ["MO4004"]),
])
def test_K_09_A_provider_that_fails_ends_the_conversion(tmp_path, code, needles):
    write(tmp_path, HEAD + LAYER, mapping(WITH), front__caffe__shapes=code)
    refused(tmp_path, 'node "x"', *needles)


EXTENSION = """
import { FrontExtractorOp, Op } from '@mo/wasm/extension';
export class Mine extends Op {
  static op = 'X'; static type = 'Mine'; static version = 'mine';
  static infer(node) { node.outPort(0).data.setShape([7]); }
  static supportedAttrs() { return ['a', 'c']; }
}
export class MineExtractor extends FrontExtractorOp {
  static op = 'OPTYPE'; static enabled = true;
  static extract(node) { Mine.updateNodeStat(node, { a: node.pb.attribute('a', 1), c: node.pb.attribute('c', 2) }); return true; }
}
"""


def test_K_08_AndK_04_An_extension_takes_what_it_names_and_a_standard_layer_what_its_row_names(tmp_path):
    write(tmp_path, HEAD + LAYER, mapping(WITH), ops__mine=EXTENSION.replace("OPTYPE", "X").replace("class MineExtractor extends FrontExtractorOp", "class Unused extends Op"))
    write(tmp_path, HEAD + LAYER, front__caffe__mine=EXTENSION.replace("OPTYPE", "X"))
    (tmp_path / "ext" / "ops" / "mine.js").unlink()
    layer = converted(tmp_path, mapped=False)["x"]
    assert (layer.get("type"), data_of(layer), dims_of(layer)) == ("Mine", {"a": "1", "c": "0.5"}, [[7]])
    # A standard layer has those of its row.
    write(tmp_path, HEAD + 'layer { name: "s" type: "Softmax" bottom: "data" top: "y" softmax_param { axis: 2 engine: CAFFE other: 3 } }\n')
    assert data_of(converted(tmp_path, mapped=False)["s"]) == {"axis": "2"}


def test_K_11_AndK_12_AndE_04_AndE_05_Mapping_extension_standard_layer(tmp_path):
    """A layer in all three; the shape comes from the provider."""
    text = HEAD + 'layer { name: "s" type: "Softmax" bottom: "data" top: "y" softmax_param { axis: 2 } }\n'
    own = EXTENSION.replace("'X'", "'Softmax'").replace("OPTYPE", "Softmax")
    write(tmp_path, text, mapping('NativeType="Softmax" hasParam="true" protoParamName="softmax_param"'),
          front__caffe__mine=own, front__caffe__shapes="export default () => [[5, 6]];")
    layer = converted(tmp_path)["s"]
    assert (layer.get("type"), layer.get("version"), data_of(layer), dims_of(layer)) == ("Softmax", "experimental", {"axis": "2"}, [[5, 6]])
    layer = converted(tmp_path, mapped=False)["s"]
    assert (layer.get("type"), dims_of(layer)) == ("Mine", [[7]])
    (tmp_path / "ext" / "front" / "caffe" / "mine.js").unlink()
    layer = converted(tmp_path, mapped=False)["s"]
    assert (layer.get("type"), layer.get("version"), dims_of(layer)) == ("SoftMax", "opset1", [[1, 3, 8, 8]])


def test_K_01_AndK_02_AndK_13_Layers_of_no_category_are_named(tmp_path):
    """Conv2D is known in TensorFlow only."""
    write(tmp_path, HEAD + 'layer { name: "one" type: "Mystery" bottom: "data" top: "a" }\nlayer { name: "two" type: "Conv2D" bottom: "a" top: "b" }\n'
                           'layer { name: "r" type: "ReLU" bottom: "b" top: "c" }\n')
    text = refused(tmp_path, "MO2001", 'node "one", Mystery', 'node "two", Conv2D', mapped=False)
    assert text.count("(Model Optimizer FAQ, question #45)") == 2 and "--output" not in text and "ReLU" not in text
    # A custom layer is one for the mapping.
    write(tmp_path, (tmp_path / "net.prototxt").read_text(), mapping('NativeType="Mystery" hasParam="false"', 'NativeType="Conv2D" hasParam="false"'), front__caffe__shapes=PROVIDER)
    assert [converted(tmp_path)[name].get("type") for name in ("one", "two", "r")] == ["Mystery", "Conv2D", "ReLU"]


def test_K_19_AndE_03_A_row_of_the_table_extracts_a_layer_by_its_node_alone(tmp_path):
    with open(os.path.join(ROOT, "core", "front", "caffe", "extract", "operators.def"), encoding="utf-8") as file:
        assert "CAFFE_CALL(Softmax" in (table := file.read()) or "CAFFE_SAME(Softmax" in table
    write(tmp_path, HEAD + 'layer { name: "s" type: "Softmax" bottom: "data" top: "y" softmax_param { axis: 2 } }\n')
    layer = converted(tmp_path, mapped=False)["s"]
    assert (layer.get("type"), data_of(layer)) == ("SoftMax", {"axis": "2"})


def test_A_35_AndL_05_A_convolution_of_Caffe_is_that_of_other_frameworks_in_IR(tmp_path):
    import onnx.helper
    weights = np.arange(4 * 3 * 9, dtype=np.float32).reshape(4, 3, 3, 3)
    write(tmp_path, HEAD + 'layer { name: "c" type: "Convolution" bottom: "data" top: "y" convolution_param { num_output: 4 kernel_size: 3 stride: 2 bias_term: false } }\n',
          weights=wire.network([("c", "Convolution", [weights])], "net", 2, "shape"))
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("Conv", ["data", "w"], ["y"], name="c", strides=[2, 2])], "net",
        [helper.make_tensor_value_info("data", 1, [1, 3, 8, 8])], [helper.make_tensor_value_info("y", 1, [1, 4, 3, 3])],
        [helper.make_tensor("w", 1, weights.shape, weights.tobytes(), raw=True)])
    (tmp_path / "other.onnx").write_bytes(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())
    caffe = converted(tmp_path, mapped=False)["c"]
    result = subprocess.run([MO, "other.onnx", "--output_dir", "out"], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    other = {one.get("name"): one for one in ElementTree.parse(tmp_path / "out" / "other.xml").getroot().iter("layer")}["c"]
    assert (caffe.get("type"), data_of(caffe), dims_of(caffe)) == ("Convolution", data_of(other), dims_of(other))


def test_L_08_AndK_14_What_cannot_be_read_is_said_and_fields_that_no_parser_has_refer_to_their_question(tmp_path):
    """Weights are read whatever else they have; only a field of the text may change numbers."""
    text = HEAD + 'layer { name: "c" type: "Convolution" bottom: "data" top: "c" convolution_param { num_output: 2 kernel_size: 3 MORE } }\n'
    weights = wire.network([("c", "Convolution", [np.ones((2, 3, 3, 3), np.float32), np.ones(2, np.float32)])], "net", 2, "shape")
    write(tmp_path, text.replace("MORE", ""), weights=weights)
    plain = run(tmp_path, mapped=False)
    ir = [(tmp_path / "out" / name).read_bytes() for name in ("net.xml", "net.bin")]
    assert plain.returncode == 0 and "MO1035" not in plain.stderr
    write(tmp_path, text.replace("MORE", ""), weights=weights + wire.payload(9999, "of a fork") + wire.number(7777, 1))
    assert run(tmp_path, mapped=False).returncode == 0 and ir == [(tmp_path / "out" / name).read_bytes() for name in ("net.xml", "net.bin")]
    write(tmp_path, text.replace("MORE", "soft: 3"), weights=weights)
    extended = run(tmp_path, mapped=False)
    assert extended.returncode == 0 and re.search(r"MO1035 .*convolution_param\.soft of c .*Model Optimizer FAQ, question #1\)", extended.stderr), extended.stderr
    for file in (tmp_path / "out").iterdir():
        file.unlink()
    (tmp_path / "out").rmdir()
    # The last byte is a field of a type that protobuf does not have.
    for damaged, code in ((weights[:-20], "MO1004"), (weights + b"\x0f", "MO1005")):
        write(tmp_path, text.replace("MORE", ""), weights=damaged)
        refused(tmp_path, code, "net.caffemodel", "byte", "prepare a parser from its caffe.proto", "(Model Optimizer FAQ, question #1)", mapped=False)


def test_K_09_AndK_10_AndE_03_The_documents_say_what_to_prefer():
    def read(name):
        with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as file:
            return " ".join(file.read().split())
    caffe, guide = read("caffe.md"), read("extending.md")
    for limit in ("parameters that change while the network runs", "on the data of an input", "on parameters of earlier layers", "If the function fails, nothing is written", "Each machine needs the function"):
        assert limit in caffe, limit
    assert "An [extension](extending.md) converts the type. This is the better way: it decides attributes and shapes itself." in caffe
    assert "`mo/front/<FRAMEWORK>/extractor.py`, which mapped the type of an operation to a function of its node. That way was deprecated. Write an extractor" in guide


def test_K_18_The_mapping_is_for_Caffe_only(tmp_path):
    import onnx.parser
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }')
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    (tmp_path / "map.xml").write_text("no XML at all")
    result = subprocess.run([MO, "m.onnx", "-k", "map.xml", "--output_dir", "out"], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_K_14_The_steps_come_in_their_order(tmp_path):
    """Load, extract, compute shapes, optimise and write: an error of one step ends the conversion before the next."""
    write(tmp_path, HEAD + LAYER, mapping(WITHOUT), front__caffe__shapes=PROVIDER)
    result = run(tmp_path, "--log_level", "INFO")
    steps = re.findall(r"^\[ INFO \] +phase (\w+)", result.stderr, re.MULTILINE)
    assert [step for step in steps if step in ("load", "extract", "infer", "emit")] == ["load", "extract", "infer", "emit"], result.stderr


def test_a_mapping_beside_the_model_is_found(tmp_path):
    write(tmp_path, HEAD + LAYER, front__caffe__shapes=PROVIDER)
    (tmp_path / "CustomLayersMapping.xml").write_text(mapping(WITHOUT))
    assert data_of(converted(tmp_path, mapped=False)["x"]) == {}


BAD = {
    "text": (b"NativeType", "MO6085", "line 1"),
    "nothing": (b"", "MO6085"),
    "unclosed": (b"<CustomLayersMapping>\n<CustomLayer NativeType='X'\n", "MO6085", "line 2"),
    "tags": (b"<a>\n\n<b></a>\n", "MO6085", "line 3"),
    "doctype": (b"<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x 'y'>]>\n<a/>", "MO6085", "line 2, column 1", "entities"),
    "entity": (b"<a>\n<CustomLayer NativeType='&lt;&evil;' hasParam='false'/></a>", "MO6085", "line 2", "&evil;"),
    "entity_in_text": (b"<a>\n&evil;</a>", "MO6085", "&evil;"),
    "deep": (b"<a>" * 100_000 + b"</a>" * 100_000, "MO6085", "more than 32 elements"),
    "large": (b"<a>" + b" " * (5 << 20) + b"</a>", "MO6085", "bytes"),
    "zeros": (b"\0" * 1000, "MO6085"),
}


@pytest.mark.parametrize("name", BAD)
def test_mapping_files_that_cannot_be_read(tmp_path, name):
    text, *needles = BAD[name]
    write(tmp_path, HEAD + LAYER, text, front__caffe__shapes=PROVIDER)
    refused(tmp_path, 'map.xml"', *needles)


def test_a_mapping_of_a_gigabyte(tmp_path):
    write(tmp_path, HEAD + LAYER, "", front__caffe__shapes=PROVIDER)
    with open(tmp_path / "map.xml", "r+b") as file:
        file.truncate(1 << 30)
    refused(tmp_path, "MO6085", "1073741824 bytes")


def test_entries_that_say_nothing_are_skipped_with_their_lines(tmp_path):
    entries = mapping(WITH, WITH.replace("x_param", "other"), 'hasParam="true"', 'NativeType="Y" hasParam="maybe"', 'NativeType="Z" hasParam="true"')
    write(tmp_path, HEAD + LAYER, entries.replace("</CustomLayersMapping>", "<Layer/></CustomLayersMapping>"), front__caffe__shapes=PROVIDER)
    result = run(tmp_path, "--log_level", "WARNING")
    assert result.returncode == 0, result.stderr
    for line, needle in ((3, "X is there already"), (4, "lacks NativeType"), (5, "hasParam is maybe"), (6, "lacks protoParamName"), (7, "Layer is no CustomLayer")):
        assert re.search(rf"MO6086[^\n]*{needle}[^\n]*line {line}\b", result.stderr), (line, needle, result.stderr)
    assert "a=" in (tmp_path / "out" / "net.xml").read_text()


# Python layers.
PYTHON = 'layer { name: "prop" type: "Python" bottom: "data" top: "rois" python_param { module: "my.layers" layer: "Boxes" param_str: "PARAM" } }\n'
PYTHON_EXTRACTOR = """
import { CaffePythonFrontExtractorOp, Op } from '@mo/wasm/extension';
export class Boxes extends Op {
  static op = 'Boxes'; static type = 'Boxes';
  static infer(node) { node.outPort(0).data.setShape([5]); }
  static supportedAttrs() { return ['feat_stride', 'ratios', 'fast', 'title']; }
}
export class BoxesExtractor extends CaffePythonFrontExtractorOp {
  static op = 'my.layers.Boxes'; static enabled = true;
  static extract(node) { Boxes.updateNodeStat(node, this.parseParamStr(node)); return true; }
}
"""


@pytest.mark.parametrize("text", [
    "'feat_stride': 16, 'ratios': [0.5, 1, 2], 'fast': True, 'title': 'it is', 'other': None",
    "{'feat_stride': 16, 'ratios': (0.5, 1, 2,), 'fast': True, 'title': 'it is',}",
    "feat_stride: 16\\nratios: [0.5, 1, 2]\\nfast: true\\ntitle: 'it is' # a note",
    '{\\"feat_stride\\": 16, \\"ratios\\": [5e-1, 1.0, 2], \\"fast\\": true, \\"title\\": \\"it is\\", \\"more\\": {\\"a\\": [1, [2]]}}',
])
def test_K_16_AndE_20_An_extractor_of_a_Python_layer_reads_param_str(tmp_path, text):
    write(tmp_path, HEAD + PYTHON.replace("PARAM", text), front__caffe__boxes=PYTHON_EXTRACTOR)
    layer = converted(tmp_path, mapped=False)["prop"]
    assert layer.get("type") == "Boxes"
    found = data_of(layer)
    assert found["feat_stride"] == "16" and found["fast"] in ("true", "True", "1") and found["title"] == "it is"
    assert [float(one) for one in found["ratios"].split(",")] == [0.5, 1, 2] and "other" not in found and "more" not in found


@pytest.mark.parametrize("text", ["'a': ", "{'a': 1", "'a' 1", "'a': [1, 2", "'a': " + "[" * 500])
def test_param_str_that_cannot_be_read(tmp_path, text):
    write(tmp_path, HEAD + PYTHON.replace("PARAM", text), front__caffe__boxes=PYTHON_EXTRACTOR)
    refused(tmp_path, "MO4004", "param_str", 'node "prop"', mapped=False)


def test_a_last_Python_layer_that_nobody_knows_says_where_to_cut(tmp_path):
    net = HEAD + """
layer { name: "score" type: "Power" bottom: "data" top: "score" power_param { scale: 2 } }
layer { name: "deltas" type: "Power" bottom: "data" top: "deltas" power_param { scale: 3 } }
layer { name: "side" type: "ReLU" bottom: "score" top: "side" }
layer { name: "prop" type: "Python" bottom: "score" bottom: "deltas" bottom: "data" top: "rois" python_param { module: "my.layers" layer: "Boxes" } }
layer { name: "show" type: "Shower" bottom: "rois" top: "shown" }
"""
    write(tmp_path, net)
    text = refused(tmp_path, "MO2001", "my.layers.Boxes", 'node "prop"', mapped=False)
    names = re.search(r"--output (\S+)", text).group(1)
    assert sorted(names.split(",")) == ["deltas", "score", "side"], text
    layers = converted(tmp_path, "--output", names, mapped=False)
    assert {"side", "score", "deltas"} <= set(layers) and "prop" not in layers


FIVE = """name: "five"
layer { name: "layer1" type: "Input" top: "one" input_param { shape { dim: 1 dim: 3 dim: 8 dim: 8 } } }
layer { name: "layer2" type: "Own2" bottom: "one" top: "two" own2_param { a: 1 b: 2 } }
layer { name: "layer3" type: "Mapped" bottom: "two" top: "three" mapped_param { a: 3 b: 4 } }
layer { name: "layer4" type: "Pooling" bottom: "three" top: "four" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "layer5" type: "Own5" bottom: "four" top: "five" own5_param { a: 5 b: 6 } }
"""


def five_extensions():
    def own(kind, shape):
        return f"""import {{ FrontExtractorOp, Op }} from '@mo/wasm/extension';
export class {kind} extends Op {{ static op = '{kind}'; static type = '{kind}';
  static infer(node) {{ const [n, c, h, w] = node.inPort(0).data.getShape(); node.outPort(0).data.setShape({shape}); }}
  static supportedAttrs() {{ return ['a']; }} }}
export class {kind}Extractor extends FrontExtractorOp {{ static op = '{kind}'; static enabled = true;
  static extract(node) {{ {kind}.updateNodeStat(node, {{ a: node.pb.attribute('a') }}); return true; }} }}
"""
    return {"front__caffe__own2": own("Own2", "[n, c, h, w]"), "front__caffe__own5": own("Own5", "[n, c]"),
            "front__caffe__shapes": "export function caffeShapeProvider(layer, [shape]) { return [[shape[0], 6, shape[2], shape[3]]]; }\n"}


def test_K_15_AndA_40_The_sample_of_five_layers(tmp_path):
    write(tmp_path, FIVE, mapping('NativeType="Mapped" hasParam="true" protoParamName="mapped_param"'), **five_extensions())
    layers = converted(tmp_path)
    assert [(name, one.get("type")) for name, one in layers.items() if name.startswith("layer") and "/" not in name] == [
        ("layer1", "Parameter"), ("layer2", "Own2"), ("layer3", "Mapped"), ("layer4", "MaxPool"), ("layer5", "Own5")]
    assert [data_of(layers[f"layer{i}"]) for i in (2, 3, 5)] == [{"a": "1"}, {"a": "3", "b": "4"}, {"a": "5"}]
    assert data_of(layers["layer4"])["kernel"] == "2, 2"
    assert [dims_of(layers[f"layer{i}"])[0] for i in (1, 2, 3, 4, 5)] == [[1, 3, 8, 8], [1, 3, 8, 8], [1, 6, 8, 8], [1, 6, 4, 4], [1, 6]]


def test_J_02_A_transformations_configuration_is_refused(tmp_path):
    write(tmp_path, HEAD + 'layer { name: "r" type: "ReLU" bottom: "data" top: "y" }\n')
    (tmp_path / "config.json").write_text('[{"id": "a", "match_kind": "general"}]')
    refused(tmp_path, "MO6054", "models of this framework: caffe. it works with TensorFlow, TensorFlow Lite, ONNX, MXNet, PaddlePaddle and PyTorch", options=("--transformations_config", "config.json"), mapped=False)


# The mean image.
RELU = HEAD + 'layer { name: "r" type: "ReLU" bottom: "data" top: "y" }\n'


@pytest.mark.parametrize("shape,options,needles", [
    ((3, 7, 8), (), ["MO6087", "[1, 3, 7, 8]"]),
    ((4, 8, 8), (), ["MO6087", "no input has"]),
    ((3, 10, 10), ("--mean_file_offsets", "(3,0)"), ["MO6087"]),
    ((3, 10, 10), ("--mean_file_offsets", "3"), ["MO6002", "want (x,y)"]),
    ((3, 8, 8), ("--input_shape", "[1,3,?,8]"), ["MO6087"]),
    ((3, 8, 8), ("--mean_values", "(1,2,3)"), ["MO6019", "--mean_file and --mean_values"]),
    ((3, 8, 8), ("--input", "r[2,2,2,2]"), ["MO6087", "no input of the model takes it"]),
])
def test_mean_images_that_do_not_fit(tmp_path, shape, options, needles):
    write(tmp_path, RELU)
    (tmp_path / "mean.binaryproto").write_bytes(wire.blob(np.zeros(shape), "legacy"))
    refused(tmp_path, *needles, options=("--mean_file", "mean.binaryproto", *options), mapped=False)


@pytest.mark.parametrize("content,needles", [
    (b"", ["MO1002", "no mean image"]), (b"hello", ["MO"]), (wire.blob(np.zeros((3, 8, 8)), "legacy")[:-5], ["MO1004"]),
    (wire.network([("x", "X", [np.ones(2)])], "net", 2, "shape"), ["MO1002", "no mean image"])])
def test_files_that_are_no_mean_image(tmp_path, content, needles):
    write(tmp_path, RELU)
    (tmp_path / "mean.binaryproto").write_bytes(content)
    refused(tmp_path, *needles, "mean", options=("--mean_file", "mean.binaryproto"), mapped=False)


def test_a_mean_image_alone_is_no_model(tmp_path):
    (tmp_path / "mean.binaryproto").write_bytes(wire.blob(np.zeros((3, 8, 8)), "legacy"))
    result = subprocess.run([MO, "mean.binaryproto"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert result.returncode == 1 and "MO1002" in result.stderr and "--mean_file" in result.stderr, result.stderr
