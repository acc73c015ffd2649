"""Convolutions, transposed ones, and pooling."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
CONVOLUTIONS = (("", {"kernel": (3, 3), "num_filter": 4}, (2, 3, 7, 8)), ("strides", {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 0), "dilate": (1, 2), "num_filter": 4}, (1, 3, 9, 8)),
                ("group", {"kernel": (3, 3), "num_filter": 6, "num_group": 3, "no_bias": True}, (2, 6, 7, 7)), ("depthwise", {"kernel": (3, 3), "pad": (1, 1), "num_filter": 4, "num_group": 4}, (1, 4, 6, 6)),
                ("text", {"kernel": "[3,3]", "stride": "(2L, 2L)", "pad": "(1,1,)", "num_filter": "4", "no_bias": "1", "layout": "None"}, (1, 3, 7, 7)), ("line", {"kernel": (3,), "stride": (2,), "num_filter": 4, "layout": "NCW"}, (2, 3, 9)),
                ("volume", {"kernel": (2, 3, 1), "num_filter": 2, "pad": (0, 1, 0)}, (1, 3, 4, 5, 3)))
for variant, attrs, shape in CONVOLUTIONS:
    case("Convolution", variant, unknown=(0, 2) if variant in ("", "group") else (), attrs=attrs, data=fed(*shape))
case("Convolution_v1", attrs={"kernel": (3, 3), "num_filter": 4, "pad": (1, 1)}, data=fed(1, 3, 6, 6))


def numbers(*shape):
    return np.random.default_rng(len(shape) + shape[0]).uniform(-0.5, 0.5, shape).astype(np.float32)


def windows(x, weight, stride, pad, group):
    """What MXNet has on graphics cards only: a convolution of [N, H, W, C] with filters [O, h, w, I]."""
    x = np.pad(x, ((0, 0), (pad[0], pad[0]), (pad[1], pad[1]), (0, 0)))
    height, width = weight.shape[1:3]
    rows, columns = (x.shape[1] - height) // stride[0] + 1, (x.shape[2] - width) // stride[1] + 1
    out = np.zeros((x.shape[0], rows, columns, weight.shape[0]), np.float32)
    for o in range(weight.shape[0]):
        first = o // (weight.shape[0] // group) * weight.shape[3]
        for i in range(rows):
            for j in range(columns):
                part = x[:, i * stride[0]:i * stride[0] + height, j * stride[1]:j * stride[1] + width, first:first + weight.shape[3]]
                out[:, i, j, o] = (part * weight[o]).sum((1, 2, 3))
    return out


def spread(x, weight, stride):
    """The transposed one, with filters [I, h, w, O]."""
    height, width = weight.shape[1:3]
    out = np.zeros((x.shape[0], (x.shape[1] - 1) * stride + height, (x.shape[2] - 1) * stride + width, weight.shape[3]), np.float32)
    for i in range(x.shape[1]):
        for j in range(x.shape[2]):
            out[:, i * stride:i * stride + height, j * stride:j * stride + width] += np.einsum("nc,chwo->nhwo", x[:, i, j], weight)
    return out


for variant, group, weight in (("nhwc", 1, numbers(4, 3, 2, 6)), ("nhwc_group", 3, numbers(6, 3, 2, 2))):
    @family.graph("Convolution_" + variant, unknown=(0,), expected=lambda data, weight=weight, group=group: [windows(data, weight, (2, 1), (1, 0), group)])
    def last_channels(b, weight=weight, group=group):
        attrs = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 0), "num_filter": weight.shape[0], "num_group": group, "no_bias": True, "layout": "NHWC"}
        return [b.op("Convolution", data=b.fed("data", fed(2, 7, 6, 6)), weight=b.fixed(weight, "weight"), attrs=attrs)]


@family.graph("Deconvolution_nhwc", expected=lambda data: [spread(data, numbers(3, 2, 3, 4), 2)])
def last_channels_transposed(b):
    attrs = {"kernel": (2, 3), "stride": (2, 2), "num_filter": 4, "layout": "NHWC"}
    return [b.op("Deconvolution", data=b.fed("data", fed(2, 4, 3, 3)), weight=b.fixed(numbers(3, 2, 3, 4), "weight"), attrs=attrs)]


DECONVOLUTIONS = (("", {"kernel": (3, 3), "num_filter": 4}, (2, 3, 5, 4)), ("adj", {"kernel": (4, 4), "stride": (2, 2), "pad": (1, 1), "adj": (1, 0), "num_filter": 2}, (1, 3, 4, 3)),
                  ("group", {"kernel": (4, 4), "stride": (2, 2), "pad": (1, 1), "num_filter": 6, "num_group": 3}, (1, 6, 5, 5)), ("bias", {"kernel": (2, 2), "stride": (2, 2), "num_filter": 4, "no_bias": False}, (1, 3, 4, 4)),
                  ("line", {"kernel": (3,), "stride": (2,), "num_filter": 4}, (1, 3, 5)))
for variant, attrs, shape in DECONVOLUTIONS:
    case("Deconvolution", variant, unknown=(0, 2) if not variant else (), attrs=attrs, data=fed(*shape))
for variant, attrs in (("target", {"kernel": (3, 3), "stride": (2, 2), "target_shape": (6, 6), "num_filter": 2}), ("target_even", {"kernel": (4, 4), "stride": (2, 2), "pad": (3, 3), "target_shape": (6, 5), "num_filter": 2}),
                       ("target_zero", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "target_shape": (0, 0), "num_filter": 2})):
    case("Deconvolution", variant, attrs=attrs, data=fed(1, 2, 3, 3), more={"plain": True})

WINDOW = {"kernel": (3, 2), "stride": (2, 2)}
for kind in ("max", "avg", "sum"):
    case("Pooling", kind, unknown=(0, 2) if kind != "sum" else (), attrs={**WINDOW, "pool_type": kind}, data=fed(2, 3, 7, 8))
    case("Pooling", kind + "_padded", attrs={**WINDOW, "pad": (1, 1), "pool_type": kind}, data=fed(2, 3, 7, 8))
    case("Pooling", kind + "_full", attrs={**WINDOW, "pool_type": kind, "pooling_convention": "full"}, data=fed(2, 3, 8, 9))
    case("Pooling", kind + "_full_padded", attrs={"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": kind, "pooling_convention": "full"}, data=fed(2, 3, 8, 9))
    case("Pooling", kind + "_global", unknown=(2, 3), attrs={"global_pool": True, "pool_type": kind}, data=fed(2, 3, 5, 4))
    case("Pooling", kind + "_line", attrs={"kernel": (3,), "stride": (2,), "pool_type": kind}, data=fed(2, 3, 9))
    case("Pooling", kind + "_nhwc", attrs={**WINDOW, "pool_type": kind, "layout": "NHWC"}, data=fed(2, 7, 8, 3), more={"plain": True})
case("Pooling", "usual", attrs={"kernel": (2, 2)}, data=fed(1, 2, 4, 4))
case("Pooling", "avg_not_padding", attrs={**WINDOW, "pad": (1, 1), "pool_type": "avg", "count_include_pad": False}, data=fed(2, 3, 7, 8))
case("Pooling", "avg_not_padding_full", attrs={"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg", "count_include_pad": False, "pooling_convention": "full"}, data=fed(2, 3, 8, 9))
case("Pooling", "global_with_kernel", attrs={"global_pool": True, "kernel": (7, 7), "pad": (1, 1), "pool_type": "avg"}, data=fed(2, 3, 5, 4))
case("Pooling", "volume", attrs={"kernel": (2, 2, 2), "stride": (2, 2, 2), "pool_type": "max"}, data=fed(1, 2, 4, 5, 4))
for p in (1, 2, 3):
    case("Pooling", f"lp{p}", attrs={"kernel": (2, 2), "pool_type": "lp", "p_value": p}, data=fed(2, 3, 4, 4))
case("Pooling", "lp_global", attrs={"global_pool": True, "pool_type": "lp", "p_value": 2}, data=fed(2, 3, 4, 4))
case("Pooling", "same", attrs={"kernel": (3,), "stride": (2,), "pad": (0, 0, 0), "pool_type": "max", "pooling_convention": "same"}, data=fed(2, 3, 7), more={"plain": True})
for kind in ("max", "avg", "sum"):
    case("Pooling_v1", kind, attrs={"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": kind, "pooling_convention": "full"}, data=fed(1, 2, 6, 7))
for variant, attrs in (("", {"output_size": (3, 2)}), ("one", {}), ("square", {"output_size": 2}), ("whole", {"output_size": (4, 3)})):
    case("_contrib_AdaptiveAvgPooling2D", variant, attrs=attrs, data=fed(2, 3, 8, 6))
