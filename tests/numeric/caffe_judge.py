"""What the tests of Caffe share: a conversion, the results of its IR in the runtime, and how results are compared."""
import os
import subprocess

import numpy as np

import judge

TOLERANCE = 1e-3


def run_mo(*arguments):
    return subprocess.run([judge.MO, *arguments, "--compress_to_fp16=False"], capture_output=True, text=True, timeout=600)


def converted(model, folder, *options):
    run = run_mo(str(model), "--output_dir", str(folder), "--model_name", "ir", *options)
    assert run.returncode == 0, run.stderr
    return os.path.join(str(folder), "ir.xml"), run.stderr


def in_runtime(xml, feeds):
    """The results by name."""
    def compute():
        given = judge.core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(feeds)
        return {name: value for port, value in given.items() for name in port.get_names()}
    return judge.kept_results.results(judge.kept_results.content(xml), "in_runtime", [feeds], compute)


def without_unused(rows):
    """Detections without the rows that the runtime fills up: behind the last one their image is -1."""
    end = np.flatnonzero(rows[0, 0, :, 0] < 0)
    return rows[:, :, :end[0]] if len(end) else rows


def compare(expected, found, detections=()):
    assert set(expected) <= set(found), (set(expected), set(found))
    found = {name: without_unused(value) if name in detections else value for name, value in found.items()}
    for name, value in expected.items():
        if np.isnan(value).any():
            assert (np.isnan(value) == np.isnan(found[name])).all(), name
            value, found[name] = np.nan_to_num(value), np.nan_to_num(found[name])
        assert found[name].shape == value.shape, (name, found[name].shape, value.shape)
        error = np.abs(found[name] - value).max(initial=0) / max(np.abs(value).max(initial=0), 1e-6)
        assert error <= TOLERANCE, (name, error)


def detections(net):
    """Results whose rows behind the last detection are filled up."""
    return {name for name, kind, _ in net.layers if kind == "DetectionOutput"}
