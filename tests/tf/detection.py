"""Detection models of the Object Detection API: tiny networks with the node names that the configurations rely on, seeded weights, and
TensorFlow's own decoding and suppression of boxes.

A case is a folder with pipeline.config and case.npz: the model, frozen or a SavedModel's one file, the image that is fed, and what TensorFlow
detects in it. The image has the size that the model resizes to.
"""
import functools
import os
import shutil
import zlib

import numpy as np
import tensorflow as tf

import archive
import store

tf1 = tf.compat.v1
FOLDER = os.path.join(store.RECORDED, "detection")
CLASSES = 3


def numbers(name, shape, scale=1.0):
    return (np.random.default_rng(zlib.crc32(name.encode())).uniform(-1, 1, shape) * scale).astype(np.float32)


def conv(name, x, outputs, stride=1, side=1, scale=1.0):
    """A convolution and its bias: <name>/Conv2D, <name>/BiasAdd."""
    inputs = int(x.shape[-1])
    with tf.name_scope(name):
        weights = tf.constant(numbers(name + "/weights", (side, side, inputs, outputs), scale * (3.0 / (side * side * inputs)) ** 0.5), name="weights")
        x = tf.nn.conv2d(x, weights, [1, stride, stride, 1], "SAME", name="Conv2D")
        return tf.nn.bias_add(x, tf.constant(numbers(name + "/biases", (outputs,), 0.2), name="biases"), name="BiasAdd")


def features(images):
    """Two grids, of an eighth and a sixteenth of the image."""
    with tf.name_scope("FeatureExtractor"):
        x = tf.nn.relu(conv("Conv_0", images, 8, 4, 5))
        first = tf.nn.relu(conv("Conv_1", x, 16, 2, 3))
        return first, tf.nn.relu(conv("Conv_2", first, 16, 2, 3))


def decode(boxes, anchors, scales=(10.0, 10.0, 5.0, 5.0)):
    """faster_rcnn_box_coder: [n, 4] of offsets to anchors, all ymin, xmin, ymax, xmax."""
    with tf.name_scope("Decode"):
        ymin, xmin, ymax, xmax = tf.unstack(tf.transpose(anchors))
        height, width = ymax - ymin, xmax - xmin
        y, x = ymin + height / 2.0, xmin + width / 2.0
        ty, tx, th, tw = tf.unstack(tf.transpose(boxes))
        y, x = ty / scales[0] * height + y, tx / scales[1] * width + x
        h, w = tf.exp(th / scales[2]) * height, tf.exp(tw / scales[3]) * width
        return tf.transpose(tf.stack([y - h / 2.0, x - w / 2.0, y + h / 2.0, x + w / 2.0]))


def suppress(boxes, scores, iou, least, most, clip_first=False, clip=True):
    """The detections in one image: `boxes` [n, 4] or [n, classes, 4], `scores` [n, classes] without the background. Classes count from 0."""
    parts = []
    for at in range(int(scores.shape[-1])):
        own = tf.clip_by_value(boxes, 0.0, 1.0) if clip_first else boxes
        own = own[:, min(at, own.shape[1] - 1)] if len(own.shape) == 3 else own
        kept = tf.image.non_max_suppression(own, scores[:, at], most, iou, least)
        parts.append((tf.gather(own, kept), tf.gather(scores[:, at], kept), tf.fill(tf.shape(kept), float(at))))
    boxes, scores, classes = (tf.concat(part, 0) for part in zip(*parts))
    best = tf.math.top_k(scores, tf.minimum(most, tf.size(scores))).indices
    boxes, scores, classes = (tf.gather(part, best) for part in (tf.clip_by_value(boxes, 0.0, 1.0) if clip else boxes, scores, classes))
    missing = most - tf.size(scores)
    return tf.pad(boxes, [[0, missing], [0, 0]]), tf.pad(scores, [[0, missing]]), tf.pad(classes, [[0, missing]]), tf.cast(tf.size(best), tf.float32)


