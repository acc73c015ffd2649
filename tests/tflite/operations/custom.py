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


for _name in ("TransformTensorBilinear", "TransformLandmarks", "Landmarks2TransformMatrix", "AudioSpectrogram", "Mfcc"):
    @graph(_name, refused="a custom operator that is not read")
    def other(b, name=_name):
        return [b.op("CUSTOM", [b.fed("x", fed(1, 4, 4, 3)), b.fed("y", fed(1, 4, 4))], custom=name)]


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
