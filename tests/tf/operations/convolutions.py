"""Convolutions: paddings, strides, dilations, groups, both layouts."""
import numpy as np

from graphs import Family, fed, fixed

family = Family(__name__)
case = family.case

FREE = (0, 1, 2)
ONES = [1, 1, 1, 1]

for padding in ("SAME", "VALID"):
    case("Conv2D", padding.lower(), unknown=FREE, input=fed(1, 7, 8, 3), filter=fixed(3, 3, 3, 4), strides=ONES, padding=padding)
    case("Conv2D", padding.lower() + "_strides", unknown=(0,), input=fed(1, 9, 8, 3), filter=fixed(3, 2, 3, 4), strides=[1, 2, 3, 1], padding=padding)
    case("Conv2D", padding.lower() + "_dilations", input=fed(1, 9, 9, 2), filter=fixed(3, 3, 2, 4), strides=ONES, dilations=[1, 2, 2, 1], padding=padding)
    case("DepthwiseConv2dNative", padding.lower(), unknown=FREE, input=fed(1, 7, 7, 3), filter=fixed(3, 3, 3, 1), strides=ONES, padding=padding)
    case("Conv3D", padding.lower(), unknown=(0,), input=fed(1, 4, 5, 6, 2), filter=fixed(2, 3, 3, 2, 3), strides=[1, 1, 2, 2, 1], padding=padding)
case("Conv2D", "even", input=fed(1, 8, 8, 3), filter=fixed(2, 4, 3, 4), strides=[1, 2, 2, 1], padding="SAME")
case("Conv2D", "pointwise", input=fed(2, 4, 4, 5), filter=fixed(1, 1, 5, 3), strides=ONES, padding="SAME")
case("Conv2D", "explicit", unknown=FREE, input=fed(1, 7, 7, 3), filter=fixed(3, 3, 3, 4), strides=[1, 2, 2, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 3, 0, 0])
case("Conv2D", "groups", input=fed(1, 6, 6, 4), filter=fixed(3, 3, 2, 6), strides=ONES, padding="SAME")
case("Conv2D", "groups_of_one", input=fed(1, 6, 6, 4), filter=fixed(3, 3, 1, 8), strides=ONES, padding="SAME")
case("Conv2D", "fed_filter", input=fed(1, 6, 6, 2), filter=fed(3, 3, 2, 3), strides=ONES, padding="SAME")
case("Conv2D", "half", input=fed(1, 6, 6, 2, dtype=np.float16), filter=fixed(3, 3, 2, 3, dtype=np.float16), strides=ONES, padding="SAME")
case("Conv2D", "nchw_same", input=fed(1, 3, 7, 8), filter=fixed(3, 3, 3, 4), strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW")
case("Conv2D", "nchw_valid", unknown=(0,), input=fed(1, 3, 7, 8), filter=fixed(3, 2, 3, 4), strides=ONES, dilations=[1, 1, 2, 1], padding="VALID", data_format="NCHW")
case("Conv2D", "nchw_explicit", input=fed(1, 3, 7, 7), filter=fixed(3, 3, 3, 4), strides=ONES, padding="EXPLICIT", explicit_paddings=[0, 0, 0, 0, 1, 2, 0, 3], data_format="NCHW")
case("DepthwiseConv2dNative", "multiplier", unknown=(0,), input=fed(1, 7, 7, 3), filter=fixed(3, 3, 3, 2), strides=[1, 2, 2, 1], padding="SAME")
case("DepthwiseConv2dNative", "explicit", input=fed(1, 7, 7, 3), filter=fixed(3, 3, 3, 1), strides=ONES, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 3, 0, 0])
case("DepthwiseConv2dNative", "nchw", input=fed(1, 3, 7, 7), filter=fixed(3, 3, 3, 2), strides=ONES, padding="SAME", data_format="NCHW")
case("Conv2DBackpropInput", "same", input_sizes=[1, 6, 6, 3], filter=fixed(3, 3, 3, 4), out_backprop=fed(1, 3, 3, 4), strides=[1, 2, 2, 1], padding="SAME")
case("Conv2DBackpropInput", "same_odd", input_sizes=[1, 7, 5, 3], filter=fixed(3, 3, 3, 4), out_backprop=fed(1, 4, 3, 4), strides=[1, 2, 2, 1], padding="SAME")
case("Conv2DBackpropInput", "valid", input_sizes=[1, 8, 7, 3], filter=fixed(3, 3, 3, 4), out_backprop=fed(1, 3, 3, 4), strides=[1, 2, 2, 1], padding="VALID")
case("Conv2DBackpropInput", "explicit", input_sizes=[1, 6, 6, 3], filter=fixed(3, 3, 3, 4), out_backprop=fed(1, 4, 3, 4), strides=[1, 2, 2, 1], padding="EXPLICIT",
     explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0])
