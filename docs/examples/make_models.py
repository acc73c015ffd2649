"""The small models of the examples: `make_models.py FOLDER` writes one .onnx for each of MODELS, one .pbtxt for each of GRAPHS."""
import os
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

DOMAIN = "com.example"
RNG = np.random.default_rng(4)


def node(op, inputs, outputs, name=None, **attributes):
    """A node named after its first output, unless told otherwise."""
    outputs = outputs if isinstance(outputs, list) else [outputs]
    return helper.make_node(op, inputs, outputs, name=name or outputs[0], **attributes)


def custom(op, inputs, outputs, name=None, **attributes):
    """A node of a domain that is nobody's."""
    return node(op, inputs, outputs, name, domain=DOMAIN, **attributes)


def value(name, shape, kind=onnx.TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, weights=None, opset=13):
    """inputs and outputs: shapes by name, or value infos."""
    infos = lambda values: [value(*v) if isinstance(v, tuple) else v for v in (values.items() if isinstance(values, dict) else values)]
    graph = helper.make_graph(nodes, "example", infos(inputs), infos(outputs),
                              [numpy_helper.from_array(array, name) for name, array in (weights or {}).items()])
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="examples")


def floats(*shape):
    return RNG.standard_normal(shape, dtype=np.float32)


def ints(*elements):
    return np.array(elements, np.int64)


ONE = np.float32(1)


def swish():
    return model([node("Mul", ["beta", "x"], "product"), node("Neg", ["product"], "negative"), node("Exp", ["negative"], "exp"),
                  node("Add", ["exp", "one"], "sum"), node("Div", ["x", "sum"], "y")],
                 {"x": [2, 3]}, {"y": [2, 3]}, {"beta": np.array([1.5], np.float32), "one": ONE})


def mish(swapped=False, other=False, written_out=False):
    """other: the factor is another tensor; written_out: SoftPlus as Log(Exp(x) + 1)."""
    soft = ([node("Exp", ["x"], "exp"), node("Add", ["exp", "one"], "sum"), node("Log", ["sum"], "softplus")] if written_out
            else [node("Softplus", ["x"], "softplus")])
    factors = ["z" if other else "x", "tanh"]
    return model([*soft, node("Tanh", ["softplus"], "tanh"), node("Mul", factors[::-1] if swapped else factors, "y"),
                  node("Relu", ["y"], "end")],
                 {"x": [2, 3], **({"z": [2, 3]} if other else {})}, {"end": [2, 3]}, {"one": ONE} if written_out else {})


def flatten(axis):
    shape = ["batch", 3, 4, 5]
    return model([node("Flatten", ["x"], "y", axis=axis)], {"x": shape}, {"y": [None, None]})


def inception():
    """Three blocks of four branches each, as the names of Inception V4 have it."""
    nodes, weights, last = [], {}, "InceptionV4/Mixed_5a/concat"
    nodes.append(node("Relu", ["image"], last))
    for block in ("Mixed_5b", "Mixed_5c", "Mixed_5d"):
        scope = f"InceptionV4/{block}/"
        branches = []
        for branch, channels in (("Branch_0/Conv2d_0a_1x1", 2), ("Branch_1/Conv2d_0a_1x1", 3), ("Branch_2/Conv2d_0a_1x1", 4)):
            name = f"{scope}{branch}/Conv2D"
            weights[f"{name}/weights"] = floats(channels, 10, 1, 1)
            nodes.append(node("Conv", [last, f"{name}/weights"], name))
            branches.append(name)
        pool, conv = f"{scope}Branch_3/AvgPool_0a_3x3/AvgPool", f"{scope}Branch_3/Conv2d_0b_1x1/Conv2D"
        weights[f"{conv}/weights"] = floats(1, 10, 1, 1)
        nodes += [node("AveragePool", [last], pool, kernel_shape=[3, 3], pads=[1, 1, 1, 1]), node("Conv", [pool, f"{conv}/weights"], conv)]
        last = f"{scope}concat"
        nodes.append(node("Concat", [*branches, conv], last, axis=1))
    nodes.append(node("Sigmoid", [last], "end"))
    return model(nodes, {"image": [1, 10, 8, 8]}, {"end": [1, 10, 8, 8]}, weights)


