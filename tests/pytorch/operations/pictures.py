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
A = torch.ops.aten
case("nearest_exact1d", lambda x: F.interpolate(x, size=8, mode="nearest-exact"), fed(2, 3, 5), unknown=(0,))
case("nearest_exact2d", lambda x: F.interpolate(x, size=(7, 4), mode="nearest-exact"), PICTURE, unknown=(0,), core=True)
case("nearest_exact2d_factor", lambda x: F.interpolate(x, scale_factor=1.7, mode="nearest-exact"), PICTURE)
case("nearest_exact2d_symbolic", lambda x: F.interpolate(x, scale_factor=2, mode="nearest-exact"), PICTURE, unknown=(0, 2, 3))
case("nearest_exact3d", lambda x: F.interpolate(x, scale_factor=1.5, mode="nearest-exact"), fed(1, 2, 3, 4, 5))
case("upsample_nearest_exact2d", lambda x: A._upsample_nearest_exact2d(x, [10, 12], 2.0, 2.0), PICTURE)
case("upsample_nearest2d", lambda x: A.upsample_nearest2d(x, [8, 9], 1.7, 1.6), PICTURE)
case("upsample_bilinear2d", lambda x: A.upsample_bilinear2d(x, [8, 9], False, 1.7, 1.6), PICTURE)
case("bilinear_aa", lambda x: F.interpolate(x, size=(3, 4), mode="bilinear", antialias=True), PICTURE, unknown=(0,), core=True)
case("bilinear_aa_up", lambda x: F.interpolate(x, size=(7, 4), mode="bilinear", antialias=True), PICTURE)
case("bilinear_aa_factor", lambda x: F.interpolate(x, scale_factor=0.4, mode="bilinear", antialias=True), fed(1, 2, 11, 12))
case("bilinear_aa_symbolic", lambda x: F.interpolate(x, size=(3, 4), mode="bilinear", antialias=True), PICTURE, unknown=(0, 2, 3))
case("bilinear_aa_corners_refused", lambda x: F.interpolate(x, size=(3, 2), mode="bilinear", antialias=True, align_corners=True), PICTURE, refused="corners")
case("bicubic_aa", lambda x: F.interpolate(x, size=(3, 4), mode="bicubic", antialias=True), PICTURE, unknown=(0,))
case("bicubic_aa_large", lambda x: F.interpolate(x, size=(5, 6), mode="bicubic", antialias=True), fed(1, 3, 20, 17))
case("upsample_bicubic2d_aa", lambda x: A._upsample_bicubic2d_aa(x, [3, 9], False), PICTURE)
case("pad_symbolic", lambda x, y: F.pad(x, (0, y.shape[3] - x.shape[3], 1, y.shape[2] - x.shape[2])), PICTURE, fed(2, 3, 8, 9), unknown={0: (2, 3), 1: (2, 3)})
case("pad_symbolic_reflect", lambda x, y: F.pad(x, (y.shape[0], 1, 1, 0), "reflect"), PICTURE, fed(2), unknown={1: (0,)})
case("pad_negative", lambda x: A.constant_pad_nd(x, [-1, -2, 1, -1], 0.5), PICTURE, unknown=(0,))
case("pad_integers", lambda x: F.pad(x, (1, 1), value=7), ints(2, 3))
case("pad_circular_core", lambda x: F.pad(x, (1, 2, 2, 1), "circular"), PICTURE, decomposed=True)
case("pad_circular_three", lambda x: F.pad(x, (1, 0, 1, 2, 0, 1), "circular"), fed(2, 2, 3, 4, 5), unknown=(0,))
case("_pad_circular", lambda x: A._pad_circular(x, [1, 2]), fed(2, 3, 5), unknown=(0,))
for mode, name in enumerate(("reflect", "replicate", "circular", "constant")):
    case(f"_pad_enum_{name}", lambda x, mode=mode: A._pad_enum(x, [1, 2, 1, 0], mode), PICTURE)
case("affine_grid_generator", lambda x, t: F.grid_sample(x, F.affine_grid(t, list(x.shape), align_corners=False), align_corners=False), PICTURE, fed(2, 2, 3), unknown={0: (0,), 1: (0,)}, core=True)
case("affine_grid_corners", lambda t: A.affine_grid_generator(t, [2, 1, 3, 4, 5], True), fed(2, 3, 4))
