"""Quantised operators, as mxnet.contrib.quantization writes them, and those that oneDNN has fused."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
LOW, HIGH = np.float32([-1.5]), np.float32([2.0])


def number(b, name, value):
    return b.fixed(np.float32([value]), name)


for kind in ("uint8", "int8"):
    @family.graph(f"quantize_{kind}", unknown=(0,))
    def quantize(b, kind=kind):
        x = b.fed("data", fed(2, 5, low=0 if kind == "uint8" else -1, high=1.5))
        made = b.op("_contrib_quantize", x, number(b, "low", 0 if kind == "uint8" else -1), number(b, "high", 1.25), attrs={"out_type": kind})
        return [made[0], made[1], made[2], b.op("_contrib_dequantize", made[0], made[1], made[2])]

for variant, attrs, low in (("", {"min_calib_range": -1.25, "max_calib_range": 1}, -1), ("auto", {"out_type": "auto", "min_calib_range": -0.5, "max_calib_range": 1}, -1),
                            ("auto_positive", {"out_type": "auto", "min_calib_range": 0, "max_calib_range": 0.75}, 0), ("uint8", {"out_type": "uint8", "min_calib_range": 0, "max_calib_range": 0.8}, 0), ("own_range", {}, -1)):
    @family.graph("quantize_v2" + ("_" + variant if variant else ""))
    def quantize_v2(b, attrs=attrs, low=low):
        made = b.op("_contrib_quantize_v2", b.fed("data", fed(2, 7, low=low)), attrs=attrs)
        return [made[0], b.op("_contrib_dequantize", made[0], made[1], made[2])]


def quantised(b, name, *shape, low=-1.0, kind="int8", high=1.0):
    """A quantised input and its range."""
    return b.op("_contrib_quantize_v2", b.fed(name, fed(*shape, low=low, high=high)), attrs={"out_type": kind, "min_calib_range": low, "max_calib_range": high}, name=name + "_quantize")


def weights(b, name, *shape, limit=0.5):
    return b.fixed(fed(*shape, dtype=np.int8, low=-127, high=127), name), number(b, name + "_min", -limit), number(b, name + "_max", limit)


def dequantised(b, made):
    return b.op("_contrib_dequantize", made[0], made[1], made[2])


def requantised(b, made, **attrs):
    """Of a result of 32 bits."""
    return dequantised(b, b.op("_contrib_requantize", made[0], made[1], made[2], attrs=attrs))


WEIGHTS, BIASES = (np.random.default_rng(seed).integers(-127, 127, shape, endpoint=True).astype(np.int8) for seed, shape in ((6, (4, 3, 3, 3)), (7, (4,))))


def convolved(data, attrs):
    """With a bias, and signed data: what a graphics card computes. A processor takes no signed data, and adds other numbers to unsigned ones than a bias stands for."""
    x = np.pad(np.clip(np.round(data * np.float32(127.5)), -128, 127) / np.float32(127.5), [(0, 0), (0, 0), *[(size, size) for size in attrs.get("pad", (0, 0))]])
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))[:, :, ::attrs.get("stride", (1, 1))[0], ::attrs.get("stride", (1, 1))[1]]
    # Integers and their sums stand for parts of 127 there, and when they become real numbers for parts of 127.5.
    y = np.einsum("nchwij,fcij->nfhw", windows * 127.5 / 127, WEIGHTS / 127 * 0.5) + (BIASES / 127 * 0.5)[:, None, None]
    steps = np.clip(np.round(y * 127 / 2.5), -128, 127)
    return [(steps * 2.5 / 127.5).astype(np.float32), steps.astype(np.int8)]


CONVOLUTIONS = (("", {"kernel": (3, 3), "num_filter": 4, "pad": (1, 1)}), ("strided", {"kernel": (3, 3), "num_filter": 4, "stride": (2, 2)}), ("no_bias", {"kernel": (1, 1), "num_filter": 4, "no_bias": True}))
for variant, attrs in CONVOLUTIONS:
    no_bias = attrs.get("no_bias", False)

    @family.graph("quantized_conv" + ("_" + variant if variant else ""), expected=None if no_bias else lambda data, attrs=attrs: convolved(data, attrs))
    def conv(b, no_bias=no_bias, attrs=attrs):
        x = quantised(b, "data", 2, 3, 6, 7, low=0.0, kind="uint8") if no_bias else quantised(b, "data", 2, 3, 6, 7)
        w, w_min, w_max = weights(b, "weight", 4, 3, *attrs["kernel"]) if no_bias else (b.fixed(WEIGHTS, "weight"), number(b, "weight_min", -0.5), number(b, "weight_max", 0.5))
        inputs = [x[0], w]
        ranges = [x[1], x[2], w_min, w_max]
        if not attrs.get("no_bias"):
            inputs.append(b.fixed(BIASES, "bias"))
            ranges += [number(b, "bias_min", -0.5), number(b, "bias_max", 0.5)]
        made = b.op("_contrib_quantized_conv", *inputs, *ranges, attrs={**attrs, "layout": "NCHW"})
        again = b.op("_contrib_requantize", made[0], made[1], made[2], attrs={"min_calib_range": -2.5, "max_calib_range": 2.5})
        return [dequantised(b, again), again[0]]


@family.graph("requantize_own_range")
def requantize(b):
    x = quantised(b, "data", 2, 3, 4, 4, low=0.0, kind="uint8")
    w, w_min, w_max = weights(b, "weight", 4, 3, 1, 1)
    made = b.op("_contrib_quantized_conv", x[0], w, x[1], x[2], w_min, w_max, attrs={"kernel": (1, 1), "num_filter": 4, "no_bias": True})
    return [dequantised(b, b.op("_contrib_requantize", made[0], made[1], made[2]))]


for variant, attrs in (("", {"num_hidden": 5}), ("no_bias", {"num_hidden": 5, "no_bias": True}), ("rows", {"num_hidden": 5, "flatten": False})):
    @family.graph("quantized_fully_connected" + ("_" + variant if variant else ""))
    def dense(b, variant=variant, attrs=attrs):
        shape = (2, 3, 4) if variant == "rows" else (2, 12)
        x = quantised(b, "data", *shape)
        w, w_min, w_max = weights(b, "weight", 5, shape[-1])
        if attrs.get("no_bias"):
            made = b.op("_contrib_quantized_fully_connected", x[0], w, x[1], x[2], w_min, w_max, attrs=attrs)
        else:
            bias, b_min, b_max = weights(b, "bias", 5)
            made = b.op("_contrib_quantized_fully_connected", x[0], w, bias, x[1], x[2], w_min, w_max, b_min, b_max, attrs=attrs)
        return [requantised(b, made)]

for variant, attrs in (("max", {"kernel": (2, 2), "stride": (2, 2), "pool_type": "max"}), ("avg", {"kernel": (2, 2), "stride": (2, 2), "pool_type": "avg"}), ("global", {"global_pool": True, "kernel": (1, 1), "pool_type": "avg"})):
    @family.graph("quantized_pooling_" + variant)
    def pooling(b, attrs=attrs):
        x = quantised(b, "data", 2, 3, 6, 8)
        return [dequantised(b, b.op("_contrib_quantized_pooling", x[0], x[1], x[2], attrs=attrs))]


@family.graph("quantized_relu")
def act(b):
    x = quantised(b, "data", 2, 7)
    return [dequantised(b, b.op("_contrib_quantized_act", x[0], x[1], x[2], attrs={"act_type": "relu"}))]


@family.graph("quantized_flatten")
def flatten(b):
    x = quantised(b, "data", 2, 3, 4)
    return [dequantised(b, b.op("_contrib_quantized_flatten", x[0], x[1], x[2]))]


@family.graph("quantized_concat")
def concat(b):
    first, second = quantised(b, "data", 2, 3, 4), quantised(b, "more", 2, 2, 4, low=-2.0, high=2.0)
    return [dequantised(b, b.op("_contrib_quantized_concat", first[0], second[0], first[1], first[2], second[1], second[2], attrs={"num_args": 2, "dim": 1}))]


for variant, attrs in (("", {}), ("calibrated", {"min_calib_range": -2.5, "max_calib_range": 2.5})):
    @family.graph("quantized_elemwise_add" + ("_" + variant if variant else ""))
    def add(b, attrs=attrs):
        first, second = quantised(b, "data", 2, 7), quantised(b, "more", 2, 7, low=-2.0, high=2.0)
        made = b.op("_contrib_quantized_elemwise_add", first[0], second[0], first[1], first[2], second[1], second[2], attrs=attrs)
        return [dequantised(b, made) if attrs else requantised(b, made)]


for variant, attrs in (("", {}), ("calibrated", {"min_calib_range": -1.5, "max_calib_range": 1.5}), ("real", {"enable_float_output": True})):
    @family.graph("quantized_elemwise_mul" + ("_" + variant if variant else ""))
    def mul(b, variant=variant, attrs=attrs):
        first, second = quantised(b, "data", 2, 7), quantised(b, "more", 2, 7, low=-2.0, high=2.0)
        made = b.op("_contrib_quantized_elemwise_mul", first[0], second[0], first[1], first[2], second[1], second[2], attrs=attrs)
        return [made[0]] if variant == "real" else [dequantised(b, made) if attrs else requantised(b, made)]


@family.graph("quantized_batch_norm")
def batch_norm(b):
    x = quantised(b, "data", 2, 4, 3, 3)
    made = b.op("_contrib_quantized_batch_norm", x[0], *[b.fixed(fed(4, low=low, high=1.2), name) for name, low in (("gamma", 0.8), ("beta", -0.2), ("moving_mean", -0.1), ("moving_var", 0.8))], x[1], x[2],
                attrs={"eps": 1e-5, "fix_gamma": False, "min_calib_range": -2.5, "max_calib_range": 2.5})
    return [dequantised(b, made)]


@family.graph("quantized_embedding")
def embedding(b):
    w, w_min, w_max = weights(b, "weight", 6, 3)
    return [dequantised(b, b.op("_contrib_quantized_embedding", b.fed("data", fed(values=[[1, 0, 5]])), w, w_min, w_max, attrs={"input_dim": 6, "output_dim": 3}))]


def on_steps(x, limit=1.0, unsigned=False):
    """The integers of a quantised tensor, as numbers."""
    return np.clip(np.round(x * np.float32((255.5 if unsigned else 127.5) / limit)), 0 if unsigned else -128, 255 if unsigned else 127).astype(np.float32)


def scored(data):
    parts = (on_steps(data) / np.float32(127.5)).reshape(4, 6, 3, 5)
    return parts[:, :, 0].transpose(1, 0, 2) / np.sqrt(np.float32(5)) @ parts[:, :, 1].transpose(1, 2, 0)


def valued(data, scores):
    values = (on_steps(data) / np.float32(127.5)).reshape(4, 6, 3, 5)[:, :, 2].transpose(1, 0, 2)
    return ((on_steps(scores, unsigned=True) / np.float32(255.5)) @ values).transpose(1, 0, 2).reshape(4, 3, 10)


def attention(name, kinds, **attrs):
    """Scores of quantised queries and keys, and values by quantised scores, which end this build of MXNet."""
    compute, real = scored if kinds == "scores" else valued, attrs.get("enable_float_output")

    def expected(**feeds):
        y = compute(**feeds)
        steps = on_steps(y, 2.5)
        return [y] if real else [steps * np.float32(2.5 / 127.5), steps.astype(np.int8)]

    @family.graph(name, expected=expected)
    def build(b):
        x = quantised(b, "data", 4, 3, 2 * 3 * 5)
        if kinds == "scores":
            made = b.op("_sg_mkldnn_selfatt_qk", x[0], x[1], x[2], attrs={"heads": 2, "quantized": True, **attrs})
        else:
            scores = quantised(b, "scores", 6, 4, 4, low=0.0, kind="uint8")
            made = b.op("_sg_mkldnn_selfatt_valatt", x[0], scores[0], x[1], x[2], scores[1], scores[2], attrs={"heads": 2, "quantized": True, **attrs})
        return [made[0]] if real else [dequantised(b, made), made[0]]


for kinds in ("scores", "values"):
    attention(f"sg_mkldnn_selfatt_{kinds}", kinds, min_calib_range=-2.5, max_calib_range=2.5)
    attention(f"sg_mkldnn_selfatt_{kinds}_real", kinds, enable_float_output=True)


for variant, attrs in (("", {"min_calib_range": -1.25, "max_calib_range": 0.75}), ("own_range", {})):
    def asymmetric(data, attrs=attrs):
        least, most = np.float32(attrs.get("min_calib_range", data.min())), np.float32(attrs.get("max_calib_range", data.max()))
        scale = np.float32(255) / (most - least)
        return [np.floor(data * scale + (255 - most * scale) + np.float32(0.5)).astype(np.uint8), scale.reshape(1).astype(np.float32), (255 - most * scale).reshape(1).astype(np.float32)]

    @family.graph("quantize_asym" + ("_" + variant if variant else ""), expected=asymmetric)
    def quantize_asym(b, attrs=attrs):
        made = b.op("_contrib_quantize_asym", b.fed("data", fed(3, 5, high=0.7)), attrs=attrs)
        return [made[0], made[1], made[2]]


PARAMETERS = np.random.default_rng(8).uniform(-0.6, 0.6, 16 * (3 + 4 + 2)).astype(np.float32)


def recurrent(x, state, cell):
    """The layer of real numbers. MXNet's rounds weights and states, too, so its numbers are others."""
    import mxnet as mx
    found = mx.nd.RNN(*[mx.nd.array(one) for one in (x, PARAMETERS, state, cell)], state_size=4, num_layers=1, mode="lstm", state_outputs=True)
    return [one.asnumpy() for one in found]


