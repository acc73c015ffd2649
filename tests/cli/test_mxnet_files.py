"""Files of MXNet: which belong together, what variables are for, control flow. Numbers are computed by NumPy."""
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile

import numpy as np
import openvino
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests", "mxnet"))
import array_list  # noqa: E402

rng = np.random.default_rng(5)
WEIGHT, BIAS = rng.standard_normal((4, 3, 1, 1)).astype(np.float32), rng.standard_normal(4).astype(np.float32)
ARRAYS = {"arg:c_weight": WEIGHT, "arg:c_bias": BIAS}
X = rng.standard_normal((2, 3, 5, 6)).astype(np.float32)


class Symbol:
    """Nodes by number."""

    def __init__(self):
        self.nodes = []

    def var(self, name, **attrs):
        return self.op("null", name, **attrs)

    def op(self, op, name, *inputs, subgraphs=None, **attrs):
        node = {"op": op, "name": name, "inputs": [[*(one if isinstance(one, tuple) else (one, 0)), 0] for one in inputs]}
        if attrs:
            node["attrs"] = {key: str(value) for key, value in attrs.items()}
        if subgraphs:
            node["subgraphs"] = subgraphs
        self.nodes.append(node)
        return len(self.nodes) - 1

    def graph(self, *heads, version=10901):
        heads = [[*(one if isinstance(one, tuple) else (one, 0)), 0] for one in heads]
        return {"nodes": self.nodes, "arg_nodes": [i for i, node in enumerate(self.nodes) if node["op"] == "null"], "heads": heads, "attrs": {"mxnet_version": ["int", version]}}

    def text(self, *heads, **kwargs):
        return json.dumps(self.graph(*heads, **kwargs), indent=2)


def convolution():
    s = Symbol()
    return s.text(s.op("Convolution", "c", s.var("data"), s.var("c_weight"), s.var("c_bias"), kernel="(1, 1)", num_filter=4))


def put(folder, **files):
    folder.mkdir(exist_ok=True, parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=120)


def converted(folder, model, *options, name=None):
    result = run("--input_model", folder / model, "--output_dir", folder / "out", "--compress_to_fp16", "False", *options)
    assert result.returncode == 0, result.stderr
    found = sorted((folder / "out").rglob("*.xml"))
    assert len(found) == 1 and (name is None or found[0].stem == name), found
    return openvino.Core().read_model(found[0]), result.stderr


def computed(model, *inputs):
    compiled = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    result = compiled(list(inputs))
    return [result[i] for i in range(len(compiled.outputs))]


