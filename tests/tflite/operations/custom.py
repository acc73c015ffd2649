"""Custom operators that are known by name, and look-ups in tables."""
import struct

import numpy as np
from flatbuffers import flexbuffers

from models import STRING, Family
from values import fed, fixed

family = Family(__name__)
graph = family.graph


def options(**values):
    builder = flexbuffers.Builder()
    with builder.Map():
        for name, value in values.items():
            if isinstance(value, list):
                builder.Key(name)
                builder.TypedVectorFromElements(value) if value else builder.TypedVectorFromElements([])
                continue
            if isinstance(value, str):
                builder.String(name, value)
                continue
            (builder.Bool if isinstance(value, bool) else builder.Int if isinstance(value, int) else builder.Float)(name, value)
    return bytes(builder.Finish())


def detection(name, boxes=20, classes=4, background=True, columns=4, **more):
    given = dict(max_detections=6, max_classes_per_detection=1, detections_per_class=5, use_regular_nms=False, nms_score_threshold=0.3, nms_iou_threshold=0.4, num_classes=classes,
                 y_scale=10.0, x_scale=10.0, h_scale=5.0, w_scale=5.0) | more

    @graph("detection_" + name)
    def build(b):
        side = int(np.ceil(boxes ** 0.5))
        centres = np.stack(np.meshgrid(*[(np.arange(side) + 0.5) / side] * 2, indexing="ij"), -1).reshape(-1, 2)[:boxes]
        anchors = np.concatenate([centres, np.full((boxes, 2), 1.6 / side)], 1).astype(np.float32)
        taken = [b.fed("boxes", fed(1, boxes, columns)), b.fed("scores", fed(1, boxes, classes + background, low=0, high=1)), b.fixed(anchors, "anchors")]
        return b.op("CUSTOM", taken, ["float32"] * 4, custom="TFLite_Detection_PostProcess", custom_options=options(**given), names=["detected", "classes", "points", "number"])


detection("fast")
detection("fast_no_background", background=False)
detection("fast_two_classes", max_classes_per_detection=2)
detection("fast_few", nms_score_threshold=0.97)
detection("regular", use_regular_nms=True)
detection("regular_per_class", use_regular_nms=True, detections_per_class=2, nms_score_threshold=0.1)
detection("key_points", columns=10)
detection("one_class", classes=1)