def quantised_rnn(b, x, scale, shift):
    made = b.op("_contrib_quantized_rnn", x, b.fixed(PARAMETERS, "parameters"), b.fed("state", fed(1, 2, 4)), b.fed("cell", fed(1, 2, 4)), scale, shift, attrs={"state_size": 4, "num_layers": 1, "mode": "lstm", "state_outputs": True})
    return [made[0], made[1], made[2]]


@family.graph("quantized_rnn", expected=lambda data, state, cell: recurrent(np.round((data + 1) * np.float32(127.5)) / np.float32(127.5) - 1, state, cell))
def rnn_of_reals(b):
    x = b.op("_contrib_quantize_asym", b.fed("data", fed(5, 2, 3)), attrs={"min_calib_range": -1, "max_calib_range": 1})
    return quantised_rnn(b, x[0], x[1], x[2])


@family.graph("quantized_rnn_of_integers", expected=lambda data, state, cell: recurrent((data.astype(np.float32) - 100) / 128, state, cell))
def rnn_of_integers(b):
    return quantised_rnn(b, b.fed("data", fed(5, 2, 3, dtype=np.uint8, low=0, high=255)), number(b, "scale", 128), number(b, "shift", 100))


for variant, kind, attrs in (("reshape", "_contrib_quantized_reshape", {"shape": (0, -1)}), ("transpose", "_contrib_quantized_transpose", {"axes": (1, 0, 2)}), ("npx_reshape", "_npx_quantized_reshape", {"newshape": (-2, -1)}),
                             ("npx_transpose", "_npx_quantized_transpose", {"axes": (2, 1, 0)})):
    def as_later(text, kind=kind, attrs=attrs):
        for node in text["nodes"]:
            if node["op"] == "_contrib_quantized_flatten":
                node["op"], node["attrs"] = kind, {key: str(value) for key, value in attrs.items()}
        text["attrs"]["mxnet_version"] = ["int", 20000]

    def changed(data, kind=kind, attrs=attrs):
        steps = np.clip(np.round(data * np.float32(127.5)), -128, 127).astype(np.float32) / np.float32(127.5)
        return [steps.transpose(attrs["axes"]) if "axes" in attrs else steps.reshape(2, 12)]

    @family.graph("quantized_" + variant, change=as_later, expected=changed)
    def later(b):
        x = quantised(b, "data", 2, 3, 4)
        return [dequantised(b, b.op("_contrib_quantized_flatten", x[0], x[1], x[2]))]


