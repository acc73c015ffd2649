"""Versions of operators whose form is another than the newest version's, against what ONNX says of them, in numpy."""
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import judge
from nodes import check, model_of_node

RNG = np.random.default_rng(11)
X = RNG.standard_normal((2, 3, 4, 6)).astype(np.float32)
SMALL = X[:, :, 0, :4]
F32 = {"y": "float32"}


def form(tmp_path, op, opset, inputs, want, **options):
    kinds = {name: array.dtype.name for name, array in want.items()}
    check(tmp_path, op, "", inputs, kinds, want=want, opset=opset, **options)


@pytest.mark.parametrize("opset", [1, 2, 4])
def test_reshape(tmp_path, opset):
    form(tmp_path, "Reshape", opset, {"x": X}, {"y": X.reshape(2, 3, 24)}, shape=[0, 3, -1], consumed_inputs=[0])


def test_pad(tmp_path):
    paddings = [0, 0, 1, 2, 0, 0, 0, 3]
    want = np.pad(X, list(zip(paddings[:4], paddings[4:])), constant_values=1.5)
    form(tmp_path, "Pad", 1, {"x": X}, {"y": want}, more={"mode": "constant"}, paddings=paddings, value=1.5)


@pytest.mark.parametrize("word,kind", [("INT32", np.int32), ("FLOAT16", np.float16), ("BOOL", np.bool_), ("DOUBLE", np.float64)])
@pytest.mark.parametrize("opset", [1, 5])
def test_cast(tmp_path, opset, word, kind):
    form(tmp_path, "Cast", opset, {"x": X}, {"y": X.astype(kind)}, to=word)


def test_tile(tmp_path):
    inputs = {"x": X, "tiles": np.float32(3), "axis": np.float32(1)}
    form(tmp_path, "Tile", 1, inputs, {"y": np.tile(X, (1, 3, 1, 1))}, constants=["tiles", "axis"])


@pytest.mark.parametrize("axis", [-1, 1])
def test_top_k(tmp_path, axis):
    want = np.sort(X, axis)
    want = np.flip(want, axis).take([0, 1], axis)
    form(tmp_path, "TopK", 1, {"x": X}, {"y": want, "places": np.argsort(-X, axis, kind="stable").take([0, 1], axis)}, axis=axis, k=2)


@pytest.mark.parametrize("opset", [1, 9])
def test_slice(tmp_path, opset):
    form(tmp_path, "Slice", opset, {"x": X}, {"y": X[:, :, 1:-1, 2:]}, axes=[2, 3], starts=[1, 2], ends=[-1, 1000])


@pytest.mark.parametrize("opset", [1, 11])
def test_squeeze_and_unsqueeze(tmp_path, opset):
    flat = X[:, :1]
    form(tmp_path, "Squeeze", opset, {"x": flat}, {"y": flat[:, 0]}, axes=[1])
    form(tmp_path, "Unsqueeze", opset, {"x": X}, {"y": X[:, None, ..., None]}, axes=[1, 5])


@pytest.mark.parametrize("opset,scales", [(1, {"height_scale": 2.0, "width_scale": 3.0}), (7, {"scales": [1.0, 1.0, 2.0, 3.0]})])
def test_upsample(tmp_path, opset, scales):
    form(tmp_path, "Upsample", opset, {"x": X}, {"y": X.repeat(2, 2).repeat(3, 3)}, more={"mode": "nearest"}, **scales)


@pytest.mark.parametrize("opset", [1, 10])
def test_depth_to_space(tmp_path, opset):
    x = RNG.standard_normal((2, 8, 2, 3)).astype(np.float32)
    want = x.reshape(2, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 4, 6)
    form(tmp_path, "DepthToSpace", opset, {"x": x}, {"y": want}, blocksize=2)


@pytest.mark.parametrize("opset,options", [(1, {"consumed_inputs": [0, 0, 0, 1, 1], "is_test": 1}), (6, {"is_test": 1}), (7, {})])
def test_batch_normalization(tmp_path, opset, options):
    numbers = {name: RNG.uniform(0.5, 2, 3).astype(np.float32) for name in ("gamma", "beta", "mean", "variance")}
    gamma, beta, mean, variance = (n.reshape(3, 1, 1) for n in numbers.values())
    want = (X - mean) / np.sqrt(variance + 1e-3) * gamma + beta
    form(tmp_path, "BatchNormalization", opset, {"x": X, **numbers}, {"y": want}, constants=list(numbers), epsilon=1e-3, **options)


