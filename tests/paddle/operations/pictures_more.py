"""More forms of convolutions, pools, normalisations and operators of pictures; old ones, which PaddlePaddle 2.6 does not have."""
import numpy as np

from models import Case, Family
from values import fed, fixed

family = Family(__name__)
case = family.case
POSITIVE = {"low": 0.5, "high": 2}
PLAIN = {"strides": [1, 1], "paddings": [0, 0], "dilations": [1, 1], "groups": 1}


def ints(*values):
    return fed(values=list(values), dtype=np.int32)


def old(name, attrs, expected, x, kind, given):
    """An operator that only old programs have: built as another of the same shape, whose name and attributes change in the file."""
    def change(desc):
        for op in desc["blocks"][0]["ops"]:
            if op["type"] == kind:
                op["attrs"] = [attr for attr in op["attrs"] if attr["name"].startswith("op_")] + attrs

    family.add(name, Case(lambda b: [b.op(kind, given, X=b.fed("X", fed(*x)))], change=change, expected=expected, renamed={kind: name}))


def int_attr(name, value):
    return {"name": name, "type": 0, "i": value}


# Transposed convolutions whose padding or size depends on the input.
for variant, attrs, shape, kernel in (("same_odd", {"strides": [3, 2]}, (1, 3, 4, 5), (3, 4, 3, 3)), ("same_wide", {"strides": [2, 3]}, (2, 4, 5, 6), (4, 2, 5, 4)), ("same_groups", {"groups": 2, "strides": [2, 2]}, (1, 4, 5, 7), (4, 2, 4, 3))):
    case("conv2d_transpose", variant, unknown=(0, 2, 3), attrs={**PLAIN, "padding_algorithm": "SAME", **attrs}, Input=fed(*shape), Filter=fixed(*kernel))
case("conv2d_transpose", "same_last", unknown=(1, 2), attrs={**PLAIN, "padding_algorithm": "SAME", "strides": [2, 2], "data_format": "NHWC"}, Input=fed(1, 4, 5, 3), Filter=fixed(3, 4, 3, 3))
case("conv2d_transpose", "size_padded", attrs={**PLAIN, "strides": [3, 3], "paddings": [1, 0, 0, 2], "output_size": [12, 15]}, Input=fed(1, 3, 4, 5), Filter=fixed(3, 4, 3, 3))
case("conv2d_transpose", "last_groups", attrs={**PLAIN, "strides": [2, 1], "groups": 2, "data_format": "NHWC"}, Input=fed(1, 4, 5, 4), Filter=fixed(4, 3, 3, 2))


@family.graph("size_is_computed", unknown={"x": (2, 3)})
def size_is_computed(b):
    """The size of a transposed convolution's result is that of another tensor."""
    x, like = b.fed("x", fed(1, 3, 4, 5)), b.fed("like", ints(8, 10))
    out = b.block.create_var(name="out", dtype="float32", shape=[1, 2, -1, -1])
    b.block.append_op(type="conv2d_transpose", inputs={"Input": [x], "Filter": [b.fixed(fixed(3, 2, 3, 3))]}, outputs={"Output": [out]},
                      attrs={**PLAIN, "strides": [2, 2], "paddings": [1, 1], "output_size": like})
    return [out]


# Averages that count padding: as much at the end as at the beginning.
for variant, attrs in (("more_behind", {"paddings": [0, 1, 1, 2]}), ("more_before", {"paddings": [2, 0, 1, 1]}), ("same_even", {"padding_algorithm": "SAME", "ksize": [2, 4], "strides": [1, 1]}),
                       ("ceil_behind", {"paddings": [1, 2, 0, 1], "ceil_mode": True})):
    case("pool2d", "counted_" + variant, unknown=(0, 2, 3) if variant != "ceil_behind" else (), attrs={"pooling_type": "avg", "ksize": [3, 3], "strides": [2, 2], "paddings": [0, 0], "exclusive": False, **attrs},
         X=fed(1, 2, 7, 8))
