"""SSDs and EfficientDets of the Object Detection API, frozen by TensorFlow 1 and saved by TensorFlow 2."""
import numpy as np
import tensorflow as tf

from .parts import (CLASSES, OUTPUTS, anchors_of, conv, decode, features, heads, named_outputs, picture, preprocessor2, run_frozen, suppress, tf1, write_saved)


SSD = """model {
  ssd {
    num_classes: %(classes)d
    image_resizer { %(resizer)s }
    feature_extractor { type: "ssd_tiny" depth_multiplier: 1.0 conv_hyperparams { regularizer { l2_regularizer { weight: 4e-05 } } } }
    box_coder { faster_rcnn_box_coder { y_scale: 10.0 x_scale: 10.0 height_scale: 5.0 width_scale: 5.0 } }
    matcher { argmax_matcher { matched_threshold: 0.5 unmatched_threshold: 0.5 } }
    anchor_generator {
      %(anchors)s
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
SSD_ANCHORS = """ssd_anchor_generator {
        num_layers: 2
        min_scale: 0.2
        max_scale: 0.95
        aspect_ratios: 1.0
        aspect_ratios: 2.0
        aspect_ratios: 0.5
      }"""
MULTISCALE = "multiscale_anchor_generator { min_level: 3 max_level: 4 anchor_scale: 2.0 aspect_ratios: [1.0, 2.0, 0.5] scales_per_octave: 2 }"
SIZE = (32, 40)
COUNTS, MULTISCALE_COUNTS = [3, 4], [6, 6]  # of anchors, for each cell of a grid
POST = {"threshold": 0.4, "iou": 0.5, "total": 20}


def ssd_sizes(layers, height=1.0, width=1.0, least=0.2, most=0.95, ratios=(1.0, 2.0, 0.5)):
    """Sizes of ssd_anchor_generator's boxes for each layer, by the rules of its protocol for scales, ratios and the lowest layer."""
    scales = [least + (most - least) * i / (layers - 1) for i in range(layers)] + [1.0]
    out = []
    for i in range(layers):
        pairs = [(0.1, 1.0), (scales[0], 2.0), (scales[0], 0.5)] if i == 0 else [*((scales[i], ratio) for ratio in ratios), ((scales[i] * scales[i + 1]) ** 0.5, 1.0)]
        out.append([(scale / ratio ** 0.5 * height, scale * ratio ** 0.5 * width) for scale, ratio in pairs])
    return out


def ssd_anchors(grids, scope):
    with tf.name_scope(scope):
        return anchors_of(grids, ssd_sizes(2, 32 / 32, 32 / 40))


def multiscale_anchors(grids, size):
    """Anchors of multiscale_anchor_generator: in the middle of the cells if these divide the image, else at their beginnings."""
    parts = []
    with tf.name_scope("MultiscaleGridAnchorGenerator"):
        for level, grid in zip((3, 4), grids):
            stride, shape = 2.0 ** level, tf.shape(grid)
            y, x = ((tf.range(tf.cast(shape[1 + at], tf.float32)) + (0.0 if size[at] % stride else 0.5)) * stride / size[at] for at in range(2))
            y, x = tf.meshgrid(y, x, indexing="ij")
            sides = [(stride * 2.0 * 2.0 ** (octave / 2) / ratio ** 0.5 / size[0], stride * 2.0 * 2.0 ** (octave / 2) * ratio ** 0.5 / size[1])
                     for ratio in (1.0, 2.0, 0.5) for octave in range(2)]
            centers, half = tf.reshape(tf.stack([y, x], -1), [-1, 1, 2]), np.array(sides, np.float32)[None] / 2
            parts.append(tf.reshape(tf.concat([centers - half, centers + half], -1), [-1, 4]))
        return tf.concat(parts, 0)


def shared_heads(grids, counts, classes, batch):
    """heads() with WeightSharedConvolutionalBoxPredictor: the same weights for all grids."""
    boxes, logits = [], []
    for i, (grid, count) in enumerate(zip(grids, counts)):
        with tf.name_scope("WeightSharedConvolutionalBoxPredictor" + (f"_{i}" if i else "") + "/"):
            boxes.append(tf.reshape(conv("BoxPredictor", grid, count * 4, scale=2.0), tf.stack([batch, -1, 1, 4])))
            logits.append(tf.reshape(conv("ClassPredictor", grid, count * classes, scale=3.0), tf.stack([batch, -1, classes])))
    return tf.concat(boxes, 1, name="concat"), tf.concat(logits, 1, name="concat_1")


