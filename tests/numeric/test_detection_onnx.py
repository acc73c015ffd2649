"""Mask R-CNN, Faster R-CNN and the person detector in ONNX, converted with the configurations that are built in, against ONNX Runtime.

The networks are small and seeded, but have the nodes that the configurations name, and between them what these models have there:
RoiAlign of the level of each box, and decoding and choice of boxes.
"""
import json
import math
import os
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import judge

HEIGHT, WIDTH, CHANNELS, CLASSES = 128, 160, 6, 81
STRIDES = [4, 8, 16, 32]


def configured(name):
    with open(os.path.join(judge.ROOT, "core", "front", "config", "built_in", "onnx", f"{name}.json")) as file:
        return json.load(file)[0]["custom_attributes"]


class Network:
    """A graph that grows node by node. A node that the configuration names has that name, or only its tensor has it."""

    def __init__(self, seed, named_nodes=True):
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.named_nodes, self.count = named_nodes, 0

    def op(self, kind, inputs, name=None, **attributes):
        self.count += 1
        name = name or f"t{self.count}"
        node = name if self.named_nodes else f"{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=node, **attributes))
        return name

    def constant(self, value):
        self.count += 1
        self.weights.append(numpy_helper.from_array(np.asarray(value), f"c{self.count}"))
        return f"c{self.count}"

    def weight(self, *shape, scale=1.0):
        return self.constant((self.random.standard_normal(shape) * scale / math.sqrt(np.prod(shape[1:]))).astype(np.float32))

    def input(self, name, *shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def output(self, name, kind=TensorProto.FLOAT):
        self.outputs.append(helper.make_tensor_value_info(name, kind, None))

    def save(self, path):
        graph = helper.make_graph(self.nodes, "detector", self.inputs, self.outputs, self.weights)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8), path)

    def numbers(self, *values):
        return self.constant(np.array(values, np.int64))

    def columns(self, x, axis, *which):
        return self.op("Gather", [x, self.numbers(*which)], axis=axis)

    def pyramid(self, image, names):
        for stride, name in zip(STRIDES, names):
            self.op("Conv", [image, self.weight(CHANNELS, 3, stride, stride)], name, strides=[stride, stride])

    def roi_features(self, boxes, pyramid, size, name):
        """The level of a box follows from its area; its region is taken from that level's map."""
        left, top, right, bottom = (self.columns(boxes, 1, i) for i in range(4))
        area = self.op("Mul", [self.op("Sub", [right, left]), self.op("Sub", [bottom, top])])
        share = self.op("Add", [self.op("Div", [self.op("Sqrt", [area]), self.constant(np.float32(224))]), self.constant(np.float32(1e-6))])
        level = self.op("Floor", [self.op("Add", [self.op("Div", [self.op("Log", [share]), self.constant(np.float32(math.log(2)))]), self.constant(np.float32(2))])])
        level = self.op("Clip", [level, self.constant(np.float32(0)), self.constant(np.float32(3))])
        level = self.op("Cast", [self.op("Reshape", [level, self.numbers(-1)])], to=TensorProto.INT64)
        count = self.op("Shape", [level])
        shape = self.op("Concat", [count, self.numbers(CHANNELS, size, size)], axis=0)
        result = self.op("Expand", [self.constant(np.zeros((1, 1, 1, 1), np.float32)), shape])
        for i, (stride, features) in enumerate(zip(STRIDES, pyramid)):
            there = self.op("NonZero", [self.op("Equal", [level, self.constant(np.int64(i))])])
            rows = self.op("Transpose", [there], perm=[1, 0])
            own = self.op("GatherND", [boxes, rows])
            images = self.op("Expand", [self.numbers(0), self.op("Gather", [self.op("Shape", [own]), self.numbers(0)])])
            part = self.op("RoiAlign", [features, own, images], output_height=size, output_width=size, sampling_ratio=2, spatial_scale=1 / stride,
                           coordinate_transformation_mode="output_half_pixel")
            result = self.op("ScatterND", [result, rows, part], name if stride == STRIDES[-1] else None)

    def decoded(self, boxes, deltas, limit):
        """Boxes of each class [R, classes, 4], clipped to the image."""
        left, top, right, bottom = (self.columns(boxes, 1, i) for i in range(4))
        deltas = self.op("Reshape", [deltas, self.numbers(-1, CLASSES, 4)])
        one, half = self.constant(np.float32(1)), self.constant(np.float32(0.5))
        sides = []
        for axis, (begin, end, size) in enumerate(((left, right, WIDTH), (top, bottom, HEIGHT))):
            length = self.op("Add", [self.op("Sub", [end, begin]), one])
            centre = self.op("Add", [begin, self.op("Mul", [length, half])])
            move = self.op("Div", [self.op("Squeeze", [self.columns(deltas, 2, axis), self.numbers(2)]), self.constant(np.float32(10))])
            grow = self.op("Div", [self.op("Squeeze", [self.columns(deltas, 2, axis + 2), self.numbers(2)]), self.constant(np.float32(5))])
            grow = self.op("Exp", [self.op("Min", [grow, self.constant(np.float32(limit))])])
            centre = self.op("Add", [self.op("Mul", [move, length]), centre])
            reach = self.op("Mul", [self.op("Mul", [grow, length]), half])
            last = self.constant(np.float32(size - 1))
            sides.append((self.op("Clip", [self.op("Sub", [centre, reach]), self.constant(np.float32(0)), last]),
                          self.op("Clip", [self.op("Sub", [self.op("Add", [centre, reach]), one]), self.constant(np.float32(0)), last])))
        (x0, x1), (y0, y1) = sides
        return self.op("Concat", [self.op("Unsqueeze", [side, self.numbers(2)]) for side in (x0, y0, x1, y1)], axis=2)

    def detections(self, boxes, scores, config, names):
        """Boxes, labels and scores, the best first; class 0 is the background."""
        by_class = self.op("Transpose", [boxes], perm=[1, 0, 2])
        by_class = self.op("Slice", [by_class, self.numbers(1), self.numbers(CLASSES), self.numbers(0)])
        of_class = self.op("Slice", [self.op("Transpose", [scores], perm=[1, 0]), self.numbers(1), self.numbers(CLASSES), self.numbers(0)])
        chosen = self.op("NonMaxSuppression", [by_class, self.op("Unsqueeze", [of_class, self.numbers(1)]), self.numbers(config["post_nms_count"]),
                                               self.constant(np.array([config["nms_threshold"]], np.float32)), self.constant(np.array([config["score_threshold"]], np.float32))])
        places = self.columns(chosen, 1, 0, 2)
        found = self.op("GatherND", [of_class, places])
        best = self.op("Concat", [self.op("Shape", [found]), self.numbers(config["max_detections_per_image"])], axis=0)
        best = self.op("ReduceMin", [best], keepdims=1)
        self.nodes.append(helper.make_node("TopK", [found, best], [names[2], "order"], name=names[2] if self.named_nodes else "best"))
        self.op("GatherND", [by_class, self.op("Gather", [places, "order"])], names[0])
        label = self.op("Reshape", [self.op("Gather", [self.columns(chosen, 1, 0), "order"]), self.numbers(-1)])
        self.op("Add", [label, self.constant(np.int64(1))], names[1])


