"""Normalisation."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
module = family.module
case = family.case
PICTURE = fed(2, 6, 5, 4)
module("batch1d", lambda: nn.BatchNorm1d(6), fed(4, 6), unknown=(0,), core=True)
module("batch2d", lambda: nn.BatchNorm2d(6, eps=1e-3), PICTURE, unknown=(0,), core=True)
module("batch2d_plain", lambda: nn.BatchNorm2d(6, affine=False), PICTURE)
module("batch3d", lambda: nn.BatchNorm3d(3), fed(1, 3, 2, 3, 4))
module("layer", lambda: nn.LayerNorm(4), PICTURE, unknown=(0,), core=True)
module("layer_two", lambda: nn.LayerNorm((5, 4)), PICTURE, unknown=(0,))
module("layer_plain", lambda: nn.LayerNorm(4, elementwise_affine=False), PICTURE)
module("layer_no_bias", lambda: nn.LayerNorm(4, bias=False), PICTURE)
module("group", lambda: nn.GroupNorm(3, 6), PICTURE, unknown=(0,), core=True)
module("group_plain", lambda: nn.GroupNorm(2, 6, affine=False), PICTURE)
module("instance", lambda: nn.InstanceNorm2d(6, affine=True), PICTURE, unknown=(0,))
module("instance_plain", lambda: nn.InstanceNorm2d(6), PICTURE)
module("rms", lambda: nn.RMSNorm(4), PICTURE)
module("normalize", lambda: lambda x: F.normalize(x, dim=1), PICTURE, core=True)
module("weight_norm", lambda: nn.utils.parametrizations.weight_norm(nn.Conv1d(6, 4, 3)), fed(2, 6, 5), unknown=(0,), core=True)
module("weight_norm_axis", lambda: nn.utils.parametrizations.weight_norm(nn.Linear(5, 4), dim=1), fed(2, 5))
module("weight_norm_all", lambda: nn.utils.parametrizations.weight_norm(nn.Linear(5, 4), dim=None), fed(2, 5))
module("training_refused", lambda: lambda x, m, v: F.batch_norm(x, m, v, training=True), PICTURE, given([0.0] * 6), given([1.0] * 6), refused="training")
A = torch.ops.aten
module("batch_of_own", lambda: nn.BatchNorm2d(6, track_running_stats=False), PICTURE, unknown=(0,), core=True)
module("instance_core", lambda: nn.InstanceNorm1d(6, affine=True), fed(2, 6, 5), decomposed=True)
module("instance_plain_core", lambda: nn.InstanceNorm2d(6), PICTURE, decomposed=True, unknown=(0,))
module("native_batch_norm", lambda: lambda x, w, m, v: A.native_batch_norm(x, w, None, m, v, False, 0.1, 1e-4)[0], PICTURE, fed(6), fed(6), fed(6, low=0.5), unknown={0: (0,)})
module("native_batch_norm_legit", lambda: lambda x, m, v: A._native_batch_norm_legit(x, None, None, m, v, False, 0.1, 1e-5)[0], PICTURE, fed(6), fed(6, low=0.5))
module("native_batch_norm_legit_no_stats", lambda: lambda x, w: A._native_batch_norm_legit(x, w, None, True, 0.1, 1e-5)[0], PICTURE, fed(6))
module("_native_batch_norm_legit", lambda: lambda x: A._native_batch_norm_legit(x, None, None, True, 0.1, 1e-5), PICTURE, refused="output 1")
module("batch_norm_no_update", lambda: lambda x, w, b, m, v: A._batch_norm_no_update(x, w, b, m, v, 0.1, 1e-5)[0], PICTURE, fed(6), fed(6), fed(6), fed(6, low=0.5))
module("native_batch_norm_refused", lambda: lambda x, m, v: A.native_batch_norm(x, None, None, m, v, True, 0.1, 1e-5)[0], PICTURE, given([0.0] * 6), given([1.0] * 6), refused="training")
module("fused_rms_norm", lambda: lambda x, w: A._fused_rms_norm(x, [4], w, 1e-4)[0], PICTURE, fed(4), unknown={0: (0,)})
module("fused_rms_norm_plain", lambda: lambda x: A._fused_rms_norm(x, [5, 4], None, None)[0], PICTURE)
module("rms_core", lambda: nn.RMSNorm(4), PICTURE, decomposed=True)
module("local_response", lambda: nn.LocalResponseNorm(3, alpha=0.01), PICTURE, unknown=(0,), core=True)
module("local_response_3d", lambda: nn.LocalResponseNorm(2, alpha=0.5, k=2), fed(1, 4, 2, 3, 4))
case("weight_norm_with_lengths", lambda v, g: torch._weight_norm_interface(v, g, 0), fed(4, 3, 2), fed(4, 1, 1))
