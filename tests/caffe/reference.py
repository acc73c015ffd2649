"""Layers of Caffe in NumPy, written from Caffe's definitions: kind(parameters, bottoms, blobs) gives the tops.

Parameters are those of the text; what it does not give has Caffe's default here.
"""
import math

import numpy as np

import detectors
import pictures
import sequences


def per_axis(param, name, axes, otherwise):
    """One number for each axis."""
    value = param.get(name, [])
    value = list(value) if isinstance(value, (list, tuple)) else [value]
    if not value:
        value = [otherwise]
    if len(value) == 1:
        value = value * axes
    short = "kernel" if name == "kernel_size" else name
    if axes == 2:
        value = [param.get(f"{short}_{letter}", old) or old for letter, old in zip("hw", value)]
    return value


def windows(x, kernel, stride, dilation):
    """Views of the padded x of all elements of the kernel: [N, C, kernel…, out…]."""
    axes = len(kernel)
    out = [(x.shape[2 + i] - (dilation[i] * (kernel[i] - 1) + 1)) // stride[i] + 1 for i in range(axes)]
    strides = x.strides[:2] + tuple(x.strides[2 + i] * dilation[i] for i in range(axes)) + tuple(x.strides[2 + i] * stride[i] for i in range(axes))
    return np.lib.stride_tricks.as_strided(x, x.shape[:2] + tuple(kernel) + tuple(out), strides)


def convolution(param, bottoms, blobs):
    weights = blobs[0].astype(np.float64)
    axes, group = weights.ndim - 2, param.get("group", 1)
    stride, pad, dilation = (per_axis(param, name, axes, other) for name, other in (("stride", 1), ("pad", 0), ("dilation", 1)))
    tops = []
    for x in bottoms:
        x = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + [(p, p) for p in pad])
        seen = windows(x, weights.shape[2:], stride, dilation)
        parts = []
        for g in range(group):
            w = np.split(weights, group)[g]
            part = np.split(seen, group, axis=1)[g]
            contracted = list(range(1, 2 + axes))
            parts.append(np.moveaxis(np.tensordot(w, part, (contracted, contracted)), 0, 1))
        y = np.concatenate(parts, axis=1)
        if param.get("bias_term", True):
            y = y + blobs[1].reshape([1, -1] + [1] * axes)
        tops.append(y)
    return tops


def deconvolution(param, bottoms, blobs):
    """The gradient of a convolution: each element adds the kernel to the result."""
    weights = blobs[0].astype(np.float64)
    kernel, group, outputs = weights.shape[2:], param.get("group", 1), weights.shape[1]
    axes = len(kernel)
    stride, pad, dilation = (per_axis(param, name, axes, other) for name, other in (("stride", 1), ("pad", 0), ("dilation", 1)))
    reach = [dilation[i] * (kernel[i] - 1) + 1 for i in range(axes)]
    tops = []
    for x in bottoms:
        full = [stride[i] * (size - 1) + reach[i] for i, size in enumerate(x.shape[2:])]
        y = np.zeros((len(x), outputs * group, *full))
        per_group = x.shape[1] // group
        for g in range(group):
            inputs = slice(g * per_group, (g + 1) * per_group)
            for at in np.ndindex(*x.shape[2:]):
                part = np.tensordot(x[(slice(None), inputs, *at)], weights[inputs], 1)
                window = tuple(slice(at[i] * stride[i], at[i] * stride[i] + reach[i], dilation[i]) for i in range(axes))
                y[(slice(None), slice(g * outputs, (g + 1) * outputs), *window)] += part
        y = y[(slice(None), slice(None), *(slice(pad[i], full[i] - pad[i]) for i in range(axes)))]
        if param.get("bias_term", True):
            y = y + blobs[1].reshape([1, -1] + [1] * axes)
        tops.append(y)
    return tops


