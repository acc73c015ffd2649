"""Operations of ai.onnx.ml against ONNX Runtime."""
import numpy as np
import onnx
import pytest
from onnx import helper

import environments
import judge
from nodes import check, model_of_node

RNG = np.random.default_rng(11)
X = RNG.standard_normal((5, 4)).astype(np.float32)
ML = "ai.onnx.ml"


def one(tmp_path, op, inputs, output="float32", **attributes):
    inputs = inputs if isinstance(inputs, dict) else {"x": inputs}
    return check(tmp_path, op, ML, inputs, {"y": output}, **attributes)


@pytest.mark.parametrize("x,places", [(X, [2, 0, 0]), (X[0], [3]), (RNG.integers(0, 9, (2, 3, 4)), [1, 3])], ids=["rows", "vector", "volume"])
def test_array_feature_extractor(tmp_path, x, places):
    one(tmp_path, "ArrayFeatureExtractor", {"x": x, "p": np.array(places)}, x.dtype, opset=1)


def test_binarizer(tmp_path):
    one(tmp_path, "Binarizer", X, threshold=0.1, opset=1)


@pytest.mark.parametrize("x", [X, X.astype(np.float64), (10 * X).astype(np.int64)], ids=lambda x: x.dtype.name)
@pytest.mark.parametrize("size", [1, 4])
def test_scaler(tmp_path, x, size):
    one(tmp_path, "Scaler", x, offset=[1e5, 2.5, -3, 0.1][:size], scale=[1e-6, 2, 3, 0.25][:size], opset=1, compress=True)


@pytest.mark.parametrize("norm", ["MAX", "L1", "L2"])
@pytest.mark.parametrize("x", [np.concatenate([X, np.zeros((1, 4), np.float32)]), (10 * X).astype(np.int64)], ids=lambda x: x.dtype.name)
def test_normalizer(tmp_path, norm, x):
    one(tmp_path, "Normalizer", x, norm=norm, opset=1)


def test_imputer(tmp_path):
    holes = X.copy()
    holes[1, 2] = holes[3, 0] = np.nan
    one(tmp_path, "Imputer", holes, imputed_value_floats=[1.5, 2, 3, 4], replaced_value_float=float("nan"), opset=1)


def test_imputer_of_integers(tmp_path):
    one(tmp_path, "Imputer", np.array([[1, -1], [-1, 3]]), "int64", imputed_value_int64s=[7], replaced_value_int64=-1, opset=1)


def test_feature_vectorizer(tmp_path):
    one(tmp_path, "FeatureVectorizer", {"a": X, "b": X[:, :3] + 1, "c": X[:, :2] - 1}, inputdimensions=[4, 2, 3], opset=1)


@pytest.mark.parametrize("x", [np.array([[1, 7], [3, 9]]), np.array([3.7, 9.0], np.float32)], ids=lambda x: x.dtype.name)
def test_one_hot_encoder(tmp_path, x):
    one(tmp_path, "OneHotEncoder", x, cats_int64s=[9, 3, 1], zeros=1, opset=1)


NAN = float("nan")
LABELS = {
    "ints": (np.array([[5, -1, 8], [3, 2, 5]]), "int64", dict(keys_int64s=[8, 5, -1], values_int64s=[1, 20, 300], default_int64=7), 2),
    "to_floats": (np.array([5, 6, 8]), "float32", dict(keys_int64s=[8, 5], values_floats=[0.5, 2.25]), 2),
    "floats": (np.array([NAN, 0.1, 4, 9], np.float32), "float32", dict(keys_floats=[4.0, NAN, 0.1], values_floats=[1.0, 2.0, 3.0], default_float=9.5), 4),
    "floats_to_ints": (np.array([-8, 0.1, 9], np.float32), "int64", dict(keys_floats=[0.1, -8.0], values_int64s=[4, 5]), 2),
    "floats_of_set_2": (np.array([NAN, 0.1, 4, 9], np.float32), "float32", dict(keys_floats=[4.0, NAN, 0.1], values_floats=[1.0, 2.0, 3.0], default_float=9.5), 2),
    "floats_of_set_3": (np.array([NAN, 0.1, 4, 9], np.float32), "int64", dict(keys_floats=[4.0, NAN, 0.1], values_int64s=[1, 2, 3]), 3),
    "only_nan": (np.array([[NAN, 0.1]], np.float32), "int64", dict(keys_floats=[NAN, NAN], values_int64s=[5, 6], default_int64=9), 4),
    "only_nan_of_set_2": (np.array([[NAN, 0.1]], np.float32), "int64", dict(keys_floats=[NAN], values_int64s=[5], default_int64=9), 2),
    "infinite": (np.array([NAN, np.inf, -np.inf, 0], np.float32), "int64", dict(keys_floats=[np.inf, -np.inf], values_int64s=[5, 6], default_int64=9), 4),
    "doubled_key": (np.array([5, 8]), "int64", dict(keys_int64s=[5, 8, 5], values_int64s=[1, 2, 3]), 2),
}


