"""Internal operations in numpy, as tests/core/layout/layout_graphs.h makes them: spatial ones by the axes their attributes name.

It computes what a graph means before the change of layout, and knows none of the converter's rules.
"""
import itertools

import numpy as np

TYPES = {"f32": np.float32, "i64": np.int64, "i32": np.int32, "boolean": np.bool_}


def axes_of(attributes, rank):
    """Batch, channel and spatial axes."""
    if "channel_dims" not in attributes:
        return [0, 1, *range(2, rank)]
    return [*attributes["batch_dims"], *attributes["channel_dims"], *attributes["spatial_dims"]]


def in_nchw(function):
    """Makes a function of [N, C, space…] data one of data whose axes are where the attributes say."""
    def run(attributes, data, *others):
        order = axes_of(attributes, data.ndim)
        out = function(attributes, np.transpose(data, order), *others)
        return np.transpose(out, np.argsort(order))
    return run


def window(attributes, data, kernel, fill):
    """Pads data and gives it with its strides and output sizes."""
    axes = len(kernel)
    strides = attributes["strides"]
    begin, end = [0] * axes, [0] * axes
    for i in range(axes):
        if attributes["auto_pad"].startswith("same"):
            size = data.shape[2 + i]
            total = max((-(-size // strides[i]) - 1) * strides[i] + kernel[i] - size, 0)
            begin[i], end[i] = (total // 2, total - total // 2)
            if attributes["auto_pad"] == "same_lower":
                begin[i], end[i] = end[i], begin[i]
    padded = np.pad(data, [(0, 0), (0, 0), *zip(begin, end)], constant_values=fill)
    sizes = [(padded.shape[2 + i] - kernel[i]) // strides[i] + 1 for i in range(axes)]
    return padded, strides, sizes


def patches(padded, strides, sizes, kernel):
    """For each place in the kernel: the elements it meets."""
    for place in itertools.product(*map(range, kernel)):
        at = tuple(slice(p, p + s * (n - 1) + 1, s) for p, s, n in zip(place, strides, sizes))
        yield place, padded[(slice(None), slice(None), *at)]


def convolution(attributes, data, weights):
    kernel = weights.shape[2:]
    padded, strides, sizes = window(attributes, data.astype(np.float64), kernel, 0)
    return sum(np.einsum("nc...,oc->no...", part, weights[(slice(None), slice(None), *place)])
               for place, part in patches(padded, strides, sizes, kernel))


def group_convolution(attributes, data, weights):
    parts = np.split(data, weights.shape[0], axis=1)
    return np.concatenate([convolution(attributes, part, w) for part, w in zip(parts, weights)], axis=1)


def convolution_backprop(attributes, data, weights, sizes=None):
    strides, kernel, space = attributes["strides"], weights.shape[2:], data.shape[2:]
    full = [(n - 1) * s + k for n, s, k in zip(space, strides, kernel)]
    out = np.zeros((data.shape[0], weights.shape[1], *full))
    for place in itertools.product(*map(range, kernel)):
        at = tuple(slice(p, p + s * (n - 1) + 1, s) for p, s, n in zip(place, strides, space))
        out[(slice(None), slice(None), *at)] += np.einsum("nc...,co->no...", data, weights[(slice(None), slice(None), *place)])
    if sizes is None:
        return out
    cut = [f - int(n) for f, n in zip(full, sizes)]
    return out[(slice(None), slice(None), *(slice(c - c // 2, c - c // 2 + int(n)) for c, n in zip(cut, sizes)))]


def max_pool(attributes, data):
    padded, strides, sizes = window(attributes, data, attributes["kernel"], -np.inf)
    return np.max([part for _, part in patches(padded, strides, sizes, attributes["kernel"])], axis=0)


def avg_pool(attributes, data):
    padded, strides, sizes = window(attributes, data, attributes["kernel"], 0)
    return np.mean([part for _, part in patches(padded, strides, sizes, attributes["kernel"])], axis=0)


def space_to_depth(attributes, data):
    n, c, h, w = data.shape
    b = attributes["block_size"]
    return data.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4).reshape(n, c * b * b, h // b, w // b)


def depth_to_space(attributes, data):
    n, c, h, w = data.shape
    b = attributes["block_size"]
    return data.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, c // (b * b), h * b, w * b)


def strided_slice(attributes, data, begin, end, step):
    def bit(mask, i):
        values = attributes.get(mask) or []
        return i < len(values) and values[i] == 1
    index, shrunk = [], []
    for i in range(len(begin)):
        if bit("ellipsis_mask", i):
            index.append(Ellipsis)
        elif bit("new_axis_mask", i):
            index.append(np.newaxis)
        elif bit("shrink_axis_mask", i):
            index.append(int(begin[i]))
        else:
            index.append(slice(None if bit("begin_mask", i) else int(begin[i]), None if bit("end_mask", i) else int(end[i]), int(step[i])))
    return data[tuple(index)]


def slice_by_axes(attributes, data, begin, end, step, axes):
    index = [slice(None)] * data.ndim
    for b, e, s, a in zip(begin, end, step, axes):
        index[int(a)] = slice(int(b), int(e), int(s))
    return data[tuple(index)]


def top_k(attributes, data, k):
    sign = -1 if attributes["mode"] == "max" else 1
    indices = np.argsort(sign * data, axis=attributes["axis"], kind="stable")
    indices = np.take(indices, range(int(k)), axis=attributes["axis"])
    return [np.take_along_axis(data, indices, attributes["axis"]), indices.astype(TYPES[attributes["index_element_type"]])]


def interpolate(attributes, data, sizes, scales, axes):
    for size, axis in zip(sizes, axes):
        size, axis, old = int(size), int(axis), data.shape[int(axis)]
        half = attributes["coordinate_transformation_mode"] == "half_pixel"
        at = (np.arange(size) + 0.5) * old / size - 0.5 if half else np.arange(size) * (old / size)
        if attributes["mode"] == "nearest":
            data = np.take(data, np.floor(at + 1e-9).astype(int).clip(0, old - 1), axis=axis)
            continue
        at = at.clip(0, old - 1)
        low = np.floor(at).astype(int)
        shape = [-1 if i == axis else 1 for i in range(data.ndim)]
        part = (at - low).reshape(shape)
        data = np.take(data, low, axis=axis) * (1 - part) + np.take(data, (low + 1).clip(0, old - 1), axis=axis) * part
    return data


def fake_quantize(attributes, x, in_low, in_high, out_low, out_high):
    levels = attributes["levels"] - 1
    steps = np.round((x - in_low) / (in_high - in_low) * levels) / levels * (out_high - out_low) + out_low
    return np.where(x <= np.minimum(in_low, in_high), out_low, np.where(x > np.maximum(in_low, in_high), out_high, steps))


def softmax(attributes, x):
    e = np.exp(x - x.max(axis=attributes["axis"], keepdims=True))
    return e / e.sum(axis=attributes["axis"], keepdims=True)


def pad(attributes, data, begin, end, value):
    return np.pad(data, list(zip(begin.astype(int), end.astype(int))), constant_values=value)


def scatter_elements(attributes, data, indices, updates, axis):
    out = data.copy()
    np.put_along_axis(out, indices.astype(np.int64), updates, int(axis))
    return out


def scatter_update(attributes, data, indices, updates, axis):
    out = np.moveaxis(data.copy(), int(axis), 0)
    out[indices] = np.moveaxis(updates, int(axis), 0)
    return np.moveaxis(out, 0, int(axis))


def roll(attributes, data, shift, axes):
    return np.roll(data, tuple(map(int, shift)), tuple(map(int, axes)))


def mvn(attributes, x, axes):
    axes = tuple(map(int, axes))
    centred = x - x.mean(axis=axes, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(axis=axes, keepdims=True) + attributes["eps"])


def normalize_l2(attributes, x, axes):
    return x / np.sqrt((x ** 2).sum(axis=tuple(map(int, axes)), keepdims=True) + attributes["eps"])


def one_hot(attributes, indices, depth, on, off):
    assert attributes["axis"] == -1
    return np.where(indices[..., None] == np.arange(int(depth)), on, off)


def reduction(function):
    return lambda a, x, axes: function(x, axis=tuple(int(i) for i in np.ravel(axes)), keepdims=a["keep_dims"])


def matmul(attributes, a, b):
    return np.matmul(a.swapaxes(-1, -2) if attributes["transpose_a"] else a, b.swapaxes(-1, -2) if attributes["transpose_b"] else b)


def variadic_split(attributes, data, axis, lengths):
    rest = data.shape[int(axis)] - sum(int(n) for n in lengths if n >= 0)
    ends = np.cumsum([rest if n < 0 else int(n) for n in lengths])[:-1]
    return np.split(data, ends, axis=int(axis))


def gelu(attributes, x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


def squeeze(attributes, x, axes=None):
    return np.squeeze(x, None if axes is None else tuple(map(int, axes)))


OPERATIONS = {
    "Convolution": in_nchw(convolution),
    "GroupConvolution": in_nchw(group_convolution),
    "ConvolutionBackpropData": in_nchw(convolution_backprop),
    "MaxPool": in_nchw(max_pool),
    "AvgPool": in_nchw(avg_pool),
    "SpaceToDepth": in_nchw(space_to_depth),
    "DepthToSpace": in_nchw(depth_to_space),
    "Add": lambda a, x, y: x + y,
    "Sub": lambda a, x, y: x - y,
    "Mul": lambda a, x, y: x * y,
    "Less": lambda a, x, y: x < y,
    "Select": lambda a, c, x, y: np.where(c, x, y),
    "ReLU": lambda a, x: np.maximum(x, 0),
    "PReLU": lambda a, x, slope: np.where(x < 0, x * slope, x),
    "Sigmoid": lambda a, x: 1 / (1 + np.exp(-x)),
    "Tanh": lambda a, x: np.tanh(x),
    "Gelu": gelu,
    "FakeQuantize": fake_quantize,
    "MatMul": matmul,
    "Einsum": lambda a, *x: np.einsum(a["equation"], *x),
    "Reshape": lambda a, x, shape: x.reshape(shape.astype(int)),
    "Transpose": lambda a, x, order: x.transpose(order),
    "Squeeze": squeeze,
    "Unsqueeze": lambda a, x, axes: np.expand_dims(x, tuple(map(int, axes))),
    "Concat": lambda a, *x: np.concatenate(x, a["axis"]),
    "Split": lambda a, x, axis: np.split(x, a["num_splits"], int(axis)),
    "VariadicSplit": variadic_split,
    "StridedSlice": strided_slice,
    "Slice": slice_by_axes,
    "Pad": pad,
    "Tile": lambda a, x, repeats: np.tile(x, repeats.astype(int)),
    "Broadcast": lambda a, x, shape: np.broadcast_to(x, shape),
    "Gather": lambda a, x, indices, axis: np.take(x, indices, int(axis)),
    "GatherND": lambda a, x, indices: x[tuple(np.moveaxis(indices, -1, 0))],
    "GatherElements": lambda a, x, indices: np.take_along_axis(x, indices.astype(np.int64), a["axis"]),
    "ScatterElementsUpdate": scatter_elements,
    "ScatterUpdate": scatter_update,
    "CumSum": lambda a, x, axis: np.cumsum(x, int(axis)),
    "Roll": roll,
    "TopK": top_k,
    "OneHot": one_hot,
    "SoftMax": softmax,
    "LogSoftmax": lambda a, x: np.log(softmax(a, x)),
    "MVN": mvn,
    "NormalizeL2": normalize_l2,
    "Interpolate": interpolate,
    "ShapeOf": lambda a, x: np.array(x.shape, TYPES[a["output_type"]]),
    "ReduceSum": reduction(np.sum),
    "ReduceMean": reduction(np.mean),
    "ReduceMax": reduction(np.max),
}


def run_if(attributes, condition, *inputs):
    body = attributes["then_graph" if condition.item() else "else_graph"]
    fed = {n["id"]: (condition, *inputs)[n["attributes"]["external_port_id"]] for n in body if n["op"] == "Parameter"}
    return outputs_by_port(run_nodes(body, fed), body)


def outputs_by_port(values, body):
    results = [n for n in body if n["op"] == "Result" and "external_port_id" in n["attributes"]]
    return [values[n["id"]] for n in sorted(results, key=lambda n: n["attributes"]["external_port_id"])]


def run_loop(attributes, trips, *inputs):
    body = attributes["body"]
    fed = {n["id"]: (trips, *inputs)[n["attributes"]["external_port_id"]] for n in body if n["op"] == "Parameter"}
    for _ in range(int(trips)):
        values = run_nodes(body, fed)
        labels = {n["attributes"].get("internal_layer_id"): values[n["id"]] for n in body if n["op"] == "Result"}
        for n in body:
            if "back_edge" in n["attributes"]:
                fed[n["id"]] = labels[n["attributes"]["back_edge"]]
    return outputs_by_port(values, body)


def run_tensor_iterator(attributes, data):
    body = attributes["body"]
    (parameter,) = (n for n in body if n["op"] == "Parameter")
    (result,) = (n for n in body if n["op"] == "Result")
    axis = parameter["attributes"]["axis"]
    parts = [run_nodes(body, {parameter["id"]: np.take(data, [i], axis)})[result["id"]] for i in range(data.shape[axis])]
    return [np.concatenate(parts, result["attributes"]["axis"])]


BODIES = {"If": run_if, "Loop": run_loop, "TensorIterator": run_tensor_iterator}


def run_nodes(nodes, fed):
    """The values of Results by id; those of Parameters are given."""
    values = {}
    results = {}
    for node in nodes:
        attributes, op = node["attributes"], node["op"]
        inputs = [None if i is None else values[tuple(i)] for i in node["inputs"]]
        if op == "Parameter":
            made = fed[node["id"]]
        elif op == "Const":
            value = attributes["value"]
            made = np.array(value["values"], TYPES[value["type"]]).reshape(value["shape"])
        elif op == "Result":
            results[node["id"]] = inputs[0]
            continue
        else:
            made = (BODIES.get(op) or OPERATIONS[op])(attributes, *inputs)
        for i, value in enumerate(made if isinstance(made, list) else [made]):
            values[node["id"], i] = value
    return results


def feeds(nodes, random):
    out = {}
    for node in nodes:
        if node["op"] != "Parameter":
            continue
        kind, shape = TYPES[node["attributes"]["data_type"]], node["attributes"]["fed"]
        if kind is np.float32:
            out[node["name"]] = random.uniform(-1, 1, shape).astype(np.float32)
        else:
            out[node["name"]] = np.full(shape, 1, kind)
    return out


def outputs(nodes, fed):
    """The numbers of the graph's outputs, by tensor name."""
    results = run_nodes(nodes, {n["id"]: fed[n["name"]].astype(np.float64) if fed[n["name"]].dtype == np.float32 else fed[n["name"]]
                                for n in nodes if n["op"] == "Parameter"})
    return {n["name"].removesuffix(":0"): results[n["id"]] for n in nodes if n["op"] == "Result"}