def small(b):
    x = b.op("Convolution", data=b.fed("data", fed(2, 3, 8, 8, low=0)), attrs={"kernel": (3, 3), "pad": (1, 1), "num_filter": 4}, name="conv")
    x = b.op("BatchNorm", data=x, attrs={"fix_gamma": False, "eps": 1e-5}, name="bn")
    first = b.op("Activation", data=x, attrs={"act_type": "relu"}, name="act")
    x = b.op("Convolution", data=first, attrs={"kernel": (3, 3), "pad": (1, 1), "num_filter": 4}, name="conv2")
    x = b.op("Activation", data=b.op("elemwise_add", x, first, name="sum"), attrs={"act_type": "relu"}, name="act2")
    x = b.op("Pooling", data=x, attrs={"kernel": (2, 2), "stride": (2, 2), "pool_type": "max"}, name="pool")
    return b.op("FullyConnected", data=x, attrs={"num_hidden": 5}, name="fc")


@family.graph("fused")
def fused(b):
    """As MXNet writes what oneDNN has fused."""
    return [small(b).get_backend_symbol("MKLDNN")]


def arrays_of(b, symbol):
    """Drawn numbers of all parameters."""
    shapes = symbol.infer_shape(data=(2, 3, 8, 8))
    for name, shape in [*zip(symbol.list_arguments(), shapes[0]), *zip(symbol.list_auxiliary_states(), shapes[2])]:
        if name != "data":
            limit = 0.5 if len(shape) > 1 else 0.1
            b.parameters[name] = b.rng.uniform(*((0.8, 1.2) if name.endswith(("gamma", "var")) else (-limit, limit)), shape).astype(np.float32)


@family.graph("quantised_network")
def quantised_network(b):
    """As mxnet.contrib.quantization writes it, with the ranges of one batch."""
    from mxnet.contrib import quantization
    mx, symbol = b.mx, small(b)
    arrays_of(b, symbol)
    given = {name: mx.nd.array(array) for name, array in b.parameters.items()}
    auxiliary = {name: given.pop(name) for name in symbol.list_auxiliary_states()}
    batch = mx.io.NDArrayIter(mx.nd.array(b.rng.uniform(0, 1, (2, 3, 8, 8))), batch_size=2, label_name=None)
    made, arguments, auxiliary = quantization.quantize_model_mkldnn(symbol, given, auxiliary, data_names=("data",), label_names=None, calib_mode="naive", calib_data=batch, num_calib_examples=2, quantized_dtype="auto")
    b.parameters.clear()
    wanted = {*made.list_arguments(), *made.list_auxiliary_states()}
    b.parameters.update({name: array.asnumpy() for name, array in {**arguments, **auxiliary}.items() if name in wanted})
    return [made]
