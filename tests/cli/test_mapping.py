"""--generate_mapping: each tensor of the model, and where it is in the IR."""
import os
import subprocess
import xml.etree.ElementTree as ET

from onnx import TensorProto, helper as h, save

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))


def branch(name, first):
    nodes = [h.make_node(first, ["x"], ["r"], f"{name}/1"), h.make_node("Tanh", ["r"], ["o"], f"{name}/2")]
    return h.make_graph(nodes, name, [], [h.make_tensor_value_info("o", TensorProto.FLOAT, [2])])


def mapped(tmp_path, graph, *options):
    """By body and tensor: the layer's name, id and body, or None for a tensor that is absent."""
    save(h.make_model(graph, opset_imports=[h.make_opsetid("", 17)]), tmp_path / "m.onnx")
    subprocess.run([MO, str(tmp_path / "m.onnx"), "-o", str(tmp_path), "--generate_mapping", *options], check=True, capture_output=True)
    out = {}
    for entry in ET.parse(tmp_path / "m.mapping").getroot():
        source, layer = entry.find("framework"), entry.find("IR")
        key = (source.get("body", ""), source.get("tensor"))
        assert key not in out
        out[key] = None if layer is None else (layer.get("name"), int(layer.get("id")), layer.get("body", ""))
    return out, ET.parse(tmp_path / "m.xml").getroot()


def test_tensors_of_one_name_in_two_branches_are_each_in_their_own(tmp_path):
    x, c, y = (h.make_tensor_value_info(name, kind, shape) for name, kind, shape in (("x", TensorProto.FLOAT, [2]), ("c", TensorProto.BOOL, []), ("y", TensorProto.FLOAT, [2])))
    node = h.make_node("If", ["c"], ["y"], "if", then_branch=branch("then", "Relu"), else_branch=branch("else", "Abs"))
    out, net = mapped(tmp_path, h.make_graph([node], "g", [x, c], [y]))
    for name in ("then", "else"):
        body = f"if/{name}_body"
        layers = {int(layer.get("id")): layer.get("name") for layer in net.find(f"layers/layer[@name='if']/{name}_body/layers")}
        for tensor, want in (("r", f"{name}/1"), ("o", f"{name}/2")):
            layer, at, where = out[body, tensor]
            assert (layer, where) == (want, body) and layers[at] == want
    assert out["", "x"][2] == ""


def test_what_a_cut_removes_is_absent(tmp_path):
    x, y = (h.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xy")
    nodes = [h.make_node(op, [source], [result], op) for op, source, result in (("Relu", "x", "a"), ("Tanh", "a", "b"), ("Exp", "b", "y"))]
    out, _ = mapped(tmp_path, h.make_graph(nodes, "g", [x], [y]), "--input", "a", "--output", "b")
    assert {key[1] for key in out} == {"x", "a", "b", "y"}
    assert out["", "x"] is None and out["", "y"] is None and out["", "a"][1] == 0 and out["", "b"][0] == "Tanh"