def refused(folder, model, *needles, options=()):
    result = run("--input_model", folder / model, "--output_dir", folder / "out", *options)
    assert result.returncode == 1 and not (folder / "out").exists(), (result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


def check(model):
    want = np.einsum("nchw,fc->nfhw", X, WEIGHT[:, :, 0, 0]) + BIAS[:, None, None]
    assert np.allclose(computed(model, X)[0], want, 1e-4, 1e-5)


# Which files belong together.

@pytest.mark.parametrize("given, arrays", [("net-0000.params", "net-0000.params"), ("net-0012.params", "net-0012.params"), ("net-12345.params", "net-12345.params"), ("net.params", "net.params"),
                                           ("net-symbol.json", "net-0000.params"), ("net-symbol.json", "net.params"), ("net-symbol.json", "other.params")])
def test_V_03_one_finds_the_other(tmp_path, given, arrays):
    put(tmp_path, **{"net-symbol.json": convolution(), arrays: array_list.written(ARRAYS)})
    model, _ = converted(tmp_path, given, name=given.rsplit(".", 1)[0])
    check(model)
    assert [str(size) for size in model.inputs[0].partial_shape] == ["?", "3", "?", "?"]


@pytest.mark.parametrize("version", ["v0", "v1", "v2", "v3", "npz"])
@pytest.mark.parametrize("prefix", ["arg:", ""])
def test_each_version_of_arrays(tmp_path, version, prefix):
    put(tmp_path, **{"net-symbol.json": convolution(), "net-0000.params": array_list.written({prefix + name[4:]: one for name, one in ARRAYS.items()}, version)})
    check(converted(tmp_path, "net-0000.params")[0])


def test_options_name_the_others(tmp_path):
    put(tmp_path / "a", **{"x.json": convolution(), "y.json": "{}"})
    put(tmp_path / "b", **{"z.params": array_list.written(ARRAYS)})
    check(converted(tmp_path, "b/z.params", "--input_symbol", tmp_path / "a" / "x.json")[0])
    os.rename(tmp_path / "out", tmp_path / "before")
    check(converted(tmp_path, "a/x.json", "--input_weights", tmp_path / "b" / "z.params")[0])


def test_a_lone_file_says_what_to_bring(tmp_path):
    put(tmp_path, **{"net-0000.params": array_list.written(ARRAYS)})
    refused(tmp_path, "net-0000.params", "MO1024", "net-symbol.json", "--input_symbol")
    put(tmp_path / "s", **{"net-symbol.json": convolution()})
    refused(tmp_path / "s", "net-symbol.json", "MO1034", "c_weight, c_bias", "--input_weights")


def packed(files, ending):
    out = io.BytesIO()
    if ending == "tar.gz":
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    else:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    return out.getvalue()


SIGNATURE = {"signature.json": json.dumps({"inputs": [{"data_name": "data", "data_shape": [0, 3, 5, 6]}], "input_type": "image/jpeg"}),
             "model-shapes.json": json.dumps([{"shape": [2, 3, 5, 6], "name": "data"}])}


@pytest.mark.parametrize("ending", ["mar", "model", "zip", "tar.gz"])
@pytest.mark.parametrize("shapes, want", [(None, ["?", "3", "?", "?"]), ("signature.json", ["?", "3", "5", "6"]), ("model-shapes.json", ["2", "3", "5", "6"])])
def test_archives_and_their_shapes(tmp_path, ending, shapes, want):
    files = {"net-symbol.json": convolution().encode(), "net-0000.params": array_list.written(ARRAYS)}
    if shapes:
        files[shapes] = SIGNATURE[shapes].encode()
    put(tmp_path, **{"packed." + ending: packed(files, ending)})
    model, _ = converted(tmp_path, "packed." + ending)
    check(model)
    assert [str(size) for size in model.inputs[0].partial_shape] == want


def test_the_nd_pair(tmp_path):
    """Arguments of the pair come before those of the .params; auxiliary states are those of the pair alone."""
    s = Symbol()
    text = s.text(s.op("BatchNorm", "b", *[s.var(name) for name in ("data", "gamma", "beta", "mean", "var")], fix_gamma=False, eps=0.0))
    arrays = {"arg:gamma": 2, "arg:beta": 3, "aux:mean": 99, "aux:var": 99}
    of = {name: np.full(3, value, np.float32) for name, value in {"gamma": 5, "mean": 1, "var": 4}.items()}
    put(tmp_path, **{"net-symbol.json": text, "net-0000.params": array_list.written({name: np.full(3, value, np.float32) for name, value in arrays.items()}),
                     "p_args.nd": array_list.written({"gamma": of["gamma"]}), "p_auxs.nd": array_list.written({"mean": of["mean"], "var": of["var"]})})
    model, _ = converted(tmp_path, "net-0000.params", "--nd_prefix_name", "p", "--input_shape", "[2,3,5,6]")
    assert np.allclose(computed(model, X)[0], (X - 1) / 2 * 5 + 3, 1e-4, 1e-4)


def normalised(folder):
    """A symbol of a BatchNorm, its .params, and a pair of other arrays, of which gamma is sparse."""
    s = Symbol()
    text = s.text(s.op("BatchNorm", "b", *[s.var(name) for name in ("data", "gamma", "beta", "mean", "var")], fix_gamma=False, eps=0.0))
    of = {name: np.full(3, value, np.float32) for name, value in {"arg:gamma": 2, "arg:beta": 3, "aux:mean": 99, "aux:var": 99}.items()}
    pair = {"gamma": np.float32([0, 5, 0]), "mean": np.full(3, 1, np.float32), "var": np.full(3, 4, np.float16), "more": np.full((2, 2), 7, np.int8), "number": np.int64(8)}
    put(folder, **{"net-symbol.json": text, "net-0012.params": array_list.written(of), "p_args.nd": array_list.written({"gamma": pair["gamma"]}, storages={"gamma": "row_sparse"}),
                   "p_auxs.nd": array_list.written({name: pair[name] for name in ("mean", "var", "more", "number")}, "v3")})
    return of, pair


def test_the_joined_parameters_are_saved(tmp_path):
    """As Model Optimizer saves them: those of the .params but auxiliary states, and those of the pair, which are loaded again."""
    of, pair = normalised(tmp_path)
    model, _ = converted(tmp_path, "net-0012.params", "--nd_prefix_name", "p", "--save_params_from_nd", "--input_shape", "[2,3,5,6]")
    assert sorted(os.listdir(tmp_path / "out")) == ["net-0012.bin", "net-0012.params", "net-0012.xml"]
    saved = (tmp_path / "out" / "net-0012.params").read_bytes()
    v3 = array_list.dense(pair["number"], "v3")
    want = {"arg:gamma": pair["gamma"], "arg:beta": of["arg:beta"], **{"aux:" + name: pair[name] for name in ("mean", "var", "more")}}
    number = array_list.written({**want, "aux:number": pair["number"]}, "v2").replace(array_list.dense(pair["number"], "v2"), v3)
    assert saved == number
    put(tmp_path / "again", **{"net-symbol.json": (tmp_path / "net-symbol.json").read_bytes(), "net-0012.params": saved})
    again, _ = converted(tmp_path / "again", "net-0012.params", "--input_shape", "[2,3,5,6]")
    assert np.array_equal(computed(model, X)[0], computed(again, X)[0])


SHAPE = ("--input_shape", "[2,3,5,6]")


def test_the_joined_parameters_have_a_number(tmp_path):
    normalised(tmp_path)
    converted(tmp_path, "net-0012.params", "--nd_prefix_name", "p", "--save_params_from_nd", "--model_name", "other", "--skip_unchanged", *SHAPE)
    assert "other-0000.params" in os.listdir(tmp_path / "out")
    options = ["--nd_prefix_name", "p", "--save_params_from_nd", "--model_name", "other", "--skip_unchanged", "--compress_to_fp16", "False", *SHAPE]
    assert "is unchanged" in run("--input_model", tmp_path / "net-0012.params", "--output_dir", tmp_path / "out", *options).stdout
    os.remove(tmp_path / "out" / "other-0000.params")
    assert "is unchanged" not in run("--input_model", tmp_path / "net-0012.params", "--output_dir", tmp_path / "out", *options).stdout
    assert "other-0000.params" in os.listdir(tmp_path / "out")


def test_the_joined_parameters_never_replace_those_of_the_model(tmp_path):
    normalised(tmp_path)
    before = (tmp_path / "net-0012.params").read_bytes()
    result = run("--input_model", tmp_path / "net-0012.params", "--output_dir", tmp_path, "--nd_prefix_name", "p", "--save_params_from_nd", *SHAPE)
    assert result.returncode == 1 and "it is a file of the model" in result.stderr and "--output_dir" in result.stderr
    assert (tmp_path / "net-0012.params").read_bytes() == before and not (tmp_path / "net-0012.xml").exists()


def test_without_a_pair_there_is_nothing_to_save(tmp_path):
    normalised(tmp_path)
    converted(tmp_path, "net-0012.params", "--save_params_from_nd", "--skip_unchanged", *SHAPE)
    assert not list((tmp_path / "out").glob("*.params"))


@pytest.mark.parametrize("given", ["net-0000.params", "net"])
def test_pretrained_model_name(tmp_path, given):
    put(tmp_path, **{"net-symbol.json": convolution(), "net-0000.params": array_list.written(ARRAYS)})
    result = run("--pretrained_model_name", tmp_path / given, "--output_dir", tmp_path / "out", "--legacy_mxnet_model", "--enable_ssd_gluoncv")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "out" / "net-0000.xml").exists()


