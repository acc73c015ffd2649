"""Regions: proposals, their levels, pooling from one and several pictures."""
import numpy as np

from models import Family
from operations.detection import boxes, scores
from values import fed, fixed

family = Family(__name__)
case = family.case
GENERATE = {"pre_nms_topN": 30, "post_nms_topN": 8, "nms_thresh": 0.6, "min_size": 1.0, "eta": 1.0}
COUNT = {"RpnRoisNum": "int32"}


def maps(count, size=40.0):
    return {"Scores": fed(values=scores(count, 3, 4, 5)), "BboxDeltas": fed(count, 12, 4, 5, low=-0.5,
            high=0.5), "Anchors": fixed(values=boxes(4, 5, 3, size=size)), "Variances": fixed(4, 5, 3, 4, low=0.5, high=1)}


for offset in (True, False):
    for count in (1, 2):
        case("generate_proposals_v2", f"offset_{offset}_{count}", unknown={"Scores": (0,), "BboxDeltas": (0,), "ImShape": (0,)} if count == 2 else (), attrs={**GENERATE,
                "pixel_offset": offset}, outs=COUNT,
             ImShape=fed(values=[[40.0, 36.0], [30.0, 40.0]][:count]), **maps(count))
case("generate_proposals_v2", "few", attrs={**GENERATE, "pre_nms_topN": 10, "post_nms_topN": 100, "min_size": 5.0, "pixel_offset": False}, outs=COUNT, ImShape=fed(values=[[40.0,
        36.0]]), **maps(1))
case("generate_proposals", attrs=GENERATE, outs=COUNT, ImInfo=fed(values=[[40.0, 36.0, 1.0]]), **maps(1))
case("generate_proposals", "scaled", attrs={**GENERATE, "min_size": 3.0}, outs=COUNT, ImInfo=fed(values=[[40.0, 36.0, 2.0]]), **maps(1))
LEVELS = {"min_level": 2, "max_level": 5, "refer_level": 4, "refer_scale": 224}
for offset in (True, False):
    case("distribute_fpn_proposals", f"offset_{offset}", unknown={"FpnRois": (0,)}, attrs={**LEVELS, "pixel_offset": offset}, outs={"MultiFpnRois": 4, "RestoreIndex": "int32",
            "MultiLevelRoIsNum": ["int32"] * 4},
         FpnRois=fed(values=boxes(9, size=900.0)), RoisNum=fed(values=[9], dtype=np.int32),
         more={"more": {"FpnRois": boxes(7, size=900.0), "RoisNum": np.int32([7])}})
case("distribute_fpn_proposals", "two", attrs={**LEVELS, "pixel_offset": False}, outs={"MultiFpnRois": 4, "RestoreIndex": "int32",
        "MultiLevelRoIsNum": ["int32"] * 4}, FpnRois=fed(values=boxes(9, size=900.0)),
     RoisNum=fed(values=[4, 5], dtype=np.int32))
ONE = fed(values=[4], dtype=np.int32)
TWO = fed(values=[2, 2], dtype=np.int32)
for variant, counts in (("one", (ONE, ONE)), ("two", (TWO, TWO))):
    case("collect_fpn_proposals", variant, attrs={"post_nms_topN": 5}, outs={"RoisNum": "int32"}, MultiLevelRois=[fed(values=boxes(4)), fed(values=boxes(4, seed=5))],
         MultiLevelScores=[fed(values=scores(8)[:4, None]), fed(values=scores(8)[4:, None])], MultiLevelRoIsNum=list(counts))
POOL = {"pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5}
ROIS = {"one": (1, [5]), "two": (2, [2, 3]), "three": (3, [1, 0, 4])}
for variant, (count, numbers) in ROIS.items():
    rois = {"ROIs": fed(values=boxes(5, size=16.0)), "RoisNum": fed(values=numbers, dtype=np.int32)}
    open_ones = {"X": (0, 2, 3), "ROIs": (0,), "RoisNum": (0,)}
    for name, attrs in (("plain", {"sampling_ratio": 2, "aligned": False}), ("aligned", {"sampling_ratio": 2, "aligned": True}), ("adaptive",
            {"sampling_ratio": -1,
                    "aligned": True}), ("adaptive_old",
                            {"sampling_ratio": -1,
                                    "aligned": False})):
        case("roi_align", f"{name}_{variant}", attrs={**POOL, **attrs}, X=fed(count, 3, 8, 9), **rois)
    case("roi_pool", variant, attrs=POOL, X=fed(count, 3, 8, 9), **rois)
    case("psroi_pool", variant, attrs={**POOL, "output_channels": 2}, X=fed(count, 12, 8, 9), **rois)
case("roi_align", "unknown", attrs={**POOL, "sampling_ratio": 2, "aligned": True}, unknown={"X": (2, 3), "ROIs": (0,)}, X=fed(1, 3, 8,
        9), ROIs=fed(values=boxes(5,
                size=16.0)), RoisNum=fed(values=[5], dtype=np.int32),
     more={"more": {"ROIs": boxes(3, size=16.0), "RoisNum": np.int32([3])}})


@family.graph("pyramid")
def pyramid(b):
    """Regions go to their levels, are pooled there, and come back in order."""
    ops = b.paddle.vision.ops
    maps = [b.fed(f"map{at}", fed(1, 2, size, size)) for at, size in enumerate((32, 16))]
    rois, number = b.fed("rois", fed(values=boxes(6, size=250.0))), b.fed("number", fed(values=[6], dtype=np.int32))
    levels, restore, counts = ops.distribute_fpn_proposals(rois, 2, 3, 3, 56, rois_num=number)
    pooled = [ops.roi_align(one, level, count, 2, 1 / stride, 2) for one, level, count, stride in zip(maps, levels, counts, (8, 16))]
    return [b.paddle.gather(b.paddle.concat(pooled, axis=0), b.paddle.reshape(restore, [-1]))]
