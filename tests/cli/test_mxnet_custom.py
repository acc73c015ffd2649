"""Custom operations of MXNet, and configurations for its models, on the native command line."""
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import openvino
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
EXTENDED = os.path.join(ROOT, "build", "native", "mo_extended")
EXAMPLE = os.path.join(ROOT, "docs", "examples", "extensions", "other_frameworks")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_mxnet_files import Symbol, array_list  # noqa: E402

MINE = """
import { Op, BASE } from '@mo/wasm/extension';
export class Mine extends Op {
  static op = 'Mine'; static type = 'Mine'; static version = 'mine';
  static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
  static supportedAttrs() { return ['strength', 'read', 'domain']; }
}
export class MineExtractor extends BASE {
  static op = 'OP'; static enabled = true;
  static extract(node) {
    const { pb } = node;
    Mine.updateNodeStat(node, { strength: node.get('strength', 'none'), read: String(pb.attribute('strength')), domain: pb.framework + '.' + pb.domain + '.' + pb.opType });
    return true;
  }
}
"""


def custom(**attrs):
    s = Symbol()
    return s.text(s.op("Custom", "c", s.op("relu", "r", s.var("data", __shape__="(2, 3)")), **attrs))


def write(folder, text, **extensions):
    (folder / "net-symbol.json").write_text(text)
    for name, code in extensions.items():
        path = folder / "ext" / (name.replace("__", "/") + ".js")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)


def run(folder, *options, program=MO):
    extensions = ["--extensions", "ext"] if (folder / "ext").exists() else []
    return subprocess.run([program, "net-symbol.json", "--output_dir", "out", *extensions, *options], capture_output=True, text=True, errors="replace", timeout=120, cwd=folder)


def layers(folder, *options, **more):
    result = run(folder, *options, **more)
    assert result.returncode == 0, result.stderr
    return {one.get("name"): one for one in ElementTree.parse(folder / "out" / "net-symbol.xml").getroot().iter("layer")}


def test_V_01_AndE_20_A_custom_operation_is_known_by_its_op_type(tmp_path):
    write(tmp_path, custom(op_type="mine", strength="(1, 2)"), front__mxnet__mine=MINE.replace("BASE", "MXNetCustomFrontExtractorOp").replace("OP'", "mine'"))
    layer = layers(tmp_path)["c"]
    assert layer.get("type") == "Mine" and dict(layer.find("data").items()) == {"strength": "(1, 2)", "read": "(1, 2)", "domain": "mxnet.Custom.mine"}


def test_V_01_An_op_type_may_be_the_name_of_an_operator(tmp_path):
    """Neither is the node of that operator a custom one, nor the custom one of that operator."""
    s = Symbol()
    node = s.op("relu", "r", s.op("Custom", "c", s.var("data", __shape__="(2, 3)"), op_type="relu"))
    write(tmp_path, s.text(node), front__mxnet__mine=MINE.replace("BASE", "MXNetCustomFrontExtractorOp").replace("OP'", "relu'"))
    found = layers(tmp_path)
    assert (found["c"].get("type"), found["r"].get("type")) == ("Mine", "ReLU")
    shutil.rmtree(tmp_path / "ext")
    shutil.rmtree(tmp_path / "out")
    result = run(tmp_path)
    assert result.returncode == 1 and "MO2001" in result.stderr and "Custom.relu" in result.stderr and not (tmp_path / "out").exists()


def test_E_19_Other_operators_have_extractors_as_in_other_frameworks(tmp_path):
    s = Symbol()
    write(tmp_path, s.text(s.op("frobnicate", "c", s.var("data", __shape__="(2, 3)"), strength=7)), front__mxnet__mine=MINE.replace("BASE", "FrontExtractorOp").replace("OP'", "frobnicate'"))
    assert dict(layers(tmp_path)["c"].find("data").items()) == {"strength": "7", "read": "7", "domain": "mxnet..frobnicate"}


