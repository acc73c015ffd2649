"""Filters in the orders of other formats: an extension names their axes, and the IR computes what ONNX Runtime does with the filter in ONNX's order. Weights that are
quantised stay integers that nothing but their scales follows."""
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import onnx.helper as helper
import onnx.numpy_helper as numpy_helper
import pytest

import judge

MODULE = """
import {{ FrontReplacementSubgraph }} from '@mo/wasm/extension';
export class Axes extends FrontReplacementSubgraph {{
  static enabled = true;
  findAndReplacePattern(graph) {{
    for (const node of graph.getOpNodes().filter((one) => ['Conv', 'Deconvolution'].includes(one.op))) {{
      node.set('kernel_spatial_idx', [{height}, {width}]);
      node.set('input_feature_channel', {inputs});
      node.set('output_feature_channel', {outputs});
    }}
  }}
}}
"""

# Axes of the filter in this order, and the operator. G: groups of one input.
ORDERS = [("HWIO", "Conv"), ("OHWI", "Conv"), ("HWGO", "Conv"), ("HWOI", "ConvTranspose"), ("OHWI", "ConvTranspose"), ("HWGO", "ConvTranspose")]
KINDS = ["plain", "one scale", "a scale for each output", "zero points"]


def filter_of(order, op, groups):
    """The filter in ONNX's order, and how its axes are turned into `order`."""
    onnx_order = "GOHW" if groups else "OIHW" if op == "Conv" else "IOHW"
    sizes = {"O": 2 if groups else 6, "I": 4, "G": 4, "H": 3, "W": 2}
    values = np.random.default_rng(7).integers(-100, 100, [sizes[axis] for axis in onnx_order]).astype(np.int8)
    return values, [onnx_order.index(axis) for axis in order]


def model_of(path, op, values, scales, zeros, axis, groups):
    """y = op(x, dequantised values)"""
    weights = [numpy_helper.from_array(values, "q")]
    nodes = []
    if scales is not None:
        weights += [numpy_helper.from_array(scales, "s")] + ([numpy_helper.from_array(zeros, "z")] if zeros is not None else [])
        nodes.append(helper.make_node("DequantizeLinear", ["q", "s"] + (["z"] if zeros is not None else []), ["w"], axis=axis))
    attributes = {"group": groups} if groups else {}
    nodes.append(helper.make_node(op, ["x", "q" if scales is None else "w"], ["y"], strides=[1, 2], pads=[1, 0, 1, 1], **attributes))
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in (("x", [2, 4, 7, 6]), ("y", None)))
    graph = helper.make_graph(nodes, "g", [x], [y], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


@pytest.mark.parametrize("order, op", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_filters_of_each_order(order, op, kind, tmp_path):
    groups = 4 if "G" in order else 0
    values, turn = filter_of(order, op, groups)
    scales = zeros = None
    axis = (1 if groups or op == "ConvTranspose" else 0)  # of the outputs
    if kind == "plain":
        values = values.astype(np.float32)
    else:
        many = kind != "one scale"
        scales = np.array([0.5, 0.25, 2, 1, 0.125, 4][:values.shape[axis]] if many else 0.5, np.float32)
        zeros = np.array([1, -2, 3, 0, 5, -6][:values.shape[axis]], np.int8) if kind == "zero points" else None
    # ONNX: outputs of a group lie within its filter's first axis.
    theirs, turned = str(tmp_path / "onnx.onnx"), str(tmp_path / "model.onnx")
    as_onnx = values.astype(np.float32)
    if scales is not None:
        along = [-1 if i == axis else 1 for i in range(4)]
        as_onnx = (as_onnx - (0 if zeros is None else zeros.astype(np.float32).reshape(along))) * (scales if scales.ndim == 0 else scales.reshape(along))
    if groups:
        as_onnx = as_onnx.reshape(-1, 1, *values.shape[2:]) if op == "Conv" else as_onnx
    model_of(theirs, op, as_onnx, None, None, 0, groups)
    model_of(turned, op, np.ascontiguousarray(values.transpose(turn)), scales, zeros, turn.index(axis), 0)
    folder = tmp_path / "own" / "front" / "onnx"
    folder.mkdir(parents=True)
    inputs = order.index("G" if groups else "I")
    (folder / "axes.js").write_text(MODULE.format(height=order.index("H"), width=order.index("W"), inputs=inputs, outputs=inputs if groups else order.index("O")))
    if groups:
        # The extractor of ONNX says that there is one group; without it the channels do.
        (folder / "axes.js").write_text((folder / "axes.js").read_text().replace("node.set('kernel", "node.delete('group');\n      node.set('kernel"))
    xml = judge.convert(turned, tmp_path, "--extensions", str(tmp_path / "own"))
    x = np.random.default_rng(3).standard_normal((2, 4, 7, 6)).astype(np.float32)
    want = judge.in_onnxruntime(theirs, {"x": x})["y"]
    got = judge.in_openvino(xml, {"x": x})["y"]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3 * np.abs(want).max())

    layers = {layer.get("id"): layer for layer in ET.parse(xml).getroot().iter("layer")}
    types = [layer.get("type") for layer in layers.values()]
    assert "Transpose" not in types
    if scales is not None:
        integers = next(layer for layer in layers.values() if layer.get("type") == "Const" and layer.find("data").get("element_type") == "i8" and layer.find("data").get("shape").count(",") == 3)
        readers = [layers[edge.get("to-layer")].get("type") for edge in ET.parse(xml).getroot().iter("edge") if edge.get("from-layer") == integers.get("id")]
        assert readers == ["Convert"]
