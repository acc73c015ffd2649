"""Extractors of extensions for components of Kaldi, and configurations for its models, on the native command line."""
import os
import struct
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import openvino

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
MINE = """
import { FrontExtractorOp, Op } from '@mo/wasm/extension';
export class Mine extends Op {
  static op = 'Mine'; static type = 'Mine'; static version = 'mine';
  static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); }
  static supportedAttrs() { return ['slope', 'context', 'read']; }
}
export class MineExtractor extends FrontExtractorOp {
  static op = 'MineComponent'; static enabled = true;
  static extract(node) {
    const { pb } = node;
    const read = ['Dim', 'TestMode', 'Shift', 'Array1'].map((name) => pb.attribute(name));
    Mine.updateNodeStat(node, { slope: pb.attribute('Slope'), context: pb.attribute('Context'), read: JSON.stringify([pb.framework, pb.opType, pb.name, ...read]) });
    return true;
  }
}
"""
BECOMES = """
import { FrontExtractorOp, ops } from '@mo/wasm/extension';
export class Becomes extends FrontExtractorOp {
  static op = 'FROM'; static enabled = true;
  static extract(node) { ops.updateNodeStat('TO', node); return true; }
}
"""
LINES = "input-node name=input dim=2\ncomponent-node name=mine component=mine input=input\noutput-node name=output input=mine\n\n"
FORKED = ("<Nnet3> \n" + LINES + "<NumComponents> 1 \n<ComponentName> mine <MineComponent> <Dim> 2 <Slope> 0.25 <TestMode> T <Context> [ -1 0 1 ]\n"
          "<Shift>  [ 0.5 -1.5 ]\n [\n  0.5 1 \n  2 3 ]\n</MineComponent> \n</Nnet3> \n")


def binary(component, *parts):
    return b"\0B<Nnet3> \n" + LINES.encode() + b"<NumComponents> \4\1\0\0\0<ComponentName> mine <" + component + b"> " + b"".join(parts) + b"</" + component + b"> </Nnet3> "


def size(token, value):
    return b"<" + token + b"> \4" + struct.pack("<i", value)


DISTRIBUTE = binary(b"DistributeComponent", size(b"InputDim", 2), size(b"OutputDim", 1))


def run(folder, content, extension=None, *options):
    (folder / "net.raw").write_bytes(content if isinstance(content, bytes) else content.encode())
    if extension:
        (folder / "ext" / "front" / "kaldi").mkdir(parents=True)
        (folder / "ext" / "front" / "kaldi" / "mine.js").write_text(extension)
        options = ("--extensions", "ext", *options)
    return subprocess.run([MO, "net.raw", "-o", "out", *options], capture_output=True, text=True, errors="replace", timeout=120, cwd=folder)


def layers(folder, content, extension):
    result = run(folder, content, extension)
    assert result.returncode == 0, result.stderr
    return {one.get("name"): one for one in ElementTree.parse(folder / "out" / "net.xml").getroot().iter("layer")}


def test_E_19_AndV_01_A_component_of_a_fork_in_a_text(tmp_path):
    layer = layers(tmp_path, FORKED, MINE)["mine"]
    assert layer.get("type") == "Mine"
    assert dict(layer.find("data").items()) == {
        "slope": "0.25", "context": "-1,0,1", "read": '["kaldi","MineComponent","mine",2,true,{"type":"f32","shape":[2]},{"type":"f32","shape":[2,2]}]'}


def test_a_component_of_a_fork_is_an_error_without_an_extension(tmp_path):
    result = run(tmp_path, FORKED)
    assert result.returncode == 1 and "MO2001" in result.stderr and "MineComponent" in result.stderr and "line 7, column 22" in result.stderr and not (tmp_path / "out").exists()


def test_a_binary_file_cannot_be_read_behind_a_component_of_a_fork(tmp_path):
    result = run(tmp_path, binary(b"MineComponent", size(b"Dim", 2)), MINE)
    assert result.returncode == 1 and "MO2001" in result.stderr and "MineComponent" in result.stderr and "as text" in result.stderr and not (tmp_path / "out").exists()


def test_E_19_A_component_that_is_known_and_refused(tmp_path):
    result = run(tmp_path, DISTRIBUTE)
    assert result.returncode == 1 and "MO2001" in result.stderr and "DistributeComponent" in result.stderr
    assert layers(tmp_path, DISTRIBUTE, BECOMES.replace("FROM", "DistributeComponent").replace("TO", "Sigmoid"))["mine"].get("type") == "Sigmoid"


def test_E_19_A_component_that_is_read_otherwise(tmp_path):
    content = binary(b"SigmoidComponent", size(b"Dim", 2), b"<ValueAvg> FV \4\0\0\0\0<DerivAvg> FV \4\0\0\0\0<Count> \4\0\0\0\0")
    assert layers(tmp_path, content, BECOMES.replace("FROM", "SigmoidComponent").replace("TO", "Tanh"))["mine"].get("type") == "Tanh"
    x = np.float32([[0.5, -2]])
    assert np.allclose(openvino.Core().compile_model(tmp_path / "out" / "net.xml", "CPU")(x)[0], np.tanh(x), atol=1e-6)


def test_J_02_A_configuration_is_refused(tmp_path):
    (tmp_path / "config.json").write_text('[{"id": "Mine", "match_kind": "general", "custom_attributes": {}}]')
    result = run(tmp_path, FORKED, MINE, "--transformations_config", "config.json")
    assert result.returncode == 1 and "MO6054" in result.stderr and "kaldi" in result.stderr and not (tmp_path / "out").exists()


def test_a_range_of_a_component_whose_size_no_field_says(tmp_path):
    """What lies behind its end is an error, not a shorter range."""
    for first, dim, fits in ((1, 1, True), (0, 2, True), (1, 2, False), (2, 1, False), (0, 3, False)):
        lines = f"dim-range-node name=part input-node=mine dim-offset={first} dim={dim}\n" + "output-node name=output input=part"
        content = FORKED.replace("<Dim> 2 ", "").replace("output-node name=output input=mine", lines)
        folder = tmp_path / f"{first}-{dim}"
        folder.mkdir()
        result = run(folder, content, BECOMES.replace("FROM", "MineComponent").replace("TO", "ReLU"))
        assert (result.returncode == 0) == fits, (first, dim, result.stderr)
        if fits:
            request = openvino.compile_model(folder / "out" / "net.xml", "CPU").create_infer_request()
            np.testing.assert_array_equal(request.infer([np.array([[3, 5]], np.float32)])[0][0], np.array([3, 5])[first:first + dim])
        else:
            assert "MO3002" in result.stderr and "part" in result.stderr, result.stderr
            assert not (folder / "out").exists()
