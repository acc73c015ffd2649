"""Small models of the operations of which ONNX has no test of its own: those of other domains, and those that it has taken out.

    Arrays among the inputs are fed, of which only types and shapes count; `constants` are initializers.
"""
import numpy as np
import onnx
import onnx.parser
from onnx import helper, numpy_helper

from onnx_graphs import Seed

MS, ML, OV = "com.microsoft", "ai.onnx.ml", "org.openvinotoolkit"
OPSETS = {"": 17, ML: 3, MS: 1, OV: 1}


def f(*shape):
    return (np.arange(np.prod(shape)) % 7 / 8 + 0.125).astype(np.float32).reshape(shape)


def u8(*shape):
    return (np.arange(np.prod(shape)) * 5 % 251).astype(np.uint8).reshape(shape)


def i32(*numbers):
    return np.array(numbers, np.int32)


def i64(*numbers):
    return np.array(numbers, np.int64)


SCALE, ZERO = np.float32(0.05), np.uint8(120)
NONE = None  # an input that is left out


def value(name, array):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype), list(np.shape(array)))


def node(op, domain, fed, constants=(), made=None, opset=None, order=None, more={}, **attributes):
    """`made`: arrays like the outputs; without it one like the first input. `order`: the places of inputs among `fed` and `constants`.
    `more`: attributes whose names are taken here."""
    arrays = [*fed, *constants]
    names = ["" if array is None else f"i{at}" for at, array in enumerate(arrays)]
    made = [fed[0]] if made is None else made
    results = [f"o{at}" for at in range(len(made))]
    one = helper.make_node(op, [names[at] for at in order or range(len(names))], results, domain=domain, **attributes)
    one.attribute.extend(helper.make_attribute(name, given) for name, given in more.items())
    weights = [numpy_helper.from_array(np.asarray(array), name) for name, array in zip(names[len(fed):], constants) if array is not None]
    graph = helper.make_graph([one], "g", [value(name, array) for name, array in zip(names, fed) if array is not None],
                              [value(name, array) for name, array in zip(results, made)], weights)
    opsets = {**OPSETS, **({domain: opset} if opset else {})}
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(of, version) for of, version in opsets.items()], ir_version=10)


def text(body):
    return onnx.parser.parse_model('<ir_version: 10, opset_import: ["" : 17]>' + body)


TREE = dict(nodes_treeids=[0] * 3, nodes_nodeids=[0, 1, 2], nodes_featureids=[1, 0, 0], nodes_values=[0.5, 0.0, 0.0], nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
            nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0])


def leaves(kind):
    return {f"{kind}_treeids": [0, 0], f"{kind}_nodeids": [1, 2], f"{kind}_ids": [0, 1], f"{kind}_weights": [1.0, 2.0]}


Q = [SCALE, ZERO]
X, IMAGE = f(2, 3, 8), f(1, 4, 6, 6)
ONE = np.float32(1)

