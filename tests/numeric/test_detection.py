"""Detection models of TensorFlow, converted with their configurations: boxes, classes and scores of the IR against what TensorFlow's own
post-processing recorded (tests/tf/detection).

Each configuration of SSD, EfficientDet, RetinaNet, Faster R-CNN, Mask R-CNN and R-FCN has a model of its own, with the node names of that release."""
import fnmatch
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import judge

sys.path.insert(0, os.path.join(judge.ROOT, "tests", "tf"))
import store  # noqa: E402

FOLDER = os.path.join(store.RECORDED, "detection")
CONFIGS = os.path.join(judge.ROOT, "core", "front", "config", "built_in", "tf")
CASES = sorted(os.listdir(FOLDER))
OPTION = "--tensorflow_object_detection_api_pipeline_config"


class Case:
    def __init__(self, name):
        self.folder = os.path.join(FOLDER, name)
        with np.load(os.path.join(self.folder, "case.npz"), allow_pickle=False) as file:
            self.config = file["config"].tobytes().decode()
            self.kind = next(kind for kind in ("model", "saved_model") if kind in file.files)
            self.model = file[self.kind].tobytes()
            self.feeds = {member[5:]: file[member] for member in file.files if member.startswith("feed/")}
            self.wanted = {member[5:]: file[member] for member in file.files if member.startswith("want/")}
        self.pipeline = os.path.join(self.folder, "pipeline.config")

    def path(self, folder):
        """Writes the model into `folder`, and gives its path."""
        place = folder / (self.kind + ".pb")
        place.write_bytes(self.model)
        return str(folder if self.kind == "saved_model" else place)

    def entries(self):
        with open(os.path.join(CONFIGS, self.config + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def options(self, folder, entries=None, pipeline=None):
        (folder / "support.json").write_text(json.dumps(self.entries() if entries is None else entries))
        options = [self.path(folder), "--output_dir", str(folder), "--model_name", "ir", "--compress_to_fp16=False", "--transformations_config", str(folder / "support.json")]
        if pipeline is None and os.path.exists(self.pipeline):
            pipeline = self.pipeline
        if is_of_two_stages(self):
            options += ["--input_shape", "[1,64,80,3]"]
        return options + ([OPTION, str(pipeline)] if pipeline else [])


def documented_outputs(config):
    """What docs/detection.md calls the outputs of a model converted with that configuration."""
    with open(os.path.join(judge.ROOT, "docs", "detection.md"), encoding="utf-8") as file:
        table = re.findall(r"^\| (.*) \| (.*) \|$", file.read().partition("## The result")[2].partition("\n## ")[0], re.M)
    named = [re.findall("`(.*?)`", outputs) for configs, outputs in table if any(fnmatch.fnmatchcase(config, of) for of in re.findall("`(.*?)`", configs))]
    assert len(named) == 1, (config, named)
    return named[0]


def is_of_two_stages(case):
    return case.config.startswith(("faster_rcnn", "mask_rcnn", "rfcn"))


def run(options):
    return subprocess.run([judge.MO, *options], capture_output=True, text=True, timeout=120)


def convert(case, folder, **options):
    done = run(case.options(folder, **options))
    assert done.returncode == 0, done.stderr
    return str(folder / "ir.xml")


def infer(xml, feeds):
    model = judge.core().read_model(xml)
    names = {name for port in model.inputs for name in port.get_names()}
    assert names >= set(feeds) or len(model.inputs) == len(feeds), names
    compiled = judge.compiled_for_cpu(model)
    outputs = compiled(feeds if set(feeds) <= names else list(feeds.values()))
    return model, [np.array(outputs[port]) for port in compiled.outputs]


def rows(boxes, classes, scores):
    """Detections as [class, score, ymin, xmin, ymax, xmax], the best first."""
    out = np.concatenate([np.reshape(classes, (-1, 1)), np.reshape(scores, (-1, 1)), np.reshape(boxes, (-1, 4))], 1).astype(np.float64)
    return out[np.lexsort((out[:, 2], out[:, 0], -np.round(out[:, 1], 5)))]


def wanted_rows(wanted):
    count = int(wanted["num_detections"].ravel()[0]) if "num_detections" in wanted else int((wanted["detection_scores"] > 0).sum())
    return rows(*(wanted["detection_" + key].reshape(-1, *((4,) if key == "boxes" else ()))[:count] for key in ("boxes", "classes", "scores")))


def detected_rows(output):
    """rows() of DetectionOutput, whose rows are image, class, score, xmin, ymin, xmax, ymax; an image of -1 ends its list."""
    assert output.shape[-1] == 7
    found = output.reshape(-1, 7)
    ends = np.flatnonzero(found[:, 0] == -1)
    found = found[:ends[0]] if len(ends) else found
    return rows(found[:, [4, 3, 6, 5]], found[:, 1], found[:, 2])


def same_detections(got, want):
    assert len(want) >= 5, "the case shows little"
    assert got.shape == want.shape
    assert np.abs(got - want).max() <= 1e-3, np.abs(got - want).max(axis=1)


def infer_case(case, folder, **options):
    if is_of_two_stages(case) and "entries" not in options:
        case.feeds["image_info"] = np.float32([[64, 80, 1]])
    return infer(convert(case, folder, **options), case.feeds)


@pytest.mark.parametrize("name", CASES)
def test_A_21_A_39_detections(name, tmp_path):
    case = Case(name)
    model, got = infer_case(case, tmp_path)
    found = detected_rows(got[-1])  # a Mask R-CNN has its masks first
    if name == "ssd_no_background":
        found[:, 0] += 1  # without a background, DetectionOutput counts classes from 0, the Object Detection API from 1
    if name == "retinanet":
        case.wanted["detection_boxes"] = case.wanted["detection_boxes"] / np.float32([32, 40, 32, 40])  # TensorFlow's are in pixels
    same_detections(found, wanted_rows(case.wanted))
    assert [port.get_names() for port in model.outputs] == [{output} for output in documented_outputs(case.config)]


def test_each_configuration_has_a_case():
    """Those of YOLO have theirs in test_yolo.py."""
    assert {Case(name).config for name in CASES} == {name[:-5] for name in os.listdir(CONFIGS) if not name.startswith("yolo")}


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("mask_rcnn")])
def test_the_masks_of_each_detection(name, tmp_path):
    case = Case(name)
    model, got = infer_case(case, tmp_path)
    masks, found = got
    count = int(case.wanted["num_detections"].ravel()[0])
    want = case.wanted["detection_masks"][:count]
    best, wanted_best = np.argsort(-found[:count, 2], kind="stable"), np.argsort(-case.wanted["detection_scores"][0, :count], kind="stable")
    assert masks.shape[1:] == want.shape[1:]
    assert np.abs(masks[best] - want[wanted_best]).max() <= 1e-3


