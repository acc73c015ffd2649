"""Operations that add: products, windows, reductions, norms."""
import numpy as np
import openvino.opset13 as ops
from numpy.lib.stride_tricks import sliding_window_view

from pairs.moving import ints
from pairs.traced import NotHere, step


def product(c, x, y, ta, tb, swapped=False):
    a, b = (y, x) if swapped else (x, y)
    va, vb = a.value, b.value
    if ta and va.ndim > 1:
        va = np.swapaxes(va, -1, -2)
    if tb and vb.ndim > 1:
        vb = np.swapaxes(vb, -1, -2)
    text = "MatMul" + (" ta" if ta else "") + (" tb" if tb else "") + (" (swapped)" if swapped else "")
    return c.op(text, ops.matmul(a.port, b.port, ta, tb), np.matmul(va, vb).astype(np.float32), x.rounds)


def operand(c, x, make):
    """Another operand for x, of rank 1 to that of x."""
    if not x.rank:
        raise NotHere
    swapped, ta, tb = c.chance(0.3), c.chance(0.3), c.chance(0.5)
    if x.rank == 1:
        ta = tb = False
    mine = tb if swapped else ta
    k = x.shape[-1] if x.rank == 1 or mine == swapped else x.shape[-2]
    n = c.pick([1, 2, 3, 4, 8, 16])
    if c.chance(0.1):
        shape = [k]
    else:
        lead = c.pick([[], [1] * (x.rank - 2), [1 if c.chance(0.5) else s for s in x.shape[:-2]]]) if x.rank > 2 else []
        other_is_second = not swapped
        transposed = tb if other_is_second else ta
        columns_first = [k, n] if other_is_second else [n, k]
        shape = list(lead) + (columns_first[::-1] if transposed else columns_first)
    return product(c, x, make(shape), ta, tb, swapped)


@step
def MatMul(c, x):
    return operand(c, c.real(x), c.drawn)


@step
def MatMulInput(c, x):
    return operand(c, c.real(x), lambda shape: c.input(shape, "f32"))


@step
def MatMulNarrow(c, x):
    """Weights of 8 bits, dequantised for all, along either axis, or in full."""
    x = c.real(x)
    if not x.rank:
        raise NotHere
    k, n, transposed = x.shape[-1], c.pick([1, 2, 3, 4, 8, 16]), c.chance(0.5)
    shape = [n, k] if transposed else [k, n]
    if c.chance(0.15):
        shape = [1] * max(x.rank - 2, 0) + shape
    kind = c.pick(["i8", "u8"])
    whole = c.random.integers(0 if kind == "u8" else -100, 100, shape).astype(np.int8 if kind == "i8" else np.uint8)
    form = c.pick([[1] * len(shape), [], shape[:-1] + [1], [1] * (len(shape) - 1) + shape[-1:], shape])
    scale = (0.01 + np.abs(c.random.standard_normal(form)) * 0.01).astype(np.float32)
    c.text.append(f"{kind}{shape} scale{list(form)}")
    port = ops.convert(ops.constant(whole), "f32")
    value = whole.astype(np.float32)
    if c.chance(0.5):
        zero = c.random.integers(0, 50, form if c.chance(0.7) else []).astype(whole.dtype)
        c.text.append(f"zero{list(zero.shape)}")
        port, value = ops.subtract(port, ops.convert(ops.constant(zero), "f32")), value - zero.astype(np.float32)
    port, value = ops.multiply(port, ops.constant(scale)), value * scale
    return c.op("MatMul" + (" tb" if transposed else ""), ops.matmul(x.port, port, False, transposed),
                np.matmul(x.value, np.swapaxes(value, -1, -2) if transposed else value), x.rounds)


def spatial(x):
    if not 3 <= x.rank <= 5:
        raise NotHere
    return x.rank - 2


def convolve(value, weights, pads, strides):
    n = value.ndim - 2
    value = np.pad(value, [(0, 0), (0, 0)] + [(p, p) for p in pads])
    windows = sliding_window_view(value, weights.shape[2:], axis=tuple(range(2, 2 + n)))
    windows = windows[(slice(None), slice(None)) + tuple(slice(None, None, s) for s in strides)]
    letters = "xyz"[:n], "uvw"[:n]
    return np.einsum(f"nc{letters[0]}{letters[1]},oc{letters[1]}->no{letters[0]}", windows, weights).astype(np.float32)


