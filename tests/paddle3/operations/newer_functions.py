"""Functions that make operations of PaddlePaddle 3 of their own."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from values import fed

family = Family(__name__)
graph = family.graph
NUMBERS = {"dtype": np.int32, "low": 1, "high": 60}


def of_one(name, function, x, unknown=()):
    @graph(name, unknown)
    def build(b):
        found = function(b.fed("x", x))
        return list(found) if isinstance(found, (list, tuple)) else [found]


def of_two(name, function, x, y, unknown=()):
    @graph(name, unknown)
    def build(b):
        first, second = b.fed("x", x), b.fed("y", y)
        return [function(first, second)]


X = fed(2, 3, 4)
of_one("sum_of_axes", lambda x: paddle.sum(x, [0, 2]), X, (1,))
of_one("sum_as_integers", lambda x: paddle.sum(x > 0, dtype="int32"), X)
of_one("mean_of_all", lambda x: paddle.mean(x), X, (0,))
of_one("std", lambda x: paddle.std(x, axis=1), X, (1,))
of_one("var_of_all", lambda x: paddle.var(x, unbiased=False), X)
of_one("signs_and_logarithms", lambda x: paddle.linalg.slogdet(x), fed(2, 3, 3))  # slogdet_v2
of_one("to_decimals", lambda x: [paddle.round(x * 100, 1), paddle.round(x * 100, -1)], X)
of_one("nansum", lambda x: paddle.nansum(paddle.log(x), axis=1), X)
of_one("masked_fill", lambda x: paddle.masked_fill(x, x > 0.3, 2.0), X, (0,))
of_one("full_like", lambda x: paddle.full_like(x, 2.5), X, (0,))
of_one("ones_like", lambda x: paddle.ones_like(x, dtype="int64"), X, (0,))
of_one("triangles", lambda x: [paddle.tril(x, 1), paddle.triu(x)], X)
of_one("shape_of", lambda x: paddle.shape(x), X, (0, 2))
of_one("size_of", lambda x: paddle.numel(x), X, (0, 2))
of_one("reshaped_by_its_sizes", lambda x: paddle.reshape(x, [paddle.shape(x)[0], -1, 2]), X, (0,))
of_one("tiled_by_its_sizes", lambda x: paddle.tile(x, [paddle.shape(x)[1], 1, 1]), X, (1,))
of_one("expanded_by_its_sizes", lambda x: paddle.expand(x[:1], [paddle.shape(x)[0], 3, 4]), X, (0,))
of_one("part_by_its_sizes", lambda x: x[:, paddle.shape(x)[1] - 2:], X, (1,))
of_one("steps_by_its_sizes", lambda x: paddle.arange(0, paddle.shape(x)[1], dtype="float32"), X, (1,))
of_one("zeros_by_its_sizes", lambda x: paddle.zeros([paddle.shape(x)[0], 2]), X, (0,))
of_one("steps", lambda x: x[0, 0] + paddle.arange(0.5, 4.5, 1.0), X)
of_one("parts", lambda x: paddle.split(x, [1, -1], axis=2), X, (0,))
of_one("equal_parts", lambda x: paddle.split(x, 2, axis=-1), X, (0,))
of_one("unbound", lambda x: paddle.unbind(x, 1), X, (0,))
of_one("largest", lambda x: paddle.topk(x, 2, axis=1), X, (0,))
of_one("max_and_where", lambda x: [paddle.max(x, 1), paddle.argmax(x, 1)], X, (0,))
of_one("written_part", lambda x: paddle.assign(x).scale(2.0).flip([1]), X)
of_one("padded", lambda x: f.pad(x, [1, 2], mode="constant", value=0.5, data_format="NCL"), X, (2,))
of_one("padded_picture", lambda x: f.pad(x, [1, 2, 0, 1], mode="reflect"), fed(1, 2, 4, 4), (2, 3))
of_one("resized", lambda x: f.interpolate(x, scale_factor=1.5, mode="bilinear"), fed(1, 2, 4, 6), (2, 3))
of_one("resized_to_its_double", lambda x: f.interpolate(x, size=[paddle.shape(x)[2] * 2, 7], mode="nearest"), fed(1, 2, 4, 6), (2,))
of_one("resized_by_cubes", lambda x: f.interpolate(x, size=[7, 5], mode="bicubic"), fed(1, 2, 4, 6))
of_one("resized_in_one_dimension", lambda x: f.interpolate(x, size=[9], mode="linear", align_corners=True, data_format="NCW"), fed(1, 2, 4))
of_one("resized_in_three_dimensions", lambda x: f.interpolate(x, scale_factor=2, mode="trilinear", data_format="NCDHW"), fed(1, 2, 2, 3, 4), (0,))
of_one("at_a_place_in_order", lambda x: paddle.kthvalue(x, 2, axis=1), X)
of_one("most_frequent", lambda x: paddle.mode(x, axis=1), fed(2, 5, dtype=np.int64, low=0, high=2))
ENDS = (1, 0, -1, -3, -6, -2 ** 31)
of_one("backwards_to_ends", lambda x: [paddle.strided_slice(x, [1], [2 ** 31 - 1], [end], [-1]) for end in ENDS if end != -1], fed(2, 4))
of_one("written_backwards_to_ends", lambda x: [x[:, 3:0:-1] + 1, *(paddle._C_ops.set_value(x, [3], [end], [-1], [1], [], [], [1], [7.0]) for end in ENDS)], fed(2, 4))
of_one("pooled", lambda x: [f.max_pool2d(x, 3, 2, 1), f.avg_pool2d(x, 2), f.adaptive_avg_pool2d(x, [2, 1])], fed(1, 2, 7, 5), (0,))
of_one("max_pooled_with_places", lambda x: f.max_pool2d(x, 2, 2, return_mask=True), fed(1, 2, 6, 4))
of_one("normalised_lengths", lambda x: f.normalize(x, axis=1), X, (0,))
of_one("norms", lambda x: [paddle.norm(x, axis=1), paddle.norm(x), paddle.norm(x, p=1, axis=2)], X)
of_one("activations", lambda x: [f.leaky_relu(x), f.gelu(x, approximate=True), f.softplus(x, 2.0, 3.0), f.hardswish(x), f.mish(x), f.elu(x), f.hardtanh(x), f.softshrink(x), f.celu(x)], X)
of_one("powers", lambda x: [paddle.pow(paddle.abs(x), 1.5), x ** 2, paddle.rsqrt(x * x + 1)], X)
of_one("clipped", lambda x: paddle.clip(x, -0.5, 0.25), X, (0,))
of_one("summed_up", lambda x: [paddle.cumsum(x, 1), paddle.cumsum(x), paddle.cumprod(x, 1)], X)
of_one("sorted", lambda x: [paddle.sort(x, 1), paddle.argsort(x, 1, descending=True)], X)
of_one("one_hot", lambda x: f.one_hot(x, 70), fed(2, 3, **NUMBERS))
of_one("as_other_types", lambda x: [paddle.cast(x, "int64"), paddle.cast(x * 100, "uint8")], fed(2, 3, low=0.0))
of_one("dropped", lambda x: [f.dropout(x, 0.3, training=False), f.dropout(x, 0.3, training=False, mode="downscale_in_infer")], X)
of_one("rolled", lambda x: paddle.roll(x, [1, -2], [0, 2]), X)
of_one("repeated", lambda x: paddle.repeat_interleave(x, 2, axis=1), X, (0,))
of_one("where_not_zero", lambda x: paddle.nonzero(x > 0.1), X)
of_one("unique", lambda x: paddle.unique(x), fed(6, dtype=np.int64, low=0, high=3))
of_one("diagonals", lambda x: [paddle.diagonal(x, axis1=1, axis2=2), paddle.diag_embed(x[0])], X)
of_one("einsum", lambda x: paddle.einsum("bij,bkj->bik", x, x), X, (0,))
of_two("in_steps_of_bits", lambda x, y: paddle.bitwise_left_shift(x, y), fed(2, 3, **NUMBERS), fed(2, 3, dtype=np.int32, low=0, high=4))
of_two("in_steps_of_bits_back", lambda x, y: paddle.bitwise_right_shift(x, y), fed(2, 3, dtype=np.int32, low=-60, high=60), fed(2, 3, dtype=np.int32, low=0, high=4))
of_two("with_signs", lambda x, y: paddle.copysign(x, y), X, X)
of_two("divided_down", lambda x, y: paddle.floor_divide(x, y), fed(2, 3, dtype=np.int32, low=-20, high=20), fed(2, 3, **NUMBERS))
of_two("rest", lambda x, y: paddle.remainder(x, y), fed(2, 3, dtype=np.int32, low=-20, high=20), fed(2, 3, **NUMBERS))
of_two("matrices", lambda x, y: paddle.matmul(x, y, transpose_y=True), X, fed(5, 4), (0,))
of_two("gathered", lambda x, y: paddle.gather(x, y, axis=1), X, fed(values=[2, 0, 2], dtype=np.int64), (0,))
of_two("gathered_by_places", lambda x, y: paddle.gather_nd(x, y), X, fed(values=[[1, 2], [0, 0]], dtype=np.int64))
of_two("along_an_axis", lambda x, y: paddle.take_along_axis(x, y, axis=2), X, fed(2, 3, 2, dtype=np.int64, low=0, high=3))
of_two("put_along_an_axis", lambda x, y: paddle.put_along_axis(x, y, 3.0, axis=1), X, fed(2, 1, 4, dtype=np.int64, low=0, high=2))
of_two("scattered", lambda x, y: paddle.scatter(x, y, x[:2] * 3, overwrite=True), fed(4, 3), fed(values=[3, 1], dtype=np.int64))
of_two("chosen_by_index", lambda x, y: x[y], fed(4, 3), fed(values=[3, 1, 1], dtype=np.int64))
of_two("chosen_by_mask", lambda x, y: x[y > 0], fed(4, 3), fed(4, 3))
of_two("sampled", lambda x, y: f.grid_sample(x, y, align_corners=False), fed(1, 2, 5, 6), fed(1, 3, 4, 2))
of_two("as_large", lambda x, y: paddle.expand_as(x, y), fed(1, 3, 1), X, {"y": (0,)})
of_two("chosen", lambda x, y: paddle.where(x > 0, x, y), X, X, (0,))
of_two("stacked", lambda x, y: paddle.stack([x, y], 1), X, X)
of_two("joined", lambda x, y: paddle.concat([x, y, x], 2), X, X, {"x": (0,), "y": (0,)})
of_two("places_in_order", lambda x, y: paddle.searchsorted(paddle.sort(x), y), fed(6), fed(4))


@graph("gated")
def gated(b):
    """swiglu of two tensors, and of the halves of one."""
    from paddle.incubate.nn.functional import swiglu
    x, y = b.fed("x", fed(2, 3, 8)), b.fed("y", fed(2, 3, 8))
    return [swiglu(x, y), swiglu(x)]


@graph("added_product")
def added_product(b):
    return [paddle.addmm(b.fed("input", fed(2, 4)), b.fed("x", fed(2, 3)), b.fed("y", fed(3, 4)), alpha=2.0, beta=0.5)]


@graph("added_products")
def added_products(b):
    return [paddle.baddbmm(b.fed("input", fed(2, 3, 5)), b.fed("x", X), b.fed("y", fed(2, 4, 5)), alpha=2.0, beta=0.5)]


@graph("attention", unknown={"q": (0,), "k": (0,), "v": (0,)})
def attention(b):
    """What exports have where flash attention is not to be had."""
    q, k, v = (b.fed(name, fed(2, 5, 4, 8)) for name in "qkv")
    return [f.scaled_dot_product_attention(q, k, v, training=False), f.scaled_dot_product_attention(q, k, v, is_causal=True, training=False)]


@graph("attention_with_a_mask")
def attention_with_a_mask(b):
    q, k, v, mask = *(b.fed(name, fed(2, 5, 4, 8)) for name in "qkv"), b.fed("mask", fed(2, 1, 5, 5))
    return [f.scaled_dot_product_attention(q, k, v, mask, training=False)]


@graph("flash_attention")
def flash_attention(b):
    q, k, v = (b.fed(name, fed(2, 5, 4, 8)) for name in "qkv")
    return [f.flash_attention.flash_attention(q, k, v, training=False)[0]]


@graph("norms_of_layers", unknown=(0,))
def norms_of_layers(b):
    x = b.fed("x", fed(2, 4, 6, 6))
    return [nn.BatchNorm2D(4)(x), nn.InstanceNorm2D(4)(x), nn.GroupNorm(2, 4)(x), nn.LayerNorm([6, 6])(x)]


@graph("convolutions", unknown=(0,))
def convolutions(b):
    x = b.fed("x", fed(1, 4, 9, 9))
    return [nn.Conv2D(4, 6, 3, 2, 1)(x), nn.Conv2D(4, 4, 3, padding="SAME", groups=4)(x), nn.Conv2DTranspose(4, 3, 3, 2, 1, output_padding=1)(x), nn.Conv2D(4, 2, 3, dilation=2)(x)]


@graph("convolutions_in_one_and_three_dimensions")
def other_convolutions(b):
    return [nn.Conv1D(3, 4, 3)(b.fed("x", fed(1, 3, 8))), nn.Conv3D(2, 3, 2)(b.fed("y", fed(1, 2, 4, 4, 4))), nn.Conv3DTranspose(2, 3, 2, 2)(b.fed("z", fed(1, 2, 3, 3, 3)))]


@graph("dense", unknown=(0,))
def dense(b):
    return [nn.Linear(4, 5)(b.fed("x", X))]


@graph("embedded", unknown=(0,))
def embedded(b):
    return [nn.Embedding(10, 4, padding_idx=2)(b.fed("x", fed(2, 3, dtype=np.int64, low=0, high=9)))]


@graph("recurrent_of_lengths")
def recurrent_of_lengths(b):
    x, lengths = b.fed("x", fed(2, 5, 4)), b.fed("lengths", fed(values=[5, 3], dtype=np.int32))
    return list(nn.LSTM(4, 6)(x, sequence_length=lengths)[1])


@graph("deconvolution_to_a_size", unknown={"x": (2,)})
def deconvolution_to_a_size(b):
    x = b.fed("x", fed(1, 2, 4, 4))
    return [f.conv2d_transpose(x, b.fixed(fed(2, 3, 3, 3)), stride=2, output_size=[9, 10]), f.conv2d_transpose(x, b.fixed(fed(2, 3, 3, 3)), stride=2, output_size=[paddle.shape(x)[2] * 2 + 1, 9])]


@graph("recurrent", unknown=(0, 1))
def recurrent(b):
    x = b.fed("x", fed(2, 5, 4))
    return [nn.LSTM(4, 6, direction="bidirect")(x)[0], nn.GRU(4, 6, num_layers=2)(x)[0], nn.SimpleRNN(4, 3)(x)[1]]


class Written(nn.Layer):
    """Parts of a tensor are written."""

    def forward(self, x, y):
        z = paddle.zeros([x.shape[0], 5, 4])
        z[:, 1:3] = x[:, :2]
        z[:, 4] = 2.5
        z[0] = y
        return z


class Steps(nn.Layer):
    """A list that grows in a loop."""

    def forward(self, x, n):
        found = []
        for i in range(n):
            x = x * 1.5 - 0.1
            found.append(x.sum(axis=1))
        return paddle.stack(found), x


class Deep(nn.Layer):
    """Branches in a loop in a branch, with values of outer blocks."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, n):
        y = x * 2
        if n > 1:
            i = paddle.zeros([], "int64")
            while i < n:
                if y.mean() > 0:
                    y = self.linear(y) - x
                else:
                    y = y + i.astype("float32")
                i += 1
        else:
            y = x - 1
        return y


N = fed(values=[3], dtype=np.int64)
family.traced("written_into", x=fed(2, 3, 4), y=fed(5, 4))(Written)
family.traced("grown", x=fed(2, 4), n=N)(Steps)
family.traced("deep_in_blocks", (0,), x=fed(2, 4), n=N, more={"more": {"n": np.int64([1])}})(Deep)
