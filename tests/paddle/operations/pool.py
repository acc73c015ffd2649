"""Pooling: kinds, paddings, rounding up, whole, adaptive; with indices; in three dimensions."""
from models import Family
from values import fed

family = Family(__name__)
case = family.case
BASE = {"ksize": [3, 3], "strides": [2, 2], "paddings": [0, 0]}

for kind in ("max", "avg"):
    def pool(variant, unknown=(), x=(1, 3, 7, 8), kind=kind, **attrs):
        case("pool2d", f"{kind}_{variant}", unknown=unknown, attrs={**BASE, "pooling_type": kind, **attrs}, X=fed(*x))

    pool("plain", unknown=(0, 2, 3))
    pool("padded", paddings=[1, 1])
    pool("padded_inclusive", paddings=[1, 1], exclusive=False, unknown=(0, 2, 3))
    pool("four_paddings", paddings=[0, 1, 1, 0])
    pool("four_paddings_inclusive", paddings=[0, 1, 1, 0], exclusive=False)
    pool("ceil", ceil_mode=True, unknown=(0, 2, 3))
    pool("ceil_padded", ceil_mode=True, paddings=[1, 1], x=(1, 2, 8, 8))
    pool("ceil_padded_inclusive", ceil_mode=True, paddings=[1, 1], exclusive=False, x=(1, 2, 8, 8))
    pool("same", padding_algorithm="SAME", unknown=(0, 2, 3))
    pool("same_inclusive", padding_algorithm="SAME", exclusive=False)
    pool("valid", padding_algorithm="VALID", paddings=[1, 1])
    pool("global", global_pooling=True, unknown=(0, 2, 3))
    pool("global_padded", global_pooling=True, paddings=[1, 1])
    pool("last", data_format="NHWC", x=(1, 7, 8, 3))
    pool("last_global", data_format="NHWC", x=(1, 7, 8, 3), global_pooling=True)
    pool("one", ksize=[1, 1], strides=[2, 2])
    pool("wide", ksize=[2, 4], strides=[1, 3], paddings=[1, 2])
    if kind == "avg":  # adaptive pooling of the largest is another operator
        pool("adaptive", adaptive=True, ksize=[3, 5], unknown=(0,))
        pool("adaptive_one", adaptive=True, ksize=[1, 1], unknown=(0, 2, 3))
        pool("adaptive_larger", adaptive=True, ksize=[9, 10])
        pool("adaptive_even", adaptive=True, ksize=[2, 4], x=(1, 3, 8, 8))
        pool("last_adaptive", data_format="NHWC", x=(1, 7, 8, 3), adaptive=True, ksize=[3, 3])

    def pool3(variant, unknown=(), x=(1, 2, 5, 6, 7), kind=kind, **attrs):
        case("pool3d", f"{kind}_{variant}", unknown=unknown, attrs={"ksize": [2, 3, 3], "strides": [2, 2, 1], "paddings": [0, 0, 0], "pooling_type": kind, **attrs}, X=fed(*x))

    pool3("plain", unknown=(0,))
    pool3("padded", paddings=[1, 1, 1])
    pool3("six_paddings", paddings=[0, 1, 1, 0, 1, 1])
    pool3("inclusive", paddings=[1, 1, 1], exclusive=False)
    pool3("ceil", ceil_mode=True)
    pool3("same", padding_algorithm="SAME")
    pool3("global", global_pooling=True, unknown=(0,))
    if kind == "avg":
        pool3("adaptive", adaptive=True, ksize=[2, 4, 3])
    pool3("last", data_format="NDHWC", x=(1, 5, 6, 7, 2))

for variant, attrs in (("plain", {}), ("padded", {"paddings": [1, 1]}), ("global", {"global_pooling": True}), ("adaptive", {"adaptive": True, "ksize": [3, 5]}), ("overlapping",
        {"strides": [1, 1]})):
    case("max_pool2d_with_index", variant, unknown=(0,), attrs={**BASE, **attrs}, outs={"Mask": "int32"}, X=fed(1, 3, 7, 8))
case("max_pool3d_with_index", attrs={"ksize": [2, 2, 2], "strides": [2, 2, 2], "paddings": [0, 0, 0]}, outs={"Mask": "int32"}, X=fed(1, 2, 4, 6, 6))
case("spp", "max", attrs={"pyramid_height": 2, "pooling_type": "max"}, X=fed(1, 3, 8, 8))
case("spp", "avg", attrs={"pyramid_height": 3, "pooling_type": "avg"}, X=fed(1, 3, 8, 8))


@family.graph("unpool")
def unpool(b):
    """Largest elements, put back where they were."""
    x = b.fed("x", fed(1, 2, 6, 8))
    pooled, mask = b.paddle.nn.functional.max_pool2d(x, 2, 2, return_mask=True)
    return [b.paddle.nn.functional.max_unpool2d(pooled, mask, 2, 2), b.paddle.nn.functional.max_unpool2d(pooled, mask, 2, 2, output_size=[1, 2, 7, 9])]


@family.graph("functions", unknown=(0,))
def functions(b):
    f = b.paddle.nn.functional
    x, line, film = b.fed("x", fed(1, 3, 7, 8)), b.fed("line", fed(1, 3, 9)), b.fed("film", fed(1, 2, 4, 5, 6))
    return [f.avg_pool2d(x, 3, 2, 1), f.avg_pool2d(x, 3, 2, 1, exclusive=False), f.max_pool2d(x, 3, 2, "SAME"), f.adaptive_avg_pool2d(x, [None, 3]), f.adaptive_max_pool2d(x,
            2), f.avg_pool1d(line, 3, 2, 1),
            f.max_pool1d(line, 3, 2), f.adaptive_avg_pool1d(line, 4), f.adaptive_max_pool1d(line, 4), f.avg_pool3d(film, 2), f.max_pool3d(film, 2), f.adaptive_avg_pool3d(film, 2),
            f.avg_pool2d(x, 2, divisor_override=3)]


@family.graph("sizes_are_computed", unknown=(2, 3))
def computed(b):
    """The size of an adaptive pooling's output comes from an input's."""
    x = b.fed("x", fed(1, 3, 7, 8))
    return [b.paddle.nn.functional.adaptive_avg_pool2d(x, [x.shape[2] if x.shape[2] > 0 else 4, 2])]