GLUON = {"features.0.weight": WEIGHT, "features.0.bias": BIAS, "output.weight": WEIGHT}


def test_gluons_parameters_are_told_how_to_export(tmp_path):
    put(tmp_path, **{"net.params": array_list.written(GLUON)})
    refused(tmp_path, "net.params", "MO1024", "net.load_parameters('net.params')", "net.hybridize()", "net.export('net')")
    put(tmp_path / "s", **{"net.params": array_list.written(GLUON), "net-symbol.json": convolution()})
    refused(tmp_path / "s", "net.params", "MO1034", "c_weight, c_bias", "net.export('net')")


# What variables are for.

def test_all_missing_weights_at_once(tmp_path):
    s = Symbol()
    x = s.op("Convolution", "c", s.var("data"), s.var("c_weight"), s.var("c_bias"), kernel="(1, 1)", num_filter=4)
    x = s.op("BatchNorm", "b", x, s.var("b_gamma"), s.var("b_beta"), s.var("b_moving_mean"), s.var("b_moving_var"))
    x = s.op("RNN", "r", x, s.var("r_parameters"), s.var("r_state"), state_size=3, num_layers=1, mode="gru")
    put(tmp_path, **{"net-symbol.json": s.text(x), "net-0000.params": array_list.written({"arg:c_bias": BIAS})})
    said = refused(tmp_path, "net-0000.params", "MO1034", "c_weight, b_gamma, b_beta, b_moving_mean, b_moving_var, r_parameters", "saved with this symbol")
    assert "r_state" not in said and "data" not in said.replace("data.", "") and said.count("ERROR") == 1


