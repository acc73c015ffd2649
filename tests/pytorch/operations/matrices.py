"""Products of matrices, and attention."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, flags, given, ints

family = Family(__name__)
case, module = family.case, family.module
module("linear", lambda: nn.Linear(4, 5), fed(2, 3, 4), unknown=(0,), core=True)
module("linear_no_bias", lambda: nn.Linear(4, 5, bias=False), fed(3, 4), core=True)
module("linear_vector", lambda: nn.Linear(4, 5), fed(4))
module("bilinear", lambda: nn.Bilinear(3, 4, 5), fed(2, 3), fed(2, 4))
case("matmul", torch.matmul, fed(2, 3, 4), fed(2, 4, 5), unknown=(0,), core=True)
case("matmul_broadcast", torch.matmul, fed(2, 2, 3, 4), fed(4, 5))
case("matmul_vectors", torch.matmul, fed(4), fed(4))
case("matmul_vector", torch.matmul, fed(2, 3, 4), fed(4))
case("mm", torch.mm, fed(3, 4), fed(4, 5))
case("bmm", torch.bmm, fed(2, 3, 4), fed(2, 4, 5))
case("mv", torch.mv, fed(3, 4), fed(4))
case("dot", torch.dot, fed(4), fed(4))
case("outer", torch.outer, fed(3), fed(4))
case("addmm", lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), fed(5), fed(3, 4), fed(4, 5))
case("baddbmm", torch.baddbmm, fed(2, 3, 5), fed(2, 3, 4), fed(2, 4, 5))
case("einsum", lambda x, y: torch.einsum("bij,bjk->bik", x, y), fed(2, 3, 4), fed(2, 4, 5))
case("einsum_spaces", lambda x: torch.einsum("b i j -> b j i", x), fed(2, 3, 4))
Q = fed(2, 3, 5, 4)
case("sdpa", F.scaled_dot_product_attention, Q, Q, Q, unknown=(0,), core=True)
case("sdpa_mask", F.scaled_dot_product_attention, Q, Q, Q, fed(5, 5))
case("sdpa_flags", F.scaled_dot_product_attention, Q, Q, Q, given([[[[True, True, False, True, True]]]], "bool"))
case("sdpa_causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), Q, Q, Q, unknown=(0,))
case("sdpa_scale", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.3), Q, fed(2, 3, 7, 4), fed(2, 3, 7, 4))
case("sdpa_shared", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True), fed(2, 4, 5, 4), fed(2, 2, 5, 4), fed(2, 2, 5, 4))
module("multihead", lambda: Attention(), fed(2, 5, 8), unknown=(0,))
module("transformer_layer", lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), fed(2, 5, 8), unknown=(0,), core=True)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]
case("addmv", torch.addmv, fed(3), fed(3, 4), fed(4))
