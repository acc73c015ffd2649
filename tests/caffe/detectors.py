"""Layers of detectors in NumPy, as SSD, Faster R-CNN, R-FCN and Darknet define them: kind(parameters, bottoms, blobs) gives the tops."""
import numpy as np


def half_up(x):
    """C's round, of numbers that are not negative."""
    return np.floor(np.asarray(x, np.float64) + 0.5)


def listed(param, name):
    value = param.get(name, [])
    return list(value) if isinstance(value, (list, tuple)) else [value]


def sizes_of_image(param, bottoms):
    height, width = (param.get(f"img_{letter}", param.get("img_size", 0)) for letter in "hw")
    return (height, width) if height and width else bottoms[1].shape[2:]


def priors(param, bottoms, boxes):
    """For each cell a box of each size (width, height) around its middle, or beside it by (x, y) and within the picture; then the variances."""
    rows, columns = bottoms[0].shape[2:]
    height, width = sizes_of_image(param, bottoms)
    step_h, step_w = (param.get(f"step_{letter}", param.get("step", 0)) for letter in "hw")
    step_h, step_w = step_h or height / rows, step_w or width / columns
    offset, out = param.get("offset", 0.5), []
    for i in range(rows):
        for j in range(columns):
            x, y = (j + offset) * step_w, (i + offset) * step_h
            for w, h, *beside in boxes:
                left, top = np.add((x, y), beside or 0)
                corners = [(left - w / 2) / width, (top - h / 2) / height, (left + w / 2) / width, (top + h / 2) / height]
                out += list(np.clip(corners, 0, 1)) if beside else corners
    out = np.clip(out, 0, 1) if param.get("clip", False) else np.array(out)
    variance = listed(param, "variance") or [0.1]
    variance = np.tile(variance * 4 if len(variance) == 1 else variance, len(out) // 4)
    return [np.stack([out, variance])[None]]


def fixed_boxes(param, ratios):
    """Of each fixed size density x density boxes whose middles stand a whole number of pixels apart."""
    boxes, densities = [], listed(param, "density")
    for i, size in enumerate(listed(param, "fixed_size")):
        density = int(densities[i]) if densities else 1
        shift = int(size / density)
        beside = [shift / 2 - int(size) // 2 + shift * k for k in range(density)]
        for ratio in listed(param, "fixed_ratio") or (ratios if densities else ratios[1:]):
            boxes += [(size * np.sqrt(ratio), size / np.sqrt(ratio), x, y) for y in beside for x in beside]
    return boxes


def prior_box(param, bottoms, blobs):
    """Sizes are integers in Caffe: 35.84 is 35."""
    ratios = [1.0]
    for ratio in listed(param, "aspect_ratio"):
        if not any(abs(ratio - one) < 1e-6 for one in ratios):
            ratios += [ratio, 1 / ratio] if param.get("flip", True) else [ratio]
    boxes, largest = fixed_boxes(param, ratios), [int(size) for size in listed(param, "max_size")]
    for i, size in enumerate(map(int, listed(param, "min_size"))):
        boxes.append((size, size))
        if largest:
            boxes.append((np.sqrt(size * largest[i]),) * 2)
        boxes += [(size * np.sqrt(ratio), size / np.sqrt(ratio)) for ratio in ratios[1:]]
    return priors(param, bottoms, boxes)


def prior_box_clustered(param, bottoms, blobs):
    return priors(param, bottoms, list(zip(listed(param, "width"), listed(param, "height"))))


def decoded(prior, variance, code, kind, in_target):
    code = code * (1 if in_target else variance)
    if kind == "CORNER":
        return prior + code
    size = np.stack([prior[:, 2] - prior[:, 0], prior[:, 3] - prior[:, 1]], 1)
    if kind == "CORNER_SIZE":
        return prior + code * np.tile(size, 2)
    middle = code[:, :2] * size + (prior[:, :2] + prior[:, 2:]) / 2
    half = np.exp(code[:, 2:]) * size / 2
    return np.concatenate([middle - half, middle + half], 1)


def overlap(a, b, extra=0):
    """Of one box with many; `extra` is the size of a box of equal corners."""
    size = np.maximum(np.minimum(a[2:], b[:, 2:]) - np.maximum(a[:2], b[:, :2]) + extra, 0)
    both = size[:, 0] * size[:, 1]
    area = [np.prod(one[..., 2:] - one[..., :2] + extra, axis=-1) for one in (a, b)]
    return both / np.maximum(area[0] + area[1] - both, 1e-12)


def suppressed(boxes, scores, threshold, extra=0):
    """The places of the boxes that stay, the best first."""
    kept = []
    for i in np.argsort(-scores, kind="stable"):
        if not kept or overlap(boxes[i], boxes[kept], extra).max() <= threshold:
            kept.append(i)
    return kept


def detection_output(param, bottoms, blobs):
    """Rows of image, class, score and corners. RefineDet's bottoms 3 and 4 are scores [background, object] and boxes of a first stage: its boxes are
    priors, those of a low score are background."""
    location, confidence, prior = (bottom.astype(np.float64) for bottom in bottoms[:3])
    classes, shared, background = param["num_classes"], param.get("share_location", True), param.get("background_label_id", 0)
    nms, rows = param.get("nms_param", {}), []
    count = prior.shape[2] // 4
    in_target = param.get("variance_encoded_in_target", False)
    corners, variance = prior[0, 0].reshape(count, 4), (np.ones((count, 4)) if in_target else prior[0, 1].reshape(count, 4))
    for image in range(len(location)):
        codes = location[image].reshape(count, -1, 4)
        scores = confidence[image].reshape(count, classes).copy()
        found, own = [], corners
        if len(bottoms) == 5:
            scores[bottoms[3][image].reshape(count, 2)[:, 1] < param.get("objectness_score", 0.01)] = np.eye(classes)[0]
            own = decoded(corners, variance, bottoms[4][image].reshape(count, 4), param.get("code_type", "CORNER"), in_target)
        for label in range(classes):
            if label == background:
                continue
            boxes = decoded(own, variance, codes[:, 0 if shared else label], param.get("code_type", "CORNER"), in_target)
            good = np.flatnonzero(scores[:, label] > param.get("confidence_threshold", -np.inf))
            good = good[np.argsort(-scores[good, label], kind="stable")]
            if nms.get("top_k", -1) > 0:
                good = good[:nms["top_k"]]
            for i in suppressed(boxes[good], scores[good, label], nms.get("nms_threshold", 0.3)):
                found.append((scores[good[i], label], label, boxes[good[i]]))
        most = param.get("keep_top_k", -1)
        if 0 < most < len(found):
            found = sorted(found, key=lambda one: -one[0])[:most]
        found.sort(key=lambda one: (one[1], -one[0]))
        rows += [[image, label, score, *box] for score, label, box in found]
    return [np.array(rows).reshape(1, 1, -1, 7)]


def anchors(size, ratios, scales):
    """Of py-faster-rcnn: corners around the middle of the first cell."""
    middle = (size - 1) / 2
    out = []
    for ratio in ratios:
        width = np.rint(np.sqrt(size * size / ratio))
        height = np.rint(width * ratio)
        out += [[middle - (width * s - 1) / 2, middle - (height * s - 1) / 2, middle + (width * s - 1) / 2, middle + (height * s - 1) / 2]
                for s in scales]
    return np.array(out)


def proposal(param, bottoms, blobs):
    scores, deltas, info = (bottom.astype(np.float64) for bottom in bottoms)
    base = anchors(param.get("base_size", 16), listed(param, "ratio") or [0.5, 1, 2], listed(param, "scale") or [8, 16, 32])
    count, stride = len(base), param.get("feat_stride", 16)
    height, width = scores.shape[2:]
    image_h, image_w, scale = info.ravel()[:3]
    y, x = np.meshgrid(np.arange(height) * stride, np.arange(width) * stride, indexing="ij")
    all_anchors = (np.stack([x, y, x, y], -1)[:, :, None] + base).reshape(-1, 4)
    rois, best = [], []
    for image in range(len(scores)):
        score = scores[image, count:].transpose(1, 2, 0).ravel()
        delta = deltas[image].transpose(1, 2, 0).reshape(-1, 4)
        size = all_anchors[:, 2:] - all_anchors[:, :2] + 1
        middle = delta[:, :2] * size + all_anchors[:, :2] + size / 2
        half = np.exp(delta[:, 2:]) * size / 2
        boxes = np.concatenate([middle - half, middle + half], 1)
        boxes = np.clip(boxes, 0, [image_w - 1, image_h - 1] * 2)
        large = ((boxes[:, 2:] - boxes[:, :2] + 1) >= param.get("min_size", 16) * scale).all(1)
        boxes, score = boxes[large], score[large]
        order = np.argsort(-score, kind="stable")[:param.get("pre_nms_topn", 6000)]
        boxes, score = boxes[order], score[order]
        kept = suppressed(boxes, score, param.get("nms_thresh", 0.7), 1)[:param.get("post_nms_topn", 300)]
        rois.append(np.concatenate([np.full((len(kept), 1), image), boxes[kept]], 1))
        best.append(score[kept])
    return [np.concatenate(rois), np.concatenate(best)]


def roi_pooling(param, bottoms, blobs):
    x, rois = bottoms
    rows, columns, scale = param["pooled_h"], param["pooled_w"], param.get("spatial_scale", 1)
    out = np.zeros((len(rois), x.shape[1], rows, columns))
    for r, roi in enumerate(rois):
        left, top, right, bottom = half_up(roi[1:] * np.float32(scale)).astype(int)
        height, width = max(bottom - top + 1, 1) / rows, max(right - left + 1, 1) / columns
        for i in range(rows):
            for j in range(columns):
                ys = [int(np.clip(v + top, 0, x.shape[2])) for v in (np.floor(i * height), np.ceil((i + 1) * height))]
                xs = [int(np.clip(v + left, 0, x.shape[3])) for v in (np.floor(j * width), np.ceil((j + 1) * width))]
                if ys[1] > ys[0] and xs[1] > xs[0]:
                    out[r, :, i, j] = x[int(roi[0]), :, ys[0]:ys[1], xs[0]:xs[1]].max((1, 2))
    return [out]


def psroi_pooling(param, bottoms, blobs):
    x, rois = bottoms
    outputs, group, scale = param["output_dim"], param["group_size"], param["spatial_scale"]
    out = np.zeros((len(rois), outputs, group, group))
    for r, roi in enumerate(rois):
        left, top = half_up(roi[1:3]) * scale
        right, bottom = (half_up(roi[3:]) + 1) * scale
        width, height = max(right - left, 0.1) / group, max(bottom - top, 0.1) / group
        for c in range(outputs):
            for i in range(group):
                for j in range(group):
                    ys = [int(np.clip(v, 0, x.shape[2])) for v in (np.floor(i * height + top), np.ceil((i + 1) * height + top))]
                    xs = [int(np.clip(v, 0, x.shape[3])) for v in (np.floor(j * width + left), np.ceil((j + 1) * width + left))]
                    part = x[int(roi[0]), (c * group + i) * group + j, ys[0]:ys[1], xs[0]:xs[1]]
                    out[r, c, i, j] = part.mean() if part.size else 0
    return [out]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def region_yolo(param, bottoms, blobs):
    """Of each anchor x, y and objectness by sigmoid; classes by softmax, else by sigmoid."""
    x = bottoms[0].astype(np.float64).copy()
    classes, coords, softmax = param.get("classes", 20), param.get("coords", 4), param.get("do_softmax", True)
    count = param.get("num", 1) if softmax else len(listed(param, "mask")) or param.get("num", 1)
    parts = x[:, :count * (coords + 1 + classes)].reshape(len(x), count, coords + 1 + classes, *x.shape[2:])
    parts[:, :, :2] = sigmoid(parts[:, :, :2])
    parts[:, :, coords] = sigmoid(parts[:, :, coords])
    last = parts[:, :, coords + 1:]
    if softmax:
        e = np.exp(last - last.max(2, keepdims=True))
        parts[:, :, coords + 1:] = e / e.sum(2, keepdims=True)
        axis, end = param.get("axis", 1), param.get("end_axis", -1) % 4
        y = parts.reshape(x.shape)
        return [y.reshape(x.shape[:axis] + (-1,) + x.shape[end + 1:])]
    parts[:, :, coords + 1:] = sigmoid(last)
    return [parts.reshape(len(x), -1, *x.shape[2:])]


def reorg_yolo(param, bottoms, blobs):
    """Darknet's: the elements of a picture of stride x stride times as many pixels and fewer channels, in the order in which they are read."""
    x, s = bottoms[0], param.get("stride", 1)
    n, c, h, w = x.shape
    flat, out = x.reshape(n, -1), np.zeros_like(x).reshape(n, -1)
    few = c // (s * s)
    at = 0
    for k in range(c):
        for j in range(h):
            for i in range(w):
                column, row = i * s + k // few % s, j * s + k // few // s
                out[:, at] = flat[:, column + w * s * (row + h * s * (k % few))]
                at += 1
    return [out.reshape(n, c * s * s, h // s, w // s)]


LAYERS = {"PriorBox": prior_box, "PriorBoxClustered": prior_box_clustered, "DetectionOutput": detection_output, "Proposal": proposal,
          "ROIPooling": roi_pooling, "PSROIPooling": psroi_pooling, "RegionYolo": region_yolo, "ReorgYolo": reorg_yolo}