def ssd():
    """Eight boxes, three classes: what stands behind the convolutions of a detector."""
    corners = np.clip(np.random.default_rng(1).random((1, 8, 4), np.float32) * 0.4 + [0, 0, 0.5, 0.5], 0, 1).astype(np.float32)
    return model(
        [node("Relu", ["boxes"], "BoxPredictor/boxes"), node("Sigmoid", ["scores"], "BoxPredictor/scores"),
         node("Cast", ["BoxPredictor/boxes"], "Postprocessor/Cast_1", to=onnx.TensorProto.FLOAT),
         node("Sqrt", ["BoxPredictor/scores"], "Postprocessor/scale_logits"),
         node("Abs", ["priors"], "Postprocessor/Tile"),
         node("Shape", ["BoxPredictor/boxes"], "Postprocessor/Shape"), node("Flatten", ["BoxPredictor/boxes"], "Postprocessor/Reshape_1", axis=2),
         node("Reshape", ["Postprocessor/Reshape_1", "Postprocessor/Shape"], "Postprocessor/Reshape_2"),
         node("Add", ["Postprocessor/Cast_1", "Postprocessor/Tile"], "Postprocessor/Shifted"),
         node("Max", ["Postprocessor/Shifted", "Postprocessor/Reshape_2"], "Postprocessor/Decode"),
         node("Clip", ["Postprocessor/Decode"], "detection_boxes"),
         node("Softmax", ["Postprocessor/scale_logits"], "detection_scores", axis=-1),
         node("Concat", ["Postprocessor/Decode", "Postprocessor/scale_logits"], "Postprocessor/concat", axis=2),
         node("ReduceMax", ["Postprocessor/concat"], "num_detections", axes=[1, 2], keepdims=0)],
        {"boxes": [1, 8, 4], "scores": [1, 8, 3]}, {"detection_boxes": [1, 8, 4], "detection_scores": [1, 8, 3], "num_detections": [1]},
        {"priors": corners})


def yolo():
    return model([node("Conv", ["x", "w"], "region_input")], {"x": [1, 3, 4, 4]}, {"region_input": [1, 50, 4, 4]}, {"w": floats(50, 3, 1, 1)})


def shuffle():
    """Channels in two groups, dealt alternately, as ShuffleNet does it."""
    return model([node("Conv", ["x", "w1"], "first"), node("Relu", ["first"], "relu"), node("Reshape", ["relu", "grouped"], "split"),
                  node("Transpose", ["split"], "dealt", perm=[0, 2, 1, 3, 4]), node("Reshape", ["dealt", "joined"], "shuffled"),
                  node("Conv", ["shuffled", "w2"], "y")],
                 {"x": [1, 3, 4, 4]}, {"y": [1, 2, 4, 4]},
                 {"w1": floats(6, 3, 1, 1), "w2": floats(2, 6, 1, 1), "grouped": ints(1, 2, 3, 4, 4), "joined": ints(1, 6, 4, 4)})


def l2_norm():
    return model([node("Pow", ["x", "two"], "square"), node("ReduceSum", ["square", "axes"], "sum", keepdims=1), node("Sqrt", ["sum"], "root"),
                  node("Max", ["root", "eps"], "norm"), node("Div", ["x", "norm"], "y")],
                 {"x": [2, 3, 4]}, {"y": [2, 3, 4]}, {"two": np.float32(2), "axes": ints(1), "eps": np.float32(1e-6)})


def reshape():
    """A shape from the input's own sizes, a constant that is reshaped, and a copied size."""
    return model([node("Shape", ["x"], "sizes"), node("Gather", ["sizes", "first"], "batch"), node("Concat", ["batch", "rest"], "target", axis=0),
                  node("Reshape", ["x", "target"], "rows"), node("Reshape", ["w", "square"], "matrix"), node("MatMul", ["rows", "matrix"], "product"),
                  node("Reshape", ["product", "copied"], "y")],
                 {"x": ["batch", 2, 3]}, {"y": [None, 3, None]},
                 {"first": ints(0), "rest": ints(-1), "w": floats(36), "square": ints(6, 6), "copied": ints(0, 3, -1)})


def constant():
    number = numpy_helper.from_array(ints(1, 3, 2), "number")
    return model([node("Constant", [], "order", value=number), node("Reshape", ["x", "order"], "y")], {"x": [2, 3]}, {"y": [1, 3, 2]})


