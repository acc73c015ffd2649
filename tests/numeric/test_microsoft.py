"""Operations of the domain com.microsoft against ONNX Runtime, or against numpy where it has no kernel for the CPU."""
import subprocess

import numpy as np
import pytest

import judge
from nodes import check, model_of_node

RNG = np.random.default_rng(5)
MS = "com.microsoft"


def f32(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def one(tmp_path, op, inputs, outputs=None, **options):
    return check(tmp_path, op, MS, inputs, outputs or {"y": "float32"}, **options)


def caches(length, half):
    angles = np.arange(length)[:, None] / 10 ** (np.arange(half) / half)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("positions", [np.array([3]), np.array([[0, 5, 2], [7, 1, 1]])], ids=["offset", "ids"])
@pytest.mark.parametrize("rank", [3, 4])
def test_rotary_embedding(tmp_path, rank, positions, interleaved):
    cos, sin = caches(8, 4)
    x = f32(2, 3, 16) if rank == 3 else f32(2, 2, 3, 8)
    inputs = {"x": x, "p": positions, "cos": cos, "sin": sin}
    one(tmp_path, "RotaryEmbedding", inputs, constants=["cos", "sin"], interleaved=interleaved, dynamic=positions.size > 1)


def test_rotary_embedding_of_a_part(tmp_path):
    cos, sin = caches(8, 2)
    one(tmp_path, "RotaryEmbedding", {"x": f32(2, 3, 16), "p": np.array([[0, 5, 2], [7, 1, 1]]), "cos": cos, "sin": sin}, constants=["cos", "sin"],
        num_heads=2, rotary_embedding_dim=4)


GROUPS = {
    "plain": {}, "scale": dict(scale=0.3), "softcap": dict(softcap=2.0), "window": dict(local_window_size=2), "rotary": dict(do_rotary=1),
    "interleaved": dict(do_rotary=1, rotary_interleaved=1), "smooth": dict(smooth_softmax=1), "smooth_window": dict(smooth_softmax=1, local_window_size=2),
    "smooth_softcap": dict(smooth_softmax=1, softcap=2.0),
}


@pytest.mark.parametrize("packed", [False, True], ids=["apart", "packed"])
@pytest.mark.parametrize("past,new", [(0, 4), (3, 1)], ids=["prompt", "next"])
@pytest.mark.parametrize("name", GROUPS)
def test_group_query_attention(tmp_path, name, past, new, packed):
    heads, shared, size, batch = 4, 2, 16, 2
    q, k, v = f32(batch, new, heads * size), f32(batch, new, shared * size), f32(batch, new, shared * size)
    cos, sin = caches(16, size // 2)
    if not GROUPS[name].get("do_rotary"):
        cos = sin = None
    inputs = {"q": np.concatenate([q, k, v], 2) if packed else q, "k": None if packed else k, "v": None if packed else v,
              "past_key": f32(batch, shared, past, size), "past_value": f32(batch, shared, past, size),
              "lengths": np.full(batch, past + new - 1, np.int32), "total": np.array(past + new, np.int32), "cos": cos, "sin": sin}
    one(tmp_path, "GroupQueryAttention", inputs, {"y": "float32", "present_key": "float32", "present_value": "float32"}, tolerance=1e-4,
        constants=["total"] + (["cos", "sin"] if cos is not None else []), num_heads=heads, kv_num_heads=shared, **GROUPS[name])


def quantized(array, kind=np.uint8):
    """Integers, scale and zero point."""
    least, most = min(0, array.min()), max(0, array.max())
    info = np.iinfo(kind)
    scale = np.float32((most - least) / 255)
    zero = np.array(np.clip(np.round(info.min - least / scale), info.min, info.max), kind)
    return np.clip(np.round(array / scale) + zero, info.min, info.max).astype(kind), np.array(scale), zero


def close(tmp_path, op, inputs, output, more={}, dynamic=True, **options):
    """Integers that may differ by a step where a number lies between two."""
    import judge
    from nodes import model_of_node
    path = str(tmp_path / f"{op}.onnx")
    constants = [n for n, a in inputs.items() if a is not None and n[-1] in "sz"]
    model_of_node(path, op, MS, inputs, {"y": output}, constants, dynamic=dynamic, more=more, **options)
    feeds = {n: a for n, a in inputs.items() if a is not None and n not in constants}
    want = judge.in_onnxruntime(path, feeds)["y"]
    got = judge.in_openvino(judge.convert(path, tmp_path), feeds)["y"]
    assert got.shape == want.shape and got.dtype == want.dtype
    assert np.abs(got.astype(int) - want.astype(int)).max() <= 1


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("channels_last", [0, 1])
def test_qlinear_average_pool(tmp_path, kind, channels_last):
    x, s, z = quantized(f32(2, 6, 7, 3) if channels_last else f32(2, 3, 6, 7), kind)
    close(tmp_path, "QLinearAveragePool", {"x": x, "xs": s, "xz": z, "ys": np.float32(0.02), "yz": z}, kind, kernel_shape=[3, 2], strides=[2, 1],
          pads=[1, 0, 1, 0], channels_last=channels_last)


@pytest.mark.parametrize("opset,axis", [(13, -1), (13, 1), (12, 1)])
def test_qlinear_softmax(tmp_path, opset, axis):
    x, s, z = quantized(f32(3, 5, 4))
    inputs = {"x": x, "xs": s, "xz": z, "ys": np.float32(1 / 256), "yz": np.array(0, np.uint8)}
    close(tmp_path, "QLinearSoftmax", inputs, np.uint8, more={"axis": axis, "opset": opset}, dynamic=False)


def test_qlinear_where(tmp_path):
    x, xs, xz = quantized(f32(3, 4))
    y, ys, yz = quantized(2 * f32(3, 4))
    close(tmp_path, "QLinearWhere", {"c": RNG.random((3, 4)) < 0.5, "x": x, "xs": xs, "xz": xz, "v": y, "vs": ys, "vz": yz, "os": np.float32(0.03), "oz": np.array(120, np.uint8)},
          np.uint8)


def test_qlinear_reduce_mean(tmp_path):
    x, s, z = quantized(f32(2, 4, 5))
    y = np.round(((x.astype(np.float32) - z) * s).mean((1, 2), keepdims=True) / np.float32(0.01)) + 128
    one(tmp_path, "QLinearReduceMean", {"x": x, "xs": s, "xz": z, "ys": np.float32(0.01), "yz": np.array(128, np.uint8)}, {"y": "uint8"},
        constants=["xs", "xz", "ys", "yz"], want={"y": np.clip(y, 0, 255).astype(np.uint8)}, axes=[1, 2], keepdims=1)


@pytest.mark.parametrize("masked", [False, True], ids=["all", "masked"])
def test_qattention(tmp_path, masked):
    x, xs, xz = quantized(f32(2, 5, 16))
    w, ws, wz = quantized(f32(16, 48) / 4)
    inputs = {"x": x, "w": w, "b": f32(48), "xs": xs, "ws": ws, "m": np.array([5, 3], np.int32) if masked else None, "xz": xz, "wz": wz}
    one(tmp_path, "QAttention", inputs, constants=["w", "b", "xs", "ws", "xz", "wz"], tolerance=1e-4, num_heads=4)


def test_qembed_layer_normalization(tmp_path):
    tables = [quantized(f32(10, 8)), quantized(f32(6, 8)), quantized(f32(2, 8)), quantized(f32(8)), quantized(f32(8))]
    inputs = {"ids": RNG.integers(0, 10, (2, 5)).astype(np.int32), "segments": RNG.integers(0, 2, (2, 5)).astype(np.int32)}
    inputs.update({f"t{i}": t[0] for i, t in enumerate(tables)})
    inputs["mask"] = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)
    inputs.update({f"s{i}": t[1] for i, t in enumerate(tables)}, **{f"z{i}": t[2] for i, t in enumerate(tables)})
    one(tmp_path, "QEmbedLayerNormalization", inputs, {"y": "float32", "lengths": "int32"}, constants=[n for n in inputs if n[-1].isdigit()],
        tolerance=1e-4, epsilon=1e-5)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
def test_dynamic_quantize_lstm(tmp_path, direction):
    """ONNX Runtime rounds x and the state to 8 bits at each step."""
    ways, size, hidden = 2 if direction == "bidirectional" else 1, 6, 4
    weights = {n: [quantized(f32(columns, 4 * hidden) / 2) for _ in range(ways)] for n, columns in (("W", size), ("R", hidden))}
    stack = lambda n, i: np.stack([w[i] for w in weights[n]])
    inputs = {"x": f32(3, 2, size), "W": stack("W", 0), "R": stack("R", 0), "B": f32(ways, 8 * hidden) / 4, "l": None, "h": None, "c": None, "P": None,
              "Ws": stack("W", 1), "Wz": stack("W", 2), "Rs": stack("R", 1), "Rz": stack("R", 2)}
    one(tmp_path, "DynamicQuantizeLSTM", inputs, {"y": "float32", "h_n": "float32", "c_n": "float32"},
        constants=["W", "R", "B", "Ws", "Wz", "Rs", "Rz"], tolerance=3e-2, dynamic=False, hidden_size=hidden, direction=direction)


def in_bytes(numbers, bits):
    """Rows of narrow numbers in whole bytes, the first in the lowest bits."""
    in_byte = 8 // bits
    filled = np.concatenate([numbers, np.zeros((len(numbers), -numbers.shape[1] % in_byte), np.uint8)], 1)
    return np.bitwise_or.reduce([filled[:, i::in_byte] << i * bits for i in range(in_byte)])


@pytest.mark.parametrize("bits,groups,said", [(3, None, "3 bits, for which ONNX Runtime defines no order in bytes"),
                                              (4, np.zeros(16, np.int32), "g_idx: the runtime knows scales of columns in a row, not of any columns")])
def test_matmul_nbits_is_refused(tmp_path, bits, groups, said):
    inputs = {"x": f32(3, 16), "w": RNG.integers(0, 256, (5, 1, 2 * bits)).astype(np.uint8), "s": f32(5), "z": None, "g": groups}
    model_of_node(str(tmp_path / "m.onnx"), "MatMulNBits", MS, inputs, {"y": "float32"}, ["w", "s"] + ["g"] * (groups is not None), K=16, N=5, bits=bits, block_size=16)
    done = subprocess.run([judge.MO, "--input_model", tmp_path / "m.onnx", "--output_dir", tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 1 and "MO2004" in done.stderr and f'{said} (node "y", MatMulNBits)' in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("zero_points", [False, True], ids=["symmetric", "zero_points"])
@pytest.mark.parametrize("bits", [2, 4, 8])
def test_gather_block_quantized(tmp_path, bits, zero_points):
    rows, columns, block, most = 7, 48, 16, 1 << bits
    data, zeros = RNG.integers(0, most, (rows, columns)).astype(np.uint8), RNG.integers(0, most, (rows, columns // block)).astype(np.uint8)
    data, zeros = in_bytes(data, bits), in_bytes(zeros, bits)
    inputs = {"data": data, "i": np.array([[1, 0], [6, -2]]), "s": np.abs(f32(rows, columns // block)) + 0.1, "z": zeros if zero_points else None}
    one(tmp_path, "GatherBlockQuantized", inputs, constants=["data", "s"] + ["z"] * zero_points, bits=bits, block_size=block)


def test_inverse(tmp_path):
    one(tmp_path, "Inverse", {"x": f32(2, 3, 3)}, tolerance=1e-4)


OLD = {"Affine": lambda x: 0.7 * x + 1.5, "ScaledTanh": lambda x: 0.7 * np.tanh(1.5 * x), "ParametricSoftplus": lambda x: 0.7 * np.log1p(np.exp(1.5 * x))}


@pytest.mark.parametrize("op", OLD)
def test_operations_of_old_exporters(tmp_path, op):
    """ONNX Runtime does not have them any more."""
    x = f32(2, 3)
    check(tmp_path, op, "", {"x": x}, {"y": "float32"}, want={"y": OLD[op](x)}, alpha=0.7, beta=1.5)


def test_transpose_matmul(tmp_path):
    one(tmp_path, "TransposeMatMul", {"a": f32(3, 4), "b": f32(5, 4)}, transB=1, alpha=0.5)


def test_gather_nd(tmp_path):
    one(tmp_path, "GatherND", {"x": f32(3, 4, 2), "i": np.array([[0, 1], [2, 3]])})


def test_trilu(tmp_path):
    one(tmp_path, "Trilu", {"x": f32(3, 4, 5), "k": np.array(1)}, constants=["k"], upper=0)


def test_expand_dims(tmp_path):
    one(tmp_path, "ExpandDims", {"x": f32(3, 4), "a": np.array(-1, np.int32)}, constants=["a"])


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_pad(tmp_path, mode):
    one(tmp_path, "Pad", {"x": f32(3, 4), "p": np.array([0, 1, 2, 1]), "v": np.array([2.5], np.float32)}, constants=["p", "v"], mode=mode)


def test_range(tmp_path):
    one(tmp_path, "Range", {"a": np.array(2.0, np.float32), "b": np.array(7.0, np.float32), "d": np.array(1.5, np.float32)})


def test_grid_sample(tmp_path):
    one(tmp_path, "GridSample", {"x": f32(2, 3, 5, 6), "g": RNG.uniform(-1, 1, (2, 4, 4, 2)).astype(np.float32)}, tolerance=1e-4, mode="bilinear",
        padding_mode="border", align_corners=0)


@pytest.mark.parametrize("activation", ["Relu", "LeakyRelu", "Sigmoid", "Tanh", "Elu", "Softplus", "HardSigmoid", "ThresholdedRelu"])
def test_fused_gemm(tmp_path, activation):
    one(tmp_path, "FusedGemm", {"a": f32(3, 4), "b": f32(5, 4), "c": f32(5)}, constants=["b", "c"], transB=1, alpha=0.5, beta=2.0, activation=activation,
        activation_alpha=0.3, activation_beta=0.4, tolerance=1e-4)


def erf(x):
    import math
    return np.vectorize(math.erf)(x)


def test_gemm_fast_gelu(tmp_path):
    a, b, c = f32(3, 4), f32(4, 5), f32(5)
    h = a @ b + c
    want = {"y": (0.5 * h * (1 + np.tanh(0.7978845608 * (h + 0.044715 * h**3)))).astype(np.float32)}
    one(tmp_path, "GemmFastGelu", {"a": a, "b": b, "c": c}, want=want, tolerance=1e-4)


def test_bias_add(tmp_path):
    x, b, s = f32(2, 3, 8), f32(8), f32(2, 3, 8)
    one(tmp_path, "BiasAdd", {"x": x, "b": b, "s": s}, want={"y": x + b + s})


def test_bias_split_gelu(tmp_path):
    x, b = f32(2, 3, 8), f32(8)
    h = x + b
    right = h[..., 4:]
    one(tmp_path, "BiasSplitGelu", {"x": x, "b": b}, want={"y": (h[..., :4] * 0.5 * right * (1 + erf(right / np.sqrt(2)))).astype(np.float32)}, tolerance=1e-4)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def test_bias_softmax(tmp_path):
    x, b = f32(2, 3, 4), f32(2, 1, 4)
    one(tmp_path, "BiasSoftmax", {"x": x, "b": b}, want={"y": softmax(x + b)}, axis=2, is_inner_broadcast=0)


def test_bias_dropout(tmp_path):
    x, b, r = f32(2, 3), f32(3), f32(2, 3)
    one(tmp_path, "BiasDropout", {"x": x, "b": b, "r": r}, {"y": "float32", "mask": "bool"}, want={"y": x + b + r, "mask": np.ones((2, 3), bool)})


def group_norm(x, gamma, beta, groups, silu):
    n, h, w, c = x.shape
    g = x.reshape(n, h, w, groups, c // groups)
    mean, var = g.mean((1, 2, 4), keepdims=True), g.var((1, 2, 4), keepdims=True)
    y = ((g - mean) / np.sqrt(var + 1e-5)).reshape(x.shape) * gamma + beta
    return y / (1 + np.exp(-y)) if silu else y


@pytest.mark.parametrize("activation", [0, 1])
def test_group_norm(tmp_path, activation):
    x, gamma, beta = f32(2, 4, 5, 8), f32(8), f32(8)
    one(tmp_path, "GroupNorm", {"x": x, "g": gamma, "b": beta}, constants=["g", "b"], want={"y": group_norm(x, gamma, beta, 4, activation)}, tolerance=1e-4,
        groups=4, activation=activation, epsilon=1e-5)


def test_skip_group_norm(tmp_path):
    x, gamma, beta, skip, bias = f32(2, 4, 5, 8), f32(8), f32(8), f32(2, 8), f32(8)
    s = x + skip[:, None, None] + bias
    one(tmp_path, "SkipGroupNorm", {"x": x, "g": gamma, "b": beta, "s": skip, "c": bias}, {"y": "float32", "sum": "float32"}, constants=["g", "b", "c"],
        want={"y": group_norm(s, gamma, beta, 2, True), "sum": s}, tolerance=1e-4, groups=2, activation=1, epsilon=1e-5)


def test_nhwc_max_pool(tmp_path):
    x = RNG.integers(0, 255, (2, 5, 6, 3)).astype(np.uint8)
    one(tmp_path, "NhwcMaxPool", {"x": x}, {"y": "uint8"}, kernel_shape=[2, 3], strides=[1, 2])


def test_nhwc_conv(tmp_path):
    x, w, c = f32(2, 5, 6, 3), f32(4, 2, 3, 3), f32(4)
    want = np.zeros((2, 4, 4, 4), np.float32)
    for i in range(4):
        for j in range(4):
            want[:, i, j] = np.einsum("nhwc,ohwc->no", x[:, i:i + 2, j:j + 3], w) + c
    one(tmp_path, "NhwcConv", {"x": x, "w": w, "c": c}, constants=["w", "c"], want={"y": want}, tolerance=1e-4, kernel_shape=[2, 3])


@pytest.mark.parametrize("metric", ["sqeuclidean", "euclidean"])
def test_cdist(tmp_path, metric):
    one(tmp_path, "CDist", {"a": f32(3, 4), "b": f32(5, 4)}, tolerance=1e-4, metric=metric)


@pytest.mark.parametrize("conjugated", [False, True])
def test_complex_mul(tmp_path, conjugated):
    a, b = f32(3, 4, 2), f32(3, 4, 2)
    x, y = a[..., 0] + 1j * a[..., 1], b[..., 0] + 1j * b[..., 1]
    z = x * (y.conj() if conjugated else y)
    one(tmp_path, "ComplexMulConj" if conjugated else "ComplexMul", {"a": a, "b": b}, want={"y": np.stack([z.real, z.imag], -1).astype(np.float32)})


@pytest.mark.parametrize("dimensions", [1, 2])
def test_rfft(tmp_path, dimensions):
    x = f32(2, 4, 6)
    z = np.fft.rfftn(x, axes=list(range(3 - dimensions, 3)))
    spectrum = np.stack([z.real, z.imag], -1).astype(np.float32)
    one(tmp_path, "Rfft", {"x": x}, want={"y": spectrum}, tolerance=1e-4, signal_ndim=dimensions, onesided=1, normalized=0)
    one(tmp_path, "Irfft", {"x": spectrum}, want={"y": x}, tolerance=1e-4, signal_ndim=dimensions, onesided=1, normalized=0)


@pytest.mark.parametrize("dim", [-1, 1])
def test_unfold_tensor(tmp_path, dim):
    one(tmp_path, "UnfoldTensor", {"x": f32(3, 7, 8)}, dim=dim, size=3, step=2)


def test_unique(tmp_path):
    one(tmp_path, "Unique", {"x": np.array([2, 1, 1, 3, 4, 3], np.float32)}, {"y": "float32", "places": "int64", "counts": "int64"})


def test_nhwc_fused_conv(tmp_path):
    x, w, c, z = f32(2, 5, 6, 3), f32(4, 3, 2, 3), f32(4), f32(2, 4, 4, 4)
    want = np.zeros((2, 4, 4, 4), np.float32)
    for i in range(4):
        for j in range(4):
            want[:, i, j] = np.einsum("nhwc,ochw->no", x[:, i:i + 2, j:j + 3], w) + c
    one(tmp_path, "NhwcFusedConv", {"x": x, "w": w, "c": c, "z": z}, constants=["w", "c"], want={"y": np.maximum(want + z, 0)}, tolerance=1e-4,
        kernel_shape=[2, 3], activation="Relu")


EXPERTS = {
    "relu": {}, "silu": dict(activation_type="silu"), "gelu": dict(activation_type="gelu"), "identity": dict(activation_type="identity"),
    "swiglu": dict(activation_type="swiglu", swiglu_fusion=1, activation_alpha=1.702, activation_beta=1.0, swiglu_limit=0.7),
    "normalised": dict(normalize_routing_weights=1),
}


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("name", EXPERTS)
def test_moe(tmp_path, name, rank):
    experts, hidden, inner = 4, 6, 8
    width = 2 * inner if "swiglu" in name else inner
    inputs = {"x": f32(2, 3, hidden) if rank == 3 else f32(6, hidden), "r": f32(6, experts), "w1": f32(experts, width, hidden), "b1": f32(experts, width),
              "w2": f32(experts, hidden, inner), "b2": f32(experts, hidden)}
    one(tmp_path, "MoE", inputs, constants=["w1", "b1", "w2", "b2"], tolerance=1e-4, dynamic=False, k=2, **EXPERTS[name])