case("pool2d", "counted_last", attrs={"pooling_type": "avg", "ksize": [3, 3], "strides": [2, 2], "paddings": [0, 1, 1, 2], "exclusive": False, "data_format": "NHWC"}, X=fed(1, 7, 8, 2))
case("pool2d", "max_same_ceil", attrs={"pooling_type": "max", "ksize": [2, 2], "strides": [3, 3], "padding_algorithm": "SAME", "ceil_mode": True}, X=fed(1, 2, 7, 8))
case("pool3d", "last_adaptive", attrs={"pooling_type": "avg", "ksize": [2, 4, 3], "strides": [1, 1, 1], "paddings": [0, 0, 0], "adaptive": True, "data_format": "NDHWC"}, X=fed(1, 5, 6, 7, 2))
case("max_pool3d_with_index", "adaptive", unknown=(0,), attrs={"ksize": [2, 3, 2], "strides": [1, 1, 1], "paddings": [0, 0, 0], "adaptive": True}, outs={"Mask": "int32"}, X=fed(2, 2, 4, 6, 5))
case("max_pool2d_with_index", "adaptive_alone", attrs={"ksize": [2, 4], "strides": [1, 1], "paddings": [0, 0], "adaptive": True}, take=[0], X=fed(1, 3, 6, 8))


@family.graph("unpool3d", unknown=(0,))
def unpool3d(b):
    x = b.fed("x", fed(1, 2, 4, 6, 4))
    pooled, mask = b.paddle.nn.functional.max_pool3d(x, 2, 2, return_mask=True)
    return [b.paddle.nn.functional.max_unpool3d(pooled, mask, 2, 2)]


# Channels last in data of every rank; statistics that two layers share, and those of the batch.
for variant, shape in (("two", (4, 3)), ("three", (2, 5, 3)), ("five", (1, 2, 4, 5, 3))):
    case("batch_norm", "last_" + variant, attrs={"is_test": True, "data_layout": "NHWC"}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, take=[0], X=fed(*shape), Scale=fixed(3, **POSITIVE),
         Bias=fixed(3), Mean=fixed(3), Variance=fixed(3, **POSITIVE))


def of_the_batch(X):
    of_channels = X.astype(np.float64)
    mean, variance = of_channels.mean((0, 2, 3), keepdims=True), of_channels.var((0, 2, 3), keepdims=True)
    return [((of_channels - mean) / np.sqrt(variance + 1e-3)).astype(np.float32)]


case("batch_norm", "of_the_batch", attrs={"is_test": True, "trainable_statistics": True, "epsilon": 1e-3}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, take=[0], more={"expected": of_the_batch},
     X=fed(3, 2, 4, 5), Scale=fixed(values=[1.0, 1]), Bias=fixed(values=[0.0, 0]), Mean=fixed(2), Variance=fixed(2, **POSITIVE))
for variant, shape in (("three", (2, 5, 4)), ("five", (1, 2, 3, 5, 4))):
    case("group_norm", "last_" + variant, unknown=(1,), attrs={"groups": 2, "epsilon": 1e-5, "data_layout": "NHWC"}, take=[0], X=fed(*shape), Scale=fixed(4, **POSITIVE), Bias=fixed(4))
case("group_norm", "scale_alone", attrs={"groups": 2, "epsilon": 1e-5}, take=[0], X=fed(2, 4, 3), Scale=fixed(4, **POSITIVE))
case("instance_norm", "scale_alone", attrs={"epsilon": 1e-5}, take=[0], X=fed(2, 3, 4, 5), Scale=fixed(3, **POSITIVE))
case("layer_norm", "several_open", unknown=(0,), attrs={"begin_norm_axis": 2, "epsilon": 1e-5}, take=[0], X=fed(2, 3, 4, 5), Scale=fixed(20, **POSITIVE), Bias=fixed(20))
case("lrn", "alone", unknown=(0, 2, 3), attrs={"n": 5, "k": 1.0, "alpha": 0.5, "beta": 0.75}, take=[0], X=fed(2, 7, 3, 4))
case("lrn", "alone_last", attrs={"n": 3, "k": 1.0, "alpha": 0.5, "beta": 0.75, "data_format": "NHWC"}, take=[0], X=fed(1, 3, 4, 7))
case("data_norm", "scaled", attrs={"enable_scale_and_shift": True}, take=[0], X=fed(4, 3), BatchSize=fixed(3, values=[10.0, 12, 9]), BatchSum=fixed(3, values=[2.0, -3, 4]),
     BatchSquareSum=fixed(3, values=[12.0, 15, 8]), scale_w=fixed(3), bias=fixed(3))


