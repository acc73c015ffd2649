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


def suppress(boxes, scores, iou, least, most, clip_first=False):
    """The detections in one image: `boxes` [n, 4] or [n, classes, 4], `scores` [n, classes] without the background. Classes count from 0."""
    parts = []
    for at in range(int(scores.shape[-1])):
        own = tf.clip_by_value(boxes, 0.0, 1.0) if clip_first else boxes
        own = own[:, min(at, own.shape[1] - 1)] if len(own.shape) == 3 else own
        kept = tf.image.non_max_suppression(own, scores[:, at], most, iou, least)
        parts.append((tf.gather(own, kept), tf.gather(scores[:, at], kept), tf.fill(tf.shape(kept), float(at))))
    boxes, scores, classes = (tf.concat(part, 0) for part in zip(*parts))
    best = tf.math.top_k(scores, tf.minimum(most, tf.size(scores))).indices
    boxes, scores, classes = (tf.gather(part, best) for part in (tf.clip_by_value(boxes, 0.0, 1.0), scores, classes))
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
    with open(os.path.join(folder, "pipeline.config"), "w", encoding="utf-8") as file:
        file.write(pipeline)
    arrays = {"config": store.as_bytes(config.encode()), kind: store.as_bytes(model)}
    arrays |= {"feed/" + name: array for name, array in feeds.items()} | {"want/" + name: array for name, array in wanted.items()}
    store.write(os.path.join(folder, "case.npz"), arrays)


def write_saved(folder, pipeline, feeds, wanted, config):
    """A SavedModel without variables is one file."""
    with open(os.path.join(folder, "saved_model.pb"), "rb") as file:
        model = file.read()
    shutil.rmtree(folder)
    os.makedirs(folder)
    write(folder, pipeline, feeds, wanted, config, model, "saved_model")


def picture(name, height=32, width=40):
    return np.random.default_rng(zlib.crc32(name.encode())).integers(0, 255, (1, height, width, 3), np.uint8)


def run_frozen(folder, graph, name, outputs, pipeline, config, feeds=None):
    """Runs a graph of TensorFlow 1 and writes it."""
    feeds = feeds or {"image_tensor": picture(name)}
    with tf1.Session(graph=graph) as session:
        got = dict(zip(outputs, session.run([output + ":0" for output in outputs], {key + ":0": value for key, value in feeds.items()})))
    write(folder, pipeline, feeds, got, config, graph.as_graph_def().SerializeToString(deterministic=True))


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


CASES = {
    "ssd_support": functools.partial(ssd_frozen, config="ssd_support", cast="ToFloat", names={"logits": "Slice", "sizes": ["ToFloat"]}, converter="SIGMOID", clip_first=True),
    "ssd_v2_support": functools.partial(ssd_frozen, config="ssd_v2_support", cast="ToFloat", names={"logits": "scale_logits", "sizes": ["ToFloat"]}, before=True),
    "ssd_v1.14": functools.partial(ssd_frozen, config="ssd_support_api_v1.14", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast"]}, converter="SIGMOID"),
    "ssd_v1.15": functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]}),
    "ssd_no_background": functools.partial(ssd_frozen, config="ssd_support_api_v1.15", cast="Cast", names={"logits": "scale_logits", "sizes": ["Cast_1"]},
                                           converter="SIGMOID", more="add_background_class: false"),
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