def joined_parameters(s):
    """Gluon's layers join their weights."""
    rows = [s.op("Reshape", name + "_row", s.var(name), shape="(-1,)") for name in ("l0_i2h_weight", "l0_h2h_bias")]
    return s.op("RNN", "r", s.var("data"), s.op("_rnn_param_concat", "all", *rows, num_args=2, dim=0), s.var("begin"), state_size=3, num_layers=1, mode="gru")


def cast_weight(s):
    """Mixed precision."""
    return s.op("FullyConnected", "f", s.op("amp_cast", "d", s.var("data"), dtype="float16"), s.op("amp_cast", "a", s.var("w"), dtype="float16"), num_hidden=3, no_bias=True)


def weight_of_steps(s):
    step = Symbol()
    row, weight, state = (step.var(name) for name in ("data-0", "w", "begin-0"))
    total = step.op("elemwise_add", "t", step.op("FullyConnected", "f", row, weight, num_hidden=3, no_bias=True), state)
    return s.op("_foreach", "loop", s.var("data"), s.var("begin"), s.var("w"), subgraphs=[step.graph(total, total)], num_args=4, num_outputs=2, num_out_data=1, in_data_locs="(0,)", in_state_locs="(2,)", remain_locs="(1,)")


def weight_beside_a_sum(s):
    """What is added to the product is an input."""
    inner = Symbol()
    product = inner.op("FullyConnected", "f", inner.var("data0"), inner.var("w0"), num_hidden=3, no_bias=True)
    fused = inner.graph(inner.op("elemwise_add", "sum", product, inner.var("more0")))
    return s.op("_sg_mkldnn_fully_connected", "sg", s.var("data"), s.var("w"), s.var("more"), subgraphs=[fused], with_sum="true")


@pytest.mark.parametrize("network, want", [(joined_parameters, "l0_i2h_weight, l0_h2h_bias"), (cast_weight, "w"), (weight_of_steps, "w"), (weight_beside_a_sum, "w")])
def test_missing_weights_that_are_used_in_another_form(tmp_path, network, want):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(network(s)), "net-0000.params": array_list.written({"arg:other": BIAS})})
    assert f"MO1034 layers have no weights: {want} (file" in refused(tmp_path, "net-0000.params")


