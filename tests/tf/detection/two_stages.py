"""Models of two stages, frozen by TensorFlow 1: Faster R-CNN, Mask R-CNN and R-FCN, with the names of each release."""
import dataclasses

import numpy as np
import tensorflow as tf

from .parts import CLASSES, OUTPUTS, conv, decode, named_outputs, numbers, picture, run_frozen, suppress, tf1

TWO_STAGES = """model {
  faster_rcnn {
    num_classes: %(classes)d
    image_resizer { keep_aspect_ratio_resizer { min_dimension: 64 max_dimension: 80 } }
    feature_extractor { type: "faster_rcnn_tiny" first_stage_features_stride: 16 }
    first_stage_anchor_generator {
      grid_anchor_generator {
        scales: [0.25, 0.5]
        aspect_ratios: [0.5, 1.0]
        height: 64
        width: 64
        height_stride: 16
        width_stride: 16
      }
    }
    first_stage_nms_score_threshold: 0.0
    first_stage_nms_iou_threshold: 0.7
    first_stage_max_proposals: %(proposals)d
    initial_crop_size: 4
    maxpool_kernel_size: 2
    maxpool_stride: 2
    second_stage_box_predictor { %(predictor)s }
    second_stage_post_processing {
      batch_non_max_suppression { score_threshold: 0.3 iou_threshold: 0.6 max_detections_per_class: 20 max_total_detections: 12 }
      score_converter: %(converter)s
    }
  }
}
"""
PROPOSALS, CROP, KEPT = 10, 4, 12
MEAN = np.array([123.68, 116.779, 103.939], np.float32)


def grid_anchors(grid):
    """Anchors of grid_anchor_generator, in pixels: all scales for each ratio, around the corners of the cells."""
    rows, columns = tf.cast(tf.shape(grid)[1], tf.float32), tf.cast(tf.shape(grid)[2], tf.float32)
    y, x = tf.meshgrid(tf.range(rows) * 16.0, tf.range(columns) * 16.0, indexing="ij")
    centers = tf.reshape(tf.stack([y, x], -1), [-1, 1, 2])
    half = tf.constant(np.array([(64 * scale / ratio ** 0.5 / 2, 64 * scale * ratio ** 0.5 / 2) for ratio in (0.5, 1.0) for scale in (0.25, 0.5)], np.float32)[None])
    return tf.identity(tf.reshape(tf.concat([centers - half, centers + half], -1), [-1, 4]), name="Identity")


def in_window(boxes):
    return tf.stack([tf.clip_by_value(boxes[:, at], 0.0, [64.0, 80.0][at % 2]) for at in range(4)], 1)


def features(images):
    """A grid of a sixteenth of the image."""
    with tf.name_scope("FirstStageFeatureExtractor"):
        return tf.nn.relu(conv("Conv_1", tf.nn.relu(conv("Conv_0", tf.ensure_shape(images, [1, None, None, 3]) / 128.0, 8, 4, 5)), 16, 4, 3))


def first_boxes(grid, concat, reach=1.0):
    """The first stage's boxes in pixels, [n, 4], and its logits [1, n, 2]. `concat`: the nodes behind the predictor, if it has such."""
    with tf.name_scope("FirstStageBoxPredictor"):
        found = [tf.reshape(conv("BoxEncodingPredictor", grid, 16, scale=1.5 * reach), [1, -1, 1, 4], name="Reshape")]
        found.append(tf.reshape(conv("ClassPredictor", grid, 8, scale=3.0), [1, -1, 2], name="Reshape_1"))
    for at, name in enumerate(concat):
        with tf.name_scope(name.rpartition("/")[0]):
            found[at] = tf.identity(found[at], name=name.rpartition("/")[2])
    with tf.name_scope("GridAnchorGenerator"):
        anchors = grid_anchors(grid)
    with tf.name_scope("ClipToWindow"):
        anchors = in_window(anchors)
    return decode(tf.reshape(found[0], [-1, 4]), anchors), found[1]


def first_stage(grid, shape, release):
    """Normalised proposals [1, P, 4]."""
    def one(args):
        found, scores = args
        least = float("-inf")
        if release.clip_first:  # what is outside the image is no proposal
            found, least = in_window(found), 0.0
            scores = tf.where((found[:, 2] > found[:, 0]) & (found[:, 3] > found[:, 1]), scores, -1.0)
        kept = tf.image.non_max_suppression(found, scores, PROPOSALS, 0.7, least)
        kept_boxes = tf.gather(found, kept)
        clipped = in_window(kept_boxes)
        parts = (clipped, tf.gather(scores, kept), kept_boxes, scores, found, tf.size(kept))
        return parts[:release.parts - 2] + parts[-2:]

    boxes, logits = first_boxes(grid, release.concat, release.reach)
    with tf.name_scope("BatchMultiClassNonMaxSuppression"):
        found = tf1.map_fn(one, (boxes[tf.newaxis], tf.nn.softmax(logits)[:, :, 1]), dtype=(tf.float32,) * (release.parts - 1) + (tf.int32,), name="map")
    size = tf.cast(tf.stack([shape[1], shape[2]] * 2), tf.float32)
    proposals = tf1.map_fn(lambda image: image / size, found[0], name="map")
    tf1.map_fn(lambda image: image / size, found[-2], name=release.raw_boxes)
    return proposals