def anchors_of(grids, specs):
    """A grid's boxes, [n, 4]: each cell has one for each (height, width) of its list, around its middle."""
    parts = []
    for grid, sizes in zip(grids, specs):
        shape = tf.shape(grid)
        rows, columns = tf.cast(shape[1], tf.float32), tf.cast(shape[2], tf.float32)
        y = (tf.range(rows) + 0.5) / rows
        x = (tf.range(columns) + 0.5) / columns
        y, x = tf.meshgrid(y, x, indexing="ij")
        centers = tf.reshape(tf.stack([y, x], -1), [-1, 1, 2])
        half = tf.constant(np.array(sizes, np.float32)[None] / 2)
        parts.append(tf.reshape(tf.concat([centers - half, centers + half], -1), [-1, 4]))
    return tf.concat(parts, 0)


def ssd_sizes(layers, height=1.0, width=1.0, least=0.2, most=0.95, ratios=(1.0, 2.0, 0.5)):
    """Of ssd_anchor_generator: what its protocol says of scales, ratios and the lowest layer."""
    scales = [least + (most - least) * i / (layers - 1) for i in range(layers)] + [1.0]
    out = []
    for i in range(layers):
        pairs = [(0.1, 1.0), (scales[0], 2.0), (scales[0], 0.5)] if i == 0 else [*((scales[i], ratio) for ratio in ratios), ((scales[i] * scales[i + 1]) ** 0.5, 1.0)]
        out.append([(scale / ratio ** 0.5 * height, scale * ratio ** 0.5 * width) for scale, ratio in pairs])
    return out


def heads(grids, counts, classes, batch):
    """Offsets [batch, n, 1, 4] and logits [batch, n, classes] of all grids."""
    boxes, logits = [], []
    for i, (grid, count) in enumerate(zip(grids, counts)):
        with tf.name_scope(f"BoxPredictor_{i}"):
            boxes.append(tf.reshape(conv("BoxEncodingPredictor", grid, count * 4, scale=2.0), tf.stack([batch, -1, 1, 4])))
            logits.append(tf.reshape(conv("ClassPredictor", grid, count * classes, scale=3.0), tf.stack([batch, -1, classes])))
    return tf.concat(boxes, 1, name="concat"), tf.concat(logits, 1, name="concat_1")


SSD = """model {
  ssd {
    num_classes: %(classes)d
    image_resizer { %(resizer)s }
    feature_extractor { type: "ssd_tiny" depth_multiplier: 1.0 conv_hyperparams { regularizer { l2_regularizer { weight: 4e-05 } } } }
    box_coder { faster_rcnn_box_coder { y_scale: 10.0 x_scale: 10.0 height_scale: 5.0 width_scale: 5.0 } }
    matcher { argmax_matcher { matched_threshold: 0.5 unmatched_threshold: 0.5 } }
    anchor_generator {
      ssd_anchor_generator {
        num_layers: 2
        min_scale: 0.2
        max_scale: 0.95
        aspect_ratios: 1.0
        aspect_ratios: 2.0
        aspect_ratios: 0.5
      }
    }
    post_processing {
      batch_non_max_suppression {
        score_threshold: %(threshold)s
        iou_threshold: %(iou)s
        max_detections_per_class: 100
        max_total_detections: %(total)d
      }
      score_converter: %(converter)s
    }
    %(more)s
  }
}
train_config { batch_size: 24 }
"""
FIXED = "fixed_shape_resizer { height: 32 width: 40 }"
POST = {"threshold": 0.4, "iou": 0.5, "total": 20}


def ssd_pipeline(converter, classes=CLASSES, resizer=FIXED, more=""):
    return SSD % {"classes": classes, "resizer": resizer, "converter": converter, "more": more, **POST}


