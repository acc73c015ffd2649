"""What is no fault of the converter, and not found again."""
from onnx import helper


def is_known(model, wrong):
    return any(rule(model, wrong) for rule in (same_of_sparse_strides, window_that_does_not_fit))


def same_of_sparse_strides(model, wrong):
    """ConvTranspose with auto_pad SAME: ONNX says that the result has stride times the input's size. ONNX Runtime gives less where the stride is larger than
    the kernel."""
    for node in model.graph.node:
        attributes = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        if node.op_type == "ConvTranspose" and attributes.get("auto_pad", b"").startswith(b"SAME") and max(attributes.get("strides", [1])) > 1:
            return wrong.startswith("numbers") and "shape" in wrong
    return False


def window_that_does_not_fit(model, wrong):
    """ONNX Runtime rounds (size - window) / stride towards zero and computes one element of nothing; the converter refuses."""
    return "a window over" in wrong and "does not fit" in wrong
