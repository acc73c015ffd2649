"""Networks that say of each point what it belongs to, and others that draw pictures."""
import paddle
from paddle import nn
from paddle.nn import functional as f

from models import Family
from operations.readers import layer
from values import fed

family = Family(__name__)
graph = family.graph


@graph("UNet", unknown=(0, 2, 3), picture=True)
def unet(b):
    x = b.fed("x", fed(1, 3, 32, 48))
    kept = []
    for inputs, outputs in ((3, 8), (8, 12)):
        x = layer(outputs, outputs)(layer(inputs, outputs)(x))
        kept.append(x)
        x = f.max_pool2d(x, 2, 2)
    x = layer(12, 16)(x)
    for inputs, outputs in ((16, 12), (12, 8)):
        before = kept.pop()
        x = f.interpolate(x, paddle.shape(before)[2:], mode="bilinear", align_corners=False)
        x = layer(inputs + outputs, outputs)(paddle.concat([x, before], 1))
    return [nn.Conv2D(8, 3, 1)(x)]


@graph("UNet_deconvolutions", unknown=(0,), picture=True)
def deconvolutions(b):
    x = b.fed("x", fed(1, 3, 32, 48))
    first = layer(3, 8)(x)
    second = layer(8, 12, 3, 2)(first)
    x = nn.Conv2DTranspose(12, 8, 4, 2, 1)(second)
    x = layer(16, 8)(paddle.concat([x, first], 1))
    return [paddle.argmax(nn.Conv2D(8, 3, 1)(x), axis=1, dtype="int32")]


@graph("PSPNet", unknown=(0,), picture=True)
def psp(b):
    """What it sees in squares of several sizes is put beside each point."""
    x = layer(8, 12, 3, 2)(layer(3, 8, 3, 2)(b.fed("x", fed(1, 3, 48, 48))))
    parts = [x, *(f.interpolate(layer(12, 4, 1)(f.adaptive_avg_pool2d(x, size)), paddle.shape(x)[2:], mode="bilinear") for size in (1, 2, 3, 6))]
    x = nn.Conv2D(12, 5, 1)(layer(28, 12)(paddle.concat(parts, 1)))
    return [f.softmax(f.interpolate(x, [48, 48], mode="bilinear", align_corners=True), axis=1)]


@graph("DeepLabV3P", unknown=(0, 2, 3), picture=True)
def deeplab(b):
    """Convolutions with holes of several widths, and what was seen early."""
    image = b.fed("x", fed(1, 3, 48, 64))
    early = layer(3, 8, 3, 2)(image)
    x = layer(8, 12, 3, 2)(early)
    parts = [layer(12, 6, 1)(x)]
    for rate in (2, 4):
        depthwise, pointwise = nn.Conv2D(12, 12, 3, padding=rate, dilation=rate, groups=12, bias_attr=False), layer(12, 6, 1)
        parts.append(pointwise(f.relu(nn.BatchNorm2D(12)(depthwise(x)))))
    mean = layer(12, 6, 1)(f.adaptive_avg_pool2d(x, 1))
    parts.append(f.interpolate(mean, paddle.shape(x)[2:], mode="bilinear"))
    x = layer(24, 8, 1)(paddle.concat(parts, 1))
    x = paddle.concat([f.interpolate(x, paddle.shape(early)[2:], mode="bilinear"), layer(8, 4, 1)(early)], 1)
    x = f.interpolate(nn.Conv2D(12, 4, 1)(layer(12, 12)(x)), paddle.shape(image)[2:], mode="bilinear")
    return [paddle.argmax(x, axis=1)]


@graph("PPLiteSeg", unknown=(0,), picture=True)
def liteseg(b):
    """Two maps weigh each other by their mean and largest values."""
    x = b.fed("x", fed(1, 3, 48, 64))
    low = layer(3, 8, 3, 2)(x)
    high = f.interpolate(layer(8, 8, 3, 2)(low), paddle.shape(low)[2:], mode="bilinear")
    said = paddle.concat([paddle.mean(low, axis=1, keepdim=True), paddle.max(low, axis=1, keepdim=True), paddle.mean(high, axis=1, keepdim=True), paddle.max(high, axis=1, keepdim=True)], 1)
    weight = f.sigmoid(nn.Conv2D(2, 1, 3, padding=1)(f.relu(nn.Conv2D(4, 2, 3, padding=1)(said))))
    return [nn.Conv2D(8, 4, 1)(high * weight + low * (1 - weight))]