def crops(name, grid, boxes, in_scope=True):
    """<name>/CropAndResize, or <name> alone."""
    with tf.name_scope(name if in_scope else ""):
        shape = tf.shape(boxes, name="Shape")
        images = tf.reshape(tf.tile(tf.expand_dims(tf.range(shape[0]), 1), tf.stack([1, shape[1]])), [-1], name="Reshape_2")
        images += tf.shape(grid, name="Shape_1")[3] * 0
        found = tf.image.crop_and_resize(grid, tf.reshape(boxes, [-1, 4], name="Reshape"), images, [CROP, CROP], name="CropAndResize" if in_scope else name)
    return tf.ensure_shape(found, [None, CROP, CROP, grid.shape[-1]])


def dense(name, x, outputs, scale):
    with tf.name_scope(name):
        product = tf.matmul(x, tf.constant(numbers(name, (int(x.shape[-1]), outputs), scale * (3.0 / int(x.shape[-1])) ** 0.5), name="weights"), name="MatMul")
        return tf.nn.bias_add(product, tf.constant(numbers(name + "/biases", (outputs,), 0.2), name="biases"), name="BiasAdd")


def second_boxes(boxes, logits, proposals, shapes, converter, scopes, names):
    """Boxes [1, P, classes or 1, 4] and scores [1, P, classes]. `names`: of the nodes that take offsets, logits, proposals and image sizes; `scopes`: of both parts."""
    classes = boxes.shape[1]
    with tf.name_scope(scopes[0]):
        boxes = tf.reshape(boxes, [1, PROPOSALS, classes, 4], name=names[0])
        logits = tf.reshape(logits, [1, PROPOSALS, CLASSES + 1], name=names[1])
    with tf.name_scope(scopes[1]):
        window = tf.reduce_max(tf.cast(shapes, tf.float32, name=names[3])) * 0.0 + 1.0
        anchors = tf.tile(tf.expand_dims(proposals, 2, name=names[2]), [1, 1, classes, 1])
        decoded = tf.reshape(decode(tf.reshape(boxes, [-1, 4]), tf.reshape(anchors, [-1, 4])) * window, [1, PROPOSALS, classes, 4])
        return decoded, (tf.nn.softmax if converter == "SOFTMAX" else tf.sigmoid)(logits)[:, :, 1:]


def second_stage(boxes, logits, proposals, shapes, masks, release, converter):
    """Scope SecondStagePostprocessor; where masks follow, the names of their graphs."""
    def one(args):
        return suppress(*args, 0.6, 0.3, KEPT, release.clip_first)

    scope = "" if masks else "SecondStagePostprocessor/"
    names = ("Reshape", "Reshape_1", release.mask_proposals if masks else "ExpandDims", release.mask_sizes)
    found = second_boxes(boxes, logits, proposals, shapes, converter, (scope or "SecondStage/", scope), names)
    with tf.name_scope(scope):
        with tf.name_scope("BatchMultiClassNonMaxSuppression" + ("_1" if masks else "")):
            return tf1.map_fn(one, found, dtype=(tf.float32,) * 4, name="map")


BINS = 3


def position_sensitive(name, grid, boxes, outputs):
    """Crops of a group of channels for each part of a box, and their mean: [1, P, outputs]."""
    def one(args):
        image, own = args
        ymin, xmin, ymax, xmax = tf.unstack(own, axis=1)
        step_y, step_x = (ymax - ymin) / BINS, (xmax - xmin) / BINS
        parts = []
        for at, group in enumerate(tf.split(image, BINS * BINS, axis=2)):
            y, x = divmod(at, BINS)
            part = tf.stack([ymin + y * step_y, xmin + x * step_x, ymin + (y + 1) * step_y, xmin + (x + 1) * step_x], 1)
            cut = tf.image.crop_and_resize(group[tf.newaxis], part, tf.zeros(tf.shape(own)[0], tf.int32), [2, 2])
            parts.append(tf.reduce_mean(cut, [1, 2], keepdims=True))
        return tf.add_n(parts) / float(BINS * BINS)

    found = tf1.map_fn(one, (grid, boxes), dtype=tf.float32, name=name)
    return tf.squeeze(tf.ensure_shape(found, [1, PROPOSALS, 1, 1, outputs]), [2, 3])


