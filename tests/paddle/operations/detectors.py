"""Networks that find things, with what chooses boxes at their end."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f
from paddle.vision import ops

from models import Family
from operations.readers import layer
from values import fed

family = Family(__name__)
graph = family.graph
SIZES = {"dtype": np.float32, "values": [[1.0, 1.0]]}
NMS = {"background_label": -1, "score_threshold": 0.05, "nms_top_k": 100, "keep_top_k": 20, "nms_threshold": 0.5, "nms_eta": 1.0, "normalized": True}
COUNTED = {"Index": "int32", "NmsRoisNum": "int32"}


def pyramid(x, act=f.relu):
    """Maps of strides 8, 16 and 32."""
    x = layer(8, 12, 3, 2, act=act)(layer(3, 8, 3, 2, act=act)(x))
    found = []
    for inputs, outputs in ((12, 12), (12, 16), (16, 24)):
        x = layer(inputs, outputs, 3, 2, act=act)(x)
        found.append(x)
    return found


def rows(x, channels):
    """Places of a map as rows of these channels."""
    return paddle.reshape(paddle.transpose(x, [0, 2, 3, 1]), [0, -1, channels])


@graph("PPYOLOE", picture=True)
def ppyoloe(b):
    """Distances to the four sides, as expectations over 8 bins; centres of places; chosen by overlap."""
    x, scale = b.fed("image", fed(1, 3, 64, 64)), b.fed("scale_factor", fed(**SIZES))
    scores, boxes, bins = [], [], b.constant(np.arange(8, dtype=np.float32).reshape(8, 1))
    for x, channels, stride in zip(pyramid(x, f.swish), (12, 16, 24), (8, 16, 32)):
        mean = f.adaptive_avg_pool2d(x, 1)
        seen = layer(channels, channels, 1, act=f.swish)(x * f.sigmoid(nn.Conv2D(channels, channels, 1)(mean)))
        scores.append(paddle.flatten(f.sigmoid(nn.Conv2D(channels, 5, 3, padding=1)(seen + x)), 2))
        distances = paddle.transpose(paddle.reshape(nn.Conv2D(channels, 32, 3, padding=1)(seen), [-1, 4, 8, seen.shape[2] * seen.shape[3]]), [0, 3, 1, 2])
        distances = paddle.squeeze(paddle.matmul(f.softmax(distances), bins), -1)
        side = 64 // stride
        centres = np.stack(np.meshgrid(np.arange(side) + 0.5, np.arange(side) + 0.5), -1).reshape(1, -1, 2).astype(np.float32)
        first, second = paddle.split(distances, 2, axis=-1)
        centres = b.constant(centres)
        boxes.append(paddle.concat([centres - first, centres + second], -1) * stride)
    y, x = paddle.split(scale, 2, axis=-1)
    boxes = paddle.concat(boxes, 1) / paddle.reshape(paddle.concat([x, y, x, y], -1), [-1, 1, 4])
    found, _, count = b.op("multiclass_nms3", NMS, COUNTED, BBoxes=boxes, Scores=paddle.concat(scores, -1))
    return [found, count]


@graph("PicoDet", unknown={"image": (0,)}, picture=True)
def picodet(b):
    """Without the choosing: scores and boxes, roots of two scores multiplied."""
    x = b.fed("image", fed(1, 3, 64, 64))
    scores, boxes = [], []
    for x, channels, stride in zip(pyramid(x, f.hardswish), (12, 16, 24), (8, 16, 32)):
        seen = layer(channels, 16, 1, act=f.hardswish)(layer(channels, channels, 5, 1, channels, f.hardswish)(x))
        seen = seen * f.sigmoid(nn.Conv2D(16, 16, 1)(f.adaptive_avg_pool2d(seen, 1)))
        quality = f.sigmoid(nn.Conv2D(16, 1, 5, padding=2)(seen))
        scores.append(rows(paddle.sqrt(f.sigmoid(nn.Conv2D(16, 4, 1)(seen)) * quality), 4))
        distances = f.softmax(paddle.reshape(rows(nn.Conv2D(16, 32, 1)(seen), 32), [-1, 8]))
        boxes.append(paddle.reshape(f.linear(distances, b.constant(np.arange(8, dtype=np.float32)[:, None])), [-1, (64 // stride) ** 2, 4]) * stride)
    return [paddle.concat(scores, 1), paddle.concat(boxes, 1)]


@graph("YOLOv3", unknown={"image": (0,), "im_size": (0,)}, picture=True)
def yolo(b):
    """Two maps, the first brought to the size of the second; boxes and scores of each; the choosing."""
    x, size = b.fed("image", fed(1, 3, 64, 64)), b.fed("im_size", fed(values=[[64, 80]], dtype=np.int32))
    _, middle, deep = pyramid(x, f.leaky_relu)
    route = layer(24, 12, 1, act=f.leaky_relu)(deep)
    other = paddle.concat([f.interpolate(layer(12, 8, 1, act=f.leaky_relu)(route), scale_factor=2), middle], 1)
    boxes, scores = [], []
    for x, channels, anchors, stride in ((route, 12, [30, 30, 60, 50], 32), (other, 24, [10, 13, 16, 30], 16)):
        found, score = ops.yolo_box(nn.Conv2D(channels, 16, 1)(x), size, anchors, 3, 0.01, stride)
        boxes.append(found)
        scores.append(paddle.transpose(score, [0, 2, 1]))
    found, _, count = b.op("multiclass_nms3", {**NMS, "score_threshold": 0.2}, COUNTED, BBoxes=paddle.concat(boxes, 1), Scores=paddle.concat(scores, 2))
    return [found, count]


@graph("SSD", picture=True)
def ssd(b):
    """Priors of two maps, decoded by what the network says."""
    image = b.fed("image", fed(1, 3, 64, 64))
    places, scores, boxes, variances = [], [], [], []
    for x, channels, small, large in zip(pyramid(image)[1:], (16, 24), (16.0, 32.0), (32.0, 48.0)):
        prior, variance = b.op("prior_box", {"min_sizes": [small], "max_sizes": [large], "aspect_ratios": [2.0], "variances": [0.1, 0.1, 0.2,
                0.2], "flip": True, "clip": False, "offset": 0.5}, Input=x, Image=image)
        boxes.append(paddle.reshape(prior, [-1, 4]))
        variances.append(paddle.reshape(variance, [-1, 4]))
        places.append(rows(nn.Conv2D(channels, 16, 3, padding=1)(x), 4))
        scores.append(rows(nn.Conv2D(channels, 12, 3, padding=1)(x), 3))
    decoded = b.op("box_coder", {"code_type": "decode_center_size", "box_normalized": True, "axis": 0}, PriorBox=paddle.concat(boxes), PriorBoxVar=paddle.concat(variances),
                   TargetBox=paddle.concat(places, 1))
    chances = paddle.transpose(f.softmax(paddle.concat(scores, 1)), [0, 2, 1])
    found, _, count = b.op("multiclass_nms3", {**NMS, "background_label": 0}, COUNTED, BBoxes=decoded, Scores=chances)
    return [found, count]


@graph("SOLO", picture=True)
def solo(b):
    """Choosing by matrices, as PP-YOLO does."""
    x, size = b.fed("image", fed(1, 3, 64, 64)), b.fed("im_size", fed(values=[[64, 80]], dtype=np.int32))
    _, _, x = pyramid(x, f.mish)
    x = paddle.concat([x, *(f.max_pool2d(x, side, 1, side // 2) for side in (5, 9))], 1)
    found, score = ops.yolo_box(nn.Conv2D(72, 18, 1)(x), size, [30, 30, 60, 50], 3, 0.01, 32, iou_aware=True, iou_aware_factor=0.5, scale_x_y=1.05)
    found, _, count = b.op("matrix_nms",
                           {"background_label": -1, "score_threshold": 0.05, "post_threshold": 0.05, "nms_top_k": 50, "keep_top_k": 20, "use_gaussian": False,
                            "normalized": True}, {"Index": "int32", "RoisNum": "int32"}, BBoxes=found,
                           Scores=paddle.transpose(score, [0, 2, 1]))
    return [found, count]


@graph("MaskRCNN", picture=True)
def mask_rcnn(b):
    """Proposals of two levels, pooled from their maps; classes and boxes of each; the choosing; masks of what was chosen."""
    image, size = b.fed("image", fed(1, 3, 64, 64)), b.fed("im_shape", fed(values=[[64.0, 64.0]]))
    maps = [nn.Conv2D(channels, 8, 1)(x) for x, channels in zip(pyramid(image)[:2], (12, 16))]
    shared, score, delta, rois, chances, counts = nn.Conv2D(8, 8, 3, padding=1), nn.Conv2D(8, 3, 1), nn.Conv2D(8, 12, 1), [], [], []
    for x, stride in zip(maps, (8.0, 16.0)):
        seen = f.relu(shared(x))
        anchors, variances = b.op("anchor_generator", {"anchor_sizes": [2 * stride], "aspect_ratios": [0.5, 1.0, 2.0], "variances": [1.0, 1.0, 1.0, 1.0], "stride": [stride,
                stride], "offset": 0.0}, Input=x)
        roi, chance, count = b.op("generate_proposals_v2", {"pre_nms_topN": 60, "post_nms_topN": 10, "nms_thresh": 0.7, "min_size": 0.0, "eta": 1.0, "pixel_offset": False},
                                  {"RpnRoisNum": "int32"}, Scores=f.sigmoid(score(seen)), BboxDeltas=delta(seen),
                                  ImShape=size, Anchors=anchors, Variances=variances)
        rois.append(roi)
        chances.append(chance)
        counts.append(count)
    rois, count = b.op("collect_fpn_proposals", {"post_nms_topN": 12}, {"RoisNum": "int32"}, MultiLevelRois=rois, MultiLevelScores=chances, MultiLevelRoIsNum=counts)

    def pooled(rois, count, side):
        levels, restore, numbers = ops.distribute_fpn_proposals(rois, 3, 4, 3, 24, rois_num=count)
        parts = [ops.roi_align(x, level, number, side, 1 / stride, 2) for x, level, number, stride in zip(maps, levels, numbers, (8, 16))]
        return paddle.gather(paddle.concat(parts), paddle.squeeze(restore, 1))
    x = f.relu(nn.Linear(72, 16)(paddle.flatten(pooled(rois, count, 3), 1)))
    scores, deltas = f.softmax(nn.Linear(16, 4)(x)), nn.Linear(16, 4)(x)
    decoded = b.op("box_coder", {"code_type": "decode_center_size", "box_normalized": False, "axis": 1, "variance": [0.1, 0.1, 0.2,
            0.2]}, PriorBox=rois, TargetBox=paddle.unsqueeze(deltas, 1))
    boxes = paddle.reshape(paddle.minimum(f.relu(decoded), paddle.full([1], 64.0)), [1, -1, 4])
    found, _, number = b.op("multiclass_nms3", {**NMS, "background_label": 3, "normalized": False}, COUNTED, BBoxes=boxes, Scores=paddle.unsqueeze(paddle.transpose(scores, [1, 0]), 0))
    masks = f.sigmoid(nn.Conv2D(8, 3, 1)(f.relu(nn.Conv2DTranspose(8, 8, 2, 2)(pooled(found[:, 2:], number, 4)))))
    return [found, number, masks]


@graph("keypoints", unknown=(0,), picture=True)
def keypoints(b):
    """As HRNet: two branches of other sizes that exchange what they see; heat maps, and where each is warmest."""
    x = layer(3, 8, 3, 2)(b.fed("image", fed(1, 3, 64, 48)))
    large, small = layer(8, 8)(x), layer(8, 16, 3, 2)(x)
    large, small = large + f.interpolate(layer(16, 8, 1, act=lambda y: y)(small), scale_factor=2), small + layer(8, 16, 3, 2, act=lambda y: y)(large)
    heat = nn.Conv2D(8, 5, 1)(f.relu(large) + f.interpolate(layer(16, 8, 1)(small), size=[32, 24], mode="bilinear"))
    return [heat, paddle.argmax(paddle.flatten(heat, 2), axis=-1), paddle.max(heat, axis=[2, 3])]
