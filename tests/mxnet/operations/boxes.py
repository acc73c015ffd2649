"""Boxes of detectors."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case


def boxes(*shape, seed=3, width=0.4):
    """Corners."""
    rng = np.random.default_rng(seed)
    low = rng.uniform(0, 0.6, (*shape, 2))
    return np.concatenate([low, low + rng.uniform(0.1, width, (*shape, 2))], -1).astype(np.float32)


def scored(count, classes, seed=5, batch=2):
    """Class, score, corners; some scores are low, and no two are equal."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1 if classes < 0 else 0, abs(classes), (batch, count, 1))
    scores = rng.permutation(batch * count).reshape(batch, count, 1) / (batch * count) * 0.98 + 0.01
    return np.concatenate([labels, scores, boxes(batch, count, seed=seed, width=0.5)], -1).astype(np.float32)


NMS = (("", {"overlap_thresh": 0.3}), ("valid", {"overlap_thresh": 0.4, "valid_thresh": 0.3, "id_index": 0}), ("topk", {"overlap_thresh": 0.5, "topk": 5, "id_index": 0}),
       ("force", {"overlap_thresh": 0.4, "id_index": 0, "force_suppress": True}), ("background", {"overlap_thresh": 0.4, "id_index": 0, "background_id": 0}),
       ("center", {"overlap_thresh": 0.3, "in_format": "center"}), ("to_center", {"overlap_thresh": 0.3, "out_format": "center"}), ("never", {"overlap_thresh": 1, "id_index": 0}),
       ("topk_valid", {"overlap_thresh": 0.45, "valid_thresh": 0.2, "topk": 8}))
for variant, attrs in NMS:
    case("_contrib_box_nms", variant, unknown=(0, 1) if variant in ("", "valid", "topk") else (), attrs=attrs, take=(0,), data=fed(values=scored(12, 3)))
case("_contrib_box_nms", "ids_below_zero", attrs={"overlap_thresh": 0.4, "id_index": 0, "background_id": -1}, take=(0,), data=fed(values=scored(12, -3)))
case("_contrib_box_nms", "one_image", attrs={"overlap_thresh": 0.3, "coord_start": 1, "score_index": 0}, take=(0,), data=fed(values=scored(9, 3, batch=1)[0, :, 1:]))
case("_contrib_box_nms", "deep", attrs={"overlap_thresh": 0.3}, take=(0,), data=fed(values=np.stack([scored(6, 2), scored(6, 2, seed=8)])))
case("_contrib_box_nms", "more_columns", attrs={"overlap_thresh": 0.3, "coord_start": 2, "score_index": 1, "id_index": 0}, take=(0,),
     data=fed(values=np.concatenate([scored(8, 3), np.arange(48).reshape(2, 8, 3)], -1).astype(np.float32)))
for variant, attrs in (("corner", {"format": "corner"}), ("center", {}), ("std", {"std0": 0.1, "std1": 0.1, "std2": 0.2, "std3": 0.2, "format": "corner"}), ("clip", {"clip": 0.3, "format": "center"})):
    case("_contrib_box_decode", variant, unknown={"data": (0, 1), "anchors": (1,)} if variant == "corner" else (), attrs=attrs, data=fed(2, 5, 4), anchors=fed(values=boxes(1, 5)))
case("_contrib_box_iou", unknown={"lhs": (0,)}, lhs=fed(values=boxes(4)), rhs=fed(values=boxes(3, seed=9)))
case("_contrib_box_iou", "center", attrs={"format": "center"}, lhs=fed(values=boxes(2, 4)), rhs=fed(values=boxes(3, seed=9)))
PRIORS = (("", {"sizes": (0.5, 0.25), "ratios": (1, 2, 0.5)}), ("clip", {"sizes": (0.9,), "ratios": (1, 3), "clip": True}), ("steps", {"sizes": (0.2, 0.3), "steps": (0.25, 0.2), "offsets": (0.4, 0.6)}),
          ("usual", {}), ("wide_first", {"sizes": (0.5, 0.25), "ratios": (2, 1)}))