def ssd_pipeline(converter, size=SIZE, anchors=SSD_ANCHORS, more=""):
    resizer = "fixed_shape_resizer { height: %d width: %d }" % size
    return SSD % {"classes": CLASSES, "resizer": resizer, "anchors": anchors, "converter": converter, "more": more, **POST}


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


def scaled(images):
    return tf.subtract(tf.multiply(2.0 / 255.0, images, name="mul"), 1.0, name="sub")


def preprocessor(images, before, size):
    """Scope Preprocessor of TensorFlow 1: a loop resizes each image. `before`: mean and scale are applied before it."""
    def resize(image):
        resized = tf1.image.resize_bilinear(tf.expand_dims(image, 0), size, name="ResizeBilinear")
        return tf.squeeze(resized, [0]), tf.constant([*size, 3])

    with tf1.name_scope("Preprocessor"):
        resized, shapes = tf1.map_fn(resize, scaled(images) if before else images, dtype=(tf.float32, tf.int32), name="map")
        return resized if before else scaled(resized), shapes


def ssd_frozen(folder, name, config, cast, names, before=False, converter="SOFTMAX", clip_first=False, more="", size=SIZE, multiscale=False, predict=heads):
    """An SSD of TensorFlow 1."""
    tf1.disable_control_flow_v2()
    background = "add_background_class: false" not in more
    with tf.Graph().as_default() as graph:
        images = tf1.placeholder(tf.uint8, [None, None, None, 3], name="image_tensor")
        resized, shapes = preprocessor(tf.cast(images, tf.float32, name=cast), before, size)
        grids = features(tf.ensure_shape(resized, [None, None, None, 3]))
        boxes, logits = predict(grids, MULTISCALE_COUNTS if multiscale else COUNTS, CLASSES + background, tf.shape(resized)[0])
        anchors = multiscale_anchors(grids, size) if multiscale else ssd_anchors(grids, "MultipleGridAnchorGenerator")
        boxes = tf.squeeze(boxes, [2], name="Squeeze")
        named_outputs(ssd_postprocessor(boxes, logits, anchors, shapes, names, converter == "SOFTMAX", background, clip_first))
    run_frozen(folder, graph, name, OUTPUTS, ssd_pipeline(converter, size, MULTISCALE if multiscale else SSD_ANCHORS, more), config,
               {"image_tensor": picture(name, *size)})


ALL_OUTPUTS = ["detection_anchor_indices", "detection_boxes", "detection_classes", "detection_multiclass_scores", "detection_scores", "num_detections",
               "raw_detection_boxes", "raw_detection_scores"]


def ssd_saved(folder, name, config, in_loop, names, more=""):
    """An SSD of TensorFlow 2, as a SavedModel: the graph of its signature calls the one with the model."""
    tf1.enable_control_flow_v2()

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, None, None, 3], tf.uint8, name="input_tensor")])
        def detect(self, input_tensor):
            tf.debugging.Assert(tf.equal(tf.shape(input_tensor)[0], 1), ["one image"])  # has an effect, as reading variables has, so the call is stateful
            images, shapes = preprocessor2(input_tensor, in_loop, SIZE, scaled)
            grids = features(tf.ensure_shape(images, [1, None, None, 3]))
            boxes, logits = heads(grids, COUNTS, CLASSES + 1, 1)
            anchors = ssd_anchors(grids, "MultiscaleGridAnchorGenerator")
            boxes = tf.squeeze(boxes, [2], name="Squeeze")
            found, scores, classes, count = ssd_postprocessor(boxes, logits, anchors, shapes, names, softmax=False)
            results = [tf.cast(classes, tf.float32), found, classes + 1.0, scores, scores, count, tf.identity(found), tf.identity(scores)]
            return {key: tf.identity(value) for key, value in zip(ALL_OUTPUTS, results)}

    model, image = Model(), picture(name)
    wanted = {key: value.numpy() for key, value in model.detect(tf.constant(image)).items() if key in OUTPUTS}
    tf.saved_model.save(model, folder, signatures=model.detect)
    write_saved(folder, ssd_pipeline("SIGMOID", more=more), {"input_tensor": image}, wanted, config)