@pytest.mark.parametrize("name", ["faster_rcnn_support", "faster_rcnn_v1.7", "mask_rcnn_support", "mask_rcnn_v1.7", "rfcn_support"])
def test_the_oldest_releases_clip_boxes_before_they_suppress_them(name, tmp_path):
    """Their configurations say so: with the values of the later ones other boxes are found."""
    case = Case(name)
    entries = case.entries()
    for entry in entries:
        if entry["custom_attributes"].get("clip_before_nms"):
            entry["custom_attributes"].update(clip_before_nms=False, clip_after_nms=True)
    assert entries != case.entries()
    case.feeds["image_info"] = np.float32([[64, 80, 1]])
    found, want = detected_rows(infer_case(case, tmp_path, entries=entries)[1][-1]), wanted_rows(case.wanted)
    assert found.shape != want.shape or np.abs(found - want).max() > 1e-3


def test_anchors_of_many_scales_are_made_where_cells_divide_the_image(tmp_path):
    """Then priors follow the image; else those of the model stay."""
    for name, layers in (("ssd_multiscale", 2), ("ssd_multiscale_own_heads", 2), ("ssd_multiscale_parts_of_cells", 0)):
        types = [op.get_type_name() for op in judge.core().read_model(convert(Case(name), tmp_path)).get_ops()]
        assert types.count("PriorBoxClustered") == layers, name


def test_a_first_stage_by_detection_output_has_no_second_input(tmp_path):
    case = Case("faster_rcnn")
    entries = case.entries()
    for entry in entries:
        if entry["id"] == "ObjectDetectionAPIProposalReplacement":
            entry["custom_attributes"]["operation_to_add"] = "DetectionOutput"
    model, got = infer_case(case, tmp_path, entries=entries)
    assert len(model.inputs) == 1
    same_detections(detected_rows(got[0]), wanted_rows(case.wanted))


