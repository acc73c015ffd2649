"""Networks that read text in pictures: where it stands, what it says, how it is turned, tables."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from operations.picture_transformers import Block
from values import fed

family = Family(__name__)
graph = family.graph


def layer(inputs, outputs, size=3, stride=1, groups=1, act=f.relu):
    """A convolution, its normalisation and an activation."""
    conv, norm = nn.Conv2D(inputs, outputs, size, stride, size // 2 if isinstance(size, int) else [side // 2 for side in size], groups=groups, bias_attr=False), nn.BatchNorm2D(outputs)
    return lambda x: act(norm(conv(x)))


def squeezed(channels):
    """Squeeze and excitation."""
    small, large = nn.Conv2D(channels, channels // 4, 1), nn.Conv2D(channels // 4, channels, 1)
    return lambda x: x * f.hardsigmoid(large(f.relu(small(f.adaptive_avg_pool2d(x, 1)))), slope=0.2, offset=0.5)


@graph("DB", unknown=(0, 2, 3), picture=True, more={"x": np.random.default_rng(5).uniform(-1, 1, (1, 3, 32, 64)).astype(np.float32)})
def db(b):
    """Where text stands, as PP-OCR finds it: maps of four sizes, brought together, a map of probabilities that is four times as large."""
    x = layer(3, 8, 3, 2, act=f.hardswish)(b.fed("x", fed(1, 3, 64, 96)))
    maps = []
    for inputs, outputs in ((8, 12), (12, 16), (16, 24), (24, 32)):
        x = layer(inputs, outputs, 1, act=f.hardswish)(squeezed(inputs)(layer(inputs, inputs, 3, 2, inputs, f.hardswish)(x)))
        maps.append(x)
    laterals = [nn.Conv2D(one, 16, 1, bias_attr=False)(x) for one, x in zip((12, 16, 24, 32), maps)]
    for at in (2, 1, 0):
        laterals[at] = laterals[at] + f.upsample(laterals[at + 1], scale_factor=2, mode="nearest", align_mode=1)
    made = [nn.Conv2D(16, 4, 3, padding=1, bias_attr=False)(one) for one in laterals]
    made = paddle.concat([made[0], *(f.upsample(one, scale_factor=2 ** at, mode="nearest", align_mode=1) for at, one in enumerate(made[1:], 1))], axis=1)
    made = f.relu(nn.BatchNorm2D(4)(nn.Conv2DTranspose(4, 4, 2, 2)(layer(16, 4)(made))))
    return [f.sigmoid(nn.Conv2DTranspose(4, 1, 2, 2)(made))]


@graph("CRNN", unknown=(0, 3), picture=True)
def crnn(b):
    """What a line says: columns of a picture, read forwards and backwards."""
    x = b.fed("x", fed(1, 3, 32, 64))
    for inputs, outputs, stride in ((3, 8, 2), (8, 12, (2, 1)), (12, 16, (2, 1)), (16, 24, (2, 1))):
        x = layer(inputs, outputs, 3, stride, act=f.hardswish)(x)
    x = f.max_pool2d(x, [2, 1], [2, 1])
    x = paddle.transpose(paddle.squeeze(x, axis=2), [0, 2, 1])
    x, _ = nn.LSTM(24, 12, num_layers=2, direction="bidirectional")(x)
    return [f.softmax(nn.Linear(24, 20)(x), axis=2)]


@graph("SVTR", unknown=(0,), picture=True)
def svtr(b):
    """Convolutions, then attention over columns, then each column's letter."""
    x = b.fed("x", fed(1, 3, 32, 64))
    x = layer(8, 16, 3, 2, act=f.gelu)(layer(3, 8, 3, 2, act=f.gelu)(x))
    x = paddle.transpose(paddle.flatten(x, 2), [0, 2, 1]) + b.paddle.static.create_parameter([1, 128, 16], "float32", name="places.w_0")
    x = Block(16, 2)(x)
    x = nn.Conv2D(16, 24, 3, [2, 1], 1)(paddle.reshape(paddle.transpose(x, [0, 2, 1]), [0, 16, 8, 16]))
    x = nn.LayerNorm(24)(paddle.transpose(paddle.flatten(x, 2), [0, 2, 1]))
    x = Block(24, 3)(x)
    x = f.adaptive_avg_pool2d(paddle.reshape(paddle.transpose(x, [0, 2, 1]), [0, 24, 4, 16]), [1, 16])
    x = f.dropout(f.hardswish(nn.Conv2D(24, 24, 1, bias_attr=False)(x)), 0.1, training=False)
    return [f.softmax(nn.Linear(24, 20)(paddle.transpose(paddle.squeeze(x, 2), [0, 2, 1])), axis=2)]


