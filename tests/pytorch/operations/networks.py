"""Networks written with PyTorch alone: recurrent ones, U-Nets, generators, speech, points and pictures."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, given, ints

family = Family(__name__)
module = family.module


def conv(inputs, outputs, kernel=3, **options):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False, **options), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Tagger(nn.Module):
    """Words to labels: embedding, two LSTMs in both directions, a classifier."""

    def __init__(self):
        super().__init__()
        self.embed, self.lstm, self.out = nn.Embedding(40, 8), nn.LSTM(8, 6, 2, bidirectional=True, batch_first=True), nn.Linear(12, 5)

    def forward(self, ids):
        return self.out(self.lstm(self.embed(ids))[0])


class Crnn(nn.Module):
    """Text of a picture: convolutions, columns as time, GRUs."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(1, 8), nn.MaxPool2d(2), conv(8, 16), nn.MaxPool2d((2, 1)))
        self.rnn, self.out = nn.GRU(64, 16, bidirectional=True), nn.Linear(32, 11)

    def forward(self, x):
        x = self.body(x).flatten(1, 2).permute(2, 0, 1)
        return self.out(self.rnn(x)[0]).log_softmax(2)


class Translator(nn.Module):
    """A GRU reads, another writes three words with attention to what was read; each is fed the last word."""

    def __init__(self):
        super().__init__()
        self.embed, self.reader, self.cell = nn.Embedding(30, 8), nn.GRU(8, 12, batch_first=True), nn.GRUCell(20, 12)
        self.query, self.out = nn.Linear(12, 12), nn.Linear(12, 30)

    def forward(self, ids):
        states, hidden = self.reader(self.embed(ids))
        hidden, word, logits = hidden[0], ids[:, 0], []
        for _ in range(3):
            attention = torch.bmm(states, self.query(hidden).unsqueeze(2)).softmax(1)
            hidden = self.cell(torch.cat([self.embed(word), (states * attention).sum(1)], 1), hidden)
            logits.append(self.out(hidden))
            word = logits[-1].argmax(-1)
        return torch.stack(logits, 1), word


class ConvLstm(nn.Module):
    """A cell of convolutions over the frames of a film."""

    def __init__(self):
        super().__init__()
        self.gates = nn.Conv2d(3 + 8, 32, 3, padding=1)

    def forward(self, film):
        hidden = cell = film.new_zeros(film.shape[0], 8, film.shape[3], film.shape[4])
        for frame in film.unbind(1):
            i, f, g, o = self.gates(torch.cat([frame, hidden], 1)).chunk(4, 1)
            cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
            hidden = o.sigmoid() * cell.tanh()
        return hidden


class Steps(nn.Module):
    """LSTM cells, step by step."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 6)

    def forward(self, x):
        states = None
        for at in range(x.shape[1]):
            states = self.cell(x[:, at], states)
        return states[0]


class Tcn(nn.Module):
    """Causal convolutions with normalised weights."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.utils.parametrizations.weight_norm(nn.Conv1d(6, 6, 3, dilation=2 ** at)) for at in range(3))

    def forward(self, x):
        for at, layer in enumerate(self.layers):
            x = x + F.relu(layer(F.pad(x, (2 ** (at + 1), 0))))
        return x[:, :, -1]


class WaveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.filters = nn.ModuleList(nn.Conv1d(8, 16, 2, dilation=2 ** at) for at in range(4))
        self.skips = nn.ModuleList(nn.Conv1d(8, 8, 1) for _ in range(4))

    def forward(self, x):
        total = 0
        for filters, skip in zip(self.filters, self.skips):
            y, gate = filters(x).chunk(2, 1)
            y = torch.tanh(y) * torch.sigmoid(gate)
            x = x[:, :, -y.shape[2]:] + y
            total = total + skip(y)[:, :, -4:]
        return F.elu(total)


class UNet(nn.Module):
    def __init__(self, transposed):
        super().__init__()
        self.down = nn.ModuleList([conv(3, 8), conv(8, 16), conv(16, 32)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)] if transposed else [conv(32, 16, 1), conv(16, 8, 1)])
        self.join, self.out, self.transposed = nn.ModuleList([conv(32, 16), conv(16, 8)]), nn.Conv2d(8, 2, 1), transposed

    def forward(self, x):
        kept = []
        for at, down in enumerate(self.down):
            x = down(F.max_pool2d(x, 2) if at else x)
            kept.append(x)
        for up, join, skip in zip(self.up, self.join, kept[-2::-1]):
            x = up(x) if self.transposed else F.interpolate(up(x), size=skip.shape[-2:], mode="bilinear", align_corners=True)
            x = join(torch.cat([skip, x], 1))
        return self.out(x)


