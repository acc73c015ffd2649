"""Convolutions: paddings, strides, dilations, groups, fused activations, and every way to quantise them."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

FREE = (0, 1, 2)
BIAS = dict(low=-0.5, high=0.5)


def conv(variant, unknown=(), x=(1, 7, 8, 3), weights=(4, 3, 3, 3), quantised=(), stride=(1, 1), padding="SAME", dilation=(1, 1), activation=None):
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], "dilation_h": dilation[0], "dilation_w": dilation[1], "activation": activation}
    case("CONV_2D", variant, unknown, version=2, options=options, x=fed(*x), filter=fixed(*weights), bias=fixed(weights[0], **BIAS), more={"quantised": quantised})


EVERY = ("int8", "int8_io", "int8_tensor", "int16", "uint8", "hybrid", "hybrid_tensor", "float16")
conv("same", FREE, quantised=EVERY)
conv("valid", FREE, padding="VALID", activation="RELU", quantised=("int8", "int8_io"))
conv("same_strides", (0,), x=(1, 9, 8, 3), weights=(4, 3, 2, 3), stride=(2, 3), activation="RELU6", quantised=("int8", "uint8", "hybrid"))
conv("valid_strides", x=(2, 9, 8, 3), weights=(4, 3, 2, 3), stride=(2, 3), padding="VALID", activation="RELU_N1_TO_1")
conv("same_dilations", x=(1, 9, 9, 2), weights=(4, 3, 3, 2), dilation=(2, 3), quantised="int8")
conv("valid_dilations", (0,), x=(1, 9, 9, 2), weights=(4, 3, 3, 2), dilation=(2, 1), padding="VALID")
conv("even", x=(1, 8, 8, 3), weights=(4, 2, 4, 3), stride=(2, 2))
conv("pointwise", (0,), x=(2, 4, 4, 5), weights=(3, 1, 1, 5), quantised=("int8", "hybrid"))
conv("groups", x=(1, 6, 6, 4), weights=(6, 3, 3, 2))
conv("groups_of_one", (0,), x=(1, 6, 6, 4), weights=(8, 3, 3, 1), quantised="int8")


def depthwise(variant, unknown=(), x=(1, 7, 8, 3), multiplier=1, kernel=(3, 3), quantised=(), stride=(1, 1), padding="SAME", dilation=(1, 1), activation=None, bias=True):
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], "dilation_h": dilation[0], "dilation_w": dilation[1], "activation": activation, "depth_multiplier": multiplier}
    channels = x[3] * multiplier
    last = {"bias": fixed(channels, **BIAS)} if bias else {}
    case("DEPTHWISE_CONV_2D", variant, unknown, version=2, options=options, x=fed(*x), filter=fixed(1, *kernel, channels), **last, more={"quantised": quantised})


depthwise("same", FREE, quantised=tuple(way for way in EVERY if way != "hybrid_tensor"))
depthwise("valid", (0,), padding="VALID", stride=(2, 2), activation="RELU6", quantised=("int8", "int8_io"))
depthwise("multiplier", FREE, multiplier=2, stride=(2, 2), quantised=("int8", "hybrid"))
depthwise("dilations", x=(1, 9, 9, 3), dilation=(2, 2), quantised="int8")
depthwise("one_channel", x=(1, 9, 8, 1), multiplier=4, stride=(2, 2), activation="RELU", quantised="int8")
depthwise("wide", x=(1, 1, 12, 4), kernel=(1, 5), padding="VALID", bias=False)

for padding in ("SAME", "VALID"):
    size = [1, 6, 7, 3] if padding == "SAME" else [1, 7, 8, 3]
    case("TRANSPOSE_CONV", padding.lower(), options={"padding": padding, "stride_h": 2, "stride_w": 2}, dtype="float32", version=3, shape=fixed(values=size, dtype=np.int32),
         filter=fixed(3, 3, 2 if padding == "VALID" else 3, 4), x=fed(1, 3, 4, 4), bias=fixed(3, **BIAS), more={"quantised": ("int8", "int8_io", "int16") if padding == "SAME" else ()})
case("TRANSPOSE_CONV", "no_bias", dtype="float32", options={"padding": "SAME", "stride_h": 1, "stride_w": 2}, shape=fixed(values=[1, 3, 8, 2], dtype=np.int32), filter=fixed(2, 2, 2, 3), x=fed(1, 3, 4, 3))
case("TRANSPOSE_CONV", "relu", dtype="float32", version=4, options={"padding": "SAME", "stride_h": 2, "stride_w": 2, "activation": "RELU"}, shape=fixed(values=[1, 6, 8, 2], dtype=np.int32),
     filter=fixed(2, 4, 4, 3), x=fed(1, 3, 4, 3), bias=fixed(2, **BIAS))


@family.graph("TRANSPOSE_CONV_shape_of_input", unknown=(0, 1, 2))
def grown(b):
    """The size of the result is computed from that of the input, as the converter writes a Keras layer for pictures of any size."""
    x = b.fed("x", fed(1, 3, 4, 3))
    shape = b.op("SHAPE", [x], dtype="int32", out_type=2, names=["shape"])
    parts = b.op("UNPACK", [shape], 4, num=4, names=["n", "h", "w", "c"])
    two, depth = b.fixed(np.int32(2), "two"), b.fixed(np.int32(2), "depth")
    size = b.op("PACK", [parts[0], b.op("MUL", [parts[1], two], names=["hh"]), b.op("MUL", [parts[2], two], names=["ww"]), depth], values_count=4, axis=0, names=["size"])
    return [b.op("TRANSPOSE_CONV", [size, b.fixed(fixed(2, 3, 3, 3), "filter"), x], dtype="float32", padding="SAME", stride_h=2, stride_w=2)]


for padding in ("SAME", "VALID"):
    case("CONV_3D", padding.lower(), unknown=(0,), options={"padding": padding, "stride_d": 1, "stride_h": 2, "stride_w": 1, "activation": "RELU" if padding == "SAME" else None},
         x=fed(1, 4, 5, 6, 2), filter=fixed(2, 3, 3, 2, 3), bias=fixed(3, **BIAS))
case("CONV_3D", "dilations", options={"padding": "VALID", "stride_d": 1, "stride_h": 1, "stride_w": 1, "dilation_h": 2, "dilation_w": 2}, x=fed(1, 4, 7, 7, 2), filter=fixed(2, 3, 3, 2, 3))
case("CONV_3D_TRANSPOSE", "same", dtype="float32", options={"padding": "SAME", "stride_d": 1, "stride_h": 2, "stride_w": 2}, shape=fixed(values=[1, 2, 6, 6, 2], dtype=np.int32),
     filter=fixed(2, 3, 3, 2, 3), x=fed(1, 2, 3, 3, 3), bias=fixed(2, **BIAS))
case("CONV_3D_TRANSPOSE", "valid", dtype="float32", options={"padding": "VALID", "stride_d": 1, "stride_h": 2, "stride_w": 2}, shape=fixed(values=[1, 3, 7, 7, 2], dtype=np.int32),
     filter=fixed(2, 3, 3, 2, 3), x=fed(1, 2, 3, 3, 3))


@family.graph("separable", unknown=(0,), quantised=("int8", "int8_io", "int16", "uint8", "hybrid", "float16"))
def separable(b):
    """A block of MobileNet: depthwise, pointwise, and its input added."""
    x = b.fed("x", fed(1, 8, 8, 4))
    wide = b.op("CONV_2D", [x, b.fixed(fixed(8, 1, 1, 4), "w0"), b.fixed(fixed(8, **BIAS), "b0")], stride_w=1, stride_h=1, activation="RELU6", names=["wide"], version=2)
    deep = b.op("DEPTHWISE_CONV_2D", [wide, b.fixed(fixed(1, 3, 3, 8), "w1"), b.fixed(fixed(8, **BIAS), "b1")], stride_w=1, stride_h=1, depth_multiplier=1, activation="RELU6", names=["deep"], version=2)
    narrow = b.op("CONV_2D", [deep, b.fixed(fixed(4, 1, 1, 8), "w2"), b.fixed(fixed(4, **BIAS), "b2")], stride_w=1, stride_h=1, names=["narrow"], version=2)
    return [b.op("ADD", [x, narrow])]


@family.graph("CONV_2D_fed_filter")
def fed_filter(b):
    return [b.op("CONV_2D", [b.fed("x", fed(1, 6, 6, 2)), b.fed("filter", fed(3, 3, 3, 2)), b.fixed(np.zeros(3, np.float32), "bias")], stride_w=1, stride_h=1)]


@family.graph("CONV_2D_one_filter_twice")
def one_filter(b):
    """Two convolutions share their constants."""
    x, weights, bias = b.fed("x", fed(1, 6, 6, 3)), b.fixed(fixed(3, 3, 3, 3), "filter"), b.fixed(fixed(3, **BIAS), "bias")
    first = b.op("CONV_2D", [x, weights, bias], stride_w=1, stride_h=1, names=["first"])
    return [b.op("CONV_2D", [first, weights, bias], stride_w=1, stride_h=1)]