@pytest.mark.parametrize("given", ["net-0000.params", "net-symbol.json"])
@pytest.mark.parametrize("arrays", [array_list.written({}), array_list.zipped({})], ids=["list", "npz"])
def test_arrays_of_a_network_without_weights(tmp_path, given, arrays):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(s.op("relu", "r", s.var("data", __shape__="(2, 3)"))), "net-0000.params": arrays})
    model, _ = converted(tmp_path, given)
    assert np.allclose(computed(model, X[:, :, 0, 0])[0], np.maximum(X[:, :, 0, 0], 0))


def test_two_nodes_of_one_name(tmp_path):
    s = Symbol()
    data = s.var("data")
    first, second = s.op("_mul_scalar", "plus", data, scalar=2), s.op("_plus_scalar", "plus", data, scalar=3)
    put(tmp_path, **{"net-symbol.json": s.text(s.op("elemwise_sub", "plus", first, second), second)})
    model, _ = converted(tmp_path, "net-symbol.json", "--input_shape", "[2,3]")
    x = X[:, :, 0, 0]
    got = computed(model, x)
    assert np.allclose(got[0], 2 * x - (x + 3)) and np.allclose(got[1], x + 3)
    names = [name for port in model.outputs for name in port.get_names()]
    assert len(names) == len(set(names))


def test_two_variables_of_one_name_are_one(tmp_path):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(s.op("elemwise_mul", "m", s.var("data"), s.var("data")))})
    model, _ = converted(tmp_path, "net-symbol.json", "--input_shape", "[2,3]")
    assert len(model.inputs) == 1 and np.allclose(computed(model, X[:, :, 0, 0])[0], X[:, :, 0, 0] ** 2)


def test_labels_are_no_inputs(tmp_path):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(s.op("SoftmaxOutput", "softmax", s.var("data"), s.var("softmax_label")))})
    model, said = converted(tmp_path, "net-symbol.json", "--input_shape", "[2,3]")
    x = np.exp(X[:, :, 0, 0])
    assert len(model.inputs) == 1 and np.allclose(computed(model, X[:, :, 0, 0])[0], x / x.sum(1, keepdims=True), 1e-4)
    assert "MO1040" not in said


def losses(kept):
    """A network that is trained: what it gives, and a loss."""
    s = Symbol()
    data = s.var("data")
    given = s.op("tanh", "given", s.op("relu", "inner", data))
    loss = s.op("MakeLoss", "loss", s.op("abs", "far", s.op("elemwise_sub", "apart", given, s.var("box_label"))))
    return s.text(*([given, loss] if kept else [loss]))


@pytest.mark.parametrize("kept", [True, False])
def test_losses_are_left_out(tmp_path, kept):
    put(tmp_path, **{"net-symbol.json": losses(kept)})
    model, said = converted(tmp_path, "net-symbol.json", "--input_shape", "[2,3]")
    x = X[:, :, 0, 0]
    got = computed(model, x)
    assert len(got) == 1 and np.allclose(got[0], np.tanh(np.maximum(x, 0)), 1e-4, 1e-5)
    assert "MO1040" in said and "loss" in said and "box_label" not in said


def test_an_input_that_is_called_a_label(tmp_path):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(s.op("elemwise_add", "sum", s.var("noise"), s.var("label")))})
    model, said = converted(tmp_path, "net-symbol.json", "--input_shape", "[2,3],[2,3]")
    assert len(model.inputs) == 2 and "MO1040" not in said


def test_types_and_shapes_of_variables(tmp_path):
    s = Symbol()
    data = s.var("data", __shape__="(0, 3L, -1)", __dtype__="4")
    put(tmp_path, **{"net-symbol.json": s.text(s.op("relu", "r", data))})
    model, _ = converted(tmp_path, "net-symbol.json")
    assert [str(size) for size in model.inputs[0].partial_shape] == ["?", "3", "?"] and model.inputs[0].element_type == openvino.Type.i32


