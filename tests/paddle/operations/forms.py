"""Forms of programs: what older and newer versions of PaddlePaddle write, and how inputs, outputs and parameters may stand in a file."""
import numpy as np

import program
from models import Family
from values import fed, fixed

family = Family(__name__)
graph = family.graph
# Attributes that operators of 1.x did not have.
NEWER = {"padding_algorithm", "data_format", "data_layout", "exclusive", "adaptive", "trainable_statistics", "out_dtype", "in_dtype", "op_device", "op_namescope", "op_role",
         "op_role_var", "with_quant_attr", "op_callstack", "use_quantizer", "str_value",
         "mkldnn_data_type", "bias_after_scale", "dilations", "ceil_mode", "use_global_stats"}


def layers(b):
    """Some operators with many attributes."""
    f = b.op
    x = b.fed("x", fed(1, 3, 8, 8))
    x = f("conv2d", {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}, Input=x, Filter=b.fixed(fixed(4, 3, 3, 3), "conv2d_0.w"))
    x = f("elementwise_add", {"axis": 1}, X=x, Y=b.fixed(fixed(4), "conv2d_0.b"))
    x = f("relu", X=x)
    x = f("pool2d", {"pooling_type": "avg", "ksize": [2, 2], "strides": [2, 2], "paddings": [0, 0]}, X=x)
    x = f("mul", {"x_num_col_dims": 1, "y_num_col_dims": 1}, X=x, Y=b.fixed(fixed(64, 5), "fc_0.w"))
    return [f("softmax", {"axis": -1}, X=x)]


def without_scales(desc):
    """The variable itself is an output, as files of 2.4 and 1.x have it."""
    block = desc["blocks"][0]
    names = {program.arguments(op, "outputs", "Out")[0]: program.arguments(op, "inputs",
            "X")[0] for op in block["ops"] if op["type"] == "scale" and "save_infer_model" in op["outputs"][0]["arguments"][0]}
    block["ops"] = [op for op in block["ops"] if not (op["type"] == "scale" and op["outputs"][0]["arguments"][0] in names)]
    block["vars"] = [var for var in block["vars"] if var["name"] not in names]
    for op in block["ops"]:
        if op["type"] == "fetch":
            op["inputs"][0]["arguments"] = [names.get(name, name) for name in op["inputs"][0]["arguments"]]


def older(desc):
    """Fewer attributes, no versions of operators."""
    without_scales(desc)
    desc.pop("op_version_map", None)
    desc["version"] = {"version": 1006000}
    for op in desc["blocks"][0]["ops"]:
        op["attrs"] = [attr for attr in op.get("attrs", []) if attr["name"] not in NEWER or attr["name"] == "dilations"]


def development(desc):
    """A version that was built by hand says 0."""
    desc["version"] = {"version": 0}


def bare(desc):
    """Nothing is said that is not needed."""
    desc.pop("version", None)
    desc.pop("op_version_map", None)


graph("outputs_are_variables", change=without_scales)(layers)
graph("older", change=older)(layers)
graph("development", change=development)(layers)
graph("no_version", change=bare)(layers)
graph("everything_is_said", extra=True)(layers)
graph("everything_is_said_unpruned", extra=True, unpruned=True)(layers)


@graph("names")
def names(b):
    """Names with any characters, and such that one begins as another."""
    x = b.fed("input/x.0:1", fed(2, 3))
    w, other = b.fixed(fixed(3, 4), "layer/w, 1@GRAD"), b.fixed(fixed(4), "layer/w, 1")
    return [b.op("elementwise_add", X=b.op("matmul_v2", X=x, Y=w), Y=other)]


@graph("order_of_inputs")
def inputs(b):
    """The second input is used first."""
    x, y = b.fed("b", fed(2, 3)), b.fed("a", fed(2, 3))
    return [b.op("relu", X=y) - x, x * 2, y * 3]


@graph("output_is_input")
def same(b):
    x = b.fed("x", fed(2, 3))
    return [x, b.op("relu", X=x)]


@graph("output_twice")
def output_twice(b):
    y = b.op("relu", X=b.fed("x", fed(2, 3)))
    return [y, y]


@graph("output_is_constant")
def constant(b):
    x = b.fed("x", fed(2, 3))
    return [x * 2, b.fixed(fixed(2, 2), "w") * 1]


@graph("output_on_the_way")
def on_the_way(b):
    """What is an output is used, too."""
    x = b.op("relu", X=b.fed("x", fed(2, 3)))
    return [b.op("tanh", X=x), x]


@graph("output_on_the_way_as_variables", change=without_scales)
def on_the_way_bare(b):
    x = b.op("relu", X=b.fed("x", fed(2, 3)))
    return [b.op("tanh", X=x), x]


@graph("no_dimensions")
def scalars(b):
    x, y = b.fed("x", fed(values=2.5)), b.fed("y", fed(values=-1.5))
    return [x + y, x * b.fixed(fixed(values=3.0), "w")]


@graph("every_size_is_open", unknown=(0, 1, 2))
def all_unknown(b):
    return [b.op("relu", X=b.fed("x", fed(2, 3, 4)))]


def scalars_of(*values):
    def change(desc):
        for op in desc["blocks"][0]["ops"]:
            if op["type"] == "assign_value":
                op["attrs"] = [attr for attr in op["attrs"] if not attr["name"].endswith("_values")]
                op["attrs"].append({"name": "values", "type": 17, "scalars": [{"type": 3, "r": value} if isinstance(value, float) else {"type": 2, "i": value} for value in values]})
    return change


family.case("assign_value", "scalars", attrs={"shape": [2, 2], "dtype": 5, "fp32_values": [0.0] * 4}, outs={"Out": "float32"}, more={"change": scalars_of(0.5, -1.0, 2.0, 3.0),
        "expected": lambda: [np.float32([[0.5, -1], [2, 3]])]})
family.case("assign_value", "scalars_int64", attrs={"shape": [3], "dtype": 3, "int64_values": [0] * 3}, outs={"Out": "int64"}, more={"change": scalars_of(5, -6, 2 ** 40),
        "expected": lambda: [np.int64([5, -6, 2 ** 40])]})
