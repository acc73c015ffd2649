"""Models of two stages, saved by TensorFlow 2: Faster R-CNN and Mask R-CNN."""
import tensorflow as tf

from .parts import CLASSES, conv, picture, preprocessor2, suppress, tf1, write_saved
from .two_stages import CROP, KEPT, MEAN, PROPOSALS, crops, features, first_boxes, in_window, pipeline, predict_by_layers, second_boxes


def first_stage(grid, shape, shapes):
    """Normalised proposals [1, P, 4]."""
    sizes = [tf.cast(shapes, tf.float32, name=name) for name in ("Cast_1", "Cast_2")]
    boxes, logits = first_boxes(grid, ("concat/concat", "concat_1/concat"))
    boxes += tf.reduce_max(tf.add_n(sizes)) * 0.0
    with tf.name_scope("BatchMultiClassNonMaxSuppression"):
        kept = tf.image.non_max_suppression(boxes, tf.nn.softmax(logits)[0, :, 1], PROPOSALS, 0.7)
        clipped = tf.ensure_shape(in_window(tf.gather(boxes, kept)), [PROPOSALS, 4])
        count = tf.cast(tf.stack([tf.size(kept)], name="stack_10"), tf.float32)
    return tf.stack([clipped / tf.cast(tf.stack([shape[1], shape[2]] * 2), tf.float32) + count[0] * 0.0], name="stack_3")


def detect_boxes(found):
    with tf.name_scope("SecondStagePostprocessor/BatchMultiClassNonMaxSuppression/"):
        boxes, scores, classes = (part[tf.newaxis] for part in found[:3])
    with tf.name_scope("SecondStagePostprocessor/"):
        return boxes, scores, classes, tf.cast(tf.stack([tf.cast(found[3], tf.int32)]), tf.float32, name="Cast_3")


def detect_masks(found, grid):
    with tf.name_scope("BatchMultiClassNonMaxSuppression_1"):
        boxes, scores, classes = tf.stack([found[0]], name="stack_6"), tf.stack([found[1]]), tf.stack([found[2]])
        count = tf.stack([found[3]], name="stack_8")
    cut = crops("CropAndResize_1", grid, tf.ensure_shape(boxes, [1, KEPT, 4]))
    cut = tf.reshape(cut, [-1, CROP, CROP, 16], name="Reshape_10")
    with tf.name_scope("mask_rcnn_keras_box_predictor/mask_rcnn_mask_head"):
        masks = tf.sigmoid(conv("MaskPredictor_last_conv2d", tf.nn.relu(conv("Conv", cut, 8, 1, 3)), CLASSES))
    return tf.reshape(boxes, [1, KEPT, 4], name="Reshape_13"), scores, classes, count, masks


def two_stages_saved(folder, name, config, in_loop, masks):
    """As a SavedModel: the graph of its signature calls the one with the model."""
    tf1.enable_control_flow_v2()
    scopes = ("", "") if masks else ("SecondStagePostprocessor/",) * 2
    names = ("Reshape_4", "Reshape_5", "ExpandDims_6", "Cast_5") if masks else ("Reshape", "Reshape_1", "ExpandDims", "Cast_2")

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, None, None, 3], tf.uint8, name="input_tensor")])
        def detect(self, input_tensor):
            # Has an effect, as reading variables has, so the call is stateful.
            tf.debugging.Assert(tf.equal(tf.shape(input_tensor, name="number_of_images")[0], 1), ["one image"])
            resized, shapes = preprocessor2(input_tensor, in_loop, (64, 80), after=lambda images: tf.subtract(images, MEAN, name="sub"))
            resized = tf.ensure_shape(resized, [1, None, None, 3])
            shape = tf.shape(resized, name="Shape")
            grid = features(resized)
            proposals = first_stage(grid, shape, shapes)
            boxes, logits = predict_by_layers(grid, proposals)
            boxes, scores = second_boxes(boxes, logits, proposals, shapes, "SOFTMAX", scopes, names)
            found = suppress(boxes[0], scores[0], 0.6, 0.3, KEPT)
            boxes, scores, classes, count, *more = detect_masks(found, grid) if masks else detect_boxes(found)
            results = {"boxes": tf.identity(boxes), "scores": tf.identity(scores), "classes": classes + 1.0, **dict(zip(["masks"], more))}
            return {"num_detections": tf.identity(count), **{"detection_" + key: value for key, value in results.items()}}

    model, image = Model(), picture(name, 64, 80, 4)
    wanted = {key: value.numpy() for key, value in model.detect(tf.constant(image)).items()}
    tf.saved_model.save(model, folder, signatures=model.detect)
    write_saved(folder, pipeline(), {"input_tensor": image}, wanted, config)