MODELS = {
    "SequenceErase": text("g (float[2] x) => (float[2] y) { s = SequenceConstruct(x, x) e = SequenceErase(s) k = Constant<value_int = 0>() y = SequenceAt(e, k) }"),
    "SequenceLength": text("g (float[2] x) => (float[2] y) { s = SequenceConstruct(x, x) n = SequenceLength(s) m = Cast<to = 1>(n) y = Add(x, m) }"),
    "ConstantFill": node("ConstantFill", "", [X], opset=1, value=1.5, input_as_shape=0),
    "RandomUniform": node("RandomUniform", "", [], made=[X], seed=3.0, shape=[2, 3, 8]),
    "RandomNormal": node("RandomNormal", "", [], made=[X], seed=3.0, shape=[2, 3, 8]),
    "RandomNormalLike": node("RandomNormalLike", "", [X], seed=3.0),
    "Multinomial": node("Multinomial", "", [f(2, 8)], made=[np.zeros((2, 4), np.int32)], sample_size=4, seed=3.0),
    "GlobalLpPool": node("GlobalLpPool", "", [IMAGE], made=[f(1, 4, 1, 1)], p=3),
    "MaxRoiPool": node("MaxRoiPool", "", [IMAGE], [f(2, 5)], [f(2, 4, 2, 2)], pooled_shape=[2, 2]),
    "SimplifiedLayerNormalization": node("SimplifiedLayerNormalization", "", [X], [f(8)], opset=1, epsilon=1e-5),
    "Affine": node("Affine", "", [X], opset=1, alpha=0.7, beta=1.5),
    "ScaledTanh": node("ScaledTanh", "", [X], opset=1, alpha=0.7, beta=1.5),
    "ParametricSoftplus": node("ParametricSoftplus", "", [X], opset=1, alpha=0.7, beta=1.5),
    "Crop": node("Crop", "", [IMAGE], made=[f(1, 4, 4, 5)], opset=1, border=[1, 1, 0, 1]),

    "microsoft/Gelu": node("Gelu", MS, [X]),
    "microsoft/FastGelu": node("FastGelu", MS, [X], [f(8)]),
    "microsoft/BiasGelu": node("BiasGelu", MS, [X], [f(8)]),
    "microsoft/QuickGelu": node("QuickGelu", MS, [X], alpha=1.5),
    "microsoft/SampleOp": node("SampleOp", MS, [X]),
    "microsoft/QuantizeLinear": node("QuantizeLinear", MS, [X], Q, [u8(2, 3, 8)]),
    "microsoft/DequantizeLinear": node("DequantizeLinear", MS, [u8(2, 3, 8)], Q, [X]),
    "microsoft/TransposeMatMul": node("TransposeMatMul", MS, [f(3, 4)], [f(4, 4)], transB=1, alpha=0.5),
    **{f"microsoft/{op}": node(op, MS, [u8(3, 4), u8(3, 4)], 3 * Q, order=[0, 2, 3, 1, 4, 5, 6, 7]) for op in ("QLinearAdd", "QLinearMul")},
    "microsoft/QLinearSigmoid": node("QLinearSigmoid", MS, [u8(3, 4)], 2 * Q),
    "microsoft/QLinearLeakyRelu": node("QLinearLeakyRelu", MS, [u8(3, 4)], 2 * Q, alpha=0.2),
    "microsoft/QLinearSoftmax": node("QLinearSoftmax", MS, [u8(3, 4)], 2 * Q, axis=-1, more={"opset": 13}),
    "microsoft/QLinearAveragePool": node("QLinearAveragePool", MS, [u8(1, 3, 6, 7)], 2 * Q, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    "microsoft/QLinearGlobalAveragePool": node("QLinearGlobalAveragePool", MS, [u8(1, 3, 6, 7)], 2 * Q, [u8(1, 3, 1, 1)], channels_last=0),
    "microsoft/QLinearConcat": node("QLinearConcat", MS, [u8(3, 4), u8(3, 4)], 3 * Q, [u8(3, 8)], order=[2, 3, 0, 4, 5, 1, 6, 7], axis=1),
    "microsoft/QLinearConv": node("QLinearConv", MS, [u8(1, 4, 6, 7)], [*Q, u8(4, 4, 3, 3), *Q, *Q, i32(1, 2, 3, 4)], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    "microsoft/QGemm": node("QGemm", MS, [u8(5, 8)], [*Q, u8(8, 8), *Q, i32(*range(8)), *Q]),
    "microsoft/MatMulIntegerToFloat": node("MatMulIntegerToFloat", MS, [u8(5, 8)], [u8(8, 8), SCALE, SCALE, ZERO, ZERO, f(8)], [f(5, 8)]),
    "microsoft/DynamicQuantizeMatMul": node("DynamicQuantizeMatMul", MS, [f(5, 8)], [u8(8, 8), *Q, f(8)]),
    "microsoft/SimplifiedLayerNormalization": node("SimplifiedLayerNormalization", MS, [X], [f(8)], epsilon=1e-5),
    "microsoft/SkipSimplifiedLayerNormalization": node("SkipSimplifiedLayerNormalization", MS, [X, X], [f(8)], epsilon=1e-5),
    "microsoft/EmbedLayerNormalization": node("EmbedLayerNormalization", MS, [np.zeros((2, 5), np.int32), np.zeros((2, 5), np.int32)], [f(10, 8), f(8, 8), f(2, 8), f(8), f(8)],
                                              [f(2, 5, 8), i32(0, 0)], epsilon=1e-5),
    "microsoft/FusedConv": node("FusedConv", MS, [IMAGE], [f(4, 4, 3, 3), f(4)], activation="Relu", pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
    "microsoft/Attention": node("Attention", MS, [X], [f(8, 24), f(24)], num_heads=2),
    "microsoft/RotaryEmbedding": node("RotaryEmbedding", MS, [X], [i64(3), f(16, 4), f(16, 4)]),
    "microsoft/QAttention": node("QAttention", MS, [u8(2, 3, 8)], [u8(8, 24), f(24), SCALE, SCALE, NONE, ZERO, ZERO], [X], num_heads=2),
    "microsoft/QEmbedLayerNormalization": node("QEmbedLayerNormalization", MS, [np.zeros((2, 5), np.int32), np.zeros((2, 5), np.int32)],
                                               [u8(10, 8), u8(6, 8), u8(2, 8), u8(8), u8(8), NONE, *[SCALE] * 5, *[ZERO] * 5], [f(2, 5, 8), i32(0, 0)], epsilon=1e-5),
    "microsoft/QLinearReduceMean": node("QLinearReduceMean", MS, [u8(2, 4, 5)], 2 * Q, [u8(2, 1, 1)], axes=[1, 2], keepdims=1),
    "microsoft/QLinearWhere": node("QLinearWhere", MS, [np.zeros((3, 4), bool), u8(3, 4), u8(3, 4)], 3 * Q, [u8(3, 4)], order=[0, 1, 3, 4, 2, 5, 6, 7, 8]),
    "microsoft/GatherND": node("GatherND", MS, [f(3, 4, 2)], [np.array([[0, 1], [2, 3]])], [f(2, 2)]),
    "microsoft/Trilu": node("Trilu", MS, [f(3, 4, 5)], [np.array(1)], upper=0),
    "microsoft/ExpandDims": node("ExpandDims", MS, [f(3, 4)], [np.int32(-1)], [f(3, 4, 1)]),
    "microsoft/Pad": node("Pad", MS, [f(3, 4)], [i64(0, 1, 2, 1), f(1)], [f(5, 6)], mode="constant"),
    "microsoft/Range": node("Range", MS, [ONE, ONE, ONE], made=[f(4)]),
    "microsoft/GridSample": node("GridSample", MS, [IMAGE], [f(1, 6, 6, 2)], mode="bilinear", padding_mode="border", align_corners=0),
    "microsoft/FusedGemm": node("FusedGemm", MS, [f(3, 4)], [f(4, 4), f(4)], transB=1, alpha=0.5, beta=2.0, activation="LeakyRelu", activation_alpha=0.3),
    "microsoft/GemmFastGelu": node("GemmFastGelu", MS, [f(3, 4)], [f(4, 4), f(4)]),
    "microsoft/BiasSplitGelu": node("BiasSplitGelu", MS, [X], [f(8)], [f(2, 3, 4)]),
    "microsoft/BiasSoftmax": node("BiasSoftmax", MS, [f(2, 3, 4)], [f(2, 1, 4)], axis=2, is_inner_broadcast=0),
    "microsoft/BiasDropout": node("BiasDropout", MS, [X], [f(8), X], [X, X > 0]),
    "microsoft/GroupNorm": node("GroupNorm", MS, [f(1, 4, 5, 8)], [f(8), f(8)], groups=4, activation=1, epsilon=1e-5),
    "microsoft/SkipGroupNorm": node("SkipGroupNorm", MS, [f(1, 4, 5, 8)], [f(8), f(8), f(1, 8), f(8)], 2 * [f(1, 4, 5, 8)], groups=2, activation=1, epsilon=1e-5),
    "microsoft/NhwcConv": node("NhwcConv", MS, [f(1, 5, 6, 4)], [f(4, 3, 3, 4), f(4)], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    "microsoft/NhwcFusedConv": node("NhwcFusedConv", MS, [f(1, 5, 6, 4)], [f(4, 4, 3, 3), f(4), f(1, 5, 6, 4)], kernel_shape=[3, 3], pads=[1, 1, 1, 1], activation="Relu"),
    "microsoft/Inverse": node("Inverse", MS, [f(2, 3, 3)]),
    "microsoft/ComplexMul": node("ComplexMul", MS, [f(3, 4, 2)], [f(3, 4, 2)]),
    "microsoft/ComplexMulConj": node("ComplexMulConj", MS, [f(3, 4, 2)], [f(3, 4, 2)]),
    "microsoft/Rfft": node("Rfft", MS, [f(2, 4, 6)], made=[f(2, 4, 4, 2)], signal_ndim=1, onesided=1, normalized=0),
    "microsoft/Irfft": node("Irfft", MS, [f(2, 4, 4, 2)], made=[f(2, 4, 6)], signal_ndim=1, onesided=1, normalized=0),
    "microsoft/UnfoldTensor": node("UnfoldTensor", MS, [f(3, 7, 8)], made=[f(3, 7, 3, 3)], dim=-1, size=3, step=2),
    "microsoft/Unique": node("Unique", MS, [f(6)], made=[f(6), i64(*range(6)), i64(*range(6))]),

    "ml/FeatureVectorizer": node("FeatureVectorizer", ML, [f(5, 4), f(5, 3)], made=[f(5, 7)], inputdimensions=[4, 3], opset=1),
    "ml/Imputer": node("Imputer", ML, [f(5, 4)], opset=1, imputed_value_floats=[1.5, 2.0, 3.0, 4.0], replaced_value_float=float("nan")),
    "ml/LinearClassifier": node("LinearClassifier", ML, [f(5, 3)], made=[i64(*range(5)), f(5, 3)], opset=1, coefficients=[0.5] * 9, intercepts=[0.1, 0.2, 0.3], classlabels_ints=[7, 3, 5],
                                post_transform="SOFTMAX"),
    "ml/Normalizer": node("Normalizer", ML, [f(5, 4)], opset=1, norm="L2"),
    "ml/OneHotEncoder": node("OneHotEncoder", ML, [i64(1, 7, 3)], made=[f(3, 3)], opset=1, cats_int64s=[9, 3, 1], zeros=1),
    "ml/Scaler": node("Scaler", ML, [f(5, 4)], opset=1, offset=[1.0, 2.5, -3.0, 0.5], scale=[0.5, 2.0, 3.0, 0.25]),
    "ml/SVMClassifier": node("SVMClassifier", ML, [f(5, 4)], made=[i64(*range(5)), f(5, 2)], opset=1, kernel_type="RBF", kernel_params=[0.3, 0.0, 0.0], classlabels_ints=[7, 3],
                             vectors_per_class=[1, 1], support_vectors=[0.5] * 8, coefficients=[1.0, -1.0], rho=[0.1], prob_a=[-1.5], prob_b=[0.1]),
    "ml/TreeEnsembleRegressor": node("TreeEnsembleRegressor", ML, [f(5, 2)], n_targets=2, **TREE, **leaves("target")),
    "ml/TreeEnsembleClassifier": node("TreeEnsembleClassifier", ML, [f(5, 2)], made=[i64(*range(5)), f(5, 2)], classlabels_int64s=[4, 9], **TREE, **leaves("class")),

    "openvino/DetectionOutput": node("DetectionOutput", OV, [f(2, 40), f(2, 30), f(1, 2, 40)], made=[f(1, 1, 10, 7)], nms_threshold=0.5, keep_top_k=5, code_type="CENTER_SIZE", share_location=1),
    "openvino/GenerateProposals": node("GenerateProposals", OV, [f(1, 3), f(3, 4, 2, 4), f(1, 8, 3, 4), f(1, 2, 3, 4)], made=[f(6, 4), f(6), i64(6)], min_size=1.0, nms_threshold=0.5,
                                       pre_nms_count=20, post_nms_count=6),
    "openvino/ExperimentalDetectronDetectionOutput": node("ExperimentalDetectronDetectionOutput", OV, [f(9, 4), f(9, 324), f(9, 81), f(1, 3)], made=[f(100, 4)]),
    "openvino/ExperimentalDetectronGenerateProposalsSingleImage": node("ExperimentalDetectronGenerateProposalsSingleImage", OV, [f(3), f(24, 4), f(8, 3, 4), f(2, 3, 4)], made=[f(6, 4), f(6)],
                                                                       post_nms_count=6),
    "openvino/ExperimentalDetectronPriorGridGenerator": node("ExperimentalDetectronPriorGridGenerator", OV, [f(3, 4), f(1, 8, 3, 4), f(1, 3, 30, 40)], made=[f(36, 4)], stride_x=8.0, stride_y=8.0),
    "openvino/ExperimentalDetectronROIFeatureExtractor": node("ExperimentalDetectronROIFeatureExtractor", OV, [f(9, 4), f(1, 6, 9, 11), f(1, 6, 5, 6)], made=[f(9, 6, 7, 7)], output_size=7),
    "openvino/ExperimentalDetectronTopKROIs": node("ExperimentalDetectronTopKROIs", OV, [f(9, 4), f(9)], made=[f(5, 4)], max_rois=5),
    "openvino/DeformableConv2D": node("DeformableConv2D", OV, [f(1, 4, 6, 7)], [f(1, 18, 4, 5), f(4, 4, 3, 3)], [f(1, 4, 4, 5)], strides=[1, 1], pads=[0, 0, 0, 0], dilations=[1, 1], group=1,
                                      deformable_group=1),
    "openvino/ExperimentalDetectronGroupNorm": node("ExperimentalDetectronGroupNorm", OV, [IMAGE], [f(4), f(4)], num_groups=2),
    "openvino/FakeQuantize": node("FakeQuantize", OV, [X], [ONE, 2 * ONE, ONE, 2 * ONE], levels=16),
    "openvino/GroupNorm": node("GroupNorm", OV, [IMAGE], [f(4), f(4)], num_groups=2, eps=1e-3),
    "openvino/Normalize": node("Normalize", OV, [IMAGE], [f(4)], eps=1e-3, across_spatial=0, channel_shared=0),
    "openvino/Swish": node("Swish", OV, [X], [f(1)]),
}


def seeds():
    for name, model in MODELS.items():
        yield Seed(name, model)
