"""The steps by which a random graph of TensorFlow grows. Each gives a function of tensors, and what it reads.

Attributes are drawn outside of that function, because it runs twice: on values, and in the graph that is written.
"""
import numpy as np
import tensorflow as tf

from values import Impossible

STEPS = []
raw = tf.raw_ops


def step(weight=1):
    def add(function):
        STEPS.extend([function] * weight)
        return function
    return add


def channels_last(g):
    """A value [N, H, W, C]."""
    found = [v for v in g.values if v.type == "float32" and v.rank == 4 and min(v.shape) > 0]
    return g.choice(found) if found and g.chance(0.7) else g.input((g.choice([1, 2]), *(int(n) for n in g.rng.integers(3, 8, 2)), g.choice([1, 2, 4])))


@step(3)
def unary(g):
    op = g.choice([tf.nn.relu, tf.nn.relu6, tf.sigmoid, tf.tanh, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.softsign, tf.abs, tf.negative, tf.square, tf.exp, tf.floor, tf.math.ceil,
                   tf.round, tf.sign, tf.math.erf, tf.identity, tf.sin, tf.cos, tf.atan, tf.nn.swish, tf.nn.leaky_relu, tf.zeros_like, tf.ones_like, tf.math.expm1])
    return op, [g.pick()]


@step()
def of_positive(g):
    op = g.choice([tf.sqrt, tf.math.log, tf.math.rsqrt, tf.math.reciprocal, tf.math.log1p])
    return lambda x: op(tf.abs(x) + 0.5), [g.pick()]


@step(4)
def binary(g):
    x = g.pick(("float32", "int32", "int64"))
    pair = [x, g.like(x)]
    if g.chance(0.4):
        pair.reverse()
    return g.choice([raw.AddV2, raw.Sub, raw.Mul, raw.Maximum, raw.Minimum, raw.SquaredDifference]), pair, ("x", "y")


@step()
def division(g):
    x = g.pick(("float32", "int32"))
    y = g.given((g.draw(x.shape[int(g.rng.integers(x.rank + 1)):], x.type, 1, 4) * g.choice([1, -1])).astype(x.type))
    return g.choice([tf.math.floordiv, tf.math.floormod] + ([tf.realdiv, tf.math.divide_no_nan] if x.type == "float32" else [tf.truncatediv])), [x, y]


@step()
def choose(g):
    x = g.pick(("float32", "int32"))
    compare = g.choice([tf.less, tf.greater, tf.less_equal, tf.greater_equal, tf.equal, tf.not_equal])
    turned = g.chance(0.3)

    def apply(a, b, c):
        condition = compare(a, b)
        return tf.where(tf.logical_not(condition) if turned else condition, a, c)
    return apply, [x, g.like(x), g.like(x)]


@step()
def cast(g):
    to = g.choice([tf.float32, tf.int32, tf.int64])
    return lambda x: tf.cast(x, to), [g.pick(("float32", "int32", "int64", "bool"))]


@step(2)
def product(g):
    x = g.pick(("float32",), (2, 3, 4), lambda v: v.data.size > 0)
    turned, other = g.chance(0.3), g.chance(0.4)
    k, n = x.shape[-2 if turned else -1], g.choice([1, 2, 4])
    batch = x.shape[:-2] if g.chance(0.5) else ()
    y = g.given(g.draw((*batch, *((n, k) if other else (k, n))), "float32", -1, 1))
    return lambda a, b: tf.matmul(a, b, transpose_a=turned, transpose_b=other), [x, y]


@step()
def einsum(g):
    x = g.pick(("float32",), (2, 3), lambda v: v.data.size > 0)
    equation = g.choice(["ij,jk->ik", "ij,jk->ki"] if x.rank == 2 else ["bij,jk->bik", "bij,jk->kib", "bij,jk->bk"])
    return lambda a, b: tf.einsum(equation, a, b), [x, g.given(g.draw((x.shape[-1], 3), "float32", -1, 1))]


