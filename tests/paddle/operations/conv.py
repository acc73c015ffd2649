"""Convolutions and deconvolutions: paddings, strides, dilations, groups, layouts, dimensions; deformable ones."""
from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case


def conv(kind, variant, x, w, attrs, unknown=(), **more):
    case(kind, variant, unknown=unknown, attrs={"strides": [1] * (len(w) - 2), "paddings": [0] * (len(w) - 2), "dilations": [1] * (len(w) - 2), "groups": 1, **attrs}, Input=fed(*x),
         Filter=fixed(*w), **more)


conv("conv2d", "plain", (2, 3, 7, 8), (4, 3, 3, 3), {}, unknown=(0, 2, 3))
conv("conv2d", "padded", (1, 3, 7, 8), (4, 3, 3, 3), {"paddings": [1, 2], "strides": [2, 1]}, unknown=(0,))
conv("conv2d", "four_paddings", (1, 3, 7, 8), (4, 3, 3, 3), {"paddings": [0, 1, 2, 1]})
conv("conv2d", "same", (1, 3, 7, 8), (4, 3, 3, 3), {"padding_algorithm": "SAME", "strides": [2, 2]}, unknown=(0, 2, 3))
conv("conv2d", "same_even", (1, 3, 8, 8), (4, 3, 2, 4), {"padding_algorithm": "SAME"})
conv("conv2d", "same_dilated", (1, 3, 8, 8), (4, 3, 3, 3), {"padding_algorithm": "SAME", "dilations": [2, 2], "paddings": [1, 1]})
conv("conv2d", "valid", (1, 3, 7, 8), (4, 3, 3, 3), {"padding_algorithm": "VALID", "paddings": [2, 2]})
conv("conv2d", "dilated", (1, 3, 9, 9), (4, 3, 3, 3), {"dilations": [2, 3], "paddings": [2, 3]})
conv("conv2d", "groups", (1, 6, 7, 8), (4, 3, 3, 3), {"groups": 2}, unknown=(0,))
conv("conv2d", "depthwise", (1, 4, 7, 8), (4, 1, 3, 3), {"groups": 4, "paddings": [1, 1]}, unknown=(0,))
conv("conv2d", "last", (1, 7, 8, 3), (4, 3, 3, 3), {"data_format": "NHWC", "paddings": [1, 1]})
conv("conv2d", "one", (1, 8, 5, 6), (4, 8, 1, 1), {}, unknown=(0, 2, 3))
conv("depthwise_conv2d", "plain", (1, 4, 7, 8), (4, 1, 3, 3), {"groups": 4, "paddings": [1, 1]}, unknown=(0, 2, 3))
conv("depthwise_conv2d", "multiplier", (1, 3, 7, 8), (6, 1, 3, 3), {"groups": 3, "strides": [2, 2]})
conv("depthwise_conv2d", "same", (1, 4, 7, 8), (4, 1, 3, 3), {"groups": 4, "padding_algorithm": "SAME", "strides": [2, 2]})
conv("depthwise_conv2d", "last", (1, 7, 8, 4), (4, 1, 3, 3), {"groups": 4, "data_format": "NHWC"})
conv("conv3d", "plain", (1, 2, 5, 6, 7), (3, 2, 3, 3, 3), {}, unknown=(0, 2, 3, 4))
conv("conv3d", "padded", (1, 2, 5, 6, 7), (3, 2, 3, 2, 3), {"paddings": [1, 0, 2], "strides": [1, 2, 2]})
conv("conv3d", "six_paddings", (1, 2, 5, 6, 7), (3, 2, 3, 2, 3), {"paddings": [1, 0, 2, 1, 0, 1]})
conv("conv3d", "same", (1, 2, 5, 6, 7), (3, 2, 3, 3, 3), {"padding_algorithm": "SAME", "strides": [2, 2, 2]})
conv("conv3d", "groups_dilated", (1, 4, 5, 6, 7), (4, 2, 2, 2, 2), {"groups": 2, "dilations": [2, 1, 2]})
conv("conv3d", "last", (1, 5, 6, 7, 2), (3, 2, 3, 3, 3), {"data_format": "NDHWC"})

