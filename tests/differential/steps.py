"""The steps by which a random ONNX graph grows: each adds an operation of one family, in one of its forms."""
import numpy as np
from onnx import TensorProto, helper

from graph import type_info
from values import INTEGERS, Impossible

STEPS = []


def step(weight=1):
    def add(function):
        STEPS.extend([function] * weight)
        return function
    return add


@step(3)
def unary(g):
    op = g.choice(["Abs", "Neg", "Relu", "Sigmoid", "Tanh", "Exp", "Softplus", "Softsign", "Floor", "Ceil", "Round", "Sign", "Erf", "Sin", "Cos", "Atan", "Identity", "Mish", "HardSwish", "Asinh"])
    g.node(op, [g.pick()])


@step()
def unary_with_numbers(g):
    op, attributes = g.choice([("LeakyRelu", {"alpha": 0.2}), ("Elu", {"alpha": 0.7}), ("Selu", {}), ("Celu", {"alpha": 1.5}), ("HardSigmoid", {"alpha": 0.3, "beta": 0.4}), ("ThresholdedRelu", {"alpha": 0.3}), ("Shrink", {"lambd": 0.4, "bias": 0.1})])
    g.node(op, [g.pick()], **attributes)


@step()
def of_positive(g):
    x = g.node("Abs", [g.pick()])
    g.node(g.choice(["Sqrt", "Log", "Reciprocal"]), [g.node("Add", [x, g.constant(np.float32(0.5))])])


@step(4)
def binary(g):
    x = g.pick(("float32", "int64", "int32"))
    y = g.like(x)
    op = g.choice(["Add", "Sub", "Mul", "Max", "Min", "Add", "Mul"] + (["PRelu"] if x.type == "float32" else []))
    pair = [x, y]
    if op != "PRelu" and g.chance(0.4):
        pair.reverse()
    g.node(op, pair)


@step()
def division(g):
    x = g.pick(("float32", "int64", "int32"))
    shape = x.shape[int(g.rng.integers(x.rank + 1)):]
    y = g.draw(shape, x.type, 1, 4) * g.choice([1, -1])
    if g.chance(0.4) and x.type != "float32":
        g.node("Mod", [x, g.given(y.astype(x.type))], fmod=int(g.chance(0.4)))
    elif g.chance(0.2) and x.type == "float32":
        g.node("Mod", [x, g.given(y.astype(x.type))], fmod=1)
    else:
        g.node("Div", [x, g.given(y.astype(x.type))])


@step()
def compare_and_choose(g):
    x = g.pick(("float32", "int64"))
    condition = g.node(g.choice(["Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal"]), [x, g.like(x)], keep=False)
    if g.chance(0.3):
        condition = g.node("Not", [condition], keep=False)
    if g.chance(0.3):
        condition = g.node(g.choice(["And", "Or", "Xor"]), [condition, g.given(g.draw(condition.shape, "bool"))], keep=False)
    g.node("Where", [condition, x, g.like(x)] if g.chance(0.7) else [condition, g.given(g.draw((), x.type)), x])


@step()
def convert(g):
    x = g.pick(("float32", "int64", "int32", "bool"))
    g.node("Cast", [x], to=g.choice([TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL, TensorProto.FLOAT]))


@step()
def clip(g):
    x = g.pick(("float32", "int64") if g.opset >= 12 else ("float32",))
    low, high = (g.given(np.asarray(limit, x.type)) if g.chance(0.7) else None for limit in (-1, 1))
    g.node("Clip", [x, low, high] if high else [x, low] if low else [x])


@step(2)
def reduce(g):
    op = g.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp", "ReduceProd"])
    x = g.pick(("float32", "int64") if op in ("ReduceSum", "ReduceMax", "ReduceMin") else ("float32",), (1, 2, 3, 4, 5))
    axes = sorted({g.axis(x, False) for _ in range(g.choice([1, 1, 2]))})
    axes = [axis - x.rank if g.chance(0.2) else axis for axis in axes]
    keep = int(g.chance(0.5))
    if g.chance(0.1):
        g.node(op, [x], keepdims=keep)
    elif g.opset >= (13 if op == "ReduceSum" else 18):
        g.node(op, [x, (g.given if keep else g.constant)(np.asarray(axes, np.int64))], keepdims=keep)
    else:
        g.node(op, [x], axes=axes, keepdims=keep)