def ssd_postprocessor(boxes, logits, anchors, shapes, names, softmax=True, background=True, clip_first=False):
    """Scope Postprocessor of an SSD. `names`: those of the nodes that take logits and image sizes."""
    def one(args):
        return suppress(*args, POST["iou"], POST["threshold"], POST["total"], clip_first)

    with tf.name_scope("Postprocessor"):
        boxes = tf.identity(boxes, name="raw_box_encodings") if "raw" in names else boxes
        shape = tf.shape(boxes, name="Shape")
        tiled = tf.tile(tf.expand_dims(anchors, 0, name="ExpandDims"), tf.stack([shape[0], 1, 1]), name="Tile")
        tiled = tf.reshape(tiled, [-1, 4], name="Reshape")
        decoded = decode(tf.reshape(boxes, [-1, 4], name="Reshape_1"), tiled)
        decoded = tf.reshape(decoded, tf.stack([shape[0], shape[1], 4]), name="Reshape_2")
        if names["logits"] == "scale_logits":
            logits = tf.divide(logits, 1.0, name="scale_logits")
            scores = tf.nn.softmax(logits, name="convert_scores") if softmax else tf.sigmoid(logits, name="convert_scores")
            scores = tf.slice(scores, [0, 0, int(background)], [-1, -1, -1], name="Slice")
        else:
            scores = tf.sigmoid(tf.slice(logits, [0, 0, int(background)], [-1, -1, -1], name="Slice"), name="convert_scores")
        sizes = [tf.cast(shapes, tf.float32, name=name) for name in names["sizes"]]
        window = tf.reduce_max(tf.add_n(sizes)) * 0.0 + 1.0
        with tf.name_scope("BatchMultiClassNonMaxSuppression"):
            results = tf.map_fn(one, (decoded * window, scores), fn_output_signature=(tf.float32,) * 4, name="map")
        return results


def preprocessor(images, before):
    """Scope Preprocessor of TensorFlow 1: a loop resizes each image. `before`: mean and scale are applied before it."""
    def resize(image):
        resized = tf1.image.resize_bilinear(tf.expand_dims(image, 0), [32, 40], name="ResizeBilinear")
        return tf.squeeze(resized, [0]), tf.constant([32, 40, 3])

    with tf1.name_scope("Preprocessor"):
        if before:
            images = tf.subtract(tf.multiply(2.0 / 255.0, images, name="mul"), 1.0, name="sub")
        resized, shapes = tf1.map_fn(resize, images, dtype=(tf.float32, tf.int32), name="map")
        if not before:
            resized = tf.subtract(tf.multiply(2.0 / 255.0, resized, name="mul"), 1.0, name="sub")
        return resized, shapes


def write(folder, pipeline, feeds, wanted, config, model, kind="model"):
    if pipeline:
        with open(os.path.join(folder, "pipeline.config"), "w", encoding="utf-8") as file:
            file.write(pipeline)
    arrays = {"config": archive.as_bytes(config.encode()), kind: archive.as_bytes(model)}
    arrays |= {"feed/" + name: array for name, array in feeds.items()} | {"want/" + name: array for name, array in wanted.items()}
    archive.write(os.path.join(folder, "case.npz"), arrays)


def write_saved(folder, pipeline, feeds, wanted, config):
    """A SavedModel without variables is one file."""
    with open(os.path.join(folder, "saved_model.pb"), "rb") as file:
        model = file.read()
    shutil.rmtree(folder)
    os.makedirs(folder)
    write(folder, pipeline, feeds, wanted, config, model, "saved_model")


def picture(name, height=32, width=40):
    return np.random.default_rng(zlib.crc32(name.encode())).integers(0, 255, (1, height, width, 3), np.uint8)


def run_frozen(folder, graph, name, outputs, pipeline, config, feeds=None, written=None):
    """Runs a graph of TensorFlow 1 and writes it, or `written`."""
    feeds = feeds or {"image_tensor": picture(name)}
    with tf1.Session(graph=graph) as session:
        got = dict(zip(outputs, session.run([output + ":0" for output in outputs], {key + ":0": value for key, value in feeds.items()})))
    write(folder, pipeline, feeds, got, config, (written or graph.as_graph_def()).SerializeToString(deterministic=True))


OUTPUTS = ["detection_boxes", "detection_scores", "detection_classes", "num_detections"]


def named_outputs(results):
    boxes, scores, classes, count = results
    tf.identity(boxes, name="detection_boxes")
    tf.identity(scores, name="detection_scores")
    tf.identity(classes + 1.0, name="detection_classes")
    tf.identity(count, name="num_detections")


