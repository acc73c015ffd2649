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
quantize_group, dequantize_group, fake_channels = op("quantize_per_channel_group"), op("dequantize_per_channel_group"), op("fake_quant_per_channel")
choose, choose_symmetric = op("choose_qparams"), op("choose_qparams_symmetric")
choose_token, choose_token_asymmetric = op("choose_qparams_per_token"), op("choose_qparams_per_token_asymmetric")
convert_element_type = op("convert_element_type")


class Groups(nn.Module):
    """A layer whose weights have a scale for each group of four."""

    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.randint(-8, 8, (5, 8), dtype=torch.int8))
        self.register_buffer("scale", torch.rand(5, 2) * 0.01 + 0.001)
        self.register_buffer("zero", torch.randint(-2, 3, (5, 2)))

    def forward(self, x):
        return nn.functional.linear(x, dequantize_group(self.weight, self.scale, self.zero, -8, 7, torch.int8, 4, torch.float32))


class Trained(nn.Module):
    """What quantisation-aware training leaves: a scale for each channel of weights, one for what comes in."""

    def __init__(self, learnt=False):
        super().__init__()
        self.layer, self.learnt = nn.Conv2d(3, 4, 3), learnt
        self.register_buffer("scale", torch.tensor([0.02]))
        self.register_buffer("zero", torch.tensor([117], dtype=torch.int32))
        self.register_buffer("scales", torch.linspace(0.001, 0.004, 4))
        self.register_buffer("zeros", torch.zeros(4, dtype=torch.int32))

    def forward(self, x):
        if self.learnt:
            x = torch._fake_quantize_learnable_per_tensor_affine(x, self.scale, self.zero.float() + 0.3, 0, 255)
            weight = torch._fake_quantize_learnable_per_channel_affine(self.layer.weight, self.scales, self.zeros.float(), 0, -128, 127)
        else:
            x = torch.fake_quantize_per_tensor_affine(x, self.scale, self.zero, 0, 255)
            weight = torch.fake_quantize_per_channel_affine(self.layer.weight, self.scales, self.zeros, 0, -127, 127)
        return nn.functional.conv2d(x, weight, self.layer.bias)


class Observed(nn.Module):
    """A step of training that can be turned off."""

    def __init__(self, fake):
        super().__init__()
        self.register_buffer("fake", torch.tensor([fake]))
        self.register_buffer("scale", torch.tensor([0.02]))
        self.register_buffer("zero", torch.tensor([3], dtype=torch.int32))

    def forward(self, x):
        return torch.ops.aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(x, self.scale, self.zero, self.fake, -128, 127)[0]


class Observer(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("least", "most", "scale"):
            self.register_buffer(name, torch.ones(1))
        self.register_buffer("zero", torch.zeros(1, dtype=torch.int32))
        self.register_buffer("on", torch.tensor([1]))

    def forward(self, x):
        return torch.fused_moving_avg_obs_fake_quant(x, self.on, self.on, self.least, self.most, self.scale, self.zero, 0.01, 0, 255, 0)


A = torch.ops.aten
case("quantize_tensor_limits_refused", lambda x, m: op("quantize_per_tensor")(x, torch.tensor(0.1), torch.tensor(3), m, torch.tensor(127), torch.int8), X, given(-128, "int64"), refused="quant_min")
case("dequantize_tensor_computed", lambda x, scale: dequantize_tensor(x, scale, torch.tensor(3), *I8), ints(2, 3, 4, low=-128, high=128, dtype="int8"), given(0.02))
module("groups", Groups, fed(3, 8), unknown=(0,))
case("quantize_per_channel_group", lambda x: quantize_group(x, torch.linspace(0.1, 0.3, 4).reshape(2, 2), torch.tensor([[0, 1], [2, -1]]), -8, 7, torch.int8, 4), fed(2, 8, low=-2, high=2))
case("choose_qparams", lambda x: (lambda s, z: quantize_tensor(x, s, z, *U8))(*choose(x, 0, 255, 1e-5, torch.uint8)), X, unknown=(0,))
case("choose_qparams_values", lambda x: choose(x, -128, 127, 1e-5, torch.int8), X)
case("choose_qparams_symmetric", lambda x: choose_symmetric(x, -128, 127, 1e-5, torch.int8), X, unknown=(0,))
case("choose_qparams_symmetric_unsigned", lambda x: choose_symmetric(x, 0, 255, 1e-5, torch.uint8), X)
case("choose_qparams_per_token", lambda x: (lambda s, z: quantize_token(x, s, z, *I8))(*choose_token(x, torch.int8)), X, unknown=(0,))
case("choose_qparams_per_token_asymmetric", lambda x: choose_token_asymmetric(x, torch.int8), X, unknown=(0, 1))
case("_choose_qparams_per_token_asymmetric_impl", lambda x: op("_choose_qparams_per_token_asymmetric_impl")(x, torch.int8), X)
case("convert_element_type", lambda x: convert_element_type(x, torch.float16) * 2, X)
case("fake_quant_per_channel", lambda x: fake_channels(x, torch.linspace(0.01, 0.03, 3), torch.tensor([3, -2, 0], dtype=torch.int32), 1, -128, 127), X, unknown=(0,))
case("fake_quantize_tensor", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.03, 100, 0, 255), X, core=True)
case("fake_quantize_tensor_narrow", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.5, -1, -7, 7), X)
case("fake_quantize_tensor_many", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.0001, 7, -32768, 32767), X)
case("fake_quantize_tensor_computed", lambda x, s: torch.fake_quantize_per_tensor_affine(x, s, torch.tensor(5), -128, 127), X, given(0.03))
case("fake_quantize_per_tensor_affine_cachemask", lambda x: A.fake_quantize_per_tensor_affine_cachemask(x, 0.02, 3, -128, 127)[0], X)
case("fake_quantize_mask_refused", lambda x: A.fake_quantize_per_tensor_affine_cachemask(x, 0.02, 3, -128, 127), X, refused="output 1")
case("fake_quantize_per_channel_affine", lambda x: torch.fake_quantize_per_channel_affine(x, torch.linspace(0.01, 0.03, 4), torch.tensor([3, -2, 0, 7], dtype=torch.int32), 2, -128, 127), X)
case("fake_quantize_per_channel_affine_cachemask", lambda x: A.fake_quantize_per_channel_affine_cachemask(x, torch.linspace(0.01, 0.03, 3), torch.zeros(3), 1, -8, 7)[0], X)
module("trained", Trained, fed(2, 3, 6, 6, low=-3, high=3))
module("learnt", lambda: Trained(True), fed(2, 3, 6, 6, low=-3, high=3))
module("fake_quantize_on", lambda: Observed(1), X)
module("fake_quantize_off", lambda: Observed(0), X)
module("fused_moving_avg_obs_fake_quant", Observer, X, refused="observes")