@pytest.mark.parametrize("opset", [1, 4, 5])
@pytest.mark.parametrize("axis,shape", [(None, (2, 3, 4, 6)), (1, (3, 4)), (None, (4, 6))])
def test_sum_along_an_axis(tmp_path, opset, axis, shape):
    other = RNG.standard_normal(shape).astype(np.float32)
    want = X + (other if axis is None else other[..., None])
    options = {} if axis is None else {"axis": axis}
    form(tmp_path, "Add", opset, {"x": X, "other": other}, {"y": want}, dynamic=False, broadcast=1, **options)


@pytest.mark.parametrize("opset", [1, 2, 22])
def test_norm_pooling(tmp_path, opset):
    p = 3.0 if opset == 1 else 3
    norms = np.sum(np.abs(X) ** 3, (2, 3), keepdims=True) ** (1 / 3)
    form(tmp_path, "GlobalLpPool", opset, {"x": X}, {"y": norms}, p=p)
    windows = (np.abs(X) ** 3).reshape(2, 3, 2, 2, 3, 2).sum((3, 5)) ** (1 / 3)
    form(tmp_path, "LpPool", opset, {"x": X}, {"y": windows}, p=p, kernel_shape=[2, 2], strides=[2, 2])


@pytest.mark.parametrize("opset", [1, 22])
def test_max_roi_pool(tmp_path, opset):
    rois = np.array([[0, 0, 0, 3, 3], [1, 1, 0, 5, 2]], np.float32)
    want = np.stack([X[int(i), :, int(top):int(bottom) + 1, int(left):int(right) + 1].max((1, 2)) for i, left, top, right, bottom in rois])
    form(tmp_path, "MaxRoiPool", opset, {"x": X, "rois": rois}, {"y": want[..., None, None]}, pooled_shape=[1, 1])


def test_resize(tmp_path):
    scales = {"scales": np.array([1, 1, 2, 3], np.float32)}
    form(tmp_path, "Resize", 10, {"x": X, **scales}, {"y": X.repeat(2, 2).repeat(3, 3)}, constants=list(scales), more={"mode": "nearest"})
    inputs = {"x": X, "roi": np.zeros(0, np.float32), **scales}
    form(tmp_path, "Resize", 11, inputs, {"y": X.repeat(2, 2).repeat(3, 3)}, constants=["roi", "scales"], more={"mode": "nearest"})


def test_roi_align(tmp_path):
    inputs = {"x": X, "rois": np.array([[0, 0, 3, 3], [1, 0, 5, 2]], np.float32), "batch": np.array([0, 1])}
    check(tmp_path, "RoiAlign", "", inputs, F32, opset=10, output_height=2, output_width=2, sampling_ratio=2)


REDUCTIONS = {
    "ReduceL1": lambda x: np.abs(x).sum((1, 3)), "ReduceL2": lambda x: np.sqrt((x * x).sum((1, 3))), "ReduceSum": lambda x: x.sum((1, 3)),
    "ReduceLogSum": lambda x: np.log(x.sum((1, 3))), "ReduceLogSumExp": lambda x: np.log(np.exp(x).sum((1, 3))),
    "ReduceMean": lambda x: x.mean((1, 3)), "ReduceSumSquare": lambda x: (x * x).sum((1, 3)), "ReduceProd": lambda x: x.prod((1, 3)),
    "ReduceMax": lambda x: x.max((1, 3)), "ReduceMin": lambda x: x.min((1, 3)),
}


@pytest.mark.parametrize("opset", [1, 11, 13])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions(tmp_path, op, opset):
    if op == "ReduceSum" and opset == 13:
        opset = 12
    x = np.abs(X) + np.float32(0.1)
    form(tmp_path, op, opset, {"x": x}, {"y": REDUCTIONS[op](x)}, axes=[1, 3], keepdims=0)


