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


SINKS = {"plain": {}, "window": dict(local_window_size=2), "softcap": dict(softcap=2.0)}


@pytest.mark.parametrize("added", [False, True], ids=["alone", "added"])
@pytest.mark.parametrize("name", SINKS)
def test_group_query_attention_with_sinks(tmp_path, name, added):
    heads, shared, size, new, past = 4, 2, 16, 4, 3
    inputs = {"q": f32(1, new, heads * size), "k": f32(1, new, shared * size), "v": f32(1, new, shared * size), "past_key": f32(1, shared, past, size),
              "past_value": f32(1, shared, past, size), "lengths": np.array([past + new - 1], np.int32), "total": np.array(past + new, np.int32), "cos": None, "sin": None,
              "p": None, "a": f32(1, heads, new, past + new) if added else None, "sink": f32(heads)}
    one(tmp_path, "GroupQueryAttention", inputs, {"y": "float32", "present_key": "float32", "present_value": "float32"}, tolerance=1e-4, constants=["total", "sink"],
        num_heads=heads, kv_num_heads=shared, **SINKS[name])


ROOMS = {"plain": {}, "rotary": dict(do_rotary=1), "window": dict(local_window_size=2), "smooth": dict(smooth_softmax=1), "any": dict(causal=0)}


@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
@pytest.mark.parametrize("batch,past,new,room", [(1, 3, 1, 4), (2, 3, 1, 1), (1, 3, 2, 6), (1, 3, 1, 0), (1, 0, 4, 5)],
                         ids=["next", "full", "two", "grows", "prompt"])
