"""Boxes: priors, anchors, coding, clipping, decoding, choosing by overlap."""
import numpy as np

from models import Family, sequence
from values import fed, fixed

family = Family(__name__)
case = family.case


def boxes(*shape, size=10.0, seed=1):
    """Boxes with sides in a picture of that size."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(0, size * 0.6, (*shape, 2))
    return np.concatenate([first, first + rng.uniform(size * 0.1, size * 0.4, (*shape, 2))], -1).astype(np.float32)


def scores(*shape, seed=2):
    """Different ones, so that their order is sure."""
    rng = np.random.default_rng(seed)
    return ((rng.permutation(int(np.prod(shape))) + 0.5) / np.prod(shape)).reshape(shape).astype(np.float32)


VARIANCE = [0.1, 0.1, 0.2, 0.2]
MAPS = {"Input": fed(1, 2, 3, 4), "Image": fed(1, 3, 24, 32)}
PRIOR = {"min_sizes": [4.0], "max_sizes": [], "aspect_ratios": [1.0], "variances": VARIANCE, "flip": False, "clip": False, "step_w": 0.0, "step_h": 0.0, "offset": 0.5,
         "min_max_aspect_ratios_order": False}
for variant, attrs in (("plain", {}), ("ratios", {"aspect_ratios": [1.0, 2.0, 3.0], "flip": True}), ("max",
        {"min_sizes": [4.0, 6.0], "max_sizes": [9.0, 11.0], "aspect_ratios": [2.0],
                "flip": True}),
                       ("order", {"max_sizes": [9.0], "aspect_ratios": [2.0], "min_max_aspect_ratios_order": True}), ("steps",
                               {"step_w": 7.0, "step_h": 9.0, "offset": 0.25}), ("clipped",
                                       {"min_sizes": [20.0], "clip": True})):
    case("prior_box", variant, unknown={"Input": (2, 3), "Image": (2, 3)} if variant == "max" else (), attrs={**PRIOR, **attrs}, **MAPS)
DENSITY = {"variances": VARIANCE, "clip": False, "flatten_to_2d": False, "step_w": 0.0, "step_h": 0.0, "offset": 0.5, "fixed_sizes": [4.0, 8.0], "fixed_ratios": [1.0], "densities": [2, 1]}
for variant, attrs in (("plain", {}), ("flat", {"flatten_to_2d": True}), ("ratios", {"fixed_ratios": [1.0, 2.0], "clip": True}), ("steps", {"step_w": 7.0, "step_h": 9.0})):
    case("density_prior_box", variant, attrs={**DENSITY, **attrs}, **MAPS)
case("anchor_generator", unknown=(0, 2, 3), attrs={"anchor_sizes": [16.0, 32.0], "aspect_ratios": [0.5, 1.0, 2.0], "variances": VARIANCE, "stride": [8.0,
        8.0], "offset": 0.5}, Input=fed(1,
                2, 3, 4))
case("anchor_generator", "offset", attrs={"anchor_sizes": [20.0], "aspect_ratios": [0.7], "variances": VARIANCE, "stride": [8.0, 16.0], "offset": 0.0}, Input=fed(1, 2, 3, 4))
for normalized in (True, False):
    form = {"box_normalized": normalized, "axis": 0}
    case("box_coder", f"encode_{normalized}", attrs={"code_type": "encode_center_size", **form}, PriorBox=fixed(values=boxes(5)), PriorBoxVar=fixed(5, 4, low=0.1,
            high=0.3), TargetBox=fed(values=boxes(3, seed=3)))
    case("box_coder", f"decode_{normalized}", unknown={"TargetBox": (0,)}, attrs={"code_type": "decode_center_size", **form}, PriorBox=fixed(values=boxes(5)), PriorBoxVar=fixed(5, 4,
            low=0.1, high=0.3), TargetBox=fed(2, 5, 4))
case("box_coder", "decode_axis", attrs={"code_type": "decode_center_size", "axis": 1, "box_normalized": True}, PriorBox=fed(values=boxes(2)), PriorBoxVar=fed(2, 4, low=0.1,
        high=0.3), TargetBox=fed(2,
                3, 4))
case("box_coder", "decode_variance", attrs={"code_type": "decode_center_size", "axis": 0, "variance": VARIANCE}, PriorBox=fed(values=boxes(3)), TargetBox=fed(2, 3, 4))
case("box_coder", "encode_variance", attrs={"code_type": "encode_center_size", "variance": VARIANCE}, PriorBox=fed(values=boxes(4)), TargetBox=fed(values=boxes(2, seed=3)))
case("box_coder", "decode_bare", attrs={"code_type": "decode_center_size", "axis": 0}, PriorBox=fed(values=boxes(3)), TargetBox=fed(2, 3, 4))
case("box_clip", Input=sequence(values=boxes(5, size=12) - 1), ImInfo=sequence(values=[[9.0, 8, 1]]))
case("box_clip", "scaled", Input=sequence(values=boxes(5, size=12) - 1), ImInfo=sequence(values=[[18.0, 15, 2]]))
for normalized in (True, False):
    case("iou_similarity", f"{normalized}", unknown={"X": (0,), "Y": (0,)}, attrs={"box_normalized": normalized}, X=fed(values=boxes(4)), Y=fed(values=boxes(5, seed=3)))
YOLO = {"anchors": [10, 13, 16, 30], "class_num": 3, "conf_thresh": 0.4, "downsample_ratio": 32, "clip_bbox": True, "scale_x_y": 1.0}
SIZES = fed(values=[[96, 128], [60, 70]], dtype=np.int32)
for variant, attrs, channels in (("plain", {}, 16), ("unclipped", {"clip_bbox": False}, 16), ("scaled", {"scale_x_y": 1.2}, 16), ("iou_aware",
        {"iou_aware": True,
                "iou_aware_factor": 0.4}, 18), ("low",
                        {"conf_thresh": 0.01}, 16)):
    case("yolo_box", variant, unknown={"X": (0, 2, 3), "ImgSize": (0,)} if variant == "plain" else (), attrs={**YOLO, **attrs}, X=fed(2, channels, 3, 4, low=-2, high=2), ImgSize=SIZES)
NMS = {"background_label": -1, "score_threshold": 0.1, "nms_top_k": 20, "keep_top_k": 10, "nms_threshold": 0.3, "nms_eta": 1.0, "normalized": True}
CHOICES = {"plain": {}, "background": {"background_label": 0}, "pixels": {"normalized": False}, "top": {"nms_top_k": 5, "keep_top_k": 4}, "all": {"nms_top_k": -1, "keep_top_k": -1,
        "nms_threshold": 0.7}, "strict": {"score_threshold": 0.6},
           "eta": {"nms_eta": 0.9, "nms_threshold": 0.8}}
COUNTED = {"Index": "int32", "NmsRoisNum": "int32"}
for variant, attrs in CHOICES.items():
    for count in (1, 2):
        case("multiclass_nms3", f"{variant}_{count}", unknown={"BBoxes": (0, 1), "Scores": (0, 2)} if variant == "plain" else (), attrs={**NMS,
                **attrs}, outs=COUNTED, BBoxes=fed(values=boxes(count, 12)), Scores=fed(values=scores(count, 3, 12)))
    case("multiclass_nms", variant, attrs={**NMS, **attrs}, BBoxes=fed(values=boxes(1, 12)), Scores=fed(values=scores(1, 3, 12)))
case("multiclass_nms2", attrs=NMS, outs={"Index": "int32"}, BBoxes=fed(values=boxes(1, 12)), Scores=fed(values=scores(1, 3, 12)))
case("multiclass_nms3", "per_class", attrs=NMS, outs=COUNTED, BBoxes=fed(values=boxes(12, 3)), Scores=fed(values=scores(12, 3)), RoisNum=fed(values=[12], dtype=np.int32))
case("multiclass_nms3", "per_class_two", attrs=NMS, outs=COUNTED, BBoxes=fed(values=boxes(12, 3)), Scores=fed(values=scores(12, 3)), RoisNum=fed(values=[5, 7], dtype=np.int32))
MATRIX = {"background_label": -1, "score_threshold": 0.1, "post_threshold": 0.1, "nms_top_k": 20, "keep_top_k": 10, "use_gaussian": False, "gaussian_sigma": 2.0, "normalized": True}
for variant, attrs in (("plain", {}), ("gaussian", {"use_gaussian": True}), ("background", {"background_label": 0}), ("pixels", {"normalized": False}), ("top",
        {"nms_top_k": 5,
                "keep_top_k": 4}), ("strict",
                        {"post_threshold": 0.5}),
                       ("all", {"nms_top_k": -1, "keep_top_k": -1})):
    for count in (1, 2):
        case("matrix_nms", f"{variant}_{count}", unknown={"BBoxes": (0, 1), "Scores": (0, 2)} if variant == "plain" else (), attrs={**MATRIX, **attrs}, outs={"Index": "int32",
                "RoisNum": "int32"}, BBoxes=fed(values=boxes(count, 12)),
             Scores=fed(values=scores(count, 3, 12)))
case("nms", attrs={"iou_threshold": 0.3}, outs={"KeepBoxesIdxs": "int64"}, Boxes=fed(values=boxes(9)))
case("bipartite_match", outs={"ColToRowMatchIndices": "int32"}, DistMat=fed(values=scores(4, 5)))
case("bipartite_match", "per_prediction", attrs={"match_type": "per_prediction", "dist_threshold": 0.4}, outs={"ColToRowMatchIndices": "int32"}, DistMat=fed(values=scores(4, 5)))
case("polygon_box_transform", Input=fed(1, 8, 3, 4))
case("box_decoder_and_assign", attrs={"box_clip": 4.135}, PriorBox=fed(values=boxes(4)), PriorBoxVar=fixed(values=VARIANCE), TargetBox=fed(4, 12), BoxScore=fed(values=scores(4, 3)))
case("locality_aware_nms", attrs={**NMS, "background_label": -1}, BBoxes=fed(values=boxes(1, 9)), Scores=fed(values=scores(1, 1, 9)))