@step()
def arg(g):
    x = g.pick(("float32",), (1, 2, 3, 4))
    g.node(g.choice(["ArgMax", "ArgMin"]), [x], axis=g.axis(x), keepdims=int(g.chance(0.5)), select_last_index=int(g.chance(0.3)))


@step()
def top_k(g):
    x = g.pick(("float32",), (1, 2, 3))
    axis = g.axis(x)
    k = int(g.rng.integers(1, x.shape[axis] + 1)) if x.shape[axis] else 0
    g.node("TopK", [x, g.given(np.asarray([k], np.int64))], 2, axis=axis, largest=int(g.chance(0.6)))


@step(2)
def transpose(g):
    x = g.pick(("float32", "int64", "bool"), (2, 3, 4, 5))
    g.node("Transpose", [x], perm=[int(axis) for axis in g.rng.permutation(x.rank)])


@step(2)
def reshape(g):
    x = g.pick(("float32", "int64"))
    if x.data.size == 0:
        raise Impossible
    left, target = x.data.size, []
    while left > 1 and len(target) < 4 and g.chance(0.8):
        size = g.choice([d for d in range(1, left + 1) if left % d == 0])
        target.append(size)
        left //= size
    target.append(left)
    if g.chance(0.5):
        target[int(g.rng.integers(len(target)))] = -1
    elif x.shape and target[0] == x.shape[0] and g.chance(0.7):
        target[0] = 0
    g.node("Reshape", [x, g.given(np.asarray(target, np.int64))])


@step()
def reshape_by_shape(g):
    """The sizes are computed, as exporters write it."""
    x = g.pick(("float32",), (2, 3, 4))
    shape = g.node("Shape", [x], keep=False)
    first = g.node("Gather", [shape, g.constant(np.asarray([0], np.int64))], keep=False, axis=0)
    g.node("Reshape", [x, g.node("Concat", [first, g.constant(np.asarray([-1], np.int64))], keep=False, axis=0)])


@step()
def squeeze_or_unsqueeze(g):
    x = g.pick(("float32", "int64"))
    ones = [axis for axis, size in enumerate(x.shape) if size == 1]
    if ones and g.chance(0.5):
        axes, op = [g.choice(ones)], "Squeeze"
    else:
        axes, op = sorted({int(g.rng.integers(x.rank + 1)) for _ in range(g.choice([1, 2]))}), "Unsqueeze"
    g.node(op, [x, g.constant(np.asarray(axes, np.int64))]) if g.opset >= 13 else g.node(op, [x], axes=axes)


@step()
def flatten_expand_tile(g):
    x = g.pick(("float32", "int64"), (1, 2, 3, 4))
    kind = g.choice(["Flatten", "Expand", "Tile"])
    if kind == "Flatten":
        g.node("Flatten", [x], axis=int(g.rng.integers(-x.rank, x.rank + 1)))
    elif kind == "Expand":
        sizes = [int(g.choice([1, 2]))] * g.choice([0, 1]) + [g.choice([2, 3]) if size == 1 else g.choice([1, size]) for size in x.shape]
        g.node("Expand", [x, g.given(np.asarray(sizes, np.int64))])
    else:
        g.node("Tile", [x, g.given(g.draw(x.rank, "int64", 1, 2))])


@step(2)
def slices(g):
    x = g.pick(("float32", "int64"), (1, 2, 3, 4))
    axes = sorted({g.axis(x, False) for _ in range(g.choice([1, 2]))})
    starts, ends, steps = [], [], []
    for axis in axes:
        size, stride = x.shape[axis], g.choice([1, 1, 2, -1, -2])
        begin, end = sorted(int(n) for n in g.rng.integers(-size - 1, size + 2, 2))
        if stride < 0:
            begin, end = end, begin
        starts.append(begin)
        ends.append(g.choice([end, 2**31 - 1 if stride > 0 else -2**31 + 1, end]))
        steps.append(stride)
    inputs = [np.asarray(numbers, np.int64) for numbers in (starts, ends, axes, steps)]
    g.node("Slice", [x, *map(g.given, inputs)])


