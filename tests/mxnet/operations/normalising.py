"""Normalisation, and pictures of other sizes."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case


def state(low, high, count=3):
    return fixed(count, low=low, high=high)


def statistics(count=3):
    return {"gamma": state(0.5, 1.5, count), "beta": state(-0.5, 0.5, count), "moving_mean": state(-0.5, 0.5, count), "moving_var": state(0.5, 2, count)}


NORMS = (("", {}, 3, (2, 3, 4, 5)), ("free_gamma", {"fix_gamma": False, "eps": 2e-5}, 3, (2, 3, 4, 5)), ("rows", {"fix_gamma": "0", "eps": 1e-5}, 3, (4, 3)), ("last", {"axis": 3, "fix_gamma": False}, 5, (2, 3, 4, 5)),
         ("negative_axis", {"axis": -1, "fix_gamma": False}, 5, (2, 3, 5)), ("global", {"use_global_stats": True, "fix_gamma": False}, 3, (2, 3, 4)))
for variant, attrs, count, shape in NORMS:
    case("BatchNorm", variant, unknown=(0,), attrs=attrs, take=(0,), data=fed(*shape), **statistics(count))
case("BatchNorm", "mean_var", attrs={"output_mean_var": True, "fix_gamma": False}, take=(0, 1, 2), data=fed(2, 3, 4, 5), **statistics())
case("BatchNorm_v1", attrs={"fix_gamma": False}, take=(0,), data=fed(2, 3, 4, 5), **statistics())
@family.graph("contrib_BatchNormWithReLU", change=lambda text: [node.update(op="_contrib_BatchNormWithReLU") for node in text["nodes"] if node["op"] == "BatchNorm"] and None,
              expected=lambda data: [np.maximum(data / np.sqrt(np.float32(1.001)), 0)])
def with_relu(b):
    states = {"gamma": np.ones(3, np.float32), "beta": np.zeros(3, np.float32), "moving_mean": np.zeros(3, np.float32), "moving_var": np.ones(3, np.float32)}
    return [b.op("BatchNorm", data=b.fed("data", fed(2, 3, 4, 5)), attrs={"fix_gamma": False}, **{name: b.fixed(value, name) for name, value in states.items()})]


case("_contrib_SyncBatchNorm", attrs={"fix_gamma": False, "key": "bn"}, take=(0,), data=fed(2, 3, 4, 5), **statistics())
for variant, attrs, count in (("", {}, 5), ("axis", {"axis": 1, "eps": 1e-3}, 3), ("first", {"axis": 0}, 2)):
    case("LayerNorm", variant, unknown=(1,) if not variant else (), attrs=attrs, take=(0,), data=fed(2, 3, 5), gamma=state(0.5, 1.5, count), beta=state(-0.5, 0.5, count))
case("LayerNorm", "mean_var", attrs={"output_mean_var": True}, take=(0, 1, 2), data=fed(2, 3, 5), gamma=state(0.5, 1.5, 5), beta=state(-0.5, 0.5, 5))
case("InstanceNorm", unknown=(2,), data=fed(2, 3, 4, 5), gamma=state(0.5, 1.5), beta=state(-0.5, 0.5))
case("InstanceNorm", "line", attrs={"eps": 1e-5}, data=fed(2, 3, 7), gamma=state(0.5, 1.5), beta=state(-0.5, 0.5))
for variant, groups in (("", 2), ("one", 1), ("channels", 4)):
    case("GroupNorm", variant, attrs={"num_groups": groups}, take=(0,), data=fed(2, 4, 3, 3), gamma=state(0.5, 1.5, groups), beta=state(-0.5, 0.5, groups))
for mode in ("instance", "channel", "spatial"):
    case("L2Normalization", mode, unknown=(0, 2), attrs={"mode": mode}, take=(0,), data=fed(2, 3, 4, 5))
case("L2Normalization", "rows", attrs={"eps": 1e-3}, take=(0,), data=fed(4, 3))
case("LRN", unknown=(0,), attrs={"nsize": 3}, take=(0,), data=fed(2, 5, 3, 3))
case("LRN", "numbers", attrs={"nsize": 5, "alpha": 0.5, "beta": 0.5, "knorm": 1}, take=(0,), data=fed(2, 5, 3, 3))

case("UpSampling", unknown=(0, 2), attrs={"scale": 2, "sample_type": "nearest", "num_args": 1}, args=[fed(1, 2, 3, 4)])
case("UpSampling", "concat", unknown=(2,), attrs={"scale": 2, "sample_type": "nearest", "num_args": 2}, args=[fed(1, 2, 2, 2), fed(1, 1, 1, 1)])
case("UpSampling", "sum", attrs={"scale": 2, "sample_type": "nearest", "num_args": 2, "multi_input_mode": "sum"}, args=[fed(1, 2, 2, 2), fed(1, 2, 1, 1)])
for scale in (2, 3):
    case("UpSampling", f"bilinear{scale}", attrs={"scale": scale, "sample_type": "bilinear", "num_args": 2, "num_filter": 2}, args=[fed(1, 2, 3, 4), fixed(2, 1, 2 * scale - scale % 2, 2 * scale - scale % 2)])
SIZES = (("", {"height": 5, "width": 7}), ("half_pixel", {"height": 5, "width": 7, "align_corners": False}), ("smaller", {"height": 2, "width": 3}), ("smaller_half_pixel", {"height": 2, "width": 3, "align_corners": False}),
         ("one", {"height": 1, "width": 1, "align_corners": False}), ("scale", {"scale_height": 1.5, "scale_width": 2.0}), ("odd_scale", {"mode": "odd_scale", "scale_height": 1.7, "scale_width": 1.7}),
         ("to_even_down", {"mode": "to_even_down"}), ("to_even_up", {"mode": "to_even_up"}), ("to_odd_down", {"mode": "to_odd_down"}), ("to_odd_up", {"mode": "to_odd_up"}))
for variant, attrs in SIZES:
    case("_contrib_BilinearResize2D", variant, unknown=(2, 3) if variant in ("", "scale", "odd_scale") else (), attrs=attrs, data=fed(1, 2, 3, 4))
case("_contrib_BilinearResize2D", "like", attrs={"mode": "like"}, data=fed(1, 2, 3, 4), like=fed(1, 1, 5, 6))
PADS = (("constant", {"mode": "constant", "constant_value": 1.5, "pad_width": (0, 0, 0, 0, 1, 2, 3, 0)}), ("edge", {"mode": "edge", "pad_width": (0, 0, 0, 0, 1, 2, 2, 0)}), ("reflect", {"mode": "reflect", "pad_width": (0, 0, 0, 0, 1, 2, 2, 0)}))
for variant, attrs in PADS:
    case("Pad", variant, unknown=(0, 2), attrs=attrs, data=fed(1, 2, 3, 4))