class AttentionGate(nn.Module):
    """The gate of the attention U-Net."""

    def __init__(self):
        super().__init__()
        self.body, self.deep, self.gate, self.skip, self.psi = conv(3, 8), conv(8, 16, stride=2), nn.Conv2d(16, 4, 1), nn.Conv2d(8, 4, 1), nn.Conv2d(4, 1, 1)

    def forward(self, x):
        x = self.body(x)
        deep = F.interpolate(self.deep(x), scale_factor=2, mode="nearest")
        return x * torch.sigmoid(self.psi(F.relu(self.gate(deep) + self.skip(x))))


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.read = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(128, 8))
        self.write = nn.Sequential(nn.Linear(4, 128), nn.Unflatten(1, (8, 4, 4)), nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Sigmoid())

    def forward(self, x):
        mean, spread = self.read(x).chunk(2, 1)
        return self.write(mean + torch.exp(0.5 * spread)), -0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum(1).mean()


class Spatial(nn.Module):
    """A spatial transformer: turns the picture as a small network says."""

    def __init__(self):
        super().__init__()
        self.where = nn.Sequential(nn.Conv2d(1, 4, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(144, 6))

    def forward(self, x):
        return F.grid_sample(x, F.affine_grid(self.where(x).view(-1, 2, 3), list(x.shape), align_corners=False), align_corners=False)


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.turn = nn.Sequential(nn.Conv1d(3, 16, 1), nn.BatchNorm1d(16), nn.ReLU())
        self.matrix, self.body, self.out = nn.Linear(16, 9), nn.Conv1d(3, 32, 1), nn.Linear(32, 6)

    def forward(self, points):
        matrix = self.matrix(self.turn(points).max(2)[0]).view(-1, 3, 3) + torch.eye(3)
        return self.out(self.body(torch.bmm(points.transpose(1, 2), matrix).transpose(1, 2)).amax(2)).log_softmax(-1)


class Nerf(nn.Module):
    """Colours of points whose coordinates become waves."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(27, 32), nn.Linear(32 + 27, 4)

    def forward(self, x):
        waves = (x[..., None] * 2.0 ** torch.arange(4)).flatten(-2)
        waves = torch.cat([x, waves.sin(), waves.cos()], -1)
        rgb, density = self.second(torch.cat([F.relu(self.first(waves)), waves], -1)).split([3, 1], -1)
        return rgb.sigmoid(), F.softplus(density)


class GraphNet(nn.Module):
    """Two layers that sum what neighbours send; edges are indices."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(5, 8), nn.Linear(8, 3)])

    def forward(self, x, edges):
        sources, targets = edges
        for layer in self.layers:
            sent = layer(x)[sources]
            x = torch.zeros(x.shape[0], sent.shape[1]).index_add(0, targets, sent).relu()
        return x


class Recommender(nn.Module):
    """Sums of embeddings, products of pairs, a deep part."""

    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(20, 4) for _ in range(3))
        self.bag, self.deep = nn.EmbeddingBag(20, 4, mode="sum"), nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, ids, many):
        parts = torch.stack([table(ids[:, at]) for at, table in enumerate(self.tables)] + [self.bag(many)], 1)
        pairs = 0.5 * (parts.sum(1).square() - parts.square().sum(1)).sum(1, keepdim=True)
        return torch.sigmoid(self.deep(parts.flatten(1)) + pairs)


