"""Tensors with n readers, of which each reader's rewrite asks for all, or that leave in any order."""
import random

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from control_flow import model, names, number, value
from onnx_graphs import untyped
from protobuf import field, varint

FLOAT = 1  # of TensorFlow's DataType


def quantised(n):
    """A tensor quantised with n scales, and each result dequantised: the pairs become FakeQuantizes of one tensor."""
    constants = [numpy_helper.from_array(np.zeros([], np.int8), "zero")]
    nodes = []
    for k in range(n):
        constants.append(numpy_helper.from_array(np.float32(0.01 + k * 1e-5), f"s{k}"))
        nodes += [helper.make_node("QuantizeLinear", ["x", f"s{k}", "zero"], [f"q{k}"]), helper.make_node("DequantizeLinear", [f"q{k}", f"s{k}", "zero"], [f"d{k}"])]
    return model([*nodes, helper.make_node("Sum", names("d", n), ["y"])], [value("x")], [value("y")], constants)


def dimension_read(n):
    """One dimension of which n dimensions of shapes are computed."""
    nodes = [helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Gather", ["shape", "at"], ["size"])]
    for k in range(n):
        nodes += [helper.make_node("Mul", ["size", f"c{k}"], [f"m{k}"]), helper.make_node("Unsqueeze", [f"m{k}", "axes"], [f"u{k}"])]
    nodes.append(helper.make_node("Concat", names("u", n), ["y"], axis=0))
    y = untyped("y")
    y.type.tensor_type.elem_type = TensorProto.INT64
    constants = [number("at", 0), helper.make_tensor("axes", TensorProto.INT64, [1], [0]), *(number(f"c{k}", k + 2) for k in range(n))]
    return model(nodes, [value("x", TensorProto.FLOAT, ("N", 3))], [y], constants)


def in_any_order(n):
    """A chain of AddN in TensorFlow, which all read x, too. In the file they have another order than in the chain."""
    def node(name, op, inputs, attributes):
        written = b"".join(field(5, field(1, key) + field(2, content)) for key, content in attributes.items())
        return field(1, field(1, name) + field(2, op) + b"".join(field(3, i) for i in inputs) + written)
    kind = varint(6 << 3) + varint(FLOAT)
    two = varint(3 << 3) + varint(2)
    shape = field(7, field(2, varint(1 << 3) + varint(2)))
    sums = [node(f"y{k}", "AddN", ["x", f"y{k - 1}" if k else "x"], {"N": two, "T": kind}) for k in range(n)]
    random.Random(1).shuffle(sums)
    return node("x", "Placeholder", [], {"dtype": kind, "shape": shape}) + b"".join(sums)


KINDS = {
    "QuantizeLinear, n scales": (quantised, ".onnx"),
    "Shape, n products": (dimension_read, ".onnx"),
    "AddN in any order": (in_any_order, ".pb"),
}
