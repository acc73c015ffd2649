"""Detection models of the Object Detection API: tiny networks with the node names that the configurations rely on, seeded weights, and
TensorFlow's own decoding and suppression of boxes.

A case is a folder with pipeline.config and case.npz: the model, frozen or a SavedModel's one file, the image that is fed, and what TensorFlow
detects in it. The image has the size that the model resizes to. Each release of the Object Detection API has its own case: what differs are names
of nodes, and whether boxes are clipped before they are suppressed.
"""
import functools
import os
import shutil

import store

from .ssd import shared_heads, ssd_frozen, ssd_saved
from .standalone import automl, retinanet, ssd_toolbox
from .two_stages import LAYERS, predict_by_crops, predict_by_layers, two_stages
from .two_stages_saved import two_stages_saved

FOLDER = os.path.join(store.RECORDED, "detection")
FAMILIES = {
    "faster_rcnn": (("", "1.7", "1.10", "1.13", "1.14", "1.15"), {}),
    "mask_rcnn": (("", "1.7", "1.11", "1.13", "1.14", "1.15"), {"masks": True}),
    "rfcn": (("", "1.10", "1.13", "1.14"), {"predict": predict_by_crops, "predictor":
             "rfcn_box_predictor { num_spatial_bins_height: 3 num_spatial_bins_width: 3 crop_height: 6 crop_width: 6 }"}),
}


def releases():
    """The families of two stages in all their releases; the newest of TensorFlow 1 has the family's name alone."""
    for family, (numbers, options) in FAMILIES.items():
        for number in numbers:
            name = family if number == numbers[-1] else family + (f"_v{number}" if number else "_support")
            yield name, functools.partial(two_stages, config=f"{family}_support" + (f"_api_v{number}" if number else ""), release=number, **options)
        for number in ("2.0", "2.4") if family != "rfcn" else ():
            yield f"{family}_v{number}", functools.partial(two_stages_saved, config=f"{family}_support_api_v{number}", in_loop=number == "2.4", masks=family == "mask_rcnn")


MULTISCALE = functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]},
                               converter="SIGMOID", multiscale=True)
NEWEST = functools.partial(two_stages, config="faster_rcnn_support_api_v1.15", release="1.15")
CASES = {
    "ssd_support": functools.partial(ssd_frozen, config="ssd_support", cast="ToFloat", names={"logits": "Slice", "sizes": ["ToFloat"]}, converter="SIGMOID", clip_first=True),
    "ssd_v2_support": functools.partial(ssd_frozen, config="ssd_v2_support", cast="ToFloat", names={"logits": "scale_logits", "sizes": ["ToFloat"]}, before=True),
    "ssd_v1.14": functools.partial(ssd_frozen, config="ssd_support_api_v1.14", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast"]}, converter="SIGMOID"),
    "ssd_v1.15": functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]}),
    "ssd_no_background": functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]},
                                           converter="SIGMOID", more="add_background_class: false"),
    "ssd_multiscale": functools.partial(MULTISCALE, size=(32, 64), predict=shared_heads),
    "ssd_multiscale_own_heads": functools.partial(MULTISCALE, size=(32, 64)),
    "ssd_multiscale_parts_of_cells": functools.partial(MULTISCALE, predict=shared_heads),
    **dict(releases()),
    "faster_rcnn_shared_boxes": functools.partial(NEWEST, predict=functools.partial(predict_by_layers, classes=1), predictor=LAYERS % "share_box_across_classes: true "),
    "faster_rcnn_sigmoid": functools.partial(NEWEST, converter="SIGMOID"),
    "automl_efficientdet": automl,
    "retinanet": retinanet,
    "ssd_toolbox": functools.partial(ssd_toolbox, multihead=False),
    "ssd_toolbox_multihead": functools.partial(ssd_toolbox, multihead=True),
    "ssd_v2.0": functools.partial(ssd_saved, config="ssd_support_api_v2.0", in_loop=False, names={"logits": "scale_logits", "sizes": ["Cast_1"]}),
    "ssd_v2.4": functools.partial(ssd_saved, config="ssd_support_api_v2.4", in_loop=True, names={"logits": "scale_logits", "sizes": ["Cast", "Cast_1"], "raw": True}),
    "efficient_det_v2.0": functools.partial(ssd_saved, config="efficient_det_support_api_v2.0", in_loop=False, names={"logits": "scale_logits", "sizes": ["Cast_1"]}),
    "efficient_det_v2.4": functools.partial(ssd_saved, config="efficient_det_support_api_v2.4", in_loop=True, names={"logits": "scale_logits", "sizes": ["Cast_1"]}),
}


def recorders():
    return {name: functools.partial(record, name) for name in CASES}


def record(name):
    folder = os.path.join(FOLDER, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    CASES[name](folder, name)
    return folder
