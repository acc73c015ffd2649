"""Operators that ONNX Runtime's optimiser puts in the place of ONNX's, one node each, against ONNX Runtime or numpy."""
import numpy as np
import pytest

import judge
from nodes import model_of_node
from test_microsoft import close, f32, one, quantized

X = f32(2, 5, 16)


def test_gelus(tmp_path):
    one(tmp_path, "Gelu", {"x": X})
    one(tmp_path, "FastGelu", {"x": X, "bias": f32(16)}, constants=["bias"], tolerance=1e-4)
    one(tmp_path, "BiasGelu", {"x": X, "bias": f32(16)}, constants=["bias"])
    one(tmp_path, "QuickGelu", {"x": X}, alpha=1.5)


def test_sample_op(tmp_path):
    one(tmp_path, "SampleOp", {"x": X}, want={"y": X})


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
def test_quantize_and_dequantize(tmp_path, kind):
    x, s, z = quantized(X, kind)
    close(tmp_path, "QuantizeLinear", {"x": X, "s": s, "z": z}, kind)
    one(tmp_path, "DequantizeLinear", {"x": x, "s": s, "z": z}, constants=["s", "z"])


def test_fused_matmul(tmp_path):
    inputs = {"x": f32(3, 4, 5), "w": f32(3, 4, 6)}
    one(tmp_path, "FusedMatMul", inputs, transA=1, alpha=0.5, dynamic=False)


