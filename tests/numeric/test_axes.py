"""The converter asks each node where its batch, channels and spatial axes are: models with channels first, and the same with channels
last, give the same numbers. Most of them have as many channels as rows, so that no shape reveals that one axis is taken for another."""
import os
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import onnx.parser
import pytest

import judge

CHANNELS_LAST = os.environ.get("MO_CHANNELS_LAST", os.path.join(os.path.dirname(judge.MO), "mo_channels_last"))
RNG = np.random.default_rng(7)

IMAGE = "float[2,6,6,7] x"
# name: (inputs, weights and their shapes, statements giving y, or y and z; layers that must be there or, with a "-", not)
CASES = {
    "conv": (IMAGE, {"k": [6, 6, 3, 2], "b": [6]}, "y = Conv<strides=[2,1], pads=[1,0,0,1], dilations=[1,2]>(x, k, b)", "Convolution"),
    "conv_more_channels": (IMAGE, {"k": [5, 6, 3, 2]}, "y = Conv(x, k)", "Convolution"),
    "conv_same_upper": (IMAGE, {"k": [4, 6, 4, 2]}, 'y = Conv<auto_pad="SAME_UPPER", strides=[1,3]>(x, k)', "Convolution"),
    "conv_same_lower": (IMAGE, {"k": [6, 6, 2, 4], "b": [6]}, 'y = Conv<auto_pad="SAME_LOWER">(x, k, b)', "Convolution"),
    "conv_grouped": (IMAGE, {"k": [4, 3, 3, 2], "b": [4]}, "y = Conv<group=2, pads=[1,0,1,0]>(x, k, b)", "GroupConvolution"),
    "conv_depthwise": (IMAGE, {"k": [6, 1, 3, 2], "b": [6]}, "y = Conv<group=6>(x, k, b)", "GroupConvolution"),
    "conv_depthwise_twice": (IMAGE, {"k": [12, 1, 3, 2]}, "y = Conv<group=6, strides=[2,2]>(x, k)", "GroupConvolution"),
    "conv_of_weights_that_are_fed": (IMAGE + ", float[6,6,3,2] w, float[6] wb", {}, "y = Conv(x, w, wb)", "Convolution"),
    "conv_1d": ("float[2,5,5] x", {"k": [3, 5, 2], "b": [3]}, "y = Conv<strides=[2]>(x, k, b)", "Convolution"),
    "conv_3d": ("float[1,4,4,5,6] x", {"k": [3, 4, 2, 1, 3], "b": [3]}, "y = Conv<strides=[1,2,1]>(x, k, b)", "Convolution"),
    "conv_dynamic": ("float[N,6,H,W] x", {"k": [6, 6, 3, 2], "b": [6]}, "y = Conv(x, k, b)", "Convolution"),
    "deconv": (IMAGE, {"k": [6, 6, 3, 2], "b": [6]}, "y = ConvTranspose<strides=[2,3], pads=[1,0,0,1], output_padding=[1,0]>(x, k, b)", "ConvolutionBackpropData"),
    "deconv_other_channels": (IMAGE, {"k": [6, 4, 3, 2]}, "y = ConvTranspose<output_shape=[12,7], strides=[2,1]>(x, k)", "ConvolutionBackpropData"),
    "deconv_dilated": (IMAGE, {"k": [6, 6, 3, 2]}, "y = ConvTranspose<output_shape=[12,8], strides=[2,1], dilations=[1,2]>(x, k)", "ConvolutionBackpropData"),
    "deconv_same": (IMAGE, {"k": [6, 6, 3, 4]}, 'y = ConvTranspose<auto_pad="SAME_UPPER", strides=[2,2]>(x, k)', "ConvolutionBackpropData"),
    "deconv_grouped": (IMAGE, {"k": [6, 2, 3, 2], "b": [6]}, "y = ConvTranspose<group=3>(x, k, b)", "GroupConvolutionBackpropData"),
    "max_pool": (IMAGE, {}, "y = MaxPool<kernel_shape=[3,2], strides=[2,1], pads=[1,0,0,1]>(x)", "MaxPool"),
    "max_pool_ceil": (IMAGE, {}, "y = MaxPool<kernel_shape=[3,2], strides=[2,3], ceil_mode=1>(x)", "MaxPool"),
    "average_pool": (IMAGE, {}, "y = AveragePool<kernel_shape=[3,2], strides=[2,1], pads=[1,0,0,1]>(x)", "AvgPool"),
    "average_pool_ceil": ("float[2,5,5,8] x", {}, "y = AveragePool<kernel_shape=[3,2], strides=[2,3], pads=[1,1,1,0], ceil_mode=1, count_include_pad=1>(x)", "AvgPool"),
    "global_max": (IMAGE, {}, "y = GlobalMaxPool(x)", "ReduceMax"),
    "global_average": (IMAGE, {}, "y = GlobalAveragePool(x)", "ReduceMean"),
    "lp_pool": (IMAGE, {}, "y = LpPool<kernel_shape=[3,2], strides=[2,1], pads=[1,0,0,1], p=3>(x)", ""),
    "global_lp": (IMAGE, {}, "y = GlobalLpPool<p=2>(x)", "ReduceL2"),
    "lrn": (IMAGE, {}, "y = LRN<size=3, alpha=0.5>(x)", "LRN"),
    "lrn_even": (IMAGE, {}, "y = LRN<size=4, alpha=0.5>(x)", "AvgPool"),
    "batch_norm": (IMAGE, {"g": [6], "b": [6], "m": [6], "v": [6]}, "y = BatchNormalization(x, g, b, m, v)", "Multiply Add"),
    "batch_norm_fed": (IMAGE + ", float[6] wg, float[6] wb, float[6] wm, float[6] wv", {}, "y = BatchNormalization(x, wg, wb, wm, wv)", "Multiply"),
    "batch_norm_training": (IMAGE, {"g": [6], "b": [6], "m": [6], "v": [6]},
                            "y, z, s = BatchNormalization<training_mode=1>(x, g, b, m, v)", "ReduceMean"),
    "instance_norm": (IMAGE, {"g": [6], "b": [6]}, "y = InstanceNormalization(x, g, b)", "MVN"),
    "group_norm": (IMAGE, {"g": [3], "b": [3]}, "y = GroupNormalization<num_groups=3>(x, g, b)", "GroupNormalization"),
    "deform_conv": (IMAGE + ", float[2,12,4,6] offset, float[2,6,4,6] mask", {"k": [6, 6, 3, 2], "b": [6]},
                    "y = DeformConv(x, k, offset, b, mask)", "DeformableConvolution"),
    # Factors after a convolution are merged into its weights only along its channels.
    "fused_scale": (IMAGE, {"k": [6, 6, 1, 1], "s": [6, 1, 1], "t": [1, 6, 1, 1]}, "c = Conv(x, k) d = Mul(c, s) y = Add(d, t)", "Convolution -Multiply"),
    "fused_bias_and_scale": (IMAGE, {"k": [6, 6, 1, 1], "b": [6], "s": [6, 1, 1]}, "c = Conv(x, k, b) y = Mul(c, s)", "Convolution -Multiply"),
    "fused_batch_norm": (IMAGE, {"k": [6, 6, 1, 1], "g": [6], "b": [6], "m": [6], "v": [6]}, "c = Conv(x, k) y = BatchNormalization(c, g, b, m, v)", "Convolution -Multiply"),
    "fused_depthwise": (IMAGE, {"k": [6, 1, 1, 1], "s": [6, 1, 1]}, "c = Conv<group=6>(x, k) y = Mul(c, s)", "GroupConvolution -Multiply"),
    "fused_deconv": (IMAGE, {"k": [6, 6, 1, 1], "s": [6, 1, 1]}, "c = ConvTranspose(x, k) y = Mul(c, s)", "ConvolutionBackpropData -Multiply"),
    "not_fused_by_row": (IMAGE, {"k": [6, 6, 1, 1], "s": [6, 1]}, "c = Conv(x, k) y = Mul(c, s)", "Convolution Multiply"),
    "not_fused_by_column": ("float[2,6,7,6] x", {"k": [6, 6, 1, 1], "s": [6]}, "c = Conv(x, k) y = Mul(c, s)", "Convolution Multiply"),
    "sequence": (IMAGE, {"s": [6, 1, 1], "t": [6, 1, 1], "u": [6, 1, 1]}, "a = Mul(x, s) b = Add(a, t) c = Mul(b, u) y = Relu(c)", "Multiply Add"),
    "sequence_by_row": (IMAGE, {"s": [6, 1], "t": [6, 1, 1], "u": [6, 1]}, "a = Mul(x, s) b = Add(a, t) c = Mul(b, u) y = Relu(c)", "Multiply Add"),
    "prelu_pattern": (IMAGE, {"a": [6, 1, 1]}, "p = Relu(x) n = Neg(x) q = Relu(n) m = Mul(a, q) y = Sub(p, m)", "PReLU"),
    "prelu_pattern_by_row": (IMAGE, {"a": [6, 1]}, "p = Relu(x) n = Neg(x) q = Relu(n) m = Mul(a, q) y = Sub(p, m)", "PReLU -Subtract"),
}
NOT_IN_ONNXRUNTIME = {"batch_norm_training", "lrn_even"}