for variant, attrs in PRIORS:
    case("_contrib_MultiBoxPrior", variant, unknown=(0, 2) if variant in ("", "clip") else (), attrs=attrs, data=fed(1, 3, 4, 6))


def detected(boxes_count, classes, batch=2, seed=11):
    rng = np.random.default_rng(seed)
    scores = rng.permutation(batch * classes * boxes_count).reshape(batch, classes, boxes_count).astype(np.float32) + 1
    return scores / scores.sum(1, keepdims=True), rng.uniform(-0.5, 0.5, (batch, boxes_count * 4)).astype(np.float32)


DETECTIONS = (("", {}), ("threshold", {"threshold": 0.4, "nms_threshold": 0.3}), ("force", {"force_suppress": True, "nms_threshold": 0.3}), ("topk", {"nms_topk": 6}),
              ("variances", {"variances": (0.2, 0.2, 0.1, 0.1), "clip": False}), ("background", {"background_id": 1}), ("never", {"nms_threshold": 1.5}))
for variant, attrs in DETECTIONS:
    scores, places = detected(10, 3)
    case("_contrib_MultiBoxDetection", variant, attrs=attrs, cls_prob=fed(values=scores), loc_pred=fed(values=places), anchor=fed(values=boxes(1, 10)))


@family.graph("contrib_MultiBoxDetection_trained")
def trained_detection(b):
    """As MXNet's own SSD is trained: the boxes are an output that gives no gradient."""
    scores, places = detected(10, 3)
    found = b.op("_contrib_MultiBoxDetection", b.fed("cls_prob", fed(values=scores)), b.fed("loc_pred", fed(values=places)), b.fixed(boxes(1, 10), "anchors"), name="detection")
    return [b.op("MakeLoss", found, attrs={"grad_scale": 0}, name="det_out")]


def proposed(batch=1, anchors=3, height=4, width=5, seed=21):
    rng = np.random.default_rng(seed)
    scores = rng.permutation(batch * 2 * anchors * height * width).reshape(batch, 2 * anchors, height, width) / (batch * 2 * anchors * height * width)
    return fed(values=scores.astype(np.float32)), fed(values=rng.uniform(-0.4, 0.4, (batch, 4 * anchors, height, width)).astype(np.float32)), fed(values=[[64.0, 80, 1]] * batch)


PROPOSALS = (("", {"scales": (2,), "ratios": (0.5, 1, 2), "rpn_post_nms_top_n": 12, "rpn_min_size": 4}), ("few", {"scales": (1, 2, 4), "ratios": (1,), "rpn_pre_nms_top_n": 20, "rpn_post_nms_top_n": 30, "threshold": 0.3}),
             ("scores", {"scales": (2,), "ratios": (0.5, 1, 2), "rpn_post_nms_top_n": 10, "output_score": True, "rpn_min_size": 1}), ("iou", {"scales": (2,), "ratios": (0.5, 1, 2), "rpn_post_nms_top_n": 8, "iou_loss": True, "rpn_min_size": 1}))
for kind in ("_contrib_Proposal", "_contrib_MultiProposal"):
    for variant, attrs in PROPOSALS:
        scores, places, image = proposed(2 if kind == "_contrib_MultiProposal" else 1)
        case(kind, variant, attrs=attrs, take=(0, 1) if variant == "scores" else (0,), cls_prob=scores, bbox_pred=places, im_info=image)
ROIS = [[0, 1.2, 2, 11.7, 13], [1, 0, 0, 15, 15], [0, 6, 3, 9.5, 8.5], [1, 5.5, 4.5, 6, 5.2]]
for variant, attrs in (("", {"pooled_size": (3, 4), "spatial_scale": 0.5}), ("whole", {"pooled_size": (2, 2), "spatial_scale": 1.0})):
    case("ROIPooling", variant, unknown={"rois": (0,)} if not variant else (), attrs=attrs, take=(0,), data=fed(2, 3, 8, 9), rois=fed(values=ROIS))