def bodies(op, opset):
    """A model with one If, Loop or Scan over x."""
    def value(name, shape, kind=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, shape)

    def constant(name, array):
        return onnx.numpy_helper.from_array(np.array(array), name)

    weights = []
    if op == "If":
        branches = {f"{b}_branch": helper.make_graph([helper.make_node(n, ["x"], [b])], b, [], [value(b, ["N", 4])]) for b, n in (("then", "Abs"), ("else", "Neg"))}
        node, weights = helper.make_node("If", ["condition"], ["y"], **branches), [constant("condition", False)]
    elif op == "Loop":
        body = helper.make_graph([helper.make_node("Add", ["state", "state"], ["next"]), helper.make_node("Identity", ["go"], ["went"])], "body",
                                 [value("i", [], TensorProto.INT64), value("go", [], TensorProto.BOOL), value("state", ["N", 4])],
                                 [value("went", [], TensorProto.BOOL), value("next", ["N", 4])])
        node, weights = helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body), [constant("trips", np.int64(3))]
    else:
        body = helper.make_graph([helper.make_node("Neg", ["row"], ["out"])], "body", [value("row", [4])], [value("out", [4])])
        node = helper.make_node("Scan", ["x"], ["y"], body=body, num_scan_inputs=1)
    graph = helper.make_graph([node], "one_node", [value("x", ["N", 4])], [value("y", ["N", 4])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


# Scan of set 8 has a batch: it is among the backend cases.
@pytest.mark.parametrize(
    ("op", "opset"),
    [(op, opset) for op in ("If", "Loop", "Scan") for opset in (1, 7, 11, 13, 16, 19, 21, 23, 24, 25) if op != "Scan" or opset >= 9],
)
def test_bodies(tmp_path, op, opset):
    path = str(tmp_path / f"{op}.onnx")
    onnx.save(bodies(op, opset), path)
    x = X[0, 0, :, :4]
    want = {"If": -x, "Loop": 8 * x, "Scan": -x}[op]
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x})["y"]
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("opset", [7, 22])
@pytest.mark.parametrize("op", ["RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"])
def test_random(tmp_path, op, opset):
    """The numbers are the runtime's own, so only their shape, mean and deviation are compared."""
    opset = max(opset, 15) if op == "Bernoulli" else opset if op == "Multinomial" else {7: 1, 22: 22}[opset]
    like = np.full((64, 64), 0.25, np.float32)
    inputs = {} if op in ("RandomNormal", "RandomUniform") else {"x": np.log(like) if op == "Multinomial" else like}
    more = {} if inputs else {"shape": [64, 64]}
    if op == "Multinomial":
        more = {"sample_size": 64}
    path = str(tmp_path / f"{op}.onnx")
    model_of_node(path, op, "", inputs, {"y": "int32" if op == "Multinomial" else "float32"}, opset=opset, seed=3.0, **more)
    y = judge.in_openvino(judge.convert(path, tmp_path), inputs)["y"]
    assert y.shape == (64, 64)
    mean = {"N": 0, "U": 0.5, "l": 31.5, "r": 0.25}[op[6] if op.startswith("Random") else op[2]]
    spread = {"N": 1, "U": 12 ** -0.5, "l": 18.5, "r": 0.433}[op[6] if op.startswith("Random") else op[2]]
    assert abs(y.mean() - mean) < 0.1 * max(spread, 1) and abs(y.std() - spread) < 0.1 * spread


def test_deprecated_versions_are_read(tmp_path):
    """Operators that ONNX has deprecated, in their last form."""
    x, places, updates = SMALL[0], np.array([[1, 0, 2, 0]]), np.float32([[5, 6, 7, 8]])
    want = x.copy()
    np.put_along_axis(want, places, updates, 0)
    form(tmp_path, "Scatter", 11, {"x": x, "places": places, "updates": updates}, {"y": want}, axis=0, dynamic=False)
    scales = {"scales": np.array([1, 1, 2, 3], np.float32)}
    form(tmp_path, "Upsample", 10, {"x": X, **scales}, {"y": X.repeat(2, 2).repeat(3, 3)}, constants=list(scales), more={"mode": "nearest"})


@pytest.mark.parametrize("opset", [18, 21])
def test_group_normalization(tmp_path, opset):
    """Version 18 scales groups, later ones channels."""
    x = RNG.standard_normal((2, 4, 3, 5)).astype(np.float32)
    scale, bias = (RNG.standard_normal(2 if opset == 18 else 4).astype(np.float32) for _ in range(2))
    groups = x.reshape(2, 2, -1)
    normal = ((groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + 1e-5)).reshape(x.shape)
    each = [n.repeat(4 // n.size).reshape(4, 1, 1) for n in (scale, bias)]
    form(tmp_path, "GroupNormalization", opset, {"x": x, "scale": scale, "bias": bias}, {"y": normal * each[0] + each[1]},
         constants=["scale", "bias"], tolerance=1e-4, num_groups=2)


@pytest.mark.parametrize("opset", [11, 24])
def test_split_to_sequence(tmp_path, opset):
    nodes = [helper.make_node("SplitToSequence", ["x"], ["s"], axis=1), helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)]
    value = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "two_nodes", [value("x", [2, 3])], [value("y", [6, 1])])
    path = str(tmp_path / "split.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10), path)
    x = X[0, :2, 0, :3]
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x})["y"]
    np.testing.assert_array_equal(got, x.T.reshape(6, 1))