def window(c, x):
    n = spatial(x)
    kernel = [c.pick([1, 3]) for _ in range(n)] if c.chance(0.6) else [1] * n
    pads = [k // 2 for k in kernel]
    strides = [c.pick([1, 1, 2]) for _ in range(n)]
    return kernel, pads, strides, [1] * n


@step
def Convolution(c, x):
    x = c.real(x)
    kernel, pads, strides, ones = window(c, x)
    w = c.drawn([c.pick([1, 2, 4, 8, 16]), x.shape[1]] + kernel)
    return c.op(f"Convolution strides {strides}", ops.convolution(x.port, w.port, strides, pads, pads, ones), convolve(x.value, w.value, pads, strides), x.rounds)


@step
def ConvolutionNarrow(c, x):
    """Weights of 8 bits, dequantised for each output or input channel."""
    x = c.real(x)
    kernel, pads, strides, ones = window(c, x)
    shape = [c.pick([1, 2, 4, 8, 16]), x.shape[1]] + kernel
    whole = c.random.integers(-100, 100, shape).astype(np.int8)
    form = [1] * len(shape)
    axis = c.pick([0, 0, 1, None])
    if axis is not None:
        form[axis] = shape[axis]
    scale = (0.01 + np.abs(c.random.standard_normal(form)) * 0.01).astype(np.float32)
    c.text.append(f"i8{shape} scale{form}")
    port = ops.multiply(ops.convert(ops.constant(whole), "f32"), ops.constant(scale))
    return c.op(f"Convolution strides {strides}", ops.convolution(x.port, port, strides, pads, pads, ones),
                convolve(x.value, whole * scale, pads, strides), x.rounds)


@step
def Depthwise(c, x):
    x = c.real(x)
    kernel, pads, strides, ones = window(c, x)
    channels = x.shape[1]
    w = c.drawn([channels, 1, 1] + kernel)
    value = np.concatenate([convolve(x.value[:, i:i + 1], w.value[i], pads, strides) for i in range(channels)], 1)
    return c.op(f"GroupConvolution strides {strides}", ops.group_convolution(x.port, w.port, strides, pads, pads, ones), value, x.rounds)


@step
def Deconvolution(c, x):
    """Strides as long as the kernel: each number makes a block."""
    x = c.real(x)
    n = spatial(x)
    kernel, outputs = [c.pick([1, 2]) for _ in range(n)], c.pick([1, 2, 4])
    w = c.drawn([x.shape[1], outputs] + kernel)
    letters = "xyz"[:n], "uvw"[:n]
    pairs = "".join(a + b for a, b in zip(*letters))
    value = np.einsum(f"nc{letters[0]},co{letters[1]}->no{pairs}", x.value, w.value)
    value = value.reshape([x.shape[0], outputs] + [s * k for s, k in zip(x.shape[2:], kernel)])
    node = ops.convolution_backprop_data(x.port, w.port, kernel, pads_begin=[0] * n, pads_end=[0] * n, dilations=[1] * n)
    return c.op("ConvolutionBackpropData", node, value, x.rounds)


def pooled(c, x, pad_value):
    kernel, pads, strides, _ = window(c, x)
    value = np.pad(x.value, [(0, 0), (0, 0)] + [(p, p) for p in pads], constant_values=pad_value)
    n = len(kernel)
    windows = sliding_window_view(value, kernel, axis=tuple(range(2, 2 + n)))
    windows = windows[(slice(None), slice(None)) + tuple(slice(None, None, s) for s in strides)]
    return kernel, pads, strides, windows, tuple(range(-n, 0))


@step
def MaxPool(c, x):
    x = c.real(x)
    kernel, pads, strides, windows, axes = pooled(c, x, -np.inf)
    node = ops.max_pool(x.port, strides, [1] * len(kernel), pads, pads, kernel)
    return c.op(f"MaxPool {kernel}", node.output(0), windows.max(axes), x.rounds)


@step
def AvgPool(c, x):
    x = c.real(x)
    kernel, pads, strides, windows, axes = pooled(c, x, 0)
    return c.op(f"AvgPool {kernel}", ops.avg_pool(x.port, strides, pads, pads, kernel, False), windows.mean(axes), x.rounds)


def reduction(name, make, compute, integers=False):
    def apply(c, x):
        if not integers or x.value.dtype != np.int32:
            x = c.real(x)
        axes, keep = c.axes(x), c.chance(0.4)
        return c.op(f"{name} {axes}{' keep' if keep else ''}", make(x.port, ints(axes), keep), compute(x.value, tuple(axes), keep).astype(x.value.dtype), x.rounds)

    apply.__name__ = name
    step(apply)


reduction("ReduceSum", ops.reduce_sum, lambda v, a, k: v.sum(a, keepdims=k), True)
reduction("ReduceMean", ops.reduce_mean, lambda v, a, k: v.mean(a, keepdims=k))
reduction("ReduceMax", ops.reduce_max, lambda v, a, k: v.max(a, keepdims=k), True)
reduction("ReduceMin", ops.reduce_min, lambda v, a, k: v.min(a, keepdims=k), True)
reduction("ReduceL1", ops.reduce_l1, lambda v, a, k: abs(v).sum(a, keepdims=k))
reduction("ReduceL2", ops.reduce_l2, lambda v, a, k: np.sqrt((v * v).sum(a, keepdims=k)))


@step
def Softmax(c, x):
    x, axis = c.real(x), c.axis(x)
    e = np.exp(x.value - x.value.max(axis, keepdims=True))
    return c.op(f"Softmax {axis}", ops.softmax(x.port, axis), e / e.sum(axis, keepdims=True), x.rounds)


@step
def MVN(c, x):
    x = c.real(x)
    axes, eps = c.pick([[x.rank - 1], list(range(2, x.rank)), list(range(1, x.rank)), c.axes(x)]), 1e-4
    if not axes or min(axes) < 0:
        raise NotHere
    d = x.value - x.value.mean(tuple(axes), keepdims=True)
    value = d / np.sqrt((d * d).mean(tuple(axes), keepdims=True) + eps)
    return c.op(f"MVN {axes}", ops.mvn(x.port, ints(axes), True, eps, "INSIDE_SQRT"), value, x.rounds)


@step
def NormalizeL2(c, x):
    x = c.real(x)
    axes = [1] if c.chance(0.5) and x.rank > 1 else c.axes(x)
    value = x.value / np.sqrt((x.value ** 2).sum(tuple(axes), keepdims=True) + 0.05)
    return c.op(f"NormalizeL2 {axes}", ops.normalize_l2(x.port, ints(axes), 0.05, "add"), value, x.rounds)


@step
def TopK(c, x):
    x, axis = c.real(x), c.axis(x)
    k = c.pick(range(1, x.shape[axis] + 1))
    value = -np.sort(-x.value, axis)
    index = [slice(None)] * x.rank
    index[axis] = slice(0, k)
    node = ops.topk(x.port, ops.constant(np.int64(k)), axis, "max", "value")
    return c.op(f"TopK {axis} k {k}", node.output(0), value[tuple(index)], x.rounds)


@step
def CumSum(c, x):
    x, axis = c.real(x), c.axis(x)
    return c.op(f"CumSum {axis}", ops.cum_sum(x.port, ints(axis)), x.value.cumsum(axis, dtype=np.float32), x.rounds)


@step
def Interpolate(c, x):
    """Nearest, twice the size."""
    x = c.real(x)
    n = spatial(x)
    value = x.value
    for axis in range(2, x.rank):
        value = value.repeat(2, axis)
    node = ops.interpolate(x.port, ops.constant(np.full(n, 2, np.float32)), "nearest", "scales", axes=ints(list(range(2, x.rank))),
                           coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    return c.op("Interpolate", node, value, x.rounds)


@step
def Attention(c, x):
    """Softmax(x xT) x, with a mask."""
    x = c.real(x)
    if x.rank < 3:
        raise NotHere
    scores = np.matmul(x.value, np.swapaxes(x.value, -1, -2)) * 0.1
    mask = c.const(np.where(c.random.random(scores.shape[-2:]) < 0.3, -5, 0).astype(np.float32))
    scores = scores + mask.value
    e = np.exp(scores - scores.max(-1, keepdims=True))
    port = ops.softmax(ops.add(ops.multiply(ops.matmul(x.port, x.port, False, True), ops.constant(np.float32(0.1))), mask.port), x.rank - 1)
    return c.op("Softmax(x xT + mask) x", ops.matmul(port, x.port, False, False), np.matmul(e / e.sum(-1, keepdims=True), x.value), x.rounds)