def boxes_of(seed, count):
    random = np.random.default_rng(seed)
    centre = random.random((count, 2)) * [WIDTH * 0.7, HEIGHT * 0.7] + [WIDTH * 0.15, HEIGHT * 0.15]
    half = random.random((count, 2)) * 28 + 4
    corners = np.concatenate([centre - half, centre + half], 1)
    return np.clip(corners, 0, [WIDTH - 1, HEIGHT - 1] * 2).astype(np.float32)


def detector(path, config, named_nodes=True):
    network = Network(5, named_nodes)
    network.pyramid(network.input("image", 1, 3, HEIGHT, WIDTH), config["input_fpn_heads"])
    boxes = network.op("Identity", [network.input("rois", "R", 4)], config["ROIFeatureExtractor2_input"])
    network.roi_features(boxes, config["input_fpn_heads"], 7, config["ROIFeatureExtractor2_output"])
    flat = network.op("Flatten", [config["ROIFeatureExtractor2_output"]])
    network.op("MatMul", [flat, network.weight(CHANNELS * 49, CLASSES * 4, scale=2)], config["box_regressions_input_node"])
    network.op("Softmax", [network.op("MatMul", [flat, network.weight(CHANNELS * 49, CLASSES, scale=3)])], config["class_predicitons_node"], axis=-1)
    decoded = network.decoded(boxes, config["box_regressions_input_node"], config["max_delta_log_wh"])
    found, label, score = config["do_outputs"]
    network.detections(decoded, config["class_predicitons_node"], config, config["do_outputs"])
    network.output(found), network.output(label, TensorProto.INT64), network.output(score)
    if "ROIFeatureExtractor1_output" in config:
        network.roi_features(found, config["input_fpn_heads"], 14, config["ROIFeatureExtractor1_output"])
        mask = network.op("Conv", [config["ROIFeatureExtractor1_output"], network.weight(1, CHANNELS, 3, 3, scale=2)], pads=[1, 1, 1, 1])
        network.output(network.op("Sigmoid", [mask], "masks"))
    network.save(path)


FEEDS = {"image": np.random.default_rng(9).standard_normal((1, 3, HEIGHT, WIDTH), dtype=np.float32), "rois": boxes_of(3, 24)}


