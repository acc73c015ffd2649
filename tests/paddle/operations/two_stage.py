"""Detectors of two stages as PaddleDetection writes them, small, and what their loops need: lists whose elements are joined, variables that have no value before a loop."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional as f
from paddle.vision import ops

from models import Family
from values import fed

family = Family(__name__)
graph, traced = family.graph, family.traced
SIZES = {"dtype": np.float32, "values": [[64.0, 80.0]]}
SCALES = {"dtype": np.float32, "values": [[1.0, 0.5]]}
COUNTS = {"dtype": np.int32, "values": [2, 2, 2]}
# PaddlePaddle 3 joins only elements of one length.
LENGTHS = np.int32([2, 1, 3])


@graph("expand_to_numbers_of_unknown_length", unknown={"counts": (0,)})
def expand(b):
    """Each part of a shape is one number, whatever its declaration says."""
    x, counts = b.fed("x", fed(1, 3)), b.fed("counts", fed(**COUNTS))
    return [paddle.expand(x, [counts[0:1], 3]), paddle.zeros([counts[2:3], 2])]


class Joined(nn.Layer):
    """Elements of several lengths that are joined behind the loop."""

    def forward(self, x, counts):
        rows, parts = [], []
        for i in range(counts.shape[0]):
            rows.append(paddle.expand(x[i:i + 1], [counts[i:i + 1], 3]))
            parts.append(counts[i:i + 1] * 2)
        return paddle.concat(rows), paddle.concat(parts)


traced("joined", {"x": (0,), "counts": (0,)}, {"more": {"counts": LENGTHS}}, x=fed(3, 3), counts=fed(**COUNTS))(Joined)


class JoinedOfAnyWidth(nn.Layer):
    """Only the rank of the elements is known."""

    def forward(self, x, counts):
        parts = []
        for i in range(counts.shape[0]):
            parts.append(x[0:counts[i]] * (i + 1))
        return paddle.concat(parts)


traced("joined_of_any_width", {"x": (0, 1, 2), "counts": (0,)}, {"more": {"x": np.ones([3, 1, 5], np.float32), "counts": LENGTHS}}, x=fed(3, 4, 2), counts=fed(**COUNTS))(JoinedOfAnyWidth)


class LastValue(nn.Layer):
    """What has no value before the loop is read behind it."""

    def forward(self, x):
        for i in range(x.shape[0]):
            row = x[i] * 2
            count = paddle.sum(paddle.cast(row > 0, "int32"))
        return row, count


traced("value_of_the_last_iteration", (0,), x=fed(3, 4))(LastValue)


def proposals(scores, deltas, sizes, anchors):
    return ops.generate_proposals(scores, deltas, sizes, anchors, paddle.ones_like(anchors), pre_nms_top_n=40, post_nms_top_n=12, nms_thresh=0.7, min_size=0.0, return_rois_num=True)


class Counted(nn.Layer):
    """The number of proposals, which PaddlePaddle 3 declares with a wrong type, is kept until the next iteration, or read behind the loop."""

    def __init__(self, reads):
        super().__init__()
        self.reads = reads

    def forward(self, scores, deltas, anchors):
        found = []
        sizes = paddle.full([scores.shape[0], 2], 40.0)
        for i in range(scores.shape[0]):
            rois, _, count = proposals(scores[i:i + 1], deltas[i:i + 1], sizes[i:i + 1], anchors)
            found.append(rois)
        return (paddle.concat(found), count) if self.reads else paddle.concat(found)


for name, reads in (("number_is_left", False), ("number_is_read", True)):
    traced(name, {"scores": (0,), "deltas": (0,)}, scores=fed(1, 3, 4, 5, low=0, high=1), deltas=fed(1, 12, 4, 5, low=-0.5, high=0.5),
           anchors=fed(60, 4, low=2, high=30))(lambda reads=reads: Counted(reads))


def chosen(boxes, scores, numbers):
    """multiclass_nms3; the functions of paddle do not have it."""
    attrs = {"score_threshold": 0.05, "nms_top_k": -1, "keep_top_k": 8, "nms_threshold": 0.5, "normalized": True, "nms_eta": 1.0, "background_label": 3}
    if hasattr(paddle.framework, "in_pir_mode") and paddle.framework.in_pir_mode():
        found, _, count = paddle._C_ops.multiclass_nms3(boxes, scores, numbers, *attrs.values())
        return found, count
    helper = paddle.base.layer_helper.LayerHelper("multiclass_nms3")
    found, index, count = (helper.create_variable_for_type_inference(dtype=kind) for kind in ("float32", "int32", "int32"))
    helper.append_op(type="multiclass_nms3", inputs={"BBoxes": boxes, "Scores": scores, "RoisNum": numbers}, attrs=attrs, outputs={"Out": found, "Index": index, "NmsRoisNum": count})
    return found, count


class Anchors:
    """Boxes of three shapes around each place of a map."""

    def __init__(self, stride):
        self.stride, sides = stride, [2.0 * stride * ratio ** 0.5 for ratio in (0.5, 1.0, 2.0)]
        self.base = np.float32([[-wide / 2, -high / 2, wide / 2, high / 2] for wide, high in zip(sides, sides[::-1])])

    def __call__(self, x):
        size = paddle.shape(x)
        across = paddle.arange(0, size[3] * self.stride, step=self.stride, dtype="float32")
        down = paddle.arange(0, size[2] * self.stride, step=self.stride, dtype="float32")
        down, across = (one.reshape([-1]) for one in paddle.meshgrid(down, across))
        places = paddle.stack((across, down, across, down), axis=1).reshape([-1, 1, 4])
        return (places + paddle.to_tensor(self.base).reshape([1, -1, 4])).reshape([-1, 4])


class TwoStage(nn.Layer):
    """Proposals picture by picture; regions of two maps; classes and boxes of each; boxes of the picture as it was; masks, if there are any boxes."""

    def __init__(self, masks):
        super().__init__()
        self.masks, self.strides = masks, (8, 16)
        self.stem = nn.Sequential(nn.Conv2D(3, 8, 3, 4, 1), nn.ReLU(), nn.Conv2D(8, 12, 3, 2, 1), nn.ReLU())
        self.deeper, self.side, self.top = nn.Sequential(nn.Conv2D(12, 16, 3, 2, 1), nn.ReLU()), nn.Conv2D(12, 8, 1), nn.Conv2D(16, 8, 1)
        self.rpn, self.score, self.delta = nn.Conv2D(8, 8, 3, padding=1), nn.Conv2D(8, 3, 1), nn.Conv2D(8, 12, 1)
        self.hidden, self.kind, self.place = nn.Linear(72, 16), nn.Linear(16, 4), nn.Linear(16, 12)
        self.wider, self.mask = nn.Conv2DTranspose(8, 8, 2, 2), nn.Conv2D(8, 3, 1)
        self.anchors = [Anchors(stride) for stride in self.strides]

    def propose(self, maps, im_shape):
        seen = [f.relu(self.rpn(x)) for x in maps]
        scores, deltas = [f.sigmoid(self.score(x)) for x in seen], [self.delta(x) for x in seen]
        anchors = [make(x) for make, x in zip(self.anchors, maps)]
        all_rois, numbers = [], []
        for i in range(im_shape.shape[0]):
            rois_list, chances_list = [], []
            for score, delta, anchor in zip(scores, deltas, anchors):
                rois, chances, count = proposals(score[i:i + 1], delta[i:i + 1], im_shape[i:i + 1], anchor)
                rois_list.append(rois)
                chances_list.append(chances)
            rois = paddle.concat(rois_list)
            chances = paddle.concat(chances_list).flatten()
            if chances.shape[0] > 12:
                best, which = paddle.topk(chances, 12)
                kept = paddle.gather(rois, which)
            else:
                kept = rois
                which = paddle.zeros([12], dtype="int64")
            all_rois.append(kept)
            numbers.append(paddle.shape(kept)[0:1])
            rois_list, chances_list = None, None
        return all_rois, paddle.concat(numbers).astype("int32")

    def pooled(self, maps, rois, numbers, side):
        if len(rois) > 1:
            rois = paddle.concat(rois)
        else:
            rois = rois[0]
        levels, restore, counts = ops.distribute_fpn_proposals(rois, 3, 4, 3, 24, rois_num=numbers)
        parts = [ops.roi_align(x, level, count, side, 1 / stride, 0) for x, level, count, stride in zip(maps, levels, counts, self.strides)]
        return paddle.gather(paddle.concat(parts), restore)

    def decoded(self, deltas, rois, numbers, im_shape):
        limits = []
        for i in range(im_shape.shape[0]):
            limits.append(paddle.expand(im_shape[i, :], [numbers[i], 2]))
        limits = paddle.concat(limits)
        rois = paddle.concat(rois)
        wide, high = (rois[:, 2] - rois[:, 0]).unsqueeze(1), (rois[:, 3] - rois[:, 1]).unsqueeze(1)
        x, y = deltas[:, 0::4] / 10 * wide + rois[:, 0:1] + 0.5 * wide, deltas[:, 1::4] / 10 * high + rois[:, 1:2] + 0.5 * high
        wide, high = paddle.exp(paddle.clip(deltas[:, 2::4] / 5, max=4.0)) * wide, paddle.exp(paddle.clip(deltas[:, 3::4] / 5, max=4.0)) * high
        boxes = paddle.stack([x - 0.5 * wide, y - 0.5 * high, x + 0.5 * wide, y + 0.5 * high], axis=-1)
        most = limits.flip(1).tile([1, 2]).unsqueeze(1)
        return paddle.maximum(paddle.minimum(boxes, most), paddle.zeros_like(boxes))

    def as_it_was(self, found, count, im_shape, scale_factor):
        boxes, counts, start = [], [], 0
        none, one = paddle.to_tensor(np.float32([[0, 0, 0, 0, 1, 1]])), paddle.to_tensor(np.int32([1]))
        for i in range(count.shape[0]):
            if count[i] == 0:
                own = none
                own_count = one
            else:
                own = found[start:start + count[i], :]
                own_count = count[i:i + 1]
                start += count[i]
            boxes.append(own)
            counts.append(own_count)
        boxes, counts = paddle.concat(boxes), paddle.concat(counts)
        scales = []
        for i in range(counts.shape[0]):
            down, across = paddle.unsqueeze(scale_factor[i, 0], 0), paddle.unsqueeze(scale_factor[i, 1], 0)
            scales.append(paddle.expand(paddle.concat([across, down, across, down]), [counts[i:i + 1], 4]))
        return paddle.concat([boxes[:, :2], boxes[:, 2:] / paddle.concat(scales)], axis=1), counts

    def masks_of(self, maps, found, count):
        if found.shape[0] == 0:
            out = paddle.full([1, 1, 1], -1.0)
        else:
            seen = self.mask(f.relu(self.wider(self.pooled(maps, [found[:, 2:]], count, 4))))
            which = paddle.arange(seen.shape[0]).cast("int32")
            out = f.sigmoid(seen[which, found[:, 0].cast("int32")].reshape([-1, 8, 8]))
        return out

    def forward(self, image, im_shape, scale_factor):
        x = self.stem(image)
        y = self.top(self.deeper(x))
        maps = [self.side(x) + f.interpolate(y, scale_factor=2), y]
        rois, numbers = self.propose(maps, im_shape)
        x = f.relu(self.hidden(paddle.flatten(self.pooled(maps, rois, numbers, 3), 1)))
        scores, deltas = f.softmax(self.kind(x)), self.place(x)
        found, count = chosen(self.decoded(deltas, rois, numbers, im_shape), scores[:, :-1], numbers)
        boxes, counts = self.as_it_was(found, count, im_shape, scale_factor)
        return (boxes, counts, self.masks_of(maps, found, count)) if self.masks else (boxes, counts)


for name, masks in (("FasterRCNN", False), ("MaskRCNN", True)):
    traced(name, {"image": (0, 2, 3), "im_shape": (0,), "scale_factor": (0,)}, {"picture": True}, image=fed(1, 3, 64, 80), im_shape=fed(**SIZES), scale_factor=fed(**SCALES))(lambda masks=masks: TwoStage(masks))
