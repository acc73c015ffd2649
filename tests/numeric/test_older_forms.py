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
    """A model with one If, Loop or Scan, and what it computes from x."""
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


@pytest.mark.parametrize("opset", [1, 7, 11, 13, 16, 19, 21, 23, 24, 25])
@pytest.mark.parametrize("op", ["If", "Loop", "Scan"])
def test_bodies(tmp_path, op, opset):
    if op == "Scan" and opset < 9:
        pytest.skip("has a batch; among the backend cases")
    path = str(tmp_path / f"{op}.onnx")
    onnx.save(bodies(op, opset), path)
    x = X[0, 0, :, :4]
    want = {"If": -x, "Loop": 8 * x, "Scan": -x}[op]
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x})["y"]
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("opset", [7, 22])
@pytest.mark.parametrize("op", ["RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"])
def test_random(tmp_path, op, opset):
    """Numbers are the runtime's own: their shape, and where they lie."""
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
