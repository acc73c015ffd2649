"""Boxes of detectors: priors, codes, suppression, regions, levels of pyramids."""
import numpy as np

from models import Family, sequence
from values import fixed
import values

family = Family(__name__)
case = family.case


def fed(*shape, **more):
    """Given values keep their type."""
    given = more.get("values")
    return values.fed(*shape, **({"dtype": given.dtype} if given is not None else {}), **more)


RNG = np.random.default_rng(5)


def boxes(count, size=60.0, images=None, step=0.0):
    """Corners of boxes that overlap; no two overlaps are near a usual threshold."""
    shape = (count, 2) if images is None else (images, count, 2)
    low = RNG.uniform(0, size, shape)
    return np.concatenate([low, low + RNG.uniform(4, size / 2, shape)], -1).astype(np.float32) + np.float32(step)


def scores(*shape):
    """Numbers of which no two are equal."""
    count = int(np.prod(shape))
    return (RNG.permutation(count).astype(np.float32).reshape(shape) + 0.5) / count


NMS = {"background_label": 0, "score_threshold": 0.2, "nms_top_k": 20, "keep_top_k": 10, "nms_threshold": 0.4, "nms_eta": 1.0, "normalized": True}
FOUND = {"Out": "float32", "Index": "int32", "NmsRoisNum": "int32"}


def nms(kind, variant, images=1, classes=3, count=16, outs=None, unknown=(), **attrs):
    case(kind, variant, unknown=unknown, attrs={**NMS, **attrs}, outs=FOUND if outs is None else outs, BBoxes=fed(values=boxes(count, images=images)), Scores=fed(values=scores(images, classes, count)))


nms("multiclass_nms3", "plain", unknown={"BBoxes": (0, 1), "Scores": (0, 2)})
nms("multiclass_nms3", "images", images=3)
nms("multiclass_nms3", "all", keep_top_k=-1, nms_top_k=-1, background_label=-1)
nms("multiclass_nms3", "pixels", normalized=False)
nms("multiclass_nms3", "eta", nms_eta=0.9, nms_threshold=0.7, images=2)
nms("multiclass_nms3", "few", keep_top_k=2, images=2)
nms("multiclass_nms3", "top", nms_top_k=3)
nms("multiclass_nms3", "last_is_background", background_label=2)
nms("multiclass_nms3", "one_class", classes=1, background_label=-1)
nms("multiclass_nms2", "plain", outs={"Out": "float32", "Index": "int32"})
nms("multiclass_nms", "plain", outs={"Out": "float32"})
EQUAL = np.array([[[0, 0, 2, 2], [0, 0, 2, 1], [1, 0, 3, 2], [5, 5, 6, 6]]], np.float32)
case("multiclass_nms3", "overlap_equals_the_threshold", attrs={**NMS, "nms_threshold": 0.5, "background_label": -1}, outs=FOUND, BBoxes=fed(values=EQUAL),
     Scores=fed(values=np.array([[[0.9, 0.8, 0.7, 0.6]]], np.float32)))
case("multiclass_nms3", "equal_scores", attrs={**NMS, "background_label": -1}, outs=FOUND, BBoxes=fed(values=EQUAL), Scores=fed(values=np.full((1, 2, 4), 0.5, np.float32)))
case("multiclass_nms3", "score_equals_the_threshold", attrs={**NMS, "score_threshold": 0.5, "background_label": -1}, outs=FOUND, BBoxes=fed(values=EQUAL),
     Scores=fed(values=np.array([[[0.9, 0.5, 0.7, 0.5]]], np.float32)))
ROWS = np.stack([boxes(12) for _ in range(3)], 1)
case("multiclass_nms3", "rows", attrs=NMS, outs=FOUND, BBoxes=fed(values=ROWS), Scores=fed(values=scores(12, 3)), RoisNum=fed(values=np.array([5, 7], np.int32)))
case("multiclass_nms3", "rows_few", attrs={**NMS, "keep_top_k": 3}, outs=FOUND, BBoxes=fed(values=ROWS), Scores=fed(values=scores(12, 3)), RoisNum=fed(values=np.array([5, 7], np.int32)))

