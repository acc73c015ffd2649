"""LaTeX-OCR, small: it is exported by PaddlePaddle 3 only, since 2.6 cannot compute with the statistics of weights."""
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from operations.picture_transformers import Block
from values import fed

family = Family(__name__)


class Standardised(nn.Conv2D):
    """Its weights have no mean and a deviation of one; padded as TensorFlow does, from sizes that the program computes."""

    def __init__(self, inputs, outputs, size, stride=1):
        super().__init__(inputs, outputs, size, stride, bias_attr=False)
        self.size, self.stride, self.outputs, self.batch_norm = size, stride, outputs, nn.BatchNorm1D(outputs, use_global_stats=False)

    def forward(self, x):
        pads = []
        for axis in (3, 2):
            length = paddle.shape(x)[axis]
            more = paddle.clip((paddle.ceil(length.astype("float32") / self.stride).astype("int32") - 1) * self.stride + self.size - length, min=0)
            pads += [more // 2, more - more // 2]
        weight = self.batch_norm(self.weight.reshape([1, self.outputs, -1])).reshape(self.weight.shape)
        return f.conv2d(f.pad(x, paddle.stack(pads).flatten().astype("int32")), weight, None, self.stride)


class Residual(nn.Layer):
    """ResNetV2's: normalised in groups before each convolution."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first, self.second, self.short = Standardised(inputs, 8, 1), Standardised(8, outputs, 3, stride), Standardised(inputs, outputs, 1, stride)
        self.norm, self.last = nn.GroupNorm(4, 8), nn.GroupNorm(4, outputs)

    def forward(self, x):
        return f.relu(self.last(self.second(f.relu(self.norm(self.first(x))))) + self.short(x))


class Gated(nn.Layer):
    """Attention whose result decides how much of it counts, of words before or of a picture."""

    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.size = heads, size
        self.q, self.k, self.v = (nn.Linear(size, size, bias_attr=False) for _ in range(3))
        self.out = nn.Sequential(nn.Linear(size, 2 * size), nn.GLU())

    def split(self, x):
        return x.reshape([0, -1, self.heads, self.size // self.heads]).transpose([0, 2, 1, 3])

    def forward(self, x, seen, later):
        dots = paddle.einsum("bhid,bhjd->bhij", self.split(self.q(x)), self.split(self.k(seen))) * (self.size // self.heads) ** -0.5
        if later is not None:
            dots = paddle.where(later, paddle.full_like(dots, -3e38), dots)
        found = paddle.einsum("bhij,bhjd->bhid", f.softmax(dots, axis=-1), self.split(self.v(seen)))
        return self.out(found.transpose([0, 2, 1, 3]).reshape([0, -1, self.size]))


class Latex(nn.Layer):
    """LaTeX-OCR: a residual network and a transformer see the picture; a decoder writes the likeliest of the few best words until the end."""

    def __init__(self):
        super().__init__()
        self.stem, self.norm, self.layers = Standardised(1, 8, 7, 2), nn.GroupNorm(4, 8), nn.Sequential(Residual(8, 16, 1), Residual(16, 16, 2))
        self.start, self.places, self.block = self.create_parameter([1, 1, 16]), self.create_parameter([1, 41, 16]), Block(16, 4)
        self.words, self.order = nn.Embedding(12, 16), nn.Embedding(10, 16)
        self.own, self.cross, self.inner, self.outer = Gated(16, 4), Gated(16, 4), nn.Linear(16, 64), nn.Linear(32, 16)
        self.norms, self.head = nn.LayerList([nn.LayerNorm(16) for _ in range(4)]), nn.Linear(16, 12)

    def see(self, x):
        x = self.layers(f.max_pool2d(f.relu(self.norm(self.stem(x))), 3, 2, 1))
        high, wide = paddle.shape(x)[2], paddle.shape(x)[3]
        rows = paddle.arange(high).unsqueeze(1) * 10 + paddle.arange(wide).unsqueeze(0)
        places = paddle.concat([paddle.zeros([1], dtype="int32"), rows.flatten().astype("int32") + 1])
        x = paddle.concat([self.start.expand([paddle.shape(x)[0], -1, -1]), x.flatten(2).transpose([0, 2, 1])], axis=1)
        return self.block(x + paddle.index_select(self.places, places, axis=1))

    def forward(self, x):
        memory = self.see(x)
        out = paddle.ones([paddle.shape(x)[0], 1], dtype="int64")
        step = paddle.zeros([1], dtype="int64")
        while step < 5:
            r = paddle.arange(paddle.shape(out)[1])
            later = (r.unsqueeze(1) < r.unsqueeze(0)).unsqueeze([0, 1])
            y = self.words(out) + self.order(r.astype("int64"))
            z = self.norms[0](y)
            y = y + self.own(z, z, later)
            y = y + self.cross(self.norms[1](y), memory, None)
            first, gate = self.inner(self.norms[2](y)).chunk(2, axis=-1)
            y = y + self.outer(first * f.gelu(gate))
            scores = self.head(self.norms[3](y))[:, -1, :]
            best, which = paddle.topk(scores, 3)
            kept = paddle.put_along_axis(paddle.full_like(scores, -1e30), which, best, 1)
            out = paddle.concat([out, f.softmax(kept / 0.333, axis=-1).argmax(axis=-1, keepdim=True)], axis=1)
            step += 1
            if (paddle.cumsum((out == 2).astype("int64"), 1)[:, -1] >= 1).all():
                break
        return out[:, 1:], memory


family.traced("LaTeX_OCR", (0, 2, 3), {"picture": True}, x=fed(1, 1, 32, 48))(Latex)
