"""OpenCV's reader of Caffe's models, as a second judge."""
import cv2
import numpy as np

from net import Word

# Defaults that OpenCV does not know, or has otherwise than Caffe: they are written out for it.
SPELLED = {"PriorBox": {"variance": 0.1, "clip": False}, "PriorBoxClustered": {"variance": 0.1, "clip": False},
           "DetectionOutput": {"share_location": True, "background_label_id": 0, "code_type": Word("CORNER")}, "Resample": {"type": Word("LINEAR")}}


def in_order(rows):
    """Detections by image and class, the best first: where there are more than keep_top_k, OpenCV leaves them in the order of their scores."""
    image, label, score = rows[0, 0, :, :3].T
    return rows[:, :, np.lexsort((-score, label, image))]


class Refused(Exception):
    pass


def results(net, model):
    """What OpenCV computes of a network that is written to `model` (.caffemodel), by name."""
    wanted = {top: net.makers[top] for top in net.results()}
    layers = sorted({layer for layer, _ in wanted.values()})
    try:
        read = cv2.dnn.readNetFromCaffe(model.removesuffix("caffemodel") + "prototxt", model)
        for name, value in net.feeds.items():
            read.setInput(value, name)
        found = dict(zip(layers, read.forwardAndRetrieve(layers)))
    except cv2.error as error:
        raise Refused(str(error)) from None
    kinds = {layer: kind for layer, kind, _ in net.layers}
    values = {top: found[layer][at] for top, (layer, at) in wanted.items()}
    return {top: in_order(value) if kinds[wanted[top][0]] == "DetectionOutput" else value for top, value in values.items()}