@family.graph("shared_statistics")
def shared_statistics(b):
    """Two layers with the same mean and variance, which the first writes again."""
    x = b.fed("x", fed(2, 3, 4, 5))
    norm = b.paddle.nn.BatchNorm2D(3)
    return [norm(b.paddle.nn.functional.relu(norm(x)))]


# Nearest elements where rounding decides, when growing and shrinking.
for size, to in (((13, 29), (3, 7)), ((6, 10), (15, 41)), ((9, 50), (49, 9)), ((100, 21), (30, 63))):
    for corners in (False, True):
        case("nearest_interp_v2", f"{size[0]}_{size[1]}_to_{to[0]}_{to[1]}" + "_corners" * corners, attrs={"interp_method": "nearest", "align_corners": corners, "out_h": to[0], "out_w": to[1], "data_layout": "NCHW"},
             X=fed(1, 1, *size))
for scale in (0.3, 1.7, 0.7):
    case("nearest_interp_v2", f"by_{scale}", attrs={"interp_method": "nearest", "align_corners": False, "scale": [scale, scale], "data_layout": "NCHW"}, X=fed(1, 1, 41, 30))
case("nearest_interp_v2", "volume", unknown=(2, 3, 4), attrs={"interp_method": "nearest", "align_corners": False, "scale": [2.0, 2.0, 2.0], "data_layout": "NCHW"}, X=fed(1, 2, 3, 4, 5))
case("bicubic_interp_v2", "one_wide", attrs={"interp_method": "bicubic", "align_corners": False, "out_h": 1, "out_w": 9, "data_layout": "NCHW"}, X=fed(1, 2, 4, 5))

# Volumes sampled at the places of a grid.
for mode, padding, corners in (("bilinear", "zeros", True), ("nearest", "border", False), ("bilinear", "reflection", True), ("bilinear", "border", False)):
    case("grid_sampler", f"volume_{mode}_{padding}", attrs={"mode": mode, "padding_mode": padding, "align_corners": corners}, X=fed(1, 2, 3, 4, 5), Grid=fed(1, 2, 3, 2, 3, low=-1.3, high=1.3))

# Rows of patches, rows in time, products, positions.
for variant, attrs in (("plain", {}), ("padded", {"paddings": [1, 0, 2, 1], "strides": [2, 1]})):
    attrs = {"kernels": [2, 3], "strides": [1, 1], "paddings": [0, 0, 0, 0], **attrs}
    family.add("im2sequence_" + variant, Case(lambda b, attrs=attrs: [b.op("im2sequence", attrs, X=b.fed("X", fed(1, 2, 5, 6)))], unknown=(0,)))
case("unfold", "open", unknown=(0, 2, 3), attrs={"kernel_sizes": [3, 2], "strides": [2, 1], "paddings": [1, 1, 1, 1], "dilations": [1, 2]}, X=fed(1, 2, 6, 7))
case("bilinear_tensor_product", unknown={"X": (0,), "Y": (0,)}, X=fed(3, 4), Y=fed(3, 5), Weight=fixed(2, 4, 5), Bias=fixed(1, 2))
case("bilinear_tensor_product", "bare", X=fed(3, 4), Y=fed(3, 5), Weight=fixed(2, 4, 5))
case("add_position_encoding", unknown=(0, 1), attrs={"alpha": 0.5, "beta": 2.0}, X=fed(2, 5, 6))
case("add_position_encoding", "two_columns", attrs={"alpha": 1.0, "beta": 1.0}, X=fed(2, 5, 2))
case("row_conv", "open", unknown=(0, 1), X=fed(2, 5, 3), Filter=fixed(3, 3))
case("maxout", "three", unknown=(0, 2, 3), attrs={"groups": 3, "axis": 1}, X=fed(1, 6, 3, 4))
case("crop_tensor", "lists", attrs={"offsets": [0, 0], "shape": [-1, -1]}, X=fed(4, 5), ShapeTensor=[ints(2), fixed(values=[3], dtype=np.int32)], OffsetsTensor=[ints(1), ints(2)])
case("affine_grid", "volume", attrs={"align_corners": False, "output_shape": [1, 2, 3, 4, 5]}, Theta=fed(1, 3, 4))


