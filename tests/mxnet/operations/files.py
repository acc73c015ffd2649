"""Symbols and lists of arrays as older and newer versions of MXNet write them."""
import numpy as np

from models import Family
from operations.networks import convolution, unit
from values import fed, fixed

family = Family(__name__)


def small(b):
    x = unit(b, b.fed("data", fed(2, 3, 8, 8)), 4, "stem", stride=2)
    return [b.op("FullyConnected", data=x, attrs={"num_hidden": 5}, name="fc")]


for version in ("v0", "v1", "v2", "v3", "npz"):
    family.graph("arrays_" + version, version=version)(small)
family.graph("without_prefixes", prefix=False)(small)


@family.graph("row_sparse", storages={"weight": "row_sparse"})
@family.graph("row_sparse_stale", storages={"weight": "row_sparse stale"})
@family.graph("csr", storages={"weight": "csr"})
@family.graph("csr_stale", storages={"weight": "csr stale"})
def sparse(b):
    weights = np.arange(20, dtype=np.float32).reshape(5, 4) * np.float32([[1], [0], [1], [0], [1]])
    return [b.op("dot", b.fed("data", fed(3, 5)), b.fixed(weights, "weight"))]


@family.graph("no_rows", storages={"weight": "row_sparse"})
def no_rows(b):
    return [b.op("dot", b.fed("data", fed(3, 5)), b.fixed(np.zeros((5, 4), np.float32), "weight"))]


@family.graph("types_of_arrays")
def types_of_arrays(b):
    x = b.op("take", b.fed("data", fed(4, 3)), b.fixed(np.int64([2, 0]), "rows"))
    return [b.op("elemwise_add", b.op("Cast", b.fixed(np.int8([[1, -2, 3], [4, 5, -6]]), "bytes"), attrs={"dtype": "float32"}), x)]


@family.graph("no_weights")
def no_weights(b):
    return [b.op("Activation", data=b.fed("data", fed(2, 3)), attrs={"act_type": "tanh"}, name="act")]


@family.graph("name_with_colon")
def name_with_colon(b):
    return [b.op("broadcast_mul", b.fed("data", fed(2, 3)), b.fixed(fed(3), "scope:scale"))]


def as_of_0_8(text):
    """Attributes in `param` with all that was said, the user's in `attr`; no auxiliary states; names of then; no version."""
    auxiliary = {at for at, node in enumerate(text["nodes"]) if node["name"].endswith(("moving_mean", "moving_var"))}
    kept = [at for at in range(len(text["nodes"])) if at not in auxiliary]
    numbers = {at: number for number, at in enumerate(kept)}
    nodes = []
    for at in kept:
        node = text["nodes"][at]
        made = {"op": {"elemwise_add": "_Plus", "_mul_scalar": "_MulScalar", "broadcast_add": "broadcast_plus", "add_n": "ElementWiseSum"}.get(node["op"], node["op"]), "param": node.get("attrs", {}), "name": node["name"],
                "inputs": [one[:2] for one in ([numbers[one[0]], one[1]] for one in node["inputs"] if one[0] in numbers)], "backward_source_id": -1}
        if node["op"] == "Convolution":
            made["attr"] = {"lr_mult": "2.0"}
        if node["op"] == "null":
            made["param"] = {}
            if "__shape__" in node.get("attrs", {}):
                made["attr"] = {"__shape__": node["attrs"]["__shape__"]}
        nodes.append(made)
    return {"nodes": nodes, "arg_nodes": [number for number, node in enumerate(nodes) if node["op"] == "null"], "heads": [[numbers[one[0]], one[1]] for one in text["heads"]]}


@family.graph("of_0_8", change=as_of_0_8)
def of_0_8(b):
    x = unit(b, b.fed("data", fed(2, 3, 8, 8)), 4, "stem", stride=2)
    x = b.op("elemwise_add", x, b.op("_mul_scalar", x, attrs={"scalar": 0.5}))
    x = b.op("add_n", x, convolution(b, x, 4, name="more"), attrs={"num_args": 2})
    return [b.op("SoftmaxOutput", data=b.op("FullyConnected", data=x, attrs={"num_hidden": 5}, name="fc"), name="softmax")]