@step(3)
def convolution(g):
    x = channels_last(g)
    kind = g.choice(["plain", "plain", "depthwise", "transposed"])
    kernel, channels, padding = [g.choice([1, 2, 3]) for _ in range(2)], x.shape[-1], g.choice(["SAME", "VALID"])
    stride = [1, 1, 1, 1] if g.chance(0.5) else [1, 2, 2, 1]
    if kind == "depthwise":
        w = g.given(g.draw((*kernel, channels, g.choice([1, 2])), "float32", -1, 1))
        return lambda a, b: tf.nn.depthwise_conv2d(a, b, stride, padding), [x, w]
    if kind == "transposed":
        count = g.choice([1, 2])
        size = [x.shape[0], *(n * s if padding == "SAME" else (n - 1) * s + k for n, s, k in zip(x.shape[1:3], stride[1:3], kernel)), count]
        return lambda a, b: tf.nn.conv2d_transpose(a, b, size, stride, padding), [x, g.given(g.draw((*kernel, count, channels), "float32", -1, 1))]
    dilations = [1, 2, 2, 1] if stride[1] == 1 and g.chance(0.3) else [1, 1, 1, 1]
    if g.chance(0.2):
        padding = [[0, 0], *([int(n) for n in g.rng.integers(0, 2, 2)] for _ in range(2)), [0, 0]]
    w = g.given(g.draw((*kernel, channels, g.choice([1, 2, 3])), "float32", -1, 1))
    bias = g.chance(0.4)
    shift = g.draw((w.shape[-1],))
    return lambda a, b: tf.nn.bias_add(tf.nn.conv2d(a, b, stride, padding, dilations=dilations), shift) if bias else tf.nn.conv2d(a, b, stride, padding, dilations=dilations), [x, w]


@step()
def pool(g):
    op, size, stride, padding = g.choice([tf.nn.max_pool2d, tf.nn.avg_pool2d]), g.choice([1, 2, 3]), g.choice([1, 2]), g.choice(["SAME", "VALID"])
    return lambda x: op(x, size, stride, padding), [channels_last(g)]


@step()
def normalise(g):
    x = channels_last(g)
    count = x.shape[-1]
    scale, shift, mean, variance = (g.draw((count,), "float32", *limits) for limits in ((0.5, 1.5), (-1, 1), (-1, 1), (0.2, 1)))
    kind = g.choice(["batch", "l2", "lrn", "moments"])
    if kind == "batch":
        return lambda a: raw.FusedBatchNormV3(x=a, scale=scale, offset=shift, mean=mean, variance=variance, is_training=False).y, [x]
    if kind == "l2":
        axis = g.choice([-1, 1, [1, 2]])
        return lambda a: tf.nn.l2_normalize(a, axis), [x]
    if kind == "lrn":
        return lambda a: tf.nn.lrn(a, 1, 1.0, 0.1, 0.75), [x]

    def layer_norm(a):
        centre, spread = tf.nn.moments(a, [-1], keepdims=True)
        return tf.nn.batch_normalization(a, centre, spread, shift, scale, 1e-3)
    return layer_norm, [x]


@step(2)
def move(g):
    x = g.pick(("float32", "int32"), (1, 2, 3, 4), lambda v: v.data.size > 0)
    kind = g.choice(["transpose", "reshape", "by_shape", "expand", "squeeze", "reverse", "tile", "broadcast", "flatten"])
    if kind == "transpose":
        order = [int(n) for n in g.rng.permutation(x.rank)]
        return lambda a: tf.transpose(a, order), [x]
    if kind == "reshape":
        sizes = [int(n) for n in g.rng.permutation([*x.shape, 1])]
        sizes[int(g.rng.integers(len(sizes)))] = -1
        return tf.reshape, [x, g.given(np.asarray(sizes, np.int32))]
    if kind == "by_shape":
        return lambda a: tf.reshape(a, tf.stack([tf.shape(a)[0], -1])), [x]
    if kind == "flatten":
        return lambda a: tf.reshape(a, [-1]), [x]
    if kind == "expand":
        axis = int(g.rng.integers(-x.rank - 1, x.rank + 1))
        return lambda a: tf.expand_dims(a, axis), [x]
    if kind == "squeeze":
        ones = [axis for axis, size in enumerate(x.shape) if size == 1]
        if not ones:
            raise Impossible
        axes = [g.choice(ones)]
        return lambda a: tf.squeeze(a, axes), [x]
    if kind == "reverse":
        axes = [g.axis(x)]
        return lambda a: tf.reverse(a, axes), [x]
    if kind == "tile":
        return tf.tile, [x, g.given(g.draw((x.rank,), "int32", 1, 2))]
    return tf.broadcast_to, [x, g.given(np.asarray([2, *x.shape], np.int32))]


@step()
def pad(g):
    x = g.pick(("float32",), (1, 2, 3, 4), lambda v: v.data.size > 0)
    mode = g.choice(["CONSTANT", "CONSTANT", "REFLECT", "SYMMETRIC"])
    most = 2 if mode == "CONSTANT" else min(2, min(x.shape) - 1)
    return lambda a, p: tf.pad(a, p, mode, 0.5) if mode == "CONSTANT" else tf.pad(a, p, mode), [x, g.given(g.draw((x.rank, 2), "int32", 0, max(0, most)))]