conv("conv2d_transpose", "plain", (1, 3, 4, 5), (3, 4, 3, 3), {}, unknown=(0, 2, 3))
conv("conv2d_transpose", "strided", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 2], "paddings": [1, 1]}, unknown=(0, 2, 3))
conv("conv2d_transpose", "twice", (1, 3, 4, 5), (3, 4, 2, 2), {"strides": [2, 2]}, unknown=(0, 2, 3))
conv("conv2d_transpose", "four_paddings", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 1], "paddings": [0, 1, 1, 2]})
conv("conv2d_transpose", "output_padding", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 2], "paddings": [1, 1], "output_padding": [1, 1]}, unknown=(0, 2, 3))
conv("conv2d_transpose", "output_padding_one", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 3], "output_padding": [1, 0]})
conv("conv2d_transpose", "output_size", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 2], "paddings": [1, 1], "output_size": [8, 9]}, unknown=(0,))
conv("conv2d_transpose", "output_size_last", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 2], "output_size": [10, 12]})
conv("conv2d_transpose", "same", (1, 3, 4, 5), (3, 4, 3, 3), {"strides": [2, 2], "padding_algorithm": "SAME"}, unknown=(0, 2, 3))
conv("conv2d_transpose", "valid", (1, 3, 4, 5), (3, 4, 3, 3), {"padding_algorithm": "VALID", "paddings": [1, 1]})
conv("conv2d_transpose", "groups", (1, 4, 4, 5), (4, 3, 3, 3), {"strides": [2, 2], "groups": 2})
conv("conv2d_transpose", "dilated", (1, 3, 4, 5), (3, 4, 3, 3), {"dilations": [2, 2], "paddings": [1, 1]})
conv("conv2d_transpose", "last", (1, 4, 5, 3), (3, 4, 3, 3), {"strides": [2, 2], "data_format": "NHWC"})
conv("depthwise_conv2d_transpose", "plain", (1, 3, 4, 5), (3, 1, 3, 3), {"strides": [2, 2], "groups": 3}, unknown=(0, 2, 3))
conv("depthwise_conv2d_transpose", "output_padding", (1, 3, 4, 5), (3, 1, 3, 3), {"strides": [2, 2], "paddings": [1, 1], "groups": 3, "output_padding": [1, 1]})
conv("conv3d_transpose", "plain", (1, 2, 3, 4, 3), (2, 3, 3, 3, 3), {}, unknown=(0, 2, 3, 4))
conv("conv3d_transpose", "strided", (1, 2, 3, 4, 3), (2, 3, 3, 3, 3), {"strides": [2, 2, 1], "paddings": [1, 1, 0]})
conv("conv3d_transpose", "output_padding", (1, 2, 3, 4, 3), (2, 3, 3, 3, 3), {"strides": [2, 2, 2], "paddings": [1, 1, 1], "output_padding": [1, 0, 1]})
conv("conv3d_transpose", "output_size", (1, 2, 3, 4, 3), (2, 3, 3, 3, 3), {"strides": [2, 2, 2], "output_size": [8, 9, 7]})
conv("conv3d_transpose", "groups", (1, 4, 3, 4, 3), (4, 2, 3, 3, 3), {"groups": 2})
conv("conv2d", "several_at_once", (3, 4, 9, 9), (6, 2, 3, 5), {"groups": 2, "strides": [2, 1], "paddings": [1, 2], "dilations": [1, 2]})

for groups, deformable in ((1, 1), (2, 1), (1, 2), (2, 2)):
    for kind in ("deformable_conv", "deformable_conv_v1"):
        mask = {"Mask": fed(1, 9 * deformable, 5, 6, low=0)} if kind == "deformable_conv" else {}
        case(kind, f"groups{groups}{deformable}", attrs={"strides": [1, 1], "paddings": [0, 0], "dilations": [1, 1], "groups": groups, "deformable_groups": deformable, "im2col_step": 1},
             Input=fed(1, 4, 7, 8), Offset=fed(1, 18 * deformable, 5, 6), Filter=fixed(4, 4 // groups, 3, 3), **mask)
case("deformable_conv", "strided", attrs={"strides": [2, 2], "paddings": [1, 1], "dilations": [2, 2], "groups": 1, "deformable_groups": 1, "im2col_step": 64}, unknown={"Input": (0,),
        "Offset": (0,), "Mask": (0,)},
     Input=fed(2, 3, 9, 9), Offset=fed(2, 18, 4, 4, low=-2, high=2), Mask=fed(2, 9, 4, 4, low=0), Filter=fixed(4, 3, 3, 3))


@family.graph("layers", unknown=(0, 2, 3))
def layers(b):
    """Convolutions with a bias, one with paddings of a mode, a transposed one."""
    nn = b.paddle.nn
    x = b.fed("x", fed(1, 3, 8, 9))
    y = nn.functional.relu(nn.Conv2D(3, 4, 3, padding=1, padding_mode="reflect")(x))
    y = nn.functional.relu(nn.Conv2D(4, 4, 3, padding="same", groups=4)(y))
    return [nn.Conv2DTranspose(4, 2, 2, stride=2)(y), nn.Conv2D(4, 2, 1, bias_attr=False)(y)]


@family.graph("layers_1d", unknown=(0,))
def layers_1d(b):
    nn = b.paddle.nn
    x = b.fed("x", fed(2, 3, 10))
    y = nn.functional.relu(nn.Conv1D(3, 4, 3, padding=1)(x))
    y = nn.functional.relu(nn.Conv1D(4, 4, 3, padding=2, padding_mode="circular", dilation=2)(y))
    return [nn.Conv1DTranspose(4, 2, 3, stride=2, output_padding=1)(y)]


@family.graph("weights_are_fed", unknown={"x": (0,)})
def fed_weights(b):
    return [b.op("conv2d", {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}, Input=b.fed("x", fed(2, 3, 5, 6)), Filter=b.fed("w", fed(4, 3, 3, 3)))]