def transpose_convolution(x, weights, bias, padding, stride):
    """Each number of the input adds the filter, times that number, to the output."""
    outputs, height, width, _ = weights.shape
    batch, rows, columns, _ = x.shape
    whole = np.zeros((batch, (rows - 1) * stride + height, (columns - 1) * stride + width, outputs), np.float64)
    for row in range(rows):
        for column in range(columns):
            whole[:, row * stride:row * stride + height, column * stride:column * stride + width] += np.einsum("bi,ohwi->bhwo", x[:, row, column].astype(np.float64), weights)
    if padding == 1:  # SAME takes away as much as a convolution of that size would have left out, half of it in front
        for axis, (size, kernel) in enumerate(((rows, height), (columns, width)), 1):
            less = max(0, kernel - (size - 1) % stride - 1)
            whole = np.take(whole, np.arange(less // 2, whole.shape[axis] - less + less // 2), axis)
    return (whole + bias).astype(np.float32)


for _name, _padding, _stride, _kernel in (("same", 1, 2, 3), ("valid", 2, 2, 3), ("same_by_stride", 1, 2, 2), ("valid_once", 2, 1, 2)):
    _weights = np.random.default_rng(3).uniform(-1, 1, (4, _kernel, _kernel, 3)).astype(np.float32)
    _bias = np.float32([0.1, -0.2, 0.3, 0.4])

    @graph("Convolution2DTransposeBias_" + _name, expected=lambda x, w=_weights, b=_bias, p=_padding, s=_stride: [transpose_convolution(x, w, b, p, s)])
    def transposed(b, weights=_weights, bias=_bias, padding=_padding, stride=_stride):
        x = b.fed("x", fed(1, 3, 4, 3))
        return [b.op("CUSTOM", [x, b.fixed(weights, "filter"), b.fixed(bias, "bias")], custom="Convolution2DTransposeBias", custom_options=struct.pack("<3i", padding, stride, stride))]


def pooled(x, size=2):
    """The largest of each square, and its place in it, to which MediaPipe adds a tenth so that it stays the same integer."""
    batch, rows, columns, channels = x.shape
    squares = x.reshape(batch, rows // size, size, columns // size, size, channels).transpose(0, 1, 3, 5, 2, 4).reshape(batch, rows // size, columns // size, channels, size * size)
    return squares.max(-1), squares.argmax(-1).astype(np.float32) + np.float32(0.1)


def unpooled(values, places, size=2):
    """Each number goes to its place in its square; the others are zero."""
    batch, rows, columns, channels = values.shape
    out = np.zeros((batch, rows, columns, channels, size * size), np.float32)
    np.put_along_axis(out, places.astype(np.int64)[..., None], values[..., None], -1)
    return out.reshape(batch, rows, columns, channels, size, size).transpose(0, 1, 4, 2, 5, 3).reshape(batch, rows * size, columns * size, channels)


POOL = struct.pack("<6i", 1, 2, 2, 2, 2, 0) + bytes(16)  # padding, strides, sizes of the window, activation; what is computed


@graph("MaxPoolingWithArgmax2D", expected=lambda x: list(pooled(x)))
def pooling_with_places(b):
    return b.op("CUSTOM", [b.fed("x", fed(1, 4, 6, 3))], 2, custom="MaxPoolingWithArgmax2D", custom_options=POOL, names=["largest", "places"])


@graph("MaxUnpooling2D", expected=lambda x: [unpooled(*pooled(x)) + np.float32(1)])
def there_and_back(b):
    x = b.fed("x", fed(1, 4, 6, 3))
    largest, places = b.op("CUSTOM", [x], 2, custom="MaxPoolingWithArgmax2D", custom_options=POOL, names=["largest", "places"])
    back = b.op("CUSTOM", [largest, places], custom="MaxUnpooling2D", custom_options=POOL, names=["back"])
    return [b.op("ADD", [back, b.fixed(np.float32(1), "one")])]


def flex(name):
    builder = flexbuffers.Builder()
    with builder.Vector():
        builder.String(name)
        builder.String("")
    return bytes(builder.Finish())


@graph("Flex", refused="an operation of TensorFlow in a model of TensorFlow Lite")
def of_tensorflow(b):
    return [b.op("CUSTOM", [b.fed("x", fed(2, 3))], custom="FlexErfinv", custom_options=flex("Erfinv"))]


@graph("unknown", refused="a custom operator that nobody else knows")
def unknown(b):
    return [b.op("CUSTOM", [b.fed("x", fed(2, 3))], custom="MyOwnOperator", custom_options=b"\1\2\3")]


@graph("nameless", refused="a custom operator without a name")
def nameless(b):
    return [b.op("CUSTOM", [b.fed("x", fed(2, 3))], custom="")]


for _name in ("AudioSpectrogram", "Mfcc"):
    @graph(_name, refused="a custom operator that is not read")
    def other(b, name=_name):
        return [b.op("CUSTOM", [b.fed("x", fed(1, 4, 4, 3)), b.fed("y", fed(1, 4, 4))], custom=name)]


for _name in ("NGramHash", "TFSentencepieceTokenizeOp"):
    @graph(_name, refused="texts")
    def of_texts(b, name=_name):
        return [b.op("CUSTOM", [text(b, "words", [1])], ["int32"], custom=name)[0]]


# MediaPipe's operators on points and images, from the definitions of its own kernels (mediapipe/util/tflite/operations/).

def bilinear(image, x, y):
    """Of one image [H, W, C] at places in pixels; 0 outside, where it counts by pixels."""
    height, width, channels = image.shape
    out = np.zeros((*x.shape, channels))
    for row, column in np.ndindex(*x.shape):
        left, top = int(np.floor(x[row, column])), int(np.floor(y[row, column]))
        right_part, lower_part = x[row, column] - left, y[row, column] - top
        for dy, of_y in ((0, 1 - lower_part), (1, lower_part)):
            for dx, of_x in ((0, 1 - right_part), (1, right_part)):
                if 0 <= top + dy < height and 0 <= left + dx < width:
                    out[row, column] += of_x * of_y * image[top + dy, left + dx]
    return out


def moved_image(image, matrix, size, half):
    """What lies before the first pixel or behind the last one is 0."""
    rows, columns = np.meshgrid(*[np.arange(length) + half for length in size], indexing="ij")
    top = matrix.reshape(4, 4).astype(np.float64)
    x, y = (line[0] * columns + line[1] * rows + line[3] - half for line in top[:2])
    outside = (x < 0) | (x > image.shape[2] - 1) | (y < 0) | (y > image.shape[1] - 1)
    out = bilinear(image[0].astype(np.float64), x, y)
    out[outside] = 0
    return out[None].astype(np.float32)


MATRIX = np.float32([[0.8, 0.3, 0, -0.4], [-0.2, 0.9, 0, 0.7], [0, 0, 1, 0], [0, 0, 0, 1]]).reshape(1, 4, 4)


@graph("TransformTensorBilinear", expected=lambda x, matrix: [moved_image(x, matrix, (5, 4), 0.5)])
def transform_tensor(b):
    taken = [b.fed("x", fed(1, 6, 7, 3)), b.fed("matrix", fed(values=MATRIX))]
    return [b.op("CUSTOM", taken, custom="TransformTensorBilinear", version=2, custom_options=options(output_height=5, output_width=4))]


@graph("TransformTensorBilinear_first", expected=lambda x: [moved_image(x, MATRIX, (5, 4), 0)])
def transform_tensor_of_version_1(b):
    taken = [b.fed("x", fed(1, 6, 7, 3)), b.fixed(MATRIX, "matrix")]
    return [b.op("CUSTOM", taken, custom="TransformTensorBilinear", custom_options=options(mode="bilinear", output_size=[5, 4]))]


@graph("TransformTensor", expected=lambda x: [moved_image(x, MATRIX, (5, 4), 0)])
def transform_tensor_by_its_first_name(b):
    taken = [b.fed("x", fed(1, 6, 7, 3)), b.fixed(MATRIX, "matrix")]
    return [b.op("CUSTOM", taken, custom="TransformTensor", custom_options=options(mode="bilinear", output_size=[5, 4]))]


@graph("TransformTensorBilinear_nearest", refused="the kernel interpolates linearly only")
def transform_tensor_nearest(b):
    taken = [b.fed("x", fed(1, 6, 7, 3)), b.fixed(MATRIX, "matrix")]
    return [b.op("CUSTOM", taken, custom="TransformTensorBilinear", custom_options=options(mode="nearest", output_size=[5, 4]))]


def moved_points(points, matrix, scale=1):
    """z stays, and does not count."""
    top = matrix.reshape(4, 4)[:2].astype(np.float64)
    out = points.astype(np.float64).copy()
    out[..., :2] = points[..., :2] @ top[:, :2].T + top[:, 3] * scale
    return out.astype(np.float32)


for _dimensions in (2, 3):
    @graph(f"TransformLandmarks_{_dimensions}", expected=lambda points, matrix: [moved_points(points, matrix)])
    def transform_landmarks(b, dimensions=_dimensions):
        taken = [b.fed("points", fed(1, 5, dimensions)), b.fed("matrix", fed(values=MATRIX))]
        return [b.op("CUSTOM", taken, custom="TransformLandmarks", version=2)]


@graph("TransformLandmarks_first", expected=lambda points: [moved_points(points.reshape(-1, 3), MATRIX, 16.0).reshape(points.shape)])
def transform_landmarks_of_version_1(b):
    taken = [b.fed("points", fed(1, 1, 1, 15)), b.fixed(MATRIX, "matrix")]
    return [b.op("CUSTOM", taken, custom="TransformLandmarks", custom_options=options(dimensions=3, scale=16.0))]


SUBSET = [0, 3, 5, 2, 7]


def turn(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def matrix_of_landmarks(points, rotation=0.25, height=10, width=12, scales=(1.5, 2.0)):
    points = points[0, :, :2].astype(np.float64)
    line = points[4] - points[1]
    angle = rotation - np.arctan2(line[1], line[0])
    turned = points[SUBSET] @ turn(angle).T
    low, high = turned.min(0), turned.max(0)
    out, step = np.eye(4), (high - low) * scales / [width, height]
    out[:2, :2] = turn(-angle) * step
    out[:2, 3] = turn(-angle) @ ((low + high) / 2) + out[:2, :2] @ [-width / 2, -height / 2]
    return out[None].astype(np.float32)


LANDMARKS = dict(left_rotation_idx=1, right_rotation_idx=4, subset_idxs=SUBSET, target_rotation_radians=0.25, output_height=10, output_width=12, scale_x=1.5, scale_y=2.0)
for _name, _version in (("Landmarks2TransformMatrix", 2), ("Landmarks2TransformMatrixV2", 1)):
    @graph(_name, expected=lambda points: [matrix_of_landmarks(points)])
    def landmarks_to_matrix(b, name=_name, version=_version):
        return [b.op("CUSTOM", [b.fed("points", fed(1, 8, 3, low=0, high=30))], custom=name, version=version, custom_options=options(**LANDMARKS))]


def relative_matrix_of_landmarks(points, inputs=(20, 24), outputs=(10, 12), size_of_space=30, multiplier=1.2):
    points = points.reshape(-1, 3)[:, :2].astype(np.float64)
    line = points[4] - points[1]
    angle = -np.arctan(line[1] / line[0])
    turned = points[SUBSET] @ turn(angle).T
    low, high = turned.min(0), turned.max(0)
    scale, relative, absolute, rotation = (np.eye(3) for _ in range(4))
    scale[[0, 1], [0, 1]] = (high - low) * multiplier / size_of_space
    rotation[:2, :2] = turn(-angle)
    rotation[:2, 2] = turn(-angle) @ ((low + high) / 2) / size_of_space * 2 - 1
    for axis in (0, 1):
        relative[axis, axis], relative[axis, 2] = 2 / (outputs[1 - axis] - 1), -1
        absolute[axis, axis] = absolute[axis, 2] = (inputs[1 - axis] - 1) / 2
    made = absolute @ rotation @ scale @ relative
    out = np.eye(4)
    out[:2, :2], out[:2, 3] = made[:2, :2], made[:2, 2]
    return out[None].astype(np.float32)


@graph("Landmarks2TransformMatrix_first", expected=lambda points: [relative_matrix_of_landmarks(points)])
def landmarks_to_relative_matrix(b):
    given = options(left_rotation_idx=1, right_rotation_idx=4, subset=SUBSET, dimensions=3, landmarks_range=30, bbox_size_multiplier=1.2, input_hw=[20, 24], output_hw=[10, 12])
    return [b.op("CUSTOM", [b.fed("points", fed(1, 1, 1, 24, low=0, high=30))], custom="Landmarks2TransformMatrix", custom_options=given)]


@graph("Landmarks2TransformMatrix_without_points", refused="a box needs points")
def landmarks_without_points(b):
    return [b.op("CUSTOM", [b.fed("points", fed(1, 8, 3))], custom="Landmarks2TransformMatrix", version=2, custom_options=options(**LANDMARKS | {"subset_idxs": []}))]


@graph("Landmarks2TransformMatrix_newer", refused="only two versions are known")
def landmarks_newer(b):
    return [b.op("CUSTOM", [b.fed("points", fed(1, 8, 3))], custom="Landmarks2TransformMatrix", version=3, custom_options=options(**LANDMARKS))]


@graph("Resampler", expected=lambda x, places: [np.stack([bilinear(image.astype(np.float64), at[..., 0], at[..., 1]) for image, at in zip(x, places)]).astype(np.float32)])
def resampler(b):
    return [b.op("CUSTOM", [b.fed("x", fed(2, 5, 6, 3)), b.fed("places", fed(2, 5, 6, 2, low=-1.5, high=6.5))], custom="Resampler")]


TABLE, CODEBOOK = np.random.default_rng(5).integers(0, 16, (20, 4)).astype(np.uint8), np.random.default_rng(6).uniform(-1, 1, (16, 3)).astype(np.float32)


def mean_of_tokens(tokens):
    used = tokens[0][:np.argmax(tokens[0] == 0)] if (tokens == 0).any() else tokens[0]
    total = CODEBOOK[TABLE[used]].sum(0) if len(used) else np.zeros((4, 3))
    return (total / max(1, len(used))).reshape(1, -1).astype(np.float32)


for _name, _tokens in (("KmeansEmbeddingLookup", [3, 19, 7, 0, 5, 0]), ("KmeansEmbeddingLookup_full", [3, 19, 7]), ("KmeansEmbeddingLookup_empty", [0, 4, 5])):
    @graph(_name, expected=lambda tokens: [mean_of_tokens(tokens)])
    def kmeans(b, tokens=_tokens):
        return [b.op("CUSTOM", [b.fed("tokens", fed(values=[tokens], dtype=np.int32)), b.fixed(TABLE, "table"), b.fixed(CODEBOOK, "codebook")], dtype="float32", custom="KmeansEmbeddingLookup")]


@graph("HASHTABLE_LOOKUP")
def lookup(b):
    """Rows by key; a key that is not there gives zeros, and whether it was is the other result."""
    keys, table = b.fixed(np.int32([2, 5, 9]), "keys"), b.fixed(fixed(3, 4), "table")
    return b.op("HASHTABLE_LOOKUP", [b.fed("x", fed(values=[5, 4, 2, 9], dtype=np.int32)), keys, table], ["float32", "uint8"])


for _combiner, _name in enumerate(("sum", "mean", "sqrtn")):
    @graph("EMBEDDING_LOOKUP_SPARSE_" + _name)
    def bags(b, combiner=_combiner):
        """Weighted sums of rows, one for each of the first indices."""
        return [b.op("EMBEDDING_LOOKUP_SPARSE", [b.fed("ids", fed(values=[1, 3, 0], dtype=np.int32)), b.fixed(np.int32([[0, 0], [2, 0], [2, 1]]), "indices"), b.fixed(np.int32([3, 2]), "shape"),
                                                 b.fixed(np.float32([1, 2, 4]), "weights"), b.fixed(fixed(4, 3), "table")], dtype="float32", combiner=combiner)]


def text(b, name, shape):
    at = b.tensor(name, shape, STRING)
    b.graph.inputs.append(at)
    return at


def table(b, then):
    handle = b.op("HASHTABLE", [], [13], table_id=1, key_dtype=4, value_dtype=STRING, names=["table"])[0]
    return then(handle)


@graph("HASHTABLE_FIND", refused="tables of texts")
def find(b):
    keys = b.argument("keys", [2], np.int64)
    default = text(b, "default", [])
    return [table(b, lambda handle: b.op("HASHTABLE_FIND", [handle, keys, default], [STRING])[0])]


@graph("HASHTABLE_IMPORT", refused="tables of texts")
def fill(b):
    keys, values = b.argument("keys", [2], np.int64), text(b, "values", [2])
    table(b, lambda handle: b.op("HASHTABLE_IMPORT", [handle, keys, values], 0))
    return [keys]


@graph("HASHTABLE_SIZE", refused="tables of texts")
def count(b):
    b.fed("x", fed(2, 3))
    return [table(b, lambda handle: b.op("HASHTABLE_SIZE", [handle], ["int64"])[0])]


@graph("SKIP_GRAM", refused="texts")
def skip_gram(b):
    return [b.op("SKIP_GRAM", [text(b, "words", [1])], [STRING], ngram_size=2, max_skip_size=1, include_all_ngrams=False)[0]]


@graph("LSH_PROJECTION", refused="a hash of bytes has no operation")
def projection(b):
    return [b.op("LSH_PROJECTION", [b.fixed(fixed(3, 2), "hash"), b.fed("x", fed(4, 2, dtype=np.int32, low=0, high=9)), b.fixed(np.float32([1, 1, 1, 1]), "weights")], ["int32"], type=2)[0]]


@graph("CONCAT_EMBEDDINGS", refused="an operator that no interpreter has had")
def concat_embeddings(b):
    return [b.op("CONCAT_EMBEDDINGS", [b.fed("x", fed(2, 3))], num_channels=1, num_columns_per_channel=[1], embedding_dim_per_channel=[3])]


@graph("DELEGATE", refused="what a delegate took away is not in the file")
def delegate(b):
    return [b.op("DELEGATE", [b.fed("x", fed(2, 3))])]


@graph("PLACEHOLDER_FOR_GREATER_OP_CODES", refused="no operator")
def placeholder(b):
    return [b.op("PLACEHOLDER_FOR_GREATER_OP_CODES", [b.fed("x", fed(2, 3))])]