case("Conv2DBackpropInput", "nchw", input_sizes=[1, 3, 6, 6], filter=fixed(3, 3, 3, 4), out_backprop=fed(1, 4, 3, 3), strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW")
case("Conv3D", "strides", input=fed(1, 4, 5, 6, 2), filter=fixed(3, 2, 3, 2, 3), strides=[1, 2, 1, 2, 1], padding="SAME")
case("Conv3D", "ncdhw", input=fed(1, 2, 4, 5, 6), filter=fixed(2, 3, 3, 2, 3), strides=[1, 1, 1, 1, 1], padding="SAME", data_format="NCDHW")
case("Conv3DBackpropInputV2", input_sizes=[1, 4, 6, 6, 2], filter=fixed(2, 3, 3, 2, 3), out_backprop=fed(1, 2, 3, 3, 3), strides=[1, 2, 2, 2, 1], padding="SAME")
case("Conv", unknown=(0,), input=fed(1, 7, 8, 3), filter=fixed(3, 3, 3, 4), strides=[1, 2, 1, 1], padding="SAME")
case("Conv", "three_axes", input=fed(1, 4, 5, 6, 2), filter=fixed(2, 3, 3, 2, 3), strides=[1, 1, 2, 2, 1], padding="VALID", dilations=[1, 1, 1, 1, 1])
case("FusedPadConv2D", "reflect", unknown=(0, 1, 2), input=fed(1, 7, 8, 3), paddings=[[0, 0], [1, 2], [0, 1], [0, 0]], filter=fixed(3, 3, 3, 4), mode="REFLECT", strides=[1, 2, 2, 1], padding="VALID")
case("FusedPadConv2D", "symmetric", input=fed(1, 7, 8, 3), paddings=[[0, 0], [1, 2], [2, 1], [0, 0]], filter=fixed(3, 3, 3, 4), mode="SYMMETRIC", strides=ONES, padding="VALID")
for corners in (False, True):
    case("FusedResizeAndPadConv2D", "corners" if corners else "", input=fed(1, 4, 5, 3), size=[7, 8], paddings=[[0, 0], [1, 2], [0, 1], [0, 0]], filter=fixed(3, 3, 3, 4), mode="REFLECT",
         strides=[1, 2, 2, 1], padding="VALID", resize_align_corners=corners)
case("Dilation2D", input=fed(1, 6, 6, 2), filter=fixed(3, 3, 2), strides=ONES, rates=ONES, padding="SAME")


@family.graph("DepthwiseConv2dNative_dilations")
def depthwise_dilations(building):
    """The CPU has no kernel for it; TensorFlow's own function writes it with SpaceToBatchND."""
    import tensorflow as tf
    x, weights = building.fed("input", fed(1, 9, 9, 3)), building.fixed(fixed(3, 3, 3, 2), "filter")
    if building.runs:
        return [tf.nn.depthwise_conv2d(x, weights, ONES, "VALID", dilations=[2, 2])]
    return [tf.raw_ops.DepthwiseConv2dNative(input=x, filter=weights, strides=ONES, dilations=[1, 2, 2, 1], padding="VALID", name="result")]


def volume_backprop(input, filter, out_backprop):
    import tensorflow as tf
    return tf.raw_ops.Conv3DBackpropInputV2(input_sizes=tf.shape(input), filter=filter, out_backprop=out_backprop, strides=[1, 2, 2, 2, 1], padding="SAME")


def image_backprop(input, filter, out_backprop):
    import tensorflow as tf
    return tf.raw_ops.Conv2DBackpropInput(input_sizes=tf.shape(input), filter=filter, out_backprop=out_backprop, strides=[1, 2, 2, 1], padding="SAME")


family.old("Conv2DBackpropInputV2", "", image_backprop, {"T": {"type": 1}, "padding": {"s": b"SAME"}, "strides": {"list": {"i": [1, 2, 2, 1]}}}, input=fed(1, 7, 5, 3),
           filter=fixed(3, 3, 3, 4), out_backprop=fed(1, 4, 3, 4))
family.old("Conv3DBackpropInput", "", volume_backprop, {"T": {"type": 1}, "padding": {"s": b"SAME"}, "strides": {"list": {"i": [1, 2, 2, 2, 1]}}}, input=fed(1, 4, 6, 6, 2),
           filter=fixed(2, 3, 3, 2, 3), out_backprop=fed(1, 2, 3, 3, 3))


@family.graph("padded_same_strides", unknown=FREE)
def padded_same_strides(building):
    """Pads that runtimes merge into a convolution, whose own padding depends on an open size; a dilated one with strides below its extent, one that skips rows."""
    import tensorflow as tf
    x = tf.pad(building.fed("x", fed(1, 9, 10, 3)), [[0, 0], [1, 0], [2, 1], [0, 0]])
    first = tf.raw_ops.Conv2D(input=x, filter=building.fixed(fixed(3, 4, 3, 2)), strides=[1, 2, 3, 1], padding="SAME", name="first")
    second = tf.raw_ops.DepthwiseConv2dNative(input=x, filter=building.fixed(fixed(1, 2, 3, 2)), strides=[1, 3, 3, 1], padding="SAME", name="second")
    return [first, second]