@pytest.mark.parametrize("named_nodes", [True, False], ids=["nodes", "tensors"])
@pytest.mark.parametrize("name", ["mask_rcnn", "faster_rcnn"])
def test_boxes_classes_scores_and_masks_are_those_of_the_model(tmp_path, name, named_nodes):
    config = configured(name)
    model = str(tmp_path / f"{name}.onnx")
    detector(model, config, named_nodes)
    want = judge.in_onnxruntime(model, FEEDS)
    xml = judge.convert(model, tmp_path, "--transformations_config", f"{name}.json")
    got = judge.in_openvino(xml, {**FEEDS, "im_info": np.array([[HEIGHT, WIDTH, 1]], np.float32)})

    boxes, labels, scores = config["do_outputs"]
    count = len(want[scores])
    assert 10 < count < config["max_detections_per_image"], "the case is too small, or too large for one without a limit"
    assert got[boxes].shape == (100, 4) and got[labels].dtype == np.int64
    assert not got[scores][count:].any(), "there are more boxes"
    mine, theirs = np.lexsort((got[scores][:count], got[labels][:count])), np.lexsort((want[scores], want[labels]))
    np.testing.assert_array_equal(got[labels][mine], want[labels][theirs])
    np.testing.assert_allclose(got[scores][mine], want[scores][theirs], rtol=1e-4)
    # The runtime cuts boxes at 0 only, not at the right and lower border.
    inside = np.minimum(got[boxes][mine], [WIDTH - 1, HEIGHT - 1] * 2)
    np.testing.assert_allclose(inside, want[boxes][theirs], rtol=1e-4, atol=1e-3)
    if "masks" in want:
        uncut = (inside == got[boxes][mine]).all(1)
        assert uncut.mean() > 0.9
        assert judge.relative_error(got["masks"][mine][uncut], want["masks"][theirs][uncut]) < 1e-4
    kinds = [layer.get("type") for layer in ET.parse(xml).getroot().iter("layer")]
    assert kinds.count("ExperimentalDetectronROIFeatureExtractor") == 1 + ("masks" in want) and "ExperimentalDetectronDetectionOutput" in kinds
    assert "ROIAlign" not in kinds and "NonMaxSuppression" not in kinds and "ScatterNDUpdate" not in kinds


def test_the_person_detector_pools_three_times(tmp_path):
    config = configured("person_detection_crossroad")
    network = Network(6)
    network.pyramid(network.input("image", 1, 3, HEIGHT, WIDTH), config["fpn_heads"])
    feeds = {"image": FEEDS["image"]}
    for i, (begin, end) in enumerate(zip(config["ROI_feature_extractor_inputs"], config["ROI_feature_extractor_outputs"])):
        feeds[f"rois{i}"] = boxes_of(40 + i, 9)
        network.roi_features(network.op("Identity", [network.input(f"rois{i}", "R", 4)], begin), config["fpn_heads"], 7, end)
        network.output(network.op("Relu", [end], f"stage{i}"))
    network.output(end)
    model = str(tmp_path / "crossroad.onnx")
    network.save(model)
    xml = judge.convert(model, tmp_path, "--transformations_config", "person_detection_crossroad.json")
    judge.assert_same(model, xml, feeds, 1e-4)
    layers = {layer.get("name"): layer.get("type") for layer in ET.parse(xml).getroot().iter("layer")}
    assert [layers[end] for end in config["ROI_feature_extractor_outputs"]] == ["ExperimentalDetectronROIFeatureExtractor"] * 3
    assert "ROIAlign" not in layers.values()


def refused(tmp_path, model, config):
    run = subprocess.run([judge.MO, model, "--output_dir", str(tmp_path), "--transformations_config", config], capture_output=True, text=True)
    assert run.returncode == 1 and not os.path.exists(tmp_path / "m.xml"), run.stderr
    return run.stderr


def test_a_configuration_for_another_model_is_refused_with_the_names_that_are_missing(tmp_path):
    model = str(tmp_path / "m.onnx")
    config = configured("faster_rcnn")
    detector(model, config)
    error = refused(tmp_path, model, "mask_rcnn.json")
    assert "MO6042" in error and "ONNXMaskRCNNReplacement" in error
    assert all(f"'{name}'" in error for name in ("2490", "2751", "2773", "2774", "6530", "6532", "6534", "6795")) and "'486'" not in error, error
    error = refused(tmp_path, model, "person_detection_crossroad.json")
    assert all(f"'{name}'" in error for name in ("634", "637", "2475", "3330")), error


@pytest.mark.parametrize("change,says", [({"do_outputs": ["6371"]}, "do_outputs names 1 nodes, want 3"), ({"nms_threshold": None}, "nms_threshold is no number"),
                                         ({"input_fpn_heads": "486"}, "input_fpn_heads names no nodes"), ({"ROIFeatureExtractor2_input": 7}, "ROIFeatureExtractor2_input names no node"),
                                         ({"num_classes": 0}, "num_classes is 0"), ({"input_fpn_heads": ["486"] * 6}, "names 6 nodes, at most 5")])
def test_an_entry_of_another_form_is_refused(tmp_path, change, says):
    model, config = str(tmp_path / "m.onnx"), configured("faster_rcnn")
    detector(model, config)
    path = tmp_path / "config.json"
    path.write_text(json.dumps([{"id": "ONNXMaskRCNNReplacement", "match_kind": "general", "custom_attributes": {k: v for k, v in {**config, **change}.items() if v is not None}}]))
    error = refused(tmp_path, model, str(path))
    assert "MO6032" in error and says in error, error
