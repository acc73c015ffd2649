"""Detection models of TensorFlow, converted with their configurations: boxes, classes and scores of the IR against what TensorFlow's own
post-processing recorded (tests/tf/detection.py)."""
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
        """Of the model."""
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
        return options + ([OPTION, str(pipeline)] if pipeline else [])


def run(options):
    return subprocess.run([judge.MO, *options], capture_output=True, text=True, timeout=120)


def convert(case, folder):
    done = run(case.options(folder))
    assert done.returncode == 0, done.stderr
    return str(folder / "ir.xml")


def infer(xml, feeds):
    import openvino
    model = openvino.Core().read_model(xml)
    names = {name for port in model.inputs for name in port.get_names()}
    assert len(model.inputs) == len(feeds), names
    compiled = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    outputs = compiled(feeds if set(feeds) <= names else list(feeds.values()))
    return model, [np.array(outputs[port]) for port in compiled.outputs]


def rows(boxes, classes, scores):
    """Detections as [class, score, ymin, xmin, ymax, xmax], the best first."""
    out = np.concatenate([np.reshape(classes, (-1, 1)), np.reshape(scores, (-1, 1)), np.reshape(boxes, (-1, 4))], 1).astype(np.float64)
    return out[np.lexsort((out[:, 2], out[:, 0], -np.round(out[:, 1], 5)))]


def wanted_rows(wanted):
    count = int(wanted["num_detections"].ravel()[0])
    return rows(*(wanted["detection_" + key].reshape(-1, *((4,) if key == "boxes" else ()))[:count] for key in ("boxes", "classes", "scores")))


def detected_rows(output):
    """Of DetectionOutput: image, class, score, xmin, ymin, xmax, ymax; an image of -1 ends the list."""
    assert output.shape[-1] == 7
    found = output.reshape(-1, 7)
    ends = np.flatnonzero(found[:, 0] == -1)
    found = found[:ends[0]] if len(ends) else found
    return rows(found[:, [4, 3, 6, 5]], found[:, 1], found[:, 2])


def same_detections(got, want):
    assert len(want) >= 5, "the case shows little"
    assert got.shape == want.shape
    assert np.abs(got - want).max() <= 1e-3, np.abs(got - want).max(axis=1)


@pytest.mark.parametrize("name", CASES)
def test_detections(name, tmp_path):
    case = Case(name)
    model, got = infer(convert(case, tmp_path), case.feeds)
    found = detected_rows(got[0])
    if name == "ssd_no_background":
        found[:, 0] += 1  # without a background, DetectionOutput counts classes from 0, the Object Detection API from 1
    same_detections(rows(found[:, 2:], found[:, 0], found[:, 1]), wanted_rows(case.wanted))
