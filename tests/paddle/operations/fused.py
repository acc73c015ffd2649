"""Operators that Paddle's own optimiser writes into programs of inference."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
POSITIVE = {"low": 0.5, "high": 2}

for variant, functors, axis, y in (("add_relu", ["elementwise_add", "relu"], -1, (2, 3, 4)), ("relu_add", ["relu", "elementwise_add"], -1, (2, 3, 4)), ("add_scale",
        ["elementwise_add",
                "scale"], -1, (4,)), ("scale_add", ["scale", "elementwise_add"], 1, (3,)),
                                   ("mul_scale", ["elementwise_mul", "scale"], 1, (3,))):
    for kind in ("fused_elemwise_activation", "fused_elemwise_add_activation"):
        if kind == "fused_elemwise_activation" or "add" in variant and "scale" not in variant:
            case(kind, variant, unknown=(0,), attrs={"axis": axis, "scale": 0.5, "functor_list": functors, "save_intermediate_out": False}, X=fed(2, 3, 4), Y=fed(*y))
case("fusion_repeated_fc_relu", unknown=(0,), outs={"ReluOut": 2}, take=[-1], X=fed(2, 4), W=[fixed(4, 5), fixed(5, 6), fixed(6, 3)], Bias=[fixed(5), fixed(6), fixed(3)])
case("fusion_squared_mat_sub", attrs={"scalar": 0.5}, X=fed(2, 3), Y=fed(3, 4))
case("fused_softmax_mask", X=fed(2, 2, 4, 32), Mask=fed(2, 1, 4, 32))
case("self_dp_attention", attrs={"alpha": 0.5, "head_number": 2}, X=fed(2, 4, 3, 2, 4))


def twin(kind, shape, variant="", unknown=(), attrs=None, more=None, outs=None, **slots):
    """The operator has no kernel for processors: the decorated function builds what it means from its inputs."""
    def of(meaning):
        def build(b):
            return [meaning(b, b.paddle.nn.functional, **{slot: b.take(slot, argument) for slot, argument in slots.items()})]

        case(kind, variant, unknown, attrs, outs, shape=shape, more={"twin": build, **(more or {})}, **slots)
        return meaning
    return of


for variant, attrs, scales in (("plain", {}, True), ("relu", {"activation_type": "relu"}, True), ("bare", {}, False)):
    more = {"Bias0": fixed(5), "Scale": fixed(5, **POSITIVE), "Bias1": fixed(5)} if scales else {}

    @twin("fused_fc_elementwise_layernorm", [-1, 5], variant, {"X": (0,), "Y": (0,)}, {"x_num_col_dims": 1, "epsilon": 1e-5, "begin_norm_axis": 1, **attrs}, X=fed(2, 4), W=fixed(4,
            5), Y=fed(2, 5), **more)
    def fc_norm(b, f, X, W, Y, Bias0=None, Scale=None, Bias1=None, relu="activation_type" in attrs):
        made = f.linear(X, W, Bias0)
        return f.layer_norm((f.relu(made) if relu else made) + Y, [5], Scale, Bias1, 1e-5)


@twin("fused_fc_elementwise_layernorm", [2, 3, 5], "three", (), {"x_num_col_dims": 2, "epsilon": 1e-5, "begin_norm_axis": 2}, X=fed(2, 3, 4), W=fixed(4, 5), Y=fed(2, 3,
        5), Bias0=fixed(5), Scale=fixed(5, **POSITIVE), Bias1=fixed(5))
def fc_norm_three(b, f, X, W, Y, Bias0, Scale, Bias1):
    return f.layer_norm(f.linear(X, W, Bias0) + Y, [5], Scale, Bias1, 1e-5)


@twin("fused_embedding_eltwise_layernorm", [2, 4, 8], attrs={"epsilon": 1e-5}, outs={"Out": "float32"}, Ids=[fed(2, 4, dtype=np.int64, low=0, high=5),
        fed(2, 4, dtype=np.int64, low=0, high=3)], Embs=[fixed(6, 8), fixed(4, 8)],
      Bias=fixed(8), Scale=fixed(8, **POSITIVE))
def embeddings(b, f, Ids, Embs, Bias, Scale):
    return f.layer_norm(f.embedding(Ids[0], Embs[0]) + f.embedding(Ids[1], Embs[1]), [8], Scale, Bias, 1e-5)


@twin("skip_layernorm", [-1, 3, 8], "", {"X": (0,), "Y": (0,)}, {"epsilon": 1e-5, "begin_norm_axis": 2}, X=fed(2, 3, 8), Y=fed(2, 3, 8), Scale=fixed(8, **POSITIVE), Bias=fixed(8))
def skip(b, f, X, Y, Scale, Bias):
    return f.layer_norm(X + Y, [8], Scale, Bias, 1e-5)


for variant, mask in (("plain", {}), ("mask", {"BiasQK": fed(2, 2, 3, 3)})):
    @twin("multihead_matmul", [2, 3, 8], variant, (), {"alpha": 0.5, "head_number": 2}, Input=fed(2, 3, 8), W=fixed(8, 3, 8), Bias=fixed(3, 8), **mask)
    def attention(b, f, Input, W, Bias, BiasQK=None):
        made = b.paddle.matmul(Input, b.paddle.reshape(W, [8, 24])) + b.paddle.reshape(Bias, [24])
        q, k, v = b.paddle.unbind(b.paddle.transpose(b.paddle.reshape(made, [2, 3, 3, 2, 4]), [2, 0, 3, 1, 4]), 0)
        weights = b.paddle.matmul(q, k, transpose_y=True) * 0.5
        found = b.paddle.matmul(f.softmax(weights if BiasQK is None else weights + BiasQK), v)
        return b.paddle.reshape(b.paddle.transpose(found, [0, 2, 1, 3]), [2, 3, 8])


CONV = {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}
NAMES = {"relu": "relu", "identity": "assign", "sigmoid": "sigmoid", "tanh": "tanh", "swish": "swish"}
for activation, residual in (("relu", False), ("identity", False), ("sigmoid", False), ("swish", False), ("relu", True)):
    more = {"ResidualData": fed(1, 4, 6, 7)} if residual else {}

    @twin("fused_conv2d_add_act", [1, 4, 6, 7], activation + "_residual" * residual, (), {**CONV, "activation": activation}, Input=fed(1, 3, 6, 7), Filter=fixed(4, 3, 3,
            3), Bias=fixed(4), **more)
    def conv(b, f, Input, Filter, Bias, ResidualData=None, activation=activation):
        made = f.conv2d(Input, Filter, Bias, padding=1)
        return b.op(NAMES[activation], X=made if ResidualData is None else made + ResidualData)


@twin("fused_conv2d_add_act", [1, 4, 6, 7], "older_name", (), {**CONV, "activation": "relu"}, {"renamed": {"fused_conv2d_add_act": "conv2d_fusion"}}, Input=fed(1, 3, 6,
        7), Filter=fixed(4, 3, 3,
                3), Bias=fixed(4))
def conv_older(b, f, Input, Filter, Bias):
    return f.relu(f.conv2d(Input, Filter, Bias, padding=1))


@twin("fused_bias_dropout_residual_layer_norm", [2, 3, 8], attrs={"dropout_rate": 0.3, "is_test": True, "ln_epsilon": 1e-5, "dropout_implementation": "upscale_in_train"}, X=fed(2, 3,
        8), Residual=fed(2, 3, 8), Bias=fixed(8), LnScale=fixed(8, **POSITIVE),
      LnBias=fixed(8))
def residual_norm(b, f, X, Residual, Bias, LnScale, LnBias):
    return f.layer_norm(X + Bias + Residual, [8], LnScale, LnBias, 1e-5)


@twin("fused_softmax_mask_upper_triangle", [1, 2, 6, 6], X=fed(1, 2, 6, 6))
def causal(b, f, X):
    return f.softmax(X + b.paddle.triu(b.paddle.full([6, 6], -10000.0), 1))


@twin("fused_elementwise_add", [2, 3], attrs={"axis": -1, "fuse_activation": "relu"}, X=fed(2, 3), Y=fed(2, 3))
def add(b, f, X, Y):
    return f.relu(X + Y)


@twin("fused_matmul", [2, 3, 5], attrs={"trans_x": False, "trans_y": True, "matmul_alpha": 0.5}, X=fed(2, 3, 4), Y=fed(2, 5, 4))
def matmul(b, f, X, Y):
    return b.paddle.matmul(X, Y, transpose_y=True) * 0.5


@twin("fused_transpose", [2, 4, 3], attrs={"axis": [0, 2, 1]}, X=fed(2, 3, 4))
def transpose(b, f, X):
    return b.paddle.transpose(X, [0, 2, 1])


@twin("fused_conv2d", [1, 4, 6, 7], attrs={**CONV, "fuse_activation": "relu", "use_mkldnn": True}, Input=fed(1, 3, 6, 7), Filter=fixed(4, 3, 3, 3), Bias=fixed(4))
def conv2d(b, f, Input, Filter, Bias):
    return f.relu(f.conv2d(Input, Filter, Bias, padding=1))
