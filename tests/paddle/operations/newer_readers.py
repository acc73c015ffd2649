"""Networks of PaddleOCR and PaddleX of 2025, small: what finds and reads text, tables, formulas and the parts of pages."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from operations.picture_transformers import Block
from values import fed

family = Family(__name__)


class Layer(nn.Layer):
    def __init__(self, inputs, outputs, size=3, stride=1, groups=1, act=None):
        super().__init__()
        self.conv = nn.Conv2D(inputs, outputs, size, stride, padding=size // 2 if isinstance(size, int) else "SAME", groups=groups, bias_attr=False)
        self.norm, self.act = nn.BatchNorm2D(outputs), act or nn.Identity()

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Affine(nn.Layer):
    """One factor and one summand for all: PP-HGNet's and PP-LCNetV3's."""

    def __init__(self):
        super().__init__()
        self.scale = self.create_parameter([1], default_initializer=nn.initializer.Constant(1.0))
        self.bias = self.create_parameter([1], default_initializer=nn.initializer.Constant(0.0))

    def forward(self, x):
        return self.scale * x + self.bias


class Stem(nn.Layer):
    """PP-HGNetV2: a padded picture goes two ways."""

    def __init__(self, outputs):
        super().__init__()
        self.first, self.a, self.b = Layer(3, 8, 3, 2, act=nn.ReLU()), Layer(8, 4, 2, act=nn.ReLU()), Layer(4, 8, 2, act=nn.ReLU())
        self.pool, self.last = nn.MaxPool2D(2, 1, ceil_mode=True, padding="SAME"), Layer(16, outputs, 3, act=nn.ReLU())
        self.a.conv, self.b.conv = nn.Conv2D(8, 4, 2, padding="SAME", bias_attr=False), nn.Conv2D(4, 8, 2, padding="SAME", bias_attr=False)

    def forward(self, x):
        x = self.first(x)
        return self.last(paddle.concat([self.pool(x), self.b(self.a(x))], axis=1))


class Stage(nn.Layer):
    """Layers whose results are all joined; squeezed and widened; added to what came."""

    def __init__(self, channels, outputs, stride=2):
        super().__init__()
        self.down = Layer(channels, channels, 3, stride, channels)
        self.layers = nn.LayerList([nn.Sequential(Layer(channels if at == 0 else 8, 8, 1), Layer(8, 8, 5, 1, 8, nn.ReLU()), Affine()) for at in range(3)])
        self.squeeze, self.excite = Layer(channels + 24, outputs // 2, 1, act=nn.ReLU()), Layer(outputs // 2, outputs, 1, act=nn.ReLU())

    def forward(self, x):
        x = self.down(x)
        found = [x]
        for layer in self.layers:
            found.append(layer(found[-1]))
        return self.excite(self.squeeze(paddle.concat(found, axis=1)))


class Rep(nn.Layer):
    """PP-LCNetV3's layer: factors, a convolution, h-swish; squeeze and excitation."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.deep, self.wide, self.affine = Layer(inputs, inputs, 3, stride, inputs), Layer(inputs, outputs, 1), Affine()
        self.small, self.large = nn.Conv2D(inputs, inputs // 4, 1), nn.Conv2D(inputs // 4, inputs, 1)

    def forward(self, x):
        x = f.hardswish(self.affine(self.deep(x)))
        x = x * f.hardsigmoid(self.large(f.relu(self.small(f.adaptive_avg_pool2d(x, 1)))))
        return f.hardswish(self.wide(x))


class Detector(nn.Layer):
    """PP-OCRv5_server_det: maps of four sizes, large kernels in the neck, a head that is refined at the end."""

    def __init__(self):
        super().__init__()
        self.stem, self.stages = Stem(12), nn.LayerList([Stage(12, 16), Stage(16, 24), Stage(24, 32)])
        self.ins = nn.LayerList([nn.Conv2D(channels, 16, 1, bias_attr=False) for channels in (12, 16, 24, 32)])
        self.outs = nn.LayerList([nn.Conv2D(16, 4, 9, padding=4, bias_attr=False) for _ in range(4)])
        self.rows, self.columns = nn.Conv2D(4, 4, (7, 1), padding=(3, 0)), nn.Conv2D(4, 4, (1, 7), padding=(0, 3))
        self.head, self.up, self.last = Layer(16, 4, 3, act=nn.ReLU()), nn.Conv2DTranspose(4, 4, 2, 2), nn.Conv2DTranspose(4, 1, 2, 2)
        self.refine = Layer(5, 4, 3, act=nn.ReLU())
        self.final = nn.Conv2D(4, 1, 1)

    def forward(self, x):
        x = self.stem(x)
        maps = [x]
        for stage in self.stages:
            x = stage(x)
            maps.append(x)
        maps = [layer(one) for layer, one in zip(self.ins, maps)]
        for at in (2, 1, 0):
            maps[at] = maps[at] + f.upsample(maps[at + 1], scale_factor=2, mode="nearest", align_mode=1)
        maps = [layer(one) for layer, one in zip(self.outs, maps)]
        maps = [one + self.rows(one) + self.columns(one) for one in maps]
        x = paddle.concat([f.upsample(one, scale_factor=2 ** at, mode="nearest", align_mode=1) if at else one for at, one in enumerate(maps)][::-1], axis=1)
        x = self.up(self.head(x))
        coarse = f.sigmoid(self.last(x))
        fine = self.final(self.refine(paddle.concat([f.upsample(coarse, scale_factor=0.5, mode="nearest"), x], axis=1)))
        return 0.5 * (coarse + f.sigmoid(f.upsample(fine, scale_factor=2, mode="nearest", align_mode=1)))


class Reader(nn.Layer):
    """PP-OCRv5's reader: lines of any width; a neck with attention; a probability of each letter in each column."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Layer(3, 8, 3, 2), Rep(8, 12, 1), Rep(12, 16, (2, 1)), Rep(16, 24, (2, 1)))
        self.first, self.second, self.third, self.fourth = (Layer(24, 12, (1, 3), act=nn.Swish()), Layer(12, 16, 1, act=nn.Swish()), Layer(16, 24, 1, act=nn.Swish()),
                                                            Layer(48, 16, (1, 3), act=nn.Swish()))
        self.blocks, self.norm, self.head = nn.LayerList([Mixer(16, 4), Mixer(16, 4)]), nn.LayerNorm(16, epsilon=1e-6), nn.Linear(16, 20)

    def forward(self, x):
        x = f.avg_pool2d(self.layers(x), [3, 2])
        z = self.second(self.first(x))
        shape = paddle.shape(z)
        z = z.flatten(2).transpose([0, 2, 1])
        for block in self.blocks:
            z = block(z)
        z = self.norm(z).reshape([0, shape[2], shape[3], 16]).transpose([0, 3, 1, 2])
        z = self.fourth(paddle.concat([x, self.third(z)], axis=1))
        z = paddle.mean(z, axis=2, keepdim=True).squeeze(2).transpose([0, 2, 1])
        return f.softmax(self.head(z), axis=2)


class Mixer(nn.Layer):
    """A block of SVTR that does not know how many columns there are."""

    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.size = heads, size
        self.first, self.second, self.qkv, self.out = nn.LayerNorm(size, epsilon=1e-5), nn.LayerNorm(size, epsilon=1e-5), nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.layers = nn.Sequential(nn.Linear(size, 2 * size), nn.Swish(), nn.Dropout(0.1), nn.Linear(2 * size, size), nn.Dropout(0.1))

    def forward(self, x):
        qkv = self.qkv(self.first(x)).reshape((0, -1, 3, self.heads, self.size // self.heads)).transpose((2, 0, 3, 1, 4))
        q, k, v = qkv[0] * (self.size // self.heads) ** -0.5, qkv[1], qkv[2]
        weights = f.softmax(q.matmul(k.transpose((0, 1, 3, 2))), axis=-1)
        x = x + self.out(weights.matmul(v).transpose((0, 2, 1, 3)).reshape((0, -1, self.size)))
        return x + self.layers(self.second(x))


class Turned(nn.Layer):
    """How a page is turned, as PP-LCNet_x1_0_doc_ori says it."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Layer(3, 8, 3, 2, act=nn.Hardswish()), Rep(8, 16, 1), Rep(16, 24, 2), Rep(24, 32, 2), nn.AdaptiveAvgPool2D(1))
        self.wide, self.head = nn.Conv2D(32, 40, 1, bias_attr=False), nn.Linear(40, 4)

    def forward(self, x):
        x = f.dropout(f.hardswish(self.wide(self.layers(x))), 0.2, training=False, mode="downscale_in_infer")
        return f.softmax(self.head(paddle.flatten(x, 1)))


class Table(nn.Layer):
    """SLANet_plus: a GRU cell writes one sign of the structure a step and a box for it, until all pictures have written the end."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Layer(3, 8, 3, 2), Rep(8, 12, 2), Rep(12, 16, 2))
        self.i2h, self.h2h, self.score = nn.Linear(16, 10, bias_attr=False), nn.Linear(10, 10), nn.Linear(10, 1, bias_attr=False)
        self.cell = nn.GRUCell(16 + 7, 10)
        self.signs, self.boxes = nn.Sequential(nn.Linear(10, 10), nn.Linear(10, 7)), nn.Sequential(nn.Linear(10, 10), nn.Linear(10, 8))

    def forward(self, x):
        x = self.layers(x)
        features = x.flatten(2).transpose([0, 2, 1])
        batch = paddle.shape(features)[0]
        state = paddle.zeros((batch, 10))
        last = paddle.zeros([batch], dtype="int32")
        structures, places = paddle.empty((batch, 13, 7)), paddle.empty((batch, 13, 8))
        structures.stop_gradient = places.stop_gradient = True
        structures = structures * 0
        places = places * 0
        for i in range(13):
            weights = f.softmax(self.score(paddle.tanh(self.i2h(features) + self.h2h(state).unsqueeze(1))), axis=1).transpose([0, 2, 1])
            seen = paddle.matmul(weights, features).squeeze(1)
            state, _ = self.cell(paddle.concat([seen, f.one_hot(last, 7)], 1), state)
            sign = self.signs(state)
            structures[:, i, :], places[:, i, :] = sign, f.sigmoid(self.boxes(state))
            last = sign.argmax(axis=1, dtype="int32")
        return places, f.softmax(structures, axis=-1)


class TableUntil(Table):
    """The loop is one of the program, with results that are joined."""

    def forward(self, x):
        features = self.layers(x).flatten(2).transpose([0, 2, 1])
        batch = paddle.shape(features)[0]
        state, last = paddle.zeros((batch, 10)), paddle.zeros([batch], dtype="int64")
        found, i = paddle.zeros((batch, 1), dtype="int64"), paddle.zeros([1], dtype="int64")
        while i < 6:
            weights = f.softmax(self.score(paddle.tanh(self.i2h(features) + self.h2h(state).unsqueeze(1))), axis=1).transpose([0, 2, 1])
            seen = paddle.matmul(weights, features).squeeze(1)
            state, _ = self.cell(paddle.concat([seen, f.one_hot(last, 7)], 1), state)
            last = self.signs(state).argmax(axis=1)
            found = paddle.concat([found, last.unsqueeze(1)], axis=1)
            i += 1
            if (last == 6).all():
                break
        return found, state


class Decoder(nn.Layer):
    """A layer of a decoder: attention to the words before, and to the picture."""

    def __init__(self, size, heads):
        super().__init__()
        self.own, self.cross = nn.MultiHeadAttention(size, heads), nn.MultiHeadAttention(size, heads)
        self.first, self.second, self.third = nn.LayerNorm(size), nn.LayerNorm(size), nn.LayerNorm(size)
        self.layers = nn.Sequential(nn.Linear(size, 2 * size), nn.GELU(), nn.Linear(2 * size, size))

    def forward(self, x, memory, mask):
        y = self.first(x)
        x = x + self.own(y, y, y, mask)
        x = x + self.cross(self.second(x), memory, memory)
        return x + self.layers(self.third(x))


class Formula(nn.Layer):
    """PP-FormulaNet and LaTeX-OCR: pieces of a picture, and words that are written one after another until the end."""

    def __init__(self):
        super().__init__()
        self.pieces, self.blocks = nn.Conv2D(1, 16, 8, 8), nn.LayerList([Block(16, 4)])
        self.places = self.create_parameter([1, 16, 16])
        self.words, self.order = nn.Embedding(12, 16), nn.Embedding(10, 16)
        self.decoder, self.norm, self.head = Decoder(16, 4), nn.LayerNorm(16), nn.Linear(16, 12, bias_attr=False)

    def forward(self, x):
        memory = self.pieces(x).flatten(2).transpose([0, 2, 1]) + self.places
        for block in self.blocks:
            memory = block(memory)
        words = paddle.ones([paddle.shape(x)[0], 1], dtype="int64")
        step = paddle.zeros([1], dtype="int64")
        while step < 5:
            length = paddle.shape(words)[1]
            mask = paddle.triu(paddle.full([length, length], -1e4), 1).unsqueeze([0, 1])
            y = self.words(words) + self.order(paddle.arange(0, length, dtype="int64"))
            y = self.head(self.norm(self.decoder(y, memory, mask)))
            chosen = paddle.argmax(y[:, -1, :], axis=-1, keepdim=True)
            words = paddle.concat([words, chosen], axis=1)
            step += 1
            if (chosen == 2).all():
                break
        return words


class Layout(nn.Layer):
    """PP-DocLayout and RT-DETR: encoded maps, the places that say most become queries, which look at points of the maps; boxes and their classes."""

    def __init__(self, queries=6):
        super().__init__()
        self.queries = queries
        self.stem, self.stages = Stem(12), nn.LayerList([Stage(12, 16), Stage(16, 24)])
        self.ins = nn.LayerList([Layer(16, 16, 1), Layer(24, 16, 1)])
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, activation="gelu"), 1)
        self.lateral, self.out = Layer(16, 16, 1, act=nn.Silu()), Layer(32, 16, 3, act=nn.Silu())
        self.memory, self.score, self.box = nn.Sequential(nn.Linear(16, 16), nn.LayerNorm(16)), nn.Linear(16, 5), nn.Linear(16, 4)
        self.own, self.value, self.offsets, self.weights = nn.MultiHeadAttention(16, 4), nn.Linear(16, 16), nn.Linear(16, 2 * 2 * 3 * 2), nn.Linear(16, 2 * 2 * 3)
        self.place, self.last, self.classes, self.moved = nn.Linear(4, 16), nn.LayerNorm(16), nn.Linear(16, 5), nn.Linear(16, 4)

    def points(self, x, boxes, memory):
        """Attention to points: [1, queries, 16], boxes [1, queries, 4], memory of maps of 8 x 8 and 4 x 4."""
        value = self.value(memory).reshape([1, 80, 2, 8])
        offsets = self.offsets(x).reshape([1, self.queries, 2, 2, 3, 2])
        weights = f.softmax(self.weights(x).reshape([1, self.queries, 2, 6])).reshape([1, self.queries, 2, 2, 3])
        places = boxes[:, :, None, None, None, :2] + offsets / 3 * boxes[:, :, None, None, None, 2:] * 0.5
        found = []
        for level, (part, side) in enumerate(zip(value.split([64, 16], axis=1), (8, 4))):
            maps = part.flatten(2).transpose([0, 2, 1]).reshape([2, 8, side, side])
            grid = (2 * places - 1)[:, :, :, level].transpose([0, 2, 1, 3, 4]).flatten(0, 1)
            found.append(f.grid_sample(maps, grid, mode="bilinear", padding_mode="zeros", align_corners=False))
        weights = weights.transpose([0, 2, 1, 3, 4]).reshape([2, 1, self.queries, 6])
        made = (paddle.stack(found, axis=-2).flatten(-2) * weights).sum(-1).reshape([1, 16, self.queries])
        return made.transpose([0, 2, 1])

    def forward(self, image, scale_factor):
        x = self.stem(image)
        maps = []
        for stage, layer in zip(self.stages, self.ins):
            x = stage(x)
            maps.append(layer(x))
        deep = self.encoder(maps[1].flatten(2).transpose([0, 2, 1])).transpose([0, 2, 1]).reshape([-1, 16, 4, 4])
        wide = self.out(paddle.concat([f.interpolate(self.lateral(deep), scale_factor=2.0, mode="nearest"), maps[0]], axis=1))
        memory = paddle.concat([one.flatten(2).transpose([0, 2, 1]) for one in (wide, deep)], axis=1)
        seen = self.memory(memory)
        scores = self.score(seen)
        _, chosen = paddle.topk(scores.max(-1), self.queries, axis=1)
        rows = paddle.stack([paddle.arange(end=1, dtype=chosen.dtype).unsqueeze(-1).tile([1, self.queries]), chosen], axis=-1)
        x, boxes = paddle.gather_nd(seen, rows), f.sigmoid(paddle.gather_nd(self.box(seen), rows))
        query = x + self.place(boxes)
        x = self.last(x + self.own(query, query, x))
        x = x + self.points(x, boxes, memory)
        scores = f.sigmoid(self.classes(x))
        boxes = f.sigmoid(self.moved(x) + paddle.log(boxes / (1 - boxes)))
        centres, sizes = boxes.split(2, axis=-1)
        boxes = paddle.concat([centres - 0.5 * sizes, centres + 0.5 * sizes], axis=-1)
        sizes = paddle.flip(32.0 / scale_factor, axis=[1]).tile([1, 2]).unsqueeze(1)
        boxes = boxes * sizes
        best, index = paddle.topk(scores.flatten(1), 4, axis=-1)
        labels = index % 5
        boxes = paddle.gather_nd(boxes, paddle.stack([paddle.zeros_like(index), index // 5], axis=-1))
        found = paddle.concat([labels.unsqueeze(-1).astype("float32"), best.unsqueeze(-1), boxes], axis=-1)
        return found.reshape([-1, 6]), paddle.full([1], 4, dtype="int32")


PICTURE = {"picture": True}
LINE = {**PICTURE}
family.traced("PPOCRv5_det", (0, 2, 3), LINE, x=fed(1, 3, 64, 96))(Detector)
family.traced("PPOCRv5_rec", (0, 3), LINE, x=fed(1, 3, 48, 64))(Reader)
family.traced("doc_ori", (0,), PICTURE, x=fed(1, 3, 64, 64))(Turned)
family.traced("SLANet_plus", (0,), PICTURE, x=fed(1, 3, 32, 32))(Table)
family.traced("SLANet_until", (0,), PICTURE, x=fed(2, 3, 32, 32))(TableUntil)
family.traced("FormulaNet", (0,), PICTURE, x=fed(1, 1, 32, 32))(Formula)
family.traced("DocLayout", (), PICTURE, image=fed(1, 3, 32, 32), scale_factor=fed(values=[[0.5, 0.8]]))(Layout)