def predict_by_crops(grid, proposals, reach=1.0):
    """The second stage's offsets and logits in an R-FCN."""
    with tf.name_scope("SecondStageBoxPredictor"):
        locations = conv("refined_locations", grid, BINS * BINS * CLASSES * 4, scale=reach)
        predictions = conv("class_predictions", grid, BINS * BINS * (CLASSES + 1), scale=3.0)
        boxes = position_sensitive("map", locations, proposals, CLASSES * 4)
        logits = position_sensitive("map_1", predictions, proposals, CLASSES + 1)
        return tf.reshape(boxes, [-1, CLASSES, 4]), tf.reshape(logits, [-1, CLASSES + 1])


def predict_by_layers(grid, proposals, reach=1.0, classes=CLASSES):
    """The second stage's offsets and logits in a Faster R-CNN. `classes`: 1 where all share a box."""
    pooled = tf.nn.max_pool2d(crops("CropAndResize", grid, proposals), 2, 2, "SAME")
    flat = tf.reshape(pooled, [-1, 2 * 2 * 16])
    with tf.name_scope("SecondStageBoxPredictor"):
        boxes = tf.reshape(dense("BoxEncodingPredictor", flat, classes * 4, reach), [-1, classes, 4], name="Reshape")
        return boxes, tf.reshape(dense("ClassPredictor", flat, CLASSES + 1, 3.0), [-1, CLASSES + 1], name="Reshape_1")


@dataclasses.dataclass
class Release:
    """What a release of the Object Detection API calls the nodes that configurations name, and when it clips boxes."""
    parts: int  # number of results of the first stage's suppression; the last result is the number of proposals
    raw_boxes: str  # the loop over the boxes before suppression
    concat: tuple = ("concat", "concat_1")  # the first stage's offsets and logits
    clip_first: bool = False  # before suppression
    reach: float = 1.0  # of boxes from their anchors; larger where boxes are clipped first, so that more of them cross the image's border
    mask_proposals: str = "ExpandDims_6"  # a Mask R-CNN's proposals and sizes in the second stage
    mask_sizes: str = "ToFloat_6"
    crops_in_scope: bool = True  # the crops of masks, and the Reshape behind them
    crops_end: str = "Reshape_10"


RELEASES = {
    "": Release(5, "map_1", (), True, 3.0, "ExpandDims_7", crops_in_scope=False),
    "1.7": Release(5, "map_1", clip_first=True, reach=3.0, mask_proposals="ExpandDims_7", crops_in_scope=False),
    "1.10": Release(5, "map_1"),
    "1.11": Release(5, "map_1"),
    "1.13": Release(5, "map_2", mask_sizes="ToFloat_3", crops_end="Reshape_15"),
    "1.14": Release(6, "map_2", mask_sizes="Cast_5"),
    "1.15": Release(6, "map_2", ("concat/concat", "concat_1/concat"), mask_sizes="Cast_5"),
}
LAYERS = "mask_rcnn_box_predictor { use_dropout: false fc_hyperparams { op: FC } %s}"


def pipeline(predictor=LAYERS % "", converter="SOFTMAX"):
    return TWO_STAGES % {"classes": CLASSES, "proposals": PROPOSALS, "predictor": predictor, "converter": converter}


def two_stages(folder, name, config, release, predict=predict_by_layers, predictor=LAYERS % "", masks=False, converter="SOFTMAX"):
    """A model of two stages of TensorFlow 1."""
    tf1.disable_control_flow_v2()
    release = RELEASES[release]

    def resize(image):
        return tf.squeeze(tf1.image.resize_bilinear(tf.expand_dims(image, 0), tf.shape(image)[:2] * 0 + [64, 80], name="ResizeBilinear"), [0]), tf.constant([64, 80, 3])

    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.uint8, [None, None, None, 3], name="image_tensor")
        with tf1.name_scope("Preprocessor"):
            resized, shapes = tf1.map_fn(resize, tf.cast(images, tf.float32, name="Cast"), dtype=(tf.float32, tf.int32), name="map")
            resized = tf.subtract(resized, MEAN, name="sub")
        shape = tf.shape(resized, name="Shape")
        grid = features(resized)
        proposals = first_stage(grid, shape, release)
        boxes, logits = predict(grid, proposals, release.reach)
        results = second_stage(boxes, logits, proposals, shapes, masks, release, converter)
        if masks:
            cut = crops("CropAndResize_1", grid, tf.ensure_shape(results[0], [1, KEPT, 4]), release.crops_in_scope)
            cut = tf.reshape(cut, [-1, CROP, CROP, 16], name=release.crops_end)
            with tf.name_scope("SecondStageBoxPredictor_1"):
                x = conv("Conv_3", tf.nn.relu(conv("Conv", cut, 8, 1, 3)), CLASSES)
            tf.sigmoid(x, name="detection_masks")
        named_outputs(results)
    image = picture("crossing 24" if release.clip_first else name, 64, 80, 4)  # in this one, boxes overlap more when they are clipped
    run_frozen(folder, graph, name, OUTPUTS + ["detection_masks"] * masks, pipeline(predictor, converter), config, {"image_tensor": image})
