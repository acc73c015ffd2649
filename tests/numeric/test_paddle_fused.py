"""Operators of prepared programs that PaddlePaddle computes on other devices only, and operators that it does not have any more, against NumPy."""
import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

import judge

sys.path.insert(0, os.path.join(judge.ROOT, "tests", "paddle"))
import program as wire  # noqa: E402

KINDS = {bool: 6, int: 0, float: 1, str: 2}


class Fixed:
    """A parameter of the program."""

    def __init__(self, array):
        self.array = array


def attr(name, value):
    if isinstance(value, list):
        kind = 5 if isinstance(value[0], str) else 4 if isinstance(value[0], float) else 3
    else:
        kind = KINDS[type(value)]
    return {"name": name, "type": kind, wire.VALUES[kind]: value}


def variable(name, array, persistable=False):
    tensor = {"data_type": wire.TYPES[array.dtype.name], "dims": list(array.shape)}
    return {"name": name, "type": {"type": wire.DENSE, "lod_tensor": {"tensor": tensor}}, "persistable": int(persistable)}


def computed(folder, kind, slots, outputs, attrs):
    """The outputs of a program of one operator."""
    variables, ops, feeds, parameters, inputs = [], [], [], {}, []
    for slot, arrays in slots.items():
        names = []
        for at, one in enumerate(arrays if isinstance(arrays, list) else [arrays]):
            name, fixed = f"{slot}.{at}", isinstance(one, Fixed)
            array = one.array if fixed else one
            variables.append(variable(name, array, fixed))
            if fixed:
                parameters[name] = array
            else:
                ops.append({"inputs": [{"parameter": "X", "arguments": ["feed"]}], "outputs": [{"parameter": "Out", "arguments": [name]}], "type": "feed", "attrs": [attr("col", len(feeds))]})
                feeds.append(array)
            names.append(name)
        inputs.append({"parameter": slot, "arguments": names})
    results = [{"parameter": slot, "arguments": [f"out.{slot}"]} for slot in outputs]
    ops.append({"inputs": inputs, "outputs": results, "type": kind, "attrs": [attr(*pair) for pair in attrs.items()]})
    ops += [{"inputs": [{"parameter": "X", "arguments": [f"out.{slot}"]}], "outputs": [{"parameter": "Out", "arguments": ["fetch"]}], "type": "fetch", "attrs": [attr("col", at)]} for at, slot in enumerate(outputs)]
    path = os.path.join(tempfile.mkdtemp(dir=folder), "model.pdmodel")  # no parameters of another program beside it
    with open(path, "wb") as file:
        file.write(wire.serialise({"blocks": [{"idx": 0, "parent_idx": -1, "vars": variables, "ops": ops}], "version": {"version": 2006002}}))
    if parameters:
        with open(path[:-8] + ".pdiparams", "wb") as file:
            file.write(wire.combined(parameters))
    done = subprocess.run([judge.MO, "--input_model", path, "--output_dir", os.path.dirname(path), "--compress_to_fp16=False"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(judge.compiled_for_cpu(judge.core().read_model(path[:-8] + ".xml"))(feeds).values())


def same(found, wanted):
    for got, want in zip(found, wanted, strict=True):
        assert got.shape == np.shape(want) and np.allclose(got, want, rtol=1e-3, atol=1e-4), (got, want)


def draw(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-1, 1, shape).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def norm(x, scale=1, bias=0, epsilon=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + epsilon) * scale + bias


def gelu(x):
    import math
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / 2 ** 0.5))


def attention(q, k, v, scale, mask=0):
    """Of [batch, tokens, heads, size]."""
    q, k, v = (one.transpose(0, 2, 1, 3) for one in (q, k, v))
    return (softmax(q @ k.swapaxes(-1, -2) * scale + mask) @ v).transpose(0, 2, 1, 3)


BATCH, TOKENS, HEADS, SIZE = 2, 5, 2, 4
WIDTH = HEADS * SIZE
HEADED = (BATCH, TOKENS, HEADS, SIZE)
CAUSAL = np.where(np.tri(TOKENS), 0, -1e9).astype(np.float32)


def parts(all_of_them):
    q, k, v = np.split(all_of_them, 3, -1)
    return (one.reshape(HEADED) for one in (q, k, v))


@pytest.mark.parametrize("masked", [False, True])
def test_multihead_matmul(tmp_path, masked):
    x, w, b, mask = draw(BATCH, TOKENS, WIDTH), draw(WIDTH, 3, WIDTH), draw(3, WIDTH), draw(BATCH, HEADS, TOKENS, TOKENS)
    slots = {"Input": x, "W": Fixed(w), "Bias": Fixed(b), **({"BiasQK": mask} if masked else {})}
    want = attention(*parts(x @ w.reshape(WIDTH, -1) + b.ravel()), 0.3, mask if masked else 0).reshape(BATCH, TOKENS, WIDTH)
    same(computed(str(tmp_path), "multihead_matmul", slots, ["Out"], {"head_number": HEADS, "alpha": 0.3}), [want])


