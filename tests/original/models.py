"""Small models for command lines: each says what it is there for. Seeded weights; the same in every version of onnx."""
import os

import numpy as np
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh


def weight(name, *shape, scale=0.5):
    rng = np.random.default_rng(sum(map(ord, name)))
    return nh.from_array((rng.standard_normal(shape) * scale).astype(np.float32), name)


def integers(name, *values):
    return nh.from_array(np.array(values, np.int64), name)


def value(name, shape, kind=T.FLOAT):
    return h.make_tensor_value_info(name, kind, shape)


def node(kind, inputs, outputs, name="", **attributes):
    return h.make_node(kind, inputs.split("|"), outputs.split("|"), name or kind.lower() + "_" + outputs.split("|")[0], **attributes)


def graph(nodes, inputs, outputs, weights=()):
    return h.make_graph(nodes, "g", inputs, outputs, list(weights))


def two():
    """Two inputs, two outputs, a node with two outputs, slashes in names."""
    return graph([node("Add", "left|right", "/body/sum", "/body/add"),
                  node("Relu", "/body/sum", "relu_out", "relu"),
                  node("Split", "relu_out", "part0|part1", "split", axis=1),
                  node("Mul", "part0|part1", "product", "mul"),
                  node("Sigmoid", "product", "first", "sigmoid"),
                  node("Tanh", "/body/sum", "second", "tanh")],
                 [value("left", [2, 4]), value("right", [2, 4])], [value("first", [2, 2]), value("second", [2, 4])])


def named():
    """Names with slashes, colons and blanks."""
    return graph([node("Relu", "x", "scope/a tensor:0", "a/first op:0"),
                  node("Sigmoid", "scope/a tensor:0", "b", "b:1/second"),
                  node("Tanh", "b", "out:0", "third")],
                 [value("x", [2, 3])], [value("out:0", [2, 3])])


def convolutions(batch, inputs):
    nodes, weights = [], []
    for name in inputs:
        weights += [weight(name + "_w", 4, 3, 3, 3), weight(name + "_b", 4)]
        nodes += [node("Conv", f"{name}|{name}_w|{name}_b", name + "_conv", name + "/conv", kernel_shape=[3, 3])]
    last = inputs[0] + "_conv"
    if len(inputs) > 1:
        nodes += [node("Add", "|".join(name + "_conv" for name in inputs), "sum", "add")]
        last = "sum"
    nodes += [node("Relu", last, "relu_out", "relu"),
              node("GlobalAveragePool", "relu_out", "pooled", "pool"),
              node("Flatten", "pooled", "y", "flatten")]
    return graph(nodes, [value(name, [batch, 3, 8, 8]) for name in inputs], [value("y", [batch, 4])], weights)


def image():
    """A convolution with a bias, an image of fixed size."""
    return convolutions(1, ["x"])


def images():
    """Two images, any number of them."""
    return convolutions("N", ["a", "b"])


def nhwc():
    """A convolution of an image whose channels come last; its result has them last, too."""
    return graph([node("Transpose", "x", "xt", "t", perm=[0, 3, 1, 2]),
                  node("Conv", "xt|w", "c", "conv", kernel_shape=[3, 3]),
                  node("Transpose", "c", "y", "back", perm=[0, 2, 3, 1])],
                 [value("x", [1, 8, 8, 3])], [value("y", [1, 6, 6, 4])], [weight("w", 4, 3, 3, 3)])


def branches():
    """An If over an input."""
    def branch(name, kind):
        return graph([node(kind, "x", name)], [], [value(name, [2, 3])])
    return graph([node("If", "cond", "chosen", "if", then_branch=branch("then_out", "Relu"), else_branch=branch("else_out", "Tanh")),
                  node("Neg", "chosen", "y", "neg")],
                 [value("cond", [], T.BOOL), value("x", [2, 3])], [value("y", [2, 3])])