def test_an_ssd_takes_images_of_another_size(tmp_path):
    """Its boxes follow: 64 x 40 pixels have grids of 8 x 5 and 4 x 3 cells."""
    model = judge.core().read_model(convert(Case("ssd_v1.15"), tmp_path))
    model.reshape([1, 64, 40, 3])
    compiled = judge.core().compile_model(model, "CPU")
    assert compiled(np.zeros((1, 64, 40, 3), np.uint8))[0].shape == (1, 1, 20, 7)
    layer = next(op for op in model.get_ops() if op.get_type_name() == "DetectionOutput")
    assert layer.input_value(2).get_shape() == [1, 2, 4 * (8 * 5 * 3 + 4 * 3 * 4)]


def test_a_size_that_the_resizer_does_not_give(tmp_path):
    done = run(Case("ssd_v1.15").options(tmp_path) + ["--input_shape", "[1,64,40,3]"])
    assert done.returncode == 0 and "MO6083" in done.stderr and "(32, 40)" in done.stderr and "(64, 40)" in done.stderr
    assert list(judge.core().read_model(str(tmp_path / "ir.xml")).inputs[0].shape) == [1, 64, 40, 3]


def refused(options, folder, *said):
    done = run(options)
    assert done.returncode == 1, done.stderr
    for words in said:
        assert words in done.stderr, done.stderr
    assert not (folder / "ir.xml").exists() and not (folder / "ir.bin").exists()


@pytest.mark.parametrize("name", ["ssd_v1.15", "ssd_v2.4", "faster_rcnn"])
def test_without_its_pipeline_config(name, tmp_path):
    case = Case(name)
    case.pipeline = "/nowhere"
    refused(case.options(tmp_path), tmp_path, "MO6080", "--tensorflow_object_detection_api_pipeline_config")


@pytest.mark.parametrize("change,said", [
    (("iou_threshold: 0.5", ""), ("MO6081", "model/ssd/post_processing/batch_non_max_suppression/iou_threshold", "line 19")),
    (("num_classes: 3", ""), ("MO6081", "model/ssd/num_classes", "line 2")),
    (("fixed_shape_resizer { height: 32 width: 40 }", ""), ("MO6081", "image_resizer", "line 4")),
    (("num_classes: 3", "num_classes: -3"), ("MO1031", "num_classes", "line 3")),
    (("num_classes: 3", "num_classes: 'three'"), ("MO1031", "num_classes", "line 3")),
    (("y_scale: 10.0", "y_scale: 0.0"), ("MO1031", "y_scale", "line 6")),
    (("num_layers: 2", "num_layers: 500"), ("MO1031", "num_layers", "line 10")),
    (("score_converter: SOFTMAX", "score_converter: SQUARE"), ("MO1031", "SQUARE", "line 25")),
    (("  ssd {", "  center_net {"), ("MO6081", "model/ssd or model/faster_rcnn", "line 1")),
    (("model {", "train {"), ("MO6081", "model", "line 1")),
    (("model {", "model {{"), ("MO1030", "line 1")),
])
def test_a_pipeline_config_with_a_mistake(change, said, tmp_path):
    case = Case("ssd_v1.15")
    with open(case.pipeline, encoding="utf-8") as file:
        text = file.read()
    assert change[0] in text
    (tmp_path / "pipeline.config").write_text(text.replace(*change, 1))
    refused(case.options(tmp_path, pipeline=tmp_path / "pipeline.config"), tmp_path, "pipeline.config", *said)