@graph("SVTR_LCNet", unknown=(0, 3), picture=True)
def lcnet(b):
    """As PP-OCRv3 and v4 read: lines of any width; a neck with attention beside what it is given."""
    x = layer(3, 8, 3, 2, act=f.hardswish)(b.fed("x", fed(1, 3, 48, 64)))
    for inputs, outputs, size, stride in ((8, 12, 3, 1), (12, 16, 3, (2, 1)), (16, 24, 5, (2, 1))):
        x = layer(inputs, inputs, size, stride, inputs, f.hardswish)(x)
        x = layer(inputs, outputs, 1, act=f.hardswish)(squeezed(inputs)(x) if size == 5 else x)
    x = f.avg_pool2d(x, [3, 2], [3, 2])
    before = x
    z = layer(3 * 4, 16, 1, act=f.swish)(layer(24, 12, [1, 3], act=f.swish)(x))
    shape = paddle.shape(z)
    z = paddle.transpose(paddle.flatten(z, 2), [0, 2, 1])
    attention, first, second = nn.MultiHeadAttention(16, 4), nn.LayerNorm(16, epsilon=1e-5), nn.LayerNorm(16, epsilon=1e-6)
    made = first(z)
    z = z + attention(made, made, made)
    z = paddle.transpose(paddle.reshape(second(z), [0, shape[2], shape[3], 16]), [0, 3, 1, 2])
    z = paddle.concat([before, layer(16, 24, 1, act=f.swish)(z)], axis=1)
    z = layer(16, 16, 1, act=f.swish)(layer(48, 16, [1, 3], act=f.swish)(z))
    z = paddle.mean(z, axis=2, keepdim=True)
    return [f.softmax(nn.Linear(16, 20)(paddle.transpose(paddle.squeeze(z, axis=2), [0, 2, 1])), axis=2)]


@graph("turned", unknown=(0,), picture=True)
def turned(b):
    """Whether a line stands on its head, as PP-OCR's classifier."""
    x = layer(3, 8, 3, 2, act=f.hardswish)(b.fed("x", fed(1, 3, 48, 96)))
    for inputs, outputs in ((8, 12), (12, 16)):
        x = layer(inputs, outputs, 1, act=f.hardswish)(squeezed(inputs)(layer(inputs, inputs, 3, (2, 1), inputs, f.relu)(x)))
    x = f.max_pool2d(x, 2, 2)
    return [f.softmax(nn.Linear(16, 2)(paddle.reshape(f.adaptive_avg_pool2d(x, 1), [-1, 16])))]


class Table(nn.Layer):
    """As SLANet reads tables: a cell that looks at the picture writes one sign of the structure a step, and a box for it, until the end is written."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2D(3, 8, 3, 2, 1), nn.BatchNorm2D(8), nn.Hardswish(), nn.Conv2D(8, 12, 3, 2, 1), nn.BatchNorm2D(12), nn.Hardswish(), nn.MaxPool2D(2))
        self.i2h, self.h2h, self.score = nn.Linear(12, 10, bias_attr=False), nn.Linear(10, 10), nn.Linear(10, 1, bias_attr=False)
        self.cell, self.signs, self.boxes = nn.GRUCell(12 + 7, 10), nn.Linear(10, 7), nn.Linear(10, 4)

    def step(self, before, features, sign):
        scores = self.score(paddle.tanh(self.i2h(features) + self.h2h(before).unsqueeze(1)))
        weights = paddle.transpose(f.softmax(scores, axis=1), [0, 2, 1])
        seen = paddle.squeeze(paddle.matmul(weights, features), 1)
        state, _ = self.cell(paddle.concat([seen, sign], 1), before)
        return state, self.signs(state), f.sigmoid(self.boxes(state))

    def forward(self, x):
        features = paddle.transpose(paddle.flatten(self.stem(x), 2), [0, 2, 1])
        batch = features.shape[0]
        state, last = paddle.zeros([batch, 10]), paddle.zeros([batch], "int32")
        structures, boxes = paddle.zeros([batch, 9, 7]), paddle.zeros([batch, 9, 4])
        i = paddle.zeros([], "int32")
        while i < 9:
            state, signs, box = self.step(state, features, f.one_hot(last, 7))
            last = signs.argmax(axis=1, dtype="int32")
            structures[:, i], boxes[:, i] = signs, box
            i += 1
            if (last == 6).all():
                break
        return boxes, f.softmax(structures, axis=-1)


family.traced("SLANet", x=fed(1, 3, 32, 32), more={"picture": True})(Table)
