"""Transformers: for words, for pictures, with windows, with masks, decoders, and what stands beside attention in newer ones."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from values import fed

family = Family(__name__)
graph = family.graph


@graph("encoder", unknown=(0, 1))
def encoder(b):
    return [nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, activation="gelu"), 2)(b.fed("x", fed(2, 5, 16)))]


@graph("encoder_normalises_first")
def before(b):
    return [nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, normalize_before=True), 2, nn.LayerNorm(16))(b.fed("x", fed(2, 5, 16)))]


@graph("encoder_and_decoder", unknown={"x": (0, 1), "y": (0, 1)})
def both(b):
    return [nn.Transformer(16, 4, 1, 1, 32)(b.fed("x", fed(2, 5, 16)), b.fed("y", fed(2, 4, 16)))]


@graph("words", unknown={"words": (0, 1)})
def words(b):
    """As BERT is: words, their places, kinds; padding is not seen; the first word says what it is about."""
    ids = b.fed("words", fed(2, 6, dtype=np.int64, low=0, high=19))
    places = paddle.cumsum(paddle.ones_like(ids), axis=1) - 1
    vectors = nn.LayerNorm(16)(nn.Embedding(20, 16, padding_idx=0)(ids) + nn.Embedding(12, 16)(places) + nn.Embedding(2, 16)(paddle.zeros_like(ids)))
    mask = paddle.unsqueeze(paddle.cast(ids == 0, "float32") * -1e4, [1, 2])
    found = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, activation="gelu"), 2)(vectors, mask)
    return [found, paddle.tanh(nn.Linear(16, 16)(found[:, 0]))]


@graph("causal", unknown=(0, 1))
def causal(b):
    """Each word sees those before it."""
    ids = b.fed("words", fed(2, 6, dtype=np.int64, low=0, high=19))
    vectors = nn.Embedding(20, 16)(ids)
    size = paddle.shape(ids)[1]
    mask = paddle.tensor.triu(paddle.full([size, size], -1e4), 1)
    found = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, normalize_before=True), 1)(vectors, mask)
    return [nn.Linear(16, 20)(found)]


def root_norm(x, weight):
    return x * paddle.rsqrt(paddle.mean(x * x, axis=-1, keepdim=True) + 1e-6) * weight


def turned(x, sin, cos):
    """Rotary positions."""
    first, second = paddle.split(x, 2, axis=-1)
    return x * cos + paddle.concat([-second, first], axis=-1) * sin


@graph("rotary", unknown=(0,))
def rotary(b):
    """As LLaMA is: root mean squares, rotary positions, gated layers."""
    x = b.fed("x", fed(2, 5, 16))
    weight = b.paddle.static.create_parameter([16], "float32", name="norm.w_0")
    angles = np.arange(5)[:, None] / 10 ** np.arange(4)
    angles = np.concatenate([angles, angles], -1).astype(np.float32)
    made = root_norm(x, weight)
    q, k, v = [paddle.transpose(paddle.reshape(nn.Linear(16, 16, bias_attr=False)(made), [0, 0, 2, 8]), [0, 2, 1, 3]) for _ in range(3)]
    sin, cos = b.constant(np.sin(angles)), b.constant(np.cos(angles))
    q, k = turned(q, sin, cos), turned(k, sin, cos)
    found = paddle.matmul(f.softmax(paddle.matmul(q, k, transpose_y=True) / 8 ** 0.5), v)
    x = x + nn.Linear(16, 16, bias_attr=False)(paddle.reshape(paddle.transpose(found, [0, 2, 1, 3]), [0, 0, 16]))
    made = root_norm(x, weight)
    return [x + nn.Linear(32, 16, bias_attr=False)(f.silu(nn.Linear(16, 32, bias_attr=False)(made)) * nn.Linear(16, 32, bias_attr=False)(made))]


class Attention(nn.Layer):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.size, self.qkv, self.out = heads, size, nn.Linear(size, size * 3), nn.Linear(size, size)

    def forward(self, x, bias=None):
        qkv = paddle.transpose(paddle.reshape(self.qkv(x), [0, x.shape[1], 3, self.heads, self.size // self.heads]), [2, 0, 3, 1, 4])
        q, k, v = qkv[0] * (self.size // self.heads) ** -0.5, qkv[1], qkv[2]
        weights = paddle.matmul(q, paddle.transpose(k, [0, 1, 3, 2]))
        found = paddle.matmul(f.softmax(weights if bias is None else weights + bias), v)
        return self.out(paddle.reshape(paddle.transpose(found, [0, 2, 1, 3]), [0, x.shape[1], self.size]))


class Block(nn.Layer):
    def __init__(self, size, heads):
        super().__init__()
        self.first, self.second, self.attention = nn.LayerNorm(size, epsilon=1e-6), nn.LayerNorm(size, epsilon=1e-6), Attention(size, heads)
        self.layers = nn.Sequential(nn.Linear(size, size * 2), nn.GELU(), nn.Dropout(0.1), nn.Linear(size * 2, size))

    def forward(self, x, bias=None):
        x = x + self.attention(self.first(x), bias)
        return x + self.layers(self.second(x))


@graph("ViT", unknown=(0,), picture=True)
def vit(b):
    x = nn.Conv2D(3, 24, 8, stride=8)(b.fed("x", fed(1, 3, 32, 32)))
    x = paddle.transpose(paddle.flatten(x, 2), [0, 2, 1])
    first = paddle.expand(b.paddle.static.create_parameter([1, 1, 24], "float32", name="class.w_0"), [paddle.shape(x)[0], -1, -1])
    x = paddle.concat([first, x], axis=1) + b.paddle.static.create_parameter([1, 17, 24], "float32", name="places.w_0")
    for _ in range(2):
        x = Block(24, 4)(x)
    return [nn.Linear(24, 10)(nn.LayerNorm(24)(x)[:, 0])]


def windows(x, height, width, size, channels):
    x = paddle.reshape(x, [-1, height // size, size, width // size, size, channels])
    return paddle.reshape(paddle.transpose(x, [0, 1, 3, 2, 4, 5]), [-1, size * size, channels])


def pictures(x, height, width, size, channels):
    x = paddle.reshape(x, [-1, height // size, width // size, size, size, channels])
    return paddle.reshape(paddle.transpose(x, [0, 1, 3, 2, 4, 5]), [-1, height * width, channels])


@graph("Swin", unknown=(0,), picture=True)
def swin(b):
    """Windows, then moved windows, then half as many places with twice as many channels."""
    x = nn.Conv2D(3, 16, 4, stride=4)(b.fed("x", fed(1, 3, 32, 32)))
    x = nn.LayerNorm(16)(paddle.transpose(paddle.flatten(x, 2), [0, 2, 1]))
    table = b.paddle.static.create_parameter([49, 4], "float32", name="table.w_0")
    places = np.stack(np.meshgrid(np.arange(4), np.arange(4), indexing="ij")).reshape(2, -1)
    numbers = ((places[:, :, None] - places[:, None]) + 3).transpose(1, 2, 0) @ np.int64([7, 1])
    bias = paddle.unsqueeze(paddle.transpose(paddle.reshape(paddle.index_select(table, b.constant(numbers.reshape(-1).astype(np.int64))), [16, 16, 4]), [2, 0, 1]), 0)
    for shift in (0, 2):
        block = Block(16, 4)
        made = paddle.reshape(block.first(x), [-1, 8, 8, 16])
        made = paddle.roll(made, [-shift, -shift], [1, 2]) if shift else made
        made = pictures(block.attention(windows(made, 8, 8, 4, 16), bias), 8, 8, 4, 16)
        made = paddle.reshape(paddle.roll(paddle.reshape(made, [-1, 8, 8, 16]), [shift, shift], [1, 2]), [-1, 64, 16]) if shift else made
        x = x + made
        x = x + block.layers(block.second(x))
    x = paddle.reshape(x, [-1, 8, 8, 16])
    x = paddle.concat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
    x = nn.Linear(64, 32, bias_attr=False)(nn.LayerNorm(64)(paddle.reshape(x, [-1, 16, 64])))
    return [nn.Linear(32, 10)(paddle.flatten(nn.AdaptiveAvgPool1D(1)(paddle.transpose(x, [0, 2, 1])), 1))]


@graph("Conformer", unknown=(0, 1))
def conformer(b):
    """As sounds are heard: half a step of layers, attention, a gated convolution over time, half a step."""
    x = b.fed("x", fed(1, 12, 16))

    def layers():
        return nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 32), nn.Swish(), nn.Linear(32, 16))
    x = x + 0.5 * layers()(x)
    made = nn.LayerNorm(16)(x)
    x = x + nn.MultiHeadAttention(16, 4)(made, made, made)
    made = paddle.transpose(nn.LayerNorm(16)(x), [0, 2, 1])
    made = f.glu(nn.Conv1D(16, 32, 1)(made), axis=1)
    made = nn.Conv1D(16, 16, 1)(f.swish(nn.BatchNorm1D(16)(nn.Conv1D(16, 16, 3, padding=1, groups=16)(made))))
    x = x + paddle.transpose(made, [0, 2, 1])
    return [nn.LayerNorm(16)(x + 0.5 * layers()(x))]


@graph("deformable_attention")
def deformable(b):
    """As RT-DETR is: each query looks at points of maps of several sizes."""
    queries, memory, points = b.fed("queries", fed(1, 6, 16)), b.fed("memory", fed(1, 80, 16)), b.fed("points", fed(1, 6, 1, 2, low=0.1, high=0.9))
    value = paddle.reshape(nn.Linear(16, 16)(memory), [1, 80, 2, 8])
    offsets = paddle.reshape(nn.Linear(16, 2 * 2 * 3 * 2)(queries), [1, 6, 2, 2, 3, 2])
    weights = paddle.reshape(f.softmax(paddle.reshape(nn.Linear(16, 2 * 2 * 3)(queries), [1, 6, 2, 6])), [1, 6, 2, 2, 3])
    sizes = b.constant(np.float32([[8, 8], [4, 4]]))
    places = paddle.reshape(points, [1, 6, 1, 1, 1, 2]) + offsets / paddle.reshape(sizes, [1, 1, 1, 2, 1, 2])
    grids, found = 2 * places - 1, []
    for level, (part, side) in enumerate(zip(paddle.split(value, [64, 16], axis=1), (8, 4))):
        maps = paddle.reshape(paddle.transpose(paddle.flatten(part, 2), [0, 2, 1]), [2, 8, side, side])
        grid = paddle.flatten(paddle.transpose(grids[:, :, :, level], [0, 2, 1, 3, 4]), 0, 1)
        found.append(f.grid_sample(maps, grid, mode="bilinear", padding_mode="zeros", align_corners=False))
    weights = paddle.reshape(paddle.transpose(weights, [0, 2, 1, 3, 4]), [2, 1, 6, 6])
    made = paddle.sum(paddle.flatten(paddle.stack(found, -2), -2) * weights, -1)
    return [nn.Linear(16, 16)(paddle.transpose(paddle.reshape(made, [1, 16, 6]), [0, 2, 1]))]
