"""Operators of 1.x whose meaning newer ones have kept under another name, which compute their results here."""

from models import Family
from values import fed, fixed

family = Family(__name__)


def older(name, newer, variant="", **more):
    """The operator `newer` is called `name` in the file."""
    family.case(newer, f"as_{name}" + ("_" + variant if variant else ""), more={"renamed": {newer: name}}, **more)


older("squeeze", "squeeze2", unknown=(0,), attrs={"axes": [1]}, X=fed(2, 1, 4))
older("squeeze", "squeeze2", "all", attrs={"axes": []}, X=fed(1, 3, 1, 2))
older("unsqueeze", "unsqueeze2", unknown=(0,), attrs={"axes": [0, 2]}, X=fed(2, 3))
older("flatten", "flatten2", unknown=(0,), attrs={"axis": 1}, X=fed(2, 3, 4))
older("flatten", "flatten2", "zero", attrs={"axis": 0}, X=fed(2, 3))
older("diag", "diag_v2", attrs={"offset": 0}, X=fed(3))
older("sync_batch_norm", "batch_norm", attrs={"is_test": True}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, take=[0], X=fed(2, 3, 4, 5), Scale=fixed(3, low=0.5,
        high=2), Bias=fixed(3), Mean=fixed(3),
      Variance=fixed(3, low=0.5, high=2))
older("depthwise_conv2d", "conv2d", attrs={"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 4}, Input=fed(1, 4, 6, 7), Filter=fixed(4, 1, 3, 3))


@family.graph("program_of_1_x", renamed={"squeeze2": "squeeze", "unsqueeze2": "unsqueeze", "flatten2": "flatten"})
def program(b):
    """A classifier as it was written then: products with flattened sides, transposing and reshaping without a second result."""
    f = b.op
    x = b.fed("image", fed(2, 3, 8, 8))
    x = f("conv2d", {"strides": [2, 2], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}, Input=x, Filter=b.fixed(fixed(4, 3, 3, 3), "conv_w"))
    x = f("batch_norm", {"is_test": True, "epsilon": 1e-5}, same={"MeanOut": "Mean", "VarianceOut": "Variance"}, X=x, Scale=b.fixed(fixed(4, low=0.5, high=2),
            "scale"), Bias=b.fixed(fixed(4), "bias"), Mean=b.fixed(fixed(4), "mean"),
          Variance=b.fixed(fixed(4, low=0.5, high=2), "variance"))
    x = f("reshape", {"shape": [0, 4, -1]}, X=f("relu", X=x))
    x = f("transpose", {"axis": [0, 2, 1]}, X=x)
    x = f("squeeze2", {"axes": [0]}, X=f("unsqueeze2", {"axes": [0]}, X=x))
    x = f("mul", {"x_num_col_dims": 2, "y_num_col_dims": 1}, X=x, Y=b.fixed(fixed(4, 5), "fc_w"))
    x = f("dropout", {"dropout_prob": 0.5, "is_test": True, "dropout_implementation": "downgrade_in_infer"}, X=x)
    x = f("flatten2", {"axis": 1}, X=f("elementwise_add", {"axis": 2}, X=x, Y=b.fixed(fixed(5), "fc_b")))
    return [f("softmax", {"axis": -1}, X=f("matmul", {"alpha": 0.5}, X=x, Y=b.fixed(fixed(80, 6), "out_w"))), f("top_k", {"k": 3}, {"Indices": "int64"}, X=x)[1]]
