"""check_NAME.py, the script of --emit_check: it runs the model and its IR on the same inputs, and its exit code says whether they agree."""
import os
import pathlib
import re
import runpy
import subprocess
import sys

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "check"))
sys.path.insert(0, os.path.join(ROOT, "tests", "caffe"))
import scripts  # noqa: E402

MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
HEAD = '<ir_version: 8, opset_import: ["": 17]> g '
CONV = HEAD + "(float[%s] x) => (float[N, 4, A, B] y) { c = Conv (x, w, b) y = Relu (c) }"


@pytest.fixture
def conv(tmp_path):
    """Saves y = Relu(c), c = Conv(x), for an x of that shape; gives the path."""
    random = np.random.default_rng(5)

    def save(shape="N, 3, 16, 12"):
        model = onnx.parser.parse_model(CONV % shape)
        for name, size in (("w", (4, 3, 3, 3)), ("b", (4,))):
            model.graph.initializer.append(onnx.numpy_helper.from_array(random.standard_normal(size, dtype=np.float32), name))
        path = tmp_path / "m.onnx"
        onnx.save(model, path)
        return path

    return save


def convert(path, *options):
    """The path of the script."""
    folder = path.parent / "ir"
    run = subprocess.run([MO, str(path), "--output_dir", str(folder), "--emit_check", *options], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return folder / f"check_{path.stem}.py"


def check(script, *arguments, folder="/"):
    run = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, timeout=120, cwd=folder)
    assert run.stderr == ""
    return run.returncode, run.stdout


def test_the_script_is_written_only_if_it_is_asked_for_and_changes_nothing(conv):
    path = conv()
    script = convert(path)
    folder = script.parent
    assert sorted(os.listdir(folder)) == ["check_m.py", "m.bin", "m.xml"]
    texts = [(folder / name).read_bytes() for name in ("m.xml", "m.bin")]
    subprocess.run([MO, str(path), "-o", str(path.parent / "plain")], check=True, capture_output=True)
    assert sorted(os.listdir(path.parent / "plain")) == ["m.bin", "m.xml"]
    assert texts == [(path.parent / "plain" / name).read_bytes() for name in ("m.xml", "m.bin")]


def test_a_dynamic_batch_is_one_or_what_is_given(conv):
    script = convert(conv("N, 3, H, W"), "--compress_to_fp16=False")
    code, text = check(script)
    assert code == 0, text
    assert "f32 [1, 3, 64, 64]" in text and "y " in text and "relative" in text and "The outputs agree." in text
    code, text = check(script, "--shape", "x=2,3,9,8", "--seed", "7")
    assert code == 0 and "f32 [2, 3, 9, 8]" in text
    code, text = check(script, "--shape", "z=1")
    assert code == 2 and "the inputs are x" in text


PREPROCESSED = {
    "mean, scale, channels and layout": ["--layout", "nchw->nhwc", "--mean_values", "(123.675,116.28,103.53)", "--scale_values", "[58.4,57.1,57.4]", "--reverse_input_channels"],
    "layouts of both ends": ["--layout", "x(nchw->nhwc),y(nchw->nhwc)"],
    "a batch": ["--batch", "4"],
    "another shape": ["--input_shape", "[2,3,20,20]"],
    "an output inside": ["--output", "c"],
    "an input inside": ["--input", "c[2,4,5,6]"],
}


@pytest.mark.parametrize("name", PREPROCESSED)
def test_what_options_do_to_inputs_and_outputs_is_taken_into_account(conv, name):
    """The model itself has fixed shapes, which the script changes where the options do."""
    code, text = check(convert(conv("1, 3, 16, 12"), *PREPROCESSED[name]))
    assert code == 0, text


def test_frozen_inputs_get_their_value(tmp_path):
    path = tmp_path / "m.onnx"
    onnx.save(onnx.parser.parse_model(HEAD + "(float[2,3] x, int64[N] i, bool t) => (float[2,3] y, int64[N] z) { y = If (t) "
                                      "<then_branch = a () => (float[2,3] u) { u = Neg (x) }, else_branch = b () => (float[2,3] v) { v = Identity (x) }> z = Add (i, i) }"), path)
    code, text = check(convert(path, "--freeze_placeholder_with_value", "t->True"))
    assert code == 0, text
    assert text.splitlines()[1].split() == ["i", "i64", "[1]"]


def test_numbers_of_a_file_are_taken(conv, tmp_path):
    script = convert(conv("N, 3, H, W"))
    np.save(tmp_path / "x.npy", np.zeros((3, 3, 8, 8), np.float32))
    code, text = check(script, "--data", f"x={tmp_path / 'x.npy'}")
    assert code == 0 and "f32 [3, 3, 8, 8]" in text


