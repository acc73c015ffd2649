"""Operations and exporters' patterns that the runtime computes by one layer: IR must have them in a form that it recognises. Its layers are those for
OpenVINO's own converter, and never more; the numbers are those of ONNX Runtime."""
import collections

import numpy as np
import onnx.parser
import pytest

import judge

RNG = np.random.default_rng(29)
HEAD = '<ir_version: 10, opset_import: ["": %d, "com.microsoft": 1]>\nagraph '


def f32(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def caches(length, half):
    angles = np.arange(length)[:, None] / 10 ** (np.arange(half) / half)
    return {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}


def qdq(name, scale="s", zero="z"):
    """The statements that round `name` to bytes and back."""
    return f"{name}_q = QuantizeLinear({name}, {scale}, {zero})\n{name}_r = DequantizeLinear({name}_q, {scale}, {zero})\n"


BYTES = {"s": np.float32(0.03), "z": np.uint8(128)}
LENGTHS = {"lengths": 7, "last": 4, "total": 5}
RECURRENT = dict(size=6, hidden=4)


def gates(count, directions=1):
    size, hidden = RECURRENT["size"], RECURRENT["hidden"]
    return {"W": f32(directions, count * hidden, size) / 2, "R": f32(directions, count * hidden, hidden) / 2, "B": f32(directions, 2 * count * hidden) / 4}


def quantised(array, axis=None):
    scale = np.abs(array).max(axis=tuple(i for i in range(array.ndim) if i != axis) if axis is not None else None) / 127
    wide = scale.reshape([-1 if i == axis else 1 for i in range(array.ndim)]) if axis is not None else scale
    return np.round(array / wide).astype(np.int8), scale.astype(np.float32)


def quantised_weights(*shape):
    weights, scale = quantised(f32(*shape) / 4, 0 if len(shape) > 2 else 1)
    return {"w": weights, "ws": scale, "wz": np.zeros(scale.shape, np.int8)}


# name: (operator set, inputs, statements giving y and more outputs, initializers, layers)
CASES = {}


def case(name, inputs, statements, weights={}, layers="", opset=23, outputs="y"):
    CASES[name] = (opset, inputs, statements, weights, collections.Counter(layers.split()), outputs)


for interleaved in (0, 1):
    for size, part, kind in ((16, 0, "full"), (16, 8, "part")):
        for sides in ("3d", "4d"):
            shape = f"float[N,S,{3 * size}]" if sides == "3d" else f"float[N,3,S,{size}]"
            form = f"{'interleaved' if interleaved else 'halves'}_{kind}_{sides}"
            tables, more = caches(12, (part or size) // 2), f"interleaved={interleaved}, rotary_embedding_dim={part}"
            case("rope_" + form, f"{shape} x, int64[N,S] p", f"y = RotaryEmbedding<num_heads=3, {more}>(x, cos, sin, p)", tables, "RoPE")
            case("rope_ms_" + form, f"{shape} x, int64[N,S] p",
                 f"y = com.microsoft.RotaryEmbedding<{more}{', num_heads=3' if part else ''}>(x, p, cos, sin)", tables, "RoPE")
    for packed in (False, True):
        for part in (32, 16):
            inputs = "float[N,S,256] q, " if packed else "float[N,S,128] q, float[N,S,64] k, float[N,S,64] v, "
            case(f"group_query_{'interleaved' if interleaved else 'halves'}_{part}{'_packed' if packed else ''}",
                 inputs + "float[N,2,P,32] a, float[N,2,P,32] b, int32[N] last, int32 total",
                 f"y, c, d = com.microsoft.GroupQueryAttention<num_heads=4, kv_num_heads=2, do_rotary=1, rotary_interleaved={interleaved}>"
                 f"(q, {',' if packed else 'k, v'}, a, b, last, total, cos, sin)", caches(12, part // 2), "RoPE RoPE Subgraph", outputs="y, c, d")
for tables in ("ids", "tables"):
    where = ", int64[N,S] p" if tables == "ids" else ", float[N,S,8] c, float[N,S,8] d"
    call = "(x, cos, sin, p)" if tables == "ids" else "(x, c, d)"
    case(f"rope_fed_{tables}", "float[N,3,S,16] x" + where + (", float[12,8] cos, float[12,8] sin" if tables == "ids" else ""), f"y = RotaryEmbedding{call}", {}, "RoPE")
# what exporters write for Llama: halves that are turned by Neg, Concat and full tables
LLAMA = ("c1 = Gather(cos2, p)\ns1 = Gather(sin2, p)\nc = Unsqueeze(c1, one)\ns = Unsqueeze(s1, one)\nh1 = Slice(x, zero, half, last)\nh2 = Slice(x, half, all, last)\n"
         "n = Neg(h2)\nt = Concat<axis=-1>(n, h1)\na = Mul(x, c)\nb = Mul(t, s)\ny = Add(a, b)")
tables = caches(12, 8)
case("rope_of_llama", "float[N,3,S,16] x, int64[N,S] p", LLAMA,
     {"cos2": np.concatenate([tables["cos"]] * 2, 1), "sin2": np.concatenate([tables["sin"]] * 2, 1), "one": np.array([1]), "zero": np.array([0]), "half": np.array([8]),
      "all": np.array([2**63 - 1]), "last": np.array([3])}, "RoPE")

case("mvn_layer_norm", "float[N,S,8] x", "y = LayerNormalization(x, g, b)", {"g": f32(8), "b": f32(8)}, "MVN")
case("mvn_of_pow", "float[N,S,8] x", "m = ReduceMean(x, last)\nd = Sub(x, m)\np = Pow(d, two)\nv = ReduceMean(p, last)\ne = Add(v, eps)\nr = Sqrt(e)\ny = Div(d, r)",
     {"last": np.array([-1]), "two": np.float32(2), "eps": np.float32(1e-5)}, "MVN")
case("mvn_operator", "float[N,3,4,5] x", "y = MeanVarianceNormalization<axes=[2,3]>(x)", {}, "MVN")
case("mvn_instance", "float[N,3,4,5] x", "y = InstanceNormalization(x, g, b)", {"g": f32(3), "b": f32(3)}, "MVN")
case("mvn_group", "float[N,4,4,5] x", "y = GroupNormalization<num_groups=2>(x, g, b)", {"g": f32(4), "b": f32(4)}, "MVN")
case("mvn_skip", "float[N,S,8] x, float[N,S,8] z", "y = com.microsoft.SkipLayerNormalization(x, z, g, b)", {"g": f32(8), "b": f32(8)}, "MVN")
case("rms_operator", "float[N,S,8] x", "y = RMSNormalization(x, g)", {"g": f32(8)}, "RMS")
case("rms_simplified", "float[N,S,8] x", "y = SimplifiedLayerNormalization<axis=-1, epsilon=1e-5>(x, g)", {"g": f32(8)}, "RMS")
case("rms_skip", "float[N,S,8] x, float[N,S,8] z", "y = com.microsoft.SkipSimplifiedLayerNormalization(x, z, g)", {"g": f32(8)}, "RMS")
case("rms_of_llama", "float[N,S,8] x", "p = Pow(x, two)\nm = ReduceMean(p, last)\ne = Add(m, eps)\nr = Sqrt(e)\ni = Reciprocal(r)\nn = Mul(x, i)\ny = Mul(g, n)",
     {"last": np.array([-1]), "two": np.float32(2), "eps": np.float32(1e-5), "g": f32(8)}, "RMS")
case("rms_of_div", "float[N,S,8] x", "p = Mul(x, x)\nm = ReduceMean(p, last)\ne = Add(m, eps)\nr = Sqrt(e)\ni = Div(one, r)\nn = Mul(x, i)\ny = Mul(n, g)",
     {"last": np.array([-1]), "one": np.float32(1), "eps": np.float32(1e-5), "g": f32(8)}, "RMS")

UNARY = {"gelu_operator": "y = Gelu(x)", "gelu_tanh_operator": 'y = Gelu<approximate="tanh">(x)', "gelu_fast": "y = com.microsoft.FastGelu(x)",
         "gelu_quick": "y = com.microsoft.QuickGelu(x)", "gelu_ms": "y = com.microsoft.Gelu(x)", "hswish_operator": "y = HardSwish(x)", "mish_operator": "y = Mish(x)",
         "softplus_operator": "y = Softplus(x)", "softsign_operator": "y = Softsign(x)", "elu_operator": "y = Elu(x)", "selu_operator": "y = Selu(x)",
         "swish_operator": "y = Swish<alpha=1.5>(x)", "swish": "s = Sigmoid(x)\ny = Mul(x, s)", "mish": "s = Softplus(x)\nt = Tanh(s)\ny = Mul(x, t)",
         "hsigmoid_operator": "y = HardSigmoid<alpha=0.16666667, beta=0.5>(x)", "prelu": "y = LeakyRelu<alpha=0.3>(x)"}
for name, statement in UNARY.items():
    case(name, "float[N,S,8] x", statement, {}, "Math" if name in ("selu_operator", "hsigmoid_operator") else "Eltwise", opset=24)
GELU = {"gelu_of_erf": ("d = Div(x, r)\ne = Erf(d)\ns = Add(e, one)\nm = Mul(x, s)\ny = Mul(m, h)", {"r": np.float32(2**0.5)}),
        "gelu_of_tanh": ("c = Pow(x, three)\nd = Mul(c, k)\ne = Add(x, d)\nf = Mul(e, r)\nt = Tanh(f)\ns = Add(t, one)\nm = Mul(x, s)\ny = Mul(m, h)",
                         {"r": np.float32((2 / np.pi) ** 0.5), "k": np.float32(0.044715), "three": np.float32(3)}),
        "gelu_of_products": ("q = Mul(x, x)\nc = Mul(q, x)\nd = Mul(c, k)\ne = Add(x, d)\nf = Mul(e, r)\nt = Tanh(f)\ns = Add(t, one)\nm = Mul(x, s)\ny = Mul(m, h)",
                             {"r": np.float32((2 / np.pi) ** 0.5), "k": np.float32(0.044715)})}
for name, (statements, weights) in GELU.items():
    case(name, "float[N,S,8] x", statements, {"one": np.float32(1), "h": np.float32(0.5), **weights}, "Eltwise")
case("hswish", "float[N,3,4,5] x", "p = Add(x, three)\nc = Clip(p, zero, six)\nm = Mul(x, c)\ny = Div(m, six)",
     {"three": np.float32(3), "zero": np.float32(0), "six": np.float32(6)}, "Eltwise")
case("l2_lp", "float[N,6,8] x", "y = LpNormalization<axis=1>(x)", {}, "NormalizeL2")
case("l2_clip", "float[N,6,8] x", "n = ReduceL2(x, axes)\nc = Clip(n, eps)\nz = Shape(x)\ne = Expand(c, z)\ny = Div(x, e)", {"eps": np.float32(1e-12), "axes": np.array([1])}, "NormalizeL2")

QKV = "float[N,4,S,16] q, float[N,4,T,16] k, float[N,4,T,16] v"
case("attention_operator", QKV, "y = Attention(q, k, v)", {}, "Subgraph")
case("attention_causal", QKV, "y = Attention<is_causal=1>(q, k, v)", {}, "Subgraph")
case("attention_masked", QKV + ", float[N,1,S,T] m", "y = Attention(q, k, v, m)", {}, "Subgraph")
case("attention_3d", "float[N,S,64] q, float[N,T,32] k, float[N,T,32] v", "y = Attention<q_num_heads=4, kv_num_heads=2>(q, k, v)", {}, "Subgraph")
case("attention_pattern", QKV + ", float[N,1,1,T] m", "t = Transpose<perm=[0,1,3,2]>(k)\np = MatMul(q, t)\ns = Div(p, d)\na = Add(s, m)\nw = Softmax<axis=-1>(a)\ny = MatMul(w, v)",
     {"d": np.float32(4)}, "Subgraph")
case("attention_multi_head", "float[N,S,64] q, float[N,T,64] k, float[N,T,64] v", "y = com.microsoft.MultiHeadAttention<num_heads=4>(q, k, v)", {}, "Subgraph")
case("attention_projected", "float[N,S,64] x", "y = com.microsoft.Attention<num_heads=4, unidirectional=1>(x, w, b)", {"w": f32(64, 192) / 8, "b": f32(192)}, "Subgraph FullyConnected")

for kind, count in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
    more = ", linear_before_reset=1" if kind == "GRU" else ""
    for way, directions in (("forward", 1), ("reverse", 1), ("bidirectional", 2)):
        case(f"{kind.lower()}_{way}", "float[T,2,6] x", f'y = {kind}<hidden_size=4, direction="{way}"{more}>(x, W, R, B)', gates(count, directions),
             "RNNSeq" if directions == 1 else "RNNSeq RNNSeq", opset=14)
case("lstm_lengths", "float[T,2,6] x, int32[2] lengths", "y, h = LSTM<hidden_size=4>(x, W, R, B, lengths)", gates(4), "RNNSeq Subgraph", opset=14, outputs="y, h")

CONVOLUTION = ("wr = DequantizeLinear<axis=0>(w, ws, wz)\n" + qdq("x") + "c = Conv<pads=[1,1,1,1]>(x_r, wr)\n" + qdq("c") + "y = Relu(c_r)")
case("quantised_conv", "float[N,8,6,6] x", CONVOLUTION, {**BYTES, **quantised_weights(16, 8, 3, 3)}, "Convolution FakeQuantize", opset=17)
case("quantised_matmul", "float[N,S,16] x", "wr = DequantizeLinear<axis=1>(w, ws, wz)\n" + qdq("x") + "c = MatMul(x_r, wr)\n" + qdq("c") + "y = Relu(c_r)",
     {**BYTES, **quantised_weights(16, 32)}, "FullyConnected FakeQuantize", opset=17)
case("quantised_qlinear_conv", "uint8[N,8,6,6] x", "y = QLinearConv<pads=[1,1,1,1]>(x, s, z, w, ws, wz, s, z)", {**BYTES, **quantised_weights(16, 8, 3, 3)}, "Convolution", opset=17)
case("quantised_round_trip", "float[N,8,6,6] x", qdq("x") + "y = Identity(x_r)", BYTES, "FakeQuantize", opset=17)
case("quantised_nbits", "float[N,S,32] x", "y = com.microsoft.MatMulNBits<K=32, N=8, bits=4, block_size=32>(x, w, s)",
     {"w": RNG.integers(0, 256, (8, 1, 16)).astype(np.uint8), "s": np.abs(f32(8)) / 8}, "FullyConnected")

# "Subgraph" is an attention: products and softmax in one.
JOINED = {"RoPE", "MVN", "RMS", "NormalizeL2", "ScaledDotProductAttention", "RNNSeq", "TensorIterator", "FakeQuantize", "Convolution", "FullyConnected", "MatMul", "Softmax",
          "Subgraph"}
APART = {"Eltwise", "Math", "Reduce"}
# Where OpenVINO's converter gives a form that the runtime does not join: its layers. None where it refuses the model.
OTHERS = {**{f"rope_halves_part_{sides}": "Eltwise Eltwise Eltwise Eltwise" for sides in ("3d", "4d")},
          **{f"rope_ms_{form}_part_4d": None for form in ("halves", "interleaved")}, "quantised_qlinear_conv": None,
          "gelu_of_tanh": "Eltwise Eltwise Eltwise", "l2_clip": "Eltwise Reduce", "lstm_lengths": "RNNSeq"}


def model_of(name, folder):
    opset, inputs, statements, weights, _, outputs = CASES[name]
    typed = ", ".join(f"float {n.strip()}" for n in outputs.split(","))
    model = onnx.parser.parse_model(HEAD % opset + f"({inputs}) => ({typed}) {{\n{statements}\n}}")
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
        if name == "quantised_qlinear_conv":
            value.type.tensor_type.elem_type = onnx.TensorProto.UINT8
    model.graph.initializer.extend(onnx.numpy_helper.from_array(np.asarray(a), n) for n, a in weights.items())
    path = str(folder / f"{name}.onnx")
    onnx.save(model, path)
    return path, model


def feeds_of(model):
    sizes, feeds = {"N": 2, "S": 5, "T": 7, "P": 0}, {}
    for value in model.graph.input:
        shape = [d.dim_value or sizes[d.dim_param] for d in value.type.tensor_type.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        if value.name in LENGTHS:
            feeds[value.name] = np.full(shape, LENGTHS[value.name], kind)
        else:
            feeds[value.name] = f32(*shape) if kind == np.float32 else RNG.integers(0, 12, shape).astype(kind)
    return feeds


def joined_layers(model, wanted):
    """Layers that join others, and what they would be apart where `wanted` says what is not joined."""
    layers = judge.layers_of(judge.compiled_for_cpu(model, {}))
    kinds = JOINED | (APART if wanted.keys() & APART or wanted.keys() <= {"NormalizeL2"} or wanted.keys() == {"RoPE"} else set())
    return collections.Counter({kind: judge.counted(layers, kind)[0] for kind in kinds}) + collections.Counter()


@pytest.mark.parametrize("name", CASES)
def test_layers(tmp_path, name):
    import openvino
    path, model = model_of(name, tmp_path)
    xml = judge.convert(path, tmp_path)
    feeds = feeds_of(model)
    want, got = judge.in_onnxruntime(path, feeds), judge.in_openvino(xml, feeds)
    for output, array in want.items():
        if array.dtype == np.float32:
            assert judge.relative_error(got[output], array) < (1e-2 if name.startswith("quantised") else 2e-4), output
        else:
            assert np.abs(got[output].astype(int) - array.astype(int)).max() <= 1
    layers = CASES[name][4]
    assert joined_layers(xml, layers) == layers
    others = OTHERS.get(name, " ".join(layers.elements()))
    if others is None:
        with pytest.raises(Exception, match="Conversion is failed"):
            openvino.convert_model(path)
    else:
        assert joined_layers(openvino.convert_model(path), layers) == collections.Counter(others.split())