for variant, attrs in (("", {"pooled_size": (3, 4), "spatial_scale": 0.5, "sample_ratio": 2}), ("adaptive", {"pooled_size": (2, 3), "spatial_scale": 0.5}), ("aligned", {"pooled_size": (3, 3), "spatial_scale": 0.5, "sample_ratio": 2, "aligned": True})):
    case("_contrib_ROIAlign", variant, unknown={"rois": (0,)} if not variant else (), attrs=attrs, data=fed(2, 3, 8, 9), rois=fed(values=ROIS))
case("_contrib_ROIAlign", "position_sensitive", attrs={"pooled_size": (2, 2), "spatial_scale": 0.5, "sample_ratio": 2, "position_sensitive": True}, data=fed(2, 8, 8, 9), rois=fed(values=ROIS))
case("_contrib_PSROIPooling", attrs={"spatial_scale": 0.5, "output_dim": 2, "pooled_size": 3}, data=fed(2, 18, 8, 9), rois=fed(values=ROIS))
case("_contrib_PSROIPooling", "group", attrs={"spatial_scale": 0.5, "output_dim": 2, "pooled_size": 4, "group_size": 2}, data=fed(2, 8, 8, 9), rois=fed(values=ROIS))
case("_contrib_DeformablePSROIPooling", attrs={"spatial_scale": 0.5, "output_dim": 2, "group_size": 3, "pooled_size": 3, "sample_per_part": 2, "trans_std": 0.1}, take=(0,),
     data=fed(2, 18, 8, 9), rois=fed(values=ROIS), trans=fed(4, 2, 3, 3))
case("_contrib_DeformablePSROIPooling", "alone", attrs={"spatial_scale": 0.5, "output_dim": 2, "group_size": 3, "pooled_size": 3, "sample_per_part": 2, "no_trans": True}, take=(0,),
     data=fed(2, 18, 8, 9), rois=fed(values=ROIS))
for variant, attrs, shape in (("", {"threshold": 0.2}, (2, 3, 4)), ("wide", {"threshold": 0.1}, (2, 5, 3)), ("least", {"threshold": 0.7, "is_ascend": True}, (2, 4, 4)), ("topk", {"threshold": 0.01, "topk": 1}, (3, 4, 5)),
                              ("none", {"threshold": 2}, (1, 3, 4)), ("one_image", {"threshold": 0.3}, (4, 6)), ("deep", {"threshold": 0.3}, (2, 2, 3, 4))):
    case("_contrib_bipartite_matching", variant, unknown=(0, 1) if variant in ("", "wide") else (), attrs=attrs, take=(0, 1), data=fed(*shape, low=0))


for variant, samples in (("", [[1, 0, 1], [0, 1, 1]]), ("none", [[0, 0, -1], [0, 0, 0]])):
    case("_contrib_box_encode", variant, take=(0, 1), samples=fed(values=np.float32(samples)), matches=fed(values=[[1.0, 0, 0], [1, 1, 0]]), anchors=fed(values=boxes(2, 3)), refs=fed(values=boxes(2, 2, seed=9)), means=fed(values=[0, 0.1, 0, 0.2]),
         stds=fed(values=[0.1, 0.1, 0.2, 0.2]))
TURNED = [[0, 8, 7, 6, 5, 30], [1, 4, 4, 10, 3, -45], [0, 15, 15, 8, 8, 90], [1, 6, 9, 0.5, 0.3, 10], [0, 2, 2, 12, 12, 200]]
for variant, attrs in (("", {"pooled_size": (2, 3), "spatial_scale": 0.5, "sampling_ratio": 2}), ("adaptive", {"pooled_size": (3, 3), "spatial_scale": 0.5}), ("whole", {"pooled_size": (2, 2), "spatial_scale": 1.0, "sampling_ratio": 1})):
    case("_contrib_RROIAlign", variant, unknown={"rois": (0,)} if not variant else (), attrs=attrs, data=fed(2, 3, 8, 9), rois=fed(values=np.float32(TURNED)))
