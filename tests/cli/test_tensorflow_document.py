"""Each command line of docs/tensorflow.md, on models that TensorFlow has written, and what the page says of the result."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
TF = os.path.join(ROOT, "tests", "tf")
sys.path.insert(0, TF)
import store  # noqa: E402
import writer  # noqa: E402


def saved(name):
    """Copies what is in the folder of a recorded case; `folder` itself if it is a SavedModel."""
    def make(path):
        recorded = os.path.join(store.RECORDED, "saved", name)
        is_folder = os.path.exists(os.path.join(recorded, "saved_model.pb"))
        shutil.copytree(recorded, path / "folder" if is_folder else path, dirs_exist_ok=True)
    return make


def graph(family, name):
    return lambda path: store.load(os.path.join(store.RECORDED, family + ".npz"))[f"{family}/{name}"].write(path / "model.pb")


def network(path):
    writer.load("keras3_picture_layers").write(path / "model.pb")


def text_graph(path):
    (path / "model.pbtxt").write_text('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } } node { name: "y" op: "Relu" input: "x" }')


# Line, what it needs, the first input of the IR.
LINES = {
    "mo folder": (saved("keras3_export"), "?,8,8,2"),
    "mo --saved_model_dir folder": (saved("keras3_export"), "?,8,8,2"),
    "mo model.pb": (network, "?,12,12,4"),
    "mo model.pbtxt": (text_graph, "2"),
    "mo model.ckpt.meta": (saved("meta_graph"), "?,3"),
    "mo --input_meta_graph model.ckpt.meta": (saved("meta_graph"), "?,3"),
    "mo graph.pb --input_checkpoint model.ckpt": (saved("checkpoint_v2"), "?,3"),
    "mo folder --saved_model_tags serve,train": (saved("tf1_tags"), "?,3"),
    "mo folder --saved_model_signature other": (saved("tf2_module"), "?,3"),
    'mo folder --input "picture[1,8,8,2]"': (saved("keras3_export"), "1,8,8,2"),
    'mo model.pb --output "sequential_1/flatten_1/Reshape"': (network, "?,12,12,4"),
    'mo model.pb --layout "nhwc->nchw"': (network, "?,4,12,12"),
    "mo model.pb --disable_nhwc_to_nchw": (network, "?,12,12,4"),
    'mo model.pb --freeze_placeholder_with_value "go->False"': (graph("frames", "cond_several"), "2,3"),
}


def lines_of_document():
    with open(os.path.join(ROOT, "docs", "tensorflow.md"), encoding="utf-8") as file:
        text = file.read()
    return re.findall(r"`(mo (?!`)[^`]+)`", re.sub(r"`mo` of `openvino-dev`", "", text)) + [re.sub(r"\s+#.*", "", line) for line in re.findall(r"^    (mo .*)$", text, re.M)]


def convert(line, path):
    """The IR's inputs by name, and how often each operation is there."""
    run = subprocess.run([MO, *shlex.split(line)[1:], "--model_name", "model", "--output_dir", "ir"], cwd=path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    layers = xml.parse(path / "ir" / "model.xml").getroot().find("layers").findall("layer")
    return {layer.get("name"): layer.find("data").get("shape") for layer in layers if layer.get("type") == "Parameter"}, [layer.get("type") for layer in layers]


def test_every_line_is_run():
    assert set(lines_of_document()) == LINES.keys()


@pytest.mark.parametrize("line", LINES)
def test_line(line, tmp_path):
    make, shape = LINES[line]
    make(tmp_path)
    inputs, _ = convert(line, tmp_path)
    assert shape in inputs.values()
    assert "go" not in inputs


def test_W_02_layout(tmp_path):
    """One Transpose less with the layout, more with NHWC everywhere."""
    network(tmp_path)
    plain, first, last = (convert(f"mo model.pb {options}", tmp_path)[1].count("Transpose") for options in ("", '--layout "nhwc->nchw"', "--disable_nhwc_to_nchw"))
    assert first == plain - 1
    assert last > plain


def test_names(tmp_path):
    """Keys of the signature and names of TensorFlow."""
    saved("keras3_export")(tmp_path)
    convert("mo folder", tmp_path)
    text = (tmp_path / "ir" / "model.xml").read_text(encoding="utf-8")
    for name in ("picture", "serving_default_picture:0", "output_0"):
        assert re.search(rf'names="(?:[^"]*,)?{name}[,"]', text), name
