"""Resizing, padding and sampling of pictures."""
import torch
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
PICTURE = fed(2, 3, 5, 6)
case("nearest", lambda x: F.interpolate(x, scale_factor=2), PICTURE, unknown=(0,), core=True)
case("nearest_size", lambda x: F.interpolate(x, size=(7, 9)), PICTURE)
case("nearest_down", lambda x: F.interpolate(x, size=(3, 4)), PICTURE)
case("bilinear", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), PICTURE, unknown=(0,), core=True)
case("bilinear_size", lambda x: F.interpolate(x, size=(7, 9), mode="bilinear"), PICTURE)
case("bilinear_corners", lambda x: F.interpolate(x, size=(7, 9), mode="bilinear", align_corners=True), PICTURE)
case("bilinear_like", lambda x, y: F.interpolate(x, size=y.shape[-2:], mode="bilinear"), PICTURE, fed(1, 3, 8, 9))
case("bilinear_factor", lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear"), PICTURE)
case("bicubic", lambda x: F.interpolate(x, size=(7, 9), mode="bicubic"), PICTURE)
case("linear", lambda x: F.interpolate(x, size=9, mode="linear"), fed(1, 3, 5))
case("trilinear", lambda x: F.interpolate(x, scale_factor=2, mode="trilinear"), fed(1, 2, 3, 4, 5))
case("pad", lambda x: F.pad(x, (1, 2, 0, 3)), PICTURE, unknown=(0,), core=True)
case("pad_value", lambda x: F.pad(x, (1, 0), value=-2.5), PICTURE)
case("pad_cut", lambda x: F.pad(x, (-1, 1)), PICTURE)
case("pad_reflect", lambda x: F.pad(x, (1, 2, 2, 1), "reflect"), PICTURE)
case("pad_replicate", lambda x: F.pad(x, (1, 2, 2, 1), "replicate"), PICTURE)
case("pad_circular", lambda x: F.pad(x, (1, 2, 2, 1), "circular"), PICTURE)
case("grid", lambda x, g: F.grid_sample(x, g, align_corners=False), PICTURE, fed(2, 4, 4, 2), core=True)
case("grid_nearest", lambda x, g: F.grid_sample(x, g, "nearest", "border", True), PICTURE, fed(2, 4, 4, 2))
case("nearest1d", lambda x: F.interpolate(x, scale_factor=2), fed(1, 3, 5))
case("nearest3d", lambda x: F.interpolate(x, scale_factor=2), fed(1, 2, 3, 4, 5))
case("grid3d", lambda x, g: torch.ops.aten.grid_sampler_3d(x, g, 0, 0, False), fed(1, 2, 3, 4, 5), fed(1, 2, 3, 4, 3))
for rank in (1, 2, 3):
    for mode in ("reflection", "replication"):
        name = f"{mode}_pad{rank}d"
        case(name, lambda x, f=getattr(torch.ops.aten, name), rank=rank: f(x, [1, 2] * rank), fed(1, 2, 4, 5, 3) if rank == 3 else fed(1, 2, 4, 5) if rank == 2 else fed(1, 2, 4))