def test_self_dp_attention(tmp_path):
    x = draw(BATCH, TOKENS, 3, HEADS, SIZE)
    same(computed(str(tmp_path), "self_dp_attention", {"X": x}, ["Out"], {"head_number": HEADS, "alpha": 0.3}), [attention(*parts(x.reshape(BATCH, TOKENS, -1)), 0.3)])


@pytest.mark.parametrize("form", ["plain", "causal", "mask"])
def test_flash_attn(tmp_path, form):
    q, k, v, mask = (draw(*HEADED, seed=at) for at in range(4))
    mask = draw(BATCH, 1, TOKENS, TOKENS)
    slots = {"q": q, "k": k, "v": v, **({"attn_mask": mask} if form == "mask" else {})}
    want = attention(q, k, v, SIZE ** -0.5, {"plain": 0, "causal": CAUSAL, "mask": mask}[form])
    same(computed(str(tmp_path), "flash_attn", slots, ["out"], {"causal": form == "causal"}), [want])


@pytest.mark.parametrize("scale", [-1.0, 0.2])
def test_memory_efficient_attention(tmp_path, scale):
    q, k, v = (draw(*HEADED, seed=at) for at in range(3))
    mask = draw(BATCH, HEADS, TOKENS, TOKENS)
    want = attention(q, k, v, scale if scale > 0 else SIZE ** -0.5, mask)
    same(computed(str(tmp_path), "memory_efficient_attention", {"query": q, "key": k, "value": v, "bias": mask}, ["output"], {"scale": scale, "causal": False}), [want])


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("matrix", [False, True])
def test_fused_attention(tmp_path, before, matrix):
    x, w, b = draw(BATCH, TOKENS, WIDTH), draw(3, HEADS, SIZE, WIDTH), draw(3, HEADS, SIZE)
    out_w, out_b, scale, bias, mask = draw(WIDTH, WIDTH), draw(WIDTH), draw(WIDTH, seed=1), draw(WIDTH, seed=2), draw(BATCH, 1, TOKENS, TOKENS)
    table = w.reshape(-1, WIDTH)
    slots = {"X": x, "QKVW": Fixed(np.ascontiguousarray(table.T) if matrix else w), "QKVBias": Fixed(b.ravel() if matrix else b), "SrcMask": mask, "OutLinearW": Fixed(out_w), "OutLinearBias": Fixed(out_b)}
    slots |= {"LnScale" if before else "Ln2Scale": Fixed(scale), "LnBias" if before else "Ln2Bias": Fixed(bias)}
    source = norm(x, scale, bias) if before else x
    y = attention(*parts(source @ table.T + b.ravel()), SIZE ** -0.5, mask).reshape(x.shape) @ out_w + out_b + x
    attrs = {"pre_layer_norm": before, "transpose_qkv_wb": matrix, "attn_dropout_rate": 0.5, "dropout_rate": 0.5, "epsilon": 1e-5, "ln_epsilon": 1e-5} | ({"num_heads": HEADS} if matrix else {})
    same(computed(str(tmp_path), "fused_attention", slots, ["Y"], attrs), [y if before else norm(y, scale, bias)])


@pytest.mark.parametrize("before", [False, True])
def test_fused_feedforward(tmp_path, before):
    x, w1, b1, w2, b2, scale, bias = draw(BATCH, TOKENS, WIDTH), draw(WIDTH, 12), draw(12), draw(12, WIDTH), draw(WIDTH), draw(WIDTH, seed=1), draw(WIDTH, seed=2)
    at = "1" if before else "2"
    slots = {"X": x, "Linear1Weight": Fixed(w1), "Linear1Bias": Fixed(b1), "Linear2Weight": Fixed(w2), "Linear2Bias": Fixed(b2), f"Ln{at}Scale": Fixed(scale), f"Ln{at}Bias": Fixed(bias)}
    y = gelu((norm(x, scale, bias) if before else x) @ w1 + b1) * np.float32(0.75) @ w2 + b2 + x
    attrs = {"pre_layer_norm": before, "act_method": "gelu", "dropout1_rate": 0.25, "dropout1_implementation": "downgrade_in_infer", "dropout2_rate": 0.5}
    same(computed(str(tmp_path), "fused_feedforward", slots, ["Out"], attrs), [y if before else norm(y, scale, bias)])