def ssd_frozen(folder, name, config, cast, names, before=False, converter="SOFTMAX", clip_first=False, more=""):
    """An SSD of TensorFlow 1."""
    tf1.disable_control_flow_v2()
    background = "add_background_class: false" not in more
    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.uint8, [None, None, None, 3], name="image_tensor")
        resized, shapes = preprocessor(tf.cast(images, tf.float32, name=cast), before)
        grids = features(tf.ensure_shape(resized, [None, None, None, 3]))
        sizes = ssd_sizes(2, 32 / 32, 32 / 40)
        boxes, logits = heads(grids, [len(layer) for layer in sizes], CLASSES + background, tf.shape(resized)[0])
        with tf.name_scope("MultipleGridAnchorGenerator"):
            anchors = anchors_of(grids, sizes)
        named_outputs(ssd_postprocessor(tf.squeeze(boxes, [2], name="Squeeze"), logits, anchors, shapes, names, converter == "SOFTMAX", background, clip_first))
    run_frozen(folder, graph, name, OUTPUTS, ssd_pipeline(converter, more=more), config)


ALL_OUTPUTS = ["detection_anchor_indices", "detection_boxes", "detection_classes", "detection_multiclass_scores", "detection_scores", "num_detections",
               "raw_detection_boxes", "raw_detection_scores"]


def preprocessor2(images, in_loop):
    """Of TensorFlow 2: a loop over the images from 2.4 on; before that the only image is resized alone."""
    def resize(image):
        with tf.name_scope("Preprocessor"):
            batch = tf.expand_dims(image, 0) if in_loop else image
            scaled = tf.subtract(tf.multiply(2.0 / 255.0, batch, name="mul"), 1.0, name="sub")
            single = tf.unstack(scaled, 1, name="unstack")[0]
            resized = tf.compat.v1.image.resize_bilinear(single[tf.newaxis], [32, 40], name="ResizeImage")
            resized = tf.stack([resized[0]], name="stack")
            shape = tf.stack([tf.constant([32, 40, 3])], name="stack_1")
        return (resized[0], shape[0]) if in_loop else (resized, shape)

    images = tf.cast(images, tf.float32)
    return tf.map_fn(resize, images, fn_output_signature=(tf.float32, tf.int32), name="map") if in_loop else resize(images)


def ssd_saved(folder, name, config, in_loop, names, more="", scope=None):
    """An SSD of TensorFlow 2, as a SavedModel: the graph of its signature calls the one with the model."""
    tf1.enable_control_flow_v2()

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, None, None, 3], tf.uint8, name="input_tensor")])
        def detect(self, input_tensor):
            tf.debugging.Assert(tf.equal(tf.shape(input_tensor)[0], 1), ["one image"])  # has an effect, as reading variables: the call is stateful
            images, shapes = preprocessor2(input_tensor, in_loop)
            grids = features(tf.ensure_shape(images, [1, None, None, 3]))
            sizes = ssd_sizes(2, 32 / 32, 32 / 40)
            boxes, logits = heads(grids, [len(layer) for layer in sizes], CLASSES + 1, 1)
            with tf.name_scope("MultiscaleGridAnchorGenerator"):
                anchors = anchors_of(grids, sizes)
            boxes = tf.squeeze(boxes, [2], name="Squeeze")
            found, scores, classes, count = ssd_postprocessor(boxes, logits, anchors, shapes, names, softmax=False)
            results = [tf.cast(classes, tf.float32), found, classes + 1.0, scores, scores, count, tf.identity(found), tf.identity(scores)]
            return {key: tf.identity(value) for key, value in zip(ALL_OUTPUTS, results)}

    model, image = Model(), picture(name)
    wanted = {key: value.numpy() for key, value in model.detect(tf.constant(image)).items() if key in OUTPUTS}
    tf.saved_model.save(model, folder, signatures=model.detect)
    write_saved(folder, ssd_pipeline("SIGMOID", more=more), {"input_tensor": image}, wanted, config)