MATRIX = {"background_label": 0, "score_threshold": 0.1, "post_threshold": 0.2, "nms_top_k": 20, "keep_top_k": 10, "normalized": True}
for variant, more, images in (("linear", {}, 1), ("gaussian", {"use_gaussian": True, "gaussian_sigma": 2.0}, 2), ("pixels", {"normalized": False}, 1), ("all", {"keep_top_k": -1, "nms_top_k": -1, "background_label": -1}, 2)):
    case("matrix_nms", variant, attrs={**MATRIX, **more}, outs={"Out": "float32", "Index": "int32", "RoisNum": "int32"}, BBoxes=fed(values=boxes(12, images=images)), Scores=fed(values=scores(images, 3, 12)))
case("nms", "plain", unknown=(0,), attrs={"iou_threshold": 0.4}, outs={"KeepBoxesIdxs": "int64"}, Boxes=fed(values=boxes(16)))
case("nms", "all", attrs={"iou_threshold": 1.0}, outs={"KeepBoxesIdxs": "int64"}, Boxes=fed(values=boxes(8)))

PRIOR = {"min_sizes": [8.0, 16.0], "max_sizes": [12.0, 20.0], "aspect_ratios": [1.0, 2.0, 3.0], "variances": [0.1, 0.1, 0.2, 0.2], "flip": True, "clip": True, "step_w": 0.0, "step_h": 0.0, "offset": 0.5,
         "min_max_aspect_ratios_order": False}
for variant, more in (("plain", {}), ("largest_second", {"min_max_aspect_ratios_order": True}), ("steps", {"step_w": 9.0, "step_h": 7.0, "clip": False}), ("no_flip", {"flip": False, "max_sizes": []}), ("offset", {"offset": 0.25})):
    case("prior_box", variant, unknown={"Input": (2, 3), "Image": (2, 3)}, attrs={**PRIOR, **more}, Input=fed(1, 3, 4, 5), Image=fed(1, 3, 33, 47))
DENSITY = {"fixed_sizes": [8.0, 12.0], "fixed_ratios": [1.0, 2.0], "densities": [3, 2], "variances": [0.1, 0.1, 0.2, 0.2], "clip": False, "flatten_to_2d": False, "step_w": 0.0, "step_h": 0.0, "offset": 0.5}
for variant, more in (("plain", {}), ("clip", {"clip": True}), ("flat", {"flatten_to_2d": True}), ("steps", {"step_w": 9.0, "step_h": 7.0})):
    case("density_prior_box", variant, unknown={"Input": (2, 3), "Image": (2, 3)}, attrs={**DENSITY, **more}, Input=fed(1, 3, 4, 5), Image=fed(1, 3, 33, 47))
case("anchor_generator", "plain", unknown=(2, 3), attrs={"anchor_sizes": [32.0, 64.0], "aspect_ratios": [0.5, 1.0, 2.0], "variances": [0.1, 0.1, 0.2, 0.2], "stride": [16.0, 8.0], "offset": 0.5}, Input=fed(1, 3, 4, 5))
case("anchor_generator", "offset", attrs={"anchor_sizes": [32.0], "aspect_ratios": [1.0, 3.0], "variances": [1.0, 1.0, 1.0, 1.0], "stride": [16.0, 16.0], "offset": 0.0}, Input=fed(1, 3, 4, 5))

