"""Elements that change places: blocks, channels, time, windows."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

for layout, shape in (("NCHW", (2, 12, 3, 4)), ("NHWC", (2, 3, 4, 12))):
    spatial = (0, 2, 3) if layout == "NCHW" else (0,)
    case("pixel_shuffle", layout, unknown=spatial, attrs={"upscale_factor": 2, "data_format": layout}, X=fed(*shape))
    case("channel_shuffle", layout, unknown=spatial, attrs={"groups": 3, "data_format": layout}, X=fed(*shape))
    case("pixel_unshuffle", layout, unknown=(0,), attrs={"downscale_factor": 2, "data_format": layout}, X=fed(*((2, 3, 4, 6) if layout == "NCHW" else (2, 4, 6, 3))))
    case("temporal_shift", layout, unknown=(), attrs={"seg_num": 2, "shift_ratio": 0.25, "data_format": layout}, X=fed(*((4, 8, 3, 2) if layout == "NCHW" else (4, 3, 2, 8))))
case("temporal_shift", "open", unknown=(0,), attrs={"seg_num": 3, "shift_ratio": 0.2, "data_format": "NCHW"}, X=fed(6, 10, 2,
        2), more={"more": {"X": np.linspace(-1, 1, 9 * 40,
                dtype=np.float32).reshape(9, 10,
                        2, 2)}})
case("shuffle_channel", unknown=(0, 2, 3), attrs={"group": 2}, X=fed(2, 6, 3, 4))
case("shuffle_channel", "three", attrs={"group": 3}, X=fed(1, 6, 3, 4))
for variant, attrs in (("plain", {}), ("strided", {"strides": [2, 1]}), ("padded", {"paddings": [1, 0, 2, 1]}), ("dilated", {"dilations": [2, 2]})):
    attrs = {"kernel_sizes": [2, 3], "strides": [1, 1], "paddings": [0, 0, 0, 0], "dilations": [1, 1], **attrs}
    case("unfold", variant, unknown=(0,), attrs=attrs, X=fed(1, 2, 6, 7))
for variant, attrs, columns in (("plain", {}, 12), ("strided", {"strides": [2, 2]}, 4), ("padded", {"paddings": [1, 1, 1, 1]}, 30), ("dilated", {"dilations": [2, 1]}, 8)):
    case("fold", variant, attrs={"output_sizes": [4, 5], "kernel_sizes": [2, 2], "strides": [1, 1], "paddings": [0, 0, 0, 0], "dilations": [1, 1], **attrs}, X=fed(1, 8, columns))
case("row_conv", "batch", X=fed(2, 5, 3), Filter=fixed(3, 3))
case("polygon_box_transform", Input=fed(1, 8, 3, 4))
case("partial_concat", attrs={"start_index": 1, "length": 2}, X=[fed(2, 4), fed(2, 4)])
case("partial_sum", attrs={"start_index": 1, "length": 2}, X=[fed(2, 4), fed(2, 4)])


@family.graph("functions", unknown=(0,))
def functions(b):
    f = b.paddle.nn.functional
    x = b.fed("x", fed(1, 4, 6, 8))
    return [f.pixel_shuffle(x, 2), f.pixel_unshuffle(x, 2), f.channel_shuffle(x, 2), f.unfold(x, 3, 1, 1), b.paddle.nn.PixelShuffle(2)(x)]


@family.graph("windows")
def windows(b):
    """As in Swin: a picture is rolled and cut into windows."""
    paddle = b.paddle
    x = b.fed("x", fed(1, 8, 8, 3))
    x = paddle.roll(x, shifts=(-2, -2), axis=(1, 2))
    x = paddle.reshape(x, [-1, 2, 4, 2, 4, 3])
    return [paddle.reshape(paddle.transpose(x, [0, 1, 3, 2, 4, 5]), [-1, 16, 3])]


@family.graph("focus", unknown=(0, 2, 3))
def focus(b):
    """As at the beginning of YOLO: every second point of a picture becomes a channel."""
    x = b.fed("x", fed(1, 3, 6, 8))
    return [b.paddle.concat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], axis=1)]