def automl(folder, name):
    """An EfficientDet of the AutoML repository: anchors of three levels, the end of the graph is `detections`."""
    tf1.disable_control_flow_v2()
    count, iou, threshold = 9, 0.6, 0.2
    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.float32, [None, 64, 64, 3], name="image_arrays")
        cropped = tf.strided_slice(images, [0, 0, 0, 0], [1, 64, 64, 3], name="strided_slice_1")
        mean = tf.subtract(cropped, np.array([123.675, 116.28, 103.53], np.float32), name="sub")
        scaled = tf.divide(mean, np.array([58.395, 57.12, 57.375], np.float32), name="truediv")
        resized = tf1.image.resize_bilinear(scaled, [64, 64], name="ResizeBilinear")
        x = tf.nn.relu(conv("stem", resized, 8, 4, 5))
        grids = [tf.nn.relu(conv("level_3", x, 16, 2, 3))]
        for level in (4, 5):
            grids.append(tf.nn.relu(conv(f"level_{level}", grids[-1], 16, 2, 3)))
        boxes, logits = [], []
        for part, kernel, size, out in (("box_net/box-predict", "boxes", 4, boxes), ("class_net/class-predict", "classes", CLASSES, logits)):
            weights = tf.constant(numbers(kernel, (1, 1, 16, count * size), 0.5 if size == 4 else 0.8), name=part + "/pointwise_kernel")
            bias = tf.constant(numbers(kernel + "/bias", (count * size,), 0.2), name=part + "/bias")
            for i, grid in enumerate(grids):
                with tf.name_scope(part + (f"_{i}" if i else "") + "/"):
                    found = tf.nn.bias_add(tf.nn.conv2d(grid, weights, 1, "SAME", name="separable_conv2d"), bias, name="BiasAdd")
                out.append(tf.reshape(found, tf.stack([tf.shape(found)[0], -1, size])))
        logits, boxes = tf.concat(logits, 1, name="concat"), tf.concat(boxes, 1, name="concat_1")
        sizes = [[(2.0 ** level * 4.0 * 2.0 ** (octave / 3.0) * h / 64, 2.0 ** level * 4.0 * 2.0 ** (octave / 3.0) * w / 64)
                  for octave in range(3) for w, h in ((1.0, 1.0), (1.4, 0.7), (0.7, 1.4))] for level in (3, 4, 5)]
        decoded = decode(boxes[0], anchors_of(grids, sizes), (1.0, 1.0, 1.0, 1.0))
        found = suppress(decoded, tf.sigmoid(logits[0]), iou, threshold, 100, clip=False)
        tf.identity(tf.concat([found[0], found[1][:, tf.newaxis], found[2][:, tf.newaxis]], 1), name="detections")
        kept = graph.as_graph_def()
        for output, part in zip(OUTPUTS, found):
            tf.identity(part, name=output)
    run_frozen(folder, graph, name, OUTPUTS, "", "automl_efficientdet", {"image_arrays": picture(name, 64, 64).astype(np.float32)}, written=kept)


def retinanet(folder, name):
    """keras-retinanet: boxes by their corners, one suppression for each class in a loop over the images."""
    tf1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.float32, [None, 32, 40, 3], name="input_1")
        grids = features(images / 127.5 - 1.0)
        boxes, logits = heads(grids, [3, 4], CLASSES, tf.shape(images)[0])
        with tf.name_scope("regression"):
            offsets = tf.squeeze(boxes, [2])
            regression = tf.concat([offsets[:, :60], offsets[:, 60:]], 1, name="concat")
        with tf.name_scope("classification"):
            scores = tf.sigmoid(logits)
            scores = tf.concat([scores[:, :60], scores[:, 60:]], 1, name="concat")
        with tf.name_scope("priors"):
            corners = anchors_of(grids, ssd_sizes(2, 0.2, 0.2 * 32 / 40))  # none reaches the border, where TensorFlow clips before it suppresses
        with tf.name_scope("anchors"):
            corners = tf.gather(corners, [1, 0, 3, 2], axis=1) * np.array([40, 32, 40, 32], np.float32)
            tiled = tf.tile(corners[tf.newaxis], tf.stack([tf.shape(images)[0], 1, 1]))
            anchors = tf.concat([tiled[:, :60], tiled[:, 60:]], 1, name="concat")
        width, height = anchors[..., 2] - anchors[..., 0], anchors[..., 3] - anchors[..., 1]
        moved = tf.stack([anchors[..., at] + regression[..., at] * 0.2 * (height if at % 2 else width) for at in range(4)], 2)
        with tf.name_scope("clipped_boxes"):
            size = tf.cast(tf.shape(images, name="Shape"), tf.float32)
            clipped = tf.stack([tf.clip_by_value(moved[..., at], 0.0, size[1 if at % 2 else 2]) for at in range(4)], 2)

        def one(args):
            found, rated = args
            found, best, classes, count = suppress(tf.gather(found, [1, 0, 3, 2], axis=1), rated, 0.5, 0.05, 300, clip=False)
            return found, best, classes

        with tf.name_scope("filtered_detections"):
            found, best, classes = tf1.map_fn(one, (clipped, scores), dtype=(tf.float32,) * 3, name="map")
        for at, part in enumerate((found, best, classes)):
            tf.identity(part, name=OUTPUTS[at])
    run_frozen(folder, graph, name, OUTPUTS[:3], "", "retinanet", {"input_1": picture(name).astype(np.float32)})