LOOK = """
import { FrontReplacementPattern, log } from '@mo/wasm/extension';
export class Look extends FrontReplacementPattern {
  findAndReplacePattern(graph) {
    const nodes = graph.getOpNodes().filter((node) => node.get('op') !== 'Result');
    log.warn('Look=' + JSON.stringify(nodes.map((node) => [node.name, node.get('op'), node.pb?.opType ?? null, node.pb?.attribute('__shape__', '') ?? ''])));
  }
}
"""


def test_L_04_Variables_keep_their_description_as_inputs_and_as_constants(tmp_path):
    s = Symbol()
    node = s.op("elemwise_add", "sum", s.var("data", __shape__="(2, 3)"), s.var("w", __shape__="(2, 3)"))
    write(tmp_path, s.text(node), front__look=LOOK)
    (tmp_path / "net-0000.params").write_bytes(array_list.written({"arg:w": np.ones((2, 3), np.float32)}))
    result = run(tmp_path, "--log_level", "WARNING")
    assert result.returncode == 0, result.stderr
    seen = json.loads(re.search(r"Look=(\[\[.*?\]\])", result.stderr)[1])
    assert sorted(seen) == [["data", "Parameter", "null", "(2, 3)"], ["sum", "Add", "elemwise_add", ""], ["w", "Const", "null", "(2, 3)"]]


def test_V_01_The_example_of_the_guide(tmp_path):
    s = Symbol()
    inputs = [s.var("scores", __shape__="(1, 6, 4, 5)"), s.var("deltas", __shape__="(1, 12, 4, 5)"), s.var("image", __shape__="(1, 3)")]
    node = s.op("Custom", "p", *inputs, op_type="multi_proposal_target", feat_stride=16, scales="(8,)", ratios="(0.5, 1, 2)", rpn_min_size=4, threshold=0.7, rpn_pre_nms_top_n=20, rpn_post_nms_top_n=8)
    write(tmp_path, s.text(node))
    shutil.copytree(EXAMPLE, tmp_path / "ext")
    data = layers(tmp_path)["p"].find("data")
    assert (data.get("feat_stride"), data.get("ratio"), data.get("post_nms_topn")) == ("16", "0.5, 1, 2", "8")
    model = openvino.Core().read_model(tmp_path / "out" / "net-symbol.xml")
    openvino.Core().compile_model(model, "CPU")


def test_V_02_AndJ_02_A_configuration_for_a_model_of_MXNet(tmp_path):
    code = """
import { FrontReplacementFromConfigFileGeneral } from '@mo/wasm/extension';
export class General extends FrontReplacementFromConfigFileGeneral {
  static replacementId = 'MyGeneral';
  transformGraph(graph, attributes) { graph.node[attributes.node].name = 'renamed'; }
}
"""
    s = Symbol()
    write(tmp_path, s.text(s.op("sigmoid", "c", s.op("relu", "r", s.var("data", __shape__="(2, 3)")))), front__config=code)
    (tmp_path / "config.json").write_text(json.dumps([{"id": "MyGeneral", "match_kind": "general", "custom_attributes": {"node": "r"}}]))
    assert "renamed" in layers(tmp_path, "--transformations_config", "config.json")


@pytest.mark.skipif(not os.path.exists(EXTENDED), reason="not built")
def test_V_01_A_custom_operation_in_cpp(tmp_path):
    write(tmp_path, custom(op_type="frobnicate", strength="7"))
    found = layers(tmp_path, program=EXTENDED)["c"]
    assert found.get("type") == "Frobnicate" and found.find("data").get("strength") == "7"


def test_the_numbers_of_what_is_around_a_custom_operation(tmp_path):
    """Cut before it, the rest converts."""
    write(tmp_path, custom(op_type="mine"))
    layers(tmp_path, "--output", "r")
    x = np.float32([[1, -2, 3], [-4, 5, -6]])
    assert np.array_equal(openvino.Core().compile_model(tmp_path / "out" / "net-symbol.xml", "CPU")(x)[0], np.maximum(x, 0))
