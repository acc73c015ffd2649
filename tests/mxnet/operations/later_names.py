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
case("_contrib_RROIAlign", "turned", attrs={"pooled_size": (2, 2), "spatial_scale": 1.0}, data=fed(1, 2, 6, 6), rois=fed(values=[[0, 3, 3, 4, 4, 30.0]]), more={"refused": "regions are rotated", "numpy": False})


@family.graph("box_encode", numpy=False, refused="only for training")
def box_encode(b):
    return [b.op("_contrib_box_encode", *[b.fed(name, fed(*shape)) for name, shape in (("samples", (1, 3)), ("matches", (1, 3)), ("anchors", (1, 3, 4)), ("refs", (1, 2, 4)), ("means", (4,)), ("stds", (4,)))])[0]]


@family.graph("quantize_asym", numpy=False, refused="another zero")
def quantize_asym(b):
    return [b.op("_contrib_quantize_asym", b.fed("data", fed(2, 3)), attrs={"min_calib_range": -1, "max_calib_range": 1})[0]]


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
attention("sg_onednn_selfatt", change=of_onednn)
