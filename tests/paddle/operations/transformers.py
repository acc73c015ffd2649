"""Transformers for words and sounds: encoders, decoders, masks, and what stands beside attention in newer ones."""
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
