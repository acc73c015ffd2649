"""Operations on boxes, made by an extension of a user: the runtime reads them with the shapes and attributes that the IR says, and runs them."""
import json
import os
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import judge

RNG = np.random.default_rng(23)
MODULE = """import {{ FrontExtractorOp, ops }} from '@mo/wasm/extension';

export class Read{op} extends FrontExtractorOp {{
  static op = 'Own{op}';
  static enabled = true;

  static extract(node) {{
    ops.updateNodeStat('{op}', node, {attributes});
    return this.enabled;
  }}
}}
"""


def some(*shape):
    return RNG.random(shape, dtype=np.float32)


def boxes(*shape):
    corner = RNG.random((*shape, 2), dtype=np.float32) * 20
    return np.concatenate([corner, corner + 3 + RNG.random((*shape, 2), dtype=np.float32) * 10], -1)


def rois(count):
    return np.concatenate([np.zeros((count, 1), np.float32), boxes(count)], -1)


SIZES = {"h": 0, "w": 0, "stride_x": 8.0, "stride_y": 8.0}
# operation, its set, inputs, attributes, number of outputs
CASES = [
    ("PriorBox", "opset1", [np.array([3, 4]), np.array([30, 40])], {"min_size": [8.0], "max_size": [12.0], "aspect_ratio": [2.0], "flip": True, "clip": False, "variance": [0.1]}, 1),
    ("PriorBox", "opset1", [np.array([3, 4]), np.array([30, 40])],
     {"fixed_size": [8.0, 16.0], "fixed_ratio": [0.5, 1.0], "density": [2.0, 3.0], "flip": False, "variance": [0.1], "step": 10.0, "offset": 0.5}, 1),
    # The CPU plugin has this version only with sizes that it knows when it compiles.
    ("PriorBox", "opset8", [some(1, 8, 3, 4), some(1, 3, 30, 40)], {"min_size": [8.0, 10.0], "max_size": [12.0, 16.0], "aspect_ratio": [2.0, 3.0], "min_max_aspect_ratios_order": False}, 1),
    ("PriorBox", "opset1", [np.array([3, 4]), np.array([30, 40])], {"min_size": [8.0], "aspect_ratio": [2.0, 0.5, 1.0], "scale_all_sizes": False}, 1),
    ("PriorBox", "opset1", [some(1, 8, 3, 4), some(1, 3, 30, 40)], {"min_size": [8.0]}, 1),
    ("PriorBoxClustered", "opset1", [np.array([3, 4]), np.array([30, 40])], {"width": [8.0, 9.0], "height": [4.0, 5.0], "step": 8.0, "offset": 0.5}, 1),
    ("PriorBoxClustered", "opset1", [some(1, 8, 3, 4), some(1, 3, 30, 40)], {"width": [8.0, 9.0], "height": [4.0, 5.0], "step": 8.0}, 1),
    ("DetectionOutput", "opset8", [some(2, 40), some(2, 30), some(1, 2, 40)], {"nms_threshold": 0.5, "keep_top_k": 5, "code_type": "caffe.PriorBoxParameter.CENTER_SIZE"}, 1),
    ("DetectionOutput", "opset8", [some(2, 40), some(2, 30), some(2, 1, 40)], {"nms_threshold": 0.5, "top_k": 4, "keep_top_k": -1, "variance_encoded_in_target": True}, 1),
    ("DetectionOutput", "opset8", [some(2, 120), some(2, 30), some(1, 2, 50)], {"nms_threshold": 0.5, "keep_top_k": 5, "share_location": False, "normalized": False, "input_width": 20, "input_height": 30}, 1),
    ("Proposal", "opset4", [some(1, 6, 3, 4), some(1, 12, 3, 4), np.array([30, 40, 1], np.float32)],
     {"base_size": 16, "pre_nms_topn": 12, "post_nms_topn": 5, "nms_thresh": 0.5, "feat_stride": 8, "min_size": 1, "ratio": [1.0], "scale": [1.0, 2.0, 3.0], "normalize": True, "framework": "tensorflow"}, 2),
    ("Proposal", "opset4", [some(1, 6, 3, 4), some(1, 12, 3, 4), np.array([[30, 40, 1]], np.float32)],
     {"base_size": 16, "pre_nms_topn": 12, "post_nms_topn": 5, "nms_thresh": 0.5, "feat_stride": 8, "min_size": 1, "ratio": [1.0], "scale": [1.0, 2.0, 3.0]}, 1),
    ("Proposal", "opset4", [some(1, 6, 3, 4), some(1, 12, 3, 4), np.array([[30, 40, 1, 1, 0, 0]], np.float32)],
     {"base_size": 16, "pre_nms_topn": 12, "post_nms_topn": 5, "nms_thresh": 0.5, "feat_stride": 8, "min_size": 1, "ratio": [1.0], "scale": [1.0, 2.0, 3.0]}, 2),
    ("PSROIPooling", "opset1", [some(1, 18, 9, 11), rois(5)], {"output_dim": 2, "group_size": 3, "spatial_scale": 0.5}, 1),
    ("PSROIPooling", "opset1", [some(1, 24, 9, 11), rois(5)], {"output_dim": 2, "group_size": 5, "spatial_scale": 0.5, "mode": "bilinear", "spatial_bins_x": 4, "spatial_bins_y": 3}, 1),
    ("DeformablePSROIPooling", "opset1", [some(1, 18, 9, 11), rois(5), some(5, 2, 3, 3)],
     {"output_dim": 2, "group_size": 3, "spatial_scale": 0.5, "trans_std": 0.1, "part_size": 3, "spatial_bins_x": 4, "spatial_bins_y": 4}, 1),
    ("DeformablePSROIPooling", "opset1", [some(1, 18, 9, 11), rois(5)], {"output_dim": 2, "group_size": 3, "spatial_scale": 0.5}, 1),
    ("ROIPooling", "opset2", [some(1, 8, 9, 11), rois(5)], {"pooled_h": 2, "pooled_w": 3, "spatial_scale": 0.5}, 1),
    ("ROIAlign", "opset3", [some(1, 8, 9, 11), boxes(5), np.zeros(5, np.int64)], {"pooled_h": 2, "pooled_w": 3, "sampling_ratio": 2}, 1),
    ("ROIAlign", "opset9", [some(1, 8, 9, 11), boxes(5), np.zeros(5, np.int64)], {"pooled_h": 2, "pooled_w": 3, "sampling_ratio": 2, "aligned_mode": "half_pixel"}, 1),
    ("RegionYolo", "opset1", [some(1, 50, 3, 4)], {"classes": 20, "coords": 4, "num": 2, "do_softmax": False, "mask": [0, 1]}, 1),
    ("ReorgYolo", "opset2", [some(1, 8, 6, 10)], {"stride": 2}, 1),
    ("MulticlassNms", "opset9", [boxes(2, 9), some(2, 3, 9)], {"nms_top_k": 4, "keep_top_k": 7, "iou_threshold": 0.5, "score_threshold": 0.1, "sort_result_type": "score"}, 3),
    ("MulticlassNms", "opset9", [boxes(3, 9), some(3, 9), np.array([4, 5])], {"output_type": "i32", "background_class": 0, "nms_eta": 0.9}, 3),
    ("MatrixNms", "opset8", [boxes(2, 9), some(2, 3, 9)], {"nms_top_k": 4, "decay_function": "gaussian", "gaussian_sigma": 3.0, "post_threshold": 0.1, "normalized": False}, 3),
    ("GenerateProposals", "opset9", [np.array([[30, 40, 1], [30, 40, 1]], np.float32), boxes(3, 4, 2), some(2, 8, 3, 4), some(2, 2, 3, 4)],
     {"min_size": 1.0, "nms_threshold": 0.5, "pre_nms_count": 20, "post_nms_count": 6, "roi_num_type": "i32"}, 3),
    ("ExperimentalDetectronDetectionOutput", "opset6", [boxes(9), some(9, 12), some(9, 3), np.array([[30, 40, 1]], np.float32)],
     {"num_classes": 3, "max_detections_per_image": 7, "post_nms_count": 20, "score_threshold": 0.1, "max_delta_log_wh": 4.5, "deltas_weights": [10.0, 10.0, 5.0, 5.0]}, 3),
    ("ExperimentalDetectronGenerateProposalsSingleImage", "opset6", [np.array([30, 40, 1], np.float32), boxes(24), some(8, 3, 4), some(2, 3, 4)],
     {"min_size": 1.0, "nms_threshold": 0.5, "pre_nms_count": 20, "post_nms_count": 6}, 2),
    ("ExperimentalDetectronPriorGridGenerator", "opset6", [boxes(3), some(1, 8, 3, 4), some(1, 3, 30, 40)], {"flatten": True, **SIZES}, 1),
    ("ExperimentalDetectronPriorGridGenerator", "opset6", [boxes(3), some(1, 8, 3, 4), some(1, 3, 30, 40)], {"flatten": False, **SIZES}, 1),
    ("ExperimentalDetectronROIFeatureExtractor", "opset6", [boxes(9), some(1, 6, 9, 11), some(1, 6, 5, 6)],
     {"output_size": 7, "sampling_ratio": 2, "pyramid_scales": [4, 8], "aligned": True}, 2),
    ("ExperimentalDetectronTopKROIs", "opset6", [boxes(9), some(9)], {"max_rois": 5}, 1),
]


