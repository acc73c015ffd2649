"""Transformers for pictures: pieces of them, windows, points that are looked at."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from values import fed

family = Family(__name__)
graph = family.graph


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