@pytest.mark.parametrize("name,config,missing", [
    ("ssd_v1.15", "ssd_support_api_v2.4", "StatefulPartitionedCall/Identity"),
    ("ssd_v1.15", "ssd_support", "Postprocessor/ToFloat"),
    ("ssd_v1.14", "faster_rcnn_support_api_v1.15", "map_2/TensorArrayStack/TensorArrayGatherV3"),
    ("ssd_v2.4", "ssd_support_api_v1.15", "Preprocessor/"),
    ("ssd_v2.4", "ssd_support_api_v2.0", "StatefulPartitionedCall/Preprocessor/unstack"),
    ("ssd_toolbox", "ssd_toolbox_multihead_detection_output", "SSD/concat_reshape_softmax/mbox_priorbox"),
    ("ssd_toolbox", "automl_efficientdet", "strided_slice_1"),
    ("ssd_toolbox", "retinanet", "regression/concat"),
    ("faster_rcnn_support", "faster_rcnn_support_api_v1.7", "concat, concat_1"),
    ("faster_rcnn_support", "faster_rcnn_support_api_v1.10", "concat, concat_1"),
    ("faster_rcnn_v1.7", "faster_rcnn_support_api_v1.13", "map_2/TensorArrayStack/TensorArrayGatherV3"),
    ("faster_rcnn_v1.10", "faster_rcnn_support_api_v1.13", "map_2/TensorArrayStack/TensorArrayGatherV3"),
    ("faster_rcnn_v1.13", "faster_rcnn_support_api_v1.14", "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_5/TensorArrayGatherV3"),
    ("faster_rcnn_v1.13", "faster_rcnn_support_api_v1.10", "map_1/TensorArrayStack/TensorArrayGatherV3"),
    ("faster_rcnn_v1.14", "faster_rcnn_support_api_v1.15", "concat/concat, concat_1/concat"),
    ("faster_rcnn", "faster_rcnn_support_api_v1.14", "concat, concat_1"),
    ("faster_rcnn", "faster_rcnn_support_api_v2.0", "StatefulPartitionedCall/SecondStagePostprocessor/Cast_3"),
    ("faster_rcnn_v2.0", "faster_rcnn_support_api_v2.4", "StatefulPartitionedCall/map/TensorArrayUnstack/TensorListFromTensor"),
    ("faster_rcnn_v2.4", "faster_rcnn_support_api_v2.0", "StatefulPartitionedCall/Preprocessor/unstack"),
    ("mask_rcnn_support", "mask_rcnn_support_api_v1.7", "concat, concat_1"),
    ("mask_rcnn_v1.7", "mask_rcnn_support_api_v1.11", "ExpandDims_6"),
    ("mask_rcnn_v1.11", "mask_rcnn_support_api_v1.7", "ExpandDims_7"),
    ("mask_rcnn_v1.11", "mask_rcnn_support_api_v1.13", "map_2/TensorArrayStack/TensorArrayGatherV3"),
    ("mask_rcnn_v1.13", "mask_rcnn_support_api_v1.14", "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_5/TensorArrayGatherV3"),
    ("mask_rcnn_v1.14", "mask_rcnn_support_api_v1.13", "ToFloat_3"),
    ("mask_rcnn_v1.14", "mask_rcnn_support_api_v1.15", "concat/concat, concat_1/concat"),
    ("mask_rcnn", "mask_rcnn_support_api_v1.14", "concat, concat_1"),
    ("mask_rcnn_v2.0", "mask_rcnn_support_api_v2.4", "StatefulPartitionedCall/map/TensorArrayUnstack/TensorListFromTensor"),
    ("mask_rcnn_v2.4", "mask_rcnn_support_api_v2.0", "StatefulPartitionedCall/Preprocessor/unstack"),
    ("rfcn_support", "rfcn_support_api_v1.13", "map_2/TensorArrayStack/TensorArrayGatherV3"),
    ("rfcn_v1.10", "rfcn_support_api_v1.13", "map_2/TensorArrayStack/TensorArrayGatherV3"),
    ("rfcn_v1.13", "rfcn_support_api_v1.14", "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_5/TensorArrayGatherV3"),
    ("rfcn", "rfcn_support_api_v1.10", "map_1/TensorArrayStack/TensorArrayGatherV3"),
])
def test_the_configuration_of_another_model(name, config, missing, tmp_path):
    case = Case(name)
    case.config = config
    pipeline = case.pipeline if os.path.exists(case.pipeline) else os.path.join(FOLDER, "ssd_v1.15", "pipeline.config")
    refused(case.options(tmp_path, pipeline=pipeline), tmp_path, "MO6042", missing)


def test_an_input_that_is_cut_off(tmp_path):
    refused(Case("ssd_v1.15").options(tmp_path) + ["--input", "Preprocessor/sub[1,32,40,3]"], tmp_path, "MO60")