@step(2)
def parts(g):
    x = g.pick(("float32", "int32"), (1, 2, 3, 4), lambda v: v.data.size > 0)
    kind, axis = g.choice(["strided", "slice", "gather", "gather_nd", "split", "unstack", "batch"]), g.axis(x, False)
    size = x.shape[axis]
    if kind == "strided":
        begin, end = ([int(g.rng.integers(n + 1)) for n in x.shape] for _ in range(2))
        strides = [g.choice([1, 1, 2, -1]) for _ in x.shape]
        masks = {name: int(g.rng.integers(2 ** x.rank)) for name in ("begin_mask", "end_mask")}
        if g.chance(0.3):
            masks["shrink_axis_mask"] = 1
            begin[0], strides[0] = min(begin[0], x.shape[0] - 1), 1
        elif g.chance(0.2):
            masks["new_axis_mask"] = 1
        return lambda a: tf.strided_slice(a, begin, end, strides, **masks), [x]
    if kind == "slice":
        begin = [int(g.rng.integers(n)) for n in x.shape]
        sizes = [g.choice([-1, n - b]) if g.chance(0.5) else 1 for n, b in zip(x.shape, begin)]
        return tf.slice, [x, g.given(np.asarray(begin, np.int32)), g.constant(np.asarray(sizes, np.int32))]
    if kind == "gather":
        return lambda a, i: tf.gather(a, i, axis=axis), [x, g.given(g.draw(g.choice([(), (3,), (2, 2)]), "int32", 0, size - 1))]
    if kind == "batch" and x.rank >= 2:
        return lambda a, i: tf.gather(a, i, axis=1, batch_dims=1), [x, g.given(g.draw((x.shape[0], 2), "int32", 0, x.shape[1] - 1))]
    if kind == "gather_nd":
        last = int(g.rng.integers(1, x.rank + 1))
        return tf.gather_nd, [x, g.given(np.stack([g.draw((3,), "int32", 0, n - 1) for n in x.shape[:last]], -1))]
    if kind == "split" and size > 1:
        first = int(g.rng.integers(1, size))
        return lambda a: tf.split(a, [first, size - first], axis), [x]
    if kind == "unstack" and size <= 4:
        return lambda a: tf.unstack(a, size, axis), [x]
    raise Impossible


@step()
def join(g):
    x = g.pick(("float32", "int32"), (1, 2, 3, 4))
    same = [v for v in g.values if v.type == x.type and v.shape == x.shape]
    several = [g.choice(same) for _ in range(g.choice([1, 2, 3]))] + [g.given(g.draw(x.shape, x.type))]
    axis = g.axis(x)
    op = g.choice([tf.concat, tf.stack])
    return lambda *all: op(list(all), axis), several


@step(2)
def reduce(g):
    x = g.pick(("float32", "int32"), (1, 2, 3, 4), lambda v: v.data.size > 0)
    op = g.choice([tf.reduce_sum, tf.reduce_max, tf.reduce_min] + ([tf.reduce_mean, tf.reduce_prod, tf.reduce_logsumexp, tf.math.reduce_euclidean_norm] if x.type == "float32" else []))
    axes, keep = (None if g.chance(0.1) else sorted({g.axis(x, False) for _ in range(g.choice([1, 1, 2]))})), g.chance(0.5)
    return lambda a: op(a, axes, keep), [x]


@step()
def places(g):
    x = g.pick(("float32",), (1, 2, 3), lambda v: v.data.size > 0)
    kind, axis = g.choice(["arg", "top", "cumsum", "softmax", "one_hot", "where", "mask"]), g.axis(x, False)
    if kind == "arg":
        op = g.choice([tf.argmax, tf.argmin])
        return lambda a: op(a, axis), [x]
    if kind == "top":
        k = int(g.rng.integers(1, x.shape[-1] + 1))
        return lambda a: list(tf.math.top_k(a, k)), [x]
    if kind == "cumsum":
        exclusive, back = g.chance(0.4), g.chance(0.4)
        return lambda a: tf.cumsum(a, axis, exclusive, back), [x]
    if kind == "softmax":
        op = g.choice([tf.nn.softmax, tf.nn.log_softmax])
        return op, [x]
    if kind == "one_hot":
        where = g.choice([-1, 0])
        return lambda i: tf.one_hot(i, 4, 2.0, 0.5, axis=where), [g.given(g.draw(g.choice([(3,), (2, 2)]), "int32", -1, 4))]
    if kind == "where":
        return lambda a: tf.where(a > 0), [x]
    lengths = g.given(g.draw((x.shape[0],), "int32", 0, x.shape[-1]))
    return lambda a, n: tf.where(tf.reshape(tf.sequence_mask(n, tf.shape(a)[-1]), [x.shape[0], *[1] * (x.rank - 2), x.shape[-1]]) if x.rank > 1 else a > 0, a, tf.fill(tf.shape(a), -9.0)), [x, lengths]


