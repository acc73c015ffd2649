"""Inputs without a rank: that of the operations that read them, in every format; else a warning (MO3017) that names the input. The numbers are
those of the same model with the shape given."""
import os
import struct
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import judge

sys.path.insert(0, os.path.join(judge.ROOT, "tests", "tflite"))
import bad  # noqa: E402
import flat  # noqa: E402


random = np.random.default_rng(7)


def weights(*shape):
    return random.standard_normal(shape).astype(np.float32)


# name: (statements as (op, inputs, outputs, attributes), constants, the shape that is wanted, one that is fed)
ONNX = {
    "Conv": ([("Conv", "x w", "y", {})], {"w": weights(4, 3, 3, 3)}, "[?,3,?,?]", (1, 3, 6, 7)),
    "Conv by groups": ([("Conv", "x w", "y", {"group": 2})], {"w": weights(4, 3, 3)}, "[?,6,?]", (2, 6, 8)),
    "ConvTranspose": ([("ConvTranspose", "x w", "y", {})], {"w": weights(3, 2, 2, 2)}, "[?,3,?,?]", (1, 3, 4, 5)),
    "Conv behind others": ([("Sub", "x mean", "a", {}), ("Mul", "a scale", "b", {}), ("Relu", "b", "c", {}), ("Conv", "c w", "y", {})],
                           {"mean": weights(1, 3, 1, 1), "scale": np.float32(0.5), "w": weights(4, 3, 3, 3)}, "[?,?,?,?]", (1, 3, 6, 7)),
    "Conv behind a number": ([("Mul", "x scale", "a", {}), ("Sigmoid", "a", "s", {}), ("Mul", "a s", "b", {}), ("Conv", "b w", "y", {})],
                             {"scale": np.float32(0.5), "w": weights(4, 3, 3, 3)}, "[?,3,?,?]", (1, 3, 6, 7)),
    "Conv of dequantised weights": ([("DequantizeLinear", "q scale", "w", {}), ("Conv", "x w", "y", {})],
                                    {"q": random.integers(-128, 127, (4, 3, 3, 3)).astype(np.int8), "scale": np.float32(0.1)}, "[?,3,?,?]", (1, 3, 6, 7)),
    "MaxPool, Conv": ([("MaxPool", "x", "a", {"kernel_shape": [2, 2]}), ("Conv", "a w", "y", {})], {"w": weights(4, 3, 3, 3)}, "[?,3,?,?]", (1, 3, 6, 7)),
    "AveragePool": ([("AveragePool", "x", "y", {"kernel_shape": [2]})], {}, "[?,?,?]", (1, 3, 6)),
    "Transpose, Conv": ([("Transpose", "x", "a", {"perm": [0, 3, 1, 2]}), ("Conv", "a w", "y", {})], {"w": weights(4, 3, 3, 3)}, "[?,?,?,3]", (1, 6, 7, 3)),
    "Pad": ([("Pad", "x pads", "y", {})], {"pads": np.array([0, 0, 1, 0, 0, 1])}, "[?,?,?]", (2, 3, 4)),
    "Unsqueeze, Conv": ([("Unsqueeze", "x axes", "a", {}), ("Conv", "a w", "y", {})], {"axes": np.array([1]), "w": weights(4, 1, 3, 3)}, "[?,?,?]", (2, 6, 7)),
    "Gemm": ([("Gemm", "x w b", "y", {"transB": 1})], {"w": weights(5, 3), "b": weights(5)}, "[?,3]", (2, 3)),
    "MatMul, Gemm": ([("MatMul", "x v", "a", {}), ("Gemm", "a w", "y", {})], {"v": weights(4, 3), "w": weights(3, 5)}, "[?,4]", (2, 4)),
    "LSTM": ([("LSTM", "x w r", "y", {"hidden_size": 2})], {"w": weights(1, 8, 3), "r": weights(1, 8, 2)}, "[?,?,3]", (4, 1, 3)),
    "Gather, LSTM": ([("Gather", "table x", "a", {}), ("LSTM", "a w r", "y", {"hidden_size": 2})], {"table": weights(9, 3), "w": weights(1, 8, 3), "r": weights(1, 8, 2)},
                     "[?,?]", (4, 1)),
    "ReduceMean, Gemm": ([("ReduceMean", "x axes", "a", {"keepdims": 0}), ("Gemm", "a w", "y", {})], {"axes": np.array([2, 3]), "w": weights(3, 5)}, "[?,?,?,?]", (2, 3, 4, 4)),
}
OPEN = {
    "Relu": ([("Relu", "x", "y", {})], {}),
    "Add with a constant": ([("Add", "x c", "y", {})], {"c": weights(3)}),
    "MatMul": ([("MatMul", "x w", "y", {})], {"w": weights(3, 5)}),
    "Flatten": ([("Flatten", "x", "y", {})], {}),
}