def weights_of_rnn(mode, layers, ways, hidden, inputs):
    gates = {"lstm": 4, "gru": 3, "rnn_tanh": 1}[mode] * hidden
    return sum(ways * gates * ((inputs if layer == 0 else ways * hidden) + hidden + 2) for layer in range(layers))


def network(way):
    """A symbol and its arrays; what its input must be then."""
    s = Symbol()
    x = s.var("data")
    arrays = dict(ARRAYS)

    def convolve(x, **more):
        return s.op("Convolution", "c", x, s.var("c_weight"), s.var("c_bias"), kernel="(1, 1)", num_filter=4, **more)
    if way == "scalars":  # InsightFace
        return s.text(convolve(s.op("_mul_scalar", "m", s.op("_minus_scalar", "s", x, scalar=127.5), scalar=0.0078125))), arrays, "?,3,?,?"
    if way == "batch_norm":  # of Gluon's second ResNet
        arrays |= {kind + name: np.ones(3, np.float32) for kind, name in (("arg:", "g"), ("arg:", "b"), ("aux:", "m"), ("aux:", "v"))}
        return s.text(convolve(s.op("BatchNorm", "bn", x, *[s.var(name) for name in "gbmv"]))), arrays, "?,3,?,?"
    if way == "transpose":  # pictures with their colours last
        return s.text(convolve(s.op("transpose", "t", x, axes="(0, 3, 1, 2)"))), arrays, "?,?,?,3"
    if way == "constants":  # a mean picture
        arrays |= {"arg:mean": np.ones((1, 3, 1, 1), np.float32)}
        return s.text(convolve(s.op("broadcast_sub", "s", x, s.var("mean")))), arrays, "?,?,?,?"
    if way == "pooling":
        return s.text(convolve(s.op("Pooling", "p", x, kernel="(2, 2)", stride="(2, 2)"))), arrays, "?,3,?,?"
    if way == "groups":
        arrays["arg:c_weight"] = np.ones((4, 2, 1, 1), np.float32)
        return s.text(convolve(s.op("relu", "r", x), num_group=2)), arrays, "?,4,?,?"
    if way == "line":  # one dimension
        arrays["arg:c_weight"] = np.ones((4, 3, 5), np.float32)
        return s.text(s.op("Convolution", "c", x, s.var("c_weight"), s.var("c_bias"), kernel="(5,)", num_filter=4)), arrays, "?,3,?"
    if way == "rows":
        arrays = {"arg:w": np.ones((4, 7), np.float32)}
        return s.text(s.op("FullyConnected", "f", s.op("tanh", "t", x), s.var("w"), num_hidden=4, no_bias=True)), arrays, "?,7"
    mode, layers, ways = way.split()
    arrays = {"arg:p": np.ones(weights_of_rnn(mode, int(layers), int(ways), 6, 5), np.float32)}
    inputs = [x, s.var("p"), s.var("h")] + ([s.var("cell")] if mode == "lstm" else [])
    return s.text(s.op("RNN", "r", *inputs, mode=mode, num_layers=layers, state_size=6, bidirectional=ways == "2")), arrays, "?,?,5"


@pytest.mark.parametrize("way", ["scalars", "batch_norm", "transpose", "constants", "pooling", "groups", "line", "rows", "lstm 1 1", "lstm 2 2", "gru 3 1", "rnn_tanh 2 2"])
def test_rank_and_channels_follow_from_the_parameters(tmp_path, way):
    text, arrays, want = network(way)
    put(tmp_path, **{"net-symbol.json": text, "net-0000.params": array_list.written(arrays)})
    model, said = converted(tmp_path, "net-0000.params")
    assert ",".join(str(size) for size in model.inputs[0].partial_shape) == want and "MO3017" not in said