def test_fused_softmax_mask(tmp_path):
    x, mask = draw(BATCH, HEADS, TOKENS, TOKENS), draw(BATCH, 1, TOKENS, TOKENS)
    same(computed(str(tmp_path), "fused_softmax_mask", {"X": x, "Mask": mask}, ["Out"], {}), [softmax(x + mask)])
    same(computed(str(tmp_path), "fused_softmax_mask_upper_triangle", {"X": x}, ["Out"], {}), [softmax(x + CAUSAL)])


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("chosen", [False, True])
def test_fused_rotary_position_embedding(tmp_path, pairs, chosen):
    q, k = draw(*HEADED), draw(*HEADED, seed=1)
    angles = np.arange(TOKENS)[:, None] / 10 ** np.arange(SIZE // 2)
    angles = np.repeat(angles, 2, -1) if pairs else np.concatenate([angles, angles], -1)
    sine, cosine = np.sin(angles).astype(np.float32), np.cos(angles).astype(np.float32)
    positions = np.array([[4, 3, 2, 1, 0], [0, 0, 1, 2, 3]], np.int64)
    slots = {"q": q, "k": k, "sin": sine.reshape(1, TOKENS, 1, SIZE), "cos": cosine.reshape(1, TOKENS, 1, SIZE)} | ({"position_ids": positions} if chosen else {})
    s, c = (one[positions][:, :, None] if chosen else one[None, :, None] for one in (sine, cosine))

    def rotated(x):
        if pairs:
            turned = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        else:
            turned = np.concatenate([-x[..., SIZE // 2:], x[..., :SIZE // 2]], -1)
        return x * c + turned * s
    same(computed(str(tmp_path), "fused_rotary_position_embedding", slots, ["out_q", "out_k"], {"use_neox_rotary_style": pairs}), [rotated(q), rotated(k)])


def test_skip_layernorm(tmp_path):
    x, y, scale, bias = draw(2, 3, 4), draw(2, 3, 4, seed=1), draw(4), draw(4, seed=1)
    same(computed(str(tmp_path), "skip_layernorm", {"X": x, "Y": y, "Scale": Fixed(scale), "Bias": Fixed(bias)}, ["Out"], {"epsilon": 1e-3, "begin_norm_axis": 2}), [norm(x + y, scale, bias, 1e-3)])


@pytest.mark.parametrize("column", [False, True])
def test_fused_embedding_eltwise_layernorm(tmp_path, column):
    ids = [np.array([[1, 2, 0], [3, 3, 1]], np.int64), np.array([[0, 1, 2], [0, 1, 2]], np.int64)]
    tables, scale, bias = [draw(4, 6), draw(3, 6)], draw(6), draw(6, seed=1)
    slots = {"Ids": [one[..., None] if column else one for one in ids], "Embs": [Fixed(one) for one in tables], "Scale": Fixed(scale), "Bias": Fixed(bias)}
    same(computed(str(tmp_path), "fused_embedding_eltwise_layernorm", slots, ["Out"], {"epsilon": 1e-5}), [norm(tables[0][ids[0]] + tables[1][ids[1]], scale, bias)])


def test_fused_dropout(tmp_path):
    x, y, b, scale, bias = draw(2, 3, 4), draw(2, 3, 4, seed=1), draw(4), draw(4, seed=1), draw(4, seed=2)
    slots = {"X": x, "Residual": y, "Bias": Fixed(b), "LnScale": Fixed(scale), "LnBias": Fixed(bias)}
    found = computed(str(tmp_path), "fused_bias_dropout_residual_layer_norm", slots, ["Y"], {"dropout_rate": 0.25, "dropout_implementation": "downgrade_in_infer"})
    same(found, [norm((x + b) * 0.75 + y, scale, bias)])
    same(computed(str(tmp_path), "fused_dropout_add", {"x": x, "y": y}, ["out"], {"p": 0.25, "mode": "upscale_in_train"}), [x + y])
    same(computed(str(tmp_path), "fused_dropout_add", {"x": x, "y": y}, ["out"], {"p": 0.25, "mode": "downgrade_in_infer"}), [x * 0.75 + y])


def test_fused_products(tmp_path):
    x, y, b, z = draw(2, 3, 4), draw(4, 5), draw(5), draw(2, 3, 5)
    same(computed(str(tmp_path), "fused_gemm_epilogue", {"X": x, "Y": Fixed(np.ascontiguousarray(y.T)), "Bias": Fixed(b)}, ["Out"], {"trans_y": True, "activation": "relu"}), [np.maximum(x @ y + b, 0)])
    same(computed(str(tmp_path), "fused_matmul", {"X": x, "Y": Fixed(y), "ResidualData": z}, ["Out"], {"matmul_alpha": 0.5, "fuse_activation": "gelu"}), [gelu(x @ y * 0.5 + z)])
    found = computed(str(tmp_path), "fused_fc_elementwise_layernorm", {"X": x[0], "W": Fixed(y), "Y": z[0], "Bias0": Fixed(b), "Scale": Fixed(b + 1), "Bias1": Fixed(b - 1)}, ["Out"], {"activation_type": "relu"})
    same(found, [norm(np.maximum(x[0] @ y + b, 0) + z[0], b + 1, b - 1)])


def test_fused_elements(tmp_path):
    x, y = draw(2, 3), draw(3)
    for kind, function in (("fused_elementwise_add", np.add), ("fused_elementwise_sub", np.subtract), ("fused_elementwise_mul", np.multiply), ("fused_elementwise_div", np.divide)):
        same(computed(str(tmp_path), kind, {"X": x, "Y": y}, ["Out"], {"fuse_activation": "leaky_relu", "fuse_alpha": 0.1}), [np.where(function(x, y) > 0, function(x, y), 0.1 * function(x, y))])
    same(computed(str(tmp_path), "fused_bias_act", {"x": x, "bias": Fixed(y)}, ["out"], {"act_method": "gelu"}), [gelu(x + y)])
    same(computed(str(tmp_path), "fused_softplus", {"X": x}, ["Out"], {"beta": 2.0, "threshold": 20.0, "fuse_activation": "tanh"}), [np.tanh(np.log1p(np.exp(2 * x)) / 2)])


def test_old_operators(tmp_path):
    x, y = draw(2, 6), draw(2, 6, seed=1)
    norms = [np.linalg.norm(one, axis=1, keepdims=True) for one in (x, y)]
    same(computed(str(tmp_path), "cos_sim", {"X": x, "Y": y}, ["Out", "XNorm", "YNorm"], {}), [(x * y).sum(1, keepdims=True) / norms[0] / norms[1], *norms])
    odd = np.array([[1, np.inf], [2, 3]], np.float32)
    for kind, want in (("isinf", True), ("isnan", False), ("isfinite", False)):
        assert computed(str(tmp_path), kind, {"X": odd}, ["Out"], {})[0].tolist() == [want]
    square = draw(2, 3, 3)
    sign, log = np.linalg.slogdet(square)
    same(computed(str(tmp_path), "slogdeterminant", {"Input": square}, ["Out"], {}), [np.stack([sign, log])])
    table, ids = draw(5, 3), np.array([[1, 4], [0, 1], [2, 2]], np.int64)
    same(computed(str(tmp_path), "fused_embedding_seq_pool", {"W": Fixed(table), "Ids": ids}, ["Out"], {"combiner": "sum"}), [table[ids].reshape(3, -1).sum(0, keepdims=True)])


def test_numbers_beside_nan(tmp_path):
    x, y = np.array([1, np.nan, 3], np.float32), np.array([2, 2, np.nan], np.float32)
    for kind, want in (("elementwise_fmax", [2, 2, 3]), ("elementwise_fmin", [1, 2, 3])):
        same(computed(str(tmp_path), kind, {"X": x, "Y": y}, ["Out"], {}), [want])


def test_functions_of_matrices(tmp_path):
    x, y = draw(3, 4), draw(2, 3)
    same(computed(str(tmp_path), "kron", {"X": x, "Y": y}, ["Out"], {}), [np.kron(x, y)])
    same(computed(str(tmp_path), "trace", {"Input": x}, ["Out"], {"offset": 1}), [np.trace(x, 1)])


def test_scales(tmp_path):
    x, scale = draw(2, 3) * 100, np.array([0.5], np.float32)
    same(computed(str(tmp_path), "fake_dequantize_max_abs", {"X": x, "Scale": Fixed(scale)}, ["Out"], {"max_range": 127.0}), [x * 0.5 / 127])


def test_frames(tmp_path):
    x = draw(2, 9)
    same(computed(str(tmp_path), "frame", {"X": x}, ["Out"], {"frame_length": 4, "hop_length": 2}), [np.stack([x[:, at:at + 4] for at in range(0, 6, 2)], -1)])


def test_spectrum(tmp_path):
    x = draw(3, 4, 2)
    found = computed(str(tmp_path), "fft_c2c", {"X": x}, ["Out"], {"axes": [0, 1], "normalization": "ortho", "forward": False})
    want = np.fft.ifft2(x[..., 0] + 1j * x[..., 1], norm="ortho")
    same(found, [np.stack([want.real, want.imag], -1)])


@pytest.mark.parametrize("kind", ["memcpy", "memcpy_d2h", "memcpy_h2d", "npu_identity", "print"])
def test_what_passes(tmp_path, kind):
    x = draw(2, 3)
    slots = {"print": ("In", "Out"), "npu_identity": ("x", "out")}.get(kind, ("X", "Out"))
    same(computed(str(tmp_path), kind, {slots[0]: x}, [slots[1]], {}), [x])
    same(computed(str(tmp_path), "grad_add", {"X": x, "Y": x}, ["Out"], {}), [x + x])
    same(computed(str(tmp_path), "dropout_nd", {"X": x}, ["Out"], {"dropout_prob": 0.25}), [x * 0.75])