for kind, target in (("encode_center_size", boxes(3)), ("decode_center_size", RNG.uniform(-1, 1, (3, 5, 4)).astype(np.float32))):
    name = kind.split("_")[0]
    for variant, more, var in (("attribute", {"variance": [0.1, 0.1, 0.2, 0.2]}, None), ("input", {"variance": []}, RNG.uniform(0.1, 0.3, (5, 4)).astype(np.float32)), ("none", {"variance": []}, None),
                               ("pixels", {"variance": [], "box_normalized": False}, None)):
        case("box_coder", f"{name}_{variant}", attrs={"code_type": kind, "box_normalized": True, "axis": 0, **more}, PriorBox=fed(values=boxes(5)), PriorBoxVar=None if var is None else fed(values=var),
             TargetBox=fed(values=target))
case("box_coder", "decode_axis", unknown={"TargetBox": (0,), "PriorBox": (0,), "PriorBoxVar": (0,)}, attrs={"code_type": "decode_center_size", "box_normalized": True, "axis": 1, "variance": []}, PriorBox=fed(values=boxes(3)),
     PriorBoxVar=fed(values=RNG.uniform(0.1, 0.3, (3, 4)).astype(np.float32)), TargetBox=fed(3, 5, 4))
case("box_decoder_and_assign", "plain", unknown={"PriorBox": (0,), "TargetBox": (0,), "BoxScore": (0,)}, attrs={"box_clip": 1.0}, PriorBox=fed(values=boxes(4)), PriorBoxVar=fixed(values=np.array([0.1, 0.1, 0.2, 0.2], np.float32)), TargetBox=fed(4, 12, low=-8, high=8),
     BoxScore=fed(values=scores(4, 3)))
case("box_clip", "plain", Input=sequence(6, 4, values=boxes(6, step=-9.0)), ImInfo=fed(values=np.array([[61.0, 45.0, 2.0]], np.float32)))
case("iou_similarity", "plain", unknown={"X": (0,), "Y": (0,)}, attrs={"box_normalized": True}, X=fed(values=boxes(5)), Y=fed(values=boxes(4)))
case("iou_similarity", "pixels", attrs={"box_normalized": False}, X=fed(values=boxes(5)), Y=fed(values=boxes(4)))
case("polygon_box_transform", "plain", unknown=(0, 2, 3), Input=fed(2, 8, 3, 4))

YOLO = {"anchors": [10, 13, 16, 30, 33, 23], "class_num": 4, "conf_thresh": 0.3, "downsample_ratio": 32, "clip_bbox": True, "scale_x_y": 1.0, "iou_aware": False, "iou_aware_factor": 0.5}
SIZES = np.array([[320, 416], [300, 400]], np.int32)
for variant, more in (("plain", {}), ("scaled", {"scale_x_y": 1.2}), ("no_clip", {"clip_bbox": False}), ("low", {"conf_thresh": 0.0})):
    case("yolo_box", variant, unknown={"X": (0, 2, 3), "ImgSize": (0,)}, attrs={**YOLO, **more}, X=fed(2, 27, 3, 4, low=-2, high=2), ImgSize=fed(values=SIZES))
case("yolo_box", "iou_aware", unknown={"X": (0, 2, 3), "ImgSize": (0,)}, attrs={**YOLO, "iou_aware": True, "iou_aware_factor": 0.4}, X=fed(2, 30, 3, 4, low=-2, high=2), ImgSize=fed(values=SIZES))


def proposals(kind, variant, size, images=1, variances=None, unknown=(), **attrs):
    names = {"ImInfo" if kind == "generate_proposals" else "ImShape": fed(values=np.array([size] * images, np.float32))}
    anchors = boxes(3 * 4 * 5).reshape(4, 5, 3, 4)
    case(kind, variant, unknown=unknown, attrs={"pre_nms_topN": 40, "post_nms_topN": 12, "nms_thresh": 0.5, "min_size": 6.0, "eta": 1.0, **attrs}, outs={"RpnRoisNum": "int32"}, Scores=fed(values=scores(images, 3, 4, 5)),
         BboxDeltas=fed(images, 12, 4, 5, low=-0.5, high=0.5), Anchors=fed(values=anchors), Variances=fed(values=np.full((4, 5, 3, 4), 1, np.float32) if variances is None else variances), **names)