@pytest.mark.parametrize("name", ROOMS)
def test_group_query_attention_with_room(tmp_path, name, batch, past, new, room, known):
    """The past has a fixed size; what ONNX Runtime leaves behind the last key is no number."""
    heads, shared, size = 4, 2, 16
    cos, sin = caches(16, size // 2) if name == "rotary" else (None, None)
    kept = [np.concatenate([f32(batch, shared, past, size), np.full((batch, shared, room, size), 9, np.float32)], 2) for _ in range(2)]
    inputs = {"q": f32(batch, new, heads * size), "k": f32(batch, new, shared * size), "v": f32(batch, new, shared * size), "past_key": kept[0], "past_value": kept[1],
              "lengths": np.full(batch, past + new - 1, np.int32), "total": np.array(past + new, np.int32), "cos": cos, "sin": sin}
    path = str(tmp_path / "m.onnx")
    constants = (["total"] if known else []) + (["cos", "sin"] if cos is not None else [])
    model_of_node(path, "GroupQueryAttention", MS, inputs, {"y": "float32", "present_key": "float32", "present_value": "float32"}, constants, num_heads=heads, kv_num_heads=shared,
                  **ROOMS[name])
    feeds = {n: a for n, a in inputs.items() if a is not None and n not in constants}
    want, got = judge.in_onnxruntime(path, feeds), judge.in_openvino(judge.convert(path, tmp_path), feeds)
    np.testing.assert_allclose(got["y"], want["y"], rtol=1e-4, atol=1e-4)
    for output in ("present_key", "present_value"):
        assert got[output].shape == want[output].shape
        np.testing.assert_allclose(got[output][:, :, :past + new], want[output][:, :, :past + new], rtol=1e-4, atol=1e-4)
        assert (got[output][:, :, past + new:] == 9).all()


@pytest.mark.parametrize("form", ["usual", "rotary", "smooth", "window", "any"])
@pytest.mark.parametrize("past,new", [(3, 1), (3, 2), (None, 4)], ids=["next", "two", "prompt"])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("kind", ["PER_TENSOR", "PER_CHANNEL"])
def test_group_query_attention_with_quantised_keys(tmp_path, kind, bits, past, new, form):
    heads, shared, size = 4, 2, 16
    cos, sin = caches(16, size // 2) if form == "rotary" else (None, None)
    kept = [RNG.integers(-128, 128, (1, shared, past or 0, size)).astype(np.int8) if bits == 8 else RNG.integers(0, 256, (1, shared, past or 0, size // 2)).astype(np.uint8)
            for _ in range(2)]
    scales = [(np.float32([0.02]) if kind == "PER_TENSOR" else np.abs(f32(1, shared, 1, size)) / 30 + 0.01) * (1 if bits == 8 else 16) for _ in range(2)]
    inputs = {"q": f32(1, new, heads * size), "k": f32(1, new, shared * size), "v": f32(1, new, shared * size), "past_key": kept[0], "past_value": kept[1],
              "lengths": np.array([(past or 0) + new - 1], np.int32), "total": np.array((past or 0) + new, np.int32), "cos": cos, "sin": sin, "p": None, "a": None, "sink": None,
              "ks": scales[0], "vs": scales[1]}
    one(tmp_path, "GroupQueryAttention", inputs, {"y": "float32", "present_key": kept[0].dtype, "present_value": kept[0].dtype}, tolerance=1e-4,
        constants=["total", "ks", "vs"] + (["cos", "sin"] if cos is not None else []), num_heads=heads, kv_num_heads=shared, k_quant_type=kind, v_quant_type=kind,
        kv_cache_bit_width=bits, **(ROOMS.get(form, {})))


@pytest.mark.parametrize("form", ["usual", "rotary", "added", "bytes"])
@pytest.mark.parametrize("seen,new", [(3, 1), (6, 1), (7, 1), (11, 1), (0, 4), (5, 2), (9, 3)])
def test_group_query_attention_with_a_sliding_cache(tmp_path, seen, new, form):
    """A cache of 6 keys for a window of 4: when it is full, room is made for 3 keys. What is behind the last key is no number in ONNX Runtime, 0 here."""
    heads, shared, size, room, window = 4, 2, 16, 6, 4
    step, total = room - window + 1, seen + new
    held = lambda keys: keys - max(0, -(-(keys - room) // step)) * step
    cos, sin = caches(16, size // 2) if form == "rotary" else (None, None)
    kept = [RNG.integers(-128, 128, (1, shared, room, size)).astype(np.int8) if form == "bytes" else f32(1, shared, room, size) for _ in range(2)]
    scales = [np.float32([0.02])] * 2 if form == "bytes" else [None] * 2
    inputs = {"q": f32(1, new, heads * size), "k": f32(1, new, shared * size), "v": f32(1, new, shared * size), "past_key": kept[0], "past_value": kept[1],
              "lengths": np.array([total - 1], np.int32), "total": np.array(total, np.int32), "cos": cos, "sin": sin, "p": None,
              "a": f32(1, heads, new, total) if form == "added" else None, "sink": None, "ks": scales[0], "vs": scales[1]}
    path = str(tmp_path / "m.onnx")
    constants = [n for n in ("cos", "sin", "ks", "vs") if inputs[n] is not None]
    more = dict(k_quant_type="PER_TENSOR", v_quant_type="PER_TENSOR", kv_cache_bit_width=8) if form == "bytes" else {}
    model_of_node(path, "GroupQueryAttention", MS, inputs, {"y": "float32", "present_key": kept[0].dtype, "present_value": kept[0].dtype}, constants, num_heads=heads,
                  kv_num_heads=shared, local_window_size=window, sliding_window_cache=1, do_rotary=int(form == "rotary"), **more)
    feeds = {n: a for n, a in inputs.items() if a is not None and n not in constants}
    want, got = judge.in_onnxruntime(path, feeds), judge.in_openvino(judge.convert(path, tmp_path), feeds)
    np.testing.assert_allclose(got["y"], want["y"], rtol=1e-4, atol=1e-4)
    for output in ("present_key", "present_value"):
        assert got[output].shape == want[output].shape == kept[0].shape
        np.testing.assert_allclose(got[output][:, :, :held(total)], want[output][:, :, :held(total)], rtol=1e-4, atol=1e-4)
        assert not got[output][:, :, held(total):].any()


def quantized(array, kind=np.uint8):
    """Integers, scale and zero point."""
    least, most = min(0, array.min()), max(0, array.max())
    info = np.iinfo(kind)
    scale = np.float32((most - least) / 255)
    zero = np.array(np.clip(np.round(info.min - least / scale), info.min, info.max), kind)
    return np.clip(np.round(array / scale) + zero, info.min, info.max).astype(kind), np.array(scale), zero


def close(tmp_path, op, inputs, output, more={}, dynamic=True, weights=(), **options):
    """Integers that may differ by a step where a number lies between two."""
    path = str(tmp_path / f"{op}.onnx")
    constants = [n for n, a in inputs.items() if a is not None and (n in weights or n[-1] in "sz")]
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


@pytest.mark.parametrize("group", [1, 4])
@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("channels_last", [0, 1])
def test_qlinear_conv(tmp_path, channels_last, kind, group):
    x, s, z = quantized(f32(2, 6, 7, 4) if channels_last else f32(2, 4, 6, 7), kind)
    w, ws, wz = quantized(f32(8, 4 // group, 3, 2) / 4, np.int8)
    w //= 2  # ONNX Runtime's sums of two products have 16 bits on processors without VNNI
    inputs = {"x": x, "xs": s, "xz": z, "w": w, "ws": np.full(8, ws), "wz": np.zeros(8, np.int8), "ys": np.float32(0.03), "yz": z,
              "b": RNG.integers(-900, 900, 8).astype(np.int32)}
    close(tmp_path, "QLinearConv", inputs, kind, weights=["w", "b"], strides=[2, 1], pads=[1, 0, 1, 1], group=group, channels_last=channels_last)


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


def test_matmul_nbits_is_refused(tmp_path):
    inputs = {"x": f32(3, 16), "w": RNG.integers(0, 256, (5, 1, 6)).astype(np.uint8), "s": f32(5)}
    model_of_node(str(tmp_path / "m.onnx"), "MatMulNBits", MS, inputs, {"y": "float32"}, ["w", "s"], K=16, N=5, bits=3, block_size=16)
    done = subprocess.run([judge.MO, "--input_model", tmp_path / "m.onnx", "--output_dir", tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 1 and 'MO2004' in done.stderr, done.stderr
    assert '3 bits, for which ONNX Runtime defines no order in bytes (node "y", MatMulNBits)' in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("zero_points", [False, True], ids=["symmetric", "zero_points"])
@pytest.mark.parametrize("columns,filled", [(64, 64), (40, 40), (40, 64)], ids=["whole", "cut", "filled"])
@pytest.mark.parametrize("order", ["rows", "any"])
def test_matmul_nbits_of_groups(tmp_path, order, columns, filled, zero_points):
    """g_idx: the group of each column, as GPTQ with act_order writes it. ONNX Runtime takes other zero points where there is a g_idx, even one that says
    nothing; where columns are in a row, the runtime computes with x of 8 bits."""
    blocks = -(-columns // 32)
    groups = np.arange(filled) // 32
    if order == "any":
        RNG.shuffle(groups[:columns])
    x, numbers, scales = f32(3, columns), RNG.integers(0, 16, (5, blocks * 32)).astype(np.uint8), np.abs(f32(5, blocks)) + 0.1
    zeros = RNG.integers(0, 16, (5, blocks)).astype(np.uint8) if zero_points else np.full((5, blocks), 8, np.uint8)
    used = groups[:columns]
    want = x @ ((numbers[:, :columns] - zeros[:, used].astype(np.float32)) * scales[:, used]).T
    inputs = {"x": x, "w": in_bytes(numbers, 4).reshape(5, blocks, 16), "s": scales.ravel(), "z": in_bytes(zeros, 4) if zero_points else None,
              "g": groups.astype(np.int32)}
    one(tmp_path, "MatMulNBits", inputs, constants=["w", "s", "g"] + ["z"] * zero_points, tolerance=2e-2 if order == "rows" else 1e-5, want={"y": want},
        K=columns, N=5, bits=4, block_size=32)


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


def turned(x, first, part):
    """The first `part` elements of heads [batch, heads, length, size] turned by their positions: halves, as ONNX Runtime's kernels for CUDA do it."""
    angles = (first + np.arange(x.shape[2]))[:, None] / 10000.0 ** (np.arange(0, part, 2) / part)
    a, b = x[..., : part // 2], x[..., part // 2:part]
    return np.concatenate([a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles), x[..., part:]], -1)


@pytest.mark.parametrize("part", [0, 4])
@pytest.mark.parametrize("past", [0, 3])
@pytest.mark.parametrize("room", [0, 2], ids=["grows", "buffer"])
def test_attention_with_rotation(tmp_path, past, part, room):
    """ONNX Runtime has no kernel for the CPU that turns."""
    if room and not past:
        pytest.skip("a buffer has a past")
    batch, length, heads, size = 2, 4, 2, 8
    x, w, bias, before = f32(batch, length, 6), f32(6, 3 * heads * size) / 2, f32(3 * heads * size), f32(2, batch, heads, past, size)
    q, k, v = (p.reshape(batch, length, heads, size).transpose(0, 2, 1, 3) for p in np.split(x @ w + bias, 3, 2))
    q, k = turned(q, past, part or size), turned(k, past, part or size)
    k, v = np.concatenate([before[0], k], 2), np.concatenate([before[1], v], 2)
    scores = q @ k.transpose(0, 1, 3, 2) / size**0.5
    scores[:, :, np.arange(past + length)[None] > past + np.arange(length)[:, None]] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    y = (weights / weights.sum(-1, keepdims=True)) @ v
    unused = f32(2, batch, heads, room, size)
    present = np.concatenate([np.stack([k, v]), unused], 3)
    given = np.concatenate([before, np.zeros((2, batch, heads, length, size), np.float32), unused], 3) if room else before
    inputs = {"x": x, "w": w, "b": bias, "m": None, "past": given if past else None, "a": None, "l": np.array([past], np.int32) if room else None}
    one(tmp_path, "Attention", inputs, {"y": "float32", "present": "float32"}, constants=["w", "b"], tolerance=1e-4, dynamic=False,
        want={"y": y.transpose(0, 2, 1, 3).reshape(batch, length, -1).astype(np.float32), "present": present.astype(np.float32)},
        num_heads=heads, unidirectional=1, do_rotary=1, rotary_embedding_dim=part, past_present_share_buffer=int(room > 0))


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("beams", [0, 3])
def test_multi_head_attention_with_a_buffer(tmp_path, beams, causal):
    """Past and present have room for more keys than there are; each beam takes its past from others."""
    batch, length, heads, size, past, room = 2, 2, 2, 8, 3, 8
    rows = batch * max(beams, 1)
    q, k, v = (f32(rows, length, heads * size) for _ in range(3))
    before = [f32(rows, heads, room, size) for _ in range(2)]
    chosen = RNG.integers(0, max(beams, 1), (batch, max(beams, 1), room)).astype(np.int32)
    apart = lambda x: x.reshape(rows, length, heads, size).transpose(0, 2, 1, 3)
    present = [b.copy() for b in before]
    for p, new in zip(present, (k, v)):
        p[:, :, past:past + length] = apart(new)
    used = [p[:, :, :past + length].copy() for p in present]
    for row in range(rows * (beams > 0)):
        for t in range(past):
            other = row // beams * beams + chosen[row // beams, row % beams, t]
            for u, b in zip(used, before):
                u[row, :, t] = b[other, :, t]
    scores = apart(q) @ used[0].transpose(0, 1, 3, 2) / size**0.5
    if causal:
        scores[:, :, np.arange(past + length)[None] > past + np.arange(length)[:, None]] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    y = ((weights / weights.sum(-1, keepdims=True)) @ used[1]).transpose(0, 2, 1, 3).reshape(rows, length, -1)
    inputs = {"q": q, "k": k, "v": v, "b": None, "m": None, "a": None, "past_k": before[0], "past_v": before[1], "l": np.array([past], np.int32),
              "beams": chosen if beams else None}
    one(tmp_path, "MultiHeadAttention", inputs, {"y": "float32", "present_k": "float32", "present_v": "float32"}, tolerance=1e-4, dynamic=False,
        want={"y": y, "present_k": present[0], "present_v": present[1]}, num_heads=heads, unidirectional=causal)


@pytest.mark.parametrize("predicted", [False, True], ids=["current", "predicted"])
@pytest.mark.parametrize("least,most", [(1, 1), (1, 3), (2, 4), (3, 100)])
def test_bifurcation_detector(tmp_path, least, most, predicted):
    """Few different tokens, so that ends of all lengths occur never, once and several times."""
    found = set()
    for seed in range(12):
        draw = np.random.default_rng(seed)
        source, current, previous = draw.integers(0, 3, 3 + seed), draw.integers(0, 3, draw.integers(1, 5)), int(draw.integers(0, 3))
        tokens = np.append(source[previous:], 1)
        if seed % 3:
            tokens[draw.integers(0, len(tokens))] = 7
        inputs = {"s": source, "c": current, "i": np.array(previous), "p": tokens if predicted else None}
        path = str(tmp_path / "m.onnx")
        model_of_node(path, "BifurcationDetector", MS, inputs, {"tokens": "int64", "match": "int64"}, min_ngram_size=least, max_ngram_size=most)
        feeds = {n: a for n, a in inputs.items() if a is not None}
        want, got = judge.in_onnxruntime(path, feeds), judge.in_openvino(judge.convert(path, tmp_path), feeds)
        for name in want:
            np.testing.assert_array_equal(got[name], want[name], err_msg=f"{name} {feeds}")
            assert got[name].shape == want[name].shape
        found.add(int(want["match"]))
    assert -1 in found and len(found) > (least < 3 and most > 1)


def test_bifurcation_detector_of_nothing(tmp_path):
    nothing = np.zeros(0, np.int64)
    inputs = {"s": nothing, "c": nothing, "i": np.array(0)}
    check(tmp_path, "BifurcationDetector", MS, inputs, {"tokens": "int64", "match": "int64"}, want={"tokens": nothing, "match": np.array(-1)}, max_ngram_size=3)


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


def test_pad_by_a_row(tmp_path):
    """Numbers of padding as a matrix of one row."""
    one(tmp_path, "Pad", {"x": f32(3, 4), "p": np.array([[0, 1, 2, 1]])}, constants=["p"], mode="constant")


def test_range_without_step(tmp_path):
    start, end = np.array(2.5, np.float32), np.array(7.0, np.float32)
    one(tmp_path, "Range", {"a": start, "b": end}, want={"y": np.arange(2.5, 7, dtype=np.float32)})


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


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("zero_points", ["none", "left", "right", "both"])
def test_mul_integer(tmp_path, kind, zero_points):
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    a = RNG.integers(least, most, (3, 4), kind, endpoint=True)
    b = RNG.integers(least, most, (2, 1, 4), kind, endpoint=True)
    a[0], b[0, 0] = [least, least, most, most], [least, most, least, most]  # the largest products
    az, bz = (np.array(most, kind) if zero_points in (side, "both") else None for side in ("left", "right"))
    one(tmp_path, "MulInteger", {"a": a, "az": az, "b": b, "bz": bz}, {"c": "int32"},
        want={"c": (a.astype(np.int32) - (0 if az is None else np.int32(az))) * (b.astype(np.int32) - (0 if bz is None else np.int32(bz)))})


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