@step()
def join(g):
    x = g.pick(("float32", "int64"), (1, 2, 3, 4))
    axis = g.axis(x)
    same = [v for v in g.values if not v.is_sequence and v.type == x.type and v.rank == x.rank and all(a == b for i, (a, b) in enumerate(zip(v.shape, x.shape)) if i != axis % x.rank)]
    parts = [g.choice(same) for _ in range(g.choice([1, 2, 3]))] + ([g.given(g.draw(x.shape, x.type))] if g.chance(0.3) else [])
    g.node("Concat", parts, axis=axis)


@step()
def split(g):
    x = g.pick(("float32", "int64"), (1, 2, 3, 4), lambda v: max(v.shape) > 1)
    axis = g.choice([axis for axis, size in enumerate(x.shape) if size > 1])
    first = int(g.rng.integers(1, x.shape[axis]))
    sizes = [first, x.shape[axis] - first]
    g.node("Split", [x, g.given(np.asarray(sizes, np.int64))], 2, axis=axis) if g.opset >= 13 else g.node("Split", [x], 2, axis=axis, split=sizes)


@step()
def pad(g):
    x = g.pick(("float32",), (1, 2, 3, 4))
    mode = g.choice(["constant", "constant", "edge", "reflect"] + (["wrap"] if g.opset >= 19 else []))
    low = -1 if mode == "constant" and g.chance(0.3) else 0
    most = 2 if mode in ("constant", "edge") else max(0, min(x.shape) - 1)
    g.node("Pad", [x, g.given(g.draw(2 * x.rank, "int64", low, min(2, most))), *([g.given(np.float32(0.5))] if mode == "constant" and g.chance(0.5) else [])], mode=mode)


@step(2)
def gather(g):
    x = g.pick(("float32", "int64"), (1, 2, 3, 4), lambda v: v.data.size > 0)
    axis, kind = g.axis(x), g.choice(["Gather", "Gather", "GatherElements", "GatherND"])
    size = x.shape[axis]
    if kind == "Gather":
        g.node(kind, [x, g.given(g.draw(g.choice([(), (1,), (3,), (2, 2)]), g.choice(INTEGERS), -size, size - 1))], axis=axis)
    elif kind == "GatherElements":
        shape = [int(g.rng.integers(1, n + 1)) for n in x.shape]
        g.node(kind, [x, g.given(g.draw(shape, "int64", -size, size - 1))], axis=axis)
    else:
        last = int(g.rng.integers(1, x.rank + 1))
        g.node(kind, [x, g.given(np.stack([g.draw((3,), "int64", -n, n - 1) for n in x.shape[:last]], -1))])


