"""Layers whose Python paddle.jit translates: branches, loops, early ends."""
import numpy as np
import paddle
from paddle import nn

from models import Family
from values import fed

family = Family(__name__)


class Base(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.cell = nn.Linear(3, 3), nn.GRUCell(3, 3)


class If(Base):
    def forward(self, x):
        if x.mean() > 0:
            y = self.linear(x)
        else:
            y = x - 1
        return y


class For(Base):
    def forward(self, x):
        y = x[0] * 0
        for i in range(x.shape[0]):
            y = y * 0.5 + self.linear(x[i])
        return y


class While(Base):
    def forward(self, x, n):
        i = n * 0
        while i < n:
            x = self.linear(x)
            i += 1
        return x, i


class Break(Base):
    def forward(self, x, n):
        for i in range(n):
            x = x * 1.5
            if x.abs().max() > 2:
                break
        return x


class List(Base):
    def forward(self, x):
        state, found = x[:, 0] * 0, []
        for i in range(x.shape[1]):
            state = self.cell(x[:, i], state)[0]
            found.append(state)
        return paddle.stack(found, axis=1)


class Return(Base):
    def forward(self, x, n):
        if n > 2:
            return self.linear(x)
        return x * 2


class Written(Base):
    """A part of a tensor is written, and its axes are computed."""

    def forward(self, x):
        y = paddle.zeros([x.shape[0], 5, 3])
        y[:, 1:3] = x[:, :2]
        y[:, 4] = x[:, 0] * 2
        return y.reshape([x.shape[0], -1]), y[..., ::-1]


class Decoder(Base):
    """As text is read: the word of one step is chosen, and fed to the next, until all are read."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(7, 3), nn.Linear(3, 7)

    def forward(self, x):
        words = paddle.zeros([x.shape[0]], "int64")
        state, found = x, []
        for _ in range(4):
            state, _ = self.cell(self.embedding(words), state)
            scores = self.head(state)
            words = scores.argmax(1)
            found.append(nn.functional.softmax(scores))
        return paddle.stack(found, 1), words


class Until(Base):
    """A loop that ends where a word says so; the results of its steps are put together."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(7, 3), nn.Linear(3, 7)

    def forward(self, x):
        words = paddle.zeros([x.shape[0], 1], "int64")
        state, i = x, paddle.zeros([1], "int64")
        while i < 6:
            state, _ = self.cell(self.embedding(words[:, -1]), state)
            chosen = self.head(state).argmax(1, keepdim=True)
            words = paddle.concat([words, chosen], axis=1)
            if (chosen == 2).all():
                break
            i += 1
        return words, state


NUMBER = fed(values=[3], dtype=np.int64)
class Found(Base):
    """Rows of each picture, of another number each; the list is read in a branch, too. Detectors of two steps do so with regions."""

    def forward(self, x):
        rows, counts = [], []
        for i in range(x.shape[0]):
            found = paddle.nonzero(x[i].mean(-1) > 0)
            rows.append(paddle.gather(self.linear(x[i]), found.flatten()))
            counts.append(paddle.shape(found)[:1])
        if len(rows) > 1:
            joined = paddle.concat(rows)
        else:
            joined = rows[0]
        return joined, paddle.concat(counts), paddle.concat(rows) * 2


family.traced("if", x=fed(2, 3))(If)
family.traced("for", (0,), x=fed(4, 3))(For)
family.traced("for_known", x=fed(4, 3))(For)
family.traced("while", x=fed(2, 3), n=NUMBER, more={"more": {"n": np.int64([1])}})(While)
family.traced("break", x=fed(2, 3), n=fed(values=[5], dtype=np.int64))(Break)
family.traced("list", {"x": (0, 1)}, x=fed(2, 4, 3))(List)
family.traced("found", {"x": (0, 1)}, x=fed(3, 5, 3))(Found)
family.traced("list_known", x=fed(2, 4, 3))(List)
family.traced("return", x=fed(2, 3), n=NUMBER, more={"more": {"n": np.int64([1])}})(Return)
family.traced("written", (0,), x=fed(2, 3, 3))(Written)
family.traced("decoder", (0,), x=fed(2, 3))(Decoder)
family.traced("until", x=fed(2, 3))(Until)