@pytest.mark.parametrize("name", LABELS)
def test_label_encoder(tmp_path, name):
    x, output, attributes, opset = LABELS[name]
    one(tmp_path, "LabelEncoder", x, output, opset=opset, compress=True, **attributes)


def test_label_encoder_of_tensors(tmp_path):
    tensor = lambda name, values, kind: onnx.numpy_helper.from_array(np.array(values, kind), name)
    one(tmp_path, "LabelEncoder", np.array([1.5, 2.5, 9]), "float64", opset=4, keys_tensor=tensor("k", [2.5, 1.5], np.float64),
        values_tensor=tensor("v", [10, 0.125], np.float64), default_tensor=tensor("d", [3], np.float64))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_label_encoder_of_tensors_with_nan(tmp_path, kind):
    tensor = lambda name, values: onnx.numpy_helper.from_array(np.array(values, kind), name)
    one(tmp_path, "LabelEncoder", np.array([1.5, NAN, 2.5, 9], kind), np.dtype(kind).name, opset=4, keys_tensor=tensor("k", [2.5, NAN, 1.5]),
        values_tensor=tensor("v", [10, 20, 0.125]), default_tensor=tensor("d", [3]))


def test_label_encoder_gives_nan(tmp_path):
    """As a value and as the default."""
    attributes = dict(keys_floats=[1.0, NAN], values_floats=[NAN, 6.0], default_float=NAN)
    node = onnx.helper.make_node("LabelEncoder", ["x"], ["y"], domain=ML, **attributes)
    value = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [3])
    graph = onnx.helper.make_graph([node], "g", [value("x")], [value("y")])
    path = str(tmp_path / "m.onnx")
    onnx.save(onnx.helper.make_model(graph, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid(ML, 4)]), path)
    feeds = {"x": np.array([1, NAN, 2], np.float32)}
    np.testing.assert_array_equal(judge.in_openvino(judge.convert(path, tmp_path), feeds)["y"], judge.in_onnxruntime(path, feeds)["y"])


POST = ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"]


@pytest.mark.parametrize("post", POST[:4])
@pytest.mark.parametrize("targets", [1, 3])
def test_linear_regressor(tmp_path, targets, post):
    one(tmp_path, "LinearRegressor", X, targets=targets, post_transform=post, opset=1,
        coefficients=RNG.standard_normal(4 * targets).tolist(), intercepts=RNG.standard_normal(targets).tolist())


def test_probit(tmp_path):
    one(tmp_path, "LinearRegressor", np.linspace(0.02, 0.98, 9, dtype=np.float32)[:, None], targets=1, post_transform="PROBIT", coefficients=[1.0], intercepts=[0.0],
        opset=1, tolerance=1e-3)


def classified(tmp_path, op, x, tolerance=1e-5, opset=1, **attributes):
    return check(tmp_path, op, ML, {"x": x}, {"label": "int64", "scores": "float32"}, opset=opset, tolerance=tolerance, **attributes)


@pytest.mark.parametrize("post", POST[:4])
@pytest.mark.parametrize("rows,labels", [(1, 2), (2, 2), (3, 3)])
def test_linear_classifier(tmp_path, rows, labels, post):
    classified(tmp_path, "LinearClassifier", X, coefficients=RNG.standard_normal(4 * rows).tolist(), intercepts=RNG.standard_normal(rows).tolist(),
               classlabels_ints=[7, 3, 5][:labels], post_transform=post)


KERNELS = {"LINEAR": [0.0, 0.0, 0.0], "POLY": [0.5, 0.25, 3.0], "RBF": [0.3, 0.0, 0.0], "SIGMOID": [0.2, -0.1, 0.0]}