def as_of_0_9(text):
    for node in text["nodes"]:
        if "attrs" in node:
            node["attr"] = node.pop("attrs")
        node["inputs"] = [[*one[:2], 0] for one in node["inputs"]]
    text["attrs"] = {"mxnet_version": ["int", 904]}


@family.graph("of_0_9", change=as_of_0_9)
def of_0_9(b):
    x = unit(b, b.fed("data", fed(2, 3, 8, 8)), 4, "stem", stride=2)
    return [b.op("argmax", b.op("Flatten", x), attrs={"axis": 1})]


def spelled(text):
    """Tuples and truths as other programs write them."""
    for node in text["nodes"]:
        for key, value in node.get("attrs", {}).items():
            node["attrs"][key] = {"(3, 3)": "[3,3]", "(2, 2)": "(2L, 2L)", "(1, 1)": " ( 1 ,1, ) ", "True": "1", "False": "false"}.get(value, value)


@family.graph("other_spellings", change=spelled)
def other_spellings(b):
    return small(b)


@family.graph("later_version", change=lambda text: text["attrs"].update(mxnet_version=["int", 20000]) or text)
def later_version(b):
    return small(b)


@family.graph("shape_given", said=False, options=["--input_shape", "[2,3,4]"])
def shape_given(b):
    return [b.op("transpose", b.fed("data", fed(2, 3, 4)), attrs={"axes": (2, 0, 1)}, name="turned")]


@family.graph("head_of_variable")
def head_of_variable(b):
    x = b.fed("data", fed(2, 3))
    return [b.op("relu", x), x]


@family.graph("two_heads_of_one_node", unknown=(0,))
def two_heads(b):
    parts = b.op("SliceChannel", b.fed("data", fed(2, 4, 3)), attrs={"num_outputs": 2}, name="parts")
    return [parts[1], parts[0]]


OTHER_NAMES = {"Convolution": "_npx_convolution", "BatchNorm": "_npx_batch_norm", "Activation": "_npx_activation", "FullyConnected": "_npx_fully_connected", "Flatten": "flatten", "Reshape": "reshape", "Concat": "concat", "SliceChannel": "split",
               "SwapAxis": "swapaxes", "elemwise_add": "_sparse_elemwise_add", "_copy": "identity", "broadcast_sub": "_sparse_broadcast_minus", "Cast": "cast"}


def with_other_names(text):
    """The names that MXNet does not write, but knows, too."""
    kinds = {node["op"] for node in text["nodes"]}
    assert not OTHER_NAMES.keys() - kinds, OTHER_NAMES.keys() - kinds
    for node in text["nodes"]:
        node["op"] = OTHER_NAMES.get(node["op"], node["op"])


@family.graph("other_names", change=with_other_names)
def other_names(b):
    x = unit(b, b.op("_copy", b.fed("data", fed(2, 3, 8, 8))), 4, "stem", stride=2)
    halves = b.op("SliceChannel", x, attrs={"num_outputs": 2}, name="halves")
    x = b.op("Concat", halves[0], b.op("elemwise_add", halves[0], halves[1]), attrs={"num_args": 2})
    x = b.op("SwapAxis", b.op("broadcast_sub", x, b.fixed(fed(1, 4, 1, 1), "mean")), attrs={"dim1": 2, "dim2": 3})
    x = b.op("FullyConnected", data=b.op("Flatten", b.op("Cast", x, attrs={"dtype": "float32"})), attrs={"num_hidden": 6}, name="fc")
    return [b.op("Reshape", data=x, attrs={"shape": (0, 2, 3)}, name="result")]


def with_more_nodes(text):
    """A node that no head needs."""
    text["nodes"].append({"op": "no_such_operator", "name": "unused", "inputs": [[1, 0, 0]]})


@family.graph("further_nodes", change=with_more_nodes)
def further_nodes(b):
    return [b.op("relu", b.fed("data", fed(2, 3)), name="kept")]
