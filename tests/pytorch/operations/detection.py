"""Operators of torchvision: boxes that overlap, aligned regions, convolutions with offsets."""
from torch import nn

from models import Family, fed, given

family = Family(__name__)
case, module = family.case, family.module


def vision(name):
    def call(*args, **options):
        import torchvision
        return getattr(torchvision.ops, name)(*args, **options)
    return call


nms, roi_align, deform_conv2d = vision("nms"), vision("roi_align"), vision("deform_conv2d")
BOXES = given([[0, 0, 10, 10], [1, 1, 11, 11], [0, 20, 10, 30], [0, 0, 10, 5], [2, 20, 9, 31], [50, 50, 52, 52]])
SCORES = given([0.5, 0.9, 0.3, 0.4, 0.8, 0.1])
REGIONS = given([[0, 1, 1, 6, 5], [1, 0, 2, 7.5, 7], [0, 2.5, 3, 3, 3.2], [1, -1, -2, 9, 12]])
PICTURE = fed(2, 3, 8, 8)


class Deformable(nn.Module):
    def __init__(self, **options):
        super().__init__()
        import torchvision
        self.layer = torchvision.ops.DeformConv2d(4, 6, 3, **options)

    def forward(self, x, offset, *mask):
        return self.layer(x, offset * 2, *mask)


case("nms", lambda boxes, scores: nms(boxes, scores, 0.5), BOXES, SCORES)
case("nms_all", lambda boxes, scores: nms(boxes, scores, 1.0), BOXES, SCORES)
case("nms_any", lambda boxes, scores: boxes[nms(boxes, scores, 0.3)], BOXES, SCORES, unknown={0: (0,), 1: (0,)})
case("roi_align", lambda x, rois: roi_align(x, rois, (2, 3)), PICTURE, REGIONS)
case("roi_align_aligned", lambda x, rois: roi_align(x, rois, 2, spatial_scale=0.5, sampling_ratio=2, aligned=True), PICTURE, REGIONS, unknown={1: (0,)})
module("deform_conv2d", lambda: Deformable(padding=1), fed(2, 4, 6, 7), fed(2, 18, 6, 7))
module("deform_conv2d_mask", lambda: Deformable(padding=(1, 2), stride=(2, 1), dilation=(1, 2), groups=2, bias=False), fed(2, 4, 7, 8), fed(2, 36, 4, 8), fed(2, 18, 4, 8, low=0))
roi_pool, ps_roi_align, ps_roi_pool = vision("roi_pool"), vision("ps_roi_align"), vision("ps_roi_pool")
BINS = fed(2, 12, 8, 9)
case("roi_pool", lambda x, rois: roi_pool(x, rois, (2, 3)), PICTURE, REGIONS)
case("roi_pool_scaled", lambda x, rois: roi_pool(x, rois, 2, spatial_scale=0.5), PICTURE, REGIONS, unknown={1: (0,)})
case("ps_roi_align", lambda x, rois: ps_roi_align(x, rois, (2, 3)), BINS, REGIONS)
case("ps_roi_align_scaled", lambda x, rois: ps_roi_align(x, rois, 2, spatial_scale=0.5, sampling_ratio=2), BINS, REGIONS, unknown={1: (0,)})
case("ps_roi_pool", lambda x, rois: ps_roi_pool(x, rois, 2), BINS, REGIONS)
case("ps_roi_pool_scaled", lambda x, rois: ps_roi_pool(x, rois, 2, spatial_scale=0.7), BINS, REGIONS)
case("ps_roi_pool_refused", lambda x, rois: ps_roi_pool(x, rois, (2, 3)), BINS, REGIONS, refused="regions")
