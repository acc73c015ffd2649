"""Programs with whole numbers, scales and zero points: for a tensor, for each channel, for each token."""
import torch
from torch import nn

from models import Family, fed, given, ints

family = Family(__name__)
case, module = family.case, family.module


def op(name):
    def call(*args, **options):
        from torch.ao.quantization.fx import _decomposed  # noqa: F401: registers the operators
        return getattr(torch.ops.quantized_decomposed, name)(*args, **options)
    return call


quantize_tensor, dequantize_tensor = op("quantize_per_tensor"), op("dequantize_per_tensor")
quantize_channel, dequantize_channel = op("quantize_per_channel"), op("dequantize_per_channel")
quantize_token, dequantize_token = op("quantize_per_token"), op("dequantize_per_token")
U8, I8, I16, I32 = (0, 255, torch.uint8), (-128, 127, torch.int8), (-32768, 32767, torch.int16), (-(2 ** 31), 2 ** 31 - 1, torch.int32)
NARROW = (-127, 127, torch.int8)
X = fed(2, 3, 4, low=-3, high=3)


def there_and_back(x, type_=U8, scale=0.017, zero=100):
    return dequantize_tensor(quantize_tensor(x, scale, zero, *type_), scale, zero, *type_)


class Quantized(nn.Module):
    """A layer as quantisation after training leaves it."""

    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.randint(-127, 128, (5, 4), dtype=torch.int8))
        self.register_buffer("scale", torch.rand(5) * 0.01 + 0.001)
        self.register_buffer("zero", torch.zeros(5, dtype=torch.int64))
        self.bias = nn.Parameter(torch.rand(5))

    def forward(self, x):
        x = there_and_back(x, I8, 0.03, -3)
        weight = dequantize_channel(self.weight, self.scale, self.zero, 0, *NARROW)
        return there_and_back(nn.functional.linear(x, weight, self.bias), I8, 0.02, 5)


class Channels(nn.Module):
    def __init__(self, axis, type_):
        super().__init__()
        channels = (2, 3, 4)[axis]
        self.axis, self.type = axis, type_
        self.register_buffer("scale", torch.linspace(0.01, 0.05, channels))
        self.register_buffer("zero", torch.arange(channels) + 3)

    def forward(self, x):
        y = quantize_channel(x, self.scale, self.zero, self.axis, *self.type)
        return y, dequantize_channel(y, self.scale, self.zero, self.axis, *self.type)


def tokens(x):
    scale, zero = x.abs().amax(-1, keepdim=True) / 100, (x.mean(-1, keepdim=True) * 4).round()
    y = quantize_token(x, scale, zero, *I8)
    return y, dequantize_token(y, scale, zero, *I8, torch.float32)


case("quantize_tensor", lambda x: quantize_tensor(x, 0.017, 100, *U8), X, unknown=(0,))
case("quantize_tensor_narrow", lambda x: quantize_tensor(x, 0.02, 0, *NARROW), X)
case("quantize_tensor_i16", lambda x: quantize_tensor(x, 0.0001, 7, *I16), X)
case("quantize_tensor_i32", lambda x: quantize_tensor(x, 0.001, 0, *I32), X)
case("quantize_tensor_computed", lambda x, scale: quantize_tensor(x, scale, torch.tensor(3), *I8), X, given(0.02))
case("dequantize_tensor", lambda x: dequantize_tensor(x, 0.017, 100, *U8), ints(2, 3, 4, high=256, dtype="uint8"), unknown=(0,))
case("dequantize_tensor_i32", lambda x: dequantize_tensor(x, 0.01, 0, *I32), ints(2, 3, low=-500, high=500, dtype="int32"))
case("there_and_back", there_and_back, X, unknown=(0,), core=True)
module("layer", Quantized, fed(3, 4, low=-3, high=3), unknown=(0,))
module("channels", lambda: Channels(1, I8), X, unknown=(0,))
module("channels_last", lambda: Channels(2, U8), X)
module("channels_narrow", lambda: Channels(1, NARROW), X)
case("tokens", tokens, X, unknown=(0, 1))
