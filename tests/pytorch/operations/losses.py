"""Losses."""
import torch
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
HOW = ("none", "mean", "sum")
X, Y, P, Q = fed(4, 3, low=-3, high=3), fed(4, 3, low=-3, high=3), fed(4, 3, low=0.05, high=0.95), fed(4, 3, low=0, high=1)


def each(function):
    """Of all reductions."""
    return lambda *inputs: tuple(function(*inputs, reduction=how) for how in HOW)


for name in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss"):
    case(name, each(getattr(F, name)), X, Y, unknown=(0,), core=True)
case("l1_loss_broadcast", each(F.l1_loss), X, fed(4, 1))
case("smooth_l1_beta", lambda x, y: (F.smooth_l1_loss(x, y, beta=0.3), F.smooth_l1_loss(x, y, beta=0.0)), X, Y, core=True)
case("huber_delta", lambda x, y: F.huber_loss(x, y, delta=0.4), X, Y)
case("binary_cross_entropy", each(F.binary_cross_entropy), P, Q, core=True)
case("binary_cross_entropy_weight", lambda x, y, w: F.binary_cross_entropy(x, y, w), P, Q, fed(3, low=0.1, high=2))
case("binary_cross_entropy_edges", lambda x, y: F.binary_cross_entropy(x, y, reduction="none"), given([0.0, 1.0, 0.0, 1.0]), given([0.0, 1.0, 1.0, 0.0]))
case("binary_cross_entropy_with_logits", each(F.binary_cross_entropy_with_logits), X, Q, unknown=(0,), core=True)
case("binary_cross_entropy_with_logits_weights", lambda x, y, w, p: F.binary_cross_entropy_with_logits(x, y, w, pos_weight=p), X, Q, fed(3, low=0.1, high=2), fed(3, low=0.1, high=2))
case("kl_div", each(F.kl_div), X, Q, core=True)
case("kl_div_zero", lambda x, y: F.kl_div(x, y, reduction="batchmean"), X, given([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [0.2, 0.2, 0.6], [0.0, 0.0, 1.0]]))
case("kl_div_log", lambda x, y: F.kl_div(x, y, reduction="none", log_target=True), X, Y)
case("poisson_nll_loss", each(F.poisson_nll_loss), X, fed(4, 3, low=0, high=5), core=True)
case("poisson_nll_loss_full", lambda x, y: F.poisson_nll_loss(x, y, log_input=False, full=True, reduction="none"), fed(4, 3, low=0.1, high=3), given([[0.0, 1.0, 2.0], [3.0, 0.5, 4.0], [1.5, 6.0, 0.0], [2.0, 2.0, 9.0]]))
case("soft_margin_loss", each(F.soft_margin_loss), X, given([[1.0, -1.0, 1.0]] * 4), core=True)
case("hinge_embedding_loss", each(F.hinge_embedding_loss), X, given([[1.0, -1.0, 1.0]] * 4), core=True)
case("hinge_embedding_margin", lambda x, y: F.hinge_embedding_loss(x, y, margin=0.3), X, given([[1.0, -1.0, 1.0]] * 4))
case("margin_ranking_loss", lambda a, b, t: tuple(F.margin_ranking_loss(a, b, t, margin=0.2, reduction=how) for how in HOW), fed(4), fed(4), given([1.0, -1.0, 1.0, -1.0]), core=True)
LABELS, IGNORED = given([0, 2, 1, 2], "int64"), given([0, -100, 1, 2], "int64")
case("nll_loss", each(F.nll_loss), X, LABELS, unknown={0: (0,), 1: (0,)}, core=True)
case("nll_loss_weight", lambda x, t, w: tuple(F.nll_loss(x, t, w, ignore_index=2, reduction=how) for how in HOW), X, LABELS, fed(3, low=0.1, high=2), core=True)
case("nll_loss_ignored", each(F.nll_loss), X, IGNORED)
case("nll_loss_pictures", each(F.nll_loss), fed(2, 3, 4, 5), ints(2, 4, 5, high=3), core=True)
case("nll_loss_one", lambda x, t: F.nll_loss(x, t), fed(3), given(1, "int64"))
case("nll_loss_forms", lambda x, t: (torch.ops.aten.nll_loss(x, t), torch.ops.aten.nll_loss_forward(x, t, None, 1, -100)[0], torch.ops.aten.nll_loss_nd(x, t)), X, LABELS)
case("nll_loss2d", lambda x, t: (torch.ops.aten.nll_loss2d(x, t), torch.ops.aten.nll_loss2d_forward(x, t, None, 2, -100)[0]), fed(2, 3, 4, 5), ints(2, 4, 5, high=3))
case("cross_entropy_loss", each(F.cross_entropy), X, LABELS, unknown={0: (0,), 1: (0,)}, core=True)
case("cross_entropy_ignored", lambda x, t, w: tuple(F.cross_entropy(x, t, w, reduction=how) for how in HOW), X, IGNORED, fed(3, low=0.1, high=2))
case("cross_entropy_smoothing", lambda x, t, w: tuple(F.cross_entropy(x, t, w, reduction=how, label_smoothing=0.1) for how in HOW), X, IGNORED, fed(3, low=0.1, high=2), core=True)
case("cross_entropy_probabilities", lambda x, t, w: tuple(F.cross_entropy(x, t, w, reduction=how) for how in HOW), X, Q, fed(3, low=0.1, high=2), core=True)
case("cross_entropy_probabilities_smoothing", lambda x, t: F.cross_entropy(x, t, label_smoothing=0.2), fed(2, 3, 4), fed(2, 3, 4, low=0, high=1))
case("cross_entropy_pictures", each(F.cross_entropy), fed(2, 3, 4, 5), ints(2, 4, 5, high=3))
case("broadcast_tensors", lambda x, y, z: torch.broadcast_tensors(x, y, z), fed(4, 3), fed(3), fed(4, 1), unknown={0: (0,), 2: (0,)})
case("broadcast_tensors_ranks", lambda x, y: torch.broadcast_tensors(x, y), fed(2, 1, 3), fed(4, 1))
case("cosine_embedding_loss", lambda a, b, t: tuple(F.cosine_embedding_loss(a, b, t, margin=0.1, reduction=how) for how in HOW), fed(4, 3), fed(4, 3), given([1.0, -1.0, 1.0, -1.0]), core=True)
case("triplet_margin_loss", lambda a, p, n: tuple(F.triplet_margin_loss(a, p, n, reduction=how) for how in HOW), fed(4, 3), fed(4, 3), fed(4, 3), core=True)
case("triplet_margin_swap", lambda a, p, n: F.triplet_margin_loss(a, p, n, margin=0.5, p=1, swap=True), fed(4, 3), fed(4, 3), fed(4, 3))
