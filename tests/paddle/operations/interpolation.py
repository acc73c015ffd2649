"""Resizing: every operator and rule, sizes and scales in attributes and in tensors; sampling by a grid."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
SHAPES = {"linear": (1, 2, 5), "bilinear": (1, 2, 5, 6), "nearest": (1, 2, 5, 6), "bicubic": (1, 2, 5, 6), "trilinear": (1, 2, 4, 5, 6)}
UP, DOWN = {"out_d": 7, "out_h": 8, "out_w": 11}, {"out_d": 3, "out_h": 3, "out_w": 4}
RULES = {"half": (False, 0), "asymmetric": (False, 1), "corners": (True, 0), "corners_one": (True, 1)}


def sizes(kind, given):
    return given if kind == "trilinear" else {"out_h": given["out_h"], "out_w": given["out_w"]} if kind != "linear" else {"out_w": given["out_w"]}


def ints(*values):
    return fed(values=list(values), dtype=np.int32)


for kind, shape in SHAPES.items():
    space = len(shape) - 2
    layouts = ("NCHW", "NHWC")  # that of three dimensions is called so, too
    for version in ("", "_v2"):
        name = f"{kind}_interp{version}"

        def resize(variant, attrs, unknown=(), x=shape, more=None, rule="half", layout=layouts[0], name=name, kind=kind, **tensors):
            corners, mode = RULES[rule]
            case(name, variant, unknown=unknown, attrs={"interp_method": kind, "align_corners": corners, "align_mode": mode, "data_layout": layout, **attrs}, more=more, X=fed(*x), **tensors)

        rules = {"nearest": ("half", "corners"), "bicubic": ("half", "corners")}.get(kind, RULES)
        for rule in rules:
            resize(rule + "_up", sizes(kind, UP), unknown=(0,) if rule == "half" else (), rule=rule)
            resize(rule + "_down", sizes(kind, DOWN), rule=rule)
            if version:
                resize(rule + "_scale", {"scale": [2.0] * space}, unknown=tuple(range(2, 2 + space)), rule=rule)
                resize(rule + "_scale_broken", {"scale": [1.6] * space}, rule=rule)
        if version:
            resize("scales", {"scale": [0.5, 1.5, 2.0][-space:]}, unknown=(0, *range(2, 2 + space)))
            resize("scale_fed", {}, Scale=fed(values=[2.0] * space), more={"more": {"Scale": np.float32([1.5] * space)}})
            resize("scale_fixed", {}, unknown=(0, 2), Scale=fixed(values=[2.0]))
        else:
            resize("scale", {"scale": 2.0}, unknown=tuple(range(2, 2 + space)))
            resize("scale_fed", {}, Scale=fed(values=[1.5]))
        resize("last", sizes(kind, UP), layout=layouts[1], x=(shape[0], *shape[2:], shape[1]))
        resize("size_fed", sizes(kind, UP), OutSize=ints(*(3, 9, 7)[-space:]), more={"more": {"OutSize": np.int32((5, 2, 9)[-space:])}})
        resize("size_list", sizes(kind, UP), SizeTensor=[ints(6), fixed(values=[7], dtype=np.int32), ints(4)][:space])
        resize("one", sizes(kind, {"out_d": 1, "out_h": 1, "out_w": 1}))
        resize("one_corners", sizes(kind, {"out_d": 1, "out_h": 1, "out_w": 1}), rule="corners")
        resize("from_one", sizes(kind, UP), x=(*shape[:2], *[1] * space))

for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        for corners in (True, False):
            case("grid_sampler", f"{mode}_{padding}" + "_corners" * corners, unknown=(0,) if corners and padding == "zeros" else (), attrs={"mode": mode, "padding_mode": padding,
                    "align_corners": corners},
                 X=fed(2, 3, 5, 6), Grid=fed(2, 4, 3, 2, low=-1.4, high=1.4))
for corners in (True, False):
    case("affine_grid", f"corners_{corners}", unknown=(0,), attrs={"align_corners": corners, "output_shape": [2, 3, 4, 5]}, Theta=fed(2, 2, 3))
case("affine_grid", "shape_fed", attrs={"align_corners": True}, Theta=fed(2, 2, 3), OutputShape=ints(2, 3, 4, 5))


@family.graph("functions", unknown=(0, 2, 3))
def functions(b):
    f = b.paddle.nn.functional
    x = b.fed("x", fed(1, 2, 4, 5))
    return [f.interpolate(x, scale_factor=2), f.interpolate(x, scale_factor=[2, 3], mode="bilinear"), f.interpolate(x, size=[7, 9], mode="bilinear", align_corners=True), f.upsample(x,
            scale_factor=2, mode="bicubic")]


@family.graph("size_of_another", unknown={"x": (2, 3), "y": (2, 3)})
def another(b):
    """As in feature pyramids: one map is brought to the size of another."""
    x, y = b.fed("x", fed(1, 2, 4, 5)), b.fed("y", fed(1, 2, 8, 9))
    f = b.paddle.nn.functional
    size = b.paddle.shape(y)[2:]
    return [y + f.interpolate(x, size=size, mode="nearest"), y + f.interpolate(x, size=size, mode="bilinear", align_mode=1)]