def made(path, case):
    """The model in a file, and what to feed."""
    inputs, weights, statements, _ = case
    outputs = "float[A] y, float[A] z, float[A] s" if "z," in statements else "float[A] y"
    text = f'<ir_version: 8, opset_import: ["": 19]> g ({inputs}) => ({outputs}) {{ {statements} }}'
    model = onnx.parser.parse_model(text)
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    for name, shape in weights.items():
        array = RNG.uniform(0.5, 1.5, shape) * (1 if name == "v" else RNG.choice([-1, 1], shape))
        model.graph.initializer.append(onnx.numpy_helper.from_array(array.astype(np.float32), name))
    onnx.save(model, path)
    sizes = {"N": 2, "H": 6, "W": 7}
    shapes = {i.name: [sizes.get(d.dim_param, d.dim_value) for d in i.type.tensor_type.shape.dim] for i in model.graph.input}
    return {n: (RNG.uniform(0.5, 1.5, s) if n == "wv" else RNG.normal(size=s)).astype(np.float32) for n, s in shapes.items()}


def results(xml, feeds):
    import openvino
    compiled = judge.compiled_for_cpu(xml)
    request = compiled.create_infer_request()
    for name, array in feeds.items():
        request.set_tensor(name, openvino.Tensor(array))
    request.infer()
    return [request.get_output_tensor(i).data.copy() for i in range(len(compiled.outputs))]