def test_a_changed_weight_is_found(conv):
    script = convert(conv(), "--compress_to_fp16=False")
    weights = script.with_name("m.bin")
    numbers = np.fromfile(weights, np.float32)
    numbers[4] += 1
    numbers.tofile(weights)
    code, text = check(script)
    assert code == 1
    assert "ABOVE THE TOLERANCE" in text and "The outputs differ" in text
    assert check(script, "--tolerance", "1e6")[0] == 0


def test_the_model_is_found_beside_the_script_or_given(conv):
    path = conv()
    run = subprocess.run([MO, path.name, "-o", "ir", "--emit_check"], cwd=path.parent, capture_output=True)
    assert run.returncode == 0
    script = path.parent / "ir" / "check_m.py"
    other = path.rename(path.with_name("other.onnx"))
    code, text = check(script)
    assert code == 2 and "Not comparable: m.onnx is not there: give the path" in text
    assert check(script, str(other))[0] == 0
    other.rename(script.with_name("m.onnx"))
    assert check(script)[0] == 0


def test_the_model_is_found_wherever_the_script_is_started(conv):
    """Its path begins in the folder of the conversion, which is above the script's."""
    path = conv()
    work = path.parent / "work"
    work.mkdir()
    run = subprocess.run([MO, os.path.join("..", path.name), "-o", "all/ir", "--emit_check"], cwd=work, capture_output=True)
    assert run.returncode == 0
    script = work / "all" / "ir" / "check_m.py"
    for folder in (work, script.parent, "/"):
        code, text = check(script, folder=folder)
        assert code == 0, text


def test_no_name_of_a_model_is_run(tmp_path):
    """Names end no text of the script, and come out of it as they went in."""
    name = "x'''+ __import__('os') \\'\\\"%s é\U0001f600"
    inner = onnx.helper.make_node("Relu", [name], ["y'''"])
    graph = onnx.helper.make_graph([inner], "g", [onnx.helper.make_tensor_value_info(name, 1, [2])], [onnx.helper.make_tensor_value_info("y'''", 1, [2])])
    path = tmp_path / "it's.onnx"
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), path)
    script = convert(path)
    assert script.read_text(encoding="utf-8").count("'''") == 4
    facts = runpy.run_path(str(script))["FACTS"]
    assert facts["inputs"][0]["names"] == [name] and facts["outputs"][0]["names"] == ["y'''"]
    code, text = check(script)
    assert code == 0, text


def test_what_cannot_be_compared_is_said(conv):
    code, text = check(convert(conv(), "--input", "0:y[1,4,3,3]"))
    assert code == 2 and "Not comparable: the model has no tensor of the names ['0:y']" in text


SAVED = os.path.join(ROOT, "tests", "tf", "recorded", "saved")


