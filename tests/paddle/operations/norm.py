"""Normalisations: of batches, layers, groups, instances, neighbours, vectors."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
POSITIVE = {"low": 0.5, "high": 2}


def batch(kind, variant, shape, axis, unknown=(), **attrs):
    channels = shape[axis]
    case(kind, variant, unknown=unknown, attrs={"is_test": True, "epsilon": 1e-5, **attrs}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, take=[0], X=fed(*shape),
         Scale=fixed(channels, **POSITIVE), Bias=fixed(channels), Mean=fixed(channels), Variance=fixed(channels, **POSITIVE))


batch("batch_norm", "plain", (2, 3, 4, 5), 1, unknown=(0, 2, 3))
batch("batch_norm", "last", (2, 4, 5, 3), 3, data_layout="NHWC")
batch("batch_norm", "two", (4, 3), 1, unknown=(0,))
batch("batch_norm", "three", (2, 3, 5), 1)
batch("batch_norm", "five", (1, 3, 2, 4, 5), 1)
batch("batch_norm", "epsilon", (2, 3, 4, 5), 1, epsilon=0.001)
batch("batch_norm", "global_stats", (2, 3, 4, 5), 1, use_global_stats=True)
case("batch_norm", "statistics_are_fed", attrs={"is_test": True}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, take=[0], X=fed(2, 3, 4, 5), Scale=fed(3, **POSITIVE), Bias=fed(3),
     Mean=fed(3), Variance=fed(3, **POSITIVE))

for variant, begin, shape in (("last", 2, (2, 3, 8)), ("two", 1, (2, 3, 4)), ("three", 1, (2, 3, 2, 4)), ("all_but_one", 1, (4, 6))):
    count = int(np.prod(shape[begin:]))
    case("layer_norm", variant, unknown=(0,), attrs={"begin_norm_axis": begin, "epsilon": 1e-5}, outs={}, take=[0], X=fed(*shape), Scale=fixed(count, **POSITIVE), Bias=fixed(count))
    case("layer_norm", variant + "_bare", attrs={"begin_norm_axis": begin, "epsilon": 1e-3}, take=[0], X=fed(*shape))
case("layer_norm", "scale_alone", attrs={"begin_norm_axis": 2, "epsilon": 1e-5}, take=[0], X=fed(2, 3, 8), Scale=fixed(8, **POSITIVE))
case("layer_norm", "bias_alone", attrs={"begin_norm_axis": 2, "epsilon": 1e-5}, take=[0], X=fed(2, 3, 8), Bias=fixed(8))
for variant, groups, layout, shape in (("plain", 2, "NCHW", (2, 4, 3, 5)), ("one", 1, "NCHW", (2, 4, 3, 5)), ("each", 4, "NCHW", (2, 4, 3, 5)), ("last", 2, "NHWC",
        (2, 3, 5, 4)), ("line", 2, "NCHW",
                (2, 4, 6)),
                                       ("film", 2, "NCHW", (1, 4, 2, 3, 3)), ("no_space", 2, "NCHW", (3, 6))):
    channels = shape[-1] if layout == "NHWC" else shape[1]
    unknown = (0, 2, 3) if variant == "plain" else (0,)
    case("group_norm", variant, unknown=unknown, attrs={"groups": groups, "epsilon": 1e-5, "data_layout": layout}, take=[0], X=fed(*shape), Scale=fixed(channels,
            **POSITIVE), Bias=fixed(channels))
case("group_norm", "bare", attrs={"groups": 2, "epsilon": 1e-3}, take=[0], X=fed(2, 4, 3, 5))
for variant, shape in (("plain", (2, 3, 4, 5)), ("line", (2, 3, 8)), ("film", (1, 3, 2, 4, 5)), ):
    case("instance_norm", variant, unknown=(0, 2), attrs={"epsilon": 1e-5}, take=[0], X=fed(*shape), Scale=fixed(3, **POSITIVE), Bias=fixed(3))
case("instance_norm", "bare", attrs={"epsilon": 1e-3}, take=[0], X=fed(2, 3, 4, 5))
case("data_norm", take=[0], X=fed(4, 3), BatchSize=fixed(3, values=[10.0, 12, 9]), BatchSum=fixed(3, values=[2.0, -3, 4]), BatchSquareSum=fixed(3, values=[12.0, 15, 8]))
case("affine_channel", unknown=(0, 2, 3), attrs={"data_layout": "NCHW"}, X=fed(2, 3, 4, 5), Scale=fixed(3, **POSITIVE), Bias=fixed(3))
case("affine_channel", "last", attrs={"data_layout": "NHWC"}, X=fed(2, 4, 5, 3), Scale=fixed(3, **POSITIVE), Bias=fixed(3))
case("lrn", unknown=(0,), attrs={"n": 5, "k": 1.0, "alpha": 0.5, "beta": 0.75}, X=fed(2, 7, 3, 4))
case("lrn", "three", attrs={"n": 3, "k": 2.0, "alpha": 0.3, "beta": 0.5}, X=fed(1, 6, 3, 3))
case("lrn", "last", attrs={"n": 5, "k": 1.0, "alpha": 0.5, "beta": 0.75, "data_format": "NHWC"}, X=fed(1, 3, 4, 7))
for axis in (1, -1):
    case("norm", f"axis{axis}", unknown=(0,), attrs={"axis": axis, "epsilon": 1e-10}, X=fed(2, 3, 4))
case("norm", "epsilon", attrs={"axis": 1, "epsilon": 0.5}, X=fed(2, 3, 4))
case("spectral_norm", attrs={"dim": 0, "power_iters": 2, "eps": 1e-12}, Weight=fixed(4, 3, 2, 2), U=fixed(4), V=fixed(12))
case("spectral_norm", "dim", attrs={"dim": 1, "power_iters": 1, "eps": 1e-12}, Weight=fed(4, 3, 2, 2), U=fixed(3), V=fixed(16))
case("l1_norm", X=fed(2, 3))
case("squared_l2_norm", X=fed(2, 3))
case("renorm", attrs={"p": 2.0, "axis": 1, "max_norm": 0.8}, X=fed(2, 3, 4))
case("label_smooth", attrs={"epsilon": 0.1}, X=fed(2, 4, low=0))


@family.graph("layers", unknown=(0, 2, 3))
def layers(b):
    nn = b.paddle.nn
    x = b.fed("x", fed(2, 4, 5, 6))
    return [nn.BatchNorm2D(4)(x), nn.GroupNorm(2, 4)(x), nn.InstanceNorm2D(4)(x), nn.functional.relu(nn.BatchNorm2D(4)(nn.Conv2D(4, 4, 3, bias_attr=False)(x)))]


@family.graph("layers_of_lines", unknown=(0, 1))
def lines(b):
    nn = b.paddle.nn
    x = b.fed("x", fed(2, 5, 8))
    return [nn.LayerNorm(8)(x), nn.LayerNorm(8, weight_attr=False, bias_attr=False)(x), nn.functional.normalize(x, axis=-1), nn.functional.normalize(x, p=1, axis=1)]


@family.graph("batch_norm_after_linear", unknown=(0,))
def after_linear(b):
    nn = b.paddle.nn
    return [nn.BatchNorm1D(6)(nn.Linear(5, 6)(b.fed("x", fed(3, 5))))]