@step()
def scatter(g):
    x = g.pick(("float32",), (1, 2, 3), lambda v: v.data.size > 0)
    reduction = g.choice(["none", "none", "add", "mul"] + (["max", "min"] if g.opset >= 18 else [])) if g.opset >= 16 else "none"
    more = {"reduction": reduction} if g.opset >= 16 else {}
    if g.chance(0.5):
        axis = g.axis(x, False)
        count = int(g.rng.integers(1, x.shape[axis] + 1))
        shape = [count if i == axis else int(g.rng.integers(1, n + 1)) for i, n in enumerate(x.shape)]
        order = g.rng.permutation(x.shape[axis])[:count].reshape([-1 if i == axis else 1 for i in range(x.rank)])
        indices = np.broadcast_to(order, shape).astype(np.int64)
        g.node("ScatterElements", [x, g.given(indices), g.given(g.draw(shape))], axis=axis, **more)
    else:
        rows = g.rng.permutation(x.shape[0])[:max(1, x.shape[0] // 2)].reshape(-1, 1).astype(np.int64)
        g.node("ScatterND", [x, g.given(rows), g.given(g.draw((len(rows), *x.shape[1:])))], **more)


@step(2)
def matmul(g):
    x = g.pick(("float32",), (1, 2, 3, 4), lambda v: v.data.size > 0)
    k, n = x.shape[-1], g.choice([1, 2, 4])
    batch = x.shape[:-2] if g.chance(0.3) else ()
    same = [v for v in g.values if not v.is_sequence and v.type == "float32" and v.rank >= 2 and v.shape[-2] == k and v.shape[:-2] in ((), x.shape[:-2])]
    y = g.choice(same) if same and g.chance(0.4) else g.given(g.draw((*batch, k, n), low=-1, high=1))
    g.node("MatMul", [x, y])


@step()
def gemm(g):
    x = g.pick(("float32",), (2,), lambda v: v.data.size > 0)
    turned, other = int(g.chance(0.3)), int(g.chance(0.5))
    m, k = x.shape[::-1] if turned else x.shape
    y = g.given(g.draw((3, k) if other else (k, 3), low=-1, high=1))
    z = [g.given(g.draw(g.choice([(3,), (1, 3), (m, 1), ()])))] if g.chance(0.7) else []
    g.node("Gemm", [x, y, *z], transA=turned, transB=other, alpha=g.choice([1.0, 0.5]), beta=g.choice([1.0, 2.0]))


@step()
def einsum(g):
    x = g.pick(("float32",), (2, 3), lambda v: v.data.size > 0)
    y = g.given(g.draw((x.shape[-1], 3), low=-1, high=1))
    g.node("Einsum", [x, y], equation=g.choice(["ij,jk->ik", "ij,jk->ki", "ij,jk->i"] if x.rank == 2 else ["bij,jk->bik", "bij,jk->kib", "bij,jk->bk"]))


def picture(g):
    """A value with batch, channels and one to three spatial dimensions."""
    found = [v for v in g.values if not v.is_sequence and v.type == "float32" and v.rank in (3, 4, 5) and min(v.shape, default=0) > 0]
    return g.choice(found) if found and g.chance(0.7) else g.input((g.choice([1, 2]), g.choice([1, 2, 4]), *g.draw(g.choice([1, 2, 2]), "int64", 3, 7)))


@step(2)
def convolution(g):
    x = picture(g)
    space, channels = x.rank - 2, x.shape[1]
    group = g.choice([d for d in (1, 1, 2, channels) if channels % d == 0])
    kernel = [g.choice([1, 2, 3]) for _ in range(space)]
    attributes = {"strides": [g.choice([1, 1, 2]) for _ in range(space)], "dilations": [g.choice([1, 1, 2]) for _ in range(space)], "group": group}
    turned = g.chance(0.3)
    if g.chance(0.3):
        attributes["auto_pad"] = g.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
        if turned or g.opset < 22:
            attributes["dilations"] = [1] * space
    else:
        attributes["pads"] = [int(n) for n in g.rng.integers(0, 2, 2 * space)]
    outputs = group * g.choice([1, 2])
    if turned:
        if "pads" in attributes and g.chance(0.3):
            attributes["output_padding"] = [int(stride > 1) for stride in attributes["strides"]]
        weights = (channels, outputs // group, *kernel)
    else:
        weights = (outputs, channels // group, *kernel)
    bias = [g.given(g.draw((outputs,)))] if g.chance(0.5) else []
    g.node("ConvTranspose" if turned else "Conv", [x, g.given(g.draw(weights, low=-1, high=1)), *bias], **attributes)


def window_fits(sizes, kernel_shape, auto_pad="", pads=None, dilations=None, **_):
    space = len(sizes)
    pads, dilations = pads or [0] * 2 * space, dilations or [1] * space
    padded = [size + pads[i] + pads[i + space] for i, size in enumerate(sizes)]
    return auto_pad.startswith("SAME") or all(size > (window - 1) * step for size, window, step in zip(padded, kernel_shape, dilations))


@step()
def pooling(g):
    x = picture(g)
    space = x.rank - 2
    kind = g.choice(["MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool"])
    if kind.startswith("Global"):
        g.node(kind, [x])
        return
    attributes = {"kernel_shape": [g.choice([1, 2, 3]) for _ in range(space)], "strides": [g.choice([1, 1, 2]) for _ in range(space)]}
    if g.chance(0.3):
        attributes["auto_pad"] = g.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    else:
        attributes["pads"] = [int(n) for n in g.rng.integers(0, 2, 2 * space)]
        if kind != "LpPool":
            attributes["ceil_mode"] = int(g.chance(0.3))
    if kind == "AveragePool":
        attributes["count_include_pad"] = int(g.chance(0.5))
    if kind == "MaxPool" and "auto_pad" not in attributes:
        attributes["dilations"] = [g.choice([1, 1, 2]) for _ in range(space)]
    if not window_fits(x.shape[2:], **attributes):
        raise Impossible  # ONNX Runtime computes one element of nothing there
    g.node(kind, [x], **attributes)


@step()
def normalise(g):
    kind = g.choice(["BatchNormalization", "InstanceNormalization", "LayerNormalization", "LRN", "LpNormalization", "MeanVarianceNormalization", "GroupNormalization"])
    x = picture(g)
    channels = x.shape[1]
    scale, shift = (g.given(g.draw((channels,), low=0.5, high=1.5)) for _ in range(2))
    if kind == "BatchNormalization":
        g.node(kind, [x, scale, shift, *(g.constant(g.draw((channels,), low=0.2, high=1)) for _ in range(2))])
    elif kind == "InstanceNormalization":
        g.node(kind, [x, scale, shift], epsilon=1e-3)
    elif kind == "LayerNormalization" and g.opset >= 17:
        axis = int(g.rng.integers(-x.rank, x.rank))
        shape = x.shape[axis:]
        g.node(kind, [x, g.given(g.draw(shape)), *([g.given(g.draw(shape))] if g.chance(0.5) else [])], axis=axis, epsilon=1e-3)
    elif kind == "GroupNormalization" and g.opset >= 21:
        g.node(kind, [x, scale, shift], num_groups=g.choice([d for d in (1, 2, channels) if channels % d == 0]), epsilon=1e-3)
    elif kind == "LRN":
        g.node(kind, [x], size=g.choice([1, 3]), alpha=0.1)
    elif kind == "LpNormalization":
        g.node(kind, [x], axis=g.axis(x), p=g.choice([1, 2]))
    elif kind == "MeanVarianceNormalization" and x.rank == 4:
        g.node(kind, [x], axes=g.choice([[0, 2, 3], [2, 3], [1]]))
    else:
        raise Impossible


@step()
def softmax(g):
    x = g.pick(("float32",), (1, 2, 3, 4))
    g.node(g.choice(["Softmax", "LogSoftmax", "Hardmax"]), [x], axis=g.axis(x))


@step()
def masked_attention(g):
    q = g.pick(("float32",), (3, 4), lambda v: min(v.shape) > 0)
    turned = [*range(q.rank - 2), q.rank - 1, q.rank - 2]
    scores = g.node("MatMul", [q, g.node("Transpose", [q], perm=turned, keep=False)], keep=False)
    scores = g.node("Mul", [scores, g.constant(np.float32(0.3))], keep=False)
    mask = g.draw((q.shape[-2], q.shape[-2]), "bool") | np.eye(q.shape[-2], dtype=bool)
    if g.chance(0.5):
        scores = g.node("Add", [scores, g.given(np.where(mask, 0, -1e4 if g.chance(0.5) else -30).astype(np.float32))], keep=False)
    else:
        scores = g.node("Where", [g.given(mask), scores, g.constant(np.float32(-1e3))], keep=False)
    g.node("MatMul", [g.node("Softmax", [scores], axis=-1, keep=False), q])


@step()
def small_things(g):
    kind = g.choice(["CumSum", "Trilu", "OneHot", "NonZero", "Range", "DepthToSpace", "SpaceToDepth", "ReverseSequence", "EyeLike", "Shape", "Size", "ConstantOfShape"])
    if kind == "CumSum":
        x = g.pick(("float32", "int64"), (1, 2, 3))
        g.node(kind, [x, g.given(np.asarray(g.axis(x), np.int64))], exclusive=int(g.chance(0.4)), reverse=int(g.chance(0.4)))
    elif kind == "Trilu" and g.opset >= 14:
        g.node(kind, [g.pick(("float32", "int64"), (2, 3)), g.given(np.asarray(g.choice([-1, 0, 1, 2]), np.int64))], upper=int(g.chance(0.5)))
    elif kind == "OneHot":
        indices = g.given(g.draw(g.choice([(3,), (2, 2)]), "int64", -4, 3))
        g.node(kind, [indices, g.given(np.asarray([4], np.int64)), g.given(np.asarray([0.5, 2], np.float32))], axis=g.choice([-1, 0, 1]))
    elif kind == "NonZero":
        g.node(kind, [g.pick(("float32", "bool", "int64"), (1, 2, 3))])
    elif kind == "Range":
        g.node(kind, [g.given(np.asarray(n, np.int64)) for n in g.choice([(0, 5, 1), (7, 1, -2), (2, 3, 4)])])
    elif kind in ("DepthToSpace", "SpaceToDepth"):
        x = g.input((1, 4, 2, 4))
        g.node(kind, [x], blocksize=2, **({"mode": g.choice(["DCR", "CRD"])} if kind == "DepthToSpace" else {}))
    elif kind == "ReverseSequence":
        x = g.pick(("float32",), (2, 3), lambda v: min(v.shape[:2]) > 0)
        time = g.choice([0, 1])
        g.node(kind, [x, g.given(g.draw((x.shape[1 - time],), "int64", 1, x.shape[time]))], time_axis=time, batch_axis=1 - time)
    elif kind == "EyeLike":
        g.node(kind, [g.pick(("float32",), (2,))], k=g.choice([-1, 0, 1]))
    elif kind == "ConstantOfShape":
        g.node(kind, [g.given(np.asarray([2, 3], np.int64))], value=helper.make_tensor("v", TensorProto.FLOAT, [1], [0.25]))
    elif kind in ("Shape", "Size"):
        g.node(kind, [g.pick(("float32",))])
    else:
        raise Impossible


@step()
def resize(g):
    x = g.input((1, 2, int(g.rng.integers(2, 6)), int(g.rng.integers(2, 6))))
    attributes = {"mode": g.choice(["nearest", "linear", "cubic"]), "coordinate_transformation_mode": g.choice(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])}
    if attributes["mode"] == "nearest":
        attributes["nearest_mode"] = g.choice(["round_prefer_floor", "floor", "ceil", "round_prefer_ceil"])
    if g.chance(0.5):
        g.node("Resize", [x, None, g.constant(np.asarray([1, 1, g.choice([0.5, 2, 1.5]), g.choice([0.5, 2, 3])], np.float32))], **attributes)
    else:
        g.node("Resize", [x, None, None, g.given(np.asarray([1, 2, *g.rng.integers(1, 9, 2)], np.int64))], **attributes)


@step(2)
def recurrent(g):
    found = [v for v in g.values if not v.is_sequence and v.type == "float32" and v.rank == 3 and min(v.shape) > 0]
    x = g.choice(found) if found and g.chance(0.6) else g.input((int(g.rng.integers(1, 5)), int(g.rng.integers(1, 4)), 3))
    time, batch, size = x.shape
    kind, hidden = g.choice([("LSTM", 2), ("GRU", 3), ("RNN", 2)])
    gates, direction = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind], g.choice(["forward", "reverse", "bidirectional"])
    both = 2 if direction == "bidirectional" else 1
    inputs = [x, g.constant(g.draw((both, gates * hidden, size), low=-1, high=1)), g.constant(g.draw((both, gates * hidden, hidden), low=-1, high=1))]
    inputs.append(g.constant(g.draw((both, 2 * gates * hidden), low=-1, high=1)) if g.chance(0.6) else None)
    inputs.append(g.given(g.draw((batch,), "int32", 1, time)) if g.chance(0.4) else None)
    for _ in range(2 if kind == "LSTM" else 1):
        inputs.append(g.given(g.draw((both, batch, hidden), low=-1, high=1)) if g.chance(0.4) else None)
    if kind == "LSTM" and g.chance(0.2):
        inputs.append(g.constant(g.draw((both, 3 * hidden), low=-1, high=1)))
    attributes = {"hidden_size": hidden, "direction": direction}
    if kind == "GRU":
        attributes["linear_before_reset"] = int(g.chance(0.5))
    if g.chance(0.1):
        attributes["clip"] = 0.5
    outputs = [g.chance(0.8), g.chance(0.5)] + ([g.chance(0.3)] if kind == "LSTM" else [])
    if not any(outputs):
        outputs[0] = True
    g.node(kind, inputs, outputs, **attributes)


@step()
def quantise(g):
    x = g.pick(("float32",), (1, 2, 3, 4), lambda v: v.data.size > 0)
    scale, type = np.float32(g.choice([0.02, 0.1])), g.choice([np.uint8, np.int8])
    zero = type(g.choice([0, 3, 100] if type is np.uint8 else [0, 3, -20]))
    if g.chance(0.3):
        axis = g.axis(x, False)
        count = x.shape[axis]
        parameters = [g.constant(g.draw((count,), low=0.02, high=0.1)), g.constant(np.full((count,), zero))]
        q = g.node("QuantizeLinear", [x, *parameters], axis=axis, keep=False)
        g.node("DequantizeLinear", [q, *parameters], axis=axis)
        return
    parameters = [g.constant(scale), g.constant(zero)]
    q = g.node("QuantizeLinear", [x, *parameters], keep=False)
    if g.chance(0.3) and x.rank >= 2:
        other = g.constant(g.draw((x.shape[-1], 3), "int8", -50, 50))
        g.node("Cast", [g.node("MatMulInteger", [q, other, g.constant(zero), g.constant(np.int8(g.choice([0, 2])))], keep=False)], to=TensorProto.FLOAT)
    elif g.chance(0.5):
        g.node("DequantizeLinear", [q, *parameters])
    else:
        moved = g.node("Transpose", [q], perm=[int(axis) for axis in g.rng.permutation(x.rank)], keep=False)
        g.node("DequantizeLinear", [moved, *parameters])


@step()
def sequences(g):
    x = g.pick(("float32",), (1, 2, 3), lambda v: min(v.shape) > 0)
    kind = g.choice(["construct", "split", "insert", "at", "concat", "length", "erase"])
    if kind == "construct":
        g.node("SequenceConstruct", [x, *([g.given(g.draw(x.shape))] if g.chance(0.6) else [])])
    elif kind == "split":
        axis = g.axis(x)
        size = x.shape[axis]
        sizes = g.choice([None, np.asarray(1, np.int64), np.asarray([1, size - 1], np.int64) if size > 1 else None])
        g.node("SplitToSequence", [x] if sizes is None else [x, g.constant(sizes)], axis=axis, **({"keepdims": int(g.chance(0.5))} if sizes is None else {}))
    else:
        s = g.sequence()
        if kind == "insert" and s.data:
            g.node("SequenceInsert", [s, g.given(g.draw(g.choice(s.data).shape)), *([g.given(np.asarray(int(g.rng.integers(-len(s.data), len(s.data) + 1)), np.int64))] if g.chance(0.6) else [])])
        elif kind == "at" and s.data:
            g.node("SequenceAt", [s, g.given(np.asarray(int(g.rng.integers(-len(s.data), len(s.data))), np.int64))])
        elif kind == "erase" and s.data:
            g.node("SequenceErase", [s, *([g.given(np.asarray(int(g.rng.integers(-len(s.data), len(s.data))), np.int64))] if g.chance(0.6) else [])])
        elif kind == "concat" and s.data:
            new = int(g.chance(0.4))
            g.node("ConcatFromSequence", [s], axis=g.choice([0, -1]), new_axis=new)
        elif kind == "length":
            g.node("SequenceLength", [s])
        else:
            raise Impossible


def body(g, name, nodes, inputs, outputs):
    return helper.make_graph(nodes, name, inputs, [helper.make_empty_tensor_value_info(one) for one in outputs])


def inner(g, x, count):
    """Some operations behind the tensor x in a body; the last one's name, and the nodes. They may read values outside."""
    nodes, last = [], x
    for _ in range(count):
        op = g.choice(["Relu", "Neg", "Tanh", "Add", "Mul", "Sub"])
        new = g.name("b")
        if op in ("Add", "Mul", "Sub"):
            outer = [v for v in g.values if not v.is_sequence and v.type == "float32" and v.data.size == 1 and v.rank == 0]
            if outer and g.chance(0.5):
                other = g.choice(outer).name
            else:
                other = g.name("b")
                nodes.append(helper.make_node("Constant", [], [other], value=helper.make_tensor(other, TensorProto.FLOAT, [], [float(g.draw((), low=-1, high=1))])))
            nodes.append(helper.make_node(op, [last, other] if g.chance(0.7) else [other, last], [new]))
        else:
            nodes.append(helper.make_node(op, [last], [new]))
        last = new
    return last, nodes


@step()
def condition(g):
    x = g.pick(("float32",))
    branches = {}
    for key in ("then_branch", "else_branch"):
        last, nodes = inner(g, x.name, g.choice([1, 2, 3]))
        branches[key] = body(g, key, nodes, [], [last])
    flag = g.given(np.asarray(g.chance(0.5))) if g.chance(0.7) else g.node("Greater", [g.node("ReduceSum", [x], keepdims=0, keep=False), g.constant(np.float32(0))], keep=False)
    g.node("If", [flag], **branches)


@step(2)
def loop(g):
    """A carried value, a stacked result, and sometimes an early end."""
    x = g.pick(("float32",), (0, 1, 2, 3))
    i, on, carried, still = (g.name("b") for _ in range(4))
    last, nodes = inner(g, carried, g.choice([1, 2, 3]))
    scanned, more = inner(g, last if g.chance(0.5) else carried, 1)
    nodes += more
    ends = g.chance(0.3)
    if ends:
        limit = g.name("b")
        nodes.append(helper.make_node("Constant", [], [limit], value=helper.make_tensor(limit, TensorProto.INT64, [], [int(g.rng.integers(0, 4))])))
        nodes.append(helper.make_node("Less", [i, limit], [still]))
    else:
        nodes.append(helper.make_node("Identity", [on], [still]))
    step_of = body(g, "step", nodes, [type_info(i, np.asarray(0, np.int64)), type_info(on, np.asarray(True)), type_info(carried, x.data, [None] * x.rank)], [still, last, scanned])
    trips = g.given(np.asarray(int(g.rng.integers(1, 5)), np.int64)) if not ends or g.chance(0.5) else None
    g.node("Loop", [trips, g.given(np.asarray(True)) if g.chance(0.5) else None, x], [True, g.chance(0.7)], body=step_of)


@step()
def scan(g):
    x = g.pick(("float32",), (2, 3), lambda v: min(v.shape) > 0)
    axis, back = (g.axis(x, False) if g.chance(0.4) else 0), int(g.chance(0.3))
    row = np.take(x.data, 0, axis)
    carried, part = g.name("b"), g.name("b")
    total = g.name("b")
    last, nodes = inner(g, total, 1)
    nodes.insert(0, helper.make_node("Add", [carried, part], [total]))
    step_of = body(g, "step", nodes, [type_info(carried, row, [None] * row.ndim), type_info(part, row, [None] * row.ndim)], [total, last])
    start = g.given(g.draw(row.shape))
    g.node("Scan", [start, x], [g.chance(0.5), True], body=step_of, num_scan_inputs=1, scan_input_axes=[axis], scan_input_directions=[back])
