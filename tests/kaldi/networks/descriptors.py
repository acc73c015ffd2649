"""Descriptors of nnet3, each over the input, over a layer, and in each other. A: a layer of 4 values; B: another one, which reads A and the frames beside it."""
from kaldi.networks.build import Network3
from kaldi.reference import descriptor as terms

DESCRIPTORS = [
    ("node", "A"),
    ("offset_past", "Offset(A, -2)"),
    ("offset_future", "Offset(A, 2)"),
    ("offset_x", "Offset(A, -1, 0)"),
    ("append", "Append(Offset(A, -1), A, Offset(A, 1))"),
    ("append_unordered", "Append(A, Offset(A, -1), Offset(A, 2))"),
    ("append_repeated", "Append(A, A, Offset(A, -3), A)"),
    ("append_gaps", "Append(Offset(A, -4), A, Offset(A, 3))"),
    ("append_past_only", "Append(Offset(A, -3), Offset(A, -1))"),
    ("append_future_only", "Append(Offset(A, 1), Offset(A, 3))"),
    ("append_input", "Append(Offset(input, -1), input, Offset(input, 1))"),
    ("append_input_unordered", "Append(Offset(input, 1), Offset(input, -1), input)"),
    ("append_of_two", "Append(Offset(input, -2), A, Offset(B, 1))"),
    ("sum", "Sum(A, Offset(A, -1))"),
    ("sum_of_three", "Sum(A, Sum(Offset(A, -1), B))"),
    ("sum_of_many", "Sum(A, Offset(A, -1), Offset(B, 1), A)"),
    ("scale", "Scale(0.66, A)"),
    ("scale_negative", "Scale(-1.5e-1, Offset(A, 1))"),
    ("sum_scaled", "Sum(Scale(0.66, A), B)"),
    ("constant_appended", "Append(A, Const(-1.5, 2))"),
    ("constant_added", "Sum(A, Const(0.5, 4))"),
    ("if_defined", "IfDefined(A)"),
    ("if_defined_past", "IfDefined(Offset(A, -2))"),
    ("if_defined_appended", "Append(A, IfDefined(Offset(A, -3)), IfDefined(Offset(input, -1)))"),
    ("if_defined_sum", "Sum(A, IfDefined(Offset(B, -1)))"),
    ("if_defined_of_sum", "IfDefined(Sum(A, Offset(B, -4)))"),
    ("failover_past", "Failover(Offset(A, -3), A)"),
    ("failover_constant", "Failover(Offset(B, -2), Const(0.75, 4))"),
    ("failover_in_sum", "Sum(A, Failover(Offset(A, -2), Offset(A, -1)))"),
    ("failover_of_three", "Failover(Offset(B, -4), Failover(Offset(A, -2), Scale(0.5, input)))"),
    ("round", "Round(A, 3)"),
    ("round_offset", "Round(Offset(A, 1), 2)"),
    ("offset_round", "Offset(Round(A, 3), -1)"),
    ("round_appended", "Append(A, Round(A, 4), Offset(A, -1))"),
    ("round_input", "Append(input, Round(input, 3))"),
    ("round_if_defined", "Sum(A, IfDefined(Round(Offset(A, -2), 3)))"),
    ("switch", "Switch(A, B)"),
    ("switch_of_three", "Switch(A, Offset(A, -1), Offset(B, 1))"),
    ("switch_appended", "Append(Switch(A, B), Offset(Switch(B, A, A), -1))"),
    ("switch_round", "Switch(Offset(Round(A, 2), -2), Offset(A, -2))"),
    ("replace_index", "Append(A, ReplaceIndex(A, t, 0))"),
    ("replace_index_later", "Append(A, ReplaceIndex(Offset(A, 1), t, 0))"),
    ("replace_index_beside_past", "Append(Offset(A, -2), ReplaceIndex(A, t, 0))"),
    ("replace_index_of_two", "Append(A, ReplaceIndex(A, t, 2))"),
    ("replace_index_x", "ReplaceIndex(A, x, 0)"),
    ("nested", "Append(Sum(Scale(0.5, input), IfDefined(Offset(B, -1))), Failover(Offset(A, -2), Round(A, 2)), Const(1, 1))"),
    ("offset_of_append", "Offset(Append(A, Offset(B, -1)), 1)"),
    ("offset_of_sum", "Offset(Sum(A, Offset(B, -1)), -2)"),
    ("scale_of_sum", "Scale(0.5, Sum(A, B))"),
]


def over(descriptor):
    """Read by a layer, as real networks do, and by the output."""
    def make(seed):
        net = Network3(seed, 4)
        net.node("A", "input", net.affine(4, 4))
        net.node("B", "Append(A, Offset(A, -1), Offset(A, 1))", net.affine(4, 12))
        size = terms.dim(terms.parse(descriptor), lambda name: 4)
        net.node("layer", descriptor, net.affine(3, size))
        return net.output("layer").made()
    return make


def direct(descriptor):
    """Straight into the output."""
    def make(seed):
        net = Network3(seed, 4)
        net.node("A", "input", net.affine(4, 4))
        net.node("B", "Append(Offset(A, -1), Offset(A, 1))", net.affine(4, 8))
        return net.output(descriptor).made()
    return make


NETWORKS = {f"descriptor/{name}": over(text) for name, text in DESCRIPTORS}
NETWORKS |= {f"descriptor/{name}_output": direct(text) for name, text in DESCRIPTORS if name in ("offset_past", "append", "sum", "failover_past", "round", "switch", "if_defined_past", "append_input", "append_input_unordered")}