@graph("SegFormer", unknown=(0,), picture=True)
def segformer(b):
    """Attention whose keys come from a smaller map."""
    x = nn.Conv2D(3, 16, 7, 4, 3)(b.fed("x", fed(1, 3, 32, 32)))
    rows = nn.LayerNorm(16)(paddle.transpose(paddle.flatten(x, 2), [0, 2, 1]))
    smaller = nn.Conv2D(16, 16, 2, 2)(paddle.reshape(paddle.transpose(rows, [0, 2, 1]), [0, 16, 8, 8]))
    smaller = nn.LayerNorm(16)(paddle.transpose(paddle.flatten(smaller, 2), [0, 2, 1]))
    rows = rows + nn.MultiHeadAttention(16, 2)(rows, smaller, smaller)
    made = paddle.reshape(paddle.transpose(nn.Linear(16, 32)(rows), [0, 2, 1]), [0, 32, 8, 8])
    made = f.gelu(nn.Conv2D(32, 32, 3, padding=1, groups=32)(made))
    rows = rows + nn.Linear(32, 16)(paddle.transpose(paddle.flatten(made, 2), [0, 2, 1]))
    x = paddle.reshape(paddle.transpose(rows, [0, 2, 1]), [0, 16, 8, 8])
    return [f.interpolate(nn.Conv2D(16, 4, 1)(x), [32, 32], mode="bilinear", align_corners=False)]


@graph("super_resolution", unknown=(0, 2, 3), picture=True)
def larger(b):
    x = b.fed("x", fed(1, 3, 12, 16))
    first = nn.functional.leaky_relu(nn.Conv2D(3, 8, 3, padding=1)(x), 0.1)
    made = first + nn.Conv2D(8, 8, 3, padding=1)(f.relu(nn.Conv2D(8, 8, 3, padding=1)(first)))
    made = f.pixel_shuffle(nn.Conv2D(8, 12, 3, padding=1)(made), 2)
    return [made + f.interpolate(x, scale_factor=2, mode="bicubic")]


@graph("generator", unknown=(0,), picture=True)
def generator(b):
    """As pictures are turned into others: reflected borders, instances normalised, deconvolutions."""
    x = b.fed("x", fed(1, 3, 16, 16))
    x = f.relu(nn.InstanceNorm2D(8)(nn.Conv2D(3, 8, 7)(nn.Pad2D([3, 3, 3, 3], mode="reflect")(x))))
    x = f.relu(nn.InstanceNorm2D(12)(nn.Conv2D(8, 12, 3, 2, 1)(x)))
    x = x + nn.InstanceNorm2D(12)(nn.Conv2D(12, 12, 3)(nn.Pad2D([1, 1, 1, 1], mode="reflect")(x)))
    x = f.relu(nn.InstanceNorm2D(8)(nn.Conv2DTranspose(12, 8, 3, 2, 1, output_padding=1)(x)))
    return [paddle.tanh(nn.Conv2D(8, 3, 7, padding=3)(x))]


@graph("film", unknown=(0,))
def film(b):
    """Pictures one after the other: channels move over time, convolutions in three dimensions."""
    x = b.fed("x", fed(1, 4, 3, 12, 12))
    each = layer(3, 8)(paddle.reshape(x, [-1, 3, 12, 12]))
    each = b.op("temporal_shift", {"seg_num": 4, "shift_ratio": 0.25, "data_format": "NCHW"}, X=each)
    deep = nn.functional.relu(nn.BatchNorm3D(4)(nn.Conv3D(3, 4, 3, padding=1)(paddle.transpose(x, [0, 2, 1, 3, 4]))))
    deep = nn.Conv3DTranspose(4, 3, 2, 2)(f.max_pool3d(deep, 2))
    mean = paddle.mean(paddle.reshape(f.adaptive_avg_pool2d(each, 1), [-1, 4, 8]), axis=1)
    return [nn.Linear(8, 5)(mean), f.adaptive_avg_pool3d(deep, 1)]
