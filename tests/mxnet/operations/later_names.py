"""Operators of MXNet 2 that 1.9 has under other names, and some that are seldom written."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__, numpy=True)


def placed(lhs, rhs, indices):
    found = lhs.copy()
    found[tuple(indices.astype(np.int64))] = rhs
    return [found]


def case(kind, variant="", now=None, more=None, **arguments):
    """`now`: the later name."""
    def renamed(text):
        for node in text["nodes"]:
            node["op"] = now if node["op"] == kind else node["op"]
        text["attrs"]["mxnet_version"] = ["int", 20000]
    family.case(kind, variant or now.lstrip("_"), more={**(more or {}), **({"change": renamed} if now else {})}, **arguments)


case("_np_reshape", now="_npi_reshape", attrs={"newshape": (-1, 4)}, a=fed(2, 3, 4))
case("_np_transpose", now="_npi_transpose", attrs={"axes": (1, 0, 2)}, a=fed(2, 3, 4))
case("_np_squeeze", now="_npi_squeeze", attrs={"axis": (1,)}, a=fed(2, 1, 3))
case("_np_moveaxis", now="_npi_moveaxis", attrs={"source": (0,), "destination": (-1,)}, a=fed(2, 3, 4))
case("_np_roll", now="_npi_roll", attrs={"shift": (1,), "axis": (1,)}, data=fed(2, 3))
case("_np_diag", now="_npi_diag", attrs={"k": 0}, data=fed(3))
case("_np_diagonal", now="_npi_diagonal", attrs={"axis1": 0, "axis2": 1}, data=fed(3, 4, 2))
case("_np_trace", now="_npi_trace", attrs={"offset": 1}, data=fed(3, 4))
case("_np_copy", now="_npi_copy", a=fed(2, 3))
case("_np_repeat", now="_npi_repeat", attrs={"repeats": 2, "axis": None}, data=fed(2, 3))
case("_npx_slice", "begin", attrs={"begin": (0, 1), "end": (2, None)}, data=fed(2, 4))
case("_npi_dsplit", "equal", attrs={"indices": (), "sections": 2, "axis": 2}, take=(0, 1), data=fed(2, 3, 4))
case("_npi_slice_assign", "part", attrs={"begin": (0, 1), "end": (2, 3)}, lhs=fed(2, 4), rhs=fed(2, 2))
case("_npi_slice_assign_scalar", "part", attrs={"scalar": 3, "begin": (0, 1), "end": (2, 3)}, data=fed(2, 4))
case("_npi_tril", "triu", attrs={"k": 1}, data=fed(3, 4), now="_npi_triu", more={"expected": lambda data: [np.triu(data, 1)]})
case("_npx_cast", "int32", attrs={"dtype": "int32"}, data=fed(values=[0, 1.6, 2.7]))
case("_npx_gather_nd", "rows", data=fed(3, 4), indices=fed(values=[[0, 2, 1]], dtype=np.int64))
case("_npx_nonzero", now="_npi_nonzero", x=fed(values=[[0, 1.5], [2, 0]]), more={"by_data": True, "expected": lambda x: [np.stack(np.nonzero(x), 1)]})
case("_npi_scatter_set_nd", "places", attrs={"shape": (3, 4)}, lhs=fed(3, 4), rhs=fed(2), indices=fed(values=[[0, 2], [1, 3]], dtype=np.int64), more={"expected": placed})
case("_npx_shape_array", "sizes", data=fed(2, 3, 4))
for kind in ("_npx_relu", "_npx_sigmoid"):
    case(kind, "later", data=fed(2, 5, low=-3, high=3))
for now, kind, argument in (("_npi_sum", "_np_sum", "a"), ("_npi_prod", "_np_prod", "a"), ("_npi_max", "_np_max", "a"), ("_npi_min", "_np_min", "a"), ("_npi_any", "_np_any", "data"), ("_npi_all", "_np_all", "data")):
    case(kind, now=now, attrs={"axis": (1,), "keepdims": True}, **{argument: fed(2, 3, 4)})
case("_np_cumsum", now="_npi_cumsum", attrs={"axis": 1}, a=fed(2, 3))
case("_np_dot", now="_npi_dot", a=fed(2, 3), b=fed(3, 4))
case("_npi_degrees", now="_npi_rad2deg", x=fed(2, 3))
case("_npi_radians", now="_npi_deg2rad", x=fed(2, 3))
case("_np_diagflat", "k", attrs={"k": 1}, data=fed(2, 2))
for kind, shapes in (("_np_atleast_1d", ((2,), (2, 3))), ("_np_atleast_2d", ((2,), (2, 3))), ("_np_atleast_3d", ((2,), (2, 3), (2, 3, 4)))):
    case(kind, "all", attrs={"num_args": len(shapes)}, take=tuple(range(len(shapes))), args=[fed(*shape) for shape in shapes])
for kind in ("_npi_bitwise_and_scalar", "_npi_bitwise_or_scalar", "_npi_bitwise_xor_scalar"):
    case(kind, "six", attrs={"scalar": 6, "is_int": True}, data=fed(values=[[1, 2, 3], [4, 15, 8]], dtype=np.int32))
for kind in ("_npi_arctan2_scalar", "_npi_rarctan2_scalar", "_npi_ldexp_scalar", "_npi_rldexp_scalar", "_npi_copysign_scalar", "_npi_rcopysign_scalar"):
    case(kind, "number", attrs={"scalar": -1.5, "is_int": False}, data=fed(2, 5, low=-2, high=2))
case("_npi_copysign", "both", lhs=fed(2, 5), rhs=fed(2, 5))
case("_npi_where_scalar2", "numbers", attrs={"x": 2.5, "y": -1}, condition=fed(values=[[0, 1, 2], [1, 0, 0]]))
case("_npi_nan_to_num", "numbers", attrs={"nan": 0.5, "posinf": 7.0, "neginf": -7.0}, data=fed(values=[[np.nan, 1, np.inf], [-np.inf, -2, 0]]))
case("_npi_nan_to_num", "largest", attrs={"nan": 0.0}, data=fed(values=[[np.nan, 1, 3], [-1, -2, 0]]))


def later(name, kind, expected, attrs=None, **inputs):
    """An operator that only MXNet 2 has; while the symbol is built another one with as many inputs stands for it."""
    def change(text):
        for node in text["nodes"]:
            if node["name"] == "later":
                node["op"], node["attrs"] = kind, {key: str(value) for key, value in (attrs or {}).items()}
        text["attrs"]["mxnet_version"] = ["int", 20000]

    @family.graph(name, numpy=False, change=change, expected=expected)
    def build(b):
        return [b.op("broadcast_add" if len(inputs) == 2 else "relu", *[b.fed(key, spec) for key, spec in inputs.items()], name="later")]


MASK = [[1, 0, 1, 1], [0, 0, 1, 0]]


def soft(data, mask):
    powers = np.exp(data - data.max(-1, keepdims=True)) * mask
    return powers / powers.sum(-1, keepdims=True)


def logarithm(data, mask):
    with np.errstate(divide="ignore"):
        return np.log(soft(data, mask))


later("masked_softmax", "_npx_masked_softmax", lambda data, mask: [soft(data, mask)], data=fed(2, 4), mask=fed(values=np.float32(MASK)))
later("masked_log_softmax", "masked_log_softmax", lambda data, mask: [logarithm(data, mask)], data=fed(2, 4), mask=fed(values=np.float32(MASK)))
later("masked_softmax_temperature", "masked_softmax", lambda data, mask: [soft(data / 2, mask)], attrs={"temperature": 2.0, "axis": -1}, data=fed(2, 4), mask=fed(values=np.float32(MASK)))
later("fmax", "_npi_fmax", lambda x1, x2: [np.fmax(x1, x2)], x1=fed(2, 3), x2=fed(2, 3))
later("fmin", "_npi_fmin", lambda x1, x2: [np.fmin(x1, x2)], x1=fed(2, 3), x2=fed(2, 3))
later("fmax_scalar", "_npi_fmax_scalar", lambda data: [np.fmax(data, np.float32(0.25))], attrs={"scalar": 0.25, "is_int": False}, data=fed(2, 3))
later("fmin_scalar", "_npi_fmin_scalar", lambda data: [np.fmin(data, np.float32(0.25))], attrs={"scalar": 0.25, "is_int": False}, data=fed(2, 3))
later("sg_pow_mul_scalar", "_sg_pow_mul_scalar", lambda data: [data ** 3 * np.float32(0.5)], attrs={"exponent": 3, "multiplier": 0.5}, data=fed(2, 3))
later("sg_onednn_batch_dot", "_sg_onednn_batch_dot", lambda lhs, rhs: [lhs @ rhs.transpose(0, 2, 1)], attrs={"transpose_b": True}, lhs=fed(2, 3, 4), rhs=fed(2, 5, 4))


@family.graph("scatter_set_nd", numpy=False, expected=placed)
def scatter_set_nd(b):
    return [b.op("_scatter_set_nd", b.fed("lhs", fed(3, 4)), b.fed("rhs", fed(2)), b.fed("indices", fed(values=[[0, 2], [1, 3]])), attrs={"shape": (3, 4)})]


@family.graph("zeros_without_dtype", numpy=False)
def zeros_without_dtype(b):
    return [b.op("broadcast_add", b.op("_zeros_without_dtype", attrs={"shape": (2, 3)}), b.fed("data", fed(2, 3)))]


def of_onednn(text):
    for node in text["nodes"]:
        node["op"] = node["op"].replace("_sg_mkldnn_", "_sg_onednn_")
    text["attrs"]["mxnet_version"] = ["int", 20000]


def with_fused(name, **more):
    @family.graph(name, numpy=False, **more)
    def fused(b):
        from operations.quantised import small
        return [small(b).get_backend_symbol("MKLDNN")]


with_fused("sg_onednn_conv", change=of_onednn)


def attention(name, **more):
    @family.graph(name, numpy=False, expected=attended, **more)
    def build(b):
        x = b.fed("data", fed(4, 3, 2 * 3 * 5))
        scores = b.op("_sg_mkldnn_selfatt_qk", x, attrs={"heads": 2})
        return [b.op("_sg_mkldnn_selfatt_valatt", x, scores, attrs={"heads": 2})]


def attended(data):
    parts = data.reshape(4, 6, 3, 5)
    queries, keys, values = (parts[:, :, at].transpose(1, 0, 2) for at in range(3))
    scores = queries @ keys.transpose(0, 2, 1) / np.sqrt(np.float32(5))
    return [(scores @ values).transpose(1, 0, 2).reshape(4, 3, 10)]


attention("sg_mkldnn_selfatt")


def parts_of(data, parts):
    """Queries before keys before values, each of two heads: [part, batch, heads, time, width]."""
    return data.reshape(*data.shape[:2], parts, 2, -1).transpose(2, 0, 3, 1, 4)


def values_of(scores, values):
    return (scores @ values).transpose(0, 2, 1, 3).reshape(len(values), values.shape[2], -1)


def of_version_2(data):
    queries, keys, values = parts_of(data, 3)
    return [values_of(queries @ keys.transpose(0, 1, 3, 2), values)]


def as_version_2(scores):
    """Attention comes before the values, and the batch before the time."""
    def change(text):
        for node in text["nodes"]:
            if node["op"].endswith("_valatt"):
                node["op"], node["inputs"] = "_sg_onednn_selfatt_valatt", node["inputs"][::-1]
            elif node["op"].endswith("_qk"):
                node["op"] = scores
        text["attrs"]["mxnet_version"] = ["int", 20000]
    return change


for scores in ("_sg_onednn_selfatt_qk", "_sg_onednn_selfatt_qk_split", "_sg_mkldnn_selfatt_qk"):
    @family.graph(scores.lstrip("_") + "_2", numpy=False, change=as_version_2(scores), expected=of_version_2)
    def version_2(b):
        x = b.fed("data", fed(3, 4, 2 * 3 * 5))
        return [b.op("_sg_mkldnn_selfatt_valatt", x, b.op("_sg_mkldnn_selfatt_qk", x, attrs={"heads": 2}), attrs={"heads": 2})]

later("sg_onednn_selfatt_qk_apart", "_sg_onednn_selfatt_qk", lambda queries, keys: [parts_of(queries, 1)[0] @ parts_of(keys, 1)[0].transpose(0, 1, 3, 2)], attrs={"heads": 2}, queries=fed(3, 4, 10), keys=fed(3, 4, 10))


NORM = dict(zip(("gamma", "beta", "moving_mean", "moving_var"), np.random.default_rng(4).uniform(0.5, 1.5, (4, 3)).astype(np.float32)))


def as_onednn_norm(text):
    for node in text["nodes"]:
        node["op"] = {"BatchNorm": "_sg_onednn_batch_norm", "_contrib_quantized_batch_norm": "_contrib_quantized_batch_norm_relu"}.get(node["op"], node["op"])
    text["attrs"]["mxnet_version"] = ["int", 20000]


def normed(data):
    gamma, beta, mean, var = (one[:, None, None] for one in NORM.values())
    return np.maximum((data - mean) / np.sqrt(var + np.float32(1e-5)) * gamma + beta, 0)


def normed_in_steps(data):
    x = np.clip(np.round(data * np.float32(127.5)), -128, 127) / np.float32(127.5)
    return [(np.clip(np.round(normed(x) * np.float32(127.5 / 2.5)), -128, 127) * np.float32(2.5 / 127.5)).astype(np.float32)]


@family.graph("sg_onednn_batch_norm", numpy=False, change=as_onednn_norm, expected=lambda data: [normed(data)])
def batch_norm(b):
    return [b.op("BatchNorm", b.fed("data", fed(2, 3, 4, 4)), *[b.fixed(array, name) for name, array in NORM.items()], attrs={"fix_gamma": False, "eps": 1e-5})[0]]


@family.graph("quantized_batch_norm_relu", numpy=False, change=as_onednn_norm, expected=normed_in_steps)
def quantized_batch_norm_relu(b):
    x = b.op("_contrib_quantize_v2", b.fed("data", fed(2, 3, 4, 4)), attrs={"min_calib_range": -1.0, "max_calib_range": 1.0})
    made = b.op("_contrib_quantized_batch_norm", x[0], *[b.fixed(array, name) for name, array in NORM.items()], x[1], x[2], attrs={"eps": 1e-5, "fix_gamma": False, "min_calib_range": -2.5, "max_calib_range": 2.5})
    return [b.op("_contrib_dequantize", made[0], made[1], made[2])]
