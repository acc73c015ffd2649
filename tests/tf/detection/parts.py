"""What detection models are made of: layers with seeded weights, anchors, TensorFlow's own decoding and suppression of boxes, and the writing of a case."""
import os
import shutil
import zlib

import numpy as np
import tensorflow as tf

import archive

tf1 = tf.compat.v1
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


def heads(grids, counts, classes, batch):
    """Offsets [batch, n, 1, 4] and logits [batch, n, classes] of all grids."""
    boxes, logits = [], []
    for i, (grid, count) in enumerate(zip(grids, counts)):
        with tf.name_scope(f"BoxPredictor_{i}"):
            boxes.append(tf.reshape(conv("BoxEncodingPredictor", grid, count * 4, scale=2.0), tf.stack([batch, -1, 1, 4])))
            logits.append(tf.reshape(conv("ClassPredictor", grid, count * classes, scale=3.0), tf.stack([batch, -1, classes])))
    return tf.concat(boxes, 1, name="concat"), tf.concat(logits, 1, name="concat_1")


def as_is(images):
    return images


def preprocessor2(images, in_loop, size, before=as_is, after=as_is):
    """The preprocessor of TensorFlow 2. From release 2.4 on (`in_loop`) a loop resizes the images; before, the only image is resized alone.
    `before`, `after`: what is done around the resizing."""
    def resize(image):
        with tf.name_scope("Preprocessor"):
            single = tf.unstack(before(tf.expand_dims(image, 0) if in_loop else image), 1, name="unstack")[0]
            resized = tf1.image.resize_bilinear(single[tf.newaxis], size, name="ResizeImage")
            resized = after(tf.stack([resized[0]], name="stack"))
            shape = tf.stack([tf.constant([*size, 3])], name="stack_1")
        return (resized[0], shape[0]) if in_loop else (resized, shape)

    images = tf.cast(images, tf.float32)
    return tf.map_fn(resize, images, fn_output_signature=(tf.float32, tf.int32), name="map") if in_loop else resize(images)


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


def picture(name, height=32, width=40, side=1):
    """Squares of random colours, `side` pixels wide: larger ones pack better."""
    small = np.random.default_rng(zlib.crc32(name.encode())).integers(0, 255, (1, height // side, width // side, 3), np.uint8)
    return small.repeat(side, 1).repeat(side, 2)


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