def test_the_line_to_type_where_nothing_says_the_rank(tmp_path):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(s.op("elemwise_add", "sum", s.op("relu", "r", s.var("data")), s.op("tanh", "t", s.var("more"))))})
    said = refused(tmp_path, "net-symbol.json", "MO3017", "--input_shape data[1,3,224,224]", "--input_shape more[1,3,224,224]")
    assert said.count("ERROR") == 2
    model, said = converted(tmp_path, "net-symbol.json", "--input_shape", "data[?,3],more[?,3]")
    assert "MO3017" not in said and [str(port.partial_shape) for port in model.inputs] == ["[?,3]", "[?,3]"]


@pytest.mark.parametrize("op, attrs", [("SwapAxis", {"dim1": 0, "dim2": 1}), ("Flatten", {}), ("softmax", {"axis": 1}), ("slice_axis", {"axis": 1, "begin": 0, "end": 2}), ("L2Normalization", {})])
def test_the_line_to_type_where_an_operation_needs_the_rank(tmp_path, op, attrs):
    s = Symbol()
    put(tmp_path, **{"net-symbol.json": s.text(s.op(op, "r", s.var("data"), **attrs))})
    result = run("--input_model", tmp_path / "net-symbol.json", "--output_dir", tmp_path / "out")
    assert "MO3017" in result.stderr and "--input_shape data[1,3,224,224]" in result.stderr, result.stderr
    assert result.returncode == 1 and not (tmp_path / "out").exists()


def test_half_weights_meet_single_data(tmp_path):
    put(tmp_path, **{"net-symbol.json": convolution(), "net-0000.params": array_list.written({name: one.astype(np.float16) for name, one in ARRAYS.items()})})
    model, _ = converted(tmp_path, "net-0000.params")
    want = np.einsum("nchw,fc->nfhw", X, WEIGHT[:, :, 0, 0].astype(np.float16)) + BIAS.astype(np.float16)[:, None, None]
    assert np.allclose(computed(model, X)[0], want, 1e-4, 1e-4)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64])
@pytest.mark.parametrize("op, want", [("broadcast_add", lambda x, w: x + w), ("broadcast_sub", lambda x, w: w - x), ("broadcast_div", lambda x, w: x / w), ("broadcast_greater", lambda x, w: w > x)])
def test_stored_integers_meet_an_input_without_type(tmp_path, kind, op, want):
    s, weights = Symbol(), np.arange(1, 7, dtype=kind).reshape(2, 3)
    inputs = [s.var("data"), s.var("w")]
    swapped = op in ("broadcast_sub", "broadcast_greater")
    put(tmp_path, **{"net-symbol.json": s.text(s.op(op, "y", *(inputs[::-1] if swapped else inputs))), "net-0000.params": array_list.written({"arg:w": weights})})
    model, _ = converted(tmp_path, "net-0000.params", "--input_shape", "[2,3]")
    x = X[:, :, 0, 0]
    got = computed(model, x)[0]
    assert got.dtype == np.float32 and np.allclose(got, want(x, weights.astype(np.float32)), 1e-4, 1e-5)


# Control flow.

def test_foreach(tmp_path):
    """Sums of rows times a weight: the inputs of the sub-graph are in another order than those of the operator."""
    inner = Symbol()
    state, weight, row = inner.var("state"), inner.var("w"), inner.var("row")
    total = inner.op("elemwise_add", "total", inner.op("elemwise_mul", "scaled", row, weight), state)
    s = Symbol()
    loop = s.op("_foreach", "loop", s.var("data"), s.var("begin"), s.var("w"), subgraphs=[inner.graph(total, total)], num_args=4, num_outputs=2, num_out_data=1, in_state_locs="(0,)", in_data_locs="(2,)",
                remain_locs="(1,)")
    w = rng.standard_normal((2, 3)).astype(np.float32)
    put(tmp_path, **{"net-symbol.json": s.text((loop, 0), (loop, 1)), "net-0000.params": array_list.written({"arg:w": w})})
    model, _ = converted(tmp_path, "net-symbol.json", "--input_shape", "[?,2,3],[2,3]")
    data, begin = rng.standard_normal((4, 2, 3)).astype(np.float32), rng.standard_normal((2, 3)).astype(np.float32)
    rows = begin + np.cumsum(data * w, 0)
    got = computed(model, data, begin)
    assert np.allclose(got[0], rows, 1e-4, 1e-5) and np.allclose(got[1], rows[-1], 1e-4, 1e-5)