def pooling(opset=13):
    return model([node("AveragePool", ["x"], "y", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 2, 2, 2])], {"x": [1, 2, 9, 9]}, {"y": [1, 2, 5, 6]}, opset=opset)


def topk():
    return model([node("TopK", ["x"], ["values", "indices"], name="topk", k=5, axis=1)], {"x": [2, 8]},
                 [value("values", [2, 5]), value("indices", [2, 5], onnx.TensorProto.INT64)], opset=9)


def tf_node(name, op, inputs=(), **attributes):
    """A NodeDef of TensorFlow as text; attributes: the texts of their values."""
    fields = [f'name: "{name}"', f'op: "{op}"', *(f'input: "{source}"' for source in inputs),
              *(f'attr {{ key: "{key}" value {{ {text} }} }}' for key, text in attributes.items())]
    return "node { " + " ".join(fields) + " }\n"


FLOAT = "type: DT_FLOAT"


def tf_shape(*sizes):
    return "{ " + " ".join(f"dim {{ size: {size} }}" for size in sizes) + " }"


def tf_input(name, *shape):
    return tf_node(name, "Placeholder", dtype=FLOAT, shape=f"shape {tf_shape(*shape)}")


def tf_const(name, array):
    kind, field = ("DT_INT32", "int_val") if array.dtype == np.int32 else ("DT_FLOAT", "float_val")
    values = " ".join(f"{field}: {element}" for element in array.ravel().tolist())
    return tf_node(name, "Const", dtype=f"type: {kind}", value=f"tensor {{ dtype: {kind} tensor_shape {tf_shape(*array.shape)} {values} }}")


def tf_conv(name, source, weights, op="Conv2D", **more):
    """In NHWC, with the size of its input."""
    ones = "list { i: 1 i: 1 i: 1 i: 1 }"
    return tf_const(f"{name}/weights", weights) + tf_node(name, op, [source, f"{name}/weights"], T=FLOAT, strides=ones, padding='s: "SAME"',
                                                          data_format='s: "NHWC"', dilations=ones, **more)


def tf_inception():
    """The blocks of inception(), with channels last."""
    last = "InceptionV4/Mixed_5a/concat"
    text = tf_input("image", 1, 8, 8, 10) + tf_node(last, "Relu", ["image"], T=FLOAT)
    for block in ("Mixed_5b", "Mixed_5c", "Mixed_5d"):
        scope = f"InceptionV4/{block}/"
        branches = []
        for branch, channels in (("Branch_0/Conv2d_0a_1x1", 2), ("Branch_1/Conv2d_0a_1x1", 3), ("Branch_2/Conv2d_0a_1x1", 4)):
            branches.append(f"{scope}{branch}/Conv2D")
            text += tf_conv(branches[-1], last, floats(1, 1, 10, channels))
        pool, conv = f"{scope}Branch_3/AvgPool_0a_3x3/AvgPool", f"{scope}Branch_3/Conv2d_0b_1x1/Conv2D"
        text += tf_node(pool, "AvgPool", [last], T=FLOAT, ksize="list { i: 1 i: 3 i: 3 i: 1 }", strides="list { i: 1 i: 1 i: 1 i: 1 }",
                        padding='s: "SAME"', data_format='s: "NHWC"')
        text += tf_conv(conv, pool, floats(1, 1, 10, 1)) + tf_const(f"{scope}concat/axis", np.int32(3))
        last = f"{scope}concat"
        text += tf_node(last, "ConcatV2", [*branches, conv, f"{last}/axis"], T=FLOAT, N="i: 4", Tidx="type: DT_INT32")
    return text + tf_node("end", "Sigmoid", [last], T=FLOAT)