@pytest.mark.parametrize("one_class", [0, 1])
@pytest.mark.parametrize("kernel", KERNELS)
def test_svm_regressor(tmp_path, kernel, one_class):
    one(tmp_path, "SVMRegressor", 3 + X, opset=1, kernel_type=kernel, kernel_params=KERNELS[kernel], n_supports=6, one_class=one_class,
        support_vectors=(3 + RNG.standard_normal(24)).tolist(), coefficients=RNG.standard_normal(6).tolist(), rho=[0.25])


def test_svm_regressor_without_vectors(tmp_path):
    one(tmp_path, "SVMRegressor", X, opset=1, coefficients=[1.0, -2.0, 0.5, 0.25], rho=[0.25], kernel_type="LINEAR", kernel_params=[0.0, 0.0, 0.0])


@pytest.mark.parametrize("post", POST[:4])
@pytest.mark.parametrize("probability", [False, True], ids=["votes", "probability"])
@pytest.mark.parametrize("classes", [2, 4])
def test_svm_classifier(tmp_path, classes, probability, post):
    """ONNX Runtime stops its search for probabilities at 0.005 / classes."""
    pairs, each = classes * (classes - 1) // 2, [3, 1, 2, 4][:classes]
    attributes = dict(prob_a=(-1.5 - RNG.random(pairs)).tolist(), prob_b=RNG.uniform(-0.2, 0.2, pairs).tolist()) if probability else {}
    classified(tmp_path, "SVMClassifier", X, tolerance=1e-2 if probability else 1e-5, kernel_type="RBF", kernel_params=KERNELS["RBF"],
               classlabels_ints=[7, 3, 5, 4][:classes], vectors_per_class=each, support_vectors=RNG.standard_normal(4 * sum(each)).tolist(),
               coefficients=RNG.standard_normal((classes - 1) * sum(each)).tolist(), rho=RNG.uniform(-0.3, 0.3, pairs).tolist(), post_transform=post, **attributes)


@pytest.mark.parametrize("post", POST[:4])
def test_svm_classifier_without_vectors(tmp_path, post):
    classified(tmp_path, "SVMClassifier", X, classlabels_ints=[7, 3, 5], coefficients=RNG.standard_normal(12).tolist(), rho=[0.5], post_transform=post,
               kernel_type="LINEAR", kernel_params=[0.0, 0.0, 0.0])


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize("x", [np.array([1, 1, 3, 3, 3, 7, 8, 6, 7]), np.array([[2, 3, 3, 5, 6], [7, 8, 6, 7, 2]], np.int32), np.array([[2, 3]], np.int32)],
                         ids=["row", "rows", "short"])
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_tf_idf_vectorizer(tmp_path, mode, x, dynamic):
    check(tmp_path, "TfIdfVectorizer", "", {"x": x}, {"y": "float32"}, dynamic=dynamic, mode=mode, min_gram_length=1, max_gram_length=3, max_skip_count=2,
          ngram_counts=[0, 3, 9], ngram_indexes=[3, 0, 5, 2, 4, 1, 7], pool_int64s=[2, 3, 7, 3, 3, 8, 7, 7, 8, 3, 3, 3],
          weights=[0.5, 1.0, 2.0, 0.25, 1.5, 3.0, 4.0])


MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]


def random_trees(trees, depth, modes, missing=False, features=4):
    """nodes_… attributes, and (tree, node) of all leaves."""
    rows, leaves = [], []

    def grow(tree, level, ids):
        me = ids[0]
        ids[0] += 1
        at = len(rows)
        rows.append(None)
        if level == depth or (level > 0 and RNG.random() < 0.2):
            rows[at] = (tree, me, 0, 0.0, "LEAF", 0, 0, 0)
            leaves.append((tree, me))
            return me
        true, false = grow(tree, level + 1, ids), grow(tree, level + 1, ids)
        rows[at] = (tree, me, int(RNG.integers(features)), float(np.float32(RNG.integers(-4, 5) / 4)), modes[RNG.integers(len(modes))], true, false,
                    int(missing and RNG.random() < 0.5))
        return me

    for tree in range(trees):
        grow(tree, 0, [0])
    names = ["treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true"]
    attributes = {"nodes_" + name: [row[i] for row in rows] for i, name in enumerate(names)}
    return attributes, leaves


