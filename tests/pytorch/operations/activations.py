"""Activations, and softmax."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case = family.case
X = fed(2, 6, low=-4, high=4)
for name in "relu relu6 gelu silu hardswish hardsigmoid hardtanh leaky_relu elu selu celu softplus softshrink hardshrink mish logsigmoid tanhshrink softsign".split():
    case(name, getattr(F, name), X, unknown=(0,), core=True)
case("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), X)
case("elu_alpha", lambda x: F.elu(x, 0.5), X)
case("softplus_beta", lambda x: F.softplus(x, 2, 3), X)
case("threshold", lambda x: F.threshold(x, 0.5, -1), X)
case("leaky_slope", lambda x: F.leaky_relu(x, 0.2), X)
case("glu", lambda x: F.glu(x, 1), X)
family.module("prelu", lambda: nn.PReLU(6), fed(2, 6, 4))
family.module("prelu_one", lambda: nn.PReLU(), X)
case("softmax", lambda x: x.softmax(-1), fed(2, 3, 4), unknown=(0,), core=True)
case("softmax_type", lambda x: F.softmax(x, 1, dtype=torch.float32), ints(2, 3, 4))
case("log_softmax", lambda x: x.log_softmax(1), fed(2, 3, 4), core=True)
case("relu_in_place", lambda x: F.relu_(x * 2), X)
case("chain_in_place", lambda x: (x + 1).mul_(2).sub_(0.5).clamp_(-1, 1).sigmoid_(), X)
case("prelu_kernel", lambda x, w: torch.ops.aten._prelu_kernel(x, w), fed(2, 6), fed(2, 6))
case("safe_softmax", lambda x: torch.ops.aten._safe_softmax(x, 1), fed(2, 3, 4))
case("dropouts", lambda x: F.feature_alpha_dropout(F.alpha_dropout(torch.feature_dropout(x, 0.5, False), 0.5, False), 0.5, False), fed(2, 6))
