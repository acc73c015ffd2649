#!/usr/bin/env python3
"""Write quantised ONNX models as ONNX Runtime's static quantisation makes them, from seeded random weights.

    make_quantised.py OUT NAME [NAME ...]

A name is NETWORK_FORM_ACTIVATIONS, and every NETWORK without more is the network before quantisation:
NETWORK      resnet50, mobilenet, encoder, and residual: the blocks of the first, small
FORM         qdq (QuantizeLinear and DequantizeLinear), pairs (the same, a pair for each consumer), qop (QLinearConv...)
ACTIVATIONS  u8, i8 (around zero points), s8 (symmetric)
dynamic      encoder_dynamic: DynamicQuantizeLinear and MatMulInteger
Weights are int8, one scale a channel. Batch normalisations are folded into the convolutions first, as exporters do.
"""
import os
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh

import make_onnx
from make_onnx import Builder, conv_bn

CALIBRATION = 3  # random inputs that give the ranges


def classifier(b, name, x, channels, classes, size):
    x = b.op("Flatten", b.op("GlobalAveragePool", x), axis=1)
    b.op("Gemm", x, b.weight(classes, channels), b.const(b.rng.standard_normal(classes, dtype=np.float32)), transB=1)
    b.nodes[-1].output[0] = "logits"
    return b.model(name, [h.make_tensor_value_info("input", T.FLOAT, ["N", 3, size, size])],
                   [h.make_tensor_value_info("logits", T.FLOAT, ["N", classes])])


def residual():
    b = Builder(11)
    x = conv_bn(b, "input", 3, 32, 7, 2)
    x, cin = b.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), 32
    for width, stride in ((16, 1), (32, 2)):
        for s in (stride, 1):
            y = conv_bn(b, conv_bn(b, conv_bn(b, x, cin, width, 1), width, width, 3, s), width, width * 4, 1, act=None)
            if cin != width * 4:
                x = conv_bn(b, x, cin, width * 4, 1, s, act=None)
            x, cin = b.op("Relu", b.op("Add", y, x)), width * 4
    return classifier(b, "residual", x, cin, 100, 64)


def mobilenet():
    """Inverted residuals: depthwise convolutions, clipped activations, linear bottlenecks."""
    b = Builder(12)
    x, cin = conv_bn(b, "input", 3, 16, 3, 2, act="Relu6"), 16
    for cout, s in ((24, 2), (24, 1), (32, 2)):
        y = conv_bn(b, x, cin, cin * 4, 1, act="Relu6")
        y = conv_bn(b, y, cin * 4, cin * 4, 3, s, group=cin * 4, act="Relu6")
        y = conv_bn(b, y, cin * 4, cout, 1, act=None)
        x, cin = b.op("Add", x, y) if cin == cout else y, cout
    return classifier(b, "mobilenet", x, cin, 100, 64)


def encoder():
    """A transformer block: dense layers, and products of two activations."""
    b, d, heads = Builder(13), 64, 4
    i64 = lambda *v: b.const(np.array(v, np.int64))
    dense = lambda x, i, o: b.op("Add", b.op("MatMul", x, b.weight(i, o, scale=i ** -.5)), b.weight(o, scale=.1))
    split = lambda y, perm: b.op("Transpose", b.op("Reshape", y, i64(0, 0, heads, d // heads)), perm=perm)
    q, k, v = (split(dense("input", d, d), perm) for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    a = b.op("Softmax", b.op("Mul", b.op("MatMul", q, k), b.const(np.float32((d // heads) ** -.5))), axis=-1)
    c = b.op("Reshape", b.op("Transpose", b.op("MatMul", a, v), perm=[0, 2, 1, 3]), i64(0, 0, d))
    x = make_onnx.layer_norm(b, b.op("Add", dense(c, d, d), "input"), d)
    y = dense(b.op("Relu", dense(x, d, 4 * d)), 4 * d, d)
    b.op("Add", y, x)
    b.nodes[-1].output[0] = "hidden"
    ports = [h.make_tensor_value_info(n, T.FLOAT, ["batch", "sequence", d]) for n in ("input", "hidden")]
    return b.model("encoder", ports[:1], ports[1:])


NETWORKS = {"resnet50": (make_onnx.resnet50, (1, 3, 224, 224)), "residual": (residual, (2, 3, 64, 64)),
            "mobilenet": (mobilenet, (2, 3, 64, 64)), "encoder": (encoder, (2, 24, 64))}


def fold_batch_norms(model):
    graph = model.graph
    held, makers = {i.name: nh.to_array(i) for i in graph.initializer}, {n.output[0]: n for n in graph.node}
    for node in [n for n in graph.node if n.op_type == "BatchNormalization"]:
        conv = makers[node.input[0]]
        scale, shift, mean, variance = (held.pop(name) for name in node.input[1:])
        factor = scale / np.sqrt(variance + np.float32(1e-5))
        held[conv.input[1]] = held[conv.input[1]] * factor[:, None, None, None]
        held[node.input[2]] = shift - mean * factor
        conv.input.append(node.input[2])
        conv.output[0] = node.output[0]
        graph.node.remove(node)
    del graph.initializer[:]
    graph.initializer.extend(nh.from_array(a, name) for name, a in held.items())
    return model


def quantise(source, target, shape, form):
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
    if form == "dynamic":
        return quantize_dynamic(source, target, weight_type=QuantType.QInt8)

    class Random(CalibrationDataReader):
        def __init__(self):
            rng = np.random.default_rng(5)
            self.feeds = iter([{"input": rng.standard_normal(shape, dtype=np.float32)} for _ in range(CALIBRATION)])

        def get_next(self):
            return next(self.feeds, None)

    layout, activations = form.split("_")
    quantize_static(source, target, Random(), per_channel=True, weight_type=QuantType.QInt8,
                    quant_format=QuantFormat.QOperator if layout == "qop" else QuantFormat.QDQ,
                    activation_type=QuantType.QUInt8 if activations == "u8" else QuantType.QInt8,
                    extra_options={"ActivationSymmetric": activations == "s8", "DedicatedQDQPair": layout == "pairs"})


def make(folder, name):
    network, _, form = name.partition("_")
    build, shape = NETWORKS[network]
    path = os.path.join(folder, name + ".onnx")
    model = fold_batch_norms(build())
    onnx.checker.check_model(model)
    if not form:
        return onnx.save(model, path)
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "float.onnx")
        onnx.save(model, source)
        quantise(source, path, shape, form)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in sys.argv[2:]:
        make(sys.argv[1], name)