@pytest.mark.parametrize("opset", [15, 18])
def test_optional(tmp_path, opset):
    nodes = [helper.make_node("Optional", ["x"], ["o"]), helper.make_node("OptionalGetElement", ["o"], ["y"]), helper.make_node("OptionalHasElement", ["o"], ["has"])]
    value = lambda name, kind, shape: helper.make_tensor_value_info(name, kind, shape)
    graph = helper.make_graph(nodes, "optional", [value("x", TensorProto.FLOAT, [2, 3])], [value("y", TensorProto.FLOAT, [2, 3]), value("has", TensorProto.BOOL, [])])
    path = str(tmp_path / "optional.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10), path)
    x = X[0, :2, 0, :3]
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x})
    np.testing.assert_array_equal(got["y"], x)
    assert got["has"].all()


@pytest.mark.parametrize("opset", [1, 3, 5])
def test_trees(tmp_path, opset):
    x = RNG.standard_normal((8, 2)).astype(np.float32)
    tree = dict(nodes_treeids=[0] * 5, nodes_nodeids=[0, 1, 2, 3, 4], nodes_featureids=[0, 1, 0, 0, 0], nodes_values=[0.1, -0.2, 0.0, 0.0, 0.0],
                nodes_modes=["BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"], nodes_truenodeids=[1, 2, 0, 0, 0], nodes_falsenodeids=[4, 3, 0, 0, 0])
    place = np.where(x[:, 0] > np.float32(0.1), 2, np.where(x[:, 1] <= np.float32(-0.2), 0, 1))
    leaves = dict(treeids=[0] * 3, nodeids=[2, 3, 4], ids=[0, 1, 2], weights=[1.0, 2.0, 3.0])
    scores = np.eye(3, dtype=np.float32)[place] * (place[:, None] + 1)
    check(tmp_path, "TreeEnsembleRegressor", "ai.onnx.ml", {"x": x}, F32, want={"y": scores}, opset=opset, n_targets=3, **tree,
          **{f"target_{n}": v for n, v in leaves.items()})
    check(tmp_path, "TreeEnsembleClassifier", "ai.onnx.ml", {"x": x}, {"label": "int64", "scores": "float32"}, opset=opset,
          want={"label": place + 7, "scores": scores}, classlabels_int64s=[7, 8, 9], **tree, **{f"class_{n}": v for n, v in leaves.items()})


def test_label_encoder_of_texts(tmp_path):
    """Version 1 has no other labels."""
    path = str(tmp_path / "m.onnx")
    model_of_node(path, "LabelEncoder", "ai.onnx.ml", {"x": np.array(["a", "b"])}, {"y": "int64"}, opset=1, classes_strings=["b", "a"])
    with pytest.raises(AssertionError, match="MO2004.*texts"):
        judge.convert(path, tmp_path)


def test_operators_that_onnx_never_released(tmp_path):
    image = RNG.uniform(0, 255, (1, 3, 4, 6)).astype(np.float32)
    form(tmp_path, "ImageScaler", 1, {"x": image}, {"y": image * np.float32(0.5) + np.float32([1, 2, 3]).reshape(3, 1, 1)}, scale=0.5, bias=[1.0, 2.0, 3.0])
    form(tmp_path, "Crop", 1, {"x": X}, {"y": X[:, :, 1:-1, 2:-1]}, border=[2, 1, 1, 1])
    form(tmp_path, "ConstantFill", 1, {"x": np.array([2, 3])}, {"y": np.full((2, 3), 1.5, np.float32)}, constants=["x"], input_as_shape=1, value=1.5)
    rms = SMALL / np.sqrt((SMALL * SMALL).mean(-1, keepdims=True) + 1e-5)
    form(tmp_path, "SimplifiedLayerNormalization", 1, {"x": SMALL, "scale": np.ones(4, np.float32)}, {"y": rms}, constants=["scale"], tolerance=1e-4, epsilon=1e-5)
