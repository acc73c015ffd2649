"""Extensions see the same names of operators, slots and attributes in programs of PaddlePaddle 3 as in a ProgramDesc."""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))
sys.path.append(os.path.join(ROOT, "tests", "paddle"))
import pir_byhand as pir  # noqa: E402
import small as desc  # noqa: E402

EXTRACTOR = """import { FrontExtractorOp, log, ops } from '@mo/wasm/extension';
export class Mine extends FrontExtractorOp {
  static op = '%s';
  static enabled = true;
  static extract(node) {
    log.warn('Probe=' + JSON.stringify([%s]));
    ops.updateNodeStat('Shrink', node, { lambd: 0.25, bias: 0 });
    return true;
  }
}"""
REPLACEMENT = """import * as mo from '@mo/wasm/extension';
export class General extends mo.FrontReplacementFromConfigFileGeneral { static replacementId = 'Mine';
  transformGraph(graph, given) { mo.log.warn('Probe=' + JSON.stringify([graph.framework, given])); } }
export class Tanh extends mo.FrontReplacementOp { static op = 'ReLU'; static enabled = true;
  replaceOp(graph, node) { const tanh = mo.ops.create(graph, 'Tanh', { name: node.name + '/tanh' }); node.inPort(0).getSource().connect(tanh.inPort(0)); return tanh; } }"""
X = pir.tensor([2, 3])


def converted(tmp_path, path, files, *options):
    """The probes, and the types of the IR's layers."""
    for name, text in files.items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    done = subprocess.run([MO, "--input_model", path, "--output_dir", str(tmp_path / "out"), "--extensions", str(tmp_path / "mine"), *options], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    xml = (tmp_path / "out" / (os.path.splitext(os.path.basename(path))[0] + ".xml")).read_text()
    probes = [json.loads(one) for one in re.findall(r"Probe=(\[.*?\])(?= \(|$)", done.stdout + done.stderr, re.M)]
    return probes, re.findall(r'<layer [^>]*type="(\w+)"', xml)


def test_an_operator_of_a_user(tmp_path):
    b = pir.Block()
    y = b.op("3.my_shrink", [b.data("x", [2, 3])], [X], limit=0.25, words=["a", "b\n\"é"])
    b.fetch(y, X)
    what = "node.pb.field('type'), node.pb.attribute('limit'), node.pb.attribute('words'), node.pb.field('inputs.0.parameter'), node.pb.field('inputs.0.arguments.0'), node.pb.field('attrs.0.name'), node.graph.framework"
    probes, types = converted(tmp_path, pir.write(tmp_path, pir.program(b)), {"front/paddle/mine.js": EXTRACTOR % ("my_shrink", what)})
    assert probes == [["my_shrink", 0.25, ["a", "b\n\"é"], "X", "x", "limit", "paddle"]] and "my_shrink" not in types


def test_attributes_that_operands_stand_for(tmp_path):
    """The same names and values for both generations."""
    what = "node.pb.field('type'), node.pb.attribute('scale'), node.pb.attribute('bias'), node.pb.field('inputs.0.parameter')"
    b = pir.Block()
    b.fetch(b.op("1.scale", [b.data("x", [2, 3]), b.full(2.0)], [X], bias=0.5, bias_after_scale=True), X)
    files = {"front/paddle/mine.js": EXTRACTOR % ("scale", what)}
    new, _ = converted(tmp_path, pir.write(tmp_path, pir.program(b)), files)
    v = desc.var
    old, _ = converted(tmp_path, desc.write(tmp_path, desc.fed([v("x", shape=[2, 3])], ["y"], [desc.op("scale", {"X": "x"}, {"Out": "y"}, scale=2.0, bias=0.5)], [v("y", shape=[2, 3])])), files)
    assert new == old == [["scale", 2, 0.5, "X"]]


def test_what_is_around_regions(tmp_path):
    """The attributes of an operation with regions are read without what is in them."""
    b = pir.Block()
    x, on = b.data("x", [2, 3]), b.data("on", [1], "bool")
    then, other = b.inner(), b.inner()
    then.op("2.yield", [then.op("3.my_shrink", [x], [X], limit=0.75)])
    other.op("2.yield", [x])
    b.fetch(b.op("1.if", [on], [X], [then, other]), X)
    probes, types = converted(tmp_path, pir.write(tmp_path, pir.program(b)), {"front/paddle/mine.js": EXTRACTOR % ("my_shrink", "node.pb.attribute('limit')")})
    assert probes == [[0.75]] and "If" in types


def test_configurations_and_transformations(tmp_path):
    b = pir.Block()
    b.fetch(b.op("1.relu", [b.data("x", [2, 3])], [X]), X)
    (tmp_path / "config.json").write_text(json.dumps([{"id": "Mine", "match_kind": "general", "custom_attributes": {"classes": 20}}]))
    probes, types = converted(tmp_path, pir.write(tmp_path, pir.program(b)), {"front/paddle/a.js": REPLACEMENT}, "--transformations_config", str(tmp_path / "config.json"))
    assert probes == [["paddle", {"classes": 20}]] and types == ["Parameter", "Tanh", "Result"]