def write_model(path, op, arrays, outputs):
    inputs = [helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(a.dtype), list(a.shape)) for i, a in enumerate(arrays)]
    results = [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, None) for i in range(outputs)]
    node = helper.make_node(op, [x.name for x in inputs], [y.name for y in results], name="n", domain="own")
    graph = helper.make_graph([node], "one_node", inputs, results)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)], ir_version=9), path)


def same(got, want):
    if isinstance(want, list):
        return len(got) == len(want) and all(same(a, b) for a, b in zip(got, want))
    return abs(got - want) < 1e-6 if isinstance(want, float) else got == want


@pytest.mark.parametrize("op,version,arrays,attributes,outputs", CASES, ids=[f"{case[0]}{i}" for i, case in enumerate(CASES)])
def test_the_runtime_reads_and_runs_it(tmp_path, op, version, arrays, attributes, outputs):
    os.makedirs(tmp_path / "own" / "front" / "onnx")
    (tmp_path / "own" / "front" / "onnx" / "read.js").write_text(MODULE.format(op=op, attributes=json.dumps(attributes)))
    model = str(tmp_path / "model.onnx")
    write_model(model, f"Own{op}", arrays, outputs)
    xml = judge.convert(model, tmp_path, "--extensions", str(tmp_path / "own"))

    layer = next(layer for layer in ET.parse(xml).getroot().iter("layer") if layer.get("type") == op)
    assert layer.get("version") == version
    said = [[int(dim.text) for dim in port.findall("dim")] for port in layer.find("output")]
    read = judge.core().read_model(xml)
    node = next(node for node in read.get_ops() if node.get_type_name() == op)
    assert node.get_type_info().version_id == version
    shapes = [node.output(i).get_partial_shape() for i in range(len(said))]
    assert said == [[-1 if dim.is_dynamic else dim.get_length() for dim in shape] for shape in shapes]
    known = node.get_attributes()
    for name, value in attributes.items():
        assert same(list(known[name]) if isinstance(value, list) else known[name], [value] if isinstance(known[name], list) and not isinstance(value, list) else value), (name, value, known[name])

    got = judge.in_openvino(xml, {f"x{i}": array for i, array in enumerate(arrays)})
    assert all(np.isfinite(got[f"y{i}"]).all() for i in range(outputs))