def write_onnx(statements, constants, path):
    whole = constants.get("table") is not None
    nodes = [helper.make_node(op, inputs.split(), outputs.split(), **attributes) for op, inputs, outputs, attributes in statements]
    given = helper.make_tensor_value_info("x", TensorProto.INT64 if whole else TensorProto.FLOAT, None)
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    initializers = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", [given], [result], initializers), opset_imports=[helper.make_opsetid("", 18)], ir_version=8), path)
    return np.int64 if whole else np.float32


def converted(path, folder, *options):
    run = subprocess.run([judge.MO, path, "--output_dir", folder, "--compress_to_fp16=False", *options], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return os.path.splitext(os.path.join(folder, os.path.basename(path)))[0] + ".xml", run.stderr


def shape_of_input(xml, name="x"):
    return str(judge.core().read_model(xml).input(name).partial_shape)


@pytest.mark.parametrize("name", ONNX)
def test_onnx(name, tmp_path):
    statements, constants, wanted, fed = ONNX[name]
    path = str(tmp_path / "model.onnx")
    kind = write_onnx(statements, constants, path)
    x = np.abs(random.standard_normal(fed)).astype(kind)
    xml, said = converted(path, str(tmp_path))
    assert shape_of_input(xml) == wanted and "WARNING" not in said
    want, got = judge.in_onnxruntime(path, {"x": x}, optimise=False), judge.in_openvino(xml, {"x": x})
    assert judge.relative_error(got["y"], want["y"]) < 1e-4
    given, _ = converted(path, str(tmp_path), "--input_shape", str(list(fed)))
    assert shape_of_input(given) == str(list(fed)).replace(" ", "")


@pytest.mark.parametrize("name", OPEN)
def test_else_a_warning_names_the_input(name, tmp_path):
    path = str(tmp_path / "model.onnx")
    write_onnx(*OPEN[name], path)
    _, said = converted(path, str(tmp_path))
    assert 'MO3017' in said and '"x": as many numbers as it has' in said and '(node "x"' in said and "--input_shape" in said
    xml, said = converted(path, str(tmp_path), "--input_shape", "[2,3]")
    assert "WARNING" not in said and shape_of_input(xml) == "[2,3]"


def test_inputs_that_only_a_body_reads(tmp_path):
    """Both branches of an If read x."""
    value = helper.make_tensor_value_info
    branches = {key: helper.make_graph([helper.make_node("Conv", ["x", weight], [key])], key, [], [value(key, TensorProto.FLOAT, None)])
                for key, weight in (("then_branch", "a"), ("else_branch", "b"))}
    graph = helper.make_graph([helper.make_node("If", ["c"], ["y"], **branches)], "g", [value("c", TensorProto.BOOL, []), value("x", TensorProto.FLOAT, None)],
                              [value("y", TensorProto.FLOAT, None)], [numpy_helper.from_array(weights(4, 3, 3), name) for name in "ab"])
    path = str(tmp_path / "model.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), path)
    xml, said = converted(path, str(tmp_path))
    assert shape_of_input(xml) == "[?,3,?]" and "WARNING" not in said


# Graphs of TensorFlow as text.
FLOATS = 'attr {{ key: "{}" value {{ type: DT_FLOAT }} }}'
TYPE = FLOATS.format("T")


def tf_constant(name, array):
    dims = "".join(f"dim {{ size: {size} }} " for size in array.shape)
    numbers = " ".join(f"float_val: {number}" for number in array.ravel())
    return (f'node {{ name: "{name}" op: "Const" {FLOATS.format("dtype")} attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ {dims} }} {numbers} }} }} }} }}\n')


def tf_placeholder(shape=None, inferred=None):
    def text(sizes):
        return "shape { unknown_rank: true }" if sizes is None else f"shape {{ {' '.join(f'dim {{ size: {size} }}' for size in sizes)} }}"
    own = "" if shape is False else f'attr {{ key: "shape" value {{ {text(shape)} }} }}'
    more = "" if inferred is None else f'attr {{ key: "_output_shapes" value {{ list {{ {text(inferred)} }} }} }}'
    return f'node {{ name: "x" op: "Placeholder" {FLOATS.format("dtype")} {own} {more} }}\n'


CONV = ('node { name: "y" op: "Conv2D" input: "x" input: "w" ' + TYPE + ' attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } '
        'attr { key: "padding" value { s: "VALID" } } attr { key: "data_format" value { s: "FORMAT" } } }')
MATMUL = 'node { name: "h" op: "Relu" input: "x" ' + TYPE + ' }\nnode { name: "y" op: "MatMul" input: "h" input: "w" ' + TYPE + ' }'
RELU = 'node { name: "y" op: "Relu" input: "x" ' + TYPE + ' }'
TENSORFLOW = {
    "Conv2D": (tf_placeholder() + tf_constant("w", weights(3, 3, 3, 4)) + CONV.replace("FORMAT", "NHWC"), "[?,?,?,3]"),
    "Conv2D, no attribute": (tf_placeholder(False) + tf_constant("w", weights(3, 3, 3, 4)) + CONV.replace("FORMAT", "NHWC"), "[?,?,?,3]"),
    "Conv2D of NCHW": (tf_placeholder() + tf_constant("w", weights(3, 3, 3, 4)) + CONV.replace("FORMAT", "NCHW"), "[?,3,?,?]"),
    "MatMul": (tf_placeholder() + tf_constant("w", weights(3, 4)) + MATMUL, "[?,3]"),
    "inferred shape": (tf_placeholder(False, [2, -1]) + RELU, "[2,?]"),
    "inferred shape of an early release": (tf_placeholder([], [2, -1]) + RELU, "[2,?]"),
    "scalar": (tf_placeholder([], []) + RELU, "[]"),
}


@pytest.mark.parametrize("name", TENSORFLOW)
def test_tensorflow(name, tmp_path):
    text, wanted = TENSORFLOW[name]
    path = str(tmp_path / "model.pbtxt")
    with open(path, "w") as file:
        file.write(text)
    xml, said = converted(path, str(tmp_path))
    assert shape_of_input(xml) == wanted and "WARNING" not in said
    judge.core().compile_model(xml, "CPU")


def test_tensorflow_warns(tmp_path):
    path = str(tmp_path / "model.pbtxt")
    with open(path, "w") as file:
        file.write(tf_placeholder() + RELU)
    assert 'MO3017' in converted(path, str(tmp_path))[1]


# TensorFlow Lite: a shape without dimensions is that of a scalar only if it is said to have a rank, or if the model is older than that field.
HAS_RANK = {8: flat.byte(1)}
FILTER = {"c": {0: flat.ints(2, 1, 1, 3)} | HAS_RANK, "buffer": {0: flat.data(struct.pack("<6f", *range(6)))}, "code": {0: flat.byte(3)},
          "operator": {1: flat.ints(0, 1), 3: flat.byte(1), 4: flat.table({1: flat.word(1), 2: flat.word(1)})}, "y": {0: flat.ints(1, 4, 5, 2)}}
LITE = {
    "CONV_2D": (FILTER | {"x": {0: None}}, "[?,?,?,3]", False),
    "ADD": ({"x": {0: None}, "c": HAS_RANK}, None, True),
    "ADD of a scalar": ({"x": {0: None} | HAS_RANK, "c": HAS_RANK}, "[]", False),
    "ADD in an older model": ({"x": {0: None}}, "[]", False),
}


@pytest.mark.parametrize("name", LITE)
def test_tensorflow_lite(name, tmp_path):
    changes, wanted, warned = LITE[name]
    path = tmp_path / "model.tflite"
    path.write_bytes(bad.model(**changes))
    xml, said = converted(str(path), str(tmp_path))
    assert ("MO3017" in said) == warned
    assert warned or shape_of_input(xml) == wanted
