"""YOLO in TensorFlow, converted with its configuration: what RegionYolo makes of a grid of boxes, compared with numpy.

The networks are small and have seeded weights, but the names and the structure that the configurations rely on: darkflow's
tiny YOLO v1 and v2, which end in the convolution, and YOLO v3 of TensorFlow-Slim, which goes on with the decoding of boxes.
"""
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import judge

sys.path.insert(0, os.path.join(judge.ROOT, "docs", "examples"))
from make_models import FLOAT, tf_const, tf_conv, tf_input, tf_node  # noqa: E402

V1 = [{"id": "TFYOLO", "match_kind": "general", "custom_attributes": {"classes": 20, "coords": 4, "num": 2, "do_softmax": 0}}]
V2 = [{"id": "TFYOLO", "match_kind": "general", "custom_attributes": {"classes": 80, "coords": 4, "num": 5, "do_softmax": 1}}]
BUILT_IN = os.path.join(judge.ROOT, "core", "front", "config", "built_in", "tf")
RNG = np.random.default_rng(11)


def built_in(name):
    with open(os.path.join(BUILT_IN, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def weights(inputs, outputs, side=1):
    return RNG.standard_normal((side, side, inputs, outputs), dtype=np.float32) / np.float32(side * inputs ** 0.5)


def layer(name, source, inputs, outputs, side=3):
    """A convolution, its bias, and LeakyRelu: <name>/LeakyRelu."""
    return (tf_conv(f"{name}/Conv2D", source, weights(inputs, outputs, side)) + tf_const(f"{name}/biases", RNG.standard_normal(outputs).astype(np.float32))
            + tf_node(f"{name}/BiasAdd", "BiasAdd", [f"{name}/Conv2D", f"{name}/biases"], T=FLOAT, data_format='s: "NHWC"')
            + tf_node(f"{name}/LeakyRelu", "LeakyRelu", [f"{name}/BiasAdd"], T=FLOAT, alpha="f: 0.1"))


def half(name, source):
    two = "list { i: 1 i: 2 i: 2 i: 1 }"
    return tf_node(name, "MaxPool", [source], T=FLOAT, ksize=two, strides=two, padding='s: "SAME"', data_format='s: "NHWC"')


def darkflow(channels):
    return (tf_input("input", 1, 16, 24, 3) + layer("0-convolutional", "input", 3, 8) + half("1-maxpool", "0-convolutional/LeakyRelu")
            + layer("2-convolutional", "1-maxpool", 8, 8) + half("3-maxpool", "2-convolutional/LeakyRelu")
            + tf_conv("4-convolutional", "3-maxpool", weights(8, channels)) + tf_node("output", "Identity", ["4-convolutional"], T=FLOAT))


def decoded(scope, first, source, cells, classes, anchors=3):
    """What yolo-v3 does with a grid: boxes in rows, centres, sides and scores. Its first node is Reshape_<first>."""
    name = lambda op, more=0: f"{scope}/{op}" + (f"_{first + more}" if first + more else "")
    reshape, split = name("Reshape"), f"{scope}/split_{first}"
    return (tf_const(f"{reshape}/shape", np.array([-1, anchors * cells, 5 + classes], np.int32))
            + tf_node(reshape, "Reshape", [source, f"{reshape}/shape"], T=FLOAT, Tshape="type: DT_INT32")
            + tf_const(f"{split}/axis", np.int32(-1)) + tf_const(f"{split}/sizes", np.array([2, 2, 1, classes], np.int32))
            + tf_node(split, "SplitV", [reshape, f"{split}/sizes", f"{split}/axis"], T=FLOAT, Tlen="type: DT_INT32", num_split="i: 4")
            + tf_node(f"{split}/xy", "Sigmoid", [split], T=FLOAT) + tf_node(f"{split}/wh", "Exp", [f"{split}:1"], T=FLOAT)
            + tf_node(f"{split}/confidence", "Sigmoid", [f"{split}:2"], T=FLOAT) + tf_node(f"{split}/classes", "Sigmoid", [f"{split}:3"], T=FLOAT)
            + tf_node(f"{split}/boxes", "ConcatV2", [f"{split}/{part}" for part in ("xy", "wh", "confidence", "classes")] + [f"{split}/axis"],
                      T=FLOAT, N="i: 4", Tidx="type: DT_INT32"))


def yolo_v3(classes=80, grids_wanted=3, scope="detector/yolo-v3"):
    """Grids of 2 x 3, 4 x 6 and 8 x 12 cells; the two larger ones also see what the smaller ones saw. A tiny one lacks the largest."""
    text = tf_input("inputs", 1, 32, 48, 3)
    sizes, last = {}, "inputs"
    for i, (inputs, outputs) in enumerate(((3, 8), (8, 8), (8, 16), (16, 16))):
        text += layer(f"detector/darknet-53/Conv_{i}", last, inputs, outputs) + half(f"detector/darknet-53/half_{i}", f"detector/darknet-53/Conv_{i}/LeakyRelu")
        last = sizes[i] = f"detector/darknet-53/half_{i}"
    axis = tf_const(f"{scope}/axis", np.int32(3))
    seen, channels = sizes[3], 16
    grids = []
    for step, (first, cells, below) in enumerate(((0, 6, None), (4, 24, sizes[2]), (8, 96, sizes[1]))[:grids_wanted]):
        if below:
            rows = {24: (4, 6), 96: (8, 12)}[cells]
            text += (tf_const(f"{scope}/size_{step}", np.array(rows, np.int32))
                     + tf_node(f"{scope}/up_{step}", "ResizeNearestNeighbor", [seen, f"{scope}/size_{step}"], T=FLOAT)
                     + tf_node(f"{scope}/concat_{step}", "ConcatV2", [f"{scope}/up_{step}", below, f"{scope}/axis"], T=FLOAT, N="i: 2", Tidx="type: DT_INT32"))
            seen, channels = f"{scope}/concat_{step}", channels + (16 if step == 1 else 8)
        text += layer(f"{scope}/Conv_{step}", seen, channels, 8)
        seen, channels = f"{scope}/Conv_{step}/LeakyRelu", 8
        grids.append(f"{scope}/Grid_{step}/BiasAdd")
        text += (tf_conv(f"{scope}/Grid_{step}/Conv2D", seen, weights(8, 3 * (5 + classes))) + tf_const(f"{scope}/Grid_{step}/biases", RNG.standard_normal(3 * (5 + classes)).astype(np.float32))
                 + tf_node(grids[-1], "BiasAdd", [f"{scope}/Grid_{step}/Conv2D", f"{scope}/Grid_{step}/biases"], T=FLOAT, data_format='s: "NHWC"')
                 + decoded(scope, first, grids[-1], cells, classes))
    parts = [f"{scope}/split_{first}/boxes" for first in (0, 4, 8)[:grids_wanted]]
    return text + axis + tf_const("axis", np.int32(1)) + tf_node("output_boxes", "ConcatV2", [*parts, "axis"], T=FLOAT, N=f"i: {grids_wanted}", Tidx="type: DT_INT32"), grids


def sigmoid(x):
    return 1 / (1 + np.exp(-x.astype(np.float64)))


def softmax(x, axis):
    e = np.exp(x.astype(np.float64) - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def regions(grid, anchors, classes, with_softmax):
    """Of a grid in NHWC: centres and objectness through a sigmoid, classes through a sigmoid or together through softmax. In NCHW."""
    batch, height, width, channels = grid.shape
    boxes = grid.transpose(0, 3, 1, 2).reshape(batch, anchors, 5 + classes, height, width)
    scores = softmax(boxes[:, :, 5:], 2) if with_softmax else sigmoid(boxes[:, :, 5:])
    return np.concatenate([sigmoid(boxes[:, :, :2]), boxes[:, :, 2:4], sigmoid(boxes[:, :, 4:5]), scores], axis=2).reshape(batch, channels, height, width)


def write(folder, text, config=None):
    (folder / "model.pbtxt").write_text(text)
    if config:
        (folder / "yolo.json").write_text(json.dumps(config, indent=2))
    return str(folder / "model.pbtxt")


def convert(folder, text, config):
    """The .xml, converted with the configuration, and the one of the model as it is."""
    os.makedirs(folder / "plain", exist_ok=True)
    path = write(folder, text, config)
    return judge.convert(path, folder, "--transformations_config", str(folder / "yolo.json")), path


def grids_of(path, folder, names, feeds):
    """What the convolutions give, with channels last: the model, cut there."""
    plain = judge.convert(path, folder / "plain", "--output", ",".join(names))
    return judge.in_openvino(plain, feeds)


def image(*shape):
    return np.random.default_rng(5).random(shape, np.float32)


@pytest.mark.parametrize("config,anchors,classes", [(V1, 2, 20), (V2, 5, 80)], ids=["v1", "v2"])
def test_A_22_the_grid_of_darkflow(tmp_path, config, anchors, classes):
    with_softmax = bool(config[0]["custom_attributes"]["do_softmax"])
    xml, path = convert(tmp_path, darkflow(anchors * (5 + classes)), config)
    feeds = {"input": image(1, 16, 24, 3)}
    want = regions(grids_of(path, tmp_path, ["4-convolutional"], feeds)["4-convolutional:0"], anchors, classes, with_softmax)
    compiled = judge.compiled_for_cpu(xml)
    got = compiled(feeds)[0]
    assert got.shape == ((1, want.size) if with_softmax else want.shape)
    assert judge.relative_error(got.ravel(), want.ravel()) <= 1e-5
    layer = next(op for op in compiled.get_runtime_model().get_ordered_ops() if op.get_rt_info()["layerType"].astype(str) == "RegionYolo")
    assert layer.get_friendly_name() == "output/YoloRegion"


@pytest.mark.parametrize("name", ["yolo_v1", "yolo_v1_tiny", "yolo_v2", "yolo_v2_tiny", "yolo_v2_tiny_voc", "yolo_v2_voc"])
def test_A_22_a_built_in_configuration(name, tmp_path):
    """Its name is enough. The grid has five numbers and the classes for each of its anchors."""
    given = built_in(name)[0]["custom_attributes"]
    os.makedirs(tmp_path / "plain", exist_ok=True)
    path = write(tmp_path, darkflow(given["num"] * (5 + given["classes"])))
    feeds = {"input": image(1, 16, 24, 3)}
    want = regions(grids_of(path, tmp_path, ["4-convolutional"], feeds)["4-convolutional:0"], given["num"], given["classes"], bool(given["do_softmax"]))
    model = judge.core().read_model(judge.convert(path, tmp_path, "--transformations_config", name + ".json"))
    layer = next(op for op in model.get_ops() if op.get_type_name() == "RegionYolo").get_attributes()
    assert [layer["classes"], layer["coords"], layer["num"], layer["do_softmax"]] == [given["classes"], given["coords"], given["num"], bool(given["do_softmax"])], layer
    assert np.allclose(layer["anchors"], given.get("anchors", []))
    compiled = judge.compiled_for_cpu(model)
    assert judge.relative_error(np.array(compiled(feeds)[0]).ravel(), want.ravel()) <= 1e-5


V3 = [("yolo_v3", 80, 3, "detector/yolo-v3"), ("yolo_v3_voc", 20, 3, "detector/yolo-v3"), ("yolo_v3_tiny", 80, 2, "detector/yolo-v3-tiny")]


def v3_error(folder, config, text, names, classes):
    """The largest relative error of the grids of a model converted with the built-in configuration; and the model."""
    os.makedirs(folder / "plain", exist_ok=True)
    path, feeds = write(folder, text), {"inputs": image(1, 32, 48, 3)}
    grids = grids_of(path, folder, names, feeds)
    read = judge.core().read_model(judge.convert(path, folder, "--transformations_config", config + ".json"))
    assert [result.get_friendly_name() for result in read.get_results()] == [f"{name}/YoloRegion/Result" for name in names]
    got = judge.compiled_for_cpu(read)(feeds)
    wanted = [regions(grids[f"{name}:0"], 3, classes, False) for name in names]
    for i, want in enumerate(wanted):
        assert got[i].shape == want.shape == (1, 3 * (5 + classes), 2 << i, 3 << i)
    return max(judge.relative_error(got[i], want) for i, want in enumerate(wanted)), read


@pytest.mark.parametrize("config,classes,count,scope", V3, ids=[case[0] for case in V3])
def test_A_22_the_grids_of_version_3(tmp_path, config, classes, count, scope):
    text, names = yolo_v3(classes, count, scope)
    error, read = v3_error(tmp_path, config, text, names, classes)
    assert error <= 1e-5
    given = built_in(config)[0]["custom_attributes"]
    by_name = {op.get_friendly_name(): op for op in read.get_ordered_ops()}
    layers = [by_name[f"{name}/YoloRegion"].get_attributes() for name in names]
    assert [list(layer["mask"]) for layer in layers] == given["masks"] and len(layers) == count
    assert all(list(layer["anchors"]) == given["anchors"] and layer["num"] == given["num"] and layer["classes"] == classes and not layer["do_softmax"] for layer in layers)
    types = [op.get_type_name() for op in read.get_ordered_ops()]
    assert "Exp" not in types and types.count("Transpose") <= 1, "the decoding is gone, and channels are moved at the input only"


def test_A_22_the_configuration_of_another_number_of_classes(tmp_path):
    """It is seen in the shapes: RegionYolo has as many channels as its classes need, whatever the grid has."""
    read = judge.core().read_model(judge.convert(write(tmp_path, yolo_v3(20)[0]), tmp_path, "--transformations_config", "yolo_v3.json"))
    assert [list(port.shape) for port in read.outputs] == [[1, 255, 2 << i, 3 << i] for i in range(3)]


@pytest.mark.parametrize("config,model,missing", [("yolo_v3", V3[2], "detector/yolo-v3/Reshape"), ("yolo_v3_tiny", V3[0], "detector/yolo-v3-tiny/Reshape")])
def test_A_22_the_configuration_of_another_version_3(tmp_path, config, model, missing):
    path = write(tmp_path, yolo_v3(*model[1:])[0])
    run = subprocess.run([judge.MO, path, "--output_dir", str(tmp_path), "--transformations_config", config], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "MO6032" in run.stderr and f"there is no node '{missing}'" in run.stderr, run.stderr


@pytest.mark.parametrize("change,said", [
    ({"entry_points": []}, "entry_points names no nodes"), ({"entry_points": ["nowhere"]}, "there is no node 'nowhere'"), ({"masks": [[0]]}, "masks has fewer elements"),
])
def test_A_22_a_configuration_that_does_not_fit(tmp_path, change, said):
    entry = built_in("yolo_v3")[0]
    entry["custom_attributes"].update(change)
    path = write(tmp_path, yolo_v3()[0], [entry])
    run = subprocess.run([judge.MO, path, "--output_dir", str(tmp_path), "--transformations_config", str(tmp_path / "yolo.json")], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "MO6032" in run.stderr and said in run.stderr
    assert not (tmp_path / "model.xml").exists()
