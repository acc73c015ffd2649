"""Networks of PaddleSpeech, small: features of sound, and what reads them, tells voices apart, and speaks."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from values import fed

family = Family(__name__)
SOUND = {"sr": 8000, "n_fft": 64, "hop_length": 20, "n_mels": 12, "f_min": 50.0}


class Features(nn.Layer):
    """Of a wave: its spectrum by windows, in bands as people hear them, in decibels, or as their cosines."""

    def __init__(self, kind, **more):
        super().__init__()
        self.features = getattr(paddle.audio.features, kind)(**SOUND, **more)
        for name, matrix in list(self.features.named_buffers(include_sublayers=False)):
            self.features.register_buffer(name, paddle.to_tensor(np.ascontiguousarray(matrix.numpy())))

    def forward(self, wave):
        return self.features(wave)


class DeepSpeech(nn.Layer):
    """Convolutions over time and bands, then GRUs forwards and backwards: the letters of each step, with the normalisation of features in the model."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2D(1, 4, 3, 2), nn.Conv2D(4, 4, 3, 2)
        self.rnn, self.norm, self.head = nn.GRU(8, 6, num_layers=2, direction="bidirectional"), nn.LayerNorm(12), nn.Linear(12, 9)
        self.mean, self.factor = self.create_parameter([12]), self.create_parameter([12])

    def forward(self, x):
        x = ((x - self.mean) * self.factor).unsqueeze(1)
        x = f.relu(self.second(f.relu(self.first(x))))
        x = x.transpose([0, 2, 1, 3]).flatten(2)
        return f.log_softmax(self.head(self.norm(self.rnn(x)[0])), axis=-1)


class Voice(nn.Layer):
    """ECAPA-TDNN: parts of the channels one after another with dilations, squeeze and excitation, statistics that attention weighs."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1D(12, 16, 5, padding=2, padding_mode="reflect")
        self.parts = nn.LayerList([nn.Conv1D(4, 4, 3, padding=2, dilation=2, padding_mode="reflect") for _ in range(3)])
        self.small, self.large, self.norm = nn.Conv1D(16, 4, 1), nn.Conv1D(4, 16, 1), nn.BatchNorm1D(16)
        self.seen, self.weigh, self.last = nn.Conv1D(48, 8, 1), nn.Conv1D(8, 16, 1), nn.Conv1D(32, 6, 1)

    def forward(self, x):
        x = self.norm(f.relu(self.first(x.transpose([0, 2, 1]))))
        found = []
        for part, layer in zip(paddle.chunk(x, 4, axis=1), [None, *self.parts]):
            found.append(part if layer is None else f.relu(layer(part + found[-1] if len(found) > 1 else part)))
        y = paddle.concat(found, axis=1)
        y = x + y * f.sigmoid(self.large(f.relu(self.small(y.mean(axis=2, keepdim=True)))))
        mean = y.mean(axis=2, keepdim=True)
        deviation = paddle.sqrt((y - mean).pow(2).mean(axis=2, keepdim=True).clip(min=1e-12))
        weights = f.softmax(self.weigh(paddle.tanh(self.seen(paddle.concat([y, mean.expand_as(y), deviation.expand_as(y)], axis=1)))), axis=2)
        mean = (weights * y).sum(axis=2)
        deviation = paddle.sqrt((weights * (y - mean.unsqueeze(2)).pow(2)).sum(axis=2).clip(min=1e-12))
        return f.normalize(self.last(paddle.concat([mean, deviation], axis=1).unsqueeze(2)).squeeze(2), axis=1)


class Speaker(nn.Layer):
    """FastSpeech2: how long each sound lasts is said by the network; it is repeated so often; bands of the wave, and a HiFi-GAN that makes it."""

    def __init__(self):
        super().__init__()
        self.sounds = nn.Embedding(20, 8)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 1)
        self.lasts, self.long, self.bands = nn.Conv1D(8, 8, 3, padding=1), nn.Linear(8, 1), nn.Linear(8, 12)
        self.up, self.kernel, self.wave = nn.Conv1DTranspose(12, 6, 8, 4, padding=2), nn.Conv1D(6, 6, 3, padding=3, dilation=3), nn.Conv1D(6, 1, 7, padding=3)

    def forward(self, text):
        x = self.encoder(self.sounds(text))
        length = self.long(f.relu(self.lasts(x.transpose([0, 2, 1])).transpose([0, 2, 1]))).squeeze(-1)
        length = paddle.clip(paddle.round(paddle.exp(length) - 1.0), min=1.0).astype("int64")
        ends = paddle.cumsum(length, axis=1)
        steps = paddle.arange(ends[:, -1].max(), dtype="int64").unsqueeze([0, 2])
        belongs = paddle.logical_and(steps < ends.unsqueeze(1), steps >= (ends - length).unsqueeze(1)).astype("float32")
        bands = self.bands(paddle.matmul(belongs, x))
        y = f.leaky_relu(self.up(bands.transpose([0, 2, 1])), 0.1)
        y = y + self.kernel(f.leaky_relu(y, 0.1))
        return paddle.tanh(self.wave(f.leaky_relu(y))).squeeze(1), bands


family.traced("MelSpectrogram", x=fed(2, 400))(lambda: Features("MelSpectrogram", power=1.0))
family.traced("LogMelSpectrogram", x=fed(2, 400))(lambda: Features("LogMelSpectrogram"))
family.traced("MFCC", x=fed(1, 400))(lambda: Features("MFCC", n_mfcc=8))
family.traced("DeepSpeech2", (0, 1), x=fed(1, 30, 12))(DeepSpeech)
family.traced("ECAPA_TDNN", (0, 1), x=fed(2, 20, 12))(Voice)
family.traced("FastSpeech2", text=fed(values=[[3, 1, 4, 1, 5, 9, 2]], dtype="int64"))(Speaker)