def weighted(leaves, targets, kind, least=-1.0, several=False):
    rows = []
    for tree, leaf in leaves:
        for target in range(targets) if several else [tree % targets]:
            rows.append((tree, leaf, target, float(np.float32(RNG.uniform(least, 1)))))
    return {f"{kind}_{name}": [row[i] for row in rows] for i, name in enumerate(["treeids", "nodeids", "ids", "weights"])}


QUARTERS = (np.round(4 * RNG.uniform(-1.2, 1.2, (64, 4))) / 4).astype(np.float32)  # values that meet thresholds


@pytest.mark.parametrize("modes", [[m] for m in MODES] + [MODES], ids=lambda m: m[0] if len(m) == 1 else "MIXED")
@pytest.mark.parametrize("missing", [False, True], ids=["plain", "missing"])
def test_tree_modes(tmp_path, modes, missing):
    attributes, leaves = random_trees(5, 5, modes, missing)
    x = QUARTERS.copy()
    if len(modes) == 1 or missing:
        x[::5, 1] = np.nan
    one(tmp_path, "TreeEnsembleRegressor", x, opset=3, n_targets=1, **attributes, **weighted(leaves, 1, "target"))


@pytest.mark.parametrize("several", [False, True], ids=["own_target", "several_targets"])
@pytest.mark.parametrize("by", ["SUM", "AVERAGE", "MIN", "MAX"])
def test_tree_aggregation(tmp_path, by, several):
    attributes, leaves = random_trees(6, 4, ["BRANCH_LEQ"])
    one(tmp_path, "TreeEnsembleRegressor", QUARTERS, opset=3, n_targets=3, aggregate_function=by, base_values=[0.5, -1, 2], compress=True,
        **attributes, **weighted(leaves, 3, "target", several=several))


@pytest.mark.parametrize("post", POST[:4])
def test_tree_post_transform(tmp_path, post):
    attributes, leaves = random_trees(4, 3, ["BRANCH_LT"])
    one(tmp_path, "TreeEnsembleRegressor", QUARTERS, opset=3, n_targets=2, post_transform=post, **attributes, **weighted(leaves, 2, "target"))


def test_tree_that_is_a_leaf(tmp_path):
    one(tmp_path, "TreeEnsembleRegressor", QUARTERS, opset=3, n_targets=1, nodes_treeids=[0], nodes_nodeids=[0], nodes_featureids=[0], nodes_values=[0.0],
        nodes_modes=["LEAF"], nodes_truenodeids=[0], nodes_falsenodeids=[0], target_treeids=[0], target_nodeids=[0], target_ids=[0], target_weights=[2.5])


@pytest.mark.parametrize("post", POST[:4])
@pytest.mark.parametrize("several", [False, True], ids=["own_class", "several_classes"])
def test_tree_classifier(tmp_path, post, several):
    attributes, leaves = random_trees(6, 4, ["BRANCH_LEQ"])
    classified(tmp_path, "TreeEnsembleClassifier", QUARTERS, opset=3, classlabels_int64s=[4, 9, 2], post_transform=post,
               **attributes, **weighted(leaves, 3, "class", several=several))


@pytest.mark.parametrize("base", [[], [0.1]], ids=["no_base", "base"])
@pytest.mark.parametrize("post", POST[:3])
@pytest.mark.parametrize("least", [0.0, -1.0], ids=["probability", "margin"])
def test_tree_classifier_of_one_weight(tmp_path, least, post, base):
    attributes, leaves = random_trees(1 if least == 0 else 4, 4, ["BRANCH_LEQ"])
    weights = weighted(leaves, 1, "class", least)
    if base:
        weights["base_values"] = base
    classified(tmp_path, "TreeEnsembleClassifier", QUARTERS, opset=3, classlabels_int64s=[0, 1], post_transform=post, **attributes, **weights)


def test_tree_classifier_of_two_weights(tmp_path):
    """ONNX Runtime's label is 1 wherever the second score is positive: the standard's is that of the larger score."""
    attributes, leaves = random_trees(4, 4, ["BRANCH_LEQ"])
    weights = weighted(leaves, 2, "class", 0.0, several=True)
    path = str(tmp_path / "m.onnx")
    model_of_node(path, "TreeEnsembleClassifier", ML, {"x": QUARTERS}, {"label": "int64", "scores": "float32"}, opset=3, classlabels_int64s=[5, 3],
                  **attributes, **weights)
    scores = judge.in_onnxruntime(path, {"x": QUARTERS})["scores"]
    want = {"label": np.array([5, 3])[np.argmax(scores, 1)], "scores": scores}
    classified(tmp_path, "TreeEnsembleClassifier", QUARTERS, opset=3, classlabels_int64s=[5, 3], want=want, **attributes, **weights)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("by", [0, 1, 2, 3])
