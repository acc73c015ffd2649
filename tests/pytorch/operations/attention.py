"""Attention as backends compute it, with the layers around it, and layers of encoders in one operator."""
import torch
from torch import nn
from torch.nn import functional as F

from models import Family, fed, given

family = Family(__name__)
case, module = family.case, family.module
A = torch.ops.aten
Q, K = fed(2, 3, 5, 4), fed(2, 3, 7, 4)
SEEN = given([[True, True, False, True, True, True, False]], "bool")


def on_graphics_cards(name, *more, **options):
    """An operator that programs of graphics cards have: exported as such, computed as any attention."""
    def call(q, k, v):
        if torch.compiler.is_exporting():
            return getattr(A, name)(q, k, v, *more, **options)[0]
        return F.scaled_dot_product_attention(q, k, v, **options)
    return call


case("flash_for_cpu", lambda q, k, v: A._scaled_dot_product_flash_attention_for_cpu(q, k, v)[0], Q, K, K, unknown=(0,))
case("flash_for_cpu_mask", lambda q, k, v, m: A._scaled_dot_product_flash_attention_for_cpu(q, k, v, attn_mask=m, scale=0.3)[0], Q, K, K, fed(5, 7))
case("flash_for_cpu_sums_refused", lambda q, k, v: A._scaled_dot_product_flash_attention_for_cpu(q, k, v), Q, K, K, refused="output 1")
case("math", lambda q, k, v: A._scaled_dot_product_attention_math(q, k, v, is_causal=True)[0], Q, Q, Q, unknown=(0,))
case("math_flags", lambda q, k, v, m: A._scaled_dot_product_attention_math(q, k, v, m, scale=0.2)[0], Q, K, K, SEEN)
case("_scaled_dot_product_flash_attention", on_graphics_cards("_scaled_dot_product_flash_attention", is_causal=True), Q, Q, Q)
case("_scaled_dot_product_efficient_attention", on_graphics_cards("_scaled_dot_product_efficient_attention", None, False, scale=0.4), Q, K, K)
case("_scaled_dot_product_cudnn_attention", on_graphics_cards("_scaled_dot_product_cudnn_attention", None, False), Q, Q, Q)
case("_scaled_dot_product_fused_attention_overrideable", on_graphics_cards("_scaled_dot_product_fused_attention_overrideable"), Q, Q, Q)
case("shared_scale", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.3, enable_gqa=True), fed(2, 6, 5, 4), fed(2, 2, 7, 4), fed(2, 2, 7, 4), unknown=(0,))
case("shared_causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), fed(2, 4, 5, 4), fed(2, 1, 5, 4), fed(2, 1, 5, 4), unknown=(2,))
case("three_dimensions", F.scaled_dot_product_attention, fed(2, 5, 4), fed(2, 7, 4), fed(2, 7, 6), unknown=(0,))
case("dropout_refused", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, dropout_p=0.5), Q, Q, Q, refused="dropout")


class Native(nn.Module):
    """nn.MultiheadAttention in one operator."""

    def __init__(self, of_itself, mask_type=None, weights=False, average=True):
        super().__init__()
        self.of_itself, self.mask_type, self.weights, self.average = of_itself, mask_type, weights, average
        self.parts = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x, more=None):
        y, mask = (x if self.of_itself else more), (more if self.of_itself else None)
        p = self.parts
        found = torch._native_multi_head_attention(x, y, y, 8, 2, p.in_proj_weight, p.in_proj_bias, p.out_proj.weight, p.out_proj.bias,
                                                   mask, self.weights, self.average, self.mask_type)
        return found if self.weights else found[0]


class Layer(nn.Module):
    """nn.TransformerEncoderLayer in one operator."""

    def __init__(self, first, gelu, mask_type=None):
        super().__init__()
        self.first, self.gelu, self.mask_type = first, gelu, mask_type
        self.parts = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x, mask=None):
        p = self.parts
        a = p.self_attn
        return torch._transformer_encoder_layer_fwd(x, 8, 2, a.in_proj_weight, a.in_proj_bias, a.out_proj.weight, a.out_proj.bias, self.gelu, self.first, 1e-5,
                                                    p.norm1.weight, p.norm1.bias, p.norm2.weight, p.norm2.bias, p.linear1.weight, p.linear1.bias,
                                                    p.linear2.weight, p.linear2.bias, mask, self.mask_type)


ROWS = fed(2, 5, 8)
OF_SAMPLES = given([[False, False, True, False, True], [False, False, False, False, True]], "bool")
OF_ALL = given([[row < column for column in range(5)] for row in range(5)], "bool")
module("native_multi_head_attention", lambda: Native(True), ROWS, unknown=(0,))
module("native_multi_head_attention_of_others", lambda: Native(False), ROWS, fed(2, 5, 8))
module("native_multi_head_attention_padding", lambda: Native(True, 1), ROWS, OF_SAMPLES)
module("native_multi_head_attention_mask", lambda: Native(True, 0), ROWS, OF_ALL)
module("native_multi_head_attention_weights", lambda: Native(True, 1, weights=True), ROWS, OF_SAMPLES)
module("native_multi_head_attention_all_weights", lambda: Native(True, weights=True, average=False), ROWS, unknown=(0,))
module("transformer_encoder_layer_fwd", lambda: Layer(False, False), ROWS, unknown=(0,))
module("_transformer_encoder_layer_fwd", lambda: Layer(True, True, 1), ROWS, OF_SAMPLES)


class Attention(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.layer = nn.MultiheadAttention(8, 2, batch_first=True, **options)

    def forward(self, x, y):
        return self.layer(x, y, y)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.MultiheadAttention(8, 2)

    def forward(self, x, padding):
        return self.layer(x, x, x, key_padding_mask=padding, attn_mask=OF_ALL_OF_TORCH, need_weights=False)[0]


OF_ALL_OF_TORCH = torch.ones(5, 5).triu(1).bool()
module("multihead_weights", Attention, ROWS, fed(2, 7, 8), unknown=(0,))
module("multihead_widths", lambda: Attention(kdim=6, vdim=6, bias=False, add_zero_attn=True), ROWS, fed(2, 7, 6))
module("multihead_bias", lambda: Attention(add_bias_kv=True), ROWS, fed(2, 7, 8), core=True)
module("multihead_masked", Masked, fed(5, 2, 8), OF_SAMPLES, core=True)
module("transformer", lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True), ROWS, fed(2, 4, 8), unknown=(0,), core=True)
module("encoder_gelu", lambda: nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", norm_first=True), fed(5, 2, 8), unknown=(1,))
module("decoder", lambda: nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), ROWS, fed(2, 7, 8), unknown=(0,))