OF_DOMAINS = {
    "DetectionOutput": ("opset8", [some(2, 40), some(2, 30), some(1, 2, 40)], {"nms_threshold": 0.5, "keep_top_k": 5, "code_type": "CENTER_SIZE", "share_location": 1}, 1),
    "PriorBox": ("opset1", [some(1, 8, 3, 4), some(1, 3, 30, 40)], {"min_size": [8.0]}, 1),
    "PriorBoxClustered": ("opset1", [some(1, 8, 3, 4), some(1, 3, 30, 40)], {"width": [8.0, 9.0], "height": [4.0, 5.0], "step": 8.0}, 1),
    "GenerateProposals": ("opset9", [np.array([[30, 40, 1]], np.float32), boxes(3, 4, 2), some(1, 8, 3, 4), some(1, 2, 3, 4)],
                          {"min_size": 1.0, "nms_threshold": 0.5, "pre_nms_count": 20, "post_nms_count": 6}, 2),
    "ExperimentalDetectronDetectionOutput": ("opset6", [boxes(9), some(9, 324), some(9, 81), np.array([[30, 40, 1]], np.float32)], {}, 1),
    "ExperimentalDetectronGenerateProposalsSingleImage": ("opset6", [np.array([30, 40, 1], np.float32), boxes(24), some(8, 3, 4), some(2, 3, 4)], {"post_nms_count": 6}, 2),
    "ExperimentalDetectronPriorGridGenerator": ("opset6", [boxes(3), some(1, 8, 3, 4), some(1, 3, 30, 40)], {"stride_x": 8.0, "stride_y": 8.0}, 1),
    "ExperimentalDetectronROIFeatureExtractor": ("opset6", [boxes(9), some(1, 6, 9, 11), some(1, 6, 5, 6)], {"output_size": 7}, 1),
    "ExperimentalDetectronTopKROIs": ("opset6", [boxes(9), some(9)], {"max_rois": 5}, 1),
}


@pytest.mark.parametrize("domain", ["", "org.openvinotoolkit"])
@pytest.mark.parametrize("op", OF_DOMAINS)
def test_a_model_may_have_them_in_the_domain_of_openvino_or_in_none(tmp_path, op, domain):
    version, arrays, attributes, outputs = OF_DOMAINS[op]
    inputs = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, list(a.shape)) for i, a in enumerate(arrays)]
    results = [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, None) for i in range(outputs)]
    node = helper.make_node(op, [x.name for x in inputs], [y.name for y in results], domain=domain, **attributes)
    graph = helper.make_graph([node], "one_node", inputs, results)
    model = str(tmp_path / "model.onnx")
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("org.openvinotoolkit", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), model)
    xml = judge.convert(model, tmp_path)
    assert next(layer.get("version") for layer in ET.parse(xml).getroot().iter("layer") if layer.get("type") == op) == version
    got = judge.in_openvino(xml, {f"x{i}": array for i, array in enumerate(arrays)})
    assert all(np.isfinite(got[f"y{i}"]).all() for i in range(outputs))


def test_what_does_not_fit_is_refused(tmp_path):
    model = str(tmp_path / "model.onnx")
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("boxes", [9, 4]), ("scores", [8]))]
    node = helper.make_node("ExperimentalDetectronTopKROIs", ["boxes", "scores"], ["y"], name="best", domain="org.openvinotoolkit")
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("org.openvinotoolkit", 1)], ir_version=9), model)
    run = subprocess.run([judge.MO, model, "--output_dir", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 1 and "best" in run.stderr and "boxes and scores: 9 and 8" in run.stderr, run.stderr
