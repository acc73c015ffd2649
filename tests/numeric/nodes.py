"""Models of one node: built, converted and judged against ONNX Runtime, or against numbers that the test gives."""
import os

import numpy as np
import onnx.parser
from onnx import helper

import judge

OPSETS = {"": 17, "ai.onnx.ml": 3, "com.microsoft": 1, "ai.onnx.preview.training": 1}


def write_text(folder, head, text, name="case"):
    """The path of a model that is given in ONNX's text form: `head`, its versions and operator sets, and the graph."""
    path = os.path.join(folder, name + ".onnx")
    onnx.save(onnx.parser.parse_model(head + text), path)
    return path


def tensor_type(array):
    return helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def model_of_node(path, op, domain, inputs, outputs, constants=(), opset=None, dynamic=True, more={}, **attributes):
    """`inputs`: name → array or None (left out); those in `constants` become initializers. `outputs`: name → numpy type.
    The first dimension of what is fed is dynamic unless said otherwise. `more`: attributes whose names are taken here."""
    opsets = {**OPSETS, **({domain: opset} if opset else {})}
    node = helper.make_node(op, [n if a is not None else "" for n, a in inputs.items()], list(outputs), domain=domain, **attributes)
    node.attribute.extend(helper.make_attribute(n, v) for n, v in more.items())
    fed = [helper.make_tensor_value_info(n, tensor_type(a), (["N"] + list(a.shape[1:]) if dynamic and a.ndim else list(a.shape)))
           for n, a in inputs.items() if a is not None and n not in constants]
    weights = [onnx.numpy_helper.from_array(inputs[n], n) for n in constants]
    results = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.dtype(t)), None) for n, t in outputs.items() if n]
    graph = helper.make_graph([node], "one_node", fed, results, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(d, v) for d, v in opsets.items()], ir_version=10)
    onnx.save(model, path)


def check(tmp_path, op, domain, inputs, outputs, constants=(), want=None, tolerance=1e-5, opset=None, dynamic=True, compress=False, **attributes):
    """Same numbers as in ONNX Runtime, or as `want`: name → array. Integers have to be the same."""
    path = str(tmp_path / f"{op}.onnx")
    model_of_node(path, op, domain, inputs, outputs, constants, opset, dynamic, **attributes)
    feeds = {n: a for n, a in inputs.items() if a is not None and n not in constants}
    if want is None:
        want = judge.in_onnxruntime(path, feeds)
    xml = judge.convert(path, tmp_path, compress=compress)
    got = judge.in_openvino(xml, feeds)
    assert set(want) == {name for name in outputs if name}, (list(want), list(outputs))
    for name, array in want.items():
        array = np.asarray(array)
        assert name in got, f"output {name} is lost"
        assert got[name].shape == array.shape, (name, got[name].shape, array.shape)
        if array.dtype.kind in "iub":
            np.testing.assert_array_equal(got[name], array, err_msg=name)
        else:
            np.testing.assert_allclose(got[name], array, rtol=tolerance, atol=tolerance * max(1e-30, np.nanmax(np.abs(np.where(np.isfinite(array), array, 0)), initial=0)), err_msg=name)
    return xml