for pixels in (False, True):
    proposals("generate_proposals_v2", "pixels" if pixels else "plain", [70, 64], pixel_offset=pixels)
    proposals("generate_proposals_v2", "images_" + ("pixels" if pixels else "plain"), [70, 64], 2, RNG.uniform(0.5, 1.5, (4, 5, 3, 4)).astype(np.float32), pixel_offset=pixels)
proposals("generate_proposals_v2", "few", [70, 64], post_nms_topN=3, pre_nms_topN=8, pixel_offset=False, unknown={"Scores": (2, 3), "BboxDeltas": (2, 3), "Anchors": (0, 1), "Variances": (0, 1)})
proposals("generate_proposals", "plain", [70, 64, 1])
proposals("generate_proposals", "scaled", [70, 64, 2])

LEVELS = {"min_level": 2, "max_level": 5, "refer_level": 4, "refer_scale": 40}
SPREAD = np.concatenate([boxes(6), boxes(6) * 3, boxes(6) / 4, np.array([[3, 3, 2, 2], [0, 0, 20, 20], [0, 0, 10, 10], [0, 0, 40, 40], [0, 0, 200, 90]], np.float32)])
for pixels in (False, True):
    case("distribute_fpn_proposals", "pixels" if pixels else "plain", unknown={"FpnRois": (0,)}, more={"more": {"FpnRois": SPREAD[1:], "RoisNum": np.array([5, 17], np.int32)}}, attrs={**LEVELS, "pixel_offset": pixels},
         outs={"MultiFpnRois": 4, "MultiLevelRoIsNum": ["int32"] * 4, "RestoreIndex": "int32"}, FpnRois=fed(values=SPREAD), RoisNum=fed(values=np.array([10, 13], np.int32)))
case("distribute_fpn_proposals", "one_image", attrs={**LEVELS, "pixel_offset": True}, outs={"MultiFpnRois": 4, "RestoreIndex": "int32"}, FpnRois=sequence(23, 4, values=SPREAD))
LEVELLED = scores(11)[:, None]
for variant, most in (("plain", 6), ("all", 11)):
    case("collect_fpn_proposals", variant, attrs={"post_nms_topN": most}, outs={"RoisNum": "int32"}, MultiLevelRois=[fed(values=boxes(5)), fed(values=boxes(6))], MultiLevelScores=[fed(values=LEVELLED[:5]), fed(values=LEVELLED[5:])],
         MultiLevelRoIsNum=[fed(values=np.array([2, 3], np.int32)), fed(values=np.array([5, 1], np.int32))])

ROIS, NUMBERS = boxes(6, 20.0), np.array([2, 0, 4], np.int32)
for variant, more in (("aligned", {"aligned": True}), ("plain", {"aligned": False}), ("sampled", {"aligned": True, "sampling_ratio": 2}), ("scaled", {"aligned": False, "spatial_scale": 0.25, "sampling_ratio": 3})):
    case("roi_align", variant, unknown={"X": (0, 2, 3), "ROIs": (0,), "RoisNum": (0,)}, attrs={"pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5, "sampling_ratio": -1, **more}, X=fed(3, 2, 12, 14), ROIs=fed(values=ROIS),
         RoisNum=fed(values=NUMBERS))
case("roi_align", "one_image", attrs={"pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5, "sampling_ratio": -1, "aligned": True}, X=fed(1, 2, 12, 14), ROIs=sequence(6, 4, values=ROIS))
case("roi_pool", "plain", attrs={"pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5}, take=[0], X=fed(3, 2, 12, 14), ROIs=fed(values=ROIS), RoisNum=fed(values=NUMBERS))
case("psroi_pool", "plain", attrs={"output_channels": 2, "pooled_height": 3, "pooled_width": 3, "spatial_scale": 0.5}, X=fed(3, 18, 12, 14), ROIs=fed(values=ROIS), RoisNum=fed(values=NUMBERS))