def ssd_toolbox(folder, name, multihead):
    """SSDs with their prior boxes as a constant, whose decoding is not in the graph."""
    tf1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.float32, [1, 32, 40, 3], name="input")
        grids = features(images / 127.5 - 1.0)
        boxes, logits = heads(grids, [3, 4], CLASSES + 1, 1)
        with tf.Graph().as_default(), tf1.Session() as session:
            anchors = session.run(anchors_of([tf.zeros([1, 4, 5, 1]), tf.zeros([1, 2, 3, 1])], ssd_sizes(2, 32 / 32, 32 / 40)))
        priors = np.stack([anchors[:, [1, 0, 3, 2]], np.tile(np.float32([0.1, 0.1, 0.2, 0.2]), (84, 1))]).reshape(1, 2, -1)
        tf.reshape(boxes, [1, -1], name="SSD/concat_reshape_softmax/mbox_loc_final")
        tf.nn.softmax(logits, name="SSD/concat_reshape_softmax/mbox_conf_final")
        tf.identity(tf.constant(priors), name="SSD/concat_reshape_softmax/mbox_priorbox" if multihead else "SSD/fc7_priorbox")
        kept = graph.as_graph_def()
        offsets = tf.gather(tf.reshape(boxes, [-1, 4]), [1, 0, 3, 2], axis=1)
        found = suppress(decode(offsets, tf.constant(anchors)), tf.nn.softmax(logits)[0, :, 1:], 0.45, 0.01, 200, clip=False)
        for output, part in zip(OUTPUTS, (found[0], found[1], found[2] + 1.0, found[3])):
            tf.identity(part, name=output)
    config = "ssd_toolbox_multihead_detection_output" if multihead else "ssd_toolbox_detection_output"
    run_frozen(folder, graph, name, OUTPUTS, "", config, {"input": picture(name).astype(np.float32)}, written=kept)


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
      score_converter: SOFTMAX
    }
  }
}
"""
PROPOSALS, CROP, KEPT = 10, 4, 12


def grid_anchors(grid):
    """Of grid_anchor_generator, in pixels: sizes of all scales for each ratio, around the corners of the cells."""
    rows, columns = tf.cast(tf.shape(grid)[1], tf.float32), tf.cast(tf.shape(grid)[2], tf.float32)
    y, x = tf.meshgrid(tf.range(rows) * 16.0, tf.range(columns) * 16.0, indexing="ij")
    centers = tf.reshape(tf.stack([y, x], -1), [-1, 1, 2])
    half = tf.constant(np.array([(64 * scale / ratio ** 0.5 / 2, 64 * scale * ratio ** 0.5 / 2) for ratio in (0.5, 1.0) for scale in (0.25, 0.5)], np.float32)[None])
    return tf.identity(tf.reshape(tf.concat([centers - half, centers + half], -1), [-1, 4]), name="Identity")


def first_stage(grid, shape):
    """Normalised proposals [1, P, 4]."""
    with tf.name_scope("FirstStageBoxPredictor"):
        boxes = tf.reshape(conv("BoxEncodingPredictor", grid, 16, scale=1.5), [1, -1, 1, 4], name="Reshape")
        logits = tf.reshape(conv("ClassPredictor", grid, 8, scale=3.0), [1, -1, 2], name="Reshape_1")
    with tf.name_scope("concat"):
        boxes = tf.identity(boxes, name="concat")
    with tf.name_scope("concat_1"):
        logits = tf.identity(logits, name="concat")
    with tf.name_scope("GridAnchorGenerator"):
        anchors = grid_anchors(grid)

    def one(args):
        found, scores = args
        kept = tf.image.non_max_suppression(found, scores, PROPOSALS, 0.7)
        kept_boxes = tf.gather(found, kept)
        clipped = tf.stack([tf.clip_by_value(kept_boxes[:, at], 0.0, [64.0, 80.0][at % 2]) for at in range(4)], 1)
        return clipped, tf.gather(scores, kept), kept_boxes, scores, found, tf.size(kept)

    with tf.name_scope("ClipToWindow"):
        anchors = tf.stack([tf.clip_by_value(anchors[:, at], 0.0, [64.0, 80.0][at % 2]) for at in range(4)], 1)
    decoded = decode(tf.reshape(boxes, [-1, 4]), anchors)
    with tf.name_scope("BatchMultiClassNonMaxSuppression"):
        found = tf1.map_fn(one, (decoded[tf.newaxis], tf.nn.softmax(logits)[:, :, 1]), dtype=(tf.float32,) * 5 + (tf.int32,), name="map")
    size = tf.cast(tf.stack([shape[1], shape[2]] * 2), tf.float32)
    proposals = tf1.map_fn(lambda image: image / size, found[0], name="map")
    return proposals, tf1.map_fn(lambda image: image / size, found[4], name="map_2"), found[5]


def crops(name, grid, boxes):
    with tf.name_scope(name):
        shape = tf.shape(boxes, name="Shape")
        images = tf.reshape(tf.tile(tf.expand_dims(tf.range(shape[0]), 1), tf.stack([1, shape[1]])), [-1], name="Reshape_2")
        images += tf.shape(grid, name="Shape_1")[3] * 0
        found = tf.image.crop_and_resize(grid, tf.reshape(boxes, [-1, 4], name="Reshape"), images, [CROP, CROP], name="CropAndResize")
    return tf.ensure_shape(found, [None, CROP, CROP, grid.shape[-1]])


def dense(name, x, outputs, scale):
    with tf.name_scope(name):
        product = tf.matmul(x, tf.constant(numbers(name, (int(x.shape[-1]), outputs), scale * (3.0 / int(x.shape[-1])) ** 0.5), name="weights"), name="MatMul")
        return tf.nn.bias_add(product, tf.constant(numbers(name + "/biases", (outputs,), 0.2), name="biases"), name="BiasAdd")


def second_stage(boxes, logits, proposals, shapes, masks):
    """Scope SecondStagePostprocessor; where masks follow, the names of their graphs."""
    def one(args):
        return suppress(*args, 0.6, 0.3, KEPT)

    scope = "" if masks else "SecondStagePostprocessor/"
    with tf.name_scope(scope or "SecondStage/"):
        boxes = tf.reshape(boxes, [1, PROPOSALS, CLASSES, 4], name="Reshape")
        logits = tf.reshape(logits, [1, PROPOSALS, CLASSES + 1], name="Reshape_1")
    with tf.name_scope(scope):
        window = tf.reduce_max(tf.cast(shapes, tf.float32, name="Cast_5")) * 0.0 + 1.0
        anchors = tf.tile(tf.expand_dims(proposals, 2, name="ExpandDims_6" if masks else "ExpandDims"), [1, 1, CLASSES, 1])
        decoded = tf.reshape(decode(tf.reshape(boxes, [-1, 4]), tf.reshape(anchors, [-1, 4])) * window, [1, PROPOSALS, CLASSES, 4])
        scores = tf.nn.softmax(logits)[:, :, 1:]
        with tf.name_scope("BatchMultiClassNonMaxSuppression" + ("_1" if masks else "")):
            return tf1.map_fn(one, (decoded, scores), dtype=(tf.float32,) * 4, name="map")


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


def predict_by_crops(grid, proposals):
    """Of an R-FCN."""
    with tf.name_scope("SecondStageBoxPredictor"):
        locations = conv("refined_locations", grid, BINS * BINS * CLASSES * 4)
        predictions = conv("class_predictions", grid, BINS * BINS * (CLASSES + 1), scale=3.0)
        boxes = position_sensitive("map", locations, proposals, CLASSES * 4)
        logits = position_sensitive("map_1", predictions, proposals, CLASSES + 1)
        return tf.reshape(boxes, [-1, CLASSES, 4]), tf.reshape(logits, [-1, CLASSES + 1])


def predict_by_layers(grid, proposals):
    """Of a Faster R-CNN."""
    pooled = tf.nn.max_pool2d(crops("CropAndResize", grid, proposals), 2, 2, "SAME")
    flat = tf.reshape(pooled, [-1, 2 * 2 * 16])
    with tf.name_scope("SecondStageBoxPredictor"):
        boxes = tf.reshape(dense("BoxEncodingPredictor", flat, CLASSES * 4, 1.0), [-1, CLASSES, 4], name="Reshape")
        return boxes, tf.reshape(dense("ClassPredictor", flat, CLASSES + 1, 3.0), [-1, CLASSES + 1], name="Reshape_1")


def two_stages(folder, name, config, predict=predict_by_layers, predictor="mask_rcnn_box_predictor { use_dropout: false fc_hyperparams { op: FC } }", masks=False):
    """A model of two stages of TensorFlow 1."""
    tf1.disable_control_flow_v2()

    def resize(image):
        return tf.squeeze(tf1.image.resize_bilinear(tf.expand_dims(image, 0), tf.shape(image)[:2] * 0 + [64, 80], name="ResizeBilinear"), [0]), tf.constant([64, 80, 3])

    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.uint8, [None, None, None, 3], name="image_tensor")
        with tf1.name_scope("Preprocessor"):
            resized, shapes = tf1.map_fn(resize, tf.cast(images, tf.float32, name="Cast"), dtype=(tf.float32, tf.int32), name="map")
            resized = tf.subtract(resized, np.array([123.68, 116.779, 103.939], np.float32), name="sub")
        shape = tf.shape(resized, name="Shape")
        with tf.name_scope("FirstStageFeatureExtractor"):
            grid = tf.nn.relu(conv("Conv_1", tf.nn.relu(conv("Conv_0", tf.ensure_shape(resized, [1, None, None, 3]) / 128.0, 8, 4, 5)), 16, 4, 3))
        proposals, _, _ = first_stage(grid, shape)
        boxes, logits = predict(grid, proposals)
        results = second_stage(boxes, logits, proposals, shapes, masks)
        if masks:
            cut = crops("CropAndResize_1", grid, tf.ensure_shape(results[0], [1, KEPT, 4]))
            cut = tf.reshape(cut, [-1, CROP, CROP, 16], name="Reshape_10")
            with tf.name_scope("SecondStageBoxPredictor_1"):
                x = conv("Conv_3", tf.nn.relu(conv("Conv", cut, 8, 1, 3)), CLASSES)
            tf.sigmoid(x, name="detection_masks")
        named_outputs(results)
    run_frozen(folder, graph, name, OUTPUTS + ["detection_masks"] * masks, TWO_STAGES % {"classes": CLASSES, "proposals": PROPOSALS, "predictor": predictor}, config,
               {"image_tensor": picture(name, 64, 80)})


CASES = {
    "ssd_support": functools.partial(ssd_frozen, config="ssd_support", cast="ToFloat", names={"logits": "Slice", "sizes": ["ToFloat"]}, converter="SIGMOID", clip_first=True),
    "ssd_v2_support": functools.partial(ssd_frozen, config="ssd_v2_support", cast="ToFloat", names={"logits": "scale_logits", "sizes": ["ToFloat"]}, before=True),
    "ssd_v1.14": functools.partial(ssd_frozen, config="ssd_support_api_v1.14", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast"]}, converter="SIGMOID"),
    "ssd_v1.15": functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]}),
    "ssd_no_background": functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]},
                                           converter="SIGMOID", more="add_background_class: false"),
    "faster_rcnn": functools.partial(two_stages, config="faster_rcnn_support_api_v1.15"),
    "mask_rcnn": functools.partial(two_stages, config="mask_rcnn_support_api_v1.15", masks=True),
    "rfcn": functools.partial(two_stages, config="rfcn_support_api_v1.14", predict=predict_by_crops,
                              predictor="rfcn_box_predictor { num_spatial_bins_height: 3 num_spatial_bins_width: 3 crop_height: 6 crop_width: 6 }"),
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