def both(tmp_path, case):
    """Feeds, the results of the model, and those of the model with channels last; its layers."""
    path = str(tmp_path / "model.onnx")
    feeds = made(path, case)
    first = results(judge.convert(path, tmp_path), feeds)
    folder = tmp_path / "last"
    folder.mkdir()
    run = subprocess.run([CHANNELS_LAST, path, "--output_dir", str(folder), "--compress_to_fp16=False"], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    xml = str(folder / "model.xml")
    return feeds, first, results(xml, feeds), [layer.get("type") for layer in ET.parse(xml).getroot().find("layers")]


@pytest.mark.parametrize("name", CASES)
def test_channels_last(tmp_path, name):
    feeds, first, last, layers = both(tmp_path, CASES[name])
    for want in CASES[name][3].split():
        assert (want[1:] not in layers) if want[0] == "-" else (want in layers), layers
    assert len(first) == len(last)
    for want, got in zip(first, last):
        assert want.shape == got.shape
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5 * np.abs(want).max())
    if name in NOT_IN_ONNXRUNTIME:
        return
    for want, got in zip(judge.in_onnxruntime(str(tmp_path / "model.onnx"), feeds).values(), last):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5 * np.abs(want).max())


@pytest.mark.parametrize("order", [0, 1])
def test_indices_of_a_pool_are_of_the_framework_s_memory(tmp_path, order):
    attributes = f"kernel_shape=[2,3], strides=[2,2], storage_order={order}"
    path = str(tmp_path / "model.onnx")
    text = f'<ir_version: 8, opset_import: ["": 19]> g (float[2,6,6,7] x) => (float[2,6,3,3] y, int64[2,6,3,3] z) {{ y, z = MaxPool<{attributes}>(x) }}'
    onnx.save(onnx.parser.parse_model(text), path)
    x = RNG.permutation(2 * 6 * 6 * 7).reshape(2, 6, 6, 7).astype(np.float32)
    run = subprocess.run([CHANNELS_LAST, path, "--output_dir", str(tmp_path)], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    y, z = results(str(tmp_path / "model.xml"), {"x": x})
    memory = x.transpose(0, 2, 3, 1) if order == 0 else x.transpose(0, 3, 2, 1)
    np.testing.assert_array_equal(memory.reshape(-1)[z], y)