def test_while_loop(tmp_path):
    """Doubles a number while the sum of its elements is below a bound."""
    condition, step = Symbol(), Symbol()
    holds = condition.graph(condition.op("broadcast_lesser", "holds", condition.op("sum", "s", condition.var("x")), condition.var("bound")))
    twice = step.op("elemwise_add", "twice", *[step.var("x")] * 2)
    s = Symbol()
    loop = s.op("_while_loop", "loop", s.var("data"), s.var("bound"), subgraphs=[holds, step.graph(step.op("_plus_scalar", "out", twice, scalar=1), twice)], num_args=4, num_outputs=2, num_out_data=1,
                max_iterations=10, cond_input_locs="(0, 1)", func_input_locs="(0,)", func_var_locs="(0,)")
    put(tmp_path, **{"net-symbol.json": s.text((loop, 0), (loop, 1))})
    model, _ = converted(tmp_path, "net-symbol.json", "--input_shape", "[2],[1]")
    got = computed(model, np.float32([1, 2]), np.float32([20]))
    assert np.allclose(got[0], [[3, 5], [5, 9], [9, 17]] + [[0, 0]] * 7) and np.allclose(got[1], [8, 16])


@pytest.mark.parametrize("bound", [0, 9])
def test_cond(tmp_path, bound):
    condition, then, otherwise = Symbol(), Symbol(), Symbol()
    s = Symbol()
    graphs = [condition.graph(condition.op("broadcast_greater", "g", condition.op("sum", "s", condition.var("x")), condition.var("bound"))),
              then.graph(then.op("elemwise_mul", "m", then.var("w"), then.var("x"))), otherwise.graph(otherwise.op("_plus_scalar", "p", otherwise.var("x"), scalar=7))]
    node = s.op("_cond", "if", s.var("data"), s.var("bound"), s.var("w"), subgraphs=graphs, num_args=6, num_outputs=1, cond_input_locs="(0, 1)", then_input_locs="(2, 0)", else_input_locs="(0,)")
    w = np.float32([3, 4])
    put(tmp_path, **{"net-symbol.json": s.text(node), "net-0000.params": array_list.written({"arg:w": w})})
    model, _ = converted(tmp_path, "net-symbol.json", "--input_shape", "[2],[1]")
    x = np.float32([1, 2])
    assert np.allclose(computed(model, x, np.float32([bound]))[0], x * w if 3 > bound else x + 7)


# Networks that were fused into one operator.

def test_fused_networks_are_what_they_were_made_of(tmp_path):
    """An input of the sum has lost its name: it is what is left."""
    inner = Symbol()
    x, w = inner.var("data0"), inner.var("w0")
    product = inner.op("FullyConnected", "f", x, w, num_hidden=3, no_bias=True)
    fused = inner.graph(inner.op("relu", "r", inner.op("elemwise_add", "sum", inner.var("lost0"), product)))
    s = Symbol()
    data, w = s.var("data", __shape__="(2, 3)"), s.var("w")
    other = s.op("tanh", "t", data)
    node = s.op("_sg_mkldnn_fully_connected", "sg", data, w, other, subgraphs=[fused], with_sum="true")
    weight = rng.standard_normal((3, 3)).astype(np.float32)
    put(tmp_path, **{"net-symbol.json": s.text(s.op("_plus_scalar", "p", node, scalar=1)), "net-0000.params": array_list.written({"arg:w": weight})})
    model, _ = converted(tmp_path, "net-0000.params")
    x = X[:, :, 0, 0]
    assert np.allclose(computed(model, x)[0], np.maximum(np.tanh(x) + x @ weight.T, 0) + 1, 1e-4, 1e-5)
