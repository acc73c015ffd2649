"""Pooling."""
import torch
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
PICTURE = fed(2, 3, 9, 8)
case("max1d", lambda x: F.max_pool1d(x, 3, 2), fed(2, 3, 9))
case("max2d", lambda x: F.max_pool2d(x, 3, 2, 1), PICTURE, unknown=(0,), core=True)
case("max2d_stride_of_kernel", lambda x: F.max_pool2d(x, (2, 3)), PICTURE)
case("max2d_ceil", lambda x: F.max_pool2d(x, 2, 2, ceil_mode=True), PICTURE)
case("max2d_ceil_padded", lambda x: F.max_pool2d(x, 3, 3, 1, ceil_mode=True), PICTURE)
case("max2d_dilated", lambda x: F.max_pool2d(x, 2, 1, dilation=2), PICTURE)
case("max2d_no_batch", lambda x: F.max_pool2d(x, 2), fed(3, 9, 8))
case("max3d", lambda x: F.max_pool3d(x, 2), fed(1, 2, 4, 6, 6))
case("avg1d", lambda x: F.avg_pool1d(x, 3, 2, 1), fed(2, 3, 9))
case("avg2d", lambda x: F.avg_pool2d(x, 3, 2, 1), PICTURE, unknown=(0,), core=True)
case("avg2d_of_data", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), PICTURE)
case("avg2d_ceil", lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True), PICTURE)
case("avg2d_divisor", lambda x: F.avg_pool2d(x, 3, 2, 1, divisor_override=5), PICTURE)
case("avg3d", lambda x: F.avg_pool3d(x, 2), fed(1, 2, 4, 6, 6))
case("adaptive_one", lambda x: F.adaptive_avg_pool2d(x, 1), PICTURE, unknown=(0, 2, 3), core=True)
case("adaptive", lambda x: F.adaptive_avg_pool2d(x, (3, 4)), PICTURE, core=True)
case("adaptive_uneven", lambda x: F.adaptive_avg_pool2d(x, (4, 3)), PICTURE)
case("adaptive1d", lambda x: F.adaptive_avg_pool1d(x, 3), fed(2, 3, 9))
case("adaptive3d", lambda x: F.adaptive_avg_pool3d(x, 2), fed(1, 2, 4, 6, 6))
case("adaptive_max", lambda x: F.adaptive_max_pool2d(x, 3), PICTURE)
case("adaptive_max3d", lambda x: F.adaptive_max_pool3d(x, 2), fed(1, 2, 4, 6, 6))
case("max3d_core", lambda x: F.max_pool3d(x, 2), fed(1, 2, 4, 6, 6), decomposed=True)