@step()
def resize(g):
    x, size = channels_last(g), [int(n) for n in g.rng.integers(1, 9, 2)]
    op, where = g.choice([raw.ResizeBilinear, raw.ResizeNearestNeighbor]), g.choice([{}, {"align_corners": True}, {"half_pixel_centers": True}])
    return lambda a: op(images=a, size=size, **where), [x]


@step()
def blocks(g):
    kind = g.choice(["space_to_depth", "depth_to_space", "space_to_batch", "reverse_sequence", "patches", "quantise"])
    if kind == "space_to_depth":
        return lambda a: tf.nn.space_to_depth(a, 2), [g.input((1, 4, 2, 3))]
    if kind == "depth_to_space":
        return lambda a: tf.nn.depth_to_space(a, 2), [g.input((1, 2, 3, 4))]
    if kind == "space_to_batch":
        return lambda a: tf.batch_to_space(tf.nn.relu(tf.space_to_batch(a, [2, 2], [[0, 0], [1, 1]])), [2, 2], [[0, 0], [1, 1]]), [g.input((1, 4, 2, 3))]
    if kind == "reverse_sequence":
        x = g.pick(("float32",), (2, 3), lambda v: min(v.shape) > 0)
        return lambda a, n: tf.reverse_sequence(a, n, seq_axis=1, batch_axis=0), [x, g.given(g.draw((x.shape[0],), "int32", 1, x.shape[1]))]
    if kind == "quantise":
        low, high = g.choice([(-1.0, 1.0), (0.0, 2.0), (-2.0, 0.5)])
        narrow = g.chance(0.3)
        return lambda a: tf.quantization.fake_quant_with_min_max_args(a, low, high, 8, narrow), [g.pick()]
    return lambda a: tf.image.extract_patches(a, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), [g.input((1, 4, 4, 2))]


def inside(g, count):
    """A function of one tensor that keeps shape and type, for bodies."""
    ops = [g.choice([tf.nn.relu, tf.negative, tf.tanh, lambda x: x * 0.5, lambda x: x + 0.25, lambda x: 1.0 - x]) for _ in range(count)]

    def apply(x):
        for op in ops:
            x = op(x)
        return x
    return apply


@step(2)
def loop(g):
    x, times, body = g.pick(("float32",)), g.given(np.asarray(int(g.rng.integers(0, 4)), np.int32)), inside(g, g.choice([1, 2]))
    by_value = g.chance(0.3)

    def apply(a, n):
        go_on = (lambda i, v: tf.logical_and(i < n, tf.reduce_sum(v) < 1e3)) if by_value else (lambda i, v: i < n)
        return tf.while_loop(go_on, lambda i, v: (i + 1, body(v)), (tf.constant(0), a))[1]
    return apply, [x, times]


@step()
def branch(g):
    x, flag, yes, no = g.pick(("float32",)), g.given(np.asarray(g.chance(0.5))), inside(g, 2), inside(g, 1)
    return lambda a, c: tf.cond(c, lambda: yes(a), lambda: no(a)), [x, flag]


@step()
def list_of_steps(g):
    """A TensorArray that a loop fills, as recurrent layers do."""
    x, body, back = g.pick(("float32",), (2, 3), lambda v: min(v.shape) > 0), inside(g, 1), g.chance(0.3)
    start = g.given(g.draw(x.shape[1:]))
    return lambda a, s: tf.scan(lambda carried, part: body(carried + part), a, s, reverse=back), [x, start]


@step()
def gated(g):
    """An LSTM of the framework's block, or the gates of one step."""
    x, hidden = g.pick(("float32",), (2,), lambda v: min(v.shape) > 0), 2
    w, b = g.draw((x.shape[1] + hidden, 4 * hidden), "float32", -1, 1), g.draw((4 * hidden,), "float32", -1, 1)
    state, cell = (g.given(g.draw((x.shape[0], hidden))) for _ in range(2))

    def apply(a, h, c):
        i, j, f, o = tf.split(tf.concat([a, h], 1) @ w + b, 4, 1)
        c = c * tf.sigmoid(f + 1) + tf.sigmoid(i) * tf.tanh(j)
        return [tf.tanh(c) * tf.sigmoid(o), c]
    return apply, [x, state, cell]
