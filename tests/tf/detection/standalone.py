"""Detection models that have no pipeline.config: EfficientDet of AutoML, RetinaNet of Keras, SSDs of the SSD toolbox."""
import numpy as np
import tensorflow as tf

from .parts import CLASSES, OUTPUTS, anchors_of, conv, decode, features, heads, numbers, picture, run_frozen, suppress, tf1
from .ssd import ssd_sizes


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
