"""Tensors sampled at places that are computed."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case
case("GridGenerator", "affine", unknown=(0,), attrs={"transform_type": "affine", "target_shape": (4, 5)}, data=fed(2, 6))
case("GridGenerator", "warp", unknown=(0, 2), attrs={"transform_type": "warp"}, data=fed(2, 2, 4, 5, low=-2, high=2))
case("BilinearSampler", unknown={"data": (0, 2), "grid": (0, 2)}, data=fed(2, 3, 5, 6), grid=fed(2, 2, 4, 5, low=-1.3, high=1.3))
case("SpatialTransformer", unknown={"data": (0,), "loc": (0,)}, attrs={"transform_type": "affine", "sampler_type": "bilinear", "target_shape": (4, 5)}, data=fed(2, 3, 6, 7), loc=fed(2, 6))
case("SpatialTransformer", "other_size", attrs={"transform_type": "affine", "sampler_type": "bilinear", "target_shape": (9, 4)}, data=fed(1, 2, 6, 7), loc=fed(values=[[0.5, 0, 0.25, 0, 0.5, -0.25]]))
for variant, attrs in (("", {"kernel": (3, 3), "num_filter": 4}), ("strided", {"kernel": (3, 3), "num_filter": 4, "stride": (2, 2), "pad": (1, 1), "no_bias": True}),
                       ("dilated", {"kernel": (3, 3), "num_filter": 4, "dilate": (2, 2), "pad": (2, 2)}), ("groups", {"kernel": (3, 3), "num_filter": 4, "num_group": 2, "pad": (1, 1)})):
    sizes = {"": (4, 5), "strided": (3, 4), "dilated": (6, 7), "groups": (6, 7)}[variant]
    case("_contrib_DeformableConvolution", variant, attrs=attrs, data=fed(2, 4, 6, 7), offset=fed(2, 18, *sizes, low=-1.5, high=1.5))
    case("_contrib_ModulatedDeformableConvolution", variant, attrs=attrs, data=fed(2, 4, 6, 7), offset=fed(2, 18, *sizes, low=-1.5, high=1.5), mask=fed(2, 9, *sizes, low=0, high=1))
case("_contrib_DeformableConvolution", "offset_groups", attrs={"kernel": (3, 3), "num_filter": 4, "num_deformable_group": 2, "pad": (1, 1)}, data=fed(2, 4, 6, 7), offset=fed(2, 36, 6, 7, low=-1.5, high=1.5))
case("_contrib_ModulatedDeformableConvolution", "offset_groups", attrs={"kernel": (3, 3), "num_filter": 4, "num_deformable_group": 2, "pad": (1, 1)}, data=fed(2, 4, 6, 7),
     offset=fed(2, 36, 6, 7, low=-1.5, high=1.5), mask=fed(2, 18, 6, 7, low=0, high=1))


def pairs(data):
    """Real and imaginary parts, one behind the other."""
    spectrum = np.fft.fft(data)
    return [np.stack([spectrum.real, spectrum.imag], -1).reshape(*data.shape[:-1], -1).astype(np.float32)]


def back(data):
    """Real parts, not divided by their number."""
    numbers = data.reshape(*data.shape[:-1], -1, 2)
    return [(np.fft.ifft(numbers[..., 0] + 1j * numbers[..., 1]).real * numbers.shape[-2]).astype(np.float32)]


case("_contrib_fft", unknown=(0,), data=fed(3, 8), more={"expected": pairs})
case("_contrib_fft", "four", data=fed(2, 3, 4, 6), more={"expected": pairs})
case("_contrib_ifft", unknown=(0,), data=fed(3, 16), more={"expected": back})
case("_contrib_ifft", "four", data=fed(2, 3, 4, 12), more={"expected": back})
for variant, attrs in (("", {"max_displacement": 2, "pad_size": 2}), ("kernel", {"kernel_size": 3, "max_displacement": 2, "stride2": 2, "pad_size": 3}), ("subtracted", {"max_displacement": 1, "pad_size": 1, "is_multiply": False})):
    case("Correlation", variant, attrs=attrs, take=(0,), data1=fed(1, 3, 6, 7), data2=fed(1, 3, 6, 7))


def with_short_name(text):
    """As Model Optimizer knows them."""
    for node in text["nodes"]:
        node["op"] = node["op"].removeprefix("_contrib_")


case("_contrib_fft", "short_name", data=fed(3, 8), more={"expected": pairs, "change": with_short_name})
case("_contrib_ifft", "short_name", data=fed(3, 16), more={"expected": back, "change": with_short_name})