def test_tree_ensemble(tmp_path, kind, by):
    tensor = lambda name, values, t=kind: onnx.numpy_helper.from_array(np.array(values, t), name)
    x = np.array([[1.0, 3], [2, NAN], [5, 1], [7.5, -2], [0.25, 0.5]], kind)
    one(tmp_path, "TreeEnsemble", x, kind, opset=5, n_targets=2, aggregate_function=by, post_transform=0, tree_roots=[0, 2],
        nodes_featureids=[0, 1, 0, 1], nodes_modes=tensor("m", [6, 1, 0, 6], np.uint8), nodes_splits=tensor("s", [0, 1.5, 4, 0]),
        nodes_truenodeids=[0, 1, 3, 2], nodes_trueleafs=[1, 1, 0, 1], nodes_falsenodeids=[1, 2, 3, 4], nodes_falseleafs=[0, 1, 1, 1],
        nodes_missing_value_tracks_true=[0, 1, 0, 0], membership_values=tensor("v", [1, 5, 7.5, 2, 0.25, NAN, 3, 1]),
        leaf_targetids=[0, 1, 0, 1, 1], leaf_weights=tensor("w", [0.5, 1.25, -2, 3, 4]))


def test_zip_map_gives_its_scores(tmp_path):
    """As models come from scikit-learn: a classifier, and its scores as a map."""
    attributes = dict(coefficients=[1.0, 2, 3, 4, -1, -2, -3, -4, 0.5, 0, 0, 1], intercepts=[0.1, 0.2, 0.3], classlabels_ints=[0, 1, 2], post_transform="SOFTMAX")
    nodes = [helper.make_node("LinearClassifier", ["x"], ["label", "scores"], domain=ML, **attributes),
             helper.make_node("ZipMap", ["scores"], ["output_probability"], domain=ML, classlabels_int64s=[0, 1, 2])]
    x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["N", 4])
    label = helper.make_tensor_value_info("label", onnx.TensorProto.INT64, ["N"])
    value = helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, None)
    maps = helper.make_value_info("output_probability", helper.make_sequence_type_proto(helper.make_map_type_proto(onnx.TensorProto.INT64, value)))
    model = helper.make_model(helper.make_graph(nodes, "classifier", [x], [label, maps]), ir_version=10,
                              opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(ML, 1)])
    path = str(tmp_path / "m.onnx")
    onnx.save(model, path)
    want = judge.in_onnxruntime(path, {"x": X})
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": X})
    np.testing.assert_array_equal(got["label"], want["label"])
    np.testing.assert_allclose(got["output_probability"], [[row[i] for i in range(3)] for row in want["output_probability"]], rtol=1e-5)


def test_read_by_2023_3(tmp_path):
    """Trees with missing values, and a support vector machine with probabilities, in the oldest runtime."""
    attributes, leaves = random_trees(4, 4, ["BRANCH_LEQ", "BRANCH_LT"], missing=True)
    xmls = [one(tmp_path, "TreeEnsembleRegressor", QUARTERS, opset=3, n_targets=2, **attributes, **weighted(leaves, 2, "target")),
            one(tmp_path, "LabelEncoder", np.array([5, 8]), "int64", opset=2, keys_int64s=[5, 8], values_int64s=[1, 2]),
            classified(tmp_path, "SVMClassifier", X, tolerance=1e-2, kernel_type="RBF", kernel_params=[0.3, 0.0, 0.0], classlabels_ints=[0, 1, 2],
                       vectors_per_class=[1, 1, 1], support_vectors=RNG.standard_normal(12).tolist(), coefficients=RNG.standard_normal(6).tolist(),
                       rho=[0.1, 0.2, 0.3], prob_a=[-1.0, -2.0, -1.5], prob_b=[0.0, 0.1, 0.2])]
    script = "import sys, openvino.runtime as ov\nfor xml in sys.argv[1:]: ov.Core().compile_model(xml, 'CPU')\n"
    environments.run(environments.OLDEST, script, *xmls)