@pytest.mark.parametrize("moved", [(1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("transposed", [(0, 0), (1, 1)])
def test_fused_matmul_of_first_dimensions(tmp_path, transposed, moved):
    def factor(shape, of_last, of_first):
        batch, rows, columns = [2, 3], *(shape[::-1] if of_last else shape)
        return f32(*([rows] + batch + [columns] if of_first else batch + [rows, columns]))
    inputs = {"x": factor((4, 5), transposed[0], moved[0]), "w": factor((5, 6), transposed[1], moved[1])}
    one(tmp_path, "FusedMatMul", inputs, transA=transposed[0], transB=transposed[1], transBatchA=moved[0], transBatchB=moved[1], dynamic=False)


@pytest.mark.parametrize("op", ["QLinearAdd", "QLinearMul"])
def test_qlinear_of_two(tmp_path, op):
    (x, xs, xz), (v, vs, vz) = quantized(f32(3, 4)), quantized(2 * f32(3, 4))
    close(tmp_path, op, {"x": x, "xs": xs, "xz": xz, "v": v, "vs": vs, "vz": vz, "os": np.float32(0.05), "oz": np.array(120, np.uint8)}, np.uint8)


@pytest.mark.parametrize("op,more", [("QLinearSigmoid", {}), ("QLinearLeakyRelu", {"alpha": 0.2}), ("QLinearGlobalAveragePool", {"channels_last": 0})])
def test_qlinear_of_one(tmp_path, op, more):
    x, s, z = quantized(f32(2, 3, 4, 5))
    close(tmp_path, op, {"x": x, "xs": s, "xz": z, "os": np.float32(1 / 64), "oz": np.array(100, np.uint8)}, np.uint8, **more)


def test_qlinear_concat(tmp_path):
    (x, xs, xz), (v, vs, vz) = quantized(f32(3, 4)), quantized(2 * f32(3, 4))
    close(tmp_path, "QLinearConcat", {"os": np.float32(0.03), "oz": np.array(110, np.uint8), "x": x, "xs": xs, "xz": xz, "v": v, "vs": vs, "vz": vz}, np.uint8, axis=1)




def test_integer_products(tmp_path):
    x, xs, xz = quantized(f32(5, 16))
    w, ws, wz = quantized(f32(16, 8))
    constants = ["w", "ws", "wz", "xs", "xz", "b"]
    one(tmp_path, "MatMulIntegerToFloat", {"x": x, "w": w, "xs": xs, "ws": ws, "xz": xz, "wz": wz, "b": f32(8)}, constants=constants, tolerance=1e-4)
    one(tmp_path, "DynamicQuantizeMatMul", {"x": f32(5, 16), "w": w, "ws": ws, "wz": wz, "b": f32(8)}, constants=["w", "ws", "wz", "b"], tolerance=0.02)
    bias = np.arange(8, dtype=np.int32) * 50
    inputs = {"x": x, "xs": xs, "xz": xz, "wws": w, "ws": ws, "wz": wz, "bs": bias, "os": np.float32(0.2), "oz": np.array(128, np.uint8)}
    close(tmp_path, "QGemm", inputs, np.uint8)


@pytest.mark.parametrize("more", [{"alpha": 0.5}, {"transA": 1}, {"transB": 1}])
def test_forms_of_qgemm(tmp_path, more):
    """Its bias has the unit alpha * a_scale * b_scale."""
    x, xs, xz = quantized(f32(16, 5) if "transA" in more else f32(5, 16))
    w, ws, wz = quantized(f32(8, 16) if "transB" in more else f32(16, 8))
    inputs = {"x": x, "xs": xs, "xz": xz, "wws": w, "ws": ws, "wz": wz, "bs": np.arange(8, dtype=np.int32) * 50, "os": np.float32(0.2), "oz": np.array(128, np.uint8)}
    close(tmp_path, "QGemm", inputs, np.uint8, **more)


def test_normalizations(tmp_path):
    scale, shift = f32(16), f32(16)
    rms = X / np.sqrt((X * X).mean(-1, keepdims=True) + 1e-5) * scale
    one(tmp_path, "SimplifiedLayerNormalization", {"x": X, "scale": scale}, constants=["scale"], want={"y": rms}, tolerance=1e-4, epsilon=1e-5)
    skip = {"x": X, "skip": f32(2, 5, 16), "scale": scale}
    one(tmp_path, "SkipSimplifiedLayerNormalization", skip, constants=["scale"], tolerance=1e-4, epsilon=1e-5)
    one(tmp_path, "SkipLayerNormalization", {**skip, "shift": shift, "bias": f32(16)}, constants=["scale", "shift", "bias"], tolerance=1e-4, epsilon=1e-5)


def test_embed_layer_normalization(tmp_path):
    ids, kinds = (np.random.default_rng(1).integers(0, most, (2, 5)).astype(np.int32) for most in (10, 2))
    tables = {"words": f32(10, 16), "places": f32(8, 16), "segments": f32(2, 16), "scale": f32(16), "shift": f32(16)}
    one(tmp_path, "EmbedLayerNormalization", {"ids": ids, "kinds": kinds, **tables}, {"y": "float32", "mask": "int32"}, constants=list(tables), tolerance=1e-4,
        epsilon=1e-5)


@pytest.mark.parametrize("activation,more", [("Relu", {}), ("LeakyRelu", {"activation_params": [0.1]})])
def test_fused_conv(tmp_path, activation, more):
    inputs = {"x": f32(2, 3, 6, 5), "w": f32(4, 3, 3, 3), "b": f32(4)}
    one(tmp_path, "FusedConv", inputs, constants=["w", "b"], tolerance=1e-4, activation=activation, pads=[1, 1, 1, 1], kernel_shape=[3, 3], **more)


def test_attention(tmp_path):
    inputs = {"x": X, "w": f32(16, 48) / 4, "b": f32(48)}
    one(tmp_path, "Attention", inputs, constants=["w", "b"], tolerance=1e-4, num_heads=4)
    one(tmp_path, "MultiHeadAttention", {"q": X, "k": f32(2, 7, 16), "v": f32(2, 7, 16)}, tolerance=1e-4, num_heads=4)


@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
@pytest.mark.parametrize("packed", ["qkv", "kv"])
def test_packed_attention(tmp_path, packed, bias):
    """ONNX Runtime has no such kernel for the CPU: its numbers for the parts are wanted."""
    q, k, v = f32(2, 5, 4, 8), f32(2, 5, 4, 8), f32(2, 5, 4, 8)
    flat = lambda x: x.reshape(2, 5, 32)
    more = {"b": f32(96)} if bias else {}
    path = str(tmp_path / "apart.onnx")
    model_of_node(path, "MultiHeadAttention", "com.microsoft", {"q": flat(q), "k": flat(k), "v": flat(v), **more}, {"y": "float32"}, list(more), num_heads=4)
    want = judge.in_onnxruntime(path, {"q": flat(q), "k": flat(k), "v": flat(v)})
    inputs = {"q": np.stack([q, k, v], 3), "k": None} if packed == "qkv" else {"q": flat(q), "k": np.stack([k, v], 3)}
    one(tmp_path, "MultiHeadAttention", {**inputs, "v": None, **more}, constants=list(more), want=want, tolerance=1e-4, num_heads=4)


@pytest.mark.parametrize("more", [{}, {"unidirectional": 1}, {"scale": 0.3}])
@pytest.mark.parametrize("masked", [False, True], ids=["open", "masked"])
def test_scores_of_attention(tmp_path, masked, more):
    inputs = {"q": f32(2, 5, 16), "k": f32(2, 5, 16), "v": f32(2, 5, 16), "b": None, "m": np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], np.int32) if masked else None,
              "a": f32(2, 4, 5, 5)}
    one(tmp_path, "MultiHeadAttention", inputs, {"y": "float32", "pk": "float32", "pv": "float32", "scores": "float32"}, tolerance=1e-4, num_heads=4, **more)
