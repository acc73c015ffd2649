"""TFLite_Detection_PostProcess in a GraphDef, as TensorFlow's exporter of detection models writes it, against what LiteRT recorded for the same operation.

TensorFlow has no kernel for it.
"""
import os
import sys

import numpy as np
import pytest

import judge

sys.path[:0] = [os.path.join(judge.ROOT, "tests", "tflite"), os.path.join(judge.ROOT, "tests", "recorded")]
import lite  # noqa: E402

CASES = lite.operations()
BOXES = 20


def graph(options):
    side = int(np.ceil(BOXES ** 0.5))
    centres = np.stack(np.meshgrid(*[(np.arange(side) + 0.5) / side] * 2, indexing="ij"), -1).reshape(-1, 2)[:BOXES]
    anchors = np.concatenate([centres, np.full((BOXES, 2), 1.6 / side)], 1).astype(np.float32)
    attributes = "".join(f'attr {{ key: "{name}" value {{ {kind}: {value} }} }}\n' for name, (kind, value) in options.items())
    inputs = "".join(f'node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} '
                     f'attr {{ key: "shape" value {{ shape {{ dim {{ size: 1 }} dim {{ size: {BOXES} }} dim {{ size: {columns} }} }} }} }} }}\n' for name, columns in (("boxes", 4), ("scores", 5)))
    values = " ".join(f"float_val: {float(value)!r}" for value in anchors.ravel())
    return (inputs + f'node {{ name: "anchors" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT '
            f'tensor_shape {{ dim {{ size: {BOXES} }} dim {{ size: 4 }} }} {values} }} }} }} }}\n'
            f'node {{ name: "detections" op: "TFLite_Detection_PostProcess" input: "boxes" input: "scores" input: "anchors" {attributes} }}\n')


@pytest.mark.parametrize("name,more", [("detection_fast", {}), ("detection_regular", {"use_regular_nms": ("b", "true")})])
def test_detections(name, more, tmp_path):
    case = next(case for key, case in CASES.items() if key.rpartition("/")[2] == name)
    options = {"max_detections": ("i", 6), "max_classes_per_detection": ("i", 1), "detections_per_class": ("i", 5), "use_regular_nms": ("b", "false"), "nms_score_threshold": ("f", 0.3),
               "nms_iou_threshold": ("f", 0.4), "num_classes": ("i", 4), "y_scale": ("f", 10.0), "x_scale": ("f", 10.0), "h_scale": ("f", 5.0), "w_scale": ("f", 5.0), **more}
    path = tmp_path / "graph.pbtxt"
    path.write_text(graph(options))
    xml = judge.convert(path, tmp_path, "--framework", "tf")
    feeds = dict(zip(("boxes", "scores"), case.runs[0].values()))
    compiled = judge.core().compile_model(xml, "CPU")
    found = compiled({f"{key}:0": array for key, array in feeds.items()})
    for at, want in enumerate(case.wanted[0]):
        np.testing.assert_allclose(found[f"detections:{at}"], want, rtol=1e-4, atol=1e-4, err_msg=case.about["outputs"][at])