def pooling(param, bottoms, blobs):
    x = bottoms[0]
    if param.get("global_pooling"):
        kernel, stride, pad = list(x.shape[2:]), [1, 1], [0, 0]
    else:
        kernel, stride, pad = (per_axis(param, name, 2, other) for name, other in (("kernel_size", 0), ("stride", 1), ("pad", 0)))
    floor = param.get("ceil_mode") is False or param.get("round_mode") == "FLOOR"
    sizes = []
    for i in range(2):
        room = x.shape[2 + i] + 2 * pad[i] - kernel[i]
        size = (room // stride[i] if floor else -(-room // stride[i])) + 1
        if any(pad) and (size - 1) * stride[i] >= x.shape[2 + i] + pad[i]:
            size -= 1
        sizes.append(size)
    y, places = np.zeros(x.shape[:2] + tuple(sizes)), np.zeros(x.shape[:2] + tuple(sizes))
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            begin = [i * stride[0] - pad[0], j * stride[1] - pad[1]]
            end = [min(begin[k] + kernel[k], x.shape[2 + k] + pad[k]) for k in range(2)]
            count = (end[0] - begin[0]) * (end[1] - begin[1])
            part = x[:, :, max(begin[0], 0):end[0], max(begin[1], 0):end[1]]
            if param.get("avg_include_pad") is False:
                count = part.shape[2] * part.shape[3]
            y[:, :, i, j] = part.max((2, 3)) if param.get("pool", "MAX") == "MAX" else part.sum((2, 3)) / count
            row, column = np.unravel_index(part.reshape(*part.shape[:2], -1).argmax(2), part.shape[2:])
            places[:, :, i, j] = (row + max(begin[0], 0)) * x.shape[3] + column + max(begin[1], 0)
    return [y, places]


def spp(param, bottoms, blobs):
    x, rows = bottoms[0], []
    for level in range(param["pyramid_height"]):
        kernel = [-(-size // 2 ** level) for size in x.shape[2:]]
        pad = [(window * 2 ** level - size + 1) // 2 for window, size in zip(kernel, x.shape[2:])]
        shape = dict(zip(("kernel_h", "kernel_w", "stride_h", "stride_w", "pad_h", "pad_w"), kernel + kernel + pad))
        rows.append(pooling({"pool": param.get("pool", "MAX"), **shape}, bottoms, [])[0])
    return rows if len(rows) == 1 else [np.concatenate([row.reshape(len(x), -1) for row in rows], 1)]


def inner_product(param, bottoms, blobs):
    x = bottoms[0].astype(np.float64)
    axis = param.get("axis", 1) % x.ndim
    weights = blobs[0].reshape(blobs[0].shape[-2:])
    y = x.reshape(x.shape[:axis] + (-1,)) @ (weights if param.get("transpose") else weights.T)
    return [y + blobs[1].ravel() if param.get("bias_term", True) else y]


def embed(param, bottoms, blobs):
    y = blobs[0][bottoms[0].astype(int)]
    return [y + blobs[1] if param.get("bias_term", True) else y]


def relu(param, bottoms, blobs):
    x = bottoms[0]
    return [np.maximum(x, 0) + param.get("negative_slope", 0) * np.minimum(x, 0)]


def prelu(param, bottoms, blobs):
    x, slope = bottoms[0], blobs[0].ravel()
    slope = slope if param.get("channel_shared") else slope.reshape([-1] + [1] * (x.ndim - 2))
    return [np.maximum(x, 0) + slope * np.minimum(x, 0)]


def elu(param, bottoms, blobs):
    x = bottoms[0]
    return [np.where(x > 0, x, param.get("alpha", 1) * np.expm1(np.minimum(x, 0)))]


def logarithm(param):
    base = param.get("base", -1)
    return 1 if base == -1 else math.log(base)


def scaled(param, x):
    return param.get("shift", 0) + param.get("scale", 1) * x


def eltwise(param, bottoms, blobs):
    kind = param.get("operation", "SUM")
    if kind == "SUM":
        factors = param.get("coeff") or [1] * len(bottoms)
        return [sum(factor * x for factor, x in zip(factors, bottoms))]
    y = bottoms[0]
    for x in bottoms[1:]:
        y = y * x if kind == "PROD" else np.maximum(y, x)
    return [y]


def batch_norm(param, bottoms, blobs):
    x, eps = bottoms[0].astype(np.float64), param.get("eps", 1e-5)
    if param.get("use_global_stats", True):
        factor = blobs[2].ravel()[0]
        mean, variance = (blob.ravel() * (0 if factor == 0 else 1 / factor) for blob in blobs[:2])
    else:
        axes = (0,) + tuple(range(2, x.ndim))
        mean, variance = x.mean(axes), x.var(axes)
    form = [1, -1] + [1] * (x.ndim - 2)
    return [(x - mean.reshape(form)) / np.sqrt(variance.reshape(form) + eps)]


def aligned(x, y, axis):
    """y with dimensions of 1 behind it, so that its first one is `axis` of x."""
    return y.reshape(y.shape + (1,) * (x.ndim - axis % x.ndim - y.ndim))


def covered(param, blob):
    """A blob in the dimensions that the layer covers."""
    return blob.reshape(-1) if param.get("num_axes", 1) == 1 else blob.reshape(()) if param.get("num_axes") == 0 else blob


def scale(param, bottoms, blobs):
    x, axis, left = bottoms[0], param.get("axis", 1), list(blobs)
    by = bottoms[1] if len(bottoms) > 1 else covered(param, left.pop(0))
    y = x * aligned(x, by, axis)
    return [y + aligned(x, covered(param, left[0]), axis) if param.get("bias_term") else y]


def bias(param, bottoms, blobs):
    x = bottoms[0]
    return [x + aligned(x, bottoms[1] if len(bottoms) > 1 else covered(param, blobs[0]), param.get("axis", 1))]


def lrn(param, bottoms, blobs):
    x = bottoms[0].astype(np.float64)
    size, alpha, beta = param.get("local_size", 5), param.get("alpha", 1), param.get("beta", 0.75)
    half, square = size // 2, x * x
    total = np.zeros_like(x)
    if param.get("norm_region", "ACROSS_CHANNELS") == "ACROSS_CHANNELS":
        for c in range(x.shape[1]):
            total[:, c] = square[:, max(c - half, 0):c + half + 1].sum(1)
        return [x / (param.get("k", 1) + alpha / size * total) ** beta]
    for i in range(x.shape[2]):
        for j in range(x.shape[3]):
            total[:, :, i, j] = square[:, :, max(i - half, 0):i + half + 1, max(j - half, 0):j + half + 1].sum((2, 3))
    return [x / (1 + alpha / size ** 2 * total) ** beta]


def mvn(param, bottoms, blobs):
    x = bottoms[0].astype(np.float64)
    axes = tuple(range(1 if param.get("across_channels") else 2, x.ndim))
    y = x - x.mean(axes, keepdims=True)
    if param.get("normalize_variance", True):
        y = y / (np.sqrt((y * y).mean(axes, keepdims=True)) + param.get("eps", 1e-9))
    return [y]


def bn(param, bottoms, blobs):
    """Four blobs: scale, shift, mean, variance. Two: scale and shift, of the data normalised by itself unless bn_mode is INFERENCE."""
    x = bottoms[0].astype(np.float64)
    form = [1, -1] + [1] * (x.ndim - 2)
    if len(blobs) == 4:
        x = (x - blobs[2].reshape(form)) / np.sqrt(blobs[3].reshape(form) + param.get("eps", 1e-5))
    elif param.get("bn_mode", "LEARN") == "LEARN":
        axes = (0,) + tuple(range(2, x.ndim))
        x = x - x.mean(axes, keepdims=True)
        x = x / (np.sqrt((x * x).mean(axes, keepdims=True)) + 1e-9)
    return [x * blobs[0].reshape(form) + blobs[1].reshape(form)]


def normalize(param, bottoms, blobs):
    x = bottoms[0].astype(np.float64)
    axes = (1, 2, 3) if param.get("across_spatial", True) else (1,)
    unit = x / np.sqrt((x * x).sum(axes, keepdims=True) + param.get("eps", 1e-10))
    return [unit * (blobs[0].ravel()[0] if param.get("channel_shared", True) else blobs[0].reshape(1, -1, 1, 1))]


def grn(param, bottoms, blobs):
    x = bottoms[0].astype(np.float64)
    return [x / np.sqrt((x * x).sum(1, keepdims=True) + param.get("bias", 1))]


def axpy(param, bottoms, blobs):
    by, x, y = bottoms
    return [by.reshape(*x.shape[:2], *[1] * (x.ndim - 2)) * x + y]


def depthwise_convolution(param, bottoms, blobs):
    return convolution({"group": param["num_output"], **param}, bottoms, blobs)


def shuffle_channel(param, bottoms, blobs):
    x, group = bottoms[0], param["group"]
    return [x.reshape(len(x), group, -1, *x.shape[2:]).swapaxes(1, 2).reshape(x.shape)]


def softmax(param, bottoms, blobs):
    axis = param.get("axis", 1)
    y = np.exp(bottoms[0] - bottoms[0].max(axis, keepdims=True))
    return [y / y.sum(axis, keepdims=True)]


def slices(param, bottoms, blobs, tops):
    axis = param.get("slice_dim", param.get("axis", 1))
    points = param.get("slice_point") or []
    return np.split(bottoms[0], tops if not points else points if isinstance(points, list) else [points], axis)


def flatten(param, bottoms, blobs):
    x = bottoms[0]
    begin, end = param.get("axis", 1) % x.ndim, param.get("end_axis", -1) % x.ndim
    return [x.reshape(x.shape[:begin] + (-1,) + x.shape[end + 1:])]


def reshape(param, bottoms, blobs):
    x = bottoms[0]
    begin, count = param.get("axis", 0), param.get("num_axes", -1)
    begin = begin + x.ndim + 1 if begin < 0 else begin
    end = x.ndim if count == -1 else begin + count
    dims = param.get("shape", {}).get("dim", [])
    middle = [x.shape[begin + i] if size == 0 else size for i, size in enumerate(dims)]
    return [x.reshape(list(x.shape[:begin]) + middle + list(x.shape[end:]))]


def permute(param, bottoms, blobs):
    order = list(param.get("order", []))
    return [bottoms[0].transpose(order + [i for i in range(bottoms[0].ndim) if i not in order])]


def crop(param, bottoms, blobs):
    x = bottoms[0]
    sizes = param["dimsize"] if "dimsize" in param else bottoms[1].shape[param.get("axis", 2) % x.ndim:]
    axis, offset = param.get("axis", 2) % x.ndim, param.get("offset", [])
    offset = offset if isinstance(offset, list) else [offset]
    parts = [slice(None)] * x.ndim
    for i in range(axis, axis + len(sizes)):
        start = 0 if not offset else offset[0] if len(offset) == 1 else offset[i - axis]
        parts[i] = slice(start, start + sizes[i - axis])
    return [x[tuple(parts)]]


def tile(param, bottoms, blobs):
    repeats = [1] * bottoms[0].ndim
    repeats[param.get("axis", 1)] = param["tiles"]
    return [np.tile(bottoms[0], repeats)]


def reduction(param, bottoms, blobs):
    x = bottoms[0].astype(np.float64)
    x = x.reshape(x.shape[:param.get("axis", 0) % x.ndim] + (-1,))
    kinds = {"SUM": x.sum, "ASUM": abs(x).sum, "SUMSQ": (x * x).sum, "MEAN": x.mean}
    return [param.get("coeff", 1) * kinds[param.get("operation", "SUM")](-1)]


def argmax(param, bottoms, blobs):
    """Of equal elements the last one is the largest."""
    x, k = bottoms[0], param.get("top_k", 1)
    has_axis = "axis" in param
    axis = param["axis"] % x.ndim if has_axis else 1
    rows = x if has_axis else x.reshape(len(x), -1)
    size = rows.shape[axis]
    places = size - 1 - np.argsort(-np.flip(rows, axis), axis, kind="stable").take(range(k), axis)
    values = np.take_along_axis(rows, places, axis)
    if has_axis:
        return [values if param.get("out_max_val") else places.astype(float)]
    parts = [places, values] if param.get("out_max_val") else [places]
    return [np.stack(parts, 1).astype(float).reshape([len(x), len(parts), k] + [1] * (max(x.ndim, 3) - 3))]


def im2col(param, bottoms, blobs):
    """For each place the numbers of its window, channel by channel."""
    kernel, stride, pad = (per_axis(param, name, 2, otherwise) for name, otherwise in (("kernel_size", 0), ("stride", 1), ("pad", 0)))
    dilation = per_axis(param, "dilation", 2, 1)
    x = np.pad(bottoms[0], [(0, 0), (0, 0), (pad[0],) * 2, (pad[1],) * 2])
    sizes = [(x.shape[2 + i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in range(2)]
    out = np.zeros((x.shape[0], x.shape[1] * kernel[0] * kernel[1], *sizes))
    for channel, v, u in np.ndindex(x.shape[1], *kernel):
        rows = x[:, channel, v * dilation[0]:, u * dilation[1]:][:, ::stride[0], ::stride[1]]
        out[:, (channel * kernel[0] + v) * kernel[1] + u] = rows[:, :sizes[0], :sizes[1]]
    return [out]


LAYERS = {
    "Im2col": im2col, "Parameter": lambda param, bottoms, blobs: [blobs[0].reshape(param["shape"]["dim"])],
    "Convolution": convolution, "Deconvolution": deconvolution, "Pooling": pooling, "InnerProduct": inner_product, "Embed": embed,
    "ReLU": relu, "PReLU": prelu, "ELU": elu, "Eltwise": eltwise, "BatchNorm": batch_norm, "Scale": scale, "Bias": bias, "LRN": lrn,
    "MVN": mvn, "Softmax": softmax, "Flatten": flatten, "Reshape": reshape, "Permute": permute, "Crop": crop, "Tile": tile,
    "Reduction": reduction, "ArgMax": argmax, "SPP": spp, "BN": bn, "Normalize": normalize, "GRN": grn, "Axpy": axpy,
    "DepthwiseConvolution": depthwise_convolution, "ShuffleChannel": shuffle_channel,
    "ConvolutionBinary": convolution, "Binarization": lambda param, bottoms, blobs: [np.where(bottoms[0] > 0, 1, -1)],
    "ReLU6": lambda param, bottoms, blobs: [np.clip(bottoms[0], 0, param.get("n", 6))],
    "Clip": lambda param, bottoms, blobs: [np.clip(bottoms[0], param["min"], param["max"])],
    "Swish": lambda param, bottoms, blobs: [bottoms[0] / (1 + np.exp(-param.get("beta", 1) * bottoms[0]))],
    "Mish": lambda param, bottoms, blobs: [bottoms[0] * np.tanh(np.logaddexp(0, bottoms[0]))],
    "Transpose": lambda param, bottoms, blobs: [bottoms[0].transpose(param["dim"])],
    "Reverse": lambda param, bottoms, blobs: [np.flip(bottoms[0], param.get("axis", 0))],
    "BatchReindex": lambda param, bottoms, blobs: [bottoms[0][bottoms[1].astype(int)]],
    "Filter": lambda param, bottoms, blobs: [bottom[bottoms[-1].ravel() != 0] for bottom in bottoms[:-1]],
    "Sigmoid": lambda param, bottoms, blobs: [1 / (1 + np.exp(-bottoms[0]))],
    "TanH": lambda param, bottoms, blobs: [np.tanh(bottoms[0])],
    "AbsVal": lambda param, bottoms, blobs: [abs(bottoms[0])],
    "BNLL": lambda param, bottoms, blobs: [np.logaddexp(0, bottoms[0])],
    "Exp": lambda param, bottoms, blobs: [np.exp(scaled(param, bottoms[0]) * logarithm(param))],
    "Log": lambda param, bottoms, blobs: [np.log(scaled(param, bottoms[0])) / logarithm(param)],
    "Power": lambda param, bottoms, blobs: [scaled(param, bottoms[0]) ** param.get("power", 1)],
    "Threshold": lambda param, bottoms, blobs: [(bottoms[0] > param.get("threshold", 0)).astype(float)],
    "Dropout": lambda param, bottoms, blobs: [bottoms[0]],
    "Concat": lambda param, bottoms, blobs: [np.concatenate(bottoms, param.get("concat_dim", param.get("axis", 1)))],
    **detectors.LAYERS, **pictures.LAYERS, **sequences.LAYERS,
}


def run(kind, param, bottoms, blobs, tops):
    if kind == "Slice":
        return slices(param, bottoms, blobs, tops)
    if kind == "Split":
        return [bottoms[0]] * tops
    return LAYERS[kind](param, bottoms, blobs)