def tokens():
    """Integer inputs of two types, any length."""
    return graph([node("Gather", "table|ids", "rows", "embedding", axis=0),
                  node("Cast", "kinds", "kinds_f", "cast", to=T.FLOAT),
                  node("Unsqueeze", "kinds_f|last", "kinds_3d", "unsqueeze"),
                  node("Add", "rows|kinds_3d", "y", "add")],
                 [value("ids", ["N", "L"], T.INT64), value("kinds", ["N", "L"], T.INT32)], [value("y", ["N", "L", 3])],
                 [weight("table", 8, 3), integers("last", -1)])


def dynamic():
    """Shapes that are computed from that of the input."""
    return graph([node("MatMul", "x|w", "m", "matmul"),
                  node("Shape", "x", "shape", "shape"),
                  node("Gather", "shape|zero", "n", "gather", axis=0),
                  node("Concat", "n|rest", "target", "concat", axis=0),
                  node("Reshape", "m|target", "y", "reshape")],
                 [value("x", ["N", 4])], [value("y", ["N", 2, 3])], [weight("w", 4, 6), integers("zero", 0), integers("rest", 2, 3)])


def scalars():
    """A scalar input, and one of no fixed rank."""
    return graph([node("Mul", "x|s", "scaled", "mul"), node("Relu", "scaled", "y", "relu")],
                 [value("x", [2, 3]), value("s", [])], [value("y", [2, 3])])


def scan():
    """A Scan of one step over x, which adds up."""
    body = h.make_graph([node("Add", "sum_in|x_in", "added"), node("Tanh", "added", "sum_out"), node("Relu", "sum_out", "step_out")], "body",
                        [value("sum_in", [1, 4]), value("x_in", [1, 4])], [value("sum_out", [1, 4]), value("step_out", [1, 4])])
    return graph([node("Scan", "zero|x", "last|steps", "scan", body=body, num_scan_inputs=1), node("Neg", "steps", "y", "neg")],
                 [value("x", [1, 1, 4])], [value("y", [1, 1, 4])], [nh.from_array(np.zeros((1, 4), np.float32), "zero")])


def lstm():
    """An LSTM of one step, with initial states."""
    return graph([node("LSTM", "x|w|r|b||h0|c0", "all|h|c", "lstm", hidden_size=3),
                  node("Squeeze", "all|one", "y", "squeeze")],
                 [value("x", [1, 1, 4]), value("h0", [1, 1, 3]), value("c0", [1, 1, 3])],
                 [value("y", [1, 1, 3])], [weight("w", 1, 12, 4), weight("r", 1, 12, 3), weight("b", 1, 24), integers("one", 1)])


def stateful():
    """What may become a state: `state` is `new_state` of the step before."""
    return graph([node("Add", "x|state", "sum", "add"), node("Tanh", "sum", "new_state", "tanh"), node("Neg", "sum", "y", "neg")],
                 [value("x", [1, 4]), value("state", [1, 4])], [value("y", [1, 4]), value("new_state", [1, 4])])


def sparse():
    """Two convolutions; half of the channels between them are zero."""
    first = nh.to_array(weight("w1", 8, 3, 3, 3)).copy()
    first[4:] = 0
    return graph([node("Conv", "x|w1", "c1", "conv1", kernel_shape=[3, 3]), node("Relu", "c1", "r", "relu"),
                  node("Conv", "r|w2", "y", "conv2", kernel_shape=[3, 3])],
                 [value("x", [1, 3, 8, 8])], [value("y", [1, 4, 4, 4])], [nh.from_array(first, "w1"), weight("w2", 4, 8, 3, 3)])


def unused():
    """An input that nothing reads."""
    return graph([node("Relu", "x", "y", "relu")], [value("x", [2, 3]), value("idle", [2, 3])], [value("y", [2, 3])])


SMALL = (two, named, image, images, nhwc, branches, tokens, dynamic, scalars, scan, lstm, stateful, sparse, unused)


def write(folder):
    """Writes all of them."""
    for make in SMALL:
        made = make()
        made.name = make.__name__
        model = h.make_model(made, opset_imports=[h.make_opsetid("", 13)], producer_name="tests", ir_version=8)
        onnx.save(model, os.path.join(folder, make.__name__ + ".onnx"))
