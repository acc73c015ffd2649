"""Layers that resize, compare and move pictures in NumPy, as DeepLab, SegNet, Darknet and FlowNet define them."""
import math

import numpy as np


def by_lines(x, rows, columns):
    """Weights of all rows, and of all columns."""
    return np.einsum("oh,pw,nchw->ncop", rows, columns, x.astype(np.float64))


def corners_line(size, wanted):
    line = np.zeros((wanted, size))
    step = (size - 1) / (wanted - 1) if wanted > 1 else 0
    for i in range(wanted):
        low = int(i * step + 1e-9)
        part = i * step - low
        line[i, low] += 1 - part
        line[i, min(low + 1, size - 1)] += part
    return line


def interp(param, bottoms, blobs):
    x = bottoms[0]
    begin, end = -param.get("pad_beg", 0), -param.get("pad_end", 0)
    x = x[:, :, begin:x.shape[2] - end, begin:x.shape[3] - end]
    zooms, shrinks = "zoom_factor" in param, "shrink_factor" in param
    sizes = list(x.shape[2:])
    if shrinks and not zooms:
        sizes = [(size - 1) // param["shrink_factor"] + 1 for size in sizes]
    elif zooms and not shrinks:
        sizes = [size + (size - 1) * (param["zoom_factor"] - 1) for size in sizes]
    elif "height" in param:
        sizes = [param["height"], param["width"]]
    elif zooms:
        sizes = [(size - 1) // param["shrink_factor"] + 1 for size in sizes]
        sizes = [size + (size - 1) * (param["zoom_factor"] - 1) for size in sizes]
    else:
        sizes = bottoms[1].shape[2:]
    return [by_lines(x, *(corners_line(size, wanted) for size, wanted in zip(x.shape[2:], sizes)))]


def upsample(param, bottoms, blobs):
    x = bottoms[0]
    if len(bottoms) == 1:
        return [x.repeat(param.get("scale", 1), 2).repeat(param.get("scale", 1), 3)]
    height, width = param.get("upsample_h"), param.get("upsample_w")
    if not height:
        height, width = (x.shape[2 + i] * param.get(f"scale_{letter}", param.get("scale", 2)) - int(param.get(f"pad_out_{letter}", False))
                         for i, letter in enumerate("hw"))
    out = np.zeros(x.shape[:2] + (height * width,))
    for n in range(x.shape[0]):
        for c in range(x.shape[1]):
            for value, place in zip(x[n, c].ravel(), bottoms[1][n, c].ravel()):
                out[n, c, int(place)] = value
    return [out.reshape(*x.shape[:2], height, width)]


def cubic(x):
    x = abs(x)
    return 1 + x * x * (1.5 * x - 2.5) if x <= 1 else 2 + x * (x * (-0.5 * x + 2.5) - 4) if x < 2 else 0


def triangle(x):
    return max(0, 1 - abs(x))


def resample(param, bottoms, blobs):
    """Each axis is shifted by half the factor of the other one."""
    x = bottoms[0]
    if "factor" in param:
        param = {"height": int(x.shape[2] * param["factor"]), "width": int(x.shape[3] * param["factor"]), **param}
    sizes = bottoms[1].shape[2:] if len(bottoms) > 1 else (param["height"], param["width"])
    factors = [x.shape[2 + i] / sizes[i] for i in range(2)]
    kind = param.get("type", "LINEAR")
    smooth = param.get("antialias", True) and max(factors) > 1
    lines = []
    for i in range(2):
        line = np.zeros((sizes[i], x.shape[2 + i]))
        for o in range(sizes[i]):
            at = o * factors[i] + factors[1 - i] / 2 - 0.5
            nearest = math.floor(abs(at) + 0.5) * (1 if at >= 0 else -1)
            if kind == "NEAREST":
                line[o, nearest] = 1
                continue
            by = 1 / (factors[i] if smooth else 1)
            reach = 2 if factors[i] < 1 else math.ceil((4 if kind == "CUBIC" else 2) / by)
            for k in range(max(0, nearest - reach), min(x.shape[2 + i], nearest + reach + 1)):
                line[o, k] = (cubic if kind == "CUBIC" else triangle)(by * (at - k))
            line[o] /= line[o].sum() or 1
        lines.append(line)
    return [by_lines(x, *lines)]


def flow_warp(param, bottoms, blobs):
    x, flow = bottoms
    out = np.full(x.shape, 0.0 if param.get("fill_value", "ZERO") == "ZERO" else np.nan)
    height, width = x.shape[2:]
    for n, i, j in np.ndindex(len(x), height, width):
        column, row = j + flow[n, 0, i, j], i + flow[n, 1, i, j]
        if not (0 <= column < width and 0 <= row < height):
            continue
        left, top = int(column), int(row)
        right, bottom = min(left + 1, width - 1), min(top + 1, height - 1)
        a, b = column - left, row - top
        out[n, :, i, j] = ((1 - a) * (1 - b) * x[n, :, top, left] + a * (1 - b) * x[n, :, top, right]
                           + (1 - a) * b * x[n, :, bottom, left] + a * b * x[n, :, bottom, right])
    return [out]


def correlation(param, bottoms, blobs):
    pad, kernel, most = param.get("pad", 0), param["kernel_size"], param["max_displacement"]
    stride, step = param.get("stride_1", 1), param.get("stride_2", 1)
    a, b = (np.pad(x.astype(np.float64), [(0, 0), (0, 0), (pad, pad), (pad, pad)]) for x in bottoms)
    border, radius = most + (kernel - 1) // 2, most // step
    sizes = [math.ceil((a.shape[2 + i] - 2 * border) / stride) for i in range(2)]
    out = np.zeros((len(a), (2 * radius + 1) ** 2, *sizes))
    for channel in range(out.shape[1]):
        across = (channel % (2 * radius + 1) - radius) * step
        down = (channel // (2 * radius + 1) - radius) * step
        for i, j in np.ndindex(*sizes):
            y, x = i * stride + most, j * stride + most
            one, other = a[:, :, y:y + kernel, x:x + kernel], b[:, :, y + down:y + down + kernel, x + across:x + across + kernel]
            both = one * other if param.get("correlation_type", "MULTIPLY") == "MULTIPLY" else abs(one - other)
            out[:, channel, i, j] = both.mean((1, 2, 3))
    return [out]


def correlation_1d(param, bottoms, blobs):
    """FlowNet2's: displacements across only. Rows are padded at both sides, and lie behind each other."""
    pad, kernel, most = param.get("pad", 0), param["kernel_size"], param["max_displacement"]
    stride, step, direction = param.get("stride_1", 1), param.get("stride_2", 1), param.get("single_direction", 0)
    a, b = (np.pad(x.astype(np.float64), [(0, 0), (0, 0), (0, 0), (pad, pad)]) for x in bottoms)
    radius, grid = (kernel - 1) // 2, most // step
    count = grid + 1 if direction else 2 * grid + 1
    first = {-1: -count, 0: -grid, 1: 0}[direction]
    width = a.shape[3]
    rows = b.reshape(*b.shape[:2], -1)
    sizes = [math.ceil((a.shape[2] - 2 * radius) / stride), math.ceil((width - 2 * (most + radius)) / stride)]
    out = np.zeros((len(a), count, *sizes))
    for channel, i, j in np.ndindex(out.shape[1:]):
        y, x, moved = i * stride, j * stride + most, (first + channel) * step
        total = 0
        for v, u in np.ndindex(kernel, kernel):
            at = (y + v) * width + x + u + moved  # -1 is the end of the row before
            other = rows[:, :, at] if at >= 0 else 0
            one = a[:, :, y + v, x + u]
            total = total + (one * other if param.get("correlation_type", "MULTIPLY") == "MULTIPLY" else abs(one - other))
        out[:, channel, i, j] = total.sum(1) / (kernel * kernel * a.shape[1])
    return [out]


LAYERS = {"Interp": interp, "Upsample": upsample, "Resample": resample, "FlowWarp": flow_warp, "Correlation": correlation,
          "Correlation1D": correlation_1d}
