"""Resizing, crops, boxes."""
import numpy as np

from graphs import Family, fed

family = Family(__name__)
case = family.case

FLAGS = {"plain": {}, "align_corners": {"align_corners": True}, "half_pixel": {"half_pixel_centers": True}}
for kind in ("ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic"):
    for variant, flags in FLAGS.items():
        case(kind, variant, unknown=(0, 1, 2) if variant == "half_pixel" else (), images=fed(1, 4, 5, 3), size=[7, 9], **flags)
        case(kind, variant + "_smaller", images=fed(1, 7, 9, 2), size=[4, 5], **flags)
case("ResizeBilinear", "twice", unknown=(0,), images=fed(1, 3, 4, 2), size=[6, 8], half_pixel_centers=True)
case("ResizeBilinear", "uint8", images=fed(1, 3, 4, 2, dtype=np.uint8, low=0, high=255), size=[6, 8])
case("ResizeNearestNeighbor", "int32", images=fed(1, 3, 4, 2, dtype=np.int32, low=0, high=255), size=[6, 8])
case("ResizeArea", images=fed(1, 6, 6, 2), size=[3, 3])
BOXES = [[0.1, 0.2, 0.8, 0.9], [0.0, 0.0, 1.0, 1.0], [0.9, 0.1, 0.2, 0.7]]
for method in ("bilinear", "nearest"):
    case("CropAndResize", method, image=fed(2, 8, 8, 3), boxes=fed(values=BOXES), box_ind=fed(values=[0, 1, 0], dtype=np.int32), crop_size=[4, 3], method=method)
case("CropAndResize", "outside", image=fed(1, 6, 6, 1), boxes=fed(values=[[-0.5, -0.5, 1.5, 1.2]]), box_ind=fed(values=[0], dtype=np.int32), crop_size=[5, 5], extrapolation_value=2.0)
CORNERS = [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]]
SCORES = [0.9, 0.75, 0.6, 0.95, 0.5, 0.3]


def suppress(kind, variant="", take=None, **more):
    case(kind, variant, take=take, boxes=fed(values=CORNERS), scores=fed(values=SCORES), max_output_size=3, iou_threshold=0.5, **more)


case("NonMaxSuppression", boxes=fed(values=CORNERS), scores=fed(values=SCORES), max_output_size=3, iou_threshold=0.5)
suppress("NonMaxSuppressionV2")
suppress("NonMaxSuppressionV3", score_threshold=0.0)
suppress("NonMaxSuppressionV3", "threshold", score_threshold=0.92)
suppress("NonMaxSuppressionV4", take=[0, 1], score_threshold=0.4)
suppress("NonMaxSuppressionV4", "padded", take=[0, 1], score_threshold=0.92, pad_to_max_output_size=True)
suppress("NonMaxSuppressionV5", take=[0, 1, 2], score_threshold=0.4, soft_nms_sigma=0.0)
suppress("NonMaxSuppressionV5", "soft", take=[0, 1], score_threshold=0.0, soft_nms_sigma=0.5)
for clip in (True, False):
    case("CombinedNonMaxSuppression", "clipped" if clip else "not_clipped", take=[0, 1, 2, 3], boxes=fed(1, 6, 1, 4, values=np.array([[[box] for box in CORNERS]]) / 12),
         scores=fed(values=[[[score, 1 - score] for score in SCORES]]), max_output_size_per_class=3, max_total_size=4, iou_threshold=0.5, score_threshold=0.2, clip_boxes=clip)
case("AdjustContrastv2", images=fed(1, 3, 3, 3), contrast_factor=1.5)
case("HSVToRGB", images=fed(1, 2, 2, 3, low=0, high=1))
case("RGBToHSV", images=fed(1, 2, 2, 3, low=0, high=1))
case("AdjustHue", unknown=(0, 1), images=fed(2, 3, 3, 3, low=0, high=1), delta=0.3)
case("AdjustHue", "back", images=fed(3, 3, 3, low=0, high=1), delta=fed(values=-0.4))
case("AdjustSaturation", unknown=(0, 1), images=fed(2, 3, 3, 3, low=0, high=1), scale=1.7)
case("AdjustSaturation", "less", images=fed(3, 3, 3, low=0, high=1), scale=fed(values=0.4))


def contrast(images, contrast_factor, min_value, max_value):
    import tensorflow as tf
    return tf.clip_by_value(tf.raw_ops.AdjustContrastv2(images=images, contrast_factor=contrast_factor), min_value, max_value)


family.old("AdjustContrast", "", contrast, images=fed(1, 3, 3, 3), contrast_factor=1.5, min_value=-0.6, max_value=0.8)
for kernel in ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic"):
    case("ScaleAndTranslate", kernel, images=fed(1, 7, 9, 2), size=[5, 12], scale=[5 / 7, 12 / 9], translation=[0.0, 0.0], kernel_type=kernel)
case("ScaleAndTranslate", "shifted", unknown=(0, 1, 2), images=fed(1, 6, 6, 2), size=[8, 7], scale=fed(values=[0.8, 1.5]), translation=fed(values=[1.2, -0.7]), kernel_type="triangle", antialias=False)
case("ScaleAndTranslate", "uint8", images=fed(1, 6, 6, 2, dtype=np.uint8, low=0, high=255), size=[3, 3], scale=[0.5, 0.5], translation=[0.0, 0.0], kernel_type="keyscubic")

# Turned, shifted, stretched and in perspective; many places of the results lie outside.
TURNED = [0.8, -0.6, 1.3, 0.6, 0.8, -2.2, 0, 0]
SHIFTED = [1, 0, -13.25, 0, 1, 17.5, 0, 0]
DEEP = [0.9, 0.2, -1, 0.1, 1.2, 0.4, 0.02, -0.03]
for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST"):
    for interpolation in ("NEAREST", "BILINEAR"):
        case("ImageProjectiveTransformV3", f"{mode}_{interpolation}", unknown=(1, 2) if interpolation == "BILINEAR" else (), images=fed(3, 6, 7, 2), transforms=np.float32([TURNED, SHIFTED, DEEP]),
             output_shape=[5, 8], fill_value=0.5, interpolation=interpolation, fill_mode=mode)
case("ImageProjectiveTransformV2", unknown=(0,), images=fed(2, 6, 7, 2), transforms=np.float32([TURNED]), output_shape=[6, 7], interpolation="BILINEAR")
case("ImageProjectiveTransformV3", "uint8", images=fed(1, 6, 7, 2, dtype=np.uint8, low=0, high=255), transforms=np.float32([TURNED]), output_shape=[6, 7], fill_value=3.0, interpolation="NEAREST")