class Denoiser(nn.Module):
    """A block of a diffusion model: group normalisation, time embedding, attention over the pixels."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.time = nn.Conv2d(3, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.Linear(8, 16)
        self.qkv, self.out = nn.Conv2d(16, 48, 1), nn.Conv2d(16, 3, 3, padding=1)

    def forward(self, x, time):
        angles = time[:, None].float() * torch.exp(-torch.arange(4) * 2.3)
        x = self.first(x) + self.time(torch.cat([angles.sin(), angles.cos()], 1))[:, :, None, None]
        q, k, v = self.qkv(F.silu(self.norm(x))).flatten(2).chunk(3, 1)
        weights = torch.einsum("bct,bcs->bts", q, k) * 0.25
        x = x + torch.einsum("bts,bcs->bct", weights.softmax(-1), v).reshape(x.shape)
        return self.out(x)


class Style(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.ReflectionPad2d(4), nn.Conv2d(3, 8, 9, 2), nn.InstanceNorm2d(8, affine=True), nn.ReLU(), nn.Upsample(scale_factor=2), nn.ReflectionPad2d(1), nn.Conv2d(8, 3, 3))

    def forward(self, x):
        return torch.tanh(self.body(x))


def vgg():
    layers = [layer for inputs, outputs in ((3, 8), (8, 16), (16, 32)) for layer in (nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(True), nn.MaxPool2d(2, 2))]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d((3, 3)), nn.Flatten(), nn.Linear(288, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 10))


def lenet():
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(256, 84), nn.Tanh(), nn.Linear(84, 10))


def generator():
    return nn.Sequential(nn.ConvTranspose2d(8, 32, 4, 1, 0, bias=False), nn.BatchNorm2d(32), nn.ReLU(True), nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(True), nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Tanh())


def super_resolution():
    return nn.Sequential(nn.Conv2d(1, 16, 5, padding=2), nn.Tanh(), nn.Conv2d(16, 8, 3, padding=1), nn.PReLU(8), nn.Conv2d(8, 9, 3, padding=1), nn.PixelShuffle(3))


module("tagger", Tagger, ints(2, 6, high=40), unknown=(0,))
module("crnn", Crnn, fed(2, 1, 16, 24), unknown=(0,))
module("translator", Translator, ints(2, 5, high=30), unknown=(0,))
module("conv_lstm", ConvLstm, fed(2, 3, 3, 8, 8), unknown=(0,))
module("lstm_steps", Steps, fed(2, 5, 4))
module("tcn", Tcn, fed(2, 6, 20), unknown=(0, 2))
module("wavenet", WaveNet, fed(2, 8, 24), unknown=(0,))
module("unet", lambda: UNet(True), fed(2, 3, 16, 16), unknown=(0,))
module("unet_resized", lambda: UNet(False), fed(2, 3, 18, 22), unknown={0: (0, 2, 3)})
module("unet_attention", AttentionGate, fed(2, 3, 16, 16), unknown=(0,))
module("vae", Vae, fed(2, 1, 8, 8), unknown=(0,))
module("spatial_transformer", Spatial, fed(2, 1, 16, 16), unknown=(0,))
module("pointnet", PointNet, fed(2, 3, 30), unknown=(0, 2))
module("nerf", Nerf, fed(7, 3), unknown=(0,))
module("graph_net", GraphNet, fed(6, 5), given([[0, 1, 2, 3, 4, 5, 0], [1, 2, 3, 4, 5, 0, 3]], "int64"))
module("recommender", Recommender, ints(3, 3, high=20), ints(3, 5, high=20))
module("denoiser", Denoiser, fed(2, 3, 8, 8), ints(2, high=100), unknown=(0,))
module("style", Style, fed(2, 3, 16, 16), unknown=(0,))
module("transformer_encoder", lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, activation="gelu", norm_first=True, batch_first=True), 2), fed(2, 5, 16), unknown=(0, 1))
module("vgg", vgg, fed(2, 3, 32, 32), unknown=(0,), core=True)
module("lenet", lenet, fed(2, 1, 28, 28), unknown=(0,))
module("generator", generator, fed(2, 8, 1, 1), unknown=(0,))
module("super_resolution", super_resolution, fed(2, 1, 8, 8), unknown=(0, 2, 3))


class Alex(nn.Module):
    """Convolutions with normalisation by neighbouring channels, as in AlexNet."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 5, 2), nn.ReLU(), nn.LocalResponseNorm(5), nn.MaxPool2d(3, 2), nn.Conv2d(8, 16, 3, padding=1, groups=2), nn.ReLU(), nn.LocalResponseNorm(5), nn.LPPool2d(2, 2))
        self.out = nn.Linear(144, 10)

    def forward(self, x):
        return self.out(self.body(x).flatten(1))


class SegNet(nn.Module):
    """Pools whose places are used to enlarge again."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.back, self.out = conv(3, 8), conv(8, 16), conv(16, 8), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        x, first = F.max_pool2d(self.first(x), 2, return_indices=True)
        x, second = F.max_pool2d(self.second(x), 2, return_indices=True)
        x = self.back(F.max_unpool2d(x, second, 2))
        return self.out(F.max_unpool2d(x, first, 2))


module("alexnet", Alex, fed(2, 3, 32, 32), unknown=(0,), core=True)
module("segnet", SegNet, fed(2, 3, 16, 16), unknown=(0,))
module("transformer", lambda: nn.Transformer(16, 2, 2, 2, 32, batch_first=True), fed(2, 5, 16), fed(2, 4, 16), unknown={0: (0, 1), 1: (0, 1)})