@pytest.mark.parametrize("name", ["keras3_export", "tf1_tags"])
def test_a_saved_model_has_its_tags_and_the_tensors_of_its_signature(tmp_path, name):
    run = subprocess.run([MO, os.path.join(SAVED, name), "-o", str(tmp_path), "-n", "m", "--emit_check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    facts = runpy.run_path(str(tmp_path / "check_m.py"))["FACTS"]
    assert facts["framework"] == "tf" and "serve" in facts["tags"]
    for one in facts["inputs"] + facts["outputs"]:
        assert any(tensor.partition(":")[2].isdigit() for tensor in one["names"]), one


@pytest.mark.parametrize("name", scripts.NAMES + scripts.LITE + scripts.TORCH)
def test_models_of_tensorflow_and_pytorch_agree(tmp_path, name):
    """The script that is written has been run by TensorFlow, LiteRT or PyTorch as it is; where these are installed with OpenVINO, it is run again."""
    script = scripts.convert(name, tmp_path)
    recorded = scripts.recorded()[name]
    assert scripts.digest(script) == recorded["script"], "the script is another one than the framework has run: npm run record -- check"
    runs = [recorded, scripts.run_both(script, name)] if scripts.can_run(name) else [recorded]
    for run in runs:
        agrees, differs = run["agrees"], run["differs"]
        assert agrees["exit"] == 0 and agrees["prints"][-1] == "The outputs agree.", agrees
        assert differs["exit"] == 1 and differs["prints"][-1].startswith("The outputs differ"), differs
        assert any("ABOVE THE TOLERANCE" in line for line in differs["prints"])


def caffe_network(folder, rule=""):
    """A network with a layer in place, and its weights; `folder` gets both."""
    import net as caffe
    network = caffe.Net()
    data = network.input("data", (2, 3, 9, 8))
    network.layer("Convolution", data, "conv", "conv", {"num_output": 4, "kernel_size": 3})
    network.layer("ReLU", "conv", "conv", "relu")
    network.layer("InnerProduct", "conv", "fc", "fc", {"num_output": 5})
    network.layer("Softmax", "fc", "prob", "prob")
    if rule:
        network.raw(rule)
    return network, network.write(folder, "m")


def test_a_network_of_caffe_is_run_by_opencv(tmp_path):
    network, path = caffe_network(tmp_path)
    path = pathlib.Path(path)
    script = convert(path, "--compress_to_fp16=False")
    code, printed = check(script)
    assert (code, printed.splitlines()[-1]) == (0, "The outputs agree.")
    # The text is the model, and outputs are inside the network: of a layer, and of the one that works in its place.
    for layer in ("conv", "relu"):
        code, printed = check(convert(path.with_suffix(".prototxt"), "--compress_to_fp16=False", "--output", layer))
        assert (code, printed.splitlines()[1].split()[0]) == (0, layer), printed
    script = convert(path, "--compress_to_fp16=False")
    scripts.change_weights(str(script))
    code, printed = check(script)
    assert code == 1 and "ABOVE THE TOLERANCE" in printed


def test_detections_of_caffe_end_where_there_are_no_more(tmp_path, monkeypatch):
    """The runtime has a row of -1 behind the last one, and Caffe has no more rows."""
    monkeypatch.syspath_prepend(os.path.join(ROOT, "tests", "caffe"))
    monkeypatch.delitem(sys.modules, "networks", raising=False)  # of another format
    import every
    network = every.build("network/ssd")
    script = convert(pathlib.Path(network.write(tmp_path, "m")), "--compress_to_fp16=False")
    for name, value in network.feeds.items():
        np.save(tmp_path / f"{name}.npy", value)
    given = ["--expected", str(tmp_path / "e.npz"), *(f"--data={name}={tmp_path / name}.npy" for name in network.feeds)]
    for change, code in ((0, 0), (0.1, 1)):
        np.savez(tmp_path / "e.npz", **{name: value + change for name, value in network.results().items()})
        assert check(script, *given)[0] == code


def test_outputs_that_were_computed_elsewhere_are_compared(tmp_path):
    network, path = caffe_network(tmp_path, 'layer { name: "late" type: "Power" bottom: "prob" top: "late" include { stage: "deploy" } }')
    script = convert(pathlib.Path(path), "--compress_to_fp16=False")
    assert check(script) == (2, "data                             f32 [2, 3, 9, 8]\nNot comparable: OpenCV does not apply rules of stages and levels: give --expected\n")
    np.save(tmp_path / "data.npy", network.feeds["data"])
    given = ("--expected", str(tmp_path / "e.npz"), "--data", f"data={tmp_path / 'data.npy'}")
    for change, code in ((0, 0), (0.1, 1)):
        np.savez(tmp_path / "e.npz", prob=network.values["prob"] + change)
        assert check(script, *given)[0] == code


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """Two products of 256, large enough for groups."""
    folder = tmp_path_factory.mktemp("network")
    model = onnx.parser.parse_model(HEAD + "(float[N, 256] x) => (float[N, 256] a, float[N, 8] y) { p = MatMul (x, v) a = Relu (p) y = MatMul (a, w) }")
    random = np.random.default_rng(6)
    for name, shape in (("v", (256, 256)), ("w", (256, 8))):
        model.graph.initializer.append(onnx.numpy_helper.from_array(random.standard_normal(shape, dtype=np.float32), name))
    onnx.save(model, folder / "m.onnx")
    subprocess.run([MO, str(folder / "m.onnx"), "-o", str(folder), "-n", "float", "--compress_to_fp16=False"], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("options", [["int8"], ["int8", "--sym"], ["int4"], ["int4", "--sym", "--group_size", "32"]], ids=" ".join)
def test_small_weights_are_compared_with_the_model_and_with_the_float_ir(network, options):
    """Of each output the error of the IR, and the part of it that is the integers'."""
    script = convert(network / "m.onnx", "--weight_format", *options)
    code, text = check(script, "--float-ir", str(network / "float.xml"))
    assert code == 0 and "The outputs agree." in text, text
    least, most = {"int8": (1e-3, 0.03), "int4": (0.02, 0.4)}[options[0]]
    found = {kind: re.findall(rf"^(\w+) +{kind}largest error [\d.e+-]+, relative ([\d.e+-]+)$", text, re.M) for kind in ("from the float IR: ", "")}
    for rows in found.values():
        assert [name for name, _ in rows] == ["a", "y"], text
        assert max(float(error) for _, error in rows) < most
    assert float(found[""][1][1]) > least
    # In the same runtime the float IR is the model, so both are the error of the integers.
    for (_, here), (_, there) in zip(*found.values(), strict=True):
        assert abs(float(here) - float(there)) < 1e-3
    code, text = check(script, "--tolerance", "1e-4")
    assert code == 1 and "ABOVE THE TOLERANCE" in text