X, Y = {"x": [2, 3]}, {"y": [2, 3]}
LONG = onnx.TensorProto.INT64
MODELS = {
    "cube": lambda: model([custom("Cube", ["x"], "y")], X, Y),
    "swish": swish,
    "custom_op": lambda: model([custom("SoftThreshold", ["x"], "y", lambd=0.25)], X, Y),
    "inception_block": inception,
    "topk_normalize": topk,
    "flatten_0": lambda: flatten(0),
    "flatten_1": lambda: flatten(1),
    "flatten_2": lambda: flatten(2),
    "reshape_op": reshape,
    "softmax_op": lambda: model([node("Softmax", ["x"], "y", axis=-1)], X, Y),
    "pooling_attributes": pooling,
    "constant_extractor": constant,
    "mish": mish,
    "mish_swapped": lambda: mish(swapped=True),
    "mish_other": lambda: mish(other=True),
    "mish_written_out": lambda: mish(written_out=True),
    "pack": lambda: model([custom("Pack", ["a", "b", "c"], "y", axis=0)], {"a": [2, 2], "b": [2, 2], "c": [2, 2]}, {"y": [3, 2, 2]}),
    "squeeze_normalize": lambda: model([node("Squeeze", ["x"], "y", axes=[0, 2])], {"x": [1, 3, 1, 2]}, {"y": [3, 2]}, opset=11),
    "squeeze_input": lambda: model([node("Squeeze", ["x", "axes"], "y")], {"x": [1, 3, 1, 2]}, {"y": [3, 2]}, {"axes": ints(0, 2)}),
    "squeeze_nothing": lambda: model([node("Squeeze", ["x"], "y")], {"x": [1, 3, 1, 2]}, {"y": [3, 2]}, opset=11),
    "ssd_points": ssd,
    "yolo_region": yolo,
    "erasers": lambda: model([node("Relu", ["x"], "r"), custom("NoOp", ["r"], "n"), node("Add", ["n", "w"], "y")], X, Y,
                             {"w": floats(2, 3), "unused": floats(7)}),
    "relu_reorder": shuffle,
    "gather_normalize": lambda: model([custom("Take", ["x", "indices"], "y", axis=1)], [value("x", [2, 3, 4]), value("indices", [2, 2], LONG)], {"y": [2, 2, 2, 4]}),
    "normalize_l2": lambda: model([custom("Normalize", ["x"], "y")], {"x": [2, 3, 4]}, {"y": [2, 3, 4]}),
    "l2_norm": l2_norm,
    "check_for_cycle": lambda: model([node("Relu", ["x"], "a"), node("Sigmoid", ["a"], "b"), node("Add", ["a", "b"], "y")], X, Y),
    "split_sum": lambda: model([custom("SplitSum", ["x"], "y", axis=1, parts=3)], {"x": [2, 6]}, {"y": [2, 2]}),
    "operations": lambda: model([node("Relu", ["x"], "y")], X, Y),
    "other_frameworks": lambda: model([node("Relu", ["x"], "y")], X, Y),
}
GRAPHS = {
    "constant_extractor": lambda: tf_input("x", 3, 2) + tf_const("pair", np.array([1.5, -2], np.float32)) + tf_node("y", "AddV2", ["x", "pair"], T=FLOAT),
    "custom_op": lambda: tf_input("x", 2, 3) + tf_node("y", "SoftThreshold", ["x"], T=FLOAT, lambd="f: 0.25"),
    "inception_block": tf_inception,
    "mish": lambda: tf_input("x", 2, 3) + tf_node("softplus", "Softplus", ["x"], T=FLOAT) + tf_node("tanh", "Tanh", ["softplus"], T=FLOAT)
                    + tf_node("y", "Mul", ["x", "tanh"], T=FLOAT) + tf_node("end", "Relu", ["y"], T=FLOAT),
    "pack": lambda: "".join(tf_input(name, 2, 2) for name in "abc") + tf_node("y", "Pack", ["a", "b", "c"], T=FLOAT, N="i: 3", axis="i: 0"),
    "squeeze_normalize": lambda: tf_input("x", 1, 3, 1, 2) + tf_node("y", "Squeeze", ["x"], T=FLOAT, squeeze_dims="list { i: 0 i: 2 }"),
    "yolo_region": lambda: tf_input("x", 1, 4, 4, 3) + tf_conv("region_input", "x", floats(1, 1, 3, 50)),
}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, make in MODELS.items():
        made = make()
        onnx.checker.check_model(made)
        onnx.save(made, os.path.join(folder, name + ".onnx"))
    for name, make in GRAPHS.items():
        with open(os.path.join(folder, name + ".pbtxt"), "w", encoding="utf-8") as file:
            file.write(make())


if __name__ == "__main__":
    main(sys.argv[1])