# Operators that PaddlePaddle 2.6 does not have.
def reorganised(X):
    """Darknet's order: X is read as a picture of twice the size, and taken apart by the places in its blocks."""
    n, c, h, w = X.shape
    blocks = X.reshape(n, c // 4, h, 2, w, 2).transpose(0, 3, 5, 1, 2, 4)
    return [blocks.reshape(n, c * 4, h // 2, w // 2)]


old("space_to_depth", [int_attr("blocksize", 2)], reorganised, (1, 8, 4, 6), "pixel_unshuffle", {"downscale_factor": 2})


def pooled(X):
    windows = X.reshape(1, 2, 3, 2, 4, 2)
    return [np.sqrt((windows.astype(np.float64) ** 2).sum((3, 5))).astype(np.float32)]


old("lp_pool2d", [{"name": "ksize", "type": 3, "ints": [2, 2]}, {"name": "strides", "type": 3, "ints": [2, 2]}, {"name": "norm_type", "type": 1, "f": 2.0}], pooled, (1, 2, 6, 8), "pool2d", {"pooling_type": "avg", "ksize": [2, 2], "strides": [2, 2], "paddings": [0, 0]})


def padded_like(X, Y):
    return [np.pad(Y, [(0, 2), (0, 0)], constant_values=0.5).astype(np.float32)]


family.add("pad_constant_like", Case(lambda b: [b.op("elementwise_add", {}, X=b.fed("X", fed(3, 4)), Y=b.fed("Y", fed(1, 4)))], expected=padded_like, renamed={"elementwise_add": "pad_constant_like"},
                                     change=lambda desc: desc["blocks"][0]["ops"][2].update(attrs=[{"name": "pad_value", "type": 1, "f": 0.5}])))


def leaky(X):
    y = X * (1 / np.sqrt(np.float32(4) + np.float32(1e-3)))
    return [np.where(y > 0, y, y * np.float32(0.2)).astype(np.float32)]


def with_activation(desc):
    for op in desc["blocks"][0]["ops"]:
        if op["type"] == "batch_norm":
            op["attrs"] += [{"name": "activation", "type": 2, "s": "leaky_relu"}, {"name": "alpha", "type": 1, "f": 0.2}]


case("batch_norm", "and_activation", attrs={"is_test": True, "epsilon": 1e-3}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, take=[0], X=fed(1, 2, 3, 4), Scale=fixed(values=[1.0, 1]),
     Bias=fixed(values=[0.0, 0]), Mean=fixed(values=[0.0, 0]), Variance=fixed(values=[4.0, 4]), more={"expected": leaky, "renamed": {"batch_norm": "inplace_abn"}, "change": with_activation})


def root_mean_square(X):
    return [(X / np.sqrt((X.astype(np.float64) ** 2).mean((1, 2), keepdims=True) + 1e-3) * np.arange(1, 7).reshape(2, 3)).astype(np.float32)]


def with_slots_of_rms_norm(desc):
    for op in desc["blocks"][0]["ops"]:
        if op["type"] == "layer_norm":
            for slot in op["inputs"] + op["outputs"]:
                slot["parameter"] = {"X": "x", "Scale": "norm_weight", "Y": "out"}.get(slot["parameter"], slot["parameter"])


case("layer_norm", "as_rms_norm", attrs={"epsilon": 1e-3, "begin_norm_axis": 1}, take=[0], X=fed(2, 2, 3), Scale=fixed(values=np.arange(1, 7, dtype=np.float32)),
     more={"expected": root_mean_square, "renamed": {"layer_norm": "rms_norm"}, "change": with_slots_of_rms_norm})
